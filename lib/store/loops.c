/* loops: runs that do not end because of a loop whose conditions are about numbers and pointers
 * that the caller passed. Callers are assumed to pass values for which the loop ends: the run shows
 * a need. If the loop depends on characters or other contents of arrays, as in a parser, or on no
 * input, the run is a failure. */
#include "lib/base/grow.h"
#include "lib/graph/graph.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

struct graph_edge *store_edges_of(const struct flow_unit *u, const struct flow_func *f, size_t *n)
{
	struct graph_edge *edge = zeroed(u->edges, sizeof *edge);

	*n = 0;
	for (size_t i = 0; i < u->edges; i++)
		if (u->edge[i].from - f->first_block < f->blocks
		    && u->edge[i].to - f->first_block < f->blocks)
			edge[(*n)++] = (struct graph_edge){ u->edge[i].from - f->first_block,
				u->edge[i].to - f->first_block };
	return edge;
}

bool *store_cycle_of(const struct flow_unit *u, const struct flow_func *f, uint32_t block)
{
	size_t n;
	struct graph_edge *edge = store_edges_of(u, f, &n);
	bool *in = zeroed(f->blocks, sizeof *in), any = false;
	uint32_t *component, components;
	struct graph g;

	graph_make(&g, f->blocks, edge, n);
	component = graph_components(&g, &components);
	for (uint32_t i = 0; i < f->blocks; i++)
		in[i] = component[i] == component[block - f->first_block];
	for (size_t i = 0; i < n; i++)
		any |= in[edge[i].from] && in[edge[i].to];
	free(component);
	free(edge);
	graph_free(&g);
	if (any)
		return in;
	free(in);
	return NULL;
}

/* Bit-fields and small unions are bytes `P.NAME[K]`, and the plan has `.NAME=COUNT*1:U1`. */
bool store_is_bits(const struct store *s, const char *input)
{
	const char *dot = strrchr(input, '.');
	size_t n = dot ? strcspn(dot, "[") : 0;

	for (const char *at = s->plan; n && at && (at = strstr(at, ".")); at++)
		if (!strncmp(at, dot, n) && at[n] == '=' && at[n + 1] > '0' && at[n + 1] < '9'
		    && !strncmp(at + n + 2, "*1:U1", 5))
			return true;
	return false;
}

/* Is the input a part of an array's contents: no number or pointer of its own, and no member of a
 * structure? */
static bool is_contents(const struct store *s, const struct trace_var *v)
{
	size_t n = strlen(v->name);

	return n && v->name[n - 1] == ']' && v->kind != INPUT_CHOICE
	    && (v->width <= 8 || n < 3 || strcmp(v->name + n - 3, "[0]"))
	    && !store_is_bits(s, v->name);
}

static bool is_foreign(const struct store *s, const struct trace_var *v)
{
	return !store_is_passed(s, v->name) || is_contents(s, v);
}

/* Does the input decide whether a library call fails? Such inputs are ignored, as few calls of a
 * run fail: they make no loop endless. */
static bool is_fault(const struct trace_var *v)
{
	return !strncmp(v->name, "fault.", strlen("fault."))
	    || !strncmp(v->name, "errno.", strlen("errno."));
}

static bool is_foreign_answer(const struct store *s, const struct trace_var *v)
{
	return is_foreign(s, v) && !is_fault(v);
}

static bool is_own(const struct store *s, const struct trace_var *v)
{
	return !is_foreign(s, v);
}

/* By node: does it depend on an input of this kind? */
static bool *nodes_about(const struct store *s, const struct trace *t,
    bool (*is)(const struct store *, const struct trace_var *))
{
	bool *about = zeroed(t->nodes + 1, sizeof *about);

	for (uint32_t i = 1; i <= t->nodes; i++) {
		const struct channel_node *p = &t->node[i - 1];
		uint32_t operand[3] = { p->a, p->b, p->c };
		about[i] = p->op == OP_INPUT && is(s, &t->var[p->a]);
		for (int k = 0; k < op_arity((enum op)p->op); k++)
			about[i] |= about[operand[k]];
	}
	return about;
}

static bool is_foreign_or_text(const struct store *s, const struct trace_var *v)
{
	return !store_is_passed(s, v->name) || (is_contents(s, v) && v->width <= 8);
}

bool *store_foreign_nodes(const struct store *s, const struct trace *t)
{
	return nodes_about(s, t, is_foreign_or_text);
}

static const struct flow_branch *branch_in(
    struct store *s, const struct trace *t, const struct channel_event *e, uint32_t unit)
{
	const struct flow_unit *u = &s->flow->unit[unit - 1];
	bool is = (e->kind == EV_BRANCH || e->kind == EV_TAKEN || e->kind == EV_SWITCH) && e->node;

