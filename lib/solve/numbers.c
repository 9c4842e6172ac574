/* numbers: local search for problems with floating-point operations, from the parent's values. Each
 * violated condition has a distance to being true; changes one input after another to reduce the
 * sum: constants of the conditions and their neighbours, special values, and steps of all sizes in
 * the order of the format, doubled while they help. Finds models only. */
#include "lib/base/clock.h"
#include "lib/engine/dag.h"
#include "lib/engine/process.h"
#include "lib/protocol/float.h"
#include "lib/solve/layer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VARS 64
#define MOST_NAMED 256       /* constants in conditions */
#define MOST_WORK (1u << 22) /* node evaluations */
#define LOOK (1u << 15)      /* after as many it is looked at the clock */
#define SHARE 0.5            /* of the query's time for a search */
#define DEPTH 24             /* maximum nesting of conditions */

struct numbers {
	struct expr_pool *p;
	const struct problem *q;
	const struct assignment *from; /* the parent's values */
	struct assignment now, before; /* before: state before the last move */
	bool together;                 /* inputs with equal values change together */
	uint32_t var[MOST_VARS];
	size_t vars;
	u128 named[MOST_NAMED];
	unsigned named_width[MOST_NAMED];
	size_t nameds;
	struct dag dag;      /* nodes of the conditions */
	uint64_t work, look; /* node evaluations so far; at which it is looked at the clock next */
	double until;        /* when the search ends */
	bool late;
	uint64_t random;
	double best;
	expr *core;
	size_t core_cap;
	uint8_t *turned;
	size_t turned_cap; /* by variable: occurs in the negated condition */
};

static bool open_layer(struct layer *l, char **error)
{
	struct numbers *s = layer_state(l, sizeof *s);
	(void)error;
	s->p = l->chain->p;
	return true;
}

static uint64_t draw(struct numbers *s, uint64_t below)
{
	s->random = s->random * 6364136223846793005ull + 1442695040888963407ull;
	return (s->random >> 33) % below;
}

/* Supported formats. The x87's integer bit is determined by the exponent. */

static bool is_format(unsigned w)
{
	return w == 32 || w == 64 || w == 80;
}

i128 layer_rank(unsigned w, u128 v)
{
	u128 m = v & bits_mask(w - 1);
	if (w == 80)
		m = (m >> 64) << 63 | (m & bits_mask(63));
	return v & bits_sign(w) ? -(i128)m : (i128)m;
}

u128 layer_of_rank(unsigned w, i128 r)
{
	u128 m = (u128)(r < 0 ? -r : r), most = bits_mask(w == 80 ? 78 : w - 1);
	if (m > most)
		m = most;
	if (w == 80)
		m = (m >> 63) << 64 | (m & bits_mask(63)) | (m >> 63 ? (u128)1 << 63 : 0);
	return r < 0 ? m | bits_sign(w) : m;
}

/* ---- distance of a condition to being true: 0 if it is, at most 1 */

static double far(i128 by)
{
	return by <= 0 ? 0 : log2(1 + (double)by) / 130;
}

static u128 value_of(struct numbers *s, expr e)
{
	return bits_of(expr_eval_next(s->p, e));
}

static double between(enum op op, bool want, i128 a, i128 b)
{
	i128 apart = a < b ? b - a : a - b;
	if (op == OP_EQ || op == OP_FEQ)
		return want ? far(apart) : apart ? 0 : 0.01;
	if (op == OP_ULT || op == OP_SLT || op == OP_FLT)
		return far(want ? a - b + 1 : b - a);
	return far(want ? a - b : b - a + 1);
}

