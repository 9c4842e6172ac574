/* solve: propagates sets of places along edges until a fixed point. Loads, stores, copies and calls
 * through pointers add edges when a place reaches them. */
#include "lib/alias/inner.h"

#include <stdlib.h>

#include "lib/graph/graph.h"
#include "lib/base/grow.h"
#include "lib/base/gcd.h"

enum {
	SPREAD = 4, /* exact places of a node in one object before they are merged into a stride */
	MOST_NODES = 4 /* distinct places of one object whose stored pointers are kept apart */
};

#define FAR ((int64_t)1 << 48)         /* bytes, the most that an address space has */
#define FAR_STRIDE ((uint32_t)1 << 28) /* bytes, so that a number of bits fits, too */

/* The stride of places that have both strides. */
static uint32_t stride_of(uint64_t a, uint64_t b)
{
	uint64_t both = gcd(a, b);

	return both > UINT32_MAX ? ANYWHERE : (uint32_t)both;
}

static uint64_t distance(int64_t a, int64_t b)
{
	return a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
}

static int64_t normal(int64_t offset, uint32_t stride)
{
	if (!stride)
		return offset;
	offset %= (int64_t)stride;
	return offset < 0 ? offset + stride : offset;
}

/* Farther than any object is long, where the language gives no place a meaning: any byte of it.
 * Offsets count bits elsewhere, which must not overflow. */
static void keep_near(int64_t *offset, uint32_t *stride)
{
	if (*offset <= FAR && *offset >= -FAR && *stride <= FAR_STRIDE)
		return;
	*offset = 0;
	*stride = ANYWHERE;
}

