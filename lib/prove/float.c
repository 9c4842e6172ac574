/* float: numbers of 32 and 64 bits, bit for bit as the processor computes them (lib/protocol/op.h).
 * Results that depend on the compiler or library are fresh inputs: the bits of a computed NaN, and
 * conversions to an integer type that cannot hold the value. Numbers of other widths may have any
 * value, and so may all numbers in programs that change the direction of rounding, or that let
 * optimisers compute in another way (-ffast-math). */
#include "lib/prove/inner.h"

#include <string.h>

static const struct flow_operand *operand(
    const struct walk *w, const struct flow_inst *i, uint32_t k)
{
	return &prove_unit(w->m, w->frame)->operand[i->first + k];
}

/* ---- parts of a number */

static unsigned fraction_bits(unsigned width)
{
	return width == 32 ? 23 : 52;
}

static uint64_t infinity(unsigned width)
{
	unsigned f = fraction_bits(width);
	return ((UINT64_C(1) << (width - 1 - f)) - 1) << f;
}

static uint64_t quiet(unsigned width)
{
	return infinity(width) | UINT64_C(1) << (fraction_bits(width) - 1);
}

/* 2 to the power of k, or its negation. */
static expr power(struct encoding *m, unsigned width, unsigned k, bool negative)
{
	unsigned f = fraction_bits(width);
	uint64_t bias = (UINT64_C(1) << (width - 2 - f)) - 1;
	return prove_const(m, width, (bias + k) << f | (uint64_t)negative << (width - 1));
}

static expr magnitude(struct encoding *m, expr x)
{
	unsigned width = expr_width(m->pool, x);
	return expr_make(
	    m->pool, OP_AND, width, x, prove_const(m, width, (UINT64_C(1) << (width - 1)) - 1), 0);
}

static expr sign(struct encoding *m, expr x)
{
	unsigned width = expr_width(m->pool, x);
	return expr_make(
	    m->pool, OP_AND, width, x, prove_const(m, width, UINT64_C(1) << (width - 1)), 0);
}

static expr test(struct encoding *m, enum op op, expr a, expr b)
{
	return expr_make(m->pool, op, 1, a, b, 0);
}

/* ---- NaN */

/* A result whose bits are arbitrary if it is NaN. */
static expr settle(struct walk *w, expr x)
{
	struct encoding *m = w->m;
	unsigned width = expr_width(m->pool, x);
	expr number = test(m, OP_FEQ, x, x), any;
	if (prove_always(m, number))
		return x;
	any = expr_make(
	    m->pool, OP_OR, width, prove_fresh(m, width), prove_const(m, width, quiet(width)), 0);
	return prove_ite(m, number, x, any);
}

/* The value without the case of NaN that settle adds: for operations that do not distinguish NaNs,
 * or whose result is settled again. */
static expr plain(struct encoding *m, expr x)
{
	expr number, any;
	struct value v;
	if (expr_op(m->pool, x) != OP_ITE)
		return x;
	number = expr_operand(m->pool, x, 1);
	any = expr_operand(m->pool, x, 2);
	if (expr_operand(m->pool, x, 0) == test(m, OP_FEQ, number, number)
	    && expr_op(m->pool, any) == OP_OR
	    && (expr_is_const(m->pool, expr_operand(m->pool, any, 0), &v)
	        || expr_is_const(m->pool, expr_operand(m->pool, any, 1), &v))
	    && v.lo == quiet(expr_width(m->pool, x)))
		return number;
	return x;
}

static expr number(struct walk *w, const struct flow_inst *i, uint32_t k, unsigned width)
{
	return plain(w->m, prove_operand(w, operand(w, i, k), width));
}

/* ---- instructions */

static expr arithmetic(struct walk *w, const struct flow_inst *i, enum op op, unsigned width)
{
	expr a = number(w, i, 0, width), b = op_arity(op) == 2 ? number(w, i, 1, width) : 0;
	return settle(w, expr_make(w->m->pool, op, width, a, b, 0));
}

static expr negate(struct walk *w, const struct flow_inst *i)
{
	expr x = number(w, i, 0, i->width),
	     minus = prove_const(w->m, i->width, UINT64_C(1) << (i->width - 1));
	return settle(w, expr_make(w->m->pool, OP_XOR, i->width, x, minus, 0));
}

/* Ordered comparisons are false if an operand is NaN; unordered ones are the negations of ordered
 * ones. */
