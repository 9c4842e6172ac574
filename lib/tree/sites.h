/* sites: places in the program and its library models where decisions are made, numbered from 1;
 * counts how often a run's path meets each. */
#ifndef DUCT_SITES_H
#define DUCT_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/base/map.h"
#include "lib/protocol/channel.h"

#define SITE_REST 0xff /* in the place of an enum event_kind: a path was cut before this event */

struct site_need {
	struct site_need *next;
	char pointer[];
};
struct site {
	uint32_t unit, id; /* as in events */
	uint16_t kind;     /* enum event_kind, of a check with its enum check_kind above it; of
	                      EV_ALIAS, unit is 0 and id 1 + index in the tree's list of pairs */
	bool shown;        /* a check: some run showed its fault; a possible pair: it is
	                      no objective any more */
	struct site_need *needs; /* site of a library model: pointers that callers must not pass as
	                    NULL, because runs end here then */
	uint32_t run, times;     /* how often the path of that run met the site */
	uint32_t next;           /* next site with the same hash, 0: none */
};
/* zero-initialised: empty */
struct sites {
	struct site *at;
	uint32_t n;
	size_t capacity;
	struct map by_key; /* hash -> the first site with it */
};

static inline uint16_t site_kind(const struct channel_event *e)
{
	return (uint16_t)(e->kind | (e->kind == EV_CHECK ? e->y << 8 : 0));
}
static inline uint16_t site_event(const struct site *s)
{
	return s->kind & 0xff;
}
static inline uint8_t site_check(const struct site *s)
{
	return (uint8_t)(s->kind >> 8);
}

/* The number of a site, added if new. */
uint32_t sites_find(struct sites *s, uint32_t unit, uint16_t kind, uint32_t id);
/* Counts a visit of a run; returns the number of its earlier ones. */
uint32_t sites_meet(struct sites *s, uint32_t site, uint32_t run);
/* Notes a need of a site, once. */
void sites_need(struct sites *s, uint32_t site, const char *pointer);
/* Adds the needs of all sites of `from`. */
void sites_inherit(struct sites *s, const struct sites *from);
void sites_clear(struct sites *s);

#endif
