/* returns: summaries of recursive functions. A relation of result and arguments that holds of every
 * activation, as long as it holds of those that the activation begins, holds of all that come back:
 * that is induction over their depth. Candidates are bounds of the result, and of its distance from
 * an argument, for arguments in ranges that the function's own numbers give. At first each says
 * that nothing comes back; the solver is asked for an activation that breaks one, which is then
 * weakened (facts.h), until there is none. What remains is proved once more by a proof that is
 * checked step by step (lib/engine/certify.h). */
#include "lib/prove/returns.h"

#include "lib/engine/certify.h"
#include "lib/prove/facts.h"

#include <stdlib.h>
#include <string.h>

#define MOST_FUNCTIONS 32
#define MOST_PARAMS 4
#define MOST_ARGS 64
#define MOST_BORDERS 4 /* numbers that ranges of arguments begin or end at */
#define MOST_RELATIONS 600
#define MOST_INSTS 2000 /* of a function */
#define CERTIFY 10.0    /* seconds */

/* A range of an argument: at most, at least, or exactly a number. */
enum side { SIDE_MOST, SIDE_LEAST, SIDE_EXACT };
struct range {
	uint8_t param;
	enum side side;
	int64_t border;
};

/* For arguments in the ranges: a bound of the result, or of its distance from a parameter. */
struct relation {
	struct range range[2];
	unsigned ranges;
	uint32_t less; /* parameter that is subtracted; NONE */
	struct ts_fact fact;
	bool dropped;
};

struct returned {
	uint32_t function, group;
	struct model m;
	bool built, settled;
	struct ts_unroll u;
	struct ts_simulator sim;
	struct ts_landmarks landmark;
	unsigned width, param[MOST_PARAMS]; /* of the result; of parameters, 0: no number */
	struct relation *relation;
	size_t n;
};

struct prove_returns {
	struct returned *of;
	size_t n;
	uint32_t group; /* at work; NONE */
	struct run run; /* for what needs one */
};

/* ---- relations in the words of a model */

static bool has_width(
    struct model *m, const struct prove_result *at, uint32_t param, unsigned width)
{
	return param < at->args && width && at->arg[param]
	    && expr_width(m->pool, at->arg[param]) >= width;
}

static expr argument(struct model *m, const struct prove_result *at, uint32_t param, unsigned width)
{
	return prove_extract(m, 0, width, at->arg[param]);
}

static expr in_range(
    struct model *m, const struct returned *s, const struct prove_result *at, const struct range *r)
{
	unsigned width = s->param[r->param];
	expr border = prove_const(m, width, (uint64_t)r->border),
	     arg = argument(m, at, r->param, width);
	if (r->side == SIDE_EXACT)
		return prove_equal(m, arg, border);
	return expr_make(m->pool, OP_SLE, 1, r->side == SIDE_MOST ? arg : border,
	    r->side == SIDE_MOST ? border : arg, 0);
}

/* Two bits wider, so that the distance does not overflow. */
static expr wide(struct model *m, expr e)
{
	return expr_make(m->pool, OP_SEXT, expr_width(m->pool, e) + 2, e, 0, 0);
}

/* As a fact of this result; false: it does not have all arguments. */
static bool instance(struct model *m, const struct returned *s, const struct relation *r,
    const struct prove_result *at, struct ts_fact *out)
{
	expr inside = prove_bool(m, true);
	for (unsigned i = 0; i < r->ranges; i++) {
		if (!has_width(m, at, r->range[i].param, s->param[r->range[i].param]))
			return false;
		inside = prove_and(m, inside, in_range(m, s, at, &r->range[i]));
	}
	if (r->less != NONE && !has_width(m, at, r->less, s->param[r->less]))
		return false;
	*out = r->fact;
	out->other = expr_not(m->pool, inside);
	out->term = r->less == NONE ? at->value
	                            : expr_make(m->pool, OP_SUB, s->width + 2, wide(m, at->value),
	                                  wide(m, argument(m, at, r->less, s->width)), 0);
	return true;
}

static const struct returned *find(const struct prove_returns *r, uint32_t function)
{
	for (size_t i = 0; r && i < r->n; i++)
		if (r->of[i].function == function && r->of[i].built
		    && (r->of[i].settled || r->of[i].group == r->group))
			return &r->of[i];
	return NULL;
}

