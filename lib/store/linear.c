/* linear: what indexes and comparisons of a run say about one input. */
#include "lib/store/linear.h"
#include "lib/protocol/op.h"

bool linear_is_constant(const struct trace *t, uint32_t node)
{
	return t->node[node - 1].op == OP_CONST;
}

int64_t linear_signed(const struct channel_node *constant)
{
	unsigned high = constant->width < 64 ? 64u - constant->width : 0;

	return (int64_t)(constant->value << high) >> high;
}

static int64_t constant(const struct trace *t, uint32_t node)
{
	return (int64_t)t->node[node - 1].value;
}

bool linear_find(const struct trace *t, uint32_t node, struct linear *l)
{
	const struct channel_node *n = &t->node[node - 1];

	switch (n->op) {
	case OP_INPUT:
		*l = (struct linear){ n->a, 1, 0, 0, t->var[n->a].kind == INPUT_INT };
		return true;
	case OP_LSHR:
	case OP_ASHR:
		if (t->node[n->a - 1].op != OP_INPUT || !linear_is_constant(t, n->b)
		    || constant(t, n->b) >= 32 || !linear_find(t, n->a, l))
			return false;
		l->shift = (unsigned)constant(t, n->b);
		l->is_signed = n->op == OP_ASHR;
		return true;
	case OP_SEXT:
	case OP_ZEXT: {
		enum op of = (enum op)t->node[n->a - 1].op;
		bool sum = n->op == OP_SEXT && of == OP_ADD;
		if ((of != OP_INPUT && of != OP_LSHR && of != OP_ASHR && !sum)
		    || !linear_find(t, n->a, l))
			return false;
		l->is_signed = n->op == OP_SEXT;
		return true;
	}
	case OP_ADD:
	case OP_MUL: {
		uint32_t k = linear_is_constant(t, n->a) ? n->a : n->b, x = k == n->a ? n->b : n->a;
		if (!linear_is_constant(t, k) || !linear_find(t, x, l))
			return false;
		if (n->op == OP_ADD && (n->width == 64 || l->is_signed)) /* no int overflows */
			return !__builtin_add_overflow(
			    l->offset, linear_signed(&t->node[k - 1]), &l->offset);
		if (n->width != 64)
			return false;
		return !__builtin_mul_overflow(l->offset, constant(t, k), &l->offset)
		    && !__builtin_mul_overflow(l->scale, constant(t, k), &l->scale);
	}
	case OP_SHL:
		if (n->width != 64 || !linear_is_constant(t, n->b) || constant(t, n->b) > 32
		    || !linear_find(t, n->a, l))
			return false;
		return !__builtin_mul_overflow(
		           l->offset, (int64_t)1 << constant(t, n->b), &l->offset)
		    && !__builtin_mul_overflow(
		        l->scale, (int64_t)1 << constant(t, n->b), &l->scale);
	default: return false;
	}
}

int64_t linear_solve(const struct trace *t, uint32_t node, uint64_t value, bool *falls)
{
	for (*falls = false;;) {
		const struct channel_node *n = &t->node[node - 1];
		bool first = n->op > OP_CONST && linear_is_constant(t, n->a);
		uint64_t k;
		switch (n->op) {
		case OP_SEXT:
		case OP_ZEXT: node = n->a; continue;
		case OP_NEG: node = n->a, value = 0 - value, *falls = !*falls; continue;
		case OP_ADD:
		case OP_SUB: break;
		default: return (int64_t)value;
		}
		if (!first && !linear_is_constant(t, n->b))
			return (int64_t)value;
		k = (uint64_t)linear_signed(&t->node[(first ? n->a : n->b) - 1]);
		if (n->op == OP_ADD)
			value -= k;
		else
			value = first ? k - value : value + k;
		*falls ^= n->op == OP_SUB && first;
		node = first ? n->b : n->a;
	}
}

int64_t linear_last_below(const struct trace *t, const struct channel_node *n, bool *lower)
{
	bool right = linear_is_constant(t, n->b), falls;
	uint32_t node = right ? n->a : n->b;
	int64_t last = linear_signed(&t->node[(right ? n->b : n->a) - 1]), value;

	if (right == (n->op == OP_SLT || n->op == OP_ULT)) /* x < c, or c <= x */
		last = (int64_t)((uint64_t)last - 1);
	value = linear_solve(t, node, (uint64_t)last, &falls);
	*lower = (n->value & 1) == (right != falls);
	return falls ? (int64_t)((uint64_t)value - 1) : value;
}

bool linear_limit(const struct trace *t, const struct channel_address *a, int64_t *limit)
{
	struct linear l;

	if (!linear_find(t, a->node, &l) || l.scale <= 0 || a->object_size < a->bytes
	    || a->object_size > INT32_MAX)
		return false;
	*limit = ((int64_t)(a->object_size - a->bytes) - l.offset) / l.scale;
	if (*limit >= 0)
		*limit = (*limit << l.shift) + ((int64_t)1 << l.shift) - 1;
	return true;
}
