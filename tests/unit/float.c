/* float: operations on floating-point numbers against what the processor does, on random and on
 * awkward patterns, and against Z3's theory. */
#include "lib/engine/engine.h"
#include "lib/expr/bits.h"
#include "lib/protocol/float.h"
#include "tests/unit/tap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned exponent_of(unsigned w)
{
	return w == 32 ? 8 : w == 64 ? 11 : 15;
}
static unsigned fraction_of(unsigned w)
{
	return w == 32 ? 23 : w == 64 ? 52 : 63;
}

/* A pattern of w bits: any, or one with an awkward exponent or fraction, or near a whole number. */
static u128 pattern(unsigned w)
{
	unsigned f = fraction_of(w), e = exponent_of(w);
	uint64_t bias = (1ull << (e - 1)) - 1, exponent = draw() & ((1ull << e) - 1);
	uint64_t fraction = draw() & (uint64_t)bits_mask(f);
	switch (draw() % 8) {
	case 0: exponent = 0; break;
	case 1: exponent = (1ull << e) - 1; break;
	case 2:
	case 3:
	case 4: exponent = bias - 3 + draw() % 70; break;
	case 5: exponent = bias + draw() % 3; break;
	default: break;
	}
	switch (draw() % 6) {
	case 0: fraction = 0; break;
	case 1: fraction = 1; break;
	case 2: fraction = (uint64_t)bits_mask(f); break;
	case 3: fraction &= (uint64_t)bits_mask(f) << (f - 4 - draw() % (f - 4)); break;
	default: break;
	}
	u128 v = (u128)(draw() & 1) << (w - 1) | fraction;
	v |= (u128)exponent << (w == 80 ? 64 : f);
	return w == 80 && exponent ? v | (u128)1 << 63 : v;
}

#define TO(type, name) \
	static type name##_of(u128 v) \
	{ \
		type x = 0; \
		memcpy(&x, &v, sizeof x < 16 ? sizeof x : 10); \
		return x; \
	} \
	static u128 of_##name(type x) \
	{ \
		u128 v = 0; \
		memcpy(&v, &x, sizeof x < 16 ? sizeof x : 10); \
		return v; \
	} \
	static u128 host_##name(enum op op, u128 a, u128 b) \
	{ \
		volatile type x = name##_of(a), y = name##_of(b), r = 0; \
		switch (op) { \
		case OP_FADD: r = x + y; break; \
		case OP_FSUB: r = x - y; break; \
		case OP_FMUL: r = x * y; break; \
		case OP_FDIV: r = x / y; break; \
		case OP_FREM: \
			r = _Generic(r, float: fmodf, double: fmod, default: fmodl)(x, y); \
			break; \
		case OP_FSQRT: \
			r = _Generic(r, float: sqrtf, double: sqrt, default: sqrtl)(x); \
			break; \
		case OP_FFLOOR: \
			r = _Generic(r, float: floorf, double: floor, default: floorl)(x); \
			break; \
		case OP_FCEIL: \
			r = _Generic(r, float: ceilf, double: ceil, default: ceill)(x); \
			break; \
		case OP_FTRUNC: \
			r = _Generic(r, float: truncf, double: trunc, default: truncl)(x); \
			break; \
		case OP_FRINT: \
			r = _Generic(r, float: rintf, double: rint, default: rintl)(x); \
			break; \
		case OP_FROUND: \
			r = _Generic(r, float: roundf, double: round, default: roundl)(x); \
			break; \
		case OP_FEQ: return x == y; \
		case OP_FLT: return x < y; \
		case OP_FLE: return x <= y; \
		default: break; \
		} \
		return of_##name(r); \
	} \
	static u128 name##_from(enum op op, unsigned wa, u128 a) \
	{ \
		volatile int32_t i = (int32_t)a; \
		volatile int64_t l = (int64_t)a; \
		volatile i128 q = (i128)a; \
		bool s = op == OP_SITOF; \
		return of_##name(wa == 32 ? s ? (type)i : (type)(uint32_t)i \
		        : wa == 64        ? s ? (type)l : (type)(uint64_t)l \
		        : s               ? (type)q \
		                          : (type)(u128)q); \
	} \
	static u128 name##_to(enum op op, unsigned w, u128 a) \
	{ \
		volatile type x = name##_of(a); \
		return bits_cut(w == 32  ? (u128)(int32_t)x \
		        : op == OP_FTOSI ? (u128)(int64_t)x \
		                         : (u128)(uint64_t)x, \
		    w); \
	}
TO(float, single)
TO(double, wide)
typedef long double extended;
TO(extended, extended)

static u128 host(enum op op, unsigned w, u128 a, u128 b)
{
	return w == 32 ? host_single(op, a, b)
	    : w == 64  ? host_wide(op, a, b)
	               : host_extended(op, a, b);
}

