#include "lib/solve/flip.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The condition that held at an event. Of a switch only the value of the run is known here: not
 * which values its case has. */
static expr held(struct flip_path *f, const struct channel_event *e)
{
	expr node = f->map[e->node];
	if (!node)
		return 0;
	if (e->kind != EV_SWITCH)
		return e->x ? node : expr_not(f->p, node);
	return expr_make(f->p, OP_EQ, 1, node, expr_const(f->p, expr_width(f->p, node), (struct value){ e->y, 0 }), 0);
}

static void room(struct flip_path *f, const struct trace *t)
{
	if (t->nodes + 1 > f->map_cap) {
		f->map_cap = t->nodes + 1;
		f->map = realloc(f->map, f->map_cap * sizeof *f->map);
	}
	if (t->events + 1 > f->cap) {
		f->cap = t->events + 1;
		f->cond = realloc(f->cond, f->cap * sizeof *f->cond);
		f->event = realloc(f->event, f->cap * sizeof *f->event);
		f->query = realloc(f->query, f->cap * sizeof *f->query);
	}
	if (!f->map || !f->cond || !f->event || !f->query)
		abort();
}

const char *flip_load(struct flip_path *f, struct expr_pool *p, const struct trace *t)
{
	f->p = p;
	f->t = t;
	f->n = 0;
	f->first_switch = SIZE_MAX;
	room(f, t);
	expr_import(p, t, f->map);
	expr_import_values(p, t, &f->parent);
	for (size_t i = 0; i < t->events; i++) {
		const struct channel_event *e = &t->event[i];
		expr c = trace_is_condition(e) || (trace_is_aside(e) && e->node) ? held(f, e) : 0;
		if (!c)
			continue;
		if (e->kind == EV_SWITCH && f->first_switch == SIZE_MAX)
			f->first_switch = f->n;
		f->cond[f->n] = c;
		f->event[f->n++] = i;
	}
	if (expr_first_false(p, f->cond, f->n, &f->parent) != f->n)
		return "a condition does not have the outcome that its inputs give it";
	return NULL;
}

void flip_clear(struct flip_path *f)
{
	free(f->map), free(f->cond), free(f->event), free(f->query);
	assignment_clear(&f->parent);
	memset(f, 0, sizeof *f);
}

bool flip_allowed(const struct flip_path *f, const struct trace *t, size_t i)
{
	const struct channel_event *e = &t->event[f->event[i]];
	if (expr_is_const(f->p, f->cond[i], NULL))
		return false;
	if (e->kind == EV_ASSUME)
		return !e->x;
	if (e->kind == EV_CHECK)
		return e->x || !trace_is_aside(e);      /* behind a fault that ends the run lies the rest */
	return e->kind != EV_ASSUME_BRANCH || !(e->flags & 1);
}

uint64_t flip_outcome(const struct channel_event *e, bool *exact)
{
	*exact = e->kind != EV_SWITCH;
	return *exact ? !e->x : e->x;
}

enum answer flip_ask(struct flip_path *f, size_t i, struct solver *s, struct assignment *model,
                     const char **why)
{
	size_t n = 0;
	for (size_t k = 0; k < i; k++)
		if (!trace_is_aside(&f->t->event[f->event[k]]))
			f->query[n++] = f->cond[k];
	f->query[n++] = expr_not(f->p, f->cond[i]);
	struct query q = { .cond = f->query, .n = n, .parent = &f->parent };
	enum answer a = solve_ask(s, &q, model, why);
	/* The prefix says "value == the one seen" of a switch, more than a default outcome needs. */
	if (a == ANSWER_UNSAT && f->first_switch < i) {
		a = ANSWER_UNKNOWN;
		*why = "the cases of a switch before it are not in the trace";
	}
	return a;
}
