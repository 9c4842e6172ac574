/* closure: serialises everything that a run from an entry may depend on, without ids and positions
 * in the file, so that unrelated code may change. Functions, variables, data and types are written
 * by content in the order of their first reference, and refer to each other by their index in that
 * order: the serialisations of two programs are equal only if these parts are. A reference by name
 * includes every definition that the linker may choose. Where this cannot be decided, all units are
 * written, by their keys. */
#include "lib/flow/inner.h"
#include "lib/base/grow.h"
#include "lib/libc/libc.h"

#include <stdlib.h>
#include <string.h>

/* ---- indices */

static uint32_t function_of(const struct flow_unit *u, uint32_t inst)
{
	return inst && inst <= u->insts ? u->block_func[u->inst[inst - 1].block - 1] : 0;
}

uint32_t closure_object(const struct flow_unit *u, char kind, uint32_t id)
{
	return kind == '&' ? id : kind == '$' ? (uint32_t)u->vars + id : 0;
}

/* The number of the owner of record i; 0: none. */
static uint32_t owner(const struct flow_unit *u, enum record_list kind, size_t i)
{
	switch (kind) {
	case BRANCHES: return u->branch[i].func;
	case INSTS: return function_of(u, (uint32_t)i + 1);
	case ACCESSES: return function_of(u, u->access[i].inst);
	case EDGES: return u->block_func[u->edge[i].from - 1];
	case CHECKS: return u->check[i].func;
	case EXACTS:
		return u->exact[i].object.kind == '%' ? function_of(u, u->exact[i].object.id) : 0;
	case RELOCS: return closure_object(u, u->reloc[i].object.kind, u->reloc[i].object.id);
	case CONTENTS: return closure_object(u, u->bytes[i].kind, u->bytes[i].id);
	case INITIALS: return closure_object(u, u->exact[i].object.kind, u->exact[i].object.id);
	default: return u->home[i].var;
	}
}

static void make_index(struct closure *c, uint32_t unit, enum record_list kind)
{
	const struct flow_unit *u = &c->fl->unit[unit];
	const size_t counts[LISTS] = { u->branches, u->insts, u->accesses, u->edges, u->checks,
		u->exacts, u->relocs, u->contents, u->exacts, u->homes };
	size_t owners = kind < RELOCS ? u->funcs : u->vars + c->data[unit], n = counts[kind];
	uint32_t *first = zeroed(owners + 3, sizeof *first), *at = zeroed(n + 1, sizeof *at);

	c->index[unit][kind] = (struct index){ first, at };
	/* counting sort: counts at owner + 2, then positions at owner + 1 */
	for (size_t i = 0; i < n; i++)
		if (owner(u, kind, i) <= owners)
			first[owner(u, kind, i) + 2]++;
	for (size_t i = 2; i < owners + 3; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < n; i++)
		if (owner(u, kind, i) <= owners)
			at[first[owner(u, kind, i) + 1]++] = (uint32_t)i;
}

const uint32_t *closure_list(struct closure *c, enum record_list kind, uint32_t of, size_t *n)
{
	struct index *x = &c->index[c->unit][kind];

	if (!x->first)
		make_index(c, c->unit, kind);
	*n = x->first[of + 1] - x->first[of];
	return x->at + x->first[of];
}

size_t closure_entities(const struct closure *c, uint32_t unit, enum entity kind)
{
	const struct flow_unit *u = &c->fl->unit[unit];

	return kind == FUNCTION ? u->funcs
	    : kind == VARIABLE  ? u->vars
	    : kind == TYPE      ? u->types
	                        : c->data[unit];
}

/* ---- the closure */

static int by_name(const void *a, const void *b)
{
	const struct named_entity *x = a, *y = b;
	int order = strcmp(x->name, y->name);

	if (!order)
		order = (x->at.unit > y->at.unit) - (x->at.unit < y->at.unit);
	return order ? order : (x->at.id > y->at.id) - (x->at.id < y->at.id);
}

/* Does the unit define the name, not only declare it? */
static bool defines(struct closure *c, struct entity_id e)
{
	size_t n;

	c->unit = e.unit;
	c->u = &c->fl->unit[e.unit];
	if (e.kind == FUNCTION || c->u->var[e.id - 1].defined)
		return true;
	/* weak: only initial values show that it is defined */
	closure_list(c, INITIALS, e.id, &n);
	return n > 0;
}

/* Refers to definitions of the program that replace ones of the C library. */
static void library_roots(struct closure *c)
{
	for (size_t i = 0; i < c->names; i++) {
		const struct named_entity *d = &c->name[i];
		if (!d->is_static && defines(c, d->at) && libc_has(d->name))
			closure_refer(c, d->at.kind, d->at.unit, d->at.id);
	}
}

