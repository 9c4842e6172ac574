/* returns: summaries of functions. A relation of result and arguments that holds of every
 * activation, as long as it holds of those that the activation begins, holds of all that come back:
 * that is induction over their depth. Candidates are the few values that a result has, bounds of
 * it, and of its distance from an argument, for arguments in ranges that the function's own numbers
 * give. At first each says that nothing comes back; the solver is asked for an activation that
 * breaks one, which is then weakened (facts.h), until there is none. Of loops is known what is true
 * whenever control comes to their heads (facts.c). Callees come before their callers, which may
 * rest on what is known of them. What remains is proved once more by a proof that is checked step
 * by step (lib/engine/certify.h). */
#include "lib/prove/returned.h"

#include "lib/engine/certify.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ARGS 64
#define LEAST_SHARE 0.05 /* seconds of a function */
#define MOST_INSTS 2000  /* of a function */
#define CERTIFY 10.0     /* seconds */

struct prove_returns {
	struct returned *of;
	size_t n;
	uint32_t group; /* at work; NONE */
};

/* ---- relations in the words of an encoding */

static bool has_width(
    struct encoding *m, const struct prove_result *at, uint32_t param, unsigned width)
{
	return param < at->args && width && at->arg[param]
	    && expr_width(m->pool, at->arg[param]) >= width;
}

static expr argument(
    struct encoding *m, const struct prove_result *at, uint32_t param, unsigned width)
{
	return prove_extract(m, 0, width, at->arg[param]);
}

static expr in_range(struct encoding *m, const struct returned *s, const struct prove_result *at,
    const struct argument_range *r)
{
	unsigned width = s->param[r->param];
	expr border = prove_const(m, width, (uint64_t)r->border),
	     arg = argument(m, at, r->param, width);
	if (r->side == SIDE_EXACT)
		return prove_equal(m, arg, border);
	return expr_make(m->pool, OP_SLE, 1, r->side == SIDE_MOST ? arg : border,
	    r->side == SIDE_MOST ? border : arg, 0);
}

/* Extended by two bits, so that the distance does not overflow. */
static expr wide(struct encoding *m, expr e)
{
	return expr_make(m->pool, OP_SEXT, expr_width(m->pool, e) + 2, e, 0, 0);
}

static expr one_of(struct encoding *m, const struct relation *r, expr value)
{
	expr any = prove_bool(m, false);
	for (unsigned i = 0; i < r->values; i++)
		any = prove_or(m, any,
		    prove_equal(m, value, prove_const(m, expr_width(m->pool, value), r->value[i])));
	return any;
}

/* The relation for this result; false: the result lacks one of the arguments. */
static bool instance(struct encoding *m, const struct returned *s, const struct relation *r,
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
	if (r->but)
		out->other = prove_or(m, out->other,
		    prove_equal(m, at->value, prove_const(m, s->width, (uint64_t)r->except)));
	if (r->few) {
		out->kind = TS_PLAIN;
		out->term = one_of(m, r, at->value);
		return true;
	}
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
    struct encoding *m, const struct prove_returns *r, const struct prove_result *result)
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

/* ---- one function by itself */

