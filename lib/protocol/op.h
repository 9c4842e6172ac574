/* op: the operations of symbolic expressions; one table for the runtime, the traces, the expression
 * pool and the engines.
 *
 * All values are bit-vectors of 1 to 128 bits. The operands of an operation have the same width
 * unless noted. Semantics are those of SMT-LIB (FixedSizeBitVectors), total: unsigned x/0 is all
 * ones; shifts by the width or more give 0 (ASHR: copies of the sign).
 *
 * A floating-point number is the vector of its bits: 32 and 64 bits are IEEE formats, 80 bits the
 * x87 format with its explicit integer bit. Results are rounded to nearest, ties to even. A NaN
 * result is the one of SSE and x87: the first NaN operand, made quiet (of two 80-bit ones that with
 * the larger significand), else the format's default NaN, whose sign bit is set.
 * lib/protocol/float.h computes them. Negation, absolute value and similar are plain bit
 * operations.
 *
 * OP(NAME, "text", operands) */
#ifndef DUCT_OP_H
#define DUCT_OP_H

#include <stdint.h>

#define OP_LIST(OP) \
	OP(NONE, "none", 0) \
	OP(INPUT, "input", 0) /* a = index of the input variable */ \
	OP(CONST, "const", 0) /* value; up to 64 bits, wider ones are CONCATs */ \
	OP(ADD, "add", 2) \
	OP(SUB, "sub", 2) \
	OP(MUL, "mul", 2) \
	OP(UDIV, "udiv", 2) \
	OP(SDIV, "sdiv", 2) /* truncates towards zero, as C */ \
	OP(UREM, "urem", 2) \
	OP(SREM, "srem", 2) /* sign of the dividend, as C */ \
	OP(AND, "and", 2) \
	OP(OR, "or", 2) \
	OP(XOR, "xor", 2) \
	OP(SHL, "shl", 2) \
	OP(LSHR, "lshr", 2) \
	OP(ASHR, "ashr", 2) \
	OP(NOT, "not", 1) \
	OP(NEG, "neg", 1) \
	OP(EQ, "eq", 2) /* comparisons have width 1 */ \
	OP(ULT, "ult", 2) \
	OP(ULE, "ule", 2) \
	OP(SLT, "slt", 2) \
	OP(SLE, "sle", 2) \
	OP(ITE, "ite", 3)         /* a has width 1 */ \
	OP(CONCAT, "concat", 2)   /* a is the high part; width = sum */ \
	OP(EXTRACT, "extract", 1) /* c = lowest bit; width = bits taken */ \
	OP(ZEXT, "zext", 1) \
	OP(SEXT, "sext", 1) \
	OP(TABLE, "table", 0) /* an array: a = offset into the blob, b = bytes */ \
	OP(STORE, "store", \
	    3) /* array a, byte offset b (64 bits), value c (8n bits), little endian */ \
	OP(READ, "read", 2) /* array a, byte offset b (64 bits); width 8n, little endian */ \
	OP(FADD, "fadd", 2) \
	OP(FSUB, "fsub", 2) \
	OP(FMUL, "fmul", 2) \
	OP(FDIV, "fdiv", 2) \
	OP(FREM, "frem", 2) /* exact; sign of the dividend, as fmod */ \
	OP(FSQRT, "fsqrt", 1) \
	OP(FFLOOR, "ffloor", 1) \
	OP(FCEIL, "fceil", 1) \
	OP(FTRUNC, "ftrunc", 1) \
	OP(FRINT, "frint", 1)   /* to nearest, ties to even */ \
	OP(FROUND, "fround", 1) /* to nearest, ties away from 0 */ \
	OP(FEQ, "feq", 2)       /* FEQ, FLT, FLE: false if an operand is NaN */ \
	OP(FLT, "flt", 2) \
	OP(FLE, "fle", 2) \
	OP(FCVT, "fcvt", 1) /* from the format of a to that of the result */ \
	OP(SITOF, "sitof", 1) \
	OP(UITOF, "uitof", 1) \
	OP(FTOSI, "ftosi", 1) /* towards 0; out of range: only the sign bit set, as on x86 */ \
	OP(FTOUI, "ftoui", 1) /* x < 2^(w-1): FTOSI(x); else FTOSI(x - 2^(w-1)) + 2^(w-1) */

enum op {
#define OP(name, text, n) OP_##name,
	OP_LIST(OP)
#undef OP
	    OP_COUNT
};

/* Arrays (TABLE, STORE) have width 0 and the size of their TABLE. A READ or STORE past the end
 * reads zero and writes nothing. Traces have a bounds condition before every such access, so no
 * solved input does that. */

/* Is it a floating-point operation? */
static inline int op_is_float(enum op op)
{
	return op >= OP_FADD && op <= OP_FTOUI;
}

/* Text of an operation; its operand count; the operation with a text (OP_NONE if none). */
const char *op_name(enum op op);
int op_arity(enum op op);
enum op op_find(const char *text);

#endif
