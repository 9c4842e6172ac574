/* rules: simplification on construction. Each function takes operands that are not all constant and
 * returns an equal expression in the normal form below. Each rule reduces its operands or moves
 * towards the normal form, so rewriting terminates.
 *
 * Normal form: constants are on the right (except SUB(k, x), ULT(k, x) and SLT(k, x)); comparisons
 * with constants are strict; shifts by constants are CONCAT, ZEXT, SEXT and EXTRACT; concatenations
 * nest to the right; ZEXT is outside bitwise operations. Private to lib/expr. */
#ifndef DUCT_RULES_H
#define DUCT_RULES_H

#include "lib/expr/pool.h"

expr rule_arith(struct expr_pool *p, enum op op, unsigned w, expr a, expr b);  /* ADD SUB MUL NEG */
expr rule_divide(struct expr_pool *p, enum op op, unsigned w, expr a, expr b); /* xDIV xREM */
expr rule_bitwise(struct expr_pool *p, enum op op, unsigned w, expr a, expr b); /* AND OR XOR NOT */
expr rule_shift(struct expr_pool *p, enum op op, unsigned w, expr a, expr b);
expr rule_equal(struct expr_pool *p, expr a, expr b);
expr rule_compare(struct expr_pool *p, enum op op, expr a, expr b);
expr rule_float(struct expr_pool *p, enum op op, unsigned w, expr a, expr b);
expr rule_float_compare(struct expr_pool *p, enum op op, expr a, expr b); /* FEQ FLT FLE */
/* Compares a number that an integer decides with a constant (monotone.c). 0: no rule. */
expr rule_monotone(struct expr_pool *p, enum op op, expr a, expr b);
expr rule_ite(struct expr_pool *p, unsigned w, expr c, expr a, expr b);
expr rule_extend(struct expr_pool *p, enum op op, unsigned w, expr a);
expr rule_extract(struct expr_pool *p, unsigned w, expr a, unsigned low);
expr rule_concat(struct expr_pool *p, unsigned w, expr a, expr b);
expr rule_read(struct expr_pool *p, unsigned w, expr array, expr offset);
expr rule_store(struct expr_pool *p, expr array, expr offset, expr value);

/* expr_make for operands that are known to be valid. */
expr rule_make(struct expr_pool *p, enum op op, unsigned w, expr a, expr b, uint32_t c);
static inline expr rule_2(struct expr_pool *p, enum op op, unsigned w, expr a, expr b)
{
	return rule_make(p, op, w, a, b, 0);
}
static inline expr rule_1(struct expr_pool *p, enum op op, unsigned w, expr a)
{
	return rule_make(p, op, w, a, 0, 0);
}
static inline expr rule_bits(struct expr_pool *p, unsigned low, unsigned w, expr a)
{
	return rule_make(p, OP_EXTRACT, w, a, 0, low);
}

/* Number of leading bits that are always 0. */
unsigned rule_zeros(const struct expr_pool *p, expr e);

static inline enum op rule_op(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->op;
}
static inline unsigned rule_width(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->width;
}
static inline bool rule_const(const struct expr_pool *p, expr e, u128 *v)
{
	const struct expr_node *n = pool_node(p, e);
	if (n->op != OP_CONST)
		return false;
	*v = pool_const_value(p, n);
	return true;
}
/* Matches a = ITE(c, k1, k2) with constants k1, k2. */
static inline bool rule_choice(const struct expr_pool *p, expr a, expr *c, u128 *k1, u128 *k2)
{
	const struct expr_node *n = pool_node(p, a);
	if (n->op != OP_ITE || !rule_const(p, n->b, k1) || !rule_const(p, n->c, k2))
		return false;
	*c = n->a;
	return true;
}

#endif
