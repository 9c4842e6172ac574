/* switch: the steps of a path at switches. With known cases a node has an outcome per way and one
 * for the default; with unknown ones, there is a node per value that runs met. */
#include "lib/tree/adding.h"

/* A switch with unknown cases: one two-way node per value that runs met. */
static void step_guess(struct tree *t, struct adding *a, const struct channel_event *e, expr value)
{
	expr mine = expr_equals(t->pool, value, e->y);
	uint32_t n, at;
	do {
		at = a->at;
		n = *adding_first(t, at);
		while (n && !(t->node[n].guess && t->node[n].site == a->site))
			n = t->node[n].other;
		if (!n || t->node[n].cond == mine) {
			adding_step(t, a, e, mine, 2, 1, NULL, true);
			return;
		}
		adding_step(t, a, e, t->node[n].cond, 2, 0, NULL, true);
	} while (a->at != at);
}

/* Is a node that of a switch on this value, or of one of its cases? */
static bool is_of(struct tree *t, const struct adding *a, uint32_t n, expr value, const uint64_t *y)
{
	const struct node *node = &t->node[n];
	if (node->site != a->site || !tree_is_case(t, node))
		return node->site == a->site && node->cond == value;
	return node->cond == expr_equals(t->pool, value, y[node->only]);
}

/* The first run at a switch requests those cases that share their ways and are wanted. */
static void request_cases(struct tree *t, const struct adding *a, const struct channel_event *e,
    expr value, const uint64_t *y, size_t cases, const uint32_t *ways)
{
	uint64_t key = tree_unit_key(t, e->unit);
	for (uint32_t k = 0; k < cases; k++) {
		uint32_t n;
		if (!tree_way_is_shared(ways, cases, k) || !t->wanted(t->ways_arg, key, e->id, k))
			continue;
		n = adding_node(t, a, expr_equals(t->pool, value, y[k]), 1, false);
		t->node[n].only = k;
		adding_open_others(t, a, n, 1, NULL);
	}
}

/* At a switch where another run was, from its alternative n on: the slot of the deep case below
 * which this run was promised something; 0: the run goes the case's way. It may have been promised
 * the case itself (tree_doubt). */
static uint32_t pass_cases(struct tree *t, struct adding *a, const struct channel_event *e,
    uint32_t n, expr value, const uint64_t *y)
{
	uint32_t own = 0, p = a->promised && a->promised < t->slots ? a->promised : 0;
	bool promised = p && t->node[t->slot[p].node].up == a->at;
	for (; (t->deep || promised) && n && !own; n = t->node[n].other) {
		const struct node *node = &t->node[n];
		if (!tree_is_case(t, node) || node->only != e->x || !is_of(t, a, n, value, y))
			continue;
		if (node->deep && tree_below(t, p, node->first))
			own = node->first;
		a->kept |= p == node->first;
	}
	return own;
}

/* The cases of a switch, before one of its ways is taken; see pass_cases. */
static uint32_t step_cases(struct tree *t, struct adding *a, const struct channel_event *e,
    expr value, const uint64_t *y, size_t cases, const uint32_t *ways)
{
	uint32_t n = *adding_first(t, a->at);
	while (n && !is_of(t, a, n, value, y))
		n = t->node[n].other;
	if (n)
		return pass_cases(t, a, e, n, value, y);
	if (!a->given)
		request_cases(t, a, e, value, y, cases, ways);
	return 0;
}

void adding_switch(struct tree *t, struct adding *a, const struct channel_event *e, expr value)
{
	const uint64_t *y;
	size_t cases = t->cases ? t->cases(t->cases_arg, tree_unit_key(t, e->unit), e->id, &y) : 0;
	bool known = cases && e->x <= cases;
	const uint32_t *ways = known ? tree_ways_of(t, e->unit, e->id) : NULL;
	uint32_t taken = (uint32_t)e->x;
	uint32_t own = ways ? step_cases(t, a, e, value, y, cases, ways) : 0;
	bool was = adding_decided(t,
	    known ? tree_way_cond(t, value, y, cases, ways, taken)
	          : expr_equals(t->pool, value, e->y));
	if (own)
		adding_take(t, a, own);
	else if (!was && known)
		adding_step(
		    t, a, e, value, (uint32_t)cases + 1, tree_way(ways, cases, taken), ways, false);
	else if (!was)
		step_guess(t, a, e, value);
}
