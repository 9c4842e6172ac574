#include "lib/solve/flip.h"
#include "lib/base/grow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A switch in the flow; NULL: its cases are unknown. */
static const struct flow_branch *known_switch(
    const struct flip_path *f, const struct channel_event *e)
{
	const struct flow_unit *u =
	    f->flow ? flow_unit_by_key(f->flow, f->t->unit[e->unit].key) : NULL;
	const struct flow_branch *b =
	    u && e->id && e->id <= u->branches ? &u->branch[e->id - 1] : NULL;

	return b && b->kind == 's' && e->x <= b->cases ? b : NULL;
}

/* The condition that an event has this outcome; for a switch whose cases are unknown, that its
 * value is that of the run. */
static expr condition(struct flip_path *f, const struct channel_event *e, uint64_t outcome)
{
	expr node = f->map[e->node];
	const struct flow_branch *b = e->kind == EV_SWITCH ? known_switch(f, e) : NULL;

	if (!node)
		return 0;
	if (b)
		return expr_case(f->p, node, (const uint64_t *)b->value, b->cases, outcome);
	if (e->kind == EV_SWITCH)
		return expr_equals(f->p, node, e->y);
	return outcome ? node : expr_not(f->p, node);
}

static void room(struct flip_path *f, const struct trace *t)
{
	if (t->nodes + 1 > f->map_cap) {
		f->map_cap = t->nodes + 1;
		f->map = resized(f->map, f->map_cap, sizeof *f->map);
	}
	if (t->events + 1 > f->cap) {
		f->cap = t->events + 1;
		f->cond = resized(f->cond, f->cap, sizeof *f->cond);
		f->event = resized(f->event, f->cap, sizeof *f->event);
		f->query = resized(f->query, f->cap, sizeof *f->query);
	}
}

const char *flip_load(struct flip_path *f, struct expr_pool *p, const struct trace *t)
{
	f->p = p;
	f->t = t;
	f->n = 0;
	f->first_guess = SIZE_MAX;
	room(f, t);
	expr_import(p, t, f->map);
	expr_import_values(p, t, &f->parent);
	for (size_t i = 0; i < t->events; i++) {
		const struct channel_event *e = &t->event[i];
		expr c = trace_is_condition(e) || (trace_is_aside(e) && e->node)
		    ? condition(f, e, e->x)
		    : 0;
		if (!c)
			continue;
		if (e->kind == EV_SWITCH && !known_switch(f, e) && f->first_guess == SIZE_MAX)
			f->first_guess = f->n;
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
	if (e->kind == EV_ALIAS)
		return true;
	if (e->kind == EV_CHECK)
		/* a failed check that ends the run can be negated: it then continues */
		return e->x || !trace_is_aside(e);
	return e->kind != EV_ASSUME_BRANCH || !(e->flags & 1);
}

bool flip_other(const struct flip_path *f, size_t i, size_t n, uint64_t *outcome, bool *exact)
{
	const struct channel_event *e = &f->t->event[f->event[i]];
	const struct flow_branch *b = e->kind == EV_SWITCH ? known_switch(f, e) : NULL;

	*exact = e->kind != EV_SWITCH || b;
	if (b)
		*outcome = n + (n >= e->x);
	else
		*outcome = *exact ? !e->x : e->x;
	return n < (b ? b->cases : 1);
}

enum answer flip_ask(struct flip_path *f, size_t i, uint64_t outcome, struct solver *s,
    struct assignment *model, const char **why)
{
	const struct channel_event *e = &f->t->event[f->event[i]];
	size_t n = 0;

	for (size_t k = 0; k < i; k++)
		if (!trace_is_aside(&f->t->event[f->event[k]]))
			f->query[n++] = f->cond[k];
	f->query[n++] = outcome == e->x ? expr_not(f->p, f->cond[i]) : condition(f, e, outcome);
	struct query q = { .cond = f->query, .n = n, .parent = &f->parent };
	enum answer a = solve_ask(s, &q, model, why);
	/* The prefix fixes such a switch's value, which is stronger than taking its default. */
	if (a == ANSWER_UNSAT && f->first_guess < i) {
		a = ANSWER_UNKNOWN;
		*why = "the cases of a switch before it are unknown";
	}
	return a;
}
