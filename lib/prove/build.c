/* build: makes the frames by inlining, the locations between calls, their order, and the cuts that
 * every loop passes. */
#include "lib/prove/returns.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static const struct flow_inst *inst_at(const struct encoding *m, uint32_t frame, uint32_t inst)
{
	return &prove_unit(m, frame)->inst[inst - 1];
}

/* Adds the callees of the functions in the set, or their callers. */
static void spread(struct alias *a, bool *set, bool callers)
{
	for (bool grown = true; grown;) {
		grown = false;
		for (size_t i = 0; i < alias_calls(a); i++) {
			const struct alias_call *c = alias_call(a, i);
			for (size_t k = 0; k < c->callees; k++) {
				uint32_t from = callers ? c->callee[k] : c->func,
				         to = callers ? c->func : c->callee[k];
				grown |= set[from] && !set[to];
				set[to] |= set[from];
			}
		}
	}
}

bool *prove_calling(struct alias *a, uint32_t function, bool callers)
{
	bool *set = zeroed(alias_functions(a), sizeof *set);
	set[function] = true;
	spread(a, set, callers);
	return set;
}

bool *prove_led(struct alias *a, uint32_t toward)
{
	bool *up = prove_calling(a, toward, true), *down = prove_calling(a, toward, false);
	for (uint32_t f = 0; f < alias_functions(a); f++)
		up[f] |= down[f];
	free(down);
	return up;
}

/* How many activations of the function are active in this frame and its callers? */
static uint32_t on_chain(const struct encoding *m, uint32_t frame, uint32_t number)
{
	uint32_t n = 0;
	for (; frame != NONE; frame = m->frame[frame].up)
		n += m->frame[frame].number == number;
	return n;
}

static bool has_blocks(const struct encoding *m, uint32_t number)
{
	uint32_t unit, id;
	return alias_function_of(m->alias, number, &unit, &id)->blocks > 0;
}

bool prove_enters(const struct encoding *m, const struct alias_call *c)
{
	return c && c->callees == 1 && !c->external && !c->unknown && has_blocks(m, c->callee[0])
	    && (!m->led || m->led[c->callee[0]]);
}

bool prove_too_deep(const struct encoding *m, uint32_t frame, const struct alias_call *c)
{
	return prove_enters(m, c) && m->depth[c->callee[0]] > 1
	    && on_chain(m, frame, c->callee[0]) >= m->depth[c->callee[0]];
}

#define SIMPLE 80u    /* instructions of a function that is followed whatever the limit is, */
#define SIMPLES 3000u /* and beyond the limit in all */

/* Is the function short, without loops and not recursive? */
static bool is_simple(const struct encoding *m, uint32_t number)
{
	uint32_t unit, id;
	struct span insts;
	const struct flow_unit *u;
	alias_function_of(m->alias, number, &unit, &id);
	insts = m->index[unit].func[id - 1];
	u = &m->flow->unit[unit];
	if (insts.n > SIMPLE || alias_is_recursive(m->alias, number))
		return false;
	for (uint32_t k = insts.first; k < insts.first + insts.n; k++) {
		const struct flow_inst *i = &u->inst[k - 1];
		for (uint32_t j = 0; j < i->operands && i->op != FLOW_PHI; j++)
			if (u->operand[i->first + j].kind == '!'
			    && u->operand[i->first + j].id <= i->block)
				return false;
	}
	return true;
}

/* Does the harness call this function before the entry? With one call, in any state or in the first
 * one, it is not called: see prove_call. */
static bool is_before(const struct encoding *m, uint32_t frame, uint32_t callee)
{
	return m->once && !frame && alias_function_of(m->alias, callee, NULL, NULL)->is_harness;
}

/* Is the encoding small enough for a call of this function? */
static bool has_room(struct encoding *m, uint32_t number)
{
	if (m->insts <= m->most_insts
	    || (m->insts <= m->most_insts + SIMPLES && is_simple(m, number)))
		return true;
	prove_note(m, false,
	    m->most_insts ? "model too large: calls beyond %zu instructions are not followed"
	                  : "calls are not followed",
	    m->most_insts);
	return false;
}

