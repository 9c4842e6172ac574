/* object: variables, constants and temporaries as cells. Each object has an artificial address with
 * its own upper half, by which it is recognised; no result depends on the value of this address
 * (see value.c). */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

#define MAGIC UINT64_C(0x5a)
#define MOST_CELLS 1024u /* objects with more cells are opaque */

uint64_t prove_address(uint32_t object)
{
	return MAGIC << 56 | (uint64_t)(object + 1) << 32;
}

bool prove_address_of(uint64_t address, uint32_t *object, int64_t *offset)
{
	uint64_t near = address + 0x80000000u;
	*offset = (int32_t)(uint32_t)address;
	*object = (uint32_t)(near >> 32 & 0xffffff) - 1;
	return near >> 56 == MAGIC && *object < 0xffffff;
}

static uint64_t object_key(uint32_t alias, uint32_t frame)
{
	return (uint64_t)(alias + 1) << 32 | (frame + 1);
}

uint32_t prove_object_find(const struct encoding *m, uint32_t alias, uint32_t frame)
{
	return map_get(&m->object_of, object_key(alias, frame)) - 1;
}

static void add_cell(
    struct encoding *m, struct object *o, uint64_t offset, uint64_t size, bool pointer)
{
	if (o->cells >= MOST_CELLS || offset + size > UINT32_MAX) {
		o->opaque = true;
		return;
	}
	struct cell *c = PUSH(o->cell, o->cells);
	*c = (struct cell){ (uint32_t)offset, (uint32_t)size,
		ts_slot(&m->ts, SLOT_CELL, (unsigned)size * 8), pointer };
}

static void add_plain(
    struct encoding *m, struct object *o, uint64_t offset, uint64_t size, uint64_t step)
{
	step = step <= 8 ? step : step % 8 ? 4 : 8;
	for (uint64_t k = 0; k < size && !o->opaque; k += step)
		add_cell(m, o, offset + k, size - k < step ? size - k : step, false);
}

static void add_type(struct encoding *m, struct object *o, const struct flow_unit *u, uint32_t type,
    uint64_t offset);

/* Where members share bytes (bit-fields), each byte is a cell. */
static void add_members(struct encoding *m, struct object *o, const struct flow_unit *u,
    const struct flow_type *t, uint64_t offset)
{
	uint64_t done = 0;
	for (size_t k = 0; k < t->members && !o->opaque; k++) {
		const struct flow_member *f = &t->member[k];
		uint64_t size = f->bits ? (f->bit + f->bits + 7) / 8
		    : f->type           ? u->type[f->type - 1].size
		                        : 0;
		if (!f->bits && f->offset >= done)
			add_type(m, o, u, f->type, offset + f->offset);
		else
			for (uint64_t at = f->offset > done ? f->offset : done;
			    at < f->offset + size; at++)
				add_cell(m, o, offset + at, 1, false);
		if (f->offset + size > done)
			done = f->offset + size;
	}
}

static void add_type(
    struct encoding *m, struct object *o, const struct flow_unit *u, uint32_t type, uint64_t offset)
{
	const struct flow_type *t = type ? &u->type[type - 1] : NULL;
	uint64_t step = t && t->of ? u->type[t->of - 1].size : 0;
	if (!t || o->opaque)
		return;
	if (t->kind == 'a') /* if one element has no cells, no element has */
		for (uint64_t k = 0, had = UINT64_MAX;
		    k < t->count && step && !o->opaque && o->cells != had; k++) {
			had = o->cells;
			add_type(m, o, u, t->of, offset + k * step);
		}
	else if (t->kind == 's')
		add_members(m, o, u, t, offset);
	else if (t->size && t->size <= 8)
		add_cell(m, o, offset, t->size, t->kind == 'p');
	else
		add_plain(m, o, offset, t->size, 8);
}

/* Finds the unit and variable that define a global. */
static void find_definition(const struct encoding *m, struct object *o)
{
	const struct flow_var *v = &m->flow->unit[o->unit].var[o->id - 1];
	if (v->defined || v->kind != 'g')
		return;
	for (uint32_t i = 0; i < m->flow->units; i++)
		for (uint32_t k = 0; k < m->flow->unit[i].vars; k++) {
			const struct flow_var *d = &m->flow->unit[i].var[k];
			if (d->kind == 'g' && d->defined && !d->is_static
			    && !strcmp(d->name, v->name)) {
				o->unit = i;
				o->id = k + 1;
				return;
			}
		}
}

/* The object that a pointer parameter points to: an array of elements of its type. */
static void add_elements(struct encoding *m, struct object *o)
{
	const struct flow_unit *u;
	uint32_t type;
	uint64_t step;
	o->size = prove_pointee(m, o->alias, &u, &type);
	step = type ? u->type[type - 1].size : 0;
	if (!step)
		add_plain(m, o, 0, o->size, 1);
	for (uint64_t at = 0; step && at < o->size && !o->opaque; at += step)
		add_type(m, o, u, type, at);
}

/* Bytes of an unnamed constant; 0: not known. */
static uint64_t data_size(const struct flow_unit *u, uint32_t id)
{
	for (size_t i = 0; i < u->contents; i++)
		if (u->bytes[i].kind == '$' && u->bytes[i].id == id)
			return u->bytes[i].size;
	return 0;
}

static void lay_out(struct encoding *m, struct object *o)
{
	const struct alias_object *a = alias_object(m->alias, o->alias);
	const struct flow_unit *u;
	const struct flow_var *v;
	o->unit = a->unit;
	o->id = a->id;
	o->escaped = a->escaped;
	o->taken = a->kind != ALIAS_VARIABLE || m->index[a->unit].taken[a->id - 1];
	o->size = a->size;
	o->kind = a->kind == ALIAS_VARIABLE ? '&' : a->kind == ALIAS_DATA ? '$' : '-';
	if (a->kind == ALIAS_VARIABLE) {
		find_definition(m, o);
		u = &m->flow->unit[o->unit];
		v = &u->var[o->id - 1];
		o->constant = v->defined == 2;
		o->opaque = !u->type[v->type - 1].size;
		o->size = u->type[v->type - 1].size;
		if (!o->constant)
			add_type(m, o, u, v->type, 0);
	} else if (a->kind == ALIAS_DATA) {
		o->constant = true;
		o->size = data_size(&m->flow->unit[o->unit], o->id);
	} else if (a->kind == ALIAS_POINTEE) {
		add_elements(m, o);
	} else {
		add_plain(m, o, 0, o->size, 8);
	}
	if (o->opaque)
		o->cells = 0;
}

/* Does the object have a fixed place? Objects of the heap and from outside have none, except those
 * that the harness makes. */
static bool has_place(const struct encoding *m, uint32_t alias)
{
	const struct alias_object *a = alias_object(m->alias, alias);
	const struct flow_unit *u;
	uint32_t type;
	return a->kind == ALIAS_VARIABLE || a->kind == ALIAS_DATA
	    || (a->kind == ALIAS_TEMPORARY && a->size)
	    || (a->kind == ALIAS_POINTEE && prove_pointee(m, alias, &u, &type));
}

uint32_t prove_object(struct encoding *m, uint32_t alias, uint32_t frame)
{
	bool fresh;
	uint32_t *at;
	if (alias == ALIAS_NONE || !has_place(m, alias))
		return NONE;
	at = map_at(&m->object_of, object_key(alias, frame), &fresh);
	if (!fresh)
		return *at - 1;
	*at = m->objects + 1;
	*PUSH(m->object, m->objects) = (struct object){ .alias = alias, .frame = frame };
	lay_out(m, &m->object[m->objects - 1]);
	return m->objects - 1;
}