	return is && store_unit(s, t, e->unit) == unit && e->id && e->id <= u->branches
	    ? &u->branch[e->id - 1]
	    : NULL;
}

/* The first condition of the cycle that the run decided by values that the caller passed; NULL: a
 * condition does not belong to the caller, or none depends on inputs. */
static const struct flow_branch *deciding(struct store *s, const struct trace *t, uint32_t unit,
    const struct flow_func *f, const bool *in)
{
	const struct flow_branch *first = NULL;
	bool *foreign = nodes_about(s, t, is_foreign_answer), *own = nodes_about(s, t, is_own);
	bool all = true;

	for (size_t i = 0; i < t->events && all; i++) {
		const struct flow_branch *b = branch_in(s, t, &t->event[i], unit);
		if (!b || b->block - f->first_block >= f->blocks || !in[b->block - f->first_block])
			continue;
		all = !foreign[t->event[i].node];
		first = first || !own[t->event[i].node] ? first : b;
	}
	free(foreign);
	free(own);
	return all ? first : NULL;
}

/* The condition because of which callers are responsible for a loop around the block. */
static const struct flow_branch *find_loop(
    struct store *s, const struct trace *t, uint32_t unit, uint32_t func, uint32_t block)
{
	const struct flow_unit *u = &s->flow->unit[unit - 1];
	const struct flow_func *f = &u->func[func - 1];
	bool *in = store_cycle_of(u, f, block);
	const struct flow_branch *b = in ? deciding(s, t, unit, f, in) : NULL;

	free(in);
	return b;
}

static bool is_in_cycle(const struct flow_unit *u, uint32_t func, uint32_t block)
{
	bool *in = store_cycle_of(u, &u->func[func - 1], block);

	free(in);
	return in;
}

/* By unit and function: was it looked at? */
static bool **seen_new(const struct flow *f)
{
	bool **seen = zeroed(f->units + 1, sizeof *seen);

	for (size_t i = 0; i < f->units; i++)
		seen[i] = zeroed(f->unit[i].funcs + 1, sizeof **seen);
	return seen;
}

static void seen_free(bool **seen, const struct flow *f)
{
	for (size_t i = 0; i < f->units; i++)
		free(seen[i]);
	free(seen);
}

/* May the call in unit `by` call the function? Stubs of callbacks are called through pointers. */
static bool may_call(
    const struct flow_call *c, const struct flow_func *f, uint32_t by, uint32_t unit)
{
	if (!c->callee)
		return f->address_taken;
	return (by == unit || !f->is_static) && !strcmp(c->callee, f->name);
}

/* The same for a function without loops, in which the run was stopped although a loop of a caller
 * is endless: the condition of any such loop. */
static const struct flow_branch *find_loop_around(
    struct store *s, const struct trace *t, uint32_t unit, uint32_t func, bool **seen)
{
	const struct flow_func *f = &s->flow->unit[unit - 1].func[func - 1];
	const struct flow_branch *b = NULL;

	seen[unit - 1][func - 1] = true;
	for (uint32_t by = 1; by <= s->flow->units && !b; by++) {
		const struct flow_unit *u = &s->flow->unit[by - 1];
		for (size_t i = 0; i < u->calls && !b; i++) {
			const struct flow_call *c = &u->call[i];
			if (seen[by - 1][c->func - 1] || !may_call(c, f, by, unit))
				continue;
			b = is_in_cycle(u, c->func, c->block)
			    ? find_loop(s, t, by, c->func, c->block)
			    : find_loop_around(s, t, by, c->func, seen);
		}
	}
	return b;
}

bool store_loops_need(struct store *s, const struct trace *t)
{
	bool endless = t->end == END_TIMEOUT || t->end == END_OUTPUT;
	uint32_t unit = endless ? store_unit(s, t, t->fault_unit) : 0, func;
	const struct flow_unit *u = unit ? &s->flow->unit[unit - 1] : NULL;
	const struct flow_branch *b;
	bool **seen;

	if (!u || !t->fault_block || t->fault_block > u->blocks)
		return false;
	func = u->block_func[t->fault_block - 1];
	if (is_in_cycle(u, func, t->fault_block)) {
		b = find_loop(s, t, unit, func, t->fault_block);
	} else {
		seen = seen_new(s->flow);
		b = find_loop_around(s, t, unit, func, seen);
		seen_free(seen, s->flow);
	}
	for (uint32_t i = 0; i < s->flow->units && b; i++) {
		u = &s->flow->unit[i];
		if (b >= u->branch && b < u->branch + u->branches)
			store_needs_loop(s, u, b);
	}
	return b;
}
