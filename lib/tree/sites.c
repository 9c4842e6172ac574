#include "lib/tree/sites.h"

#include <stdlib.h>
#include <string.h>

#include "lib/tree/paths.h"

static bool same(const struct site *s, uint32_t unit, uint16_t kind, uint32_t id)
{
	return s->unit == unit && s->kind == kind && s->id == id;
}

/* The hash slot of a site, or the free slot where it belongs. */
static uint32_t *find(const struct sites *s, uint32_t unit, uint16_t kind, uint32_t id)
{
	size_t i = paths_mix((uint64_t)unit << 40 ^ (uint64_t)kind << 32, id) & (s->places - 1);
	while (s->place[i] && !same(&s->at[s->place[i]], unit, kind, id))
		i = (i + 1) & (s->places - 1);
	return &s->place[i];
}

/* Grows the array and rebuilds the hash table, which stays at most half full. */
static bool grow(struct sites *s)
{
	uint32_t capacity = s->capacity ? s->capacity * 2 : 64;
	struct site *at = realloc(s->at, capacity * sizeof *at);
	uint32_t *place;
	if (!at)
		return false;
	s->at = at;
	if (!(place = calloc(2u * capacity, sizeof *place)))
		return false;
	free(s->place);
	s->capacity = capacity;
	s->place = place;
	s->places = 2u * capacity;
	for (uint32_t i = 1; i <= s->n; i++)
		*find(s, at[i].unit, at[i].kind, at[i].id) = i;
	return true;
}

uint32_t sites_find(struct sites *s, uint32_t unit, uint16_t kind, uint32_t id)
{
	uint32_t *place;
	if (s->n + 1 >= s->capacity && !grow(s))
		return 0;
	place = find(s, unit, kind, id);
	if (!*place) {
		*place = ++s->n;
		s->at[s->n] = (struct site){ .unit = unit, .id = id, .kind = kind };
	}
	return *place;
}

uint32_t sites_meet(struct sites *s, uint32_t site, uint32_t run)
{
	if (s->at[site].run != run) {
		s->at[site].run = run;
		s->at[site].times = 0;
	}
	return s->at[site].times++;
}

bool sites_need(struct sites *s, uint32_t site, const char *pointer)
{
	struct site_need *n = s->at[site].needs;
	size_t size = strlen(pointer) + 1;
	while (n && strcmp(n->pointer, pointer))
		n = n->next;
	if (n)
		return true;
	if (!(n = malloc(sizeof *n + size)))
		return false;
	n->next = s->at[site].needs;
	memcpy(n->pointer, pointer, size);
	s->at[site].needs = n;
	return true;
}

bool sites_inherit(struct sites *s, const struct sites *from)
{
	for (uint32_t i = 1; i <= from->n; i++) {
		const struct site *f = &from->at[i];
		for (const struct site_need *n = f->needs; n; n = n->next) {
			uint32_t site = sites_find(s, f->unit, f->kind, f->id);
			if (!site || !sites_need(s, site, n->pointer))
				return false;
		}
	}
	return true;
}

void sites_clear(struct sites *s)
{
	for (uint32_t i = 1; i <= s->n; i++)
		for (struct site_need *n = s->at[i].needs, *next; n; n = next) {
			next = n->next;
			free(n);
		}
	free(s->at);
	free(s->place);
	*s = (struct sites){ 0 };
}