#define TARGETS 8u /* of a call through a pointer that is followed */

/* Does the call enter one of a few functions of the flow, none of which is recursive, and no other
 * code? */
static bool enters_some(const struct encoding *m, uint32_t frame, const struct alias_call *c)
{
	if (!c || c->callees < 2 || c->callees > TARGETS || c->external || c->unknown)
		return false;
	for (size_t k = 0; k < c->callees; k++)
		if (!has_blocks(m, c->callee[k]) || (m->led && !m->led[c->callee[k]])
		    || alias_is_recursive(m->alias, c->callee[k])
		    || on_chain(m, frame, c->callee[k]) || is_before(m, frame, c->callee[k]))
			return false;
	return true;
}

/* The call if it is followed, else NULL. */
static const struct alias_call *followed(struct encoding *m, uint32_t frame, uint32_t inst)
{
	uint32_t at = m->index[m->frame[frame].unit].call[inst - 1];
	const struct alias_call *c = at ? alias_call(m->alias, at - 1) : NULL;
	if (!enters_some(m, frame, c)
	    && (!prove_enters(m, c) || on_chain(m, frame, c->callee[0]) >= m->depth[c->callee[0]]
	        || is_before(m, frame, c->callee[0])))
		return NULL;
	for (size_t k = 0; k < c->callees; k++)
		if (!has_room(m, c->callee[k]))
			return NULL;
	return c;
}

/* Makes "was this local written" a part of the state if the local may be read before it is
 * written. */
static void watch_written(struct encoding *m, struct frame *f, uint32_t var)
{
	if (var != NONE && !f->defined[var])
		f->defined[var] = 1 + ts_slot(&m->ts, SLOT_VALUE, 1);
}

static uint32_t add_frame(struct encoding *m, uint32_t number, uint32_t up, uint32_t call)
{
	struct frame f = { .number = number, .up = up, .call = call, .back = NONE, .beside = NONE };
	const struct flow_func *func = alias_function_of(m->alias, number, &f.unit, &f.func);
	const struct unit_index *x = &m->index[f.unit];
	const struct flow_unit *u = &m->flow->unit[f.unit];
	struct span insts = x->func[f.func - 1], vars = x->vars[f.func - 1];
	uint32_t id = m->frames, args = 0;
	f.location = zeroed(func->blocks, sizeof *f.location);
	f.reg = zeroed(insts.n, sizeof *f.reg);
	f.object = zeroed(vars.n, sizeof *f.object);
	f.defined = zeroed(vars.n, sizeof *f.defined);
	for (uint32_t i = insts.first; i < insts.first + insts.n; i++) {
		const struct flow_inst *in = &u->inst[i - 1];
		for (uint32_t k = 0; k < in->operands; k++)
			if (u->operand[in->first + k].kind == '^'
			    && u->operand[in->first + k].id >= args)
				args = u->operand[in->first + k].id + 1;
		if (x->undefined[i - 1])
			watch_written(m, &f, prove_read_local(u, x, vars, i));
		if (x->crosses[i - 1] && prove_width(in) && in->op != FLOW_ALLOCA)
			f.reg[i - insts.first] = 1 + ts_slot(&m->ts, SLOT_VALUE, prove_width(in));
	}
	for (size_t k = 0; k < u->homes; k++)
		if (u->var[u->home[k].var - 1].func == f.func && u->home[k].argument >= args)
			args = u->home[k].argument + 1;
	f.args = args;
	f.arg = zeroed(args, sizeof *f.arg);
	for (uint32_t k = 0; k < args; k++)
		f.arg[k] = ts_slot(&m->ts, SLOT_VALUE, 64);
	*PUSH(m->frame, m->frames) = f;
	for (uint32_t v = 0; v < vars.n; v++) {
		const struct flow_var *var = &u->var[vars.first + v - 1];
		uint32_t object = alias_variable(m->alias, f.unit, vars.first + v);
		uint32_t made = var->func == f.func
		    ? prove_object(m, object, var->kind == 's' ? NONE : id)
		    : NONE;
		m->frame[id].object[v] = made;
	}
	m->insts += insts.n;
	return id;
}

