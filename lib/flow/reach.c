/* reach: functions reachable from an entry in the call graph, or from which others are; blocks on
 * cycles. */
#include "lib/base/grow.h"
#include "lib/flow/inner.h"

#include <stdlib.h>
#include <string.h>

struct func_ref {
	uint32_t unit, func;
};

/* Made once for a flow, as there are several questions for each of many entries. */
struct flow_calls {
	struct flow_names *names;
	struct flow_pointed *pointed;
	size_t **first_call; /* by unit: index of each function's first call, with an end marker */
	size_t units, funcs;
};

struct reachability {
	const struct flow *fl;
	const struct flow_calls *calls;
	bool **mark;
	struct func_ref *todo;
	size_t n;
	bool *called; /* by number of a type: a call of that type through a pointer is reachable (0:
	                 one that may call any function); in reverse: such a call reaches a marked
	                 function */
	size_t types; /* room of `called` */
	bool all;     /* such calls reach functions of any type; in reverse: any such call does */
	bool more;    /* the last round added a type */
};

static size_t *index_calls(const struct flow_unit *u)
{
	size_t *first = zeroed(u->funcs + 2, sizeof *first);

	for (size_t i = 0; i < u->calls; i++)
		first[u->call[i].func + 1 <= u->funcs + 1 ? u->call[i].func + 1 : 0]++;
	for (size_t i = 1; i < u->funcs + 2; i++)
		first[i] += first[i - 1];
	return first;
}

static void visit(struct reachability *r, uint32_t unit, uint32_t func)
{
	if (r->mark[unit][func])
		return;
	r->mark[unit][func] = true;
	r->todo[r->n++] = (struct func_ref){ unit, func };
}

static bool visit_name(struct reachability *r, uint32_t unit, const char *name)
{
	struct flow_meaning m;

	if (!flow_names_find(r->calls->names, unit, name, &m))
		return false;
	visit(r, m.unit, m.func);
	return true;
}

/* May a library function call back a function of the program, because it takes a function pointer?
 * The runtime calls back only functions that are not the entry's code (calls_others). */
static bool calls_back(const struct flow_unit *u, const char *name)
{
	if (!strncmp(name, "duct_rt_", 8))
		return false;
	for (size_t i = 0; i < u->exts; i++)
		if (!strcmp(u->ext[i].name, name))
			return u->ext[i].type && strstr(u->type[u->ext[i].type - 1].text, "(*)(");
	return false;
}

static void add_type(struct reachability *r, uint32_t type)
{
	GROW(r->called, r->types, type + 1u);
	r->more = r->more || !r->called[type];
	r->called[type] = true;
	r->all = r->all || !type;
}

/* Marks the callees of a function. Library functions may call back functions of any type. */
static void follow(struct reachability *r, uint32_t unit, uint32_t func)
{
	const struct flow_unit *u = &r->fl->unit[unit];

	for (size_t i = r->calls->first_call[unit][func + 1];
	    i < r->calls->first_call[unit][func + 2]; i++) {
		const struct flow_call *c = &u->call[i];
		if (!c->callee)
			add_type(r, flow_pointed_call(r->calls->pointed, unit, i));
		else if (!visit_name(r, unit, c->callee) && calls_back(u, c->callee))
			add_type(r, 0);
	}
}

/* May a call of one of the types reach the function, or, in the reverse direction, a call of that
 * type reach one of the functions? */
static bool matches(const struct reachability *r, uint32_t type)
{
	return r->all || (type ? type < r->types && r->called[type] : r->types > 0);
}

/* Is it a function of the harness that calls others before the entry, or in place of a callback?
 * The entry itself does not reach that code. */
static bool calls_others(const struct flow_func *f)
{
	return f->is_harness
	    && (!strncmp(f->name, "duct_between_", 13) || !strncmp(f->name, "duct_back", 9));
}

static void visit_address_taken(struct reachability *r)
{
	struct flow_meaning m;

	for (uint32_t i = 0; i < r->fl->units; i++) {
		const struct flow_unit *u = &r->fl->unit[i];
		for (uint32_t j = 0; j < u->funcs; j++)
			if (u->func[j].address_taken && !calls_others(&u->func[j])
			    && matches(r, flow_pointed_function(r->calls->pointed, i, j)))
				visit(r, i, j);
		for (size_t j = 0; j < u->exts; j++)
			if (u->ext[j].address_taken
			    && flow_names_find(r->calls->names, i, u->ext[j].name, &m)
			    && matches(r, flow_pointed_function(r->calls->pointed, m.unit, m.func)))
				visit(r, m.unit, m.func);
	}
}

static const struct flow_calls *calls_of(const struct flow *fl)
{
	struct flow_calls *c = fl->calls;

	if (c)
		return c;
	c = zeroed(1, sizeof *c);
	*c = (struct flow_calls){ flow_names_new(fl), flow_pointed_new(fl),
		zeroed(fl->units + 1, sizeof *c->first_call), fl->units, 0 };
	for (size_t i = 0; i < fl->units; i++) {
		c->funcs += fl->unit[i].funcs;
		c->first_call[i] = index_calls(&fl->unit[i]);
	}
	((struct flow *)fl)->calls = c; /* its meaning is the same with it */
	return c;
}

