#include "lib/tree/paths.h"

#include <stdlib.h>

uint64_t paths_mix(uint64_t identity, uint64_t value)
{
	uint64_t h = (identity ^ value) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

/* The slot of an identity, or the free slot where it belongs. */
static size_t find(const uint64_t *at, size_t capacity, uint64_t identity)
{
	size_t i = identity & (capacity - 1);
	while (at[i] && at[i] != identity)
		i = (i + 1) & (capacity - 1);
	return i;
}

static bool grow(struct paths *p)
{
	size_t capacity = p->capacity ? p->capacity * 2 : 256;
	uint64_t *at = calloc(capacity, sizeof *at);
	if (!at) {
		p->failed = true;
		return false;
	}
	for (size_t i = 0; i < p->capacity; i++)
		if (p->at[i])
			at[find(at, capacity, p->at[i])] = p->at[i];
	free(p->at);
	p->at = at;
	p->capacity = capacity;
	return true;
}

bool paths_add(struct paths *p, uint64_t identity)
{
	size_t i;
	identity += identity == 0; /* 0 marks a free slot */
	if (p->n * 2 >= p->capacity && !grow(p))
		return false;
	i = find(p->at, p->capacity, identity);
	if (p->at[i])
		return false;
	p->at[i] = identity;
	p->n++;
	return true;
}

void paths_clear(struct paths *p)
{
	free(p->at);
	*p = (struct paths){ 0 };
}