static uint32_t add_node(
    struct encoding *m, uint32_t frame, uint32_t block, uint32_t first, uint32_t last)
{
	*PUSH(m->location, m->locations) =
	    (struct location){ frame, block, first, last, NONE, false };
	return m->locations - 1;
}

static void add_nodes(struct encoding *m, uint32_t frame);

/* Adds a frame for each function that the call at the end of a location enters. */
static void add_callees(struct encoding *m, uint32_t at, uint32_t inst, const struct alias_call *c)
{
	uint32_t frame = m->location[at].frame, first = m->frames;
	struct span insts = m->index[m->frame[frame].unit].func[m->frame[frame].func - 1];
	for (size_t k = c->callees; k-- > 0;) {
		uint32_t callee = add_frame(m, c->callee[k], frame, inst);
		m->frame[callee].beside = m->location[at].callee;
		m->frame[callee].result = m->frame[frame].reg[inst - insts.first];
		m->location[at].callee = callee;
		add_nodes(m, callee);
	}
	for (uint32_t f = first; f < m->frames; f++)
		if (m->frame[f].up == frame && m->frame[f].call == inst)
			m->frame[f].back = m->locations;
}

/* Adds a block as locations; a call that is followed ends a location. */
static void add_block(struct encoding *m, uint32_t frame, uint32_t block)
{
	struct span insts = m->index[m->frame[frame].unit].block[block - 1];
	const struct flow_func *func = &prove_unit(m, frame)->func[m->frame[frame].func - 1];
	uint32_t first = insts.first, end = insts.first + insts.n, at;
	bool begun = false;
	for (uint32_t i = first; i <= end; i++) {
		const struct alias_call *c =
		    i < end && inst_at(m, frame, i)->op == FLOW_CALL ? followed(m, frame, i) : NULL;
		if (i < end && !c)
			continue;
		at = add_node(m, frame, block, first, i);
		if (!begun)
			m->frame[frame].location[block - func->first_block] = at;
		begun = true;
		if (i == end)
			return;
		add_callees(m, at, i, c);
		first = i + 1;
	}
}

static void add_nodes(struct encoding *m, uint32_t frame)
{
	const struct flow_func *func = &prove_unit(m, frame)->func[m->frame[frame].func - 1];
	for (uint32_t b = 0; b < func->blocks; b++)
		add_block(m, frame, func->first_block + b);
	m->location[m->frame[frame].location[0]].starts = true;
}

/* Finds the loop in which the harness calls the entry: the first outermost one. */
static uint32_t find_calls(const struct encoding *m)
{
	const struct flow_unit *u = prove_unit(m, 0);
	struct span insts = m->index[m->frame[0].unit].func[m->frame[0].func - 1];
	uint32_t head = 0;
	for (uint32_t k = insts.first; k < insts.first + insts.n && m->harness; k++) {
		const struct flow_inst *i = &u->inst[k - 1];
		for (uint32_t j = 0; j < i->operands && i->op != FLOW_PHI; j++) {
			const struct flow_operand *o = &u->operand[i->first + j];
			if (o->kind == '!' && o->id <= i->block && (!head || o->id < head))
				head = o->id;
		}
	}
	return head;
}

/* A harness without a loop makes one call, which starts in any state. */
static void open_all(struct encoding *m)
{
	for (uint32_t i = 0; i < alias_objects(m->alias); i++)
		m->written[i] |= m->closed[i];
	free(m->closed);
	m->closed = NULL;
	m->once = true;
}

bool prove_calls_again(
    const struct encoding *m, uint32_t frame, uint32_t from_block, uint32_t to_block)
{
	return m->once && !frame && to_block == m->calls && to_block <= from_block;
}

