/* alias: the other definitions that a use would read if addresses that depend on inputs had other
 * values. lastdef.c knows the definition that the run itself read. If an address of a read or write
 * depends on inputs, other inputs of the same path may read another definition: "this write is to
 * the bytes that are read, and no later write is". Such a condition is an event (EV_ALIAS) that a
 * search can negate. An object is tracked from the first access at such an address on: the last
 * writers of its bytes at that time, as ranges, and the writes since. A read keeps the state at its
 * time, since its value may be used later. */
#include "lib/runtime/last.h"

enum { MOST_WRITES = 96, MOST_RANGES = 256, MOST_LABELS = 48, MOST_ROOM = 1 << 16 };
#define MOST_TERMS (1u << 15) /* comparisons of places in a run */
#define MOST_LOOKS 4096u      /* look-ups of the writers of an object's bytes in a run */
#define TAG (UINT64_C(1) << 61)

struct write {
	struct last by;
	struct duct_term at; /* offset */
	size_t n;
};
struct written_range {
	size_t from, to;
	struct last by;
};
struct duct_track {
	struct written_range *range; /* writers of its bytes before the writes of the log */
	struct write *log;
	uint32_t ranges, n, room;
	uint32_t seen;     /* writes to which reads refer, which must not change */
	uint32_t symbolic; /* writes at addresses that depend on inputs */
	bool stale;        /* written since, at concrete addresses only: rebuild the ranges */
	bool lost;         /* tracking was given up */
};
struct read {
	const struct written_range *range;
	const struct write *log;
	uint32_t ranges, n, bytes, serial;
	uintptr_t object;    /* where it lies in this run */
	struct duct_term at; /* address */
	uint64_t label;      /* in this run */
};

static uint32_t terms, looks;
uint32_t duct_alias_tracked;
static struct read *reads;
static uint32_t read_count, read_room;

/* ---- places */

static bool is_power(size_t n)
{
	return n && !(n & (n - 1));
}

static bool aligned(struct duct_term at, size_t n)
{
	return at.n ? UINT64_C(1) << duct_zero_bits(at.n) >= n : (uint64_t)at.v % n == 0;
}

/* Does each read lie either completely within the write, or apart from it? */
static bool fits(struct duct_term read, size_t rn, struct duct_term write, size_t wn)
{
	return is_power(rn) && wn % rn == 0 && aligned(read, rn) && aligned(write, rn);
}

static struct duct_term below(struct duct_term a, struct duct_term b, uint64_t plus, uint64_t n)
{
	struct duct_term d = duct_t_binary(OP_SUB, a, b);

	if (plus)
		d = duct_t_binary(OP_ADD, d, duct_constant(64, plus));
	return duct_t_binary(OP_ULT, d, duct_constant(64, n));
}

/* Does the read touch the write? */
static struct duct_term touches(struct duct_term read, size_t rn, struct duct_term write, size_t wn)
{
	if (!fits(read, rn, write, wn))
		return below(read, write, rn - 1, wn + rn - 1);
	return wn == rn ? duct_t_binary(OP_EQ, read, write) : below(read, write, 0, wn);
}

static struct duct_term in_range(struct duct_term at, size_t n, const struct written_range *g)
{
	struct duct_term from = duct_constant(64, g->from);

	if (g->to == SIZE_MAX && !g->from)
		return duct_constant(1, 1);
	if (g->to == SIZE_MAX)
		return duct_t_binary(OP_ULT, from, duct_t_binary(OP_ADD, at, duct_constant(64, n)));
	return touches(at, n, from, g->to - g->from);
}

/* ---- the writers of an object */

static bool same(struct last a, struct last b)
{
	return a.writer == b.writer && a.serial == b.serial;
}

static void find_ranges(struct duct_track *t, const struct duct_object *o)
{
	static struct written_range r[MOST_RANGES];
	uint32_t n = 0;

	t->lost |= ++looks > MOST_LOOKS;
	for (size_t i = 0; i < o->room && !t->lost; i++) {
		struct last v = duct_last_of(o->base + i);

		t->lost = duct_last_mixed(v) || n == MOST_RANGES - 1;
		if (n && same(r[n - 1].by, v))
			r[n - 1].to = i + 1;
		else if (!t->lost)
			r[n++] = (struct written_range){ i, i + 1, v };
	}
	if (n && !r[n - 1].by.writer) /* from here on nothing about the object is known */
		r[n - 1].to = SIZE_MAX;
	else
		r[n++] = (struct written_range){ o->room, SIZE_MAX, { DUCT_WRITER_NONE, 0 } };
	t->range = duct_arena(n * sizeof *r);
	for (uint32_t i = 0; i < n; i++)
		t->range[i] = r[i];
	t->ranges = n;
	t->n = t->seen = t->symbolic = 0;
	t->log = NULL;
	t->stale = false;
}