expr prove_returns_claim(
    struct model *m, const struct prove_returns *r, const struct prove_result *result)
{
	const struct returned *s = find(r, result->function);
	expr all = prove_bool(m, true);
	struct ts_fact f;
	if (!s || !result->value || expr_width(m->pool, result->value) != s->width)
		return all;
	for (size_t i = 0; i < s->n; i++)
		if (!s->relation[i].dropped && instance(m, s, &s->relation[i], result, &f))
			all = prove_and(m, all, ts_fact(&m->ts, &f));
	return all;
}

/* ---- candidates */

static void add(struct returned *s, const struct range *range, unsigned ranges)
{
	for (uint32_t less = 0; less <= MOST_PARAMS; less++) {
		struct relation r = { .ranges = ranges, .less = less ? less - 1 : NONE };
		if (less && s->param[less - 1] != s->width)
			continue;
		memcpy(r.range, range, ranges * sizeof *range);
		for (r.fact.kind = TS_MOST; r.fact.kind <= TS_LEAST && s->n < MOST_RELATIONS;
		    r.fact.kind++)
			*PUSH(s->relation, s->n) = r;
	}
}

static size_t find_borders(const struct returned *s, unsigned width, int64_t *border)
{
	size_t n = 0;
	border[n++] = 0;
	for (unsigned i = 0; i < s->sim.constants && n < MOST_BORDERS; i++) {
		int64_t c = prove_signed((uint64_t)bits_cut(s->sim.constant[i], width), width);
		size_t k = 0;
		while (k < n && border[k] != c)
			k++;
		if (k == n)
			border[n++] = c;
	}
	return n;
}

/* Below, at and above each number, and from it on in both directions. */
static size_t find_ranges(const struct returned *s, uint8_t param, struct range *range)
{
	int64_t border[MOST_BORDERS];
	size_t n = 0, borders = s->param[param] ? find_borders(s, s->param[param], border) : 0;
	for (size_t i = 0; i < borders; i++) {
		int64_t c = border[i];
		range[n++] = (struct range){ param, SIDE_MOST, c };
		range[n++] = (struct range){ param, SIDE_LEAST, c };
		range[n++] = (struct range){ param, SIDE_EXACT, c };
		if (c > INT32_MIN && c < INT32_MAX) {
			range[n++] = (struct range){ param, SIDE_MOST, c - 1 };
			range[n++] = (struct range){ param, SIDE_LEAST, c + 1 };
		}
	}
	return n;
}

static void find_candidates(struct returned *s)
{
	struct range one[5 * MOST_BORDERS], two[5 * MOST_BORDERS];
	add(s, NULL, 0);
	for (uint8_t p = 0; p < MOST_PARAMS; p++) {
		size_t n = find_ranges(s, p, one);
		for (size_t i = 0; i < n; i++)
			add(s, &one[i], 1);
	}
	for (uint8_t p = 0; p < MOST_PARAMS; p++) {
		size_t n = find_ranges(s, p, one);
		for (uint8_t q = 0; q < MOST_PARAMS; q++) {
			size_t m = q == p ? 0 : find_ranges(s, q, two);
			for (size_t i = 0; i < n; i++)
				for (size_t k = 0; k < m; k++)
					if (one[i].side == SIDE_EXACT && two[k].side != SIDE_EXACT)
						add(s, (struct range[]){ one[i], two[k] }, 2);
		}
	}
}

/* ---- one function by itself */

/* Where each parameter is one argument and a number. */
static void find_widths(struct returned *s)
{
	const struct model *m = &s->m;
	const struct flow_unit *u = prove_unit(m, 0);
	const struct flow_func *func = &u->func[m->frame[0].func - 1];
	for (uint32_t k = 0; k < func->params; k++) {
		const struct flow_var *v = &u->var[func->param[k] - 1];
		if (!v->type || !strchr("iucbfp", u->type[v->type - 1].kind))
			return;
	}
	for (uint32_t k = 0; k < func->params && k < MOST_PARAMS; k++) {
		const struct flow_type *t = &u->type[u->var[func->param[k] - 1].type - 1];
		if (strchr("iuc", t->kind) && t->size && t->size <= 8)
			s->param[k] = (unsigned)t->size * 8;
	}
}