void prove_edges(
    const struct encoding *m, uint32_t location, void (*f)(void *ctx, uint32_t to), void *ctx)
{
	const struct location *n = &m->location[location];
	const struct frame *frame = &m->frame[n->frame];
	const struct flow_unit *u = prove_unit(m, n->frame);
	const struct flow_inst *end;
	for (uint32_t callee = n->callee; callee != NONE; callee = m->frame[callee].beside)
		f(ctx, m->frame[callee].location[0]);
	if (n->callee != NONE)
		return;
	if (n->last == n->first)
		return;
	end = &u->inst[n->last - 2];
	if (end->op == FLOW_RET && frame->back != NONE)
		f(ctx, frame->back);
	for (uint32_t k = 0; k < end->operands && end->op != FLOW_PHI; k++) {
		const struct flow_operand *o = &u->operand[end->first + k];
		if (o->kind == '!' && !prove_calls_again(m, n->frame, n->block, o->id))
			f(ctx, frame->location[o->id - u->func[frame->func - 1].first_block]);
	}
}

struct edges {
	const struct encoding *m;
	uint32_t from;
	struct graph_edge *edge;
	size_t n;
};

static void take_edge(void *ctx, uint32_t to)
{
	struct edges *e = ctx;
	*PUSH(e->edge, e->n) = (struct graph_edge){ e->from, to };
}

/* Orders the locations. An edge that leads backward in the order ends at a cut. */
static bool order_nodes(struct encoding *m)
{
	struct edges e = { m, 0, NULL, 0 };
	uint32_t *place = zeroed(m->locations, sizeof *place);
	struct graph g;
	for (e.from = 0; e.from < m->locations; e.from++)
		prove_edges(m, e.from, take_edge, &e);
	m->cut = zeroed(m->locations, sizeof *m->cut);
	graph_make(&g, m->locations, e.edge, e.n);
	m->order = graph_order(&g, m->frame[0].location[0], &m->ordered);
	memset(place, -1, m->locations * sizeof *place);
	for (uint32_t i = 0; i < m->ordered; i++)
		place[m->order[i]] = i;
	m->ts.cuts = 0;
	m->cut[m->order[0]] = ++m->ts.cuts;
	for (size_t i = 0; i < e.n; i++)
		if (place[e.edge[i].from] != NONE && place[e.edge[i].to] <= place[e.edge[i].from]
		    && !m->cut[e.edge[i].to])
			m->cut[e.edge[i].to] = ++m->ts.cuts;
	prove_renew(m, e.edge, e.n, place);
	graph_free(&g);
	free(e.edge);
	free(place);
	return true;
}

/* Adds the objects that instructions of the frames may touch: all slots must be known before the
 * walk. */
static void add_pointees(struct encoding *m, uint32_t frame, const struct flow_operand *o)
{
	struct alias_place *place;
	size_t n;
	if (o->kind == '#' || o->kind == '~' || o->kind == '-' || o->kind == '!' || o->kind == '?')
		return;
	n = alias_points_to(m->alias, m->frame[frame].unit, m->frame[frame].number, o, &place);
	for (size_t i = 0; i < n; i++) {
		const struct alias_object *a = alias_object(m->alias, place[i].object);
		if (a->owner == ALIAS_NONE || a->kind == ALIAS_POINTEE)
			prove_object(m, place[i].object, NONE);
		else if (a->kind == ALIAS_TEMPORARY && a->owner == m->frame[frame].number)
			prove_object(m, place[i].object, frame);
	}
	free(place);
}

static void add_objects(struct encoding *m)
{
	for (uint32_t f = 0; f < m->frames; f++) {
		const struct flow_unit *u = prove_unit(m, f);
		struct span insts = m->index[m->frame[f].unit].func[m->frame[f].func - 1];
		for (uint32_t i = insts.first; i < insts.first + insts.n; i++)
			for (uint32_t k = 0; k < u->inst[i - 1].operands; k++)
				add_pointees(m, f, &u->operand[u->inst[i - 1].first + k]);
	}
}

/* ---- how deep recursion is followed */

#define DEEPEST 20u    /* activations of a function */
#define UNROLLED 6000u /* instructions that an encoding may have more for it */

