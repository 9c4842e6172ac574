/* The heap's objects: the C library's allocator, with its blocks known by address. Weak and
 * hidden like all library models, so that a program's own allocator wins. Not woven: they
 * give the token back as woven functions do. */
#include "lib/runtime/rt.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define INSTEAD __attribute__((weak, visibility("hidden")))

extern void *memalign(size_t alignment, size_t size);
extern void *reallocarray(void *p, size_t n, size_t size);

static struct {
	void *(*malloc)(size_t);
	void *(*calloc)(size_t, size_t);
	void *(*realloc)(void *, size_t);
	void (*free)(void *);
	int (*posix_memalign)(void **, size_t, size_t);
} real;

static void look_up(void)
{
	if (real.free)
		return;
	real.malloc = (void *(*)(size_t))duct_rt_real("malloc");
	real.calloc = (void *(*)(size_t, size_t))duct_rt_real("calloc");
	real.realloc = (void *(*)(void *, size_t))duct_rt_real("realloc");
	real.posix_memalign = (int (*)(void **, size_t, size_t))duct_rt_real("posix_memalign");
	real.free = (void (*)(void *))duct_rt_real("free");
}

/* Also has the C library set up its heap once, which each run would do otherwise. */
void duct_heap_start(void)
{
	look_up();
	if (real.malloc && real.free)
		real.free(real.malloc(1));
}

/* Takes the token back; a symbolic size is concretised. */
static void take(void *self, int sizes)
{
	if (duct_args_for == self && duct_channel)
		for (int i = 0; i < 2; i++)
			if (sizes >> i & 1 && duct_args[i] && !duct_implied(duct_args[i], 4))
				duct_lost(NULL, 0, "allocation of symbolic size", NULL);
	if (duct_args_for == self)
		duct_args_for = NULL;
}

static void *known(void *p, size_t n)
{
	if (!duct_channel)
		return p;
	if (!p)
		duct_channel->refused++;
	else
		duct_object_add((uintptr_t)p, n, DUCT_OBJECT_HEAP, false);
	if (p && duct_live)
		duct_shadow_clear((uintptr_t)p, n);
	return p;
}

#define FAILS(name) (duct_faults_left && duct_rt_fails(name, ENOMEM))

INSTEAD void *malloc(size_t n)
{
	look_up();
	take((void *)malloc, 1);
	if (FAILS("malloc"))
		return NULL;
	return known(real.malloc(n), n);
}

INSTEAD void *calloc(size_t n, size_t size)
{
	look_up();
	take((void *)calloc, 3);
	if (FAILS("calloc"))
		return NULL;
	return known(real.calloc(n, size), n * size);
}

static void release(void *p)
{
	if (p && duct_channel)
		duct_object_remove((uintptr_t)p);
	real.free(p);
}

INSTEAD void free(void *p)
{
	look_up();
	take((void *)free, 0);
	release(p);
}

/* Done by hand in a run, so that the shadow moves along. */
static void *move(void *p, size_t n)
{
	struct duct_object *o = p && duct_channel ? duct_object_at((uintptr_t)p) : NULL;
	size_t old;
	void *to;

	if (!o || o->base != (uintptr_t)p || !n)
		return known(real.realloc(p, n), n);
	old = o->size < n ? o->size : n;
	to = known(real.malloc(n), n);
	if (!to)
		return NULL;
	duct_rt_copy(NULL, 0, to, p, old, 0, 0, 0);
	memcpy(to, p, old);
	release(p);
	return to;
}

INSTEAD void *realloc(void *p, size_t n)
{
	look_up();
	take((void *)realloc, 2);
	if (FAILS("realloc"))
		return NULL;
	return move(p, n);
}

INSTEAD void *reallocarray(void *p, size_t n, size_t size)
{
	look_up();
	take((void *)reallocarray, 2);
	if (FAILS("reallocarray"))
		return NULL;
	if (size && n > (size_t)-1 / size) {
		errno = ENOMEM;
		return NULL;
	}
	return move(p, n * size);
}

INSTEAD int posix_memalign(void **p, size_t alignment, size_t n)
{
	int result;

	look_up();
	take((void *)posix_memalign, 0);
	if (duct_faults_left && duct_rt_fails("posix_memalign", errno))
		return ENOMEM;
	result = real.posix_memalign(p, alignment, n);
	if (result == 0)
		known(*p, n);
	if (result == 0 && duct_live)
		duct_shadow_clear((uintptr_t)p, sizeof *p);
	return result;
}

static void *aligned(size_t alignment, size_t n)
{
	void *p = NULL;

	look_up();
	if (alignment < sizeof p)
		alignment = sizeof p;
	errno = real.posix_memalign(&p, alignment, n);
	return known(p, n);
}

INSTEAD void *aligned_alloc(size_t alignment, size_t n)
{
	take((void *)aligned_alloc, 3);
	if (FAILS("aligned_alloc"))
		return NULL;
	return aligned(alignment, n);
}

INSTEAD void *memalign(size_t alignment, size_t n)
{
	take((void *)memalign, 3);
	if (FAILS("memalign"))
		return NULL;
	return aligned(alignment, n);
}