static bool build(struct returned *s, const struct view *v, const struct prove_options *o,
    const struct prove_goals *none, double until)
{
	struct model *m = &s->m;
	struct expr_pool *pool = expr_pool_new();
	*m = (struct model){ .flow = v->d->flow,
		.defuse = v->d,
		.alias = v->d->alias,
		.index = v->index,
		.summary = v->summary,
		.options = o,
		.asked = none,
		.pool = pool,
		.ts.pool = pool,
		.arbitrary = true,
		.records = true,
		.deadline = until,
		.written = zeroed(alias_objects(v->d->alias), 1) };
	if (!m->pool)
		no_memory();
	m->loose_numbers = prove_is_loose(m->alias);
	if (!prove_build(m, s->function))
		return false;
	prove_outside(m);
	prove_watch(m, NULL, 0);
	prove_walk(m);
	for (size_t i = 0; i < m->results; i++)
		if (m->result[i].own)
			s->width = expr_width(m->pool, m->result[i].value);
	for (size_t i = 0; i < m->results; i++)
		if (m->result[i].own
		    && (expr_width(m->pool, m->result[i].value) != s->width
		        || m->result[i].args > MOST_ARGS))
			return false;
	return !m->broken && !m->late && s->width >= 8 && s->width <= 64;
}

static void set_up(struct prove_returns *r, struct returned *s)
{
	r->run = (struct run){ .m = &s->m };
	find_widths(s);
	s->sim = ts_simulator(&s->m.ts, &r->run.cone, r->run.deadline);
	s->landmark = ts_landmarks(&s->sim);
	s->u = ts_unroll(&s->m.ts, &r->run.cone, false);
	find_candidates(s);
}

/* ---- induction */

static uint64_t value_of(struct returned *s, expr e)
{
	const lit *l = blast_expr(s->u.step[0], e);
	uint64_t v = 0;
	for (unsigned k = 0; k < expr_width(s->m.pool, e) && k < 64; k++)
		v |= (uint64_t)cnf_value(s->u.cnf, l[k]) << k;
	return v;
}

static void know(struct returned *s, expr e)
{
	const lit *l = blast_expr(s->u.step[0], e);
	for (unsigned k = 0; k < expr_width(s->m.pool, e); k++)
		cnf_know(s->u.cnf, l[k]);
}

static void know_result(struct returned *s, const struct prove_result *at)
{
	know(s, at->guard);
	know(s, at->value);
	for (uint32_t k = 0; k < at->args; k++)
		know(s, at->arg[k]);
}

/* A result with the numbers that the solver found. */
static struct prove_result numbers(struct returned *s, const struct prove_result *at, expr *arg)
{
	struct prove_result is = *at;
	is.value = prove_const(&s->m, s->width, value_of(s, at->value));
	is.arg = arg;
	for (uint32_t k = 0; k < at->args; k++)
		arg[k] = prove_const(&s->m, 64, value_of(s, at->arg[k]));
	return is;
}

static void weaken(struct returned *s, const struct prove_result *is)
{
	for (size_t i = 0; i < s->n; i++) {
		struct relation *r = &s->relation[i];
		struct ts_fact f;
		struct value v;
		if (r->dropped)
			continue;
		if (!instance(&s->m, s, r, is, &f)) {
			r->dropped = true;
			continue;
		}
		if (prove_always(&s->m, ts_fact(&s->m.ts, &f))
		    || !expr_is_const(s->m.pool, f.term, &v))
			continue;
		r->dropped = !ts_weaken(
		    &r->fact, bits_signed(bits_of(v), expr_width(s->m.pool, f.term)), &s->landmark);
	}
}

/* That what is called satisfies what is known; and that a result of its own does not. */
static void ask_for(struct prove_returns *r, struct returned *s, expr *cond)
{
	struct model *m = &s->m;
	cond[0] = prove_bool(m, true);
	cond[1] = prove_bool(m, false);
	for (size_t i = 0; i < m->results; i++) {
		const struct prove_result *at = &m->result[i];
		expr claim = prove_returns_claim(m, r, at);
		if (at->own)
			cond[1] =
			    prove_or(m, cond[1], prove_and(m, at->guard, expr_not(m->pool, claim)));
		else
			cond[0] =
			    prove_and(m, cond[0], prove_or(m, expr_not(m->pool, at->guard), claim));
	}
}

