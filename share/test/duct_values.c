/* duct_values.c: functions that tests call to build inputs and to compare results (duct_test.h),
 * and the functions of duct.h and of SV-COMP (__VERIFIER_...) that programs under test call. */
#define _GNU_SOURCE
#include "duct_runner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern char **environ;

volatile duct_integer duct_sink;
volatile double duct_sink_f;

/* ---- for tests */

static struct kept_object {
	struct kept_object *next;
	void *p;
} *objects; /* keeps all objects reachable, so that leak checkers do not report them */

void *duct_new(unsigned long size)
{
	int asking = duct_asking;

	duct_asking = 0;
	struct kept_object *o = malloc(sizeof *o);
	void *p = size ? calloc(1, size) : malloc(0);

	duct_asking = asking;
	if (!o || !p)
		abort();
	o->p = p;
	o->next = objects;
	objects = o;
	return p;
}

void *duct_stream(const char *bytes, unsigned long size)
{
	int asking = duct_asking;

	duct_asking = 0;
	FILE *f = tmpfile();
	if (!f || fwrite(bytes, 1, size, f) != size)
		abort();
	rewind(f);
	duct_asking = asking;
	return f;
}

void duct_zero(void *object, unsigned long size)
{
	memset(object, 0, size);
}

void duct_copy(void *object, const char *bytes, unsigned long size)
{
	memcpy(object, bytes, size);
}

void duct_device(unsigned long address, unsigned long size)
{
	static unsigned long next;
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE), at = address & -page;
	int there = 1;

#ifdef MAP_FIXED_NOREPLACE
	for (at = at < next ? next : at; at < address + size; next = at += page)
		there &= mmap((void *)at, page, PROT_READ | PROT_WRITE,
		             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
		    == (void *)at;
#else
	there = 0;
#endif
	if (!there)
		fprintf(stderr, "no memory at %#lx here: tests that need it fail\n", address);
}

