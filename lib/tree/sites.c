#include "lib/tree/sites.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"

static bool same(const struct site *s, uint32_t unit, uint16_t kind, uint32_t id)
{
	return s->unit == unit && s->kind == kind && s->id == id;
}

static uint64_t key_of(uint32_t unit, uint16_t kind, uint32_t id)
{
	uint64_t h = ((uint64_t)unit << 40 ^ (uint64_t)kind << 32 ^ id) * 0x9e3779b97f4a7c15u;
	return h ? h : 1;
}

uint32_t sites_find(struct sites *s, uint32_t unit, uint16_t kind, uint32_t id)
{
	bool fresh;
	uint32_t *first = map_at(&s->by_key, key_of(unit, kind, id), &fresh), i = *first;
	while (i && !same(&s->at[i], unit, kind, id))
		i = s->at[i].next;
	if (!i) {
		i = ++s->n;
		GROW(s->at, s->capacity, i + (size_t)1);
		s->at[i] = (struct site){ .unit = unit, .id = id, .kind = kind, .next = *first };
		*first = i;
	}
	return i;
}

uint32_t sites_meet(struct sites *s, uint32_t site, uint32_t run)
{
	if (s->at[site].run != run) {
		s->at[site].run = run;
		s->at[site].times = 0;
	}
	return s->at[site].times++;
}

void sites_need(struct sites *s, uint32_t site, const char *pointer)
{
	struct site_need *n = s->at[site].needs;
	size_t size = strlen(pointer) + 1;
	while (n && strcmp(n->pointer, pointer))
		n = n->next;
	if (n)
		return;
	n = zeroed(1, sizeof *n + size);
	n->next = s->at[site].needs;
	memcpy(n->pointer, pointer, size);
	s->at[site].needs = n;
}

void sites_inherit(struct sites *s, const struct sites *from)
{
	for (uint32_t i = 1; i <= from->n; i++) {
		const struct site *f = &from->at[i];
		for (const struct site_need *n = f->needs; n; n = n->next)
			sites_need(s, sites_find(s, f->unit, f->kind, f->id), n->pointer);
	}
}

void sites_clear(struct sites *s)
{
	for (uint32_t i = 1; i <= s->n; i++)
		for (struct site_need *n = s->at[i].needs, *next; n; n = next) {
			next = n->next;
			free(n);
		}
	free(s->at);
	map_close(&s->by_key);
	*s = (struct sites){ 0 };
}
