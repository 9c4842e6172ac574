/* The program's memcpy, memmove, memset and similar functions. share/libc/memory.c has stubs for
 * them, which pass the address of their caller. Woven code passes a token in place of that address
 * when something may be symbolic; calls that the compiler made have no token and are plain: their
 * shadow was copied before. */
#include "lib/runtime/rt.h"
#include <string.h>

extern void *duct_block_memcpy(void *d, const void *s, size_t n, void *self);
extern void *duct_block_memmove(void *d, const void *s, size_t n, void *self);
extern void *duct_block_mempcpy(void *d, const void *s, size_t n, void *self);
extern void *duct_block_memset(void *d, int c, size_t n, void *self);
extern void duct_block_bzero(void *d, size_t n, void *self);

static void *(*real_move)(void *, const void *, size_t);
static void *(*real_set)(void *, int, size_t);

/* Looks up the C library's functions; without a dynamic C library the runtime uses its own. */
static void look_up(void)
{
	real_move = (void *(*)(void *, const void *, size_t))duct_rt_real("memmove");
	real_set = (void *(*)(void *, int, size_t))duct_rt_real("memset");
	if (!real_move)
		real_move = memmove;
	if (!real_set)
		real_set = memset;
}

static bool taken(const void *self)
{
	if (duct_args_for != self)
		return false;
	duct_args_for = NULL;
	return true;
}

static void result(duct_node n, void *self)
{
	if (!n)
		return;
	duct_ret[0] = n;
	duct_ret_from = self;
}

static duct_node copy(void *d, const void *s, size_t n, void *self)
{
	duct_node to = 0;

	if (!real_move)
		look_up();
	if (taken(self)) {
		to = duct_args[0];
		duct_rt_copy(NULL, 0, d, s, n, to, duct_args[1], duct_args[2]);
	}
	real_move(d, s, n);
	return to;
}

void *duct_block_memcpy(void *d, const void *s, size_t n, void *self)
{
	result(copy(d, s, n, self), self);
	return d;
}

void *duct_block_memmove(void *d, const void *s, size_t n, void *self)
{
	result(copy(d, s, n, self), self);
	return d;
}

void *duct_block_mempcpy(void *d, const void *s, size_t n, void *self)
{
	duct_node length = duct_args_for == self ? duct_args[2] : 0;
	duct_node to = copy(d, s, n, self);

	if (to || length)
		result(duct_rt_pointer(to, (uintptr_t)d, length, n), self);
	return (char *)d + n;
}

void *duct_block_memset(void *d, int c, size_t n, void *self)
{
	duct_node to = 0;

	if (!real_set)
		look_up();
	if (taken(self)) {
		to = duct_args[0];
		duct_rt_fill(NULL, 0, d, n, (uint32_t)c, duct_args[1], to, duct_args[2]);
	}
	real_set(d, c, n);
	result(to, self);
	return d;
}

void duct_block_bzero(void *d, size_t n, void *self)
{
	if (!real_set)
		look_up();
	if (taken(self))
		duct_rt_fill(NULL, 0, d, n, 0, 0, duct_args[0], duct_args[1]);
	real_set(d, 0, n);
}
