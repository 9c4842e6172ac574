/* reach: which functions can be reached from an entry by the call graph. */
#include "lib/flow/flow.h"

#include <stdlib.h>
#include <string.h>

struct place { const char *name; uint32_t unit, func; };

struct reach {
	const struct flow *fl;
	struct place *by_name; size_t names;
	size_t **first_call;         /* by unit: index of a function's first call, one more at the end */
	bool **mark;
	struct place *todo; size_t n;
	bool indirect;               /* a call through a pointer, or one that calls back */
};

static int
compare(const void *a, const void *b)
{
	const struct place *p = a, *q = b;
	int c = strcmp(p->name, q->name);

	return c ? c : (p->unit > q->unit) - (p->unit < q->unit);
}

static void
index_names(struct reach *r)
{
	size_t n = 0;

	for (size_t i = 0; i < r->fl->units; i++)
		n += r->fl->unit[i].funcs;
	r->by_name = calloc(n + 1, sizeof *r->by_name);
	r->todo = calloc(n + 1, sizeof *r->todo);
	for (uint32_t i = 0; i < r->fl->units; i++)
		for (uint32_t j = 0; j < r->fl->unit[i].funcs; j++)
			r->by_name[r->names++] = (struct place){ r->fl->unit[i].func[j].name, i, j };
	qsort(r->by_name, r->names, sizeof *r->by_name, compare);
}

static size_t *
index_calls(const struct flow_unit *u)
{
	size_t *first = calloc(u->funcs + 2, sizeof *first);

	for (size_t i = 0; first && i < u->calls; i++)
		first[u->call[i].func + 1 <= u->funcs + 1 ? u->call[i].func + 1 : 0]++;
	for (size_t i = 1; first && i < u->funcs + 2; i++)
		first[i] += first[i - 1];
	return first;
}

static void
visit(struct reach *r, uint32_t unit, uint32_t func)
{
	if (r->mark[unit][func])
		return;
	r->mark[unit][func] = true;
	r->todo[r->n++] = (struct place){ NULL, unit, func };
}

/* The first function called so. */
static size_t
find_name(const struct reach *r, const char *name)
{
	size_t low = 0, high = r->names;

	while (low < high) {
		size_t mid = (low + high) / 2;
		if (strcmp(r->by_name[mid].name, name) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

/* A function of that name in the unit itself, else any that is not static. */
static bool
visit_name(struct reach *r, uint32_t unit, const char *name)
{
	size_t i = find_name(r, name), any = SIZE_MAX;

	for (; i < r->names && !strcmp(r->by_name[i].name, name); i++) {
		const struct place *p = &r->by_name[i];
		if (p->unit == unit) {
			visit(r, p->unit, p->func);
			return true;
		}
		if (any == SIZE_MAX && !r->fl->unit[p->unit].func[p->func].is_static)
			any = i;
	}
	if (any != SIZE_MAX)
		visit(r, r->by_name[any].unit, r->by_name[any].func);
	return any != SIZE_MAX;
}

/* A library function that takes a function pointer may call it. */
static bool
calls_back(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->exts; i++)
		if (!strcmp(u->ext[i].name, name))
			return u->ext[i].type && strstr(u->type[u->ext[i].type - 1].text, "(*)(");
	return false;
}

static void
follow(struct reach *r, uint32_t unit, uint32_t func)
{
	const struct flow_unit *u = &r->fl->unit[unit];

	for (size_t i = r->first_call[unit][func + 1]; i < r->first_call[unit][func + 2]; i++) {
		const struct flow_call *c = &u->call[i];
		if (!c->callee)
			r->indirect = true;
		else if (!visit_name(r, unit, c->callee) && calls_back(u, c->callee))
			r->indirect = true;
	}
}

static void
visit_address_taken(struct reach *r)
{
	for (uint32_t i = 0; i < r->fl->units; i++) {
		const struct flow_unit *u = &r->fl->unit[i];
		for (uint32_t j = 0; j < u->funcs; j++)
			if (u->func[j].address_taken)
				visit(r, i, j);
		for (size_t j = 0; j < u->exts; j++)
			if (u->ext[j].address_taken)
				visit_name(r, i, u->ext[j].name);
	}
}

bool **
flow_reachable(const struct flow *fl, const char *entry)
{
	struct reach r = { .fl = fl };
	bool told = false;

	index_names(&r);
	r.mark = calloc(fl->units + 1, sizeof *r.mark);
	r.first_call = calloc(fl->units + 1, sizeof *r.first_call);
	for (size_t i = 0; i < fl->units; i++) {
		r.mark[i] = calloc(fl->unit[i].funcs + 1, sizeof **r.mark);
		r.first_call[i] = index_calls(&fl->unit[i]);
	}
	size_t at = find_name(&r, entry);
	if (at < r.names && !strcmp(r.by_name[at].name, entry))
		visit(&r, r.by_name[at].unit, r.by_name[at].func);
	while (r.n) {
		struct place p = r.todo[--r.n];
		follow(&r, p.unit, p.func);
		if (r.indirect && !told) {
			told = true;
			visit_address_taken(&r);
		}
	}
	for (size_t i = 0; i < fl->units; i++)
		free(r.first_call[i]);
	free(r.first_call);
	free(r.by_name);
	free(r.todo);
	return r.mark;
}

void
flow_marks_free(const struct flow *fl, bool **mark)
{
	for (size_t i = 0; mark && i < fl->units; i++)
		free(mark[i]);
	free(mark);
}