struct call_chain {
	uint32_t number;
	const struct call_chain *up;
};

/* Counts the instructions of an activation and of all activations that it begins, up to `most`. */
static size_t weigh(const struct encoding *m, const struct call_chain *c, size_t most)
{
	uint32_t unit, id;
	size_t sum;
	struct span insts;
	alias_function_of(m->alias, c->number, &unit, &id);
	insts = m->index[unit].func[id - 1];
	sum = insts.n;
	for (uint32_t i = insts.first; i < insts.first + insts.n && sum < most; i++) {
		uint32_t at = m->index[unit].call[i - 1], n = 0;
		const struct alias_call *call = at ? alias_call(m->alias, at - 1) : NULL;
		if (!prove_enters(m, call))
			continue;
		for (const struct call_chain *k = c; k; k = k->up)
			n += k->number == call->callee[0];
		if (n < m->depth[call->callee[0]])
			sum += weigh(m, &(struct call_chain){ call->callee[0], c }, most - sum);
	}
	return sum;
}

/* Chooses how deep recursive functions are followed: one more level each in turn, while there is
 * room. */
static void find_depths(struct encoding *m, uint32_t root)
{
	uint32_t functions = alias_functions(m->alias);
	const struct call_chain top = { root, NULL };
	bool grown = m->most_insts > 0;
	size_t most;
	m->depth = zeroed(functions, sizeof *m->depth);
	for (uint32_t f = 0; f < functions; f++)
		m->depth[f] = 1;
	most = weigh(m, &top, m->most_insts) + UNROLLED;
	most = most < m->most_insts ? most : m->most_insts;
	for (uint32_t deep = 2; deep <= DEEPEST && grown; deep++) {
		grown = false;
		for (uint32_t f = 0; f < functions; f++) {
			if (!alias_is_recursive(m->alias, f) || m->depth[f] != deep - 1)
				continue;
			m->depth[f] = deep;
			if (weigh(m, &top, most) >= most)
				m->depth[f]--;
			grown |= m->depth[f] == deep;
		}
	}
}

bool prove_build(struct encoding *m, uint32_t root)
{
	find_depths(m, root);
	add_frame(m, root, NONE, 0);
	m->calls = find_calls(m);
	if (m->closed && !m->calls)
		open_all(m);
	add_nodes(m, 0);
	if (m->location[m->frame[0].location[0]].first == 0)
		return false;
	add_objects(m);
	return order_nodes(m);
}

void prove_encoding_free(struct encoding *m)
{
	for (uint32_t i = 0; i < m->frames; i++) {
		free(m->frame[i].location);
		free(m->frame[i].reg);
		free(m->frame[i].arg);
		free(m->frame[i].object);
		free(m->frame[i].defined);
	}
	for (uint32_t i = 0; i < m->objects; i++) {
		free(m->object[i].cell);
		free(m->object[i].ghost);
	}
	for (size_t i = 0; i < m->member_lists; i++)
		free(m->members[i]);
	for (uint32_t i = 0; i < m->inputs; i++)
		free(m->input[i].name);
	for (uint32_t i = 0; i < m->notes; i++)
		free(m->note[i].text);
	for (size_t i = 0; i < m->names; i++)
		free(m->name[i]);
	for (size_t i = 0; i < m->bytes; i++)
		free(m->byte[i]);
	for (size_t i = 0; i < m->results; i++)
		free(m->result[i].arg);
	map_close(&m->object_of);
	map_close(&m->changes_at);
	map_close(&m->goals_at);
	map_close(&m->sites_at);
	void *arrays[] = { m->frame, m->location, m->object, m->ghost, m->change, m->goal, m->site,
		m->loop, m->loop_of, m->members, m->input, m->order, m->cut, m->output, m->note,
		m->outside, m->below, m->depth, m->led, m->beside, m->shared, m->renewal,
		m->written, m->closed, m->nondet, m->choice, m->name, m->byte, m->result };
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
	prove_startup_free(m->startup);
	ts_free(&m->ts);
	expr_pool_free(m->pool);
}