/* Which NaN an operation of libm makes of NaNs is its own affair. */
static bool same(enum op op, unsigned w, u128 a, u128 b)
{
	bool loose = op >= OP_FREM && op <= OP_FROUND;
	return a == b || (loose && duct_float_nan(w, a) && duct_float_nan(w, b));
}

static void test_arithmetic(unsigned w)
{
	char what[64];
	for (enum op op = OP_FADD; op <= OP_FLE; op++) {
		bool cmp = op >= OP_FEQ, good = true;
		for (int i = 0; i < 20000 && good; i++) {
			u128 a = pattern(w), b = op_arity(op) == 1 ? 0 : i % 7 ? pattern(w) : a;
			/* two NaNs: which comes first is the compiler's choice */
			if (!cmp && duct_float_nan(w, a) && duct_float_nan(w, b))
				continue;
			u128 have = duct_float_eval(op, cmp ? 1 : w, w, a, b),
			     want = host(op, w, a, b);
			good = cmp ? have == want : same(op, w, have, want);
			if (!good)
				printf(
				    "# %s %llx:%016llx %llx:%016llx: %llx:%016llx, processor: %llx:%016llx\n",
				    op_name(op), (long long)(a >> 64), (long long)a,
				    (long long)(b >> 64), (long long)b, (long long)(have >> 64),
				    (long long)have, (long long)(want >> 64), (long long)want);
		}
		snprintf(what, sizeof what, "%s of %u bits is the processor's", op_name(op), w);
		ok(good, what);
	}
}

static u128 host_convert(unsigned w, unsigned wa, u128 a)
{
	volatile float s = wa == 32 ? single_of(a) : 0;
	volatile double d = wa == 64 ? wide_of(a) : 0;
	volatile extended x = wa == 80 ? extended_of(a) : 0;
	switch (w) {
	case 32: return of_single(wa == 64 ? (float)d : (float)x);
	case 64: return of_wide(wa == 32 ? (double)s : (double)x);
	default: return of_extended(wa == 32 ? (extended)s : (extended)d);
	}
}

static void test_conversions(unsigned w)
{
	bool formats = true, from = true, to = true;
	for (int i = 0; i < 30000; i++) {
		static const unsigned format[] = { 32, 64, 80 }, width[] = { 32, 64, 128 };
		unsigned wa = format[draw() % 3], wi = width[draw() % 3],
		         shift = (unsigned)(draw() % wi);
		u128 a = pattern(wa), n = bits_cut(((u128)draw() << 64 | draw()) >> shift, wi),
		     v = pattern(w);
		enum op op = draw() % 2 ? OP_SITOF : OP_UITOF,
		        back = draw() % 2 ? OP_FTOSI : OP_FTOUI;
		if (w != wa)
			formats &= duct_float_eval(OP_FCVT, w, wa, a, 0) == host_convert(w, wa, a);
		from &= duct_float_eval(op, w, wi, n, 0)
		    == (w == 32       ? single_from(op, wi, n)
		            : w == 64 ? wide_from(op, wi, n)
		                      : extended_from(op, wi, n));
		wi = back == OP_FTOUI || draw() % 2 ? 64 : 32;
		to &= duct_float_eval(back, wi, w, v, 0)
		    == (w == 32       ? single_to(back, wi, v)
		            : w == 64 ? wide_to(back, wi, v)
		                      : extended_to(back, wi, v));
	}
	ok(formats, "conversions between formats are the processor's");
	ok(from, "conversions from integers are the compiler's");
	ok(to, "conversions to integers are the compiler's, out of range too");
}

/* ---- against Z3 */

static expr input(struct expr_pool *p, const char *name, unsigned w)
{
	return expr_input(p, expr_var(p, name, INPUT_FLOAT, w));
}

static expr is(struct expr_pool *p, expr e, u128 v)
{
	return expr_make(p, OP_EQ, 1, e, expr_const(p, expr_width(p, e), bits_value(v)), 0);
}

/* a == va and b == vb and op(a, b) != what we say. */
static enum engine_answer contradicts(
    struct engine *z, struct expr_pool *p, enum op op, unsigned w, unsigned wa, u128 va, u128 vb)
{
	char x[8], y[8];
	snprintf(x, sizeof x, "a%u", wa);
	snprintf(y, sizeof y, "b%u", wa);
	expr a = input(p, x, wa), b = input(p, y, wa),
	     e = expr_make(p, op, w, a, op_arity(op) > 1 ? b : 0, 0);
	u128 r = duct_float_eval(op, w, wa, va, op_arity(op) > 1 ? vb : 0);
	expr cond[] = { is(p, a, va), is(p, b, vb), expr_not(p, is(p, e, r)) };
	return z->class->check(z, cond, 3, 10);
}