/* False when the time limit was reached. changed: something was weakened. */
static bool settle(struct prove_returns *r, struct returned *s, double until, bool *changed)
{
	enum cnf_answer a;
	expr cond[2], arg[MOST_ARGS];
	for (;;) {
		ask_for(r, s, cond);
		for (size_t i = 0; i < s->m.results; i++)
			if (s->m.result[i].own)
				know_result(s, &s->m.result[i]);
		cnf_assume(s->u.cnf, ts_unroll_lit(&s->u, 0, cond[0]));
		cnf_assume(s->u.cnf, ts_unroll_lit(&s->u, 0, cond[1]));
		if ((a = cnf_solve(s->u.cnf, -1, until)) != CNF_SAT)
			return a == CNF_UNSAT;
		*changed = true;
		for (size_t i = 0; i < s->m.results; i++) {
			const struct prove_result *at = &s->m.result[i];
			struct prove_result is;
			if (!at->own || !value_of(s, at->guard))
				continue;
			is = numbers(s, at, arg);
			weaken(s, &is);
		}
	}
}

/* ---- functions that call one another */

/* Proved by what was checked. */
static bool confirm(struct prove_returns *r, struct returned *s, double until)
{
	double left = until - clock_now();
	expr cond[2];
	ask_for(r, s, cond);
	return prove_never(&s->m, cond[1])
	    || certify(s->m.pool, cond, 2, -1, left < CERTIFY ? left : CERTIFY, 2000000)
	    == ENGINE_UNSAT;
}

/* Those of a group together; what was settled of others before is known. False when the time was
 * up. */
static bool induct(struct prove_returns *r, size_t first, size_t n, double until)
{
	bool fine = true;
	for (bool changed = true; changed && fine;) {
		changed = false;
		for (size_t i = first; i < first + n && fine; i++)
			fine = !r->of[i].built || settle(r, &r->of[i], until, &changed);
	}
	for (size_t i = first; i < first + n && fine; i++)
		fine = !r->of[i].built || confirm(r, &r->of[i], until);
	return fine;
}

static bool is_small(const struct view *v, uint32_t function)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(v->d->alias, function, &unit, &id);
	return f->blocks && v->index[unit].func[id - 1].n <= MOST_INSTS;
}

/* Recursive functions, each with those that it calls and that call it. */
static void find_groups(struct prove_returns *r, struct alias *a, const struct view *v)
{
	uint32_t functions = alias_functions(a);
	bool *done = zeroed(functions, sizeof *done);
	for (uint32_t f = 0; f < functions; f++) {
		bool *up, *down;
		if (done[f] || !alias_is_recursive(a, f) || r->n >= MOST_FUNCTIONS)
			continue;
		up = prove_calling(a, f, true);
		down = prove_calling(a, f, false);
		for (uint32_t g = f; g < functions; g++) {
			if (!up[g] || !down[g] || !is_small(v, g))
				continue;
			done[g] = true;
			*PUSH(r->of, r->n) = (struct returned){ .function = g, .group = f };
		}
		free(up);
		free(down);
	}
	free(done);
}

static size_t group_at(const struct prove_returns *r, size_t first)
{
	size_t n = 1;
	while (first + n < r->n && r->of[first + n].group == r->of[first].group)
		n++;
	return n;
}

struct prove_returns *prove_returns_new(
    const struct view *v, const struct prove_options *o, double until)
{
	static const struct prove_goals none;
	struct prove_returns *r = zeroed(1, sizeof *r);
	r->group = NONE;
	find_groups(r, v->d->alias, v);
	for (size_t first = 0, n; first < r->n; first += n) {
		double share = (until - clock_now()) / (double)(r->n - first);
		bool fine;
		n = group_at(r, first);
		share = clock_now() + share * (double)n;
		for (size_t i = first; i < first + n; i++)
			if ((r->of[i].built = build(&r->of[i], v, o, &none, share)))
				set_up(r, &r->of[i]);
		r->group = r->of[first].group;
		fine = induct(r, first, n, share);
		r->group = NONE;
		for (size_t i = first; i < first + n; i++)
			r->of[i].settled = fine;
	}
	return r;
}

void prove_returns_free(struct prove_returns *r)
{
	for (size_t i = 0; r && i < r->n; i++) {
		struct returned *s = &r->of[i];
		if (s->built) {
			ts_unroll_free(&s->u);
			ts_simulator_free(&s->sim);
			free(s->landmark.at);
		}
		free(s->relation);
		prove_model_free(&s->m);
	}
	if (r)
		free(r->of);
	free(r);
}
