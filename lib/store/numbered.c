/* numbered: accesses under a condition about a number that may say whether a pointer points to
 * anything, such as the number of elements: if it is 0, the pointer may be NULL. */
#include "lib/base/grow.h"
#include "lib/graph/graph.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

bool *store_blocks_behind(const struct flow_unit *u, const struct flow_func *f, uint32_t block)
{
	size_t n;
	struct graph_edge *edge = store_edges_of(u, f, &n);
	bool *is = zeroed(f->blocks, sizeof *is);
	struct graph g;
	uint32_t *idom;

	graph_make(&g, f->blocks, edge, n);
	idom = graph_dominators(&g, 0);
	for (uint32_t i = 0; i < f->blocks; i++)
		is[i] = idom[i] != GRAPH_NONE && graph_dominates(idom, block - f->first_block, i);
	free(idom);
	free(edge);
	graph_free(&g);
	return is;
}

bool store_dominates(const struct flow_unit *u, uint32_t block, uint32_t other)
{
	const struct flow_func *f;
	bool *behind, is;

	if (!block || !other || block > u->blocks || other > u->blocks
	    || u->block_func[block - 1] != u->block_func[other - 1])
		return false;
	f = &u->func[u->block_func[block - 1] - 1];
	behind = store_blocks_behind(u, f, block);
	is = behind[other - f->first_block];
	free(behind);
	return is;
}

/* Is it a comparison of order? */
static bool is_order(const struct trace *t, uint32_t node)
{
	while (t->node[node - 1].op == OP_NOT)
		node = t->node[node - 1].a;
	return t->node[node - 1].op != OP_EQ;
}

/* Does an outcome of the condition decide whether the block is reached? One of its successors leads
 * there, and no other block does. */
static bool controls(const struct flow_unit *u, const struct flow_branch *b, uint32_t block)
{
	for (size_t i = 0; i < u->edges; i++) {
		size_t before = 0;
		if (u->edge[i].from != b->block)
			continue;
		for (size_t k = 0; k < u->edges; k++)
			before += u->edge[k].to == u->edge[i].to;
		if (before == 1 && store_dominates(u, u->edge[i].to, block))
			return true;
	}
	return false;
}

/* How the number in the node may relate to the pointer. SIBLING: it is a member of the structure
 * that has the pointer, such as a number of elements. ORDER: it is a number that the caller passed,
 * in an order comparison. */
enum kinship { NONE, ORDER, SIBLING };

static enum kinship find_kinship(
    const struct store *s, const struct trace *t, uint32_t node, const char *pointer)
{
	bool *of = store_inputs_of(t, node), order = is_order(t, node);
	enum kinship is = NONE;
	size_t n = store_structure_of(s, pointer);

	for (size_t k = 0; k < t->vars; k++) {
		const char *name = t->var[k].name;
		if (!of[k] || strchr(name, '?') || !store_is_passed(s, name))
			continue;
		if (n && n == store_structure_of(s, name) && !strncmp(name, pointer, n))
			is = SIBLING;
		else if (order && !is)
			is = ORDER;
	}
	free(of);
	return is;
}

/* For a sibling, the access need not be within the branch: the pointer may have been computed
 * there, as in `p = n ? &v[n - 1] : fresh(&v)`. */
bool store_goes_with_number(struct store *s, const struct trace *t, const char *pointer)
{
	uint32_t unit = store_unit(s, t, t->fault_unit), func;
	const struct flow_unit *u = unit ? &s->flow->unit[unit - 1] : NULL;
	bool goes = false;

	if (!u || !t->fault_block || t->fault_block > u->blocks)
		return false;
	func = u->block_func[t->fault_block - 1];
	for (size_t i = t->events; i-- > 0 && !goes;) {
		const struct channel_event *e = &t->event[i];
		const struct flow_branch *b;
		enum kinship kin;
		if (e->kind != EV_BRANCH || !e->node || e->unit != t->fault_unit || !e->id
		    || e->id > u->branches)
			continue;
		b = &u->branch[e->id - 1];
		kin = b->func == func ? find_kinship(s, t, e->node, pointer) : NONE;
		goes = kin == SIBLING || (kin == ORDER && controls(u, b, t->fault_block));
	}
	return goes;
}
