/* engines: the end of the chain. Asks the engines in order until one knows; with --cross asks
 * all and compares. A model is tried on the conditions here already, so that a bad one only
 * costs its engine the answer. */
#include "lib/engine/certify.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/engine/engine.h"
#include "lib/engine/process.h"
#include "lib/solve/layer.h"

#include <stdlib.h>
#include <string.h>

#define MOST 8
#define SAMPLED_FIRST 4
#define SAMPLED_EACH 32
#define SAMPLED_CONFLICTS 1000
#define SAMPLED_GATES 50000
#define SAMPLED_SECONDS 0.05 /* that such a check may take beyond the query's time */

struct engines {
	struct {
		const struct engine_class *class;
		struct engine *e;
		uint64_t answered;
	} list[MOST];
	size_t n;
	uint64_t unsat; /* answers of that kind */
	bool floats;    /* the current query has floating-point operations */
	struct assignment model;
};

static bool add(
    struct engines *s, struct expr_pool *p, const struct engine_class *class, char **error)
{
	struct engine *e = s->n < MOST ? class->open(p, error) : NULL;
	if (!e)
		return false;
	s->list[s->n].class = class;
	s->list[s->n].e = e;
	s->list[s->n++].answered = 0;
	return true;
}

static bool add_named(struct engines *s, struct expr_pool *p, const char *list, char **error)
{
	for (const char *t = list; *t; t += strcspn(t, ","), t += *t == ',') {
		char name[32];
		snprintf(name, sizeof name, "%.*s", (int)strcspn(t, ","), t);
		const struct engine_class *class = engine_find(name);
		if (!class) {
			*error = formatted("unknown engine %s (sat z3 boolector)", name);
			return false;
		}
		if (!add(s, p, class, error))
			return false;
	}
	return true;
}

static bool open_layer(struct layer *l, char **error)
{
	struct engines *s = layer_state(l, sizeof *s);
	const char *list = l->chain->o->engines;
	char *missing = NULL;
	if (list && *list)
		return add_named(s, l->chain->p, list, error);
	for (size_t i = 0; engine_class(i); i++) {
		free(missing);
		missing = NULL;
		add(s, l->chain->p, engine_class(i), &missing);
	}
	if (!s->n)
		*error = copied("no solver engine is installed (packages libz3-4, boolector)");
	free(missing);
	return s->n > 0;
}

/* Takes the engine's values of all variables; true if they satisfy the conditions. */
static bool take_model(struct layer *l, struct engine *e, const struct problem *q)
{
	struct engines *s = l->state;
	struct chain *c = l->chain;
	struct assignment empty = { 0 };
	struct value v;
	layer_unbind_all(c);
	assignment_copy(&s->model, q->parent ? q->parent : &empty);
	for (size_t i = 0; i < q->n; i++) {
		size_t n;
		const uint32_t *var = expr_vars(c->p, q->cond[i], &n);
		for (size_t j = 0; j < n; j++) {
			if (layer_bound(c, var[j], &v) || !e->class->value(e, var[j], &v))
				continue;
			layer_bind(c, var[j], v);
			assignment_set(&s->model, var[j], v);
		}
	}
	return expr_first_false(c->p, q->cond, q->n, &s->model) == q->n;
}

/* The first engine from i on that supports the query's operations; s->n: none. */
static size_t next_able(const struct engines *s, size_t i)
{
	while (i < s->n && s->floats && !s->list[i].class->floats)
		i++;
	return i;
}

/* Is the query's time over? Then the other engines are not asked. */
static bool is_late(const struct chain *c)
{
	return clock_now() >= c->deadline;
}

/* Asks one engine; the last one gets all the remaining time. */
static enum answer ask_one(struct layer *l, size_t i, const struct problem *q, bool last)
{
	struct engines *s = l->state;
	struct chain *c = l->chain;
	struct engine *e = s->list[i].e;
	double left = c->deadline - clock_now();
	/* earlier engines leave half of the time to later ones */
	if (!last && !c->o->cross)
		left *= 0.5;
	if (left < 0.01)
		left = 0.01;
	e->patient = last;
	enum engine_answer a = e->class->check(e, q->cond, q->n, left);
	if (a == ENGINE_UNKNOWN) {
		c->why = e->reason;
		return ANSWER_UNKNOWN;
	}
	if (a == ENGINE_SAT && !take_model(l, e, q)) {
		c->counts->bad_models++;
		c->why = "model does not satisfy the conditions";
		return ANSWER_UNKNOWN;
	}
	s->list[i].answered++;
	c->why = s->list[i].class->name;
	return a == ENGINE_SAT ? ANSWER_SAT : ANSWER_UNSAT;
}