/* Refers to the functions that every run calls: the entry, the harness, constructors and
 * destructors. */
static void roots(struct closure *c, const char *entry)
{
	const struct flow_unit *unit;
	const struct flow_func *first = flow_find(c->fl, entry, &unit);

	for (uint32_t i = 0; i < c->fl->units; i++) {
		const struct flow_unit *u = &c->fl->unit[i];
		for (uint32_t k = 0; k < u->funcs; k++) {
			const struct flow_func *f = &u->func[k];
			if (f == first || f->is_harness || f->constructor || f->destructor)
				closure_refer(c, FUNCTION, i, k + 1);
		}
		for (size_t k = 0; k < u->exacts; k++) /* the effects of assembly are unknown */
			c->whole |= u->exact[k].object.kind == '-';
	}
}

static void add_name(
    struct closure *c, const char *name, struct entity_id at, bool is_static, bool is_weak)
{
	c->name[c->names++] = (struct named_entity){ name, at, is_static, is_weak };
}

static void add_names_of(struct closure *c, uint32_t unit)
{
	const struct flow_unit *u = &c->fl->unit[unit];

	for (uint32_t k = 0; k < u->funcs; k++)
		add_name(c, u->func[k].name, (struct entity_id){ FUNCTION, unit, k + 1 },
		    u->func[k].is_static, u->func[k].is_weak);
	for (uint32_t k = 0; k < u->vars; k++)
		if (u->var[k].kind == 'g')
			add_name(c, u->var[k].name, (struct entity_id){ VARIABLE, unit, k + 1 },
			    u->var[k].is_static, u->var[k].is_weak);
	for (size_t i = 0; i < u->aliases; i++) {
		const struct flow_alias *a = &u->alias[i];
		if (a->target.kind == '&')
			add_name(c, a->name, (struct entity_id){ VARIABLE, unit, a->target.id },
			    false, a->is_weak);
		for (uint32_t k = 0; a->target.kind == '@' && k < u->funcs; k++)
			if (!strcmp(u->func[k].name, a->target.name))
				add_name(c, a->name, (struct entity_id){ FUNCTION, unit, k + 1 },
				    false, a->is_weak);
	}
}

static void add_names(struct closure *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->fl->units; i++)
		n += c->fl->unit[i].funcs + c->fl->unit[i].vars + c->fl->unit[i].aliases;
	c->name = zeroed(n + 1, sizeof *c->name);
	for (uint32_t i = 0; i < c->fl->units; i++)
		add_names_of(c, i);
	qsort(c->name, c->names, sizeof *c->name, by_name);
}

static void count_data(struct closure *c)
{
	for (size_t i = 0; i < c->fl->units; i++)
		for (size_t k = 0; k < c->fl->unit[i].contents; k++)
			c->data[i] += c->fl->unit[i].bytes[k].kind == '$';
}

static void open_closure(struct closure *c)
{
	size_t units = c->fl->units, all = 0;
	c->data = zeroed(units + 1, sizeof *c->data);
	c->index = zeroed(units + 1, sizeof *c->index);
	add_names(c);
	count_data(c);
	for (int kind = 0; kind < ENTITIES; kind++) {
		c->number[kind] = zeroed(units + 1, sizeof *c->number[kind]);
		for (uint32_t i = 0; i < units; i++) {
			size_t n = closure_entities(c, i, (enum entity)kind);
			c->number[kind][i] = zeroed(n + 1, sizeof **c->number[kind]);
			all += n;
		}
	}
	c->order = zeroed(all + 1, sizeof *c->order);
}

static void close_closure(struct closure *c)
{
	for (size_t i = 0; i < c->fl->units; i++) {
		for (int kind = 0; kind < LISTS; kind++) {
			free(c->index[i][kind].first);
			free(c->index[i][kind].at);
		}
		for (int kind = 0; kind < ENTITIES; kind++)
			free(c->number[kind][i]);
	}
	for (int kind = 0; kind < ENTITIES; kind++)
		free(c->number[kind]);
	free(c->data);
	free(c->index);
	free(c->name);
	free(c->order);
}

void flow_closure(const struct flow *fl, const char *entry, flow_put *put, void *arg)
{
	struct closure c = { .fl = fl, .put = put, .arg = arg };

	open_closure(&c);
	roots(&c, entry);
	library_roots(&c);
	for (size_t i = 0; i < c.n; i++)
		closure_write(&c, c.order[i]);
	for (size_t i = 0; c.whole && i < fl->units; i++)
		closure_number(&c, fl->unit[i].key);
	close_closure(&c);
}
