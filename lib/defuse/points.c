/* points: cut points of a pair (Definition 4.2 of hybrid data-flow testing) and its redefinitions.
 *
 * Before the definition: the blocks that dominate it in the graph of all blocks, with edges from
 * calls to callees and over calls that return. After it: the blocks that dominate the use in the
 * graph of the recorded search from the definition, which excludes paths that kill it. The paper's
 * Algorithm 1 only uses branch targets and immediate dominators; it misses some cut points and
 * depends on one chosen call chain. */
#include "lib/defuse/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ---- before the definition */

static size_t call_edges(const struct defuse *d, struct graph_edge *edge)
{
	const struct defuse_index *x = d->index;
	size_t n = 0, count;
	for (size_t i = 0; i < alias_calls(d->alias); i++) {
		const struct alias_call *c = alias_call(d->alias, i);
		const uint32_t *callee = defuse_callees(d, c, &count);
		for (size_t k = 0; k < count; k++) {
			uint32_t to = defuse_entry_block(d, callee[k]);
			if (to == GRAPH_NONE)
				continue;
			if (edge)
				edge[n] =
				    (struct graph_edge){ x->block_base[c->unit] + c->block - 1,
					    to };
			n++;
		}
	}
	return n;
}

/* Edges from the root (node number `blocks`) to the entries and to functions that nothing calls. */
static size_t root_edges(const struct defuse *d, struct graph_edge *edge)
{
	const struct defuse_index *x = d->index;
	size_t n = 0;
	for (uint32_t f = 0; f < alias_functions(d->alias); f++) {
		uint32_t to = defuse_entry_block(d, f);
		bool called = x->first_caller[f] < x->first_caller[f + 1];
		if (to == GRAPH_NONE || (called && !alias_is_entry(d->alias, f)))
			continue;
		if (edge)
			edge[n] = (struct graph_edge){ x->blocks, to };
		n++;
	}
	return n;
}

static void dominate_blocks(struct defuse *d)
{
	struct defuse_index *x = d->index;
	size_t n = x->flow.first[x->blocks], calls = call_edges(d, NULL),
	       roots = root_edges(d, NULL);
	struct graph_edge *edge = reserved(n + calls + roots + 1, sizeof *edge);
	struct graph g;
	for (uint32_t b = 0; b < x->blocks; b++)
		for (uint32_t k = x->flow.first[b]; k < x->flow.first[b + 1]; k++)
			edge[k] = (struct graph_edge){ b, x->flow.succ[k] };
	call_edges(d, edge + n);
	root_edges(d, edge + n + calls);
	graph_make(&g, x->blocks + 1, edge, n + calls + roots);
	x->idom = graph_dominators(&g, x->blocks);
	graph_free(&g);
	free(edge);
}

/* ---- between definition and use */

/* Records the forward search for a pair. The searches of the last definition are cached, since
 * pairs are ordered by definition. */
static const struct def_tracer *trace(struct defuse *d, const struct defuse_pair *p)
{
	struct defuse_index *x = d->index;
	struct graph g;
	struct def_tracer *t;
	if (x->tracers && x->tracer[0].def != p->def)
		while (x->tracers)
			defuse_forget(&x->tracer[--x->tracers]);
	for (size_t i = 0; i < x->tracers; i++)
		if (!memcmp(&x->tracer[i].place, &p->place, sizeof p->place))
			return &x->tracer[i];
	t = PUSH(x->tracer, x->tracers);
	defuse_trace(d, p, t);
	graph_make(&g, t->nodes, t->edge, t->edges);
	t->idom = graph_dominators(&g, 0);
	graph_free(&g);
	return t;
}

static size_t depth(const uint32_t *idom, uint32_t v)
{
	size_t n = 0;
	for (; idom[v] != v; v = idom[v])
		n++;
	return n;
}

static uint32_t common(const uint32_t *idom, uint32_t a, uint32_t b)
{
	while (a != b)
		if (depth(idom, a) >= depth(idom, b))
			a = idom[a];
		else
			b = idom[b];
	return a;
}

/* The last node that dominates a use; *in: it is in the use's block. */
static uint32_t last_node(const struct def_tracer *t, uint32_t use, bool *in)
{
	uint32_t node = GRAPH_NONE;
	*in = true;
	for (size_t i = 0; i < t->hits; i++) {
		if (t->hit[i].access != use || t->idom[t->hit[i].node] == GRAPH_NONE)
			continue;
		if (node != GRAPH_NONE && node != t->hit[i].node) {
			node = common(t->idom, node, t->hit[i].node);
			*in = false;
		} else if (node == GRAPH_NONE) {
			node = t->hit[i].node;
		}
	}
	return node;
}

