/* intervals: refutes problems with floating-point operations by interval analysis. Rounded to
 * nearest, every operation is monotonic in each operand, so the bounds of a result are results of
 * bounds. Conditions narrow the intervals of their operands. */
#include "lib/engine/dag.h"
#include "lib/protocol/float.h"
#include "lib/solve/layer.h"

#include <stdlib.h>

#define MOST_NODES 20000
#define ROUNDS 4
#define DEPTH 24 /* maximum nesting of conditions */

/* The values of a node: as numbers in the order of layer_rank (both zeros are 0) and whether NaN is
 * possible; as signed and as unsigned integers. Empty: lo > hi. */
struct value_range {
	i128 lo, hi;
};
struct box {
	struct value_range number, as_signed, as_unsigned;
	bool nan;
};

struct intervals {
	struct expr_pool *p;
	struct dag dag;
	struct box *box;
	size_t box_cap; /* by expression */
	bool empty;
};

static bool open_layer(struct layer *l, char **error)
{
	struct intervals *s = layer_state(l, sizeof *s);
	(void)error;
	s->p = l->chain->p;
	return true;
}

static bool is_format(unsigned w)
{
	return w == 32 || w == 64 || w == 80;
}
static i128 smaller(i128 a, i128 b)
{
	return a < b ? a : b;
}
static i128 larger(i128 a, i128 b)
{
	return a > b ? a : b;
}

static u128 infinity(unsigned w)
{
	return w == 32 ? 0x7f800000
	    : w == 64  ? (u128)0x7ff << 52
	               : (u128)0x7fff << 64 | (u128)1 << 63;
}

static i128 top(unsigned w)
{
	return layer_rank(w, infinity(w));
}
static i128 most(unsigned w)
{
	return (i128)bits_mask(w > 126 ? 126 : w);
}
static i128 half(unsigned w)
{
	return (i128)1 << (w - 1);
}
static struct value_range all_numbers(unsigned w)
{
	return (struct value_range){ -top(w), top(w) };
}
static struct value_range none(void)
{
	return (struct value_range){ 1, 0 };
}
static bool has(struct value_range e, i128 v)
{
	return e.lo <= v && v <= e.hi;
}
static bool is_empty(struct value_range e)
{
	return e.lo > e.hi;
}

static struct value_range join(struct value_range a, struct value_range b)
{
	if (is_empty(a) || is_empty(b))
		return is_empty(a) ? b : a;
	return (struct value_range){ smaller(a.lo, b.lo), larger(a.hi, b.hi) };
}

/* ---- operations on bounds */

/* Extends the range by a result; NaN is left to the caller. */
static void take(struct value_range *r, unsigned w, u128 v)
{
	if (!duct_float_nan(w, v))
		*r = join(*r, (struct value_range){ layer_rank(w, v), layer_rank(w, v) });
}

static struct value_range corners(
    enum op op, unsigned w, struct value_range a, struct value_range b)
{
	struct value_range r = none();
	i128 x[] = { a.lo, a.hi }, y[] = { b.lo, b.hi };
	for (int i = 0; i < 4; i++)
		take(&r, w,
		    duct_float_eval(
		        op, w, w, layer_of_rank(w, x[i & 1]), layer_of_rank(w, y[i >> 1])));
	return r;
}

static bool infinite(unsigned w, struct value_range e)
{
	return has(e, top(w)) || has(e, -top(w));
}

static void sum(enum op op, unsigned w, struct value_range a, struct value_range b, struct box *r)
{
	bool clash = op == OP_FADD
	    ? (has(a, top(w)) && has(b, -top(w))) || (has(a, -top(w)) && has(b, top(w)))
	    : (has(a, top(w)) && has(b, top(w))) || (has(a, -top(w)) && has(b, -top(w)));
	r->nan |= clash;
	r->number = clash ? all_numbers(w) : corners(op, w, a, b);
}

static void product(
    unsigned w, struct value_range a, struct value_range b, bool square, struct box *r)
{
	struct value_range zero = { 0, 0 };
	bool clash = !square && ((has(a, 0) && infinite(w, b)) || (has(b, 0) && infinite(w, a)));
	r->nan |= clash;
	r->number = corners(OP_FMUL, w, a, b);
	if (square)
		r->number.lo = larger(r->number.lo, 0);
	if (clash || (has(a, 0) && square))
		r->number = join(r->number, zero);
}