static expr compare(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	const char *how = i->name + 2;
	bool ordered = i->name[1] == 'o';
	expr a = number(w, i, 0, i->width), b = number(w, i, 1, i->width), e;
	if (!strcmp(i->name, "ford") || !strcmp(i->name, "funo")) {
		e = prove_and(m, test(m, OP_FEQ, a, a), test(m, OP_FEQ, b, b));
		return i->name[1] == 'o' ? e : expr_not(m->pool, e);
	}
	if (!ordered)
		how = !strcmp(how, "eq") ? "ne"
		    : !strcmp(how, "ne") ? "eq"
		    : !strcmp(how, "gt") ? "le"
		    : !strcmp(how, "ge") ? "lt"
		    : !strcmp(how, "lt") ? "ge"
		                         : "gt";
	e = !strcmp(how, "eq")   ? test(m, OP_FEQ, a, b)
	    : !strcmp(how, "lt") ? test(m, OP_FLT, a, b)
	    : !strcmp(how, "le") ? test(m, OP_FLE, a, b)
	    : !strcmp(how, "gt") ? test(m, OP_FLT, b, a)
	    : !strcmp(how, "ge") ? test(m, OP_FLE, b, a)
	                         : prove_or(m, test(m, OP_FLT, a, b), test(m, OP_FLT, b, a));
	return ordered ? e : expr_not(m->pool, e);
}

/* A conversion to an integer; the result is unconstrained if the value does not fit. */
static expr to_integer(struct walk *w, const struct flow_inst *i, unsigned from, bool is_signed)
{
	struct encoding *m = w->m;
	unsigned to = i->width, wide = to < 32 || (is_signed && to == 32) ? 32 : 64;
	expr x = number(w, i, 0, from), fits, value;
	fits = is_signed ? test(m, OP_FLE, power(m, from, to - 1, true), x)
	                 : test(m, OP_FLT, power(m, from, 0, true), x);
	fits = prove_and(m, fits, test(m, OP_FLT, x, power(m, from, to - is_signed, false)));
	value = expr_make(m->pool, is_signed || to <= 32 ? OP_FTOSI : OP_FTOUI, wide, x, 0, 0);
	return prove_ite(m, fits, prove_extract(m, 0, to, value), prove_fresh(m, to));
}

/* The mask has the classes of llvm.is.fpclass. Quiet and signalling NaNs are one class here. */
static expr classify(struct walk *w, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	unsigned width = i->width;
	uint64_t mask = (uint64_t)operand(w, i, 1)->value, inf = infinity(width);
	const struct {
		unsigned negative, positive;
		uint64_t from, to;
	} class[] = { { 0x20, 0x40, 0, 0 },
		{ 0x10, 0x80, 1, (UINT64_C(1) << fraction_bits(width)) - 1 },
		{ 0x08, 0x100, UINT64_C(1) << fraction_bits(width), inf - 1 },
		{ 0x04, 0x200, inf, inf } };
	expr x = number(w, i, 0, width), size = magnitude(m, x),
	     minus = prove_extract(m, width - 1, 1, x), any = prove_bool(m, false),
	     nan = test(m, OP_ULT, prove_const(m, width, inf), size);
	for (size_t k = 0; k < sizeof class / sizeof *class; k++) {
		bool no = mask & class[k].negative, yes = mask & class[k].positive;
		expr in = prove_and(m, test(m, OP_ULE, prove_const(m, width, class[k].from), size),
		    test(m, OP_ULE, size, prove_const(m, width, class[k].to)));
		if (no != yes)
			in = prove_and(m, in, no ? minus : expr_not(m->pool, minus));
		if (no || yes)
			any = prove_or(m, any, in);
	}
	if ((mask & 3) == 3)
		return prove_or(m, any, nan);
	return mask & 3 ? prove_or(m, any, prove_and(m, nan, prove_fresh(m, 1))) : any;
}

static const struct {
	const char *name;
	enum op op;
} same_width[] = {
	{ "fadd", OP_FADD },
	{ "fsub", OP_FSUB },
	{ "fmul", OP_FMUL },
	{ "fdiv", OP_FDIV },
	{ "fsqrt", OP_FSQRT },
	{ "fround.down", OP_FFLOOR },
	{ "fround.up", OP_FCEIL },
	{ "fround.zero", OP_FTRUNC },
	{ "fround.even", OP_FRINT },
	{ "fround.away", OP_FROUND },
};

static bool is_format(unsigned width)
{
	return width == 32 || width == 64;
}

static bool is_name(const struct flow_inst *i, const char *name)
{
	return !strcmp(i->name, name);
}

