/* op: the operations of symbolic expressions, one table for the runtime, the traces,
 * the expression pool and the solver engines.
 *
 * All values are bit-vectors of 1 to 128 bits. Operands of one operation have one width
 * unless said otherwise. Semantics are SMT-LIB's (FixedSizeBitVectors), total:
 * x/0 is all ones (unsigned) as there, shifts by width or more give 0 (ashr: the sign).
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
	OP(READ,    "read",    2) /* array a, byte offset b (64 bits); width 8n, little endian */

enum op {
#define OP(name, text, n) OP_##name,
	OP_LIST(OP)
#undef OP
	OP_COUNT
};

/* Arrays (TABLE, STORE) have width 0. An array has the size of its TABLE; a READ or
 * STORE past its end reads zero and writes nothing: traces carry a bounds condition
 * before every such access, so that no solved input gets there. */

/* Text of an operation; operand count; and the operation of a text (OP_NONE if none). */
const char *op_name(enum op op);
int op_arity(enum op op);
enum op op_find(const char *text);

#endif
