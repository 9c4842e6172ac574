/* The runtime's own memory functions and arena. memcpy and its kin are defined here under
 * their usual names, because the compiler may call them; the archive's private.syms renames
 * them, so that the program never sees these and the runtime never sees the program's. */
#include "lib/runtime/process.h"
#include <string.h>
#include <sys/mman.h>

typedef uint64_t __attribute__((may_alias, aligned(1))) word;

#define PLAIN __attribute__((optimize("no-tree-loop-distribute-patterns")))

PLAIN void *memcpy(void *d, const void *s, size_t n)
{
#if defined(__x86_64__)
	void *to = d;

	__asm__ volatile("rep movsb" : "+D"(to), "+S"(s), "+c"(n) : : "memory");
#else
	for (size_t i = 0; i < n; i++)
		((char *)d)[i] = ((const char *)s)[i];
#endif
	return d;
}

PLAIN void *memmove(void *d, const void *s, size_t n)
{
	char *to = d;
	const char *from = s;

	if (to < from || to >= from + n)
		return memcpy(d, s, n);
	while (n--)
		to[n] = from[n];
	return d;
}

PLAIN void *memset(void *d, int c, size_t n)
{
#if defined(__x86_64__)
	void *to = d;

	if (n < 512) { /* faster than the processor's own loop starts */
		for (size_t i = 0; i + 8 <= n; i += 8)
			*(word *)((char *)d + i) = (uint8_t)c * 0x0101010101010101u;
		for (size_t i = n & ~(size_t)7; i < n; i++)
			((char *)d)[i] = (char)c;
		return d;
	}
	__asm__ volatile("rep stosb" : "+D"(to), "+c"(n) : "a"(c) : "memory");
#else
	for (size_t i = 0; i < n; i++)
		((char *)d)[i] = (char)c;
#endif
	return d;
}

PLAIN int memcmp(const void *a, const void *b, size_t n)
{
	const uint8_t *x = a, *y = b;
	size_t i = 0;

	for (; i + 8 <= n; i += 8)
		if (*(const uint64_t *)(x + i) != *(const uint64_t *)(y + i))
			break;
	for (; i < n; i++)
		if (x[i] != y[i])
			return x[i] < y[i] ? -1 : 1;
	return 0;
}

PLAIN size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n])
		n++;
	return n;
}

PLAIN int strcmp(const char *a, const char *b)
{
	while (*a && *a == *b)
		a++, b++;
	return (uint8_t)*a - (uint8_t)*b;
}

size_t duct_length(const char *s)
{
	return strlen(s);
}

bool duct_same_text(const char *a, const char *b)
{
	return strcmp(a, b) == 0;
}

uint64_t duct_hash(const void *p, size_t n)
{
	const uint8_t *s = p;
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < n; i++)
		h = (h ^ s[i]) * 0x100000001b3u;
	return h ^ h >> 32;
}

size_t duct_digits(char *to, uint64_t v)
{
	char text[20];
	size_t n = 0;

	do {
		text[n++] = (char)('0' + v % 10);
		v /= 10;
	} while (v);
	for (size_t i = 0; i < n; i++)
		to[i] = text[n - 1 - i];
	return n;
}

/* Large ones lie between inaccessible pages, so that the kernel does not join them to others:
 * rewind.c looks at each mapping as a whole. */
static void *reserve(size_t bytes)
{
	size_t guard = bytes >= (size_t)1 << 30 ? 4096 : 0;
	long p = sys6(SYS_mmap, 0, bytes + 2 * guard, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (p < 0 && p > -4096)
		return NULL;
	if (guard) {
		sys3(SYS_mprotect, p, guard, PROT_NONE);
		p += (long)guard;
		sys3(SYS_mprotect, p + (long)bytes, guard, PROT_NONE);
	}
	/* a huge page would cost more than a whole run */
	sys3(SYS_madvise, p, bytes, MADV_NOHUGEPAGE);
	return (void *)p;
}

#define RESERVED 64u

/* Address ranges that the runtime has reserved for itself since the run began. */
static struct reserved {
	uintptr_t from, to;
} reserved[RESERVED];
static uint32_t reserved_count;

void *duct_reserve(size_t bytes)
{
	void *p = duct_rewind_reserve(bytes, reserve);

	if (p && reserved_count < RESERVED)
		reserved[reserved_count++] =
		    (struct reserved){ (uintptr_t)p, (uintptr_t)p + bytes };
	return p;
}

void *duct_reserve_shared(size_t bytes)
{
	return reserve(bytes);
}

bool duct_is_reserved(uintptr_t p, size_t n)
{
	for (uint32_t i = 0; i < reserved_count; i++)
		if (p < reserved[i].to && (p >= reserved[i].from || reserved[i].from - p < n))
			return true;
	return false;
}

void duct_unback(void *p, size_t bytes)
{
	sys3(SYS_madvise, p, bytes, MADV_DONTNEED);
}

#define ARENA ((size_t)1 << 36)

static char *arena;
static size_t arena_used;

bool duct_arena_reserve(void)
{
	return arena || (arena = duct_reserve(ARENA));
}

void *duct_arena(size_t bytes)
{
	size_t at = arena_used;

	bytes = (bytes + 15) & ~(size_t)15;
	if (!duct_arena_reserve() || bytes > ARENA - arena_used)
		duct_end(FAULT_LIMIT, "out of memory for expressions");
	arena_used += bytes;
	return arena + at;
}

void duct_arena_at(uintptr_t *from, uintptr_t *to)
{
	*from = (uintptr_t)arena;
	*to = (uintptr_t)arena + arena_used;
}
