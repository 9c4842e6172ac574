/* memory: resolves addresses to objects and offsets; reads and writes cells. */
#include "lib/prove/inner.h"

#include "lib/base/search.h"

#include <stdlib.h>
#include <string.h>

#define MOST_PLACES 1024u /* targets of one access within an object */
#define PAGE 4096u        /* bytes from address 0 on that no program can use */

/* ---- resolving */

static expr add64(struct encoding *m, expr a, expr b)
{
	return expr_make(m->pool, OP_ADD, 64, a, b, 0);
}

static void add_target(struct walk *w, uint32_t object, expr offset, expr cond)
{
	if (prove_never(w->m, cond))
		return;
	for (uint32_t i = 0; i < w->pointees; i++)
		if (w->pointee[i].object == object && w->pointee[i].offset == offset) {
			w->pointee[i].cond = prove_or(w->m, w->pointee[i].cond, cond);
			return;
		}
	*PUSH(w->pointee, w->pointees) = (struct pointee){ object, offset, cond };
}

/* Targets of an address that is not a sum with a known base: by the alias analysis. */
static void by_alias(struct walk *w, const struct flow_operand *o, expr address, expr cond)
{
	struct encoding *m = w->m;
	struct alias_place *place;
	size_t n = alias_points_to(
	    m->alias, m->frame[w->frame].unit, m->frame[w->frame].number, o, &place);
	expr high = prove_extract(m, 32, 32, add64(m, address, prove_const(m, 64, 0x80000000u)));
	expr offset = expr_make(m->pool, OP_SEXT, 64, prove_extract(m, 0, 32, address), 0, 0);
	if (m->placed)
		w->null = prove_or(m, w->null,
		    prove_and(m, cond,
		        expr_make(m->pool, OP_ULT, 1, address, prove_const(m, 64, PAGE), 0)));
	for (size_t i = 0; i < n; i++) {
		const struct alias_object *a = alias_object(m->alias, place[i].object);
		bool fixed = a->owner == ALIAS_NONE || a->kind == ALIAS_POINTEE;
		if (i && place[i].object == place[i - 1].object)
			continue;
		for (uint32_t f = fixed ? NONE : w->frame;; f = m->frame[f].up) {
			uint32_t object = prove_object_find(m, place[i].object, f);
			if (object != NONE) {
				expr is = prove_and(m, cond,
				    prove_equal(
				        m, high, prove_const(m, 32, prove_address(object) >> 32)));
				add_target(w, object, offset, is);
				w->elsewhere = prove_and(m, w->elsewhere, expr_not(m->pool, is));
			}
			if (fixed || m->frame[f].up == NONE)
				break;
		}
	}
	free(place);
	for (uint32_t i = m->startup ? m->startup->first : 0; m->startup && i < m->startup->end;
	    i++) {
		expr is = prove_and(
		    m, cond, prove_equal(m, high, prove_const(m, 32, prove_address(i) >> 32)));
		add_target(w, i, offset, is);
		w->elsewhere = prove_and(m, w->elsewhere, expr_not(m->pool, is));
	}
}

struct sum {
	expr term[16];
	unsigned terms;
	uint64_t constant;
	bool full;
};

/* Adds the terms of a sum. Sums may be long, and share terms. */
static void add_terms(struct encoding *m, expr e, struct sum *s)
{
	enum { MOST = sizeof s->term / sizeof *s->term };
	expr rest[2 * MOST] = { e };
	unsigned n = 1;
	struct value v;
	while (n && !s->full) {
		e = rest[--n];
		if (expr_is_const(m->pool, e, &v)) {
			s->constant += v.lo;
		} else if (expr_op(m->pool, e) == OP_ADD && n + 2 <= 2 * MOST) {
			rest[n++] = expr_operand(m->pool, e, 1);
			rest[n++] = expr_operand(m->pool, e, 0);
		} else if (expr_op(m->pool, e) != OP_ADD && s->terms < MOST) {
			s->term[s->terms++] = e;
		} else {
			s->full = true;
		}
	}
}

uint64_t prove_sum_constant(struct encoding *m, expr address)
{
	struct sum s = { .terms = 0 };
	add_terms(m, address, &s);
	return s.full ? 0 : s.constant;
}

