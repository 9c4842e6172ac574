/* array: rules for READ and STORE. Accesses are bytewise: byte i of an access at offset o is at (o
 * + i) modulo 2^64. Bytes past the end read 0 and are not written. */
#include "lib/expr/rules.h"

/* The byte at a constant offset. 0: a STORE at a symbolic offset hides it. */
static expr byte_at(struct expr_pool *p, expr array, uint64_t at)
{
	u128 off;
	if (at >= pool_array_size(p, array))
		return pool_const(p, 8, 0);
	for (;;) {
		const struct expr_node n = *pool_node(p, array);
		if (n.op == OP_TABLE)
			return pool_const(p, 8, p->blob[n.a + at]);
		if (!rule_const(p, n.b, &off))
			return 0;
		uint64_t d = at - (uint64_t)off;
		if (d < rule_width(p, n.c) / 8)
			return rule_bits(p, (unsigned)d * 8, 8, n.c);
		array = n.a;
	}
}

expr rule_read(struct expr_pool *p, unsigned w, expr array, expr offset)
{
	u128 off;
	unsigned bytes = w / 8;
	if (rule_const(p, offset, &off)) {
		expr r = 0;
		for (unsigned i = 0; i < bytes; i++) {
			expr b = byte_at(p, array, (uint64_t)off + i);
			if (!b)
				return pool_intern(p, OP_READ, w, array, offset, 0);
			r = r ? rule_2(p, OP_CONCAT, 8 * (i + 1), b, r) : b;
		}
		return r;
	}
	const struct expr_node n = *pool_node(p, array);
	if (n.op == OP_TABLE && n.b == 0)
		return pool_const(p, w, 0);
	return pool_intern(p, OP_READ, w, array, offset, 0);
}

/* Omits a store of the value already there; replaces an earlier store at the same offset. */
expr rule_store(struct expr_pool *p, expr array, expr offset, expr value)
{
	const struct expr_node n = *pool_node(p, array);
	if (n.op == OP_STORE && n.b == offset && rule_width(p, n.c) == rule_width(p, value))
		array = n.a;
	return pool_intern(p, OP_STORE, 0, array, offset, value);
}