static void quotient(unsigned w, struct value_range a, struct value_range b, struct box *r)
{
	struct value_range zero = { 0, 0 };
	bool clash = (has(a, 0) && has(b, 0)) || (infinite(w, a) && infinite(w, b));
	r->nan |= clash;
	if (has(b, 0)) {
		r->number = all_numbers(w);
		return;
	}
	r->number = corners(OP_FDIV, w, a, b);
	if (clash)
		r->number = join(r->number, zero);
}

static void rest(unsigned w, struct value_range a, struct value_range b, struct box *r)
{
	i128 bound = larger(b.hi, -b.lo);
	r->nan |= infinite(w, a) || has(b, 0);
	r->number.lo = a.lo < 0 ? larger(a.lo, -bound) : 0;
	r->number.hi = a.hi > 0 ? smaller(a.hi, bound) : 0;
}

static void root(unsigned w, struct value_range a, struct box *r)
{
	r->nan |= a.lo < 0;
	r->number = none();
	if (a.hi < 0)
		return;
	take(&r->number, w, duct_float_eval(OP_FSQRT, w, w, layer_of_rank(w, larger(a.lo, 0)), 0));
	take(&r->number, w, duct_float_eval(OP_FSQRT, w, w, layer_of_rank(w, a.hi), 0));
}

/* The range of a monotonically increasing unary operation. */
static struct value_range mapped(enum op op, unsigned w, unsigned wa, struct value_range a)
{
	struct value_range r = none();
	take(&r, w, duct_float_eval(op, w, wa, layer_of_rank(wa, a.lo), 0));
	take(&r, w, duct_float_eval(op, w, wa, layer_of_rank(wa, a.hi), 0));
	return r;
}

static struct value_range from_integer(enum op op, unsigned w, unsigned wa, struct value_range a)
{
	struct value_range r = none();
	take(&r, w, duct_float_eval(op, w, wa, bits_cut((u128)a.lo, wa), 0));
	take(&r, w, duct_float_eval(op, w, wa, bits_cut((u128)a.hi, wa), 0));
	return r;
}

static struct value_range absolute(struct value_range a)
{
	if (is_empty(a))
		return a;
	return (struct value_range){ a.lo > 0 ? a.lo : a.hi < 0 ? -a.hi : 0, larger(a.hi, -a.lo) };
}

/* ---- boxes of nodes */

static struct box *box_of(struct intervals *s, expr e)
{
	return &s->box[e];
}

static void number_op(struct intervals *s, expr e, enum op op, unsigned w, struct box *r)
{
	expr x = expr_operand(s->p, e, 0), y = op_arity(op) > 1 ? expr_operand(s->p, e, 1) : 0;
	const struct box *a = box_of(s, x), *b = y ? box_of(s, y) : a;
	unsigned wa = expr_width(s->p, x);
	if (op == OP_SITOF || op == OP_UITOF) {
		r->nan = false;
		if (wa <= 64)
			r->number =
			    from_integer(op, w, wa, op == OP_SITOF ? a->as_signed : a->as_unsigned);
		return;
	}
	r->nan = a->nan || b->nan;
	if (is_empty(a->number) || is_empty(b->number)) {
		r->number = none();
		return;
	}
	switch (op) {
	case OP_FADD:
	case OP_FSUB: sum(op, w, a->number, b->number, r); break;
	case OP_FMUL: product(w, a->number, b->number, x == y, r); break;
	case OP_FDIV: quotient(w, a->number, b->number, r); break;
	case OP_FREM: rest(w, a->number, b->number, r); break;
	case OP_FSQRT: root(w, a->number, r); break;
	default: r->number = mapped(op, w, wa, a->number); break;
	}
}

/* If e is x without its sign bit, zero-extended: x. Else 0. */
static expr magnitude_of(struct intervals *s, expr e)
{
	expr part = expr_op(s->p, e) == OP_ZEXT ? expr_operand(s->p, e, 0) : 0;
	unsigned w = expr_width(s->p, e);
	if (!part || expr_op(s->p, part) != OP_EXTRACT || expr_extract_low(s->p, part)
	    || expr_width(s->p, part) != w - 1)
		return 0;
	expr x = expr_operand(s->p, part, 0);
	return expr_width(s->p, x) == w && is_format(w) ? x : 0;
}

/* If e is x with its sign bit inverted: x. Else 0. */
static expr negated(struct intervals *s, expr e)
{
	struct value v;
	unsigned w = expr_width(s->p, e);
	if (expr_op(s->p, e) != OP_XOR || !is_format(w)
	    || !expr_is_const(s->p, expr_operand(s->p, e, 1), &v))
		return 0;
	return bits_of(v) == bits_sign(w) ? expr_operand(s->p, e, 0) : 0;
}