double duct_bits(duct_word bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

float duct_bits_f(unsigned bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

void duct_equal(const char *call, int line, duct_integer result, duct_integer observed)
{
	if (result == observed)
		return;
	duct_state->differences++;
	snprintf(duct_state->message, sizeof duct_state->message,
	    "tests.c:%d: %s is %lld, %lld was observed", line, call, result, observed);
}

void duct_holds(
    const char *address, int line, const void *bytes, const char *observed, unsigned long size)
{
	unsigned long i = 0;

	while (i < size && ((const char *)bytes)[i] == observed[i])
		i++;
	if (i == size)
		return;
	duct_state->differences++;
	snprintf(duct_state->message, sizeof duct_state->message,
	    "tests.c:%d: byte %lu at %s is %d, %d was observed", line, i, address,
	    ((const signed char *)bytes)[i], (signed char)observed[i]);
}

void duct_same(const char *call, int line, double result, double observed)
{
	if (!memcmp(&result, &observed, sizeof result)
	    || (result != result && observed != observed))
		return;
	duct_state->differences++;
	snprintf(duct_state->message, sizeof duct_state->message,
	    "tests.c:%d: %s is %.17g, %.17g was observed", line, call, result, observed);
}

void duct_exit(int status)
{
	exit(status);
}

int duct_argc(void)
{
	int n = 0;

	while (duct_current->argv && duct_current->argv[n])
		n++;
	return n;
}

/* The program may write to its arguments. */
char **duct_argv(void)
{
	int n = duct_argc();
	char **argv = duct_new((unsigned long)(n + 1) * sizeof *argv);

	for (int i = 0; i < n; i++) {
		argv[i] = duct_new(strlen(duct_current->argv[i]) + 1);
		strcpy(argv[i], duct_current->argv[i]);
	}
	return argv;
}

char **duct_environ(void)
{
	return environ;
}

/* ---- for programs under test */

const struct duct_value *duct_find(const char *name)
{
	const struct duct_value *v = duct_current ? duct_current->value : NULL;

	while (v && v->name && strcmp(v->name, name))
		v++;
	return v && v->name ? v : NULL;
}

const char *duct_attributes(const char *path)
{
	const struct duct_bytes *f = duct_current ? duct_current->file : NULL;

	while (path[0] == '.' && path[1] == '/')
		path += 2;
	while (f && f->name && (f->size != DUCT_ATTRIBUTES || strcmp(f->name, path)))
		f++;
	return f && f->name ? f->bytes : NULL;
}

static void put_value(unsigned char *to, const struct duct_value *v)
{
	for (int i = 0; i < (v->bits + 7) / 8; i++)
		to[i] = (unsigned char)((i < 8 ? v->low : v->high) >> i % 8 * 8);
}

/* How often a name was asked for, this time included. */
static int times_met(const char *name)
{
	static struct name_count {
		struct name_count *next;
		const char *name;
		int times;
	} *first;
	struct name_count *m;

	for (m = first; m; m = m->next)
		if (!strcmp(m->name, name))
			return ++m->times;
	m = duct_new(sizeof *m);
	m->name = name;
	m->times = 1;
	m->next = first;
	first = m;
	return 1;
}

static struct given {
	struct given *next;
	const char *name;
	void *p;
	size_t offset;
} *givens;

void duct_give_behind(const char *name, unsigned long offset, const void *p)
{
	duct_give(name, p);
	givens->offset = offset;
}

void duct_give(const char *name, const void *p)
{
	struct given *g = duct_new(sizeof *g);

	g->name = name;
	g->p = (void *)(size_t)p;
	g->offset = 0;
	g->next = givens;
	givens = g;
}

void *duct_given(const char *name)
{
	int times = times_met(name);
	char call[256];

	snprintf(call, sizeof call, times > 1 ? "%s#%d" : "%s", name, times);
	for (struct given *g = givens; g; g = g->next)
		if (!strcmp(g->name, call))
			return g->p;
	return NULL;
}

/* Is it called root, root[0], root.f, ...? Not root.1: what a stub writes through a pointer
 * argument is no part of its result. */
static int is_in(const char *name, const char *root)
{
	size_t n = strlen(root);

	return !strncmp(name, root, n)
	    && (!name[n] || name[n] == '['
	        || (name[n] == '.' && !(name[n + 1] >= '0' && name[n + 1] <= '9')));
}

/* Sets the object's bytes and pointers that the test has values for. */
void duct_symbolic(void *p, size_t size, const char *name);
void duct_symbolic(void *p, size_t size, const char *name)
{
	const struct duct_value *v = duct_current ? duct_current->value : NULL;
	int times = times_met(name);
	char root[256];

	snprintf(root, sizeof root, times > 1 ? "%s#%d" : "%s", name, times);
	for (; v && v->name; v++) {
		size_t bytes = (size_t)(v->bits + 7) / 8;
		if (!is_in(v->name, root))
			continue;
		if (v->offset + bytes <= size)
			put_value((unsigned char *)p + v->offset, v);
		else
			duct_setup_failed("a value lies outside ", name);
	}
	for (const struct given *g = givens; g; g = g->next)
		if (is_in(g->name, root))
			memcpy((unsigned char *)p + g->offset, &g->p, sizeof g->p);
}

void duct_assume(int condition)
{
	if (condition)
		return;
	duct_setup_failed("an assumption does not hold", "");
	exit(0);
}

void duct_assert(int condition);
void duct_assert(int condition)
{
	if (condition)
		return;
	fputs("duct_assert failed\n", stderr);
	abort();
}

#define WEAK __attribute__((weak))

void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition)
{
	duct_assume(condition);
}

void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void)
{
	fputs("__VERIFIER_error\n", stderr);
	abort();
}

void reach_error(void);
WEAK void reach_error(void)
{
	fputs("reach_error\n", stderr);
	abort();
}

void __VERIFIER_nondet_memory(void *p, size_t size);
WEAK void __VERIFIER_nondet_memory(void *p, size_t size)
{
	duct_symbolic(p, size, "nondet_memory");
}

/* nondet[0], nondet[1], ... in the order of the calls. */
static void nondet(void *to, size_t size)
{
	static unsigned count;
	const struct duct_value *v;
	unsigned char bytes[16] = { 0 };
	char name[40];

	snprintf(name, sizeof name, "nondet[%u]", count++);
	if ((v = duct_find(name)))
		put_value(bytes, v);
	memcpy(to, bytes, size < sizeof bytes ? size : sizeof bytes);
}

#define NONDET(name, type) \
	type __VERIFIER_nondet_##name(void); \
	WEAK type __VERIFIER_nondet_##name(void) \
	{ \
		type v; \
		nondet(&v, sizeof v); \
		return v; \
	}

NONDET(bool, _Bool)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
NONDET(int128, int128)
NONDET(uint128, uint128)
#endif
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(u64, unsigned long long)
NONDET(s8, signed char)
NONDET(s16, short)
NONDET(s32, int)
NONDET(s64, long long)
NONDET(size_t, size_t)
NONDET(loff_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(float, float)
NONDET(double, double)

#define NONDET_POINTER(name, type) \
	type *__VERIFIER_nondet_##name(void); \
	WEAK type *__VERIFIER_nondet_##name(void) \
	{ \
		return NULL; \
	}

NONDET_POINTER(pointer, void)
NONDET_POINTER(pchar, char)
NONDET_POINTER(charp, char)