static void test_z3(void)
{
	static const unsigned format[] = { 32, 64, 80 };
	struct expr_pool *p = expr_pool_new();
	char *error = NULL, what[64];
	struct engine *z = engine_find("z3")->open(p, &error);
	if (!z) {
		printf("# %s\n", error);
		free(error);
		expr_pool_free(p);
		return;
	}
	for (enum op op = OP_FADD; op <= OP_FTOUI; op++) {
		int wrong = 0, said = 0;
		for (int i = 0; i < 12; i++) {
			unsigned wa = format[i % 3], w = op >= OP_FEQ && op <= OP_FLE ? 1 : wa;
			u128 a = pattern(wa), b = pattern(wa);
			if (op == OP_FCVT)
				w = format[(i + 1 + i / 3 % 2) % 3];
			if (op == OP_SITOF || op == OP_UITOF)
				a = draw() % 2 ? draw() : (u128)draw() << 16 >> draw() % 64,
				a = bits_cut(a, wa);
			if (op == OP_FTOSI || op == OP_FTOUI)
				w = i % 2 ? 64 : 32;
			enum engine_answer r = contradicts(z, p, op, w, wa, a, b);
			bool loose = op == OP_FREM
			    || (wa == 80 && duct_float_nan(80, a) && duct_float_nan(80, b));
			said += r == ENGINE_UNSAT;
			if (r == ENGINE_SAT && !loose) {
				wrong++;
				printf("# %s %u %u %llx:%016llx %llx:%016llx\n", op_name(op), w, wa,
				    (long long)(a >> 64), (long long)a, (long long)(b >> 64),
				    (long long)b);
			}
		}
		snprintf(what, sizeof what, "Z3 agrees on %s", op_name(op));
		ok(!wrong && (said || op == OP_FREM), what);
	}
	z->class->close(z);
	expr_pool_free(p);
}

/* Rules must not change values. */
static void test_rules(void)
{
	struct expr_pool *p = expr_pool_new();
	struct assignment a = { 0 };
	bool good = true;
	for (int i = 0; i < 20000 && good; i++) {
		expr s = input(p, "s", 32), t = input(p, "t", 32), d = input(p, "d", 64);
		u128 vs = pattern(32), vt = draw() % 4 ? pattern(32) : vs, vd = pattern(64),
		     k = pattern(64);
		enum op op = OP_FEQ + draw() % 3;
		if (draw() % 2)
			k = duct_float_eval(OP_FCVT, 64, 32, draw() % 2 ? vs : pattern(32), 0);
		expr wide_s = expr_make(p, OP_FCVT, 64, s, 0, 0),
		     wide_t = expr_make(p, OP_FCVT, 64, t, 0, 0);
		expr ks = expr_const(p, 64, bits_value(k));
		expr left[] = { wide_s, wide_s, ks, d, d, s, expr_make(p, OP_SITOF, 64, s, 0, 0) };
		expr right[] = { wide_t, ks, wide_t, d, ks, s,
			expr_make(p, OP_SITOF, 64, t, 0, 0) };
		size_t n = draw() % 7;
		u128 x[] = { duct_float_eval(OP_FCVT, 64, 32, vs, 0),
			duct_float_eval(OP_FCVT, 64, 32, vs, 0), k, vd, vd, vs,
			duct_float_eval(OP_SITOF, 64, 32, vs, 0) };
		u128 y[] = { duct_float_eval(OP_FCVT, 64, 32, vt, 0), k,
			duct_float_eval(OP_FCVT, 64, 32, vt, 0), vd, k, vs,
			duct_float_eval(OP_SITOF, 64, 32, vt, 0) };
		assignment_set(&a, expr_input_var(p, s), bits_value(vs));
		assignment_set(&a, expr_input_var(p, t), bits_value(vt));
		assignment_set(&a, expr_input_var(p, d), bits_value(vd));
		expr e = expr_make(p, op, 1, left[n], right[n], 0);
		good = e
		    && expr_eval(p, e, &a).lo
		        == (uint64_t)duct_float_eval(op, 1, n == 5 ? 32 : 64, x[n], y[n]);
		if (!good)
			printf("# %s form %zu %llx %llx\n", op_name(op), n, (long long)x[n],
			    (long long)y[n]);
	}
	ok(good, "simplified comparisons keep their values");
	assignment_clear(&a);
	expr_pool_free(p);
}

static void test_text(void)
{
	struct expr_pool *p = expr_pool_new();
	expr x = input(p, "x", 64), half = expr_const(p, 64, bits_value(of_wide(0.5)));
	expr e = expr_make(p, OP_FLT, 1, expr_make(p, OP_FADD, 64, x, half, 0),
	    expr_make(p, OP_FSQRT, 64, x, 0, 0), 0);
	char *text = expr_text(p, e);
	ok(strcmp(text, "(x +. 0.5) <. fsqrt(x)") == 0, "text of an expression");
	free(text);
	expr_pool_free(p);
}

int main(void)
{
	for (unsigned w = 32; w <= 80; w += w == 32 ? 32 : 16) {
		test_arithmetic(w);
		test_conversions(w);
	}
	test_rules();
	test_text();
	test_z3();
	return finish();
}