static expr sum_of(struct encoding *m, const struct sum *s, uint64_t less, unsigned without)
{
	expr e = prove_const(m, 64, s->constant - less);
	for (unsigned i = 0; i < s->terms; i++)
		if (i != without)
			e = add64(m, e, s->term[i]);
	return e;
}

static void split(struct walk *w, const struct flow_operand *o, expr address, expr cond, int depth)
{
	struct encoding *m = w->m;
	struct sum s = { .terms = 0 };
	uint32_t object;
	int64_t offset;
	add_terms(m, address, &s);
	if (!s.full && prove_address_of(s.constant, &object, &offset) && object < m->objects) {
		add_target(w, object, sum_of(m, &s, prove_address(object), NONE), cond);
		w->elsewhere = prove_and(m, w->elsewhere, expr_not(m->pool, cond));
		return;
	}
	for (unsigned i = 0; i < s.terms && !s.full && depth < 16; i++) {
		expr e = s.term[i], rest, c;
		if (expr_op(m->pool, e) != OP_ITE)
			continue;
		rest = sum_of(m, &s, 0, i);
		c = expr_operand(m->pool, e, 0);
		if (prove_is_null(m, c))
			w->null = prove_or(m, w->null, prove_and(m, cond, c));
		else
			split(w, o, add64(m, expr_operand(m->pool, e, 1), rest),
			    prove_and(m, cond, c), depth + 1);
		split(w, o, add64(m, expr_operand(m->pool, e, 2), rest),
		    prove_and(m, cond, expr_not(m->pool, c)), depth + 1);
		return;
	}
	if (s.terms)
		by_alias(w, o, address, cond);
}

/* Leaves the targets in w; a null pointer or a number has none. */
void prove_resolve(struct walk *w, const struct flow_operand *o, expr address)
{
	w->pointees = 0;
	w->elsewhere = prove_bool(w->m, true);
	w->null = prove_bool(w->m, false);
	split(w, o, address, prove_bool(w->m, true), 0);
}

/* ---- bytes at a known offset */

static int by_end(const void *offset, const void *cell)
{
	const struct cell *c = cell;

	return (int64_t)c->offset + c->size <= *(const int64_t *)offset ? 1 : -1;
}

/* The first cell that ends after the offset. */
static uint32_t first_cell(const struct object *o, int64_t offset)
{
	return (uint32_t)lower_bound(&offset, o->cell, o->cells, sizeof *o->cell, by_end);
}

static const struct flow_bytes *bytes_of(const struct flow_unit *u, char kind, uint32_t id)
{
	for (size_t i = 0; i < u->contents; i++)
		if (u->bytes[i].kind == kind && u->bytes[i].id == id)
			return &u->bytes[i];
	return NULL;
}

static const struct flow_reloc *reloc_at(
    const struct flow_unit *u, const struct object *o, int64_t offset, unsigned bytes)
{
	for (size_t i = 0; i < u->relocs; i++) {
		const struct flow_reloc *r = &u->reloc[i];
		if (r->object.kind == o->kind && r->object.id == o->id
		    && (int64_t)r->offset < offset + bytes && (int64_t)r->offset + 8 > offset)
			return r;
	}
	return NULL;
}

/* The address that a pointer in an initialiser has; 0 when it is not known. */
static expr address_of(struct encoding *m, const struct object *o, const struct flow_reloc *r)
{
	struct alias_place *place;
	size_t n = alias_points_to(m->alias, o->unit, 0, &r->target, &place);
	uint32_t object = n == 1 && alias_object(m->alias, place[0].object)->owner == ALIAS_NONE
	    ? prove_object_find(m, place[0].object, NONE)
	    : NONE;
	free(place);
	return object == NONE
	    ? 0
	    : prove_const(m, 64, prove_address(object) + (uint64_t)r->target.value);
}

/* Initial bytes of an object with static storage; fresh where they are not plain bytes. */
static expr initial_bytes(
    struct encoding *m, const struct object *o, int64_t offset, unsigned bytes)
{
	const struct flow_unit *u = &m->flow->unit[o->unit];
	const struct flow_bytes *b = bytes_of(u, o->kind, o->id);
	const struct flow_reloc *r = reloc_at(u, o, offset, bytes);
	uint64_t v = 0;
	expr address = 0;
	if (r && (int64_t)r->offset == offset && bytes == 8)
		address = address_of(m, o, r);
	if (r || (!b && reloc_at(u, o, 0, UINT32_MAX)) || offset < 0
	    || (uint64_t)offset + bytes > o->size || (o->kind == '&' && !u->var[o->id - 1].defined)
	    || (b && b->known < b->size))
		return address ? address : prove_fresh(m, bytes * 8);
	for (unsigned k = bytes; k-- > 0;)
		v = v << 8 | (b && (uint64_t)offset + k < b->known ? b->bytes[offset + k] : 0);
	return prove_const(m, bytes * 8, v);
}

