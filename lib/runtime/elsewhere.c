/* elsewhere: what an expression is worth when objects lie at other addresses, aligned to 16 bytes
 * as in tests: a result that differs then is not compared. */
#include "lib/runtime/rt.h"

enum { MOST = 1 << 16 }; /* expressions that are examined */

/* Each object moves by a distance of its own. */
static uint64_t moved(uint64_t address)
{
	const struct duct_object *o = duct_is_address(address) ? duct_object_at(address) : NULL;
	uint64_t base = o ? o->base : address;

	return address + ((base >> 4) * 0x9e3779b97f4a7c15u >> 44 << 4) + 0x5550;
}

static duct_wide convert(const struct channel_node *p, duct_wide a, duct_wide old)
{
	uint32_t from = duct_at(p->a)->width;

	switch (p->op) {
	case OP_EXTRACT: return a >> p->c & duct_mask(p->width);
	case OP_ZEXT: return a;
	case OP_SEXT: return duct_sign_extend(a, from, p->width);
	case OP_NOT:
	case OP_NEG: return duct_eval((enum op)p->op, p->width, a, 0);
	default: return op_is_float((enum op)p->op) ? duct_float(p->op, p->width, from, a, 0) : old;
	}
}

/* The node's value, given those of its operands; its value in this run where that is not known. */
static duct_wide value_of(duct_node n, const duct_wide *v)
{
	const struct channel_node *p = duct_at(n);
	duct_wide old = duct_value(n);

	switch (p->op) {
	case OP_CONST: return p->width == 64 && duct_is_address(p->value) ? moved(p->value) : old;
	case OP_INPUT:
	case OP_TABLE:
	case OP_STORE:
	case OP_READ: return old;
	case OP_ITE: return v[p->a] ? v[p->b] : v[p->c];
	case OP_CONCAT: return v[p->a] << duct_at(p->b)->width | v[p->b];
	default: break;
	}
	if (duct_arity[p->op] < 2)
		return convert(p, v[p->a], old);
	if (op_is_float((enum op)p->op))
		return duct_float((enum op)p->op, p->width, duct_at(p->a)->width, v[p->a], v[p->b]);
	return duct_eval((enum op)p->op, duct_at(p->a)->width, v[p->a], v[p->b]);
}

/* By expression; those up to `known`. */
static duct_wide *value;
static duct_node known;

bool duct_differs_elsewhere(duct_node n)
{
	if (!n || n > MOST)
		return false;
	if (!value)
		value = duct_arena((MOST + 1) * sizeof *value);
	while (known < n) {
		known++;
		value[known] = value_of(known, value);
	}
	return value[n] != duct_value(n);
}

struct duct_term duct_is_number(duct_node n)
{
	const struct channel_node *p = duct_at(n);

	if (p->op == OP_ITE)
		return duct_t_ite(duct_term(p->a), duct_is_number(p->b), duct_is_number(p->c));
	return duct_constant(1, p->op != OP_CONST || !duct_is_address(p->value));
}
