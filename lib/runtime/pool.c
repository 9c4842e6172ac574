#include "lib/runtime/pool.h"

void *duct_pool_element(const struct pool *p, uint32_t i, size_t size)
{
	return (char *)p->element + i * size;
}

static bool same(const void *a, const void *b, size_t n)
{
	const uint32_t *x = a, *y = b;

	for (size_t i = 0; i < n / sizeof *x; i++)
		if (x[i] != y[i])
			return false;
	return true;
}

uint32_t *duct_pool_slot(const struct pool *p, const void *key, size_t size)
{
	uint64_t h = duct_hash(key, size);
	uint32_t i = (uint32_t)(h ^ h >> 32) & p->mask;

	while (p->slot[i] && !same(duct_pool_element(p, p->slot[i] - 1, size), key, size))
		i = (i + 1) & p->mask;
	return &p->slot[i];
}

static void enlarge(struct pool *p, size_t size)
{
	uint32_t room = p->room ? p->room * 2 : 256;
	char *to = duct_arena(room * size), *from = p->element;

	for (size_t i = 0; i < p->n * size; i++)
		to[i] = from[i];
	p->element = to;
	p->room = room;
	p->mask = 2 * room - 1;
	p->slot = duct_arena(2 * room * sizeof *p->slot);
	for (uint32_t i = 0; i < p->n; i++)
		*duct_pool_slot(p, duct_pool_element(p, i, size), size) = i + 1;
}

uint32_t duct_pool_intern(struct pool *p, const void *key, size_t size, bool *fresh)
{
	uint32_t *slot;

	if (p->n == p->room)
		enlarge(p, size);
	slot = duct_pool_slot(p, key, size);
	*fresh = !*slot;
	if (*fresh) {
		for (size_t i = 0; i < size; i++)
			((char *)duct_pool_element(p, p->n, size))[i] = ((const char *)key)[i];
		*slot = ++p->n;
	}
	return *slot - 1;
}