expr prove_initial(struct encoding *m, const struct object *o, const struct cell *c)
{
	return initial_bytes(m, o, c->offset, c->size);
}

expr prove_bytes(struct walk *w, uint32_t object, int64_t offset, unsigned bytes)
{
	struct encoding *m = w->m;
	const struct object *o = &m->object[object];
	int64_t at = offset, end = offset + bytes;
	expr value = 0;
	if (o->constant)
		return initial_bytes(m, o, offset, bytes);
	for (uint32_t i = first_cell(o, offset); i < o->cells && o->cell[i].offset < end; i++) {
		const struct cell *c = &o->cell[i];
		int64_t low = c->offset > at ? c->offset : at, high = (int64_t)c->offset + c->size;
		expr part;
		high = high < end ? high : end;
		if (low != at || (c->pointer && high - low < 8))
			break; /* bytes between cells; a part of a pointer becomes a number */
		part = prove_extract(m, (unsigned)(low - c->offset) * 8, (unsigned)(high - low) * 8,
		    w->now.v[c->slot]);
		value = value
		    ? expr_make(m->pool, OP_CONCAT, (unsigned)(high - offset) * 8, part, value, 0)
		    : part;
		at = high;
	}
	return at == end ? value : prove_fresh(m, bytes * 8);
}

/* Replaces bytes low to high of a cell by those of value, which begins at offset `from`. */
static void put_part(struct walk *w, const struct cell *c, int64_t low, int64_t high, expr value,
    int64_t from, expr cond)
{
	struct encoding *m = w->m;
	expr old = w->now.v[c->slot],
	     part = prove_extract(m, (unsigned)(low - from) * 8, (unsigned)(high - low) * 8, value);
	unsigned below = (unsigned)(low - c->offset) * 8,
	         above = (unsigned)((int64_t)c->offset + c->size - high) * 8;
	if (below)
		part = expr_make(m->pool, OP_CONCAT, below + expr_width(m->pool, part), part,
		    prove_extract(m, 0, below, old), 0);
	if (above)
		part = expr_make(m->pool, OP_CONCAT, c->size * 8,
		    prove_extract(m, c->size * 8 - above, above, old), part, 0);
	w->now.v[c->slot] = prove_ite(m, cond, part, old);
}

void prove_put(
    struct walk *w, uint32_t object, int64_t offset, unsigned bytes, expr value, expr cond)
{
	const struct object *o = &w->m->object[object];
	int64_t end = offset + bytes;
	for (uint32_t i = first_cell(o, offset); i < o->cells && o->cell[i].offset < end; i++) {
		const struct cell *c = &o->cell[i];
		int64_t low = c->offset > offset ? c->offset : offset,
		        high = (int64_t)c->offset + c->size;
		put_part(w, c, low, high < end ? high : end, value, offset, cond);
	}
}

static void change_cell(struct walk *w, const struct cell *c, expr cond)
{
	expr *v = &w->now.v[c->slot];
	*v = prove_ite(w->m, cond, prove_fresh(w->m, w->m->ts.slot[c->slot].width), *v);
}

void prove_havoc(struct walk *w, uint32_t object, expr cond)
{
	const struct object *o = &w->m->object[object];
	for (uint32_t i = 0; i < o->cells; i++)
		change_cell(w, &o->cell[i], cond);
}

void prove_change(struct walk *w, const struct pointee *t, uint64_t bytes)
{
	struct encoding *m = w->m;
	const struct object *o = &m->object[t->object];
	struct value v;
	int64_t at, end = INT64_MAX;

	if (!expr_is_const(m->pool, t->offset, &v)) {
		prove_havoc(w, t->object, t->cond);
		return;
	}
	at = (int64_t)v.lo;
	if (bytes && bytes < INT32_MAX && at > INT32_MIN && at < INT32_MAX)
		end = at + (int64_t)bytes;
	for (uint32_t i = first_cell(o, at); i < o->cells && o->cell[i].offset < end; i++)
		change_cell(w, &o->cell[i], t->cond);
}

