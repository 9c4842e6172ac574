/* Pointers that may point to one of several things: the run decides which, and says so in
 * path conditions, one case after the other in an order that does not depend on the
 * input; a search flips them like branches. */
#include "lib/runtime/rt.h"

static void add_case(struct duct_cases *c, uint64_t v)
{
	for (size_t i = 0; i < c->n; i++)
		if (c->value[i] == v)
			return;
	if (c->n == DUCT_MOST_CASES)
		c->all = false;
	else
		c->value[c->n++] = v;
}

void duct_array_cases(struct duct_cases *c, duct_node array, uint32_t bytes, uint64_t phase)
{
	const struct channel_node *p = duct_at(array);
	const uint8_t *blob = duct_area(&duct_channel->blob);

	for (; p->op == OP_STORE; p = duct_at(p->a)) {
		const struct channel_node *v = duct_at(p->c);

		if (v->op == OP_CONST && v->width == bytes * 8)
			add_case(c, v->value);
		else
			c->all = false;
	}
	for (uint64_t at = phase % bytes; at + bytes <= p->b; at += bytes) {
		uint64_t v = 0;

		for (uint32_t i = bytes; i-- > 0;)
			v = v << 8 | blob[p->a + at + i];
		add_case(c, v);
	}
}

static struct duct_term choose(
    struct duct_unit *u, uint32_t place, struct duct_term t, const struct duct_cases *c)
{
	for (size_t i = 0; i < c->n; i++) {
		duct_model_condition(
		    u, 0, duct_t_binary(OP_EQ, t, duct_constant(t.w, c->value[i])));
		if (c->value[i] == (uint64_t)t.v)
			return duct_constant(t.w, t.v);
	}
	duct_lost(u, place, "pointer with too many possible targets", NULL);
	return duct_constant(t.w, t.v);
}

bool duct_has_origin(duct_node n)
{
	return duct_nodes.origin && duct_nodes.origin[n];
}

bool duct_split_sum(struct duct_term t, struct duct_term *base, struct duct_term *rest)
{
	struct duct_term a = duct_term(duct_at(t.n)->a), b = duct_term(duct_at(t.n)->b);

	*base = !b.n || duct_object_at((uintptr_t)a.v) ? a : b;
	*rest = base->n == a.n ? b : a;
	return b.n ? duct_object_at((uintptr_t)base->v) != NULL : !duct_object_at((uintptr_t)b.v);
}

static struct duct_term settle_sum(struct duct_unit *u, uint32_t place, struct duct_term t)
{
	struct duct_term base, rest;

	return duct_split_sum(t, &base, &rest)
	    ? duct_t_binary(OP_ADD, duct_settle(u, place, base), rest)
	    : t;
}

struct duct_term duct_settle(struct duct_unit *u, uint32_t place, struct duct_term t)
{
	const struct channel_node *p;
	struct duct_cases c = { .all = true };

	if (!t.n || duct_has_origin(t.n))
		return t;
	if (duct_implied(t.n, 4))
		return duct_constant(t.w, t.v);
	p = duct_at(t.n);
	switch (p->op) {
	case OP_ITE:
		duct_grow_ask_null(u, place, duct_term(p->a));
		return duct_settle(u, place, duct_term(duct_at(p->a)->value ? p->b : p->c));
	case OP_ADD: return settle_sum(u, place, t);
	case OP_ZEXT:
	case OP_SEXT: return duct_t_extend(p->op, t.w, duct_settle(u, place, duct_term(p->a)));
	case OP_READ:
		duct_array_cases(&c, p->a, p->width / 8u, duct_at(p->b)->value);
		return choose(u, place, t, &c);
	default: return t;
	}
}
