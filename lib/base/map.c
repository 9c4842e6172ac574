#include "lib/base/map.h"

#include <stdlib.h>

static size_t slot(const struct map *m, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	size_t i = (h ^ h >> 32) & m->mask;
	while (m->key[i] && m->key[i] != key)
		i = (i + 1) & m->mask;
	return i;
}

bool map_open(struct map *m)
{
	m->mask = 255;
	m->used = 0;
	m->key = calloc(m->mask + 1, sizeof *m->key);
	m->value = calloc(m->mask + 1, sizeof *m->value);
	return m->key && m->value;
}

void map_close(struct map *m)
{
	free(m->key);
	free(m->value);
}

static bool map_double(struct map *m)
{
	struct map to = { .mask = m->mask * 2 + 1, .used = m->used };
	to.key = calloc(to.mask + 1, sizeof *to.key);
	to.value = calloc(to.mask + 1, sizeof *to.value);
	if (!to.key || !to.value) {
		map_close(&to);
		return false;
	}
	for (size_t i = 0; i <= m->mask; i++)
		if (m->key[i]) {
			size_t at = slot(&to, m->key[i]);
			to.key[at] = m->key[i];
			to.value[at] = m->value[i];
		}
	map_close(m);
	*m = to;
	return true;
}

uint32_t *map_at(struct map *m, uint64_t key, bool *fresh)
{
	size_t i;
	if (m->used * 3 > m->mask * 2 && !map_double(m))
		return NULL;
	i = slot(m, key);
	*fresh = !m->key[i];
	if (*fresh) {
		m->key[i] = key;
		m->used++;
	}
	return &m->value[i];
}

uint32_t map_get(const struct map *m, uint64_t key)
{
	return m->value[slot(m, key)];
}
