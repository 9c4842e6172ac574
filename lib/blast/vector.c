/* vector: circuits of the bit-vector operations. Constant bits of operands fold in the graph. */
#include "lib/blast/inner.h"

#include <string.h>

static void copy(unsigned w, const lit *a, lit *out)
{
	memcpy(out, a, w * sizeof *out);
}

static void fill(unsigned from, unsigned to, lit l, lit *out)
{
	for (unsigned i = from; i < to; i++)
		out[i] = l;
}

static void invert(unsigned w, const lit *a, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = lit_not(a[i]);
}

static void choose(struct aig *g, unsigned w, lit c, const lit *then, const lit *other, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_mux(g, c, then[i], other[i]);
}

/* out = a + b + carry; returns the carry out. out may be an operand. */
static lit add(struct aig *g, unsigned w, const lit *a, const lit *b, lit carry, lit *out)
{
	for (unsigned i = 0; i < w; i++) {
		lit x = a[i], y = b[i];
		out[i] = aig_xor(g, aig_xor(g, x, y), carry);
		carry = aig_majority(g, x, y, carry);
	}
	return carry;
}

/* out = a - b; returns 1 when no borrow occurs, i.e. a >= b. */
static lit subtract(struct aig *g, unsigned w, const lit *a, const lit *b, lit *out)
{
	lit no[BLAST_MOST + 1];
	invert(w, b, no);
	return add(g, w, a, no, LIT_TRUE, out);
}

/* c ? -a : a */
static void negate_if(struct aig *g, unsigned w, lit c, const lit *a, lit *out)
{
	lit carry = c;
	for (unsigned i = 0; i < w; i++) {
		lit x = aig_xor(g, a[i], c);
		out[i] = aig_xor(g, x, carry);
		carry = aig_and(g, x, carry);
	}
}

static unsigned constants(unsigned w, const lit *a)
{
	unsigned n = 0;
	for (unsigned i = 0; i < w; i++)
		n += a[i] <= LIT_TRUE;
	return n;
}

static void multiply(struct aig *g, unsigned w, const lit *a, const lit *b, lit *out)
{
	if (constants(w, a) > constants(w, b)) {
		const lit *t = a;
		a = b, b = t;
	}
	fill(0, w, LIT_FALSE, out);
	for (unsigned i = 0; i < w; i++) {
		lit row[BLAST_MOST];
		if (b[i] == LIT_FALSE)
			continue;
		for (unsigned k = 0; k < w - i; k++)
			row[k] = aig_and(g, a[k], b[i]);
		add(g, w - i, out + i, row, LIT_FALSE, out + i);
	}
}

/* Number of bits up to the highest that is not constant 0. */
static unsigned significant(unsigned w, const lit *a)
{
	while (w && a[w - 1] == LIT_FALSE)
		w--;
	return w;
}

/* Restoring division. Division by 0 gives all ones and the dividend, as in SMT-LIB. The remainder
 * never grows in a step and is less than the divisor after it, so its upper bits are known to be 0.
 * Either result may be NULL. */
static void divide(struct aig *g, unsigned w, const lit *a, const lit *b, lit *quotient, lit *rest)
{
	lit r[BLAST_MOST + 1], d[BLAST_MOST + 1], divisor[BLAST_MOST + 1];
	unsigned wb = significant(w, b);
	copy(w, b, divisor);
	divisor[w] = LIT_FALSE;
	fill(0, w + 1, LIT_FALSE, r);
	for (unsigned i = w; i-- > 0;) {
		memmove(r + 1, r, w * sizeof *r);
		r[0] = a[i];
		unsigned wr = significant(w + 1, r);
		lit fits = subtract(g, w + 1, r, divisor, d);
		if (quotient)
			quotient[i] = fits;
		choose(g, wr, fits, d, r, r);
		if (wr > wb)
			fill(wb, wr, LIT_FALSE, r); /* wrong if the divisor is 0; corrected below */
	}
	if (!rest)
		return;
	lit any = LIT_FALSE;
	for (unsigned i = 0; i < wb && wb < w; i++)
		any = aig_or(g, any, b[i]);
	if (wb < w)
		choose(g, w, any, r, a, rest);
	else
		copy(w, r, rest);
}

static void divide_signed(
    struct aig *g, unsigned w, const lit *a, const lit *b, lit *quotient, lit *rest)
{
	lit x[BLAST_MOST], y[BLAST_MOST], r[BLAST_MOST], na = a[w - 1], nb = b[w - 1];
	negate_if(g, w, na, a, x);
	negate_if(g, w, nb, b, y);
	divide(g, w, x, y, quotient ? r : NULL, rest ? r : NULL);
	if (quotient)
		negate_if(g, w, aig_xor(g, na, nb), r, quotient);
	else
		negate_if(g, w, na, r, rest);
}