static void number_of(struct intervals *s, expr e, unsigned w, struct box *r)
{
	enum op op = expr_op(s->p, e);
	expr x;
	struct value v;
	r->number = all_numbers(w);
	r->nan = true;
	if (op_is_float(op) && op < OP_FTOSI) {
		number_op(s, e, op, w, r);
	} else if (expr_is_const(s->p, e, &v)) {
		r->nan = duct_float_nan(w, bits_of(v));
		r->number = none();
		take(&r->number, w, bits_of(v));
	} else if (op == OP_ITE) {
		const struct box *a = box_of(s, expr_operand(s->p, e, 1)),
		                 *b = box_of(s, expr_operand(s->p, e, 2));
		r->number = join(a->number, b->number);
		r->nan = a->nan || b->nan;
	} else if ((x = negated(s, e))) {
		r->nan = box_of(s, x)->nan;
		if (!is_empty(box_of(s, x)->number))
			r->number = (struct value_range){ -box_of(s, x)->number.hi,
				-box_of(s, x)->number.lo };
	} else if ((x = magnitude_of(s, e))) {
		r->nan = box_of(s, x)->nan;
		r->number = absolute(box_of(s, x)->number);
	}
}

/* The range of a conversion to integer (towards 0) if all values fit. */
static void cut(struct intervals *s, expr e, unsigned w, struct box *r)
{
	expr x = expr_operand(s->p, e, 0);
	const struct box *a = box_of(s, x);
	unsigned wa = expr_width(s->p, x);
	if (a->nan || is_empty(a->number) || expr_op(s->p, e) != OP_FTOSI || w > 64)
		return;
	i128 lo = bits_signed(
	    duct_float_eval(OP_FTOSI, w + 1, wa, layer_of_rank(wa, a->number.lo), 0), w + 1);
	i128 hi = bits_signed(
	    duct_float_eval(OP_FTOSI, w + 1, wa, layer_of_rank(wa, a->number.hi), 0), w + 1);
	if (lo >= -half(w) && hi < half(w) && lo <= hi)
		r->as_signed = (struct value_range){ lo, hi };
}

/* The range of a number's bits without the sign: at most infinity's unless NaN. Not for 80 bits,
 * which have an integer bit in between. */
static void of_magnitude(struct intervals *s, expr e, struct box *r)
{
	expr x = expr_operand(s->p, e, 0);
	unsigned w = expr_width(s->p, x);
	struct value_range m = absolute(box_of(s, x)->number);
	if (expr_extract_low(s->p, e) || expr_width(s->p, e) != w - 1 || !is_format(w) || w == 80)
		return;
	if (!box_of(s, x)->nan)
		r->as_unsigned = m;
	else if (is_empty(m))
		r->as_unsigned.lo = top(w) + 1;
}

static void integer_of(struct intervals *s, expr e, unsigned w, struct box *r)
{
	enum op op = expr_op(s->p, e);
	struct value v;
	r->as_unsigned = (struct value_range){ 0, most(w) };
	r->as_signed = (struct value_range){ -half(w), half(w) - 1 };
	if (expr_is_const(s->p, e, &v)) {
		r->as_unsigned.lo = r->as_unsigned.hi = (i128)bits_of(v);
		r->as_signed.lo = r->as_signed.hi = bits_signed(bits_of(v), w);
	} else if (op == OP_SEXT) {
		r->as_signed = box_of(s, expr_operand(s->p, e, 0))->as_signed;
	} else if (op == OP_ZEXT) {
		r->as_signed = r->as_unsigned = box_of(s, expr_operand(s->p, e, 0))->as_unsigned;
	} else if (op == OP_ITE) {
		const struct box *a = box_of(s, expr_operand(s->p, e, 1)),
		                 *b = box_of(s, expr_operand(s->p, e, 2));
		r->as_signed = join(a->as_signed, b->as_signed);
		r->as_unsigned = join(a->as_unsigned, b->as_unsigned);
	} else if (op == OP_FTOSI) {
		cut(s, e, w, r);
	} else if (op == OP_EXTRACT) {
		of_magnitude(s, e, r);
	}
}

static bool meet(struct value_range *a, struct value_range b)
{
	a->lo = larger(a->lo, b.lo);
	a->hi = smaller(a->hi, b.hi);
	return !is_empty(*a);
}