static double comparison(struct numbers *s, expr e, bool want)
{
	enum op op = expr_op(s->p, e);
	expr x = expr_operand(s->p, e, 0), y = expr_operand(s->p, e, 1);
	unsigned w = expr_width(s->p, x);
	u128 a = value_of(s, x), b = value_of(s, y);
	if (op == OP_SLT || op == OP_SLE)
		return between(op, want, bits_signed(a, w), bits_signed(b, w));
	if (!op_is_float(op))
		return between(op, want, (i128)(a >> (w == 128)), (i128)(b >> (w == 128)));
	if (duct_float_nan(w, a) || duct_float_nan(w, b))
		return want ? 1 : 0;
	return between(op, want, layer_rank(w, a), layer_rank(w, b));
}

static double distance(struct numbers *s, expr e, bool want, int depth)
{
	enum op op = expr_op(s->p, e);
	bool holds = value_of(s, e) != 0;
	if (holds == want)
		return 0;
	if (depth == 0)
		return 1;
	switch (op) {
	case OP_NOT: return distance(s, expr_operand(s->p, e, 0), !want, depth - 1);
	case OP_AND:
	case OP_OR: {
		double x = distance(s, expr_operand(s->p, e, 0), want, depth - 1);
		double y = distance(s, expr_operand(s->p, e, 1), want, depth - 1);
		return (op == OP_AND) == want ? (x + y) / 2 : x < y ? x : y;
	}
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE:
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: {
		double d = comparison(s, e, want);
		return d > 0 ? d : 1e-9;
	}
	default: return 1;
	}
}

static double cost(struct numbers *s)
{
	double sum = 0;
	s->work += s->dag.n;
	expr_eval_start(s->p, &s->now);
	for (size_t i = 0; i < s->q->n; i++)
		sum += distance(s, s->q->cond[i], true, DEPTH);
	return sum;
}

/* ---- inputs and constants */

static void name(struct numbers *s, unsigned width, u128 v)
{
	if (s->nameds == MOST_NAMED)
		return;
	s->named[s->nameds] = v;
	s->named_width[s->nameds++] = width;
}

/* Collects inputs and constants of the conditions; false when there are too many inputs. */
static bool gather(struct numbers *s)
{
	struct value v;
	dag_start(&s->dag, s->p);
	for (size_t i = 0; i < s->q->n; i++)
		dag_add(&s->dag, s->p, s->q->cond[i]);
	for (size_t k = 0; k < s->dag.n; k++) {
		expr e = s->dag.node[k];
		uint32_t var = expr_input_var(s->p, e);
		if (var != UINT32_MAX && s->vars == MOST_VARS)
			return false;
		if (var != UINT32_MAX)
			s->var[s->vars++] = var;
		if (expr_is_const(s->p, e, &v))
			name(s, expr_width(s->p, e), bits_of(v));
	}
	return s->vars > 0;
}

/* ---- moves */

static unsigned width_of(const struct numbers *s, size_t i)
{
	return expr_var_width(s->p, s->var[i]);
}

static bool is_number(const struct numbers *s, size_t i)
{
	return expr_var_kind(s->p, s->var[i]) == INPUT_FLOAT && is_format(width_of(s, i));
}

/* Sets input i; with `together`, also the inputs that have the same value. */
static void move(struct numbers *s, size_t i, u128 v)
{
	struct value old = assignment_get(&s->now, s->var[i]);
	for (size_t j = 0; j < s->vars; j++) {
		struct value x = assignment_get(&s->now, s->var[j]);
		bool same = s->together && width_of(s, i) == width_of(s, j) && x.lo == old.lo
		    && x.hi == old.hi;
		if (j == i || same)
			assignment_set(&s->now, s->var[j], bits_value(bits_cut(v, width_of(s, i))));
	}
}

/* Tries a value; keeps it, and returns true, if the cost decreases. */
static bool try(struct numbers *s, size_t i, u128 v)
{
	assignment_copy(&s->before, &s->now);
	move(s, i, v);
	double c = cost(s);
	if (c < s->best) {
		s->best = c;
		return true;
	}
	assignment_copy(&s->now, &s->before);
	return false;
}