static struct duct_track *track(struct duct_object *o)
{
	if (!o->track) {
		o->track = duct_arena(sizeof *o->track);
		o->track->lost = o->room > MOST_ROOM;
		duct_alias_tracked++;
		if (!o->track->lost)
			find_ranges(o->track, o);
	} else if (o->track->stale && !o->track->lost) {
		find_ranges(o->track, o);
	}
	return o->track;
}

/* The address, if the path decides which object it points to. The access itself asks this question;
 * it may still be open here. */
static struct duct_term settled(struct duct_term t)
{
	const struct channel_node *p;
	struct duct_term base, rest;

	if (!t.n || duct_has_origin(t.n))
		return t;
	p = duct_at(t.n);
	if (duct_implied(t.n, 4))
		return duct_constant(t.w, t.v);
	if (p->op == OP_ITE && duct_implied(p->a, 4))
		return settled(duct_term(duct_at(p->a)->value ? p->b : p->c));
	if (p->op == OP_ADD && duct_split_sum(t, &base, &rest))
		return duct_t_binary(OP_ADD, settled(base), rest);
	return t;
}

/* The object that the address lies in for every value it can have; NULL: it may lie in several. */
static struct duct_object *object_of(struct duct_term t)
{
	const struct channel_node *n;
	bool clear;

	if (!t.n)
		return duct_object_at((uintptr_t)t.v);
	n = duct_at(t.n);
	clear = duct_has_origin(t.n)
	    || (n->op == OP_ADD && duct_at(n->b)->op == OP_CONST
	        && duct_object_at(duct_at(n->b)->value));
	return clear ? duct_object_of(t.n, (uintptr_t)t.v) : NULL;
}

static struct duct_term offset_in(const struct duct_object *o, struct duct_term t)
{
	return duct_t_binary(OP_SUB, t, duct_constant(64, o->base));
}

/* The address as far as the path decides it. np: 0 for a concrete address. */
static struct duct_term address(uintptr_t a, duct_node np)
{
	return np ? settled(duct_term(np)) : duct_constant(64, a);
}

static void forget(struct duct_track *t)
{
	t->lost = true;
	duct_last_unaliased();
}

/* A concrete write that continues the last one of the log, or repeats it. */
static bool joins(struct duct_track *t, struct write w)
{
	struct write *last = t->n > t->seen ? &t->log[t->n - 1] : NULL;

	if (!last || last->at.n || w.at.n || !same(last->by, w.by))
		return false;
	if (w.at.v == last->at.v + last->n)
		last->n += w.n;
	return w.at.v == last->at.v + last->n - w.n;
}

static void log_write(struct duct_track *t, struct write w)
{
	if (joins(t, w))
		return;
	if (!t->log)
		t->log = duct_arena(MOST_WRITES * sizeof *t->log);
	if (t->n == MOST_WRITES) {
		forget(t);
		return;
	}
	t->log[t->n++] = w;
	t->symbolic += w.at.n != 0;
}

void duct_alias_write(uintptr_t a, size_t n, struct last v, duct_node np)
{
	struct duct_term t = address(a, np);
	struct duct_object *o = t.n || duct_alias_tracked ? object_of(t) : NULL;

	if (!o && t.n)
		duct_last_unaliased();
	if (!o || (!t.n && !o->track) || !n)
		return;
	if (t.n && track(o)->lost)
		duct_last_unaliased();
	else if (!t.n && !o->track->symbolic)
		o->track->stale = true;
	else if (!o->track->lost)
		log_write(o->track, (struct write){ v, offset_in(o, t), n });
}

/* ---- uses */

/* May the use read another definition than in this run? */
static bool is_open(const struct duct_track *t, uint32_t serial, uint64_t label)
{
	for (uint32_t i = 0; i < t->n; i++)
		if (duct_last_label(t->log[i].by, serial) != label)
			return true;
	for (uint32_t i = 0; i < t->ranges; i++)
		if (duct_last_label(t->range[i].by, serial) != label)
			return true;
	return false;
}

static uint64_t keep(struct read r)
{
	if (read_count == read_room) {
		uint32_t room = read_room ? 2 * read_room : 64;
		struct read *to = duct_arena(room * sizeof *to);

		for (uint32_t i = 0; i < read_count; i++)
			to[i] = reads[i];
		reads = to;
		read_room = room;
	}
	reads[read_count] = r;
	return TAG | read_count++;
}

uint64_t duct_alias_use(uintptr_t a, size_t n, uint32_t serial, duct_node np, uint64_t label)
{
	struct duct_term t = address(a, np);
	struct duct_object *o = t.n || duct_alias_tracked ? object_of(t) : NULL;
	struct duct_track *k;

	if (!o && t.n)
		o = duct_object_at(a); /* NULL: the access itself reports what is wrong */
	if (!o || (!t.n && (!o->track || !o->track->symbolic)))
		return label;
	k = track(o);
	if (k->lost || n > MOST_ROOM) {
		duct_last_unaliased();
		return label;
	}
	if (!is_open(k, serial, label))
		return label;
	k->seen = k->n;
	return keep((struct read){
	    k->range, k->log, k->ranges, k->n, (uint32_t)n, serial, o->base, t, label });
}

