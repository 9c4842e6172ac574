/* sites: the places in the program and its models that decide, numbered from 1, and how often each was
 * met on the path of a run. */
#ifndef DUCT_SITES_H
#define DUCT_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/runtime/channel.h"

struct site {
	uint32_t unit, id;           /* as in events */
	uint16_t kind;               /* enum event_kind, of a check with its enum check_kind above it */
	bool shown;                  /* a check: some run showed its fault */
	uint32_t needed;             /* a model's condition that holds where runs end for what they need of callers; 0: none */
	uint32_t run, times;         /* met so often on the path of that run */
};
struct sites { struct site *at; uint32_t n, capacity; uint32_t *place; size_t places; };   /* all zero: empty */

static inline uint16_t site_kind(const struct channel_event *e)
{
	return (uint16_t)(e->kind | (e->kind == EV_CHECK ? e->y << 8 : 0));
}
static inline uint16_t site_event(const struct site *s) { return s->kind & 0xff; }
static inline uint8_t site_check(const struct site *s) { return (uint8_t)(s->kind >> 8); }

/* The number of a site, known or new; 0 when out of memory. */
uint32_t sites_find(struct sites *s, uint32_t unit, uint16_t kind, uint32_t id);
/* Counts that a run meets it: how often it did before. */
uint32_t sites_meet(struct sites *s, uint32_t site, uint32_t run);
void sites_clear(struct sites *s);

#endif