/* Converts a number of w bits to input i's type. */
static u128 fitted(const struct numbers *s, size_t i, unsigned w, u128 v)
{
	unsigned to = width_of(s, i);
	if (!is_number(s, i))
		return is_format(w) && w > to ? duct_float_eval(OP_FTOSI, to, w, v, 0) : v;
	if (w == to)
		return v;
	return duct_float_eval(is_format(w) && w != 32 ? OP_FCVT : OP_SITOF, to, w, v, 0);
}

static u128 stepped(const struct numbers *s, size_t i, i128 by)
{
	u128 v = bits_of(assignment_get(&s->now, s->var[i]));
	unsigned w = width_of(s, i);
	return is_number(s, i) ? layer_of_rank(w, layer_rank(w, v) + by)
	                       : bits_cut(v + (u128)by, w);
}

/* Is there time for more? */
static bool goes_on(struct numbers *s)
{
	if (s->work >= s->look) {
		s->look = s->work + LOOK;
		s->late = clock_now() > s->until;
	}
	return !s->late && s->work < MOST_WORK;
}

/* Steps by `by`, doubled while the cost decreases. */
static bool walk(struct numbers *s, size_t i, i128 by)
{
	bool better = false;
	while (s->best > 0 && goes_on(s) && try(s, i, stepped(s, i, by))) {
		better = true;
		by *= 2;
	}
	return better;
}

static u128 special(unsigned w, size_t k)
{
	static const double all[] = { 0, -0.0, 1, -1, 0.5, 2, -2, 3, 10, 100, 1000, 1e6, 1e9, -1e9,
		1e20, 1e-9, 1e-30, HUGE_VAL, -HUGE_VAL, NAN };
	u128 d;
	if (k >= sizeof all / sizeof *all)
		return layer_of_rank(w, k & 1 ? 1 : -1); /* the smallest denormals */
	union {
		double d;
		uint64_t i;
	} u = { all[k] };
	d = u.i;
	return w == 64 ? d : duct_float_eval(OP_FCVT, w, 64, d, 0);
}
#define SPECIALS 22

static bool improve_by_names(struct numbers *s, size_t i)
{
	for (size_t k = 0; k < s->nameds && goes_on(s); k++) {
		u128 v = fitted(s, i, s->named_width[k], s->named[k]);
		unsigned w = width_of(s, i);
		if (try(s, i, v))
			return true;
		for (int d = -1; d <= 1; d += 2)
			if (try(s, i,
			        is_number(s, i) ? layer_of_rank(w, layer_rank(w, v) + d)
			                        : bits_cut(v + (u128)(i128)d, w)))
				return true;
	}
	for (size_t k = 0; is_number(s, i) && k < SPECIALS && goes_on(s); k++)
		if (try(s, i, special(width_of(s, i), k)))
			return true;
	return false;
}

static bool improve_by_steps(struct numbers *s, size_t i)
{
	unsigned w = width_of(s, i);
	for (unsigned k = 0; k < w - 1 && goes_on(s); k += w > 8 ? 3 : 1)
		if (walk(s, i, (i128)1 << k) || walk(s, i, -((i128)1 << k)))
			return true;
	return false;
}

/* Restarts from a random point, to leave a local minimum. */
static void kick(struct numbers *s)
{
	assignment_copy(&s->now, s->from);
	for (uint64_t n = 1 + draw(s, 3); n > 0; n--) {
		size_t i = draw(s, s->vars);
		u128 v = 0;
		size_t k = draw(s, s->nameds + SPECIALS);
		if (k < s->nameds)
			v = fitted(s, i, s->named_width[k], s->named[k]);
		else if (is_number(s, i))
			v = special(width_of(s, i), k - s->nameds);
		assignment_set(&s->now, s->var[i], bits_value(bits_cut(v, width_of(s, i))));
		assignment_set(&s->now, s->var[i],
		    bits_value(stepped(s, i, (i128)draw(s, 1u << 30) << draw(s, 30))));
	}
	s->best = cost(s);
}