void flow_calls_free(struct flow_calls *c)
{
	for (size_t i = 0; c && i < c->units; i++)
		free(c->first_call[i]);
	if (c) {
		free(c->first_call);
		flow_names_free(c->names);
		flow_pointed_free(c->pointed);
	}
	free(c);
}

static void begin(struct reachability *r, const struct flow *fl)
{
	*r = (struct reachability){ .fl = fl, .calls = calls_of(fl) };
	r->mark = zeroed(fl->units + 1, sizeof *r->mark);
	for (size_t i = 0; i < fl->units; i++)
		r->mark[i] = zeroed(fl->unit[i].funcs + 1, sizeof **r->mark);
	r->todo = zeroed(r->calls->funcs + 1, sizeof *r->todo);
}

static void visit_entry(struct reachability *r, const char *name)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(r->fl, name, &u);

	if (f)
		visit(r, (uint32_t)(u - r->fl->unit), (uint32_t)(f - u->func));
}

static void follow_all(struct reachability *r)
{
	while (r->n) {
		struct func_ref p = r->todo[--r->n];
		follow(r, p.unit, p.func);
		if (!r->n && r->more) {
			r->more = false;
			visit_address_taken(r);
		}
	}
}

static bool **end(struct reachability *r)
{
	free(r->called);
	free(r->todo);
	return r->mark;
}

bool **flow_reachable_from(const struct flow *fl, const char *const *entry, size_t n)
{
	struct reachability r;

	begin(&r, fl);
	for (size_t i = 0; i < n; i++)
		visit_entry(&r, entry[i]);
	follow_all(&r);
	return end(&r);
}

bool **flow_reachable(const struct flow *fl, const char *entry)
{
	return flow_reachable_from(fl, &entry, 1);
}

/* Adds the types of marked functions whose address is taken. */
static void add_called_back(struct reachability *r)
{
	struct flow_meaning m;

	for (uint32_t i = 0; i < r->fl->units; i++) {
		const struct flow_unit *u = &r->fl->unit[i];
		for (uint32_t j = 0; j < u->funcs; j++)
			if (r->mark[i][j] && u->func[j].address_taken && !calls_others(&u->func[j]))
				add_type(r, flow_pointed_function(r->calls->pointed, i, j));
		for (size_t j = 0; j < u->exts; j++)
			if (u->ext[j].address_taken
			    && flow_names_find(r->calls->names, i, u->ext[j].name, &m)
			    && r->mark[m.unit][m.func])
				add_type(
				    r, flow_pointed_function(r->calls->pointed, m.unit, m.func));
	}
}

static bool may_reach(const struct reachability *r, uint32_t unit, size_t call)
{
	const struct flow_call *c = &r->fl->unit[unit].call[call];
	struct flow_meaning m;

	if (c->callee && flow_names_find(r->calls->names, unit, c->callee, &m))
		return r->mark[m.unit][m.func];
	if (!c->callee)
		return matches(r, flow_pointed_call(r->calls->pointed, unit, call));
	return r->types && calls_back(&r->fl->unit[unit], c->callee);
}

/* Marks the callers of marked functions; false: there are no more. */
static bool mark_callers(struct reachability *r)
{
	bool more = false;

	add_called_back(r);
	for (uint32_t i = 0; i < r->fl->units; i++) {
		const struct flow_unit *u = &r->fl->unit[i];
		for (size_t k = 0; k < u->calls; k++) {
			uint32_t func = u->call[k].func;
			if (func && !r->mark[i][func - 1] && may_reach(r, i, k))
				more = r->mark[i][func - 1] = true;
		}
	}
	return more;
}

bool **flow_reaching(const struct flow *fl, bool *const *goal)
{
	struct reachability r;

	begin(&r, fl);
	for (size_t i = 0; i < fl->units; i++)
		memcpy(r.mark[i], goal[i], fl->unit[i].funcs);
	while (mark_callers(&r))
		;
	return end(&r);
}

void flow_marks_free(const struct flow *fl, bool **mark)
{
	for (size_t i = 0; mark && i < fl->units; i++)
		free(mark[i]);
	free(mark);
}

bool flow_in_loop(const struct flow_unit *u, uint32_t block)
{
	bool *met = zeroed(u->blocks + 1u, sizeof *met);
	uint32_t *todo = reserved(u->blocks + 1u, sizeof *todo);
	size_t n = 0;

	todo[n++] = block;
	while (n && !met[block - 1]) {
		uint32_t from = todo[--n];
		for (size_t i = 0; i < u->edges; i++) {
			uint32_t to = u->edge[i].to;
			if (u->edge[i].from == from && !met[to - 1]) {
				met[to - 1] = true;
				todo[n++] = to;
			}
		}
	}
	bool loop = met[block - 1];
	free(todo);
	free(met);
	return loop;
}
