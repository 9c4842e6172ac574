/* op: the operations of symbolic expressions, one table for the runtime, the traces,
 * the expression pool and the solver engines.
 *
 * All values are bit-vectors of 1 to 128 bits. Operands of one operation have one width
 * unless said otherwise. Semantics are SMT-LIB's (FixedSizeBitVectors), total:
 * x/0 is all ones (unsigned) as there, shifts by width or more give 0 (ashr: the sign).
 *
 * A floating-point number is the vector of its bits: 32 and 64 bits are IEEE's formats, 80
 * the x87's with its explicit integer bit. Results are rounded to nearest, ties to even.
 * A result that is no number is what SSE and x87 make: the first operand that is none, made
 * quiet (of two 80-bit ones the larger significand), else the format's default, whose sign
 * is set. lib/expr/float.h computes them. Negation, absolute value and the like are plain
 * bit operations.
 *
 *   OP(NAME, "text", operands)
 */
#ifndef DUCT_OP_H
#define DUCT_OP_H

#include <stdint.h>

#define OP_LIST(OP) \
	OP(NONE,    "none",    0) \
	OP(INPUT,   "input",   0) /* a = index of the input variable */ \
	OP(CONST,   "const",   0) /* value; up to 64 bits, wider ones are CONCATs */ \
	OP(ADD,     "add",     2) \
	OP(SUB,     "sub",     2) \
	OP(MUL,     "mul",     2) \
	OP(UDIV,    "udiv",    2) \
	OP(SDIV,    "sdiv",    2) /* truncates towards zero, as C */ \
	OP(UREM,    "urem",    2) \
	OP(SREM,    "srem",    2) /* sign of the dividend, as C */ \
	OP(AND,     "and",     2) \
	OP(OR,      "or",      2) \
	OP(XOR,     "xor",     2) \
	OP(SHL,     "shl",     2) \
	OP(LSHR,    "lshr",    2) \
	OP(ASHR,    "ashr",    2) \
	OP(NOT,     "not",     1) \
	OP(NEG,     "neg",     1) \
	OP(EQ,      "eq",      2) /* comparisons have width 1 */ \
	OP(ULT,     "ult",     2) \
	OP(ULE,     "ule",     2) \
	OP(SLT,     "slt",     2) \
	OP(SLE,     "sle",     2) \
	OP(ITE,     "ite",     3) /* a has width 1 */ \
	OP(CONCAT,  "concat",  2) /* a is the high part; width = sum */ \
	OP(EXTRACT, "extract", 1) /* c = lowest bit; width = bits taken */ \
	OP(ZEXT,    "zext",    1) \
	OP(SEXT,    "sext",    1) \
	OP(TABLE,   "table",   0) /* an array: a = offset into the blob, b = bytes */ \
	OP(STORE,   "store",   3) /* array a, byte offset b (64 bits), value c (8n bits), little endian */ \
	OP(READ,    "read",    2) /* array a, byte offset b (64 bits); width 8n, little endian */ \
	OP(FADD,    "fadd",    2) \
	OP(FSUB,    "fsub",    2) \
	OP(FMUL,    "fmul",    2) \
	OP(FDIV,    "fdiv",    2) \
	OP(FREM,    "frem",    2) /* exact; sign of the dividend, as fmod */ \
	OP(FSQRT,   "fsqrt",   1) \
	OP(FFLOOR,  "ffloor",  1) \
	OP(FCEIL,   "fceil",   1) \
	OP(FTRUNC,  "ftrunc",  1) \
	OP(FRINT,   "frint",   1) /* to nearest, ties to even */ \
	OP(FROUND,  "fround",  1) /* to nearest, ties away from 0 */ \
	OP(FEQ,     "feq",     2) /* false if one is no number, and so are */ \
	OP(FLT,     "flt",     2) \
	OP(FLE,     "fle",     2) \
	OP(FCVT,    "fcvt",    1) /* from the format of a to that of the width */ \
	OP(SITOF,   "sitof",   1) \
	OP(UITOF,   "uitof",   1) \
	OP(FTOSI,   "ftosi",   1) /* towards 0; out of range: the sign bit alone, as x86 */ \
	OP(FTOUI,   "ftoui",   1) /* from half the range on: FTOSI of half the range less, plus it */

enum op {
#define OP(name, text, n) OP_##name,
	OP_LIST(OP)
#undef OP
	OP_COUNT
};

/* Arrays (TABLE, STORE) have width 0. An array has the size of its TABLE; a READ or
 * STORE past its end reads zero and writes nothing: traces carry a bounds condition
 * before every such access, so that no solved input gets there. */

/* Is it of floating-point numbers? */
static inline int op_is_float(enum op op) { return op >= OP_FADD && op <= OP_FTOUI; }

/* Text of an operation; operand count; and the operation of a text (OP_NONE if none). */
const char *op_name(enum op op);
int op_arity(enum op op);
enum op op_find(const char *text);

#endif