struct point_list {
	struct defuse_point *point;
	size_t n;
	struct defuse_index *x;
	const struct defuse *d;
};

static void add(struct point_list *c, uint32_t unit, uint32_t inst, enum defuse_role role)
{
	*PUSH(c->point, c->n) = (struct defuse_point){ unit, inst, role };
}

static void add_block(struct point_list *c, uint32_t block)
{
	const struct block *b = &c->x->block[block];
	add(c, b->unit, defuse_first_inst(c->d, block), DEFUSE_CUT);
}

/* Appends the dominators from below the root down to `last`, which is included if `with`. */
static void add_dominators(
    struct point_list *c, const uint32_t *idom, const uint32_t *block, uint32_t last, bool with)
{
	size_t first = c->n;
	for (uint32_t v = with || idom[last] == last ? last : idom[last]; idom[v] != v; v = idom[v])
		add_block(c, block ? block[v] : v);
	for (size_t i = first, k = c->n; i + 1 < k; i++) {
		struct defuse_point p = c->point[i];
		c->point[i] = c->point[--k];
		c->point[k] = p;
	}
}

struct defuse_point *defuse_points(struct defuse *d, uint32_t pair, size_t *n)
{
	const struct defuse_pair *p = &d->pair[pair];
	const struct defuse_access *def = &d->access[p->def], *use = &d->access[p->use];
	struct defuse_index *x = d->index;
	struct point_list c = { .x = x, .d = d };
	uint32_t block = x->block_base[def->unit] + def->block - 1, last;
	const struct def_tracer *t;
	bool in;
	if (!x->idom)
		dominate_blocks(d);
	t = trace(d, p);
	if (x->idom[block] != GRAPH_NONE)
		add_dominators(&c, x->idom, NULL, block, false);
	add(&c, def->unit, def->inst ? def->inst : defuse_first_inst(d, block), DEFUSE_DEF);
	if (def->kind == DEFUSE_ARGUMENT)
		add_block(&c, t->block[0]);
	last = last_node(t, p->use, &in);
	if (last != GRAPH_NONE && last != 0)
		add_dominators(&c, t->idom, t->block, last, !in);
	add(&c, use->unit, use->inst, DEFUSE_USE);
	*n = c.n;
	return c.point;
}

/* ---- redefinitions */

static void add_kill(const struct defuse *d, const struct defuse_pair *p,
    const struct access_event *e, struct defuse_kill *kill, size_t *n)
{
	const struct defuse_access *a = &d->access[e->access];
	struct defuse_place q;
	if (!a->is_def)
		return;
	q = defuse_event_place(d, e, p->place.object);
	if (!place_meets(&q, &p->place))
		return;
	bool must =
	    a->must && place_covers(&q, &p->place, alias_object(d->alias, q.object)->size * 8);
	kill[(*n)++] = (struct defuse_kill){ e->access, must };
}

struct defuse_kill *defuse_kills(const struct defuse *d, uint32_t pair, size_t *n)
{
	const struct defuse_pair *p = &d->pair[pair];
	const struct defuse_index *x = d->index;
	uint32_t object = p->place.object, from[] = { object, ALIAS_OUTSIDE };
	struct defuse_kill *kill;
	size_t lists = 0, room = 1;
	*n = 0;
	if (object != ALIAS_NONE)
		lists = object != ALIAS_OUTSIDE && alias_object(d->alias, object)->escaped ? 2 : 1;
	for (size_t k = 0; k < lists; k++)
		room += x->first_event[from[k] + 1] - x->first_event[from[k]];
	kill = reserved(room, sizeof *kill);
	for (size_t k = 0; k < lists; k++)
		for (size_t i = x->first_event[from[k]]; i < x->first_event[from[k] + 1]; i++)
			add_kill(d, p, &x->event[i], kill, n);
	return kill;
}

static bool is_exact(const struct defuse_access *a)
{
	return a->places <= 1 && (!a->places || !a->place[0].stride);
}

bool defuse_by_library(const struct defuse *d, uint32_t pair)
{
	return d->access[d->pair[pair].use].kind == DEFUSE_LIBRARY;
}

bool defuse_by_path(const struct defuse *d, uint32_t pair)
{
	const struct defuse_access *def = &d->access[d->pair[pair].def],
	                           *use = &d->access[d->pair[pair].use];
	size_t n;
	struct defuse_kill *kill = defuse_kills(d, pair, &n);
	bool good = kill && is_exact(def) && is_exact(use) && !d->pair[pair].place.stride;
	for (size_t i = 0; good && i < n; i++)
		good = kill[i].must;
	free(kill);
	return good;
}
