/* Reports the pairs of definitions and uses that a run exercises, each once: into the channel, or
 * into the record of a program that runs without a server (record.c). */
#include "lib/runtime/last.h"
#include "lib/runtime/process.h"
#include "lib/runtime/pool.h"
#include <stddef.h>
#include <string.h>

static struct pool told, possible;

struct tuple {
	uint32_t slot, low, high;
};

/* The unit's number for the reader of the pairs; UINT32_MAX: the reader does not know the unit. */
static uint32_t unit_number(const struct duct_unit *u)
{
	return duct_channel ? duct_known_unit(u) : duct_record_unit(u);
}

/* The unit of a writer, and its number there: of a def record, or of an instruction (*inst). */
static uint32_t locate(uint32_t writer, uint32_t *number_there, bool *inst)
{
	for (const struct last_units *r = duct_last_units(); r; r = r->next)
		for (const struct duct_pairs *p = r->from; p < r->to; p++) {
			if (writer <= p->base || writer - p->base > p->defs + p->insts)
				continue;
			*number_there = writer - p->base;
			*inst = *number_there > p->defs;
			if (*inst)
				*number_there -= p->defs;
			return unit_number(p->unit);
		}
	return UINT32_MAX;
}

static bool add_pair(struct channel_pair pair)
{
	struct channel_area *a;
	struct channel_pair *to;

	if (!duct_channel) {
		if ((to = duct_record_pair()))
			*to = pair;
		return to;
	}
	a = &duct_channel->pair;
	if (a->used + sizeof *to > a->capacity)
		duct_end(FAULT_LIMIT, "too many pairs");
	to = (struct channel_pair *)((char *)duct_area(a) + a->used);
	*to = pair;
	duct_area_grow(a, sizeof *to);
	return true;
}

static struct tuple tuple(uint32_t use, uint64_t label)
{
	return (struct tuple){ use, (uint32_t)label, (uint32_t)(label >> 32) };
}

static bool is_told(uint32_t use, uint64_t label)
{
	struct tuple key = tuple(use, label);
	bool fresh;

	duct_pool_intern(&told, &key, sizeof key, &fresh);
	return !fresh;
}

/* The number in the program of the use at a slot. */
static uint32_t use_of(const struct duct_pairs *p, uint32_t slot)
{
	return p->first_slot + p->slot[slot].of;
}

bool duct_last_told(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	struct tuple key = tuple(use_of(p, slot), label);

	return told.n && *duct_pool_slot(&told, &key, sizeof key);
}

/* The side of the definition; `base` is added to its writer. Nothing when a unit is not known. */
static bool tell(struct channel_pair c, uint64_t label, uint32_t base)
{
	uint32_t writer = (uint32_t)label, site = label >> DUCT_LABEL_SITE & LAST_INDEX;
	bool inst = false;

	c.when = (uint8_t)(label >> DUCT_LABEL_WHEN);
	if (writer) {
		c.def_unit = locate(writer + base, &c.def, &inst);
		c.def_kind = !inst                   ? DUCT_PAIR_RECORD
		    : c.use_kind == DUCT_PAIR_RESULT ? DUCT_PAIR_RESULT
		                                     : DUCT_PAIR_LIBRARY;
	}
	if (site && (c.site_unit = locate(site, &c.site, &inst)) == UINT32_MAX)
		c.site_unit = c.site = 0;
	return c.use_unit != UINT32_MAX && c.def_unit != UINT32_MAX && add_pair(c);
}

static bool tell_slot_as(
    const struct duct_pairs *p, uint32_t slot, uint64_t label, bool only_possible)
{
	const struct duct_slot *s = &p->slot[slot];

	return tell((struct channel_pair){ .use_unit = unit_number(p->unit),
	                .use = s->use,
	                .use_kind = s->kind,
	                .outcome = s->outcome,
	                .possible = only_possible },
	    label, s->local ? p->base : 0);
}

uint32_t duct_last_possible(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	struct tuple key = tuple(use_of(p, slot), label);
	bool fresh;
	uint32_t i = duct_pool_intern(&possible, &key, sizeof key, &fresh);

	if (!fresh)
		return i + 1;
	if (tell_slot_as(p, slot, label, true))
		return i + 1;
	possible.n--;
	*duct_pool_slot(&possible, &key, sizeof key) = 0;
	return 0;
}

static void tell_unaliased(uint32_t what)
{
	static uint32_t done;

	if (!(done & what) && duct_channel && duct_last_on())
		add_pair((struct channel_pair){ .use_kind = DUCT_PAIR_UNALIASED, .outcome = what });
	done |= what;
}

void duct_last_unaliased(void)
{
	tell_unaliased(UNALIASED_ALL);
}

void duct_last_unaliased_reads(void)
{
	tell_unaliased(UNALIASED_READS);
}

static void tell_slot(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	if (!is_told(use_of(p, slot), label))
		tell_slot_as(p, slot, label, false);
}

static void tell_all(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	const struct last_labels *f;

	if (duct_alias_is(label)) {
		if (duct_alias_label(label))
			tell_all(p, slot, duct_alias_label(label));
		duct_alias_tell(p, slot, label);
		return;
	}
	if (label >> DUCT_LABEL_WHEN)
		return tell_slot(p, slot, label);
	f = duct_last_several(label);
	for (uint32_t i = 0; i < f->n; i++)
		tell_slot(p, slot, f->label[i]);
}

static void tell_library(uint32_t writer, uint64_t label)
{
	struct channel_pair c = { .use_kind = DUCT_PAIR_LIBRARY, .outcome = DUCT_PAIR_C };
	bool inst;

	if (is_told(USE_LIBRARY | writer, label))
		return;
	c.use_unit = locate(writer, &c.use, &inst);
	tell(c, label, 0);
}