/* Converts between two formats, or between a format and integers. from: the width of the
 * operand. */
static expr convert(struct walk *w, const struct flow_inst *i, unsigned from)
{
	struct encoding *m = w->m;
	unsigned to = i->width;
	bool is_signed = i->name[strlen(i->name) - 1] == 's';
	if (!from || from > 64 || to > 64)
		return 0;
	if (is_name(i, "ftrunc") || is_name(i, "fext"))
		return is_format(from) && is_format(to) && from != to
		    ? settle(w, expr_make(m->pool, OP_FCVT, to, number(w, i, 0, from), 0, 0))
		    : 0;
	if (!strncmp(i->name, "fto.", 4))
		return is_format(from) && to > 1 ? to_integer(w, i, from, is_signed) : 0;
	return is_format(to) ? expr_make(m->pool, is_signed ? OP_SITOF : OP_UITOF, to,
	                           prove_operand(w, operand(w, i, 0), from), 0, 0)
	                     : 0;
}

expr prove_float(struct walk *w, const struct flow_inst *i, unsigned from)
{
	struct encoding *m = w->m;
	if (m->loose_numbers)
		return 0;
	if (is_name(i, "ftrunc") || is_name(i, "fext") || strchr(i->name, '.') == i->name + 3)
		return convert(w, i, from);
	if (!is_format(i->width))
		return 0;
	if (prove_width(i) == 1 && !is_name(i, "fclass"))
		return compare(w, i);
	if (is_name(i, "fneg"))
		return negate(w, i);
	if (is_name(i, "fabs"))
		return magnitude(m, prove_operand(w, operand(w, i, 0), i->width));
	if (is_name(i, "fcopysign"))
		return expr_make(m->pool, OP_OR, i->width,
		    magnitude(m, prove_operand(w, operand(w, i, 0), i->width)),
		    sign(m, prove_operand(w, operand(w, i, 1), i->width)), 0);
	if (is_name(i, "fclass"))
		return classify(w, i);
	for (size_t k = 0; k < sizeof same_width / sizeof *same_width; k++)
		if (is_name(i, same_width[k].name))
			return arithmetic(w, i, same_width[k].op, i->width);
	return 0;
}

/* ---- the C library */

static const struct {
	const char *name;
	enum op op;
} functions[] = {
	{ "sqrt", OP_FSQRT },
	{ "floor", OP_FFLOOR },
	{ "ceil", OP_FCEIL },
	{ "trunc", OP_FTRUNC },
	{ "rint", OP_FRINT },
	{ "nearbyint", OP_FRINT },
	{ "round", OP_FROUND },
	{ "fabs", OP_AND },
};

expr prove_float_call(struct walk *w, const char *name, const struct flow_inst *i)
{
	struct encoding *m = w->m;
	size_t n = strlen(name);
	unsigned width = i->width;
	if (m->loose_numbers || !is_format(width) || i->operands < 2
	    || operand(w, i, 1)->kind == '#')
		return 0;
	n -= width == 32 && n && name[n - 1] == 'f';
	for (size_t k = 0; k < sizeof functions / sizeof *functions; k++) {
		expr x;
		if (strlen(functions[k].name) != n || strncmp(functions[k].name, name, n))
			continue;
		if (width == 32 && name[n] != 'f')
			return 0;
		x = number(w, i, 1, width);
		return settle(w,
		    functions[k].op == OP_AND
		        ? magnitude(m, x)
		        : expr_make(m->pool, functions[k].op, width, x, 0, 0));
	}
	return 0;
}

/* Are there operations that optimisers may compute in another way? */
static bool is_loose(const struct flow *fl)
{
	for (size_t u = 0; u < fl->units; u++)
		for (size_t i = 0; i < fl->unit[u].insts; i++) {
			const struct flow_inst *it = &fl->unit[u].inst[i];
			if (it->op == FLOW_FLOAT && it->name && !strcmp(it->name, "ffast"))
				return true;
		}
	return false;
}

bool prove_is_loose(struct alias *a)
{
	static const char *const names[] = { "fesetround", "fesetenv", "feupdateenv",
		"feholdexcept", "llvm.set.rounding", "llvm.set.fpenv.i256",
		"llvm.x86.sse.ldmxcsr" };
	for (size_t i = 0; i < alias_calls(a); i++)
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			if (alias_call(a, i)->name && !strcmp(alias_call(a, i)->name, names[k]))
				return true;
	return is_loose(alias_flow(a));
}