/* ---- at any offset */

/* A power of two that divides every value of e, also when e wraps; 0 for the constant 0. */
static uint64_t step_of(struct encoding *m, expr e, int depth)
{
	struct value v;
	uint64_t a, b;
	unsigned width;
	if (expr_is_const(m->pool, e, &v))
		return v.lo & -v.lo;
	if (depth > 8)
		return 1;
	switch (expr_op(m->pool, e)) {
	case OP_MUL:
		return step_of(m, expr_operand(m->pool, e, 0), depth + 1)
		    * step_of(m, expr_operand(m->pool, e, 1), depth + 1);
	case OP_CONCAT:
		width = expr_width(m->pool, expr_operand(m->pool, e, 1));
		a = step_of(m, expr_operand(m->pool, e, 1), depth + 1);
		return a ? a : width < 32 ? UINT64_C(1) << width : UINT64_C(1) << 32;
	case OP_ZEXT:
	case OP_SEXT: return step_of(m, expr_operand(m->pool, e, 0), depth + 1);
	case OP_ADD:
	case OP_SUB:
	case OP_ITE:
		a = step_of(
		    m, expr_operand(m->pool, e, expr_op(m->pool, e) == OP_ITE ? 2 : 0), depth + 1);
		b = step_of(m, expr_operand(m->pool, e, 1), depth + 1);
		return !a || (b && b < a) ? b : a;
	default: return 1;
	}
}

struct offsets {
	int64_t first, step;
	uint64_t n;
};

/* The offsets within the object that an access may have. n 0: too many, or none. */
static struct offsets places_of(
    struct encoding *m, const struct object *o, expr offset, unsigned bytes)
{
	struct sum s = { .terms = 0 };
	struct offsets p = { 0, 1, 0 };
	uint64_t step = 0, one;
	add_terms(m, offset, &s);
	for (unsigned i = 0; i < s.terms; i++) {
		one = step_of(m, s.term[i], 0);
		step = !step || (one && one < step) ? one : step;
	}
	if (o->size < bytes)
		return p;
	if (!s.full && step && step <= o->size) {
		p.step = (int64_t)step;
		p.first = (int64_t)(s.constant & (step - 1));
	}
	if ((uint64_t)p.first + bytes <= o->size)
		p.n = (o->size - bytes - (uint64_t)p.first) / (uint64_t)p.step + 1;
	if (p.n > MOST_PLACES)
		p.n = 0;
	return p;
}

static expr read_target(struct walk *w, const struct pointee *t, unsigned bytes)
{
	struct encoding *m = w->m;
	const struct object *o = &m->object[t->object];
	struct value v;
	struct offsets p;
	expr value;
	if (o->opaque || m->shared[o->alias]
	    || (m->startup && !prove_startup_fits(m->startup, t->object, bytes)))
		return prove_fresh(m, bytes * 8);
	if (expr_is_const(m->pool, t->offset, &v))
		return prove_bytes(w, t->object, (int64_t)v.lo, bytes);
	p = places_of(m, o, t->offset, bytes);
	value = prove_fresh(m, bytes * 8);
	if (!p.n)
		prove_note(m, false, "an index into an object of %llu bytes: any value",
		    (unsigned long long)o->size);
	else
		prove_note(m, true, "every access stays within its object");
	for (uint64_t k = 0; k < p.n; k++) {
		int64_t at = p.first + (int64_t)k * p.step;
		value = prove_ite(m, prove_equal(m, t->offset, prove_const(m, 64, (uint64_t)at)),
		    prove_bytes(w, t->object, at, bytes), value);
	}
	return value;
}

expr prove_read(struct walk *w, unsigned bytes)
{
	struct encoding *m = w->m;
	expr value = 0;
	if (!w->pointees || !prove_never(m, w->elsewhere))
		value = prove_fresh(m, bytes * 8);
	for (uint32_t i = 0; i < w->pointees; i++) {
		expr read = read_target(w, &w->pointee[i], bytes);
		value = value ? prove_ite(m, w->pointee[i].cond, read, value) : read;
	}
	return value;
}