static enum answer ask_all(struct layer *l, const struct problem *q)
{
	struct engines *s = l->state;
	enum answer all = ANSWER_UNKNOWN;
	const char *why = NULL;
	for (size_t i = next_able(s, 0); i < s->n; i = next_able(s, i + 1)) {
		l->chain->deadline = clock_now() + l->chain->o->timeout;
		enum answer a = ask_one(l, i, q, true);
		if (a == ANSWER_UNKNOWN)
			continue;
		if (all != ANSWER_UNKNOWN && a != all) {
			l->chain->counts->disagreed++;
			l->chain->why = "engines disagree";
			return ANSWER_UNKNOWN;
		}
		if (all == ANSWER_UNKNOWN)
			why = l->chain->why;
		all = a;
	}
	if (why)
		l->chain->why = why;
	return all;
}

/* "Unsatisfiable" is checked by samples: for the first such answers, and then for every 32nd, a
 * proof has to be found and checked, if one is found with few conflicts. */
static enum answer confirm(struct layer *l, const struct problem *q)
{
	struct engines *s = l->state;
	double left = l->chain->deadline - clock_now();
	uint64_t number = s->unsat++;
	if (s->floats || (number >= SAMPLED_FIRST && number % SAMPLED_EACH))
		return ANSWER_UNSAT;
	enum engine_answer a = certify(l->chain->p, q->cond, q->n, SAMPLED_CONFLICTS,
	    left > SAMPLED_SECONDS ? left : SAMPLED_SECONDS, SAMPLED_GATES);
	if (a == ENGINE_SAT) {
		l->chain->counts->disagreed++;
		l->chain->why = "an engine finds no solution where there is one";
		return ANSWER_UNKNOWN;
	}
	l->chain->counts->confirmed += a == ENGINE_UNSAT;
	return ANSWER_UNSAT;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	struct engines *s = l->state;
	if (l->chain->no_engine)
		return ANSWER_UNKNOWN;
	s->floats = false;
	for (size_t i = 0; i < q->n; i++)
		s->floats |= expr_has_float(l->chain->p, q->cond[i]);
	l->chain->why = "no engine for floating point (package libz3-4)";
	l->chain->by_engine = true;
	if (l->chain->o->cross)
		return ask_all(l, q);
	size_t again = s->n, first = next_able(s, 0);
	enum answer a = ANSWER_UNKNOWN;
	for (size_t i = first, next; i < s->n && a == ANSWER_UNKNOWN; i = next) {
		if (i > first && is_late(l->chain))
			return a;
		next = next_able(s, i + 1);
		if (s->list[i].class->limited && again == s->n && next < s->n)
			again = i;
		a = ask_one(l, i, q, next >= s->n && again == s->n);
	}
	if (a == ANSWER_UNKNOWN && again < s->n && !is_late(l->chain))
		a = ask_one(l, again, q, true);
	return a == ANSWER_UNSAT ? confirm(l, q) : a;
}

bool engines_count(const struct layer *l, size_t i, const char **name, uint64_t *answered)
{
	const struct engines *s = l->state;
	if (i >= s->n)
		return false;
	*name = s->list[i].class->name;
	*answered = s->list[i].answered;
	return true;
}

double engines_cpu(const struct layer *l)
{
	const struct engines *s = l->state;
	double sum = 0;
	for (size_t i = 0; i < s->n; i++)
		sum += s->list[i].class->cpu(s->list[i].e);
	return sum;
}

static void close_layer(struct layer *l)
{
	struct engines *s = l->state;
	for (size_t i = 0; i < s->n; i++)
		s->list[i].class->close(s->list[i].e);
	assignment_clear(&s->model);
	free(s);
}

const struct layer_class layer_engines = { "engines", open_layer, ask, close_layer };