void duct_last_gone(uint32_t writer)
{
	uint32_t number, unit;
	bool inst;

	if (duct_last_followed() && (unit = locate(writer, &number, &inst)) != UINT32_MAX)
		duct_way_gone(unit, number, inst);
}

void duct_last_lost(uint32_t writer, const char *what)
{
	struct channel_pair c = { .use_kind = DUCT_PAIR_LOST };
	bool inst;

	if (!duct_channel || is_told(USE_LOST | writer, 0))
		return;
	if (writer)
		c.use_unit = locate(writer, &c.use, &inst);
	c.outcome = (uint32_t)duct_blob_text(what, NULL, NULL);
	if (c.use_unit != UINT32_MAX)
		add_pair(c);
}

bool duct_last_alone;
static bool telling; /* a signal's handler may come in between */

/* Pairs that were told lately, by slot and label. kept.c looks here, too. */
struct told_pair {
	uint64_t label;
	uint32_t slot;
} duct_recent[1 << 12];
const uint64_t duct_recent_factor = 0x9e3779b97f4a7c15u;
_Static_assert(sizeof duct_recent == 16 << 12 && offsetof(struct told_pair, slot) == 8,
    "the code in kept.c has these numbers");

static struct told_pair *recent_at(uint32_t slot, uint64_t label)
{
	return &duct_recent[((label ^ (uint64_t)slot << 32 ^ slot) * duct_recent_factor) >> 52];
}

static bool is_recent(uint32_t slot, uint64_t label)
{
	const struct told_pair *r = recent_at(slot, label);

	return r->label == label && r->slot == slot;
}

/* Keeps the label, so that woven code and kept.c need not call again for the same one soon. */
static void keep(struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	uint32_t at = p->first_slot + slot;

	p->cache[slot] = label;
	*recent_at(at, label) = (struct told_pair){ label, at };
}

/* Is there a reader to report to? If not, the label is kept so that woven code does not ask again.
 */
static bool tells(struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	if (!label || p->base >= DUCT_WRITER_ALIEN) /* no definition, or no number yet */
		return false;
	if (!telling && is_recent(p->first_slot + slot, label)) {
		p->cache[slot] = label;
		return false;
	}
	if (!duct_channel && !duct_record_on()) {
		if (duct_last_alone)
			keep(p, slot, label);
		return false;
	}
	return !telling && duct_last_followed();
}

void duct_rt_pair(struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	if (!tells(p, slot, label))
		return;
	telling = true;
	keep(p, slot, label);
	tell_all(p, slot, label);
	telling = false;
}

/* The group's label is kept last: where it is, all members' pairs were told. */
void duct_rt_pairs(
    struct duct_pairs *p, const struct duct_group *g, uint64_t label, uint32_t chosen)
{
	if (!tells(p, g->slot + chosen, label))
		return;
	for (uint32_t i = 0; i < g->members; i++) {
		const struct duct_member *m = &g->member[i];

		duct_rt_pair(p, m->slot + (m->how & DUCT_MEMBER_CHOSEN ? chosen % g->outcomes : 0),
		    m->how & DUCT_MEMBER_FIXED ? m->label : m->label ^ label);
	}
	keep(p, g->slot + chosen, label);
}

/* Tells each label of a range that differs from the one before it. */
static void each_label(
    uintptr_t a, size_t n, uint32_t serial, const struct duct_pairs *p, uint32_t use)
{
	struct last v, before = { DUCT_WRITER_DEAD, 0 };
	struct last_labels f;

	if ((!duct_channel && !duct_record_on()) || telling || !duct_last_followed()
	    || (p && p->base >= DUCT_WRITER_ALIEN))
		return;
	telling = true;
	for (size_t i = 0; i < n; i++) {
		v = duct_last_of(a + i);
		if (v.writer == before.writer && v.serial == before.serial && !duct_last_mixed(v))
			continue;
		before = v;
		f.n = 0;
		duct_last_add(&f, a + i, serial);
		for (uint32_t k = 0; k < f.n; k++)
			if (p)
				tell_slot(p, use, f.label[k]);
			else
				tell_library(use, f.label[k]);
	}
	telling = false;
}

/* Other definitions that may be read there are told for a use of all the bytes. */
void duct_rt_last_range(struct duct_pairs *p, uint32_t slot, const void *from, size_t n,
    uint32_t serial, duct_node np, duct_node nn)
{
	uint64_t label;

	if (nn && !duct_implied(nn, 4))
		duct_last_unaliased();
	each_label((uintptr_t)from, n, serial, p, slot);
	if ((!np && !duct_alias_tracks()) || !duct_channel || !duct_last_on() || !n)
		return;
	label = duct_alias_use((uintptr_t)from, n, serial, np, 0);
	if (duct_alias_is(label))
		duct_rt_pair(p, slot, label);
}

void duct_last_read(uint32_t writer, uint32_t serial, uintptr_t a, size_t n)
{
	if (duct_alias_tracks())
		duct_alias_lost(a, n, 0);
	each_label(a, n, serial, NULL, writer);
}

void duct_last_forked(void)
{
	for (const struct last_units *r = duct_last_units(); r; r = r->next)
		for (struct duct_pairs *p = r->from; duct_last_on() && p < r->to; p++)
			memset(p->cache, 0, p->slots * sizeof *p->cache);
	if (told.slot)
		memset(told.slot, 0, (told.mask + 1) * sizeof *told.slot);
	told.n = 0;
	memset(duct_recent, 0, sizeof duct_recent);
	if (possible.slot)
		memset(possible.slot, 0, (possible.mask + 1) * sizeof *possible.slot);
	possible.n = 0;
}