/* Recomputes a node from its operands and intersects with the known box. */
static void compute(struct intervals *s, expr e)
{
	struct box r = { .nan = false }, *old = box_of(s, e);
	unsigned w = expr_width(s->p, e);
	if (w > 1 && w <= 80) {
		integer_of(s, e, w, &r);
		s->empty |=
		    !meet(&old->as_signed, r.as_signed) || !meet(&old->as_unsigned, r.as_unsigned);
	}
	if (is_format(w)) {
		number_of(s, e, w, &r);
		old->nan &= r.nan;
		s->empty |= !meet(&old->number, r.number) && !old->nan;
	}
}

static void start(struct intervals *s, expr e)
{
	unsigned w = expr_width(s->p, e);
	s->box[e] = (struct box){ .nan = true };
	if (w < 1 || w > 80)
		return;
	s->box[e].as_unsigned = (struct value_range){ 0, most(w) };
	s->box[e].as_signed = (struct value_range){ -half(w), half(w) - 1 };
	if (is_format(w))
		s->box[e].number = all_numbers(w);
}

/* ---- conditions */

/* Can the numbers be equal? Their bits can only be equal if so. */
static bool same_number(const struct box *a, const struct box *b)
{
	return (a->nan && b->nan) || (a->number.lo <= b->number.hi && b->number.lo <= a->number.hi);
}

/* Can the condition have this outcome? */
static bool may(struct intervals *s, expr e, bool want, int depth)
{
	enum op op = expr_op(s->p, e);
	struct value v;
	if (expr_is_const(s->p, e, &v))
		return v.lo == want;
	if (depth == 0 || op_arity(op) == 0)
		return true;
	expr x = expr_operand(s->p, e, 0), y = op_arity(op) > 1 ? expr_operand(s->p, e, 1) : 0;
	unsigned w = expr_width(s->p, x);
	if (op == OP_NOT)
		return may(s, x, !want, depth - 1);
	if (op == OP_AND || op == OP_OR) {
		bool a = may(s, x, want, depth - 1), b = may(s, y, want, depth - 1);
		return (op == OP_AND) == want ? a && b : a || b;
	}
	if (w < 2 || w > 80)
		return true;
	const struct box *a = box_of(s, x), *b = box_of(s, y ? y : x);
	bool is_number = op == OP_FEQ || op == OP_FLT || op == OP_FLE;
	bool is_signed = op == OP_SLT || op == OP_SLE;
	struct value_range p = is_number ? a->number : is_signed ? a->as_signed : a->as_unsigned;
	struct value_range q = is_number ? b->number : is_signed ? b->as_signed : b->as_unsigned;
	if (is_number && !want && (a->nan || b->nan))
		return true;
	switch (op) {
	case OP_EQ:
	case OP_FEQ:
		if (is_empty(p) || is_empty(q))
			return false;
		if (want && !same_number(a, b))
			return false;
		return want ? p.lo <= q.hi && q.lo <= p.hi
		            : !(p.lo == p.hi && q.lo == q.hi && p.lo == q.lo);
	case OP_ULT:
	case OP_SLT:
	case OP_FLT: return !is_empty(p) && !is_empty(q) && (want ? p.lo < q.hi : p.hi >= q.lo);
	case OP_ULE:
	case OP_SLE:
	case OP_FLE: return !is_empty(p) && !is_empty(q) && (want ? p.lo <= q.hi : p.hi > q.lo);
	default: return true;
	}
}

/* Applies a < b (strict) or a <= b. */
static void order(struct value_range *a, struct value_range *b, bool strict)
{
	a->hi = smaller(a->hi, b->hi - strict);
	b->lo = larger(b->lo, a->lo + strict);
}

/* Transfers a node's box to the number of which it is the absolute value or negation. */
static void push_down(struct intervals *s, expr e)
{
	const struct box *r = box_of(s, e);
	expr x = magnitude_of(s, e);
	struct box *b = x ? box_of(s, x) : NULL;
	if (b) {
		b->nan &= r->nan;
		meet(&b->number, (struct value_range){ -r->number.hi, r->number.hi });
	} else if ((x = negated(s, e))) {
		b = box_of(s, x);
		b->nan &= r->nan;
		meet(&b->number, (struct value_range){ -r->number.hi, -r->number.lo });
	}
}

/* Applies a bound on a number's bits without the sign: up to infinity's bits it is no NaN, beyond
 * it is one. */