/* Finds the widths of parameters that are one argument each, and numbers. */
static void find_widths(struct returned *s)
{
	const struct encoding *m = &s->m;
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

static bool build(struct prove_returns *r, struct returned *s, const struct pair_view *v,
    const struct prove_options *o, double until)
{
	static const struct prove_goals none;
	struct encoding *m = &s->m;
	struct expr_pool *pool = expr_pool_new();
	*m = (struct encoding){ .flow = v->d->flow,
		.defuse = v->d,
		.alias = v->d->alias,
		.index = v->index,
		.summary = v->summary,
		.options = o,
		.asked = &none,
		.pool = pool,
		.ts.pool = pool,
		.arbitrary = true,
		.returns = r,
		.records = true,
		.deadline = until,
		.written = zeroed(alias_objects(v->d->alias), 1) };
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

/* The cone of everything that a result depends on. */
static struct ts_cone cone_of(const struct encoding *m)
{
	expr *e = NULL;
	size_t n = 0;
	struct ts_cone c;
	for (size_t i = 0; i < m->results; i++)
		if (m->result[i].own) {
			*PUSH(e, n) = m->result[i].guard;
			*PUSH(e, n) = m->result[i].value;
			for (uint32_t k = 0; k < m->result[i].args; k++)
				*PUSH(e, n) = m->result[i].arg[k];
		}
	c = ts_cone(&m->ts, e, n);
	free(e);
	return c;
}

static void set_up(struct returned *s, double until)
{
	s->run = (struct prover){
		.m = &s->m, .began = clock_now(), .deadline = until, .cone = cone_of(&s->m)
	};
	find_widths(s);
	s->sim = ts_simulator(&s->m.ts, &s->run.cone, until);
	s->landmark = ts_landmarks(&s->sim);
	s->u = ts_unroll(&s->m.ts, &s->run.cone, false);
	prove_find_candidates(s);
	if (s->m.ts.cuts > 1)
		s->facts = prove_find_facts(&s->run, &s->fact);
	for (size_t i = 0; i < s->facts; i++)
		cnf_assert(s->u.cnf, ts_unroll_lit(&s->u, 0, s->fact[i]));
}

static void release(struct returned *s)
{
	if (s->built) {
		ts_unroll_free(&s->u);
		ts_simulator_free(&s->sim);
		ts_cone_free(&s->run.cone);
		free(s->landmark.at);
		free(s->fact);
	}
	prove_encoding_free(&s->m);
	s->m = (struct encoding){ 0 };
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

/* A result with the values that the solver found. */
static struct prove_result numbers(struct returned *s, const struct prove_result *at, expr *arg)
{
	struct prove_result is = *at;
	is.value = prove_const(&s->m, s->width, value_of(s, at->value));
	is.arg = arg;
	for (uint32_t k = 0; k < at->args; k++)
		arg[k] = prove_const(&s->m, 64, value_of(s, at->arg[k]));
	return is;
}

/* Weakens the relation so that it admits another value. */
static void widen(struct returned *s, struct relation *r, expr value)
{
	struct value v;
	r->dropped = r->values == MOST_VALUES || !expr_is_const(s->m.pool, value, &v);
	if (!r->dropped)
		r->value[r->values++] = v.lo;
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
		if (prove_always(&s->m, ts_fact(&s->m.ts, &f)))
			continue;
		if (r->few) {
			widen(s, r, is->value);
			continue;
		}
		if (!expr_is_const(s->m.pool, f.term, &v))
			continue;
		r->dropped = !ts_weaken(
		    &r->fact, bits_signed(bits_of(v), expr_width(s->m.pool, f.term)), &s->landmark);
	}
}

/* Asks for an activation whose callees satisfy what is known of them, and whose own result does not
 * satisfy its relations. */
static void ask_for(struct prove_returns *r, struct returned *s, expr *cond)
{
	struct encoding *m = &s->m;
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

/* Weakens relations until each activation preserves them. False when the time limit was reached.
 * changed: one was weakened. */
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

/* Proves with a checked proof that the facts about loops hold at their heads, and that the
 * relations hold. */
static bool confirm(struct prove_returns *r, struct returned *s, double until)
{
	expr *cond = zeroed(s->facts + 2, sizeof *cond);
	double left = until - clock_now();
	bool fine;
	s->run.deadline = until;
	ask_for(r, s, cond);
	for (size_t i = 0; i < s->facts; i++)
		cond[i + 2] = s->fact[i];
	fine = prove_never(&s->m, cond[1])
	    || ((!s->facts || prove_is_invariant(&s->run, s->fact, s->facts))
	        && certify(
	               s->m.pool, cond, s->facts + 2, -1, left < CERTIFY ? left : CERTIFY, 2000000)
	            == ENGINE_UNSAT);
	free(cond);
	return fine;
}

/* Settles the functions of a group together, using what is settled of others. False when the time
 * limit was reached. */
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

/* Does the relation add nothing to what is known for all arguments, or nothing that the width of
 * the result does not imply? */
static bool says_little(const struct returned *s, const struct relation *r)
{
	unsigned bits = r->less == NONE ? s->width - 1 : s->width;
	int64_t most = bits < 63 ? (INT64_C(1) << bits) - 1 : INT64_MAX;
	if (r->few)
		return false;
	if (r->fact.seen
	    && (r->fact.kind == TS_MOST ? r->fact.bound >= most : r->fact.bound < -most))
		return true;
	for (size_t i = 0; i < s->n && (r->ranges || r->but) && r->fact.seen; i++) {
		const struct relation *all = &s->relation[i];
		if (!all->ranges && !all->dropped && !all->few && !all->but && all->less == r->less
		    && all->fact.kind == r->fact.kind && all->fact.seen
		    && (r->fact.kind == TS_MOST ? all->fact.bound <= r->fact.bound
		                                : all->fact.bound >= r->fact.bound))
			return true;
	}
	return false;
}

static void keep_telling(struct returned *s)
{
	for (size_t i = 0; i < s->n; i++)
		if (s->relation[i].ranges || s->relation[i].but)
			s->relation[i].dropped |= says_little(s, &s->relation[i]);
	for (size_t i = 0; i < s->n; i++)
		s->relation[i].dropped |= says_little(s, &s->relation[i]);
}

/* ---- all functions */

static bool is_small(const struct pair_view *v, uint32_t function)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(v->d->alias, function, &unit, &id);
	return f->blocks && v->index[unit].func[id - 1].n <= MOST_INSTS
	    && prove_result_width(&v->d->flow->unit[unit], id);
}

static void find_groups(struct prove_returns *r, const struct pair_view *v, const bool *with_goals)
{
	size_t n;
	struct prove_callee *c = prove_callees(v->d->alias, with_goals, &n);
	for (size_t i = 0; i < n; i++)
		if (is_small(v, c[i].function))
			*PUSH(r->of, r->n) = (struct returned){ .function = c[i].function,
				.group = c[i].group,
				.recursive = alias_is_recursive(v->d->alias, c[i].function) };
	free(c);
}

static size_t group_at(const struct prove_returns *r, size_t first)
{
	size_t n = 1;
	while (first + n < r->n && r->of[first + n].group == r->of[first].group)
		n++;
	return n;
}

static void forget(struct returned *s)
{
	free(s->relation);
	*s = (struct returned){
		.function = s->function, .group = s->group, .recursive = s->recursive
	};
}

static void work(struct prove_returns *r, size_t first, size_t n, const struct pair_view *v,
    const struct prove_options *o, double until)
{
	bool fine;
	for (size_t i = first; i < first + n; i++)
		if ((r->of[i].built = build(r, &r->of[i], v, o, until)))
			set_up(&r->of[i], clock_now() + (until - clock_now()) / 3);
	r->group = r->of[first].group;
	fine = induct(r, first, n, until);
	r->group = NONE;
	for (size_t i = first; i < first + n; i++) {
		r->of[i].settled = fine;
		r->of[i].late = !fine && clock_now() >= until;
		keep_telling(&r->of[i]);
		release(&r->of[i]);
	}
}

/* Repeats groups that had too little time, now that others have left some. */
static void work_again(struct prove_returns *r, size_t first, size_t n, const struct pair_view *v,
    const struct prove_options *o, double until)
{
	for (size_t i = first; i < first + n; i++)
		forget(&r->of[i]);
	work(r, first, n, v, o, until);
}

struct prove_returns *prove_returns_new(
    const struct pair_view *v, const struct prove_options *o, const bool *with_goals, double until)
{
	struct prove_returns *r = zeroed(1, sizeof *r);
	size_t late = 0, n;
	r->group = NONE;
	find_groups(r, v, with_goals);
	for (size_t first = 0; first < r->n && clock_now() < until; first += n) {
		double share = (until - clock_now()) / (double)(r->n - first);
		n = group_at(r, first);
		share = clock_now() + (share < LEAST_SHARE ? LEAST_SHARE : share) * (double)n;
		work(r, first, n, v, o, share < until ? share : until);
		late += r->of[first].late;
	}
	for (size_t first = 0; first < r->n && late && clock_now() < until; first += n) {
		n = group_at(r, first);
		if (r->of[first].late)
			work_again(r, first, n, v, o,
			    clock_now() + (until - clock_now()) / (double)late--);
	}
	return r;
}

void prove_returns_free(struct prove_returns *r)
{
	for (size_t i = 0; r && i < r->n; i++)
		free(r->of[i].relation);
	if (r)
		free(r->of);
	free(r);
}

unsigned prove_result_width(const struct flow_unit *u, uint32_t func)
{
	uint32_t type = u->func[func - 1].type, of = type ? u->type[type - 1].of : 0;
	const struct flow_type *t = of ? &u->type[of - 1] : NULL;
	return t && strchr("iuc", t->kind) && t->size <= 8 ? (unsigned)t->size * 8 : 0;
}

void prove_note_result(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const struct frame *f = &m->frame[w->frame];
	const struct flow_operand *o = &prove_unit(m, w->frame)->operand[i->first];
	unsigned width = prove_result_width(prove_unit(m, w->frame), f->func);
	struct prove_result r = {
		.function = f->number, .own = true, .guard = w->now.guard, .args = f->args
	};
	if (!m->records || !i->operands || !width)
		return;
	r.value = prove_operand(w, o, width);
	r.arg = zeroed(f->args, sizeof *r.arg);
	for (uint32_t k = 0; k < f->args; k++)
		r.arg[k] = w->now.v[f->arg[k]];
	*PUSH(m->result, m->results) = r;
}
