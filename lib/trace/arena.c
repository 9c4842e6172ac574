/* arena: a list of memory chunks owned by a trace. */
#include <stdlib.h>
#include <string.h>

#include "lib/trace/arena.h"
#include "lib/base/grow.h"

struct trace_arena {
	struct trace_arena *next;
	size_t used, size;
	_Alignas(16) char mem[];
};

#define CHUNK ((size_t)64 << 10)

static struct trace_arena *more(struct trace *t, size_t n)
{
	size_t size = n > CHUNK ? n : CHUNK;
	struct trace_arena *a = reserved(sizeof *a + size, 1);

	a->next = t->arena;
	a->used = 0;
	a->size = size;
	return t->arena = a;
}

void *arena_alloc(struct trace *t, size_t n)
{
	struct trace_arena *a = t->arena;
	void *p;

	if (n > SIZE_MAX / 2)
		no_memory(n);
	n = (n + 15) & ~(size_t)15;
	if (!a || a->size - a->used < n)
		a = more(t, n);
	p = a->mem + a->used;
	a->used += n;
	return p;
}

char *arena_text(struct trace *t, const char *s, size_t n)
{
	char *p = arena_alloc(t, n + 1);

	memcpy(p, s, n);
	p[n] = 0;
	return p;
}

/* The capacity follows from n: 16, then powers of two. */
void *arena_grow(struct trace *t, void *array, size_t n, size_t size)
{
	void *p;

	if (n && (n < 16 || (n & (n - 1))))
		return array;
	if (n > SIZE_MAX / 4 / size)
		no_memory(n);
	p = arena_alloc(t, (n ? 2 * n : 16) * size);
	if (n)
		memcpy(p, array, n * size);
	return p;
}

void trace_clear(struct trace *t)
{
	struct trace_arena *a, *next;

	for (a = t->arena; a; a = next) {
		next = a->next;
		free(a);
	}
	memset(t, 0, sizeof *t);
}
