/* Symbolic sizes. A size is decided as far as its class: one of 16, 64, 256, ... bytes that hold
 * it. An object of such a size gets as much room as its class, and keeps the size as its limit, so
 * that all runs of a class are alike. Copies of symbolic length are decided the same way. */
#include "lib/runtime/rt.h"

static bool at_most(struct duct_unit *u, uint32_t place, struct duct_term n, uint64_t most)
{
	struct duct_term in = duct_t_binary(OP_ULE, n, duct_constant(64, most));

	duct_model_condition(u, place, in);
	return in.v != 0;
}

size_t duct_room(struct duct_unit *u, uint32_t place, struct duct_term n, size_t largest)
{
	size_t room = 16;

	while (room < largest && !at_most(u, place, n, room))
		room *= 4;
	if (room < largest)
		return room;
	return at_most(u, place, n, largest) ? largest : 0;
}

struct duct_term duct_size_term(duct_node node, uint64_t value)
{
	struct duct_term t = node ? duct_term(node) : duct_constant(64, value);

	if (node && duct_implied(node, 4))
		t = duct_constant(t.w, t.v);
	return t.w < 64 ? duct_t_extend(OP_ZEXT, 64, t) : t;
}

bool duct_is_product(duct_node n)
{
	const struct channel_node *p = duct_at(n);

	while (p->op == OP_ZEXT || p->op == OP_SEXT || p->op == OP_EXTRACT
	    || (p->op == OP_MUL && duct_at(p->b)->op == OP_CONST))
		p = duct_at(p->a);
	return p->op == OP_MUL && duct_at(p->a)->op != OP_CONST;
}