static bool improve(struct numbers *s)
{
	bool better = false;
	for (size_t i = 0; i < s->vars && s->best > 0; i++) {
		better |= improve_by_names(s, i);
		better |= s->best > 0 && improve_by_steps(s, i);
	}
	return better;
}

/* Searches from the current values. */
static bool find(struct numbers *s, const struct chain *c)
{
	double now = clock_now();
	s->work = s->look = 0;
	s->until = now + SHARE * (c->deadline - now);
	s->best = cost(s);
	while (s->best > 0 && goes_on(s)) {
		s->together = false;
		bool better = improve(s);
		s->together = true;
		better |= s->vars > 1 && improve(s);
		if (!better && s->best > 0)
			kick(s);
	}
	return s->best <= 0;
}

static enum answer found(struct layer *l)
{
	struct numbers *s = l->state;
	layer_unbind_all(l->chain);
	for (size_t i = 0; i < s->vars; i++)
		layer_bind(l->chain, s->var[i], assignment_get(&s->now, s->var[i]));
	return layer_own(l, ANSWER_SAT);
}

/* Collects the conditions whose inputs all occur in the negated one; returns their number. */
static size_t core(struct numbers *s, const struct problem *q)
{
	size_t n, kept = 0;
	s->core = grow(s->core, &s->core_cap, q->n, sizeof *s->core);
	if (s->turned_cap)
		memset(s->turned, 0, s->turned_cap);
	for (size_t i = q->flip; i < q->n; i++) {
		const uint32_t *var = expr_vars(s->p, q->cond[i], &n);
		for (size_t k = 0; k < n; k++) {
			s->turned = grow(s->turned, &s->turned_cap, (size_t)var[k] + 1, 1);
			s->turned[var[k]] = 1;
		}
	}
	for (size_t i = 0; i < q->n; i++) {
		const uint32_t *var = expr_vars(s->p, q->cond[i], &n);
		bool inside = true;
		for (size_t k = 0; k < n && inside; k++)
			inside = var[k] < s->turned_cap && s->turned[var[k]];
		if (inside)
			s->core[kept++] = q->cond[i];
	}
	return kept;
}

/* Engines are slow on floating point: first asks only about the core, with half of the time. If the
 * core is unsat, so is the problem; its model is a good start for the search. */
static enum answer by_core(struct layer *l, const struct problem *q)
{
	struct numbers *s = l->state;
	size_t kept = core(s, q);
	struct problem small = { s->core, kept, 0, q->parent };
	if (small.n == q->n || small.n == 0)
		return layer_pass(l, q);
	enum answer a = layer_pass_within(l, &small, 0.5);
	if (a == ANSWER_UNSAT)
		return a;
	if (a == ANSWER_SAT) {
		layer_values(l->chain, q, &s->now);
		if (find(s, l->chain))
			return found(l);
	}
	return layer_pass(l, q);
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	static const struct assignment none;
	struct numbers *s = l->state;
	bool floats = false;
	for (size_t i = 0; i < q->n; i++)
		floats |= expr_has_float(s->p, q->cond[i]);
	if (!floats)
		return layer_pass(l, q);
	s->q = q;
	s->from = q->parent ? q->parent : &none;
	s->vars = s->nameds = 0;
	s->random = 1;
	assignment_copy(&s->now, s->from);
	if (!gather(s))
		return layer_pass(l, q);
	return find(s, l->chain) ? found(l) : by_core(l, q);
}

static void close_layer(struct layer *l)
{
	struct numbers *s = l->state;
	assignment_clear(&s->now), assignment_clear(&s->before);
	free(s->core), free(s->turned);
	dag_clear(&s->dag);
	free(s);
}

const struct layer_class layer_numbers = { "numbers", open_layer, ask, close_layer };
