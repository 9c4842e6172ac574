#include "lib/base/map.h"

#include <stdlib.h>

#include "lib/base/grow.h"

static size_t slot(const struct map *m, uint64_t key)
{
	uint64_t h = key * 0x9e3779b97f4a7c15u;
	size_t i = (h ^ h >> 32) & (m->slots - 1);
	while (m->key[i] && m->key[i] != key)
		i = (i + 1) & (m->slots - 1);
	return i;
}

void map_close(struct map *m)
{
	free(m->key);
	free(m->value);
	*m = (struct map){ 0 };
}

static void map_double(struct map *m)
{
	struct map to = { .slots = m->slots ? m->slots * 2 : 64, .used = m->used };
	to.key = zeroed(to.slots, sizeof *to.key);
	to.value = zeroed(to.slots, sizeof *to.value);
	for (size_t i = 0; i < m->slots; i++)
		if (m->key[i]) {
			size_t at = slot(&to, m->key[i]);
			to.key[at] = m->key[i];
			to.value[at] = m->value[i];
		}
	map_close(m);
	*m = to;
}

uint32_t *map_at(struct map *m, uint64_t key, bool *fresh)
{
	size_t i;
	if ((m->used + 1) * 3 > m->slots * 2)
		map_double(m);
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
	return m->slots ? m->value[slot(m, key)] : 0;
}
