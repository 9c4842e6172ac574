/* ways: cases of a switch that run the same code are one way. Its slot is that of the first of its
 * cases, and its condition that the value is one of them. A case that somebody wants for itself is
 * a node aside with one slot, made where the first run comes to the switch. A run that takes it
 * goes on below the way's slot, as any run of the way.
 *
 * Such a run may not count, because an assumption or a limit ends it. If the case is still wanted
 * then, it gets paths of its own: the node is `deep`, the run is made again, and below its slot are
 * the conditions of this run and of those that are promised what leaves it. */
#include "lib/tree/inner.h"

void tree_set_ways(struct tree *t, tree_ways *ways, tree_wanted *wanted, void *arg)
{
	t->ways = ways;
	t->wanted = wanted;
	t->ways_arg = arg;
}

const uint32_t *tree_ways_of(const struct tree *t, uint32_t unit, uint32_t branch)
{
	return t->ways ? t->ways(t->ways_arg, tree_unit_key(t, unit), branch) : NULL;
}

uint32_t tree_way(const uint32_t *ways, size_t cases, uint32_t outcome)
{
	return ways && outcome < cases ? ways[outcome] : outcome;
}

bool tree_way_is_shared(const uint32_t *ways, size_t cases, uint32_t outcome)
{
	for (size_t k = ways[outcome]; k < cases; k++)
		if (k != outcome && ways[k] == ways[outcome])
			return true;
	return false;
}

/* The numbers y[i] to y[j] are consecutive: the value is one of them. */
static expr in_range(struct expr_pool *p, expr value, const uint64_t *y, size_t i, size_t j)
{
	uint32_t width = expr_width(p, value);
	expr from = expr_const(p, width, (struct value){ y[i], 0 }), above;
	if (i == j)
		return expr_equals(p, value, y[i]);
	above = expr_make(p, OP_SUB, width, value, from, 0);
	return expr_make(
	    p, OP_ULE, 1, above, expr_const(p, width, (struct value){ y[j] - y[i], 0 }), 0);
}

expr tree_way_cond(struct tree *t, expr value, const uint64_t *y, size_t cases,
    const uint32_t *ways, uint32_t outcome)
{
	uint32_t way = tree_way(ways, cases, outcome);
	expr any = 0;
	if (!ways || outcome >= cases)
		return expr_case(t->pool, value, y, cases, outcome);
	for (size_t i = way, j; i < cases; i = j + 1) {
		for (j = i;
		    j + 1 < cases && ways[j] == way && ways[j + 1] == way && y[j + 1] == y[j] + 1;)
			j++;
		if (ways[i] != way)
			continue;
		expr one = in_range(t->pool, value, y, i, j);
		any = any ? expr_make(t->pool, OP_OR, 1, any, one, 0) : one;
	}
	return any;
}

bool tree_is_case(const struct tree *t, const struct node *n)
{
	return n->outcomes == 1 && t->sites.at[n->site].kind == EV_SWITCH;
}

bool tree_case_wanted(const struct tree *t, uint32_t slot)
{
	const struct site *s = &t->sites.at[t->node[t->slot[slot].node].site];
	return t->wanted(
	    t->ways_arg, tree_unit_key(t, s->unit), s->id, t->node[t->slot[slot].node].only);
}

bool tree_doubt(struct tree *t, pending b)
{
	struct node *n = &t->node[b && b < t->slots ? t->slot[b].node : 0];
	if (!b || b >= t->slots || t->slot[b].state != SLOT_PENDING || !tree_is_case(t, n)
	    || n->deep)
		return false;
	n->deep = tree_case_wanted(t, b);
	t->deep |= n->deep;
	if (!n->deep)
		tree_waive(t, b);
	return n->deep;
}

bool tree_below(const struct tree *t, uint32_t s, uint32_t slot)
{
	while (s && s != slot)
		s = t->node[t->slot[s].node].up;
	return s == slot;
}