static void write_target(struct walk *w, const struct pointee *t, unsigned bytes, expr value)
{
	struct encoding *m = w->m;
	const struct object *o = &m->object[t->object];
	struct value v;
	struct offsets p;
	if (expr_is_const(m->pool, t->offset, &v)) {
		prove_put(w, t->object, (int64_t)v.lo, bytes, value, t->cond);
		return;
	}
	p = places_of(m, o, t->offset, bytes);
	prove_note(m, true, "every access stays within its object");
	if (!p.n)
		prove_havoc(w, t->object, t->cond);
	for (uint64_t k = 0; k < p.n; k++) {
		int64_t at = p.first + (int64_t)k * p.step;
		expr here = prove_equal(m, t->offset, prove_const(m, 64, (uint64_t)at));
		prove_put(w, t->object, at, bytes, value, prove_and(m, t->cond, here));
	}
}

void prove_write(struct walk *w, unsigned bytes, expr value)
{
	for (uint32_t i = 0; i < w->pointees; i++)
		write_target(w, &w->pointee[i], bytes, value);
}

/* ---- copies */

struct copied_value {
	uint32_t object;
	int64_t offset;
	unsigned bytes;
	expr value, cond;
};

static expr read_from(struct walk *w, const struct pointee *t, uint32_t n, expr elsewhere,
    int64_t offset, unsigned bytes)
{
	struct pointee moved;
	expr value = !n || !prove_never(w->m, elsewhere) ? prove_fresh(w->m, bytes * 8) : 0;
	for (uint32_t i = 0; i < n; i++) {
		moved = t[i];
		moved.offset = add64(w->m, moved.offset, prove_const(w->m, 64, (uint64_t)offset));
		expr read = read_target(w, &moved, bytes);
		value = value ? prove_ite(w->m, moved.cond, read, value) : read;
	}
	return value;
}

/* Reads everything before it writes anything. */
void prove_copy(struct walk *w, const struct pointee *to, uint32_t tos, const struct pointee *from,
    uint32_t froms, expr elsewhere, uint64_t size)
{
	struct encoding *m = w->m;
	struct copied_value *piece = NULL;
	size_t pieces = 0;
	struct value v;
	for (uint32_t i = 0; i < tos; i++) {
		const struct object *o = &m->object[to[i].object];
		int64_t at, end;
		if (!expr_is_const(m->pool, to[i].offset, &v)) {
			prove_havoc(w, to[i].object, to[i].cond);
			continue;
		}
		at = (int64_t)v.lo;
		end = at + (int64_t)size;
		for (uint32_t k = first_cell(o, at); k < o->cells && o->cell[k].offset < end; k++) {
			const struct cell *c = &o->cell[k];
			int64_t low = c->offset > at ? c->offset : at,
			        high = (int64_t)c->offset + c->size;
			high = high < end ? high : end;
			*PUSH(piece, pieces) =
			    (struct copied_value){ to[i].object, low, (unsigned)(high - low),
				    read_from(w, from, froms, elsewhere, low - at,
				        (unsigned)(high - low)),
				    to[i].cond };
		}
	}
	for (size_t i = 0; i < pieces; i++)
		prove_put(w, piece[i].object, piece[i].offset, piece[i].bytes, piece[i].value,
		    piece[i].cond);
	free(piece);
}

void prove_fill(struct walk *w, uint8_t byte, uint64_t size)
{
	struct encoding *m = w->m;
	uint64_t pattern = byte * UINT64_C(0x0101010101010101);
	struct value v;
	for (uint32_t i = 0; i < w->pointees; i++) {
		const struct pointee *t = &w->pointee[i];
		const struct object *o = &m->object[t->object];
		if (!expr_is_const(m->pool, t->offset, &v)) {
			prove_havoc(w, t->object, t->cond);
			continue;
		}
		int64_t at = (int64_t)v.lo, end = at + (int64_t)size;
		for (uint32_t k = first_cell(o, at); k < o->cells && o->cell[k].offset < end; k++) {
			const struct cell *c = &o->cell[k];
			int64_t low = c->offset > at ? c->offset : at,
			        high = (int64_t)c->offset + c->size;
			high = high < end ? high : end;
			put_part(w, c, low, high,
			    prove_const(m, (unsigned)(high - low) * 8, pattern), low, t->cond);
		}
	}
}