void duct_alias_lost(uintptr_t a, size_t n, duct_node np)
{
	struct duct_object *o = duct_alias_tracked && n ? duct_object_at(a) : NULL;

	if (address(a, np).n || (o && o->track && o->track->symbolic))
		duct_last_unaliased();
	if (o && o->track)
		o->track->stale = true;
}

/* ---- pairs */

bool duct_alias_is(uint64_t label)
{
	return label >> DUCT_LABEL_WHEN == 0 && label & TAG;
}

static const struct read *read_of(uint64_t label)
{
	uint64_t i = label & ~TAG;

	return i < read_count ? &reads[i] : NULL;
}

uint64_t duct_alias_label(uint64_t label)
{
	const struct read *r = read_of(label);

	return r ? r->label : 0;
}

/* The labels that a read may have, with the condition for each. */
struct cases {
	uint64_t label[MOST_LABELS];
	struct duct_term when[MOST_LABELS];
	uint32_t n;
	bool whole; /* no write is touched only in part, and nothing is left out */
};

static void add_case(struct cases *c, uint64_t label, struct duct_term when)
{
	uint32_t i = 0;

	if (!label || (!when.n && !when.v))
		return;
	while (i < c->n && c->label[i] != label)
		i++;
	if (i == MOST_LABELS) {
		c->whole = false;
		return;
	}
	if (i == c->n) {
		c->label[c->n] = label;
		c->when[c->n++] = when;
	} else {
		c->when[i] = duct_t_binary(OP_OR, c->when[i], when);
	}
}

/* From the latest write backward: the read touches this write and none of the later ones. */
static void find_cases(const struct read *r, struct duct_term read, struct cases *c)
{
	struct duct_term alive = duct_constant(1, 1);

	for (uint32_t i = r->n; i-- > 0 && (alive.n || alive.v);) {
		const struct write *w = &r->log[i];
		struct duct_term at = touches(read, r->bytes, w->at, w->n);

		c->whole &= fits(read, r->bytes, w->at, w->n);
		add_case(c, duct_last_label(w->by, r->serial), duct_t_binary(OP_AND, alive, at));
		alive = duct_t_binary(OP_AND, alive, duct_t_not(at));
	}
	for (uint32_t i = 0; i < r->ranges && (alive.n || alive.v); i++)
		add_case(c, duct_last_label(r->range[i].by, r->serial),
		    duct_t_binary(OP_AND, alive, in_range(read, r->bytes, &r->range[i])));
}

/* Is there a pair that was not recorded and that the read may exercise? */
static bool is_wanted(const struct read *r, const struct duct_pairs *p, uint32_t slot)
{
	for (uint32_t i = 0; i < r->n + r->ranges; i++) {
		struct last by = i < r->n ? r->log[i].by : r->range[i - r->n].by;
		uint64_t label = duct_last_label(by, r->serial);

		if (label && label != r->label && !duct_last_told(p, slot, label))
			return true;
	}
	return false;
}

static void ask(const struct duct_pairs *p, uint32_t slot, uint64_t label, struct duct_term when)
{
	struct duct_term not = duct_t_not(when);
	uint64_t key = ((uint64_t)(p->first_slot + slot) << 32 | not.n) * 0x9e3779b97f4a7c15u;
	uint32_t pair;

	key = (key ^ label) * 0xbf58476d1ce4e5b9u;
	if (!when.n || !not.n || when.v || duct_implied(not.n, 4) || !duct_first(key ^ key >> 30))
		return;
	if ((pair = duct_last_possible(p, slot, label)))
		duct_event(EV_ALIAS, 0, NULL, pair, not.n, 1, 0);
}

void duct_alias_tell(const struct duct_pairs *p, uint32_t slot, uint64_t label)
{
	const struct read *r = duct_channel ? read_of(label) : NULL;
	struct cases c = { .n = 0, .whole = true };
	struct duct_object *o;
	struct duct_term t;

	if (!r || !is_wanted(r, p, slot))
		return;
	t = settled(r->at);
	o = object_of(t);
	terms += r->n + r->ranges;
	if (terms > MOST_TERMS || !o || o->base != r->object) {
		duct_last_unaliased();
		return;
	}
	find_cases(r, offset_in(o, t), &c);
	if (!c.whole)
		duct_last_unaliased();
	for (uint32_t i = 0; i < c.n; i++)
		if (!duct_last_told(p, slot, c.label[i]))
			ask(p, slot, c.label[i], c.when[i]);
}