static void number_or_none(struct intervals *s, expr part)
{
	expr x = expr_op(s->p, part) == OP_EXTRACT ? expr_operand(s->p, part, 0) : 0;
	unsigned w = x ? expr_width(s->p, x) : 0;
	if (!is_format(w) || w == 80 || expr_extract_low(s->p, part)
	    || expr_width(s->p, part) != w - 1)
		return;
	struct value_range m = box_of(s, part)->as_unsigned;
	if (m.hi <= top(w))
		box_of(s, x)->nan = false;
	if (m.lo > top(w))
		box_of(s, x)->number = none();
}

static void narrow_numbers(struct intervals *s, enum op op, expr x, expr y, bool want)
{
	struct box *a = box_of(s, x), *b = box_of(s, y);
	if (!want && (a->nan || b->nan || op == OP_FEQ))
		return;
	if (want)
		a->nan = b->nan = false;
	if (op == OP_FEQ) {
		meet(&a->number, b->number);
		meet(&b->number, a->number);
	} else if (want) {
		order(&a->number, &b->number, op == OP_FLT);
	} else {
		order(&b->number, &a->number, op == OP_FLE);
	}
	push_down(s, x);
	push_down(s, y);
}

/* Narrows the boxes of e's operands by e (want) or its negation. */
static void narrow(struct intervals *s, expr e, bool want, int depth)
{
	enum op op = expr_op(s->p, e);
	if (depth == 0 || op_arity(op) == 0)
		return;
	expr x = expr_operand(s->p, e, 0), y = op_arity(op) > 1 ? expr_operand(s->p, e, 1) : 0;
	unsigned w = expr_width(s->p, x);
	if (op == OP_NOT) {
		narrow(s, x, !want, depth - 1);
	} else if (op == OP_AND || op == OP_OR) {
		/* if only one must hold, it is narrowed when the other cannot */
		bool both = (op == OP_AND) == want;
		if (both || !may(s, y, want, depth - 1))
			narrow(s, x, want, depth - 1);
		if (both || !may(s, x, want, depth - 1))
			narrow(s, y, want, depth - 1);
	} else if (w < 2 || w > 80) {
		return;
	} else if (op == OP_FEQ || op == OP_FLT || op == OP_FLE) {
		narrow_numbers(s, op, x, y, want);
	} else if (op == OP_SLT || op == OP_SLE) {
		struct value_range *a = &box_of(s, want ? x : y)->as_signed,
		                   *b = &box_of(s, want ? y : x)->as_signed;
		order(a, b, (op == OP_SLT) == want);
	} else if (op == OP_ULT || op == OP_ULE) {
		struct value_range *a = &box_of(s, want ? x : y)->as_unsigned,
		                   *b = &box_of(s, want ? y : x)->as_unsigned;
		order(a, b, (op == OP_ULT) == want);
		number_or_none(s, x);
		number_or_none(s, y);
	} else if (op == OP_EQ && want) {
		meet(&box_of(s, x)->as_signed, box_of(s, y)->as_signed);
		meet(&box_of(s, x)->as_unsigned, box_of(s, y)->as_unsigned);
	}
}

/* True if the conditions are proved unsatisfiable. */
static bool refuted(struct intervals *s, const struct problem *q)
{
	dag_start(&s->dag, s->p);
	for (size_t i = 0; i < q->n; i++)
		dag_add(&s->dag, s->p, q->cond[i]);
	if (s->dag.n > MOST_NODES)
		return false;
	s->box = grow(s->box, &s->box_cap, expr_count(s->p) + 1, sizeof *s->box);
	s->empty = false;
	for (size_t k = 0; k < s->dag.n; k++)
		start(s, s->dag.node[k]);
	for (int round = 0; round < ROUNDS && !s->empty; round++) {
		for (size_t k = 0; k < s->dag.n; k++)
			compute(s, s->dag.node[k]);
		for (size_t i = 0; i < q->n && !s->empty; i++) {
			s->empty = !may(s, q->cond[i], true, DEPTH);
			narrow(s, q->cond[i], true, DEPTH);
		}
	}
	return s->empty;
}

static enum answer ask(struct layer *l, const struct problem *q)
{
	bool floats = false;
	for (size_t i = 0; i < q->n; i++)
		floats |= expr_has_float(l->chain->p, q->cond[i]);
	if (floats && refuted(l->state, q))
		return layer_own(l, ANSWER_UNSAT);
	return layer_pass(l, q);
}

static void close_layer(struct layer *l)
{
	struct intervals *s = l->state;
	dag_clear(&s->dag);
	free(s->box);
	free(s);
}

const struct layer_class layer_intervals = { "intervals", open_layer, ask, close_layer };