static uint64_t mixed(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

static uint32_t number_place(struct alias *a, uint32_t object, int64_t offset, uint32_t stride)
{
	bool fresh = true;
	keep_near(&offset, &stride);
	uint64_t key = mixed(mixed(mixed(1, object), (uint64_t)offset), stride);
	uint32_t *at = map_at(&a->place_of, key ? key : 1, &fresh);
	if (!fresh)
		return *at;
	*at = (uint32_t)a->places;
	*PUSH(a->place, a->places) = (struct alias_place){ object, stride, offset };
	return *at;
}

uint32_t alias_add_node(struct alias *a)
{
	a->node = grow_one(a->node, a->nodes, sizeof *a->node);
	a->node[a->nodes] = (struct pointer_node){ 0 };
	return (uint32_t)a->nodes++;
}

uint32_t alias_find(const struct alias *a, uint32_t node)
{
	while (a->node[node].same)
		node = a->node[node].same;
	return node;
}

bool alias_is_known(const struct alias *a, uint32_t object)
{
	const struct alias_object *o = &a->object[object];
	return o->kind == ALIAS_FUNCTION ? a->function[o->id].back : o->escaped;
}

bool alias_is_covered(const struct alias *a, const struct pointer_node *n, uint32_t place)
{
	uint32_t object = a->place[place].object;
	return n->outside && object != ALIAS_OUTSIDE && alias_is_known(a, object);
}

static void enqueue(struct alias *a, uint32_t node)
{
	if (a->node[node].queued)
		return;
	*PUSH(a->queue, a->queued) = node;
	a->node[node].queued = true;
}

static bool insert(struct alias *a, uint32_t node, uint32_t place)
{
	struct pointer_node *n = &a->node[node];
	bool fresh = true;
	map_at(&a->member, ((uint64_t)node << 32 | place) + 1, &fresh);
	if (!fresh)
		return false;
	*PUSH(n->place, n->places) = place;
	enqueue(a, node);
	return true;
}

/* The entry of (node, object). */
static struct spread *spread(struct alias *a, uint32_t node, uint32_t object)
{
	bool fresh = true;
	uint32_t *at = map_at(&a->seen, ((uint64_t)node << 32 | object) + 1, &fresh);
	if (!fresh)
		return &a->spread[*at];
	*at = (uint32_t)a->spreads;
	return PUSH(a->spread, a->spreads);
}

/* Widening: beyond SPREAD exact places in an object, they are merged into one with their common
 * stride. Further places only reduce the stride, so loops such as p = p + 8 terminate. */
void alias_add_place(
    struct alias *a, uint32_t node, uint32_t object, int64_t offset, uint32_t stride)
{
	struct spread *s;
	uint32_t common;
	node = alias_find(a, node);
	if (a->node[node].outside && alias_is_known(a, object))
		return;
	if (object == ALIAS_OUTSIDE) {
		offset = stride = 0;
		a->node[node].outside = true;
	}
	if (!(s = spread(a, node, object)))
		return;
	keep_near(&offset, &stride);
	offset = normal(offset, stride);
	if (s->count == 0) {
		s->offset = offset;
		s->stride = stride;
	}
	common = stride_of(stride_of(s->stride, stride), distance(s->offset, offset));
	if (s->count >= SPREAD && s->count != UINT32_MAX) {
		s->count = UINT32_MAX;
		s->stride = 0;
		common = common ? common : ANYWHERE;
	}
	if (s->count == UINT32_MAX) {
		if (common == s->stride)
			return;
		s->stride = common;
		s->offset = normal(s->offset, common);
		insert(a, node, number_place(a, object, s->offset, common));
		return;
	}
	s->stride = common;
	if (insert(a, node, number_place(a, object, offset, stride)))
		s->count++;
}

static void pass_along(struct alias *a, struct edge e, uint32_t place)
{
	struct alias_place p = a->place[place];
	alias_add_place(a, e.to, p.object, p.offset + e.add, stride_of(p.stride, e.stride));
}

void alias_add_edge(struct alias *a, uint32_t from, uint32_t to, int64_t add, uint32_t stride)
{
	bool fresh = true;
	struct pointer_node *n;
	keep_near(&add, &stride);
	from = alias_find(a, from);
	to = alias_find(a, to);
	n = &a->node[from];
	uint64_t key = mixed(mixed(mixed(mixed(1, from), to), (uint64_t)add), stride);
	if (from == to && !add && !stride)
		return;
	map_at(&a->edge_seen, key ? key : 1, &fresh);
	if (!fresh)
		return;
	*PUSH(n->edge, n->edges) = (struct edge){ to, stride, add };
	for (uint32_t i = 0; i < a->node[from].done; i++) {
		uint32_t place = a->node[from].place[i];
		if (!alias_is_covered(a, &a->node[from], place))
			pass_along(a, (struct edge){ to, stride, add }, place);
	}
}

/* Do 8 bytes at p and `size` bytes at q overlap? */
static bool meet(struct alias_place p, struct alias_place q, uint64_t size)
{
	uint32_t stride = stride_of(p.stride, q.stride);
	int64_t d = q.offset - p.offset; /* q starts d bytes after p */
	if (!stride)
		return d < 8 && -d < (int64_t)size;
	d = normal(d, stride);
	return d < 8 || stride - (uint64_t)d < size;
}

static uint32_t node_at(struct alias *a, uint32_t place);

/* Copies the pointers stored at a place with a copy of the memory around it. */
static void carry(struct alias *a, struct place_node c, struct transfer t)
{
	struct alias_place from = a->place[t.from], to = a->place[t.to], at = a->place[c.place];
	uint32_t stride = stride_of(stride_of(from.stride, to.stride), at.stride), node;
	if (!meet(at, from, t.size ? t.size : UINT64_C(1) << 40))
		return;
	node = node_at(a,
	    number_place(
	        a, to.object, normal(to.offset + at.offset - from.offset, stride), stride));
	alias_add_edge(a, c.node, node, 0, 0);
}

/* The node of the pointers that are stored at a place. */
static uint32_t node_at(struct alias *a, uint32_t place)
{
	uint32_t object = a->place[place].object, node;
	struct content *c = &a->content[object];
	if (object == ALIAS_OUTSIDE)
		return a->world;
	if (c->place_nodes >= MOST_NODES && a->place[place].stride != ANYWHERE)
		return node_at(a, number_place(a, object, 0, ANYWHERE));
	for (uint32_t i = 0; i < c->place_nodes; i++)
		if (c->place_node[i].place == place)
			return c->place_node[i].node;
	c->place_node = grow_one(c->place_node, c->place_nodes, sizeof *c->place_node);
	node = alias_add_node(a);
	struct place_node made = c->place_node[c->place_nodes++] =
	    (struct place_node){ place, node };
	for (uint32_t i = 0; i < a->content[object].loads; i++) {
		struct load r = a->content[object].load[i];
		if (meet(a->place[place], a->place[r.place], 8))
			alias_add_edge(a, node, r.node, 0, 0);
	}
	for (uint32_t i = 0; i < a->content[object].transfers; i++)
		carry(a, made, a->content[object].transfer[i]);
	return node;
}

void alias_add_outside(struct alias *a, uint32_t node)
{
	alias_add_place(a, node, ALIAS_OUTSIDE, 0, 0);
}

static void read_place(struct alias *a, uint32_t place, uint32_t node)
{
	struct content *c = &a->content[a->place[place].object];
	if (a->place[place].object == ALIAS_OUTSIDE) {
		alias_add_outside(a, node);
		return;
	}
	*PUSH(c->load, c->loads) = (struct load){ place, node };
	for (uint32_t i = 0; i < c->place_nodes; i++)
		if (meet(a->place[c->place_node[i].place], a->place[place], 8))
			alias_add_edge(a, c->place_node[i].node, node, 0, 0);
}

static void transfer(struct alias *a, uint32_t from, uint32_t to, uint64_t size)
{
	uint32_t object = a->place[from].object;
	struct content *c = &a->content[object];
	struct transfer t = { from, to, size };
	if (object == ALIAS_OUTSIDE) {
		alias_add_outside(a, node_at(a, number_place(a, a->place[to].object, 0, ANYWHERE)));
		return;
	}
	*PUSH(c->transfer, c->transfers) = t;
	for (uint32_t i = 0, n = c->place_nodes; i < n; i++)
		carry(a, a->content[object].place_node[i], t);
}

static void perform(struct alias *a, struct duty d, uint32_t place)
{
	switch (d.kind) {
	case DUTY_LOAD: read_place(a, place, d.what); break;
	case DUTY_STORE: alias_add_edge(a, d.what, node_at(a, place), 0, 0); break;
	case DUTY_CALL:
		if (a->object[a->place[place].object].kind == ALIAS_FUNCTION)
			alias_bind_pointed(a, d.what, a->object[a->place[place].object].id);
		else if (a->object[a->place[place].object].kind == ALIAS_LIBRARY)
			alias_bind_library(a, d.what, a->place[place].object);
		else if (a->place[place].object == ALIAS_OUTSIDE)
			alias_bind_outside(a, d.what);
		else if (a->place[place].object == 0)
			alias_bind(a, d.what, ALIAS_NONE);
		break;
	case DUTY_COPY_FROM:
	case DUTY_COPY_TO: {
		struct copy c = a->copy[d.what];
		bool from = d.kind == DUTY_COPY_FROM;
		uint32_t other = alias_find(a, from ? c.to : c.from);
		for (uint32_t i = 0; i < a->node[other].places; i++) {
			uint32_t p = a->node[other].place[i];
			transfer(a, from ? place : p, from ? p : place, c.size);
		}
		break;
	}
	}
}

void alias_add_duty(struct alias *a, uint32_t node, enum duty_kind kind, uint32_t what)
{
	struct duty d = { (uint8_t)kind, what };
	struct pointer_node *n;
	node = alias_find(a, node);
	n = &a->node[node];
	*PUSH(n->duty, n->duties) = d;
	for (uint32_t i = 0; i < a->node[node].done; i++)
		if (!alias_is_covered(a, &a->node[node], a->node[node].place[i]))
			perform(a, d, a->node[node].place[i]);
}

void alias_add_copy(struct alias *a, uint32_t from, uint32_t to, uint64_t size)
{
	uint32_t n = (uint32_t)a->copies;
	*PUSH(a->copy, a->copies) = (struct copy){ from, to, size };
	alias_add_duty(a, from, DUTY_COPY_FROM, n);
	alias_add_duty(a, to, DUTY_COPY_TO, n);
}

void alias_open(struct alias *a, uint32_t object)
{
	uint32_t anywhere = number_place(a, object, 0, ANYWHERE);
	read_place(a, anywhere, a->world);
	alias_add_outside(a, node_at(a, anywhere));
}

/* Passes one place along the edges of its node and to its duties. Both lists may grow meanwhile; a
 * new entry is applied to all places before `done`. */
static void pass_on(struct alias *a, uint32_t node, uint32_t place)
{
	if (alias_is_covered(a, &a->node[node], place))
		return;
	a->work += a->node[node].edges;
	for (uint32_t i = 0, n = a->node[node].edges; i < n; i++)
		pass_along(a, a->node[node].edge[i], place);
	for (uint32_t i = 0, n = a->node[node].duties; i < n; i++)
		perform(a, a->node[node].duty[i], place);
	if (node == alias_find(a, a->world))
		alias_escape(a, place);
}

static void join(struct alias *a, uint32_t node, uint32_t into)
{
	struct pointer_node old = a->node[node];
	a->node[node] = (struct pointer_node){ .same = into, .queued = old.queued };
	for (uint32_t i = 0; i < old.places; i++)
		alias_add_place(a, into, a->place[old.place[i]].object,
		    a->place[old.place[i]].offset, a->place[old.place[i]].stride);
	for (uint32_t i = 0; i < old.edges; i++)
		alias_add_edge(a, into, old.edge[i].to, old.edge[i].add, old.edge[i].stride);
	for (uint32_t i = 0; i < old.duties; i++)
		alias_add_duty(a, into, old.duty[i].kind, old.duty[i].what);
	free(old.place);
	free(old.edge);
	free(old.duty);
}

/* Edges with neither offset nor stride. */
static struct graph_edge *plain_edges(const struct alias *a, size_t *n)
{
	struct graph_edge *edge;
	size_t room = 1;
	for (size_t i = 0; i < a->nodes; i++)
		room += a->node[i].edges;
	edge = reserved(room, sizeof *edge);
	*n = 0;
	for (uint32_t i = 0; i < a->nodes; i++)
		for (uint32_t k = 0; k < a->node[i].edges; k++)
			if (!a->node[i].edge[k].add && !a->node[i].edge[k].stride)
				edge[(*n)++] =
				    (struct graph_edge){ i, alias_find(a, a->node[i].edge[k].to) };
	return edge;
}

/* Merges the nodes of each cycle of plain edges: they have the same places. */
static void join_cycles(struct alias *a)
{
	size_t n;
	uint32_t nodes = (uint32_t)a->nodes, *component, *first, components;
	struct graph_edge *edge = plain_edges(a, &n);
	struct graph g;
	graph_make(&g, nodes, edge, n);
	component = graph_components(&g, &components);
	first = zeroed(components + 1u, sizeof *first);
	for (uint32_t i = 1; i < nodes; i++) {
		if (a->node[i].same)
			continue;
		if (!first[component[i]])
			first[component[i]] = i;
		else
			join(a, i, first[component[i]]);
	}
	a->work = 0;
	a->limit = 2 * n + nodes;
	graph_free(&g);
	free(component);
	free(first);
	free(edge);
}

static void pass_all(struct alias *a, uint32_t node)
{
	while (a->node[node].done < a->node[node].places) {
		uint32_t place = a->node[node].place[a->node[node].done++];
		pass_on(a, node, place);
	}
}

/* Breadth first: most objects escape in the first rounds and are then no longer propagated one by
 * one. */
static void solve_round(struct alias *a)
{
	uint32_t *node = a->queue;
	size_t n = a->queued;
	a->queue = NULL;
	a->queued = 0;
	for (size_t i = 0; i < n; i++) {
		if (a->work > a->limit)
			join_cycles(a);
		a->node[node[i]].queued = false;
		pass_all(a, alias_find(a, a->world));
		pass_all(a, node[i]);
	}
	free(node);
}

void alias_solve(struct alias *a)
{
	while (a->queued)
		solve_round(a);
}