/* Barrel shifter: one multiplexer stage per bit of b that shifts by less than w; any higher bit set
 * shifts everything out. */
static void shift(struct aig *g, enum op op, unsigned w, const lit *a, const lit *b, lit *out)
{
	lit empty = op == OP_ASHR ? a[w - 1] : LIT_FALSE, far = LIT_FALSE;
	unsigned stage = 0;
	copy(w, a, out);
	for (; stage < w && 1u << stage < w; stage++) {
		unsigned by = 1u << stage;
		lit from[BLAST_MOST];
		copy(w, out, from);
		for (unsigned i = 0; i < w; i++) {
			bool in = op == OP_SHL ? i >= by : i + by < w;
			lit moved = !in ? empty : op == OP_SHL ? from[i - by] : from[i + by];
			out[i] = aig_mux(g, b[stage], moved, from[i]);
		}
	}
	for (; stage < w; stage++)
		far = aig_or(g, far, b[stage]);
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_mux(g, far, empty, out[i]);
}

static lit equal(struct aig *g, unsigned w, const lit *a, const lit *b)
{
	lit all = LIT_TRUE;
	for (unsigned i = 0; i < w; i++)
		all = aig_and(g, all, lit_not(aig_xor(g, a[i], b[i])));
	return all;
}

/* a < b, or a <= b with `or_equal`: the carry of b - a. */
static lit less(
    struct aig *g, unsigned w, const lit *a, const lit *b, bool is_signed, bool or_equal)
{
	lit carry = or_equal ? LIT_TRUE : LIT_FALSE;
	for (unsigned i = 0; i < w; i++) {
		lit x = lit_not(a[i]), y = b[i];
		if (is_signed && i == w - 1)
			x = lit_not(x), y = lit_not(y);
		carry = aig_majority(g, x, y, carry);
	}
	return carry;
}

typedef lit gate2(struct aig *, lit, lit);

static void bitwise(struct aig *g, gate2 *gate, unsigned w, const lit *a, const lit *b, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = gate(g, a[i], b[i]);
}

bool blast_op(struct aig *g, enum op op, unsigned w, unsigned wa, unsigned wb, const lit *a,
    const lit *b, const lit *c, unsigned low, lit *out)
{
	switch (op) {
	case OP_ADD: add(g, w, a, b, LIT_FALSE, out); return true;
	case OP_SUB: subtract(g, w, a, b, out); return true;
	case OP_MUL: multiply(g, w, a, b, out); return true;
	case OP_UDIV: divide(g, w, a, b, out, NULL); return true;
	case OP_UREM: divide(g, w, a, b, NULL, out); return true;
	case OP_SDIV: divide_signed(g, w, a, b, out, NULL); return true;
	case OP_SREM: divide_signed(g, w, a, b, NULL, out); return true;
	case OP_AND: bitwise(g, aig_and, w, a, b, out); return true;
	case OP_OR: bitwise(g, aig_or, w, a, b, out); return true;
	case OP_XOR: bitwise(g, aig_xor, w, a, b, out); return true;
	case OP_SHL:
	case OP_LSHR:
	case OP_ASHR: shift(g, op, w, a, b, out); return true;
	case OP_NOT: invert(w, a, out); return true;
	case OP_NEG: negate_if(g, w, LIT_TRUE, a, out); return true;
	case OP_EQ: *out = equal(g, wa, a, b); return true;
	case OP_ULT:
	case OP_ULE: *out = less(g, wa, a, b, false, op == OP_ULE); return true;
	case OP_SLT:
	case OP_SLE: *out = less(g, wa, a, b, true, op == OP_SLE); return true;
	case OP_ITE: choose(g, w, *a, b, c, out); return true;
	case OP_CONCAT: copy(wb, b, out), copy(wa, a, out + wb); return true;
	case OP_EXTRACT: copy(w, a + low, out); return true;
	case OP_ZEXT:
	case OP_SEXT:
		copy(wa, a, out), fill(wa, w, op == OP_ZEXT ? LIT_FALSE : a[wa - 1], out);
		return true;
	default: return op_is_float(op) && blast_float(g, op, w, wa, a, b, out);
	}
}

void blast_const(unsigned w, struct value v, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = (i < 64 ? v.lo >> i : v.hi >> (i - 64)) & 1;
}

void blast_inputs(struct aig *g, unsigned w, lit *out)
{
	for (unsigned i = 0; i < w; i++)
		out[i] = aig_input(g);
}
