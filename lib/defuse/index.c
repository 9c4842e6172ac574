/* index: blocks, calls and accesses in the order in which the analyses need them. */
#include "lib/defuse/inner.h"

#include "lib/clib/clib.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

static bool jumps_back(const struct alias_call *c)
{
	const struct clib *f = c->name ? clib_find(c->name) : NULL;
	return f && clib_does(f, "2");
}

/* Edges for longjmp: any call may return to a setjmp of the same function, so each block with a
 * call has an edge to it. */
static size_t jump_edges(const struct defuse *d, struct graph_edge *edge)
{
	const struct defuse_index *x = d->index;
	size_t n = 0;
	for (size_t i = 0; i < alias_calls(d->alias); i++) {
		const struct alias_call *c = alias_call(d->alias, i);
		uint32_t to = x->block_base[c->unit] + c->block - 1;
		if (!jumps_back(c))
			continue;
		for (uint32_t b = 0; b < x->blocks; b++)
			if (x->block[b].func == c->func && x->block[b].calls) {
				if (edge)
					edge[n] = (struct graph_edge){ b, to };
				n++;
			}
	}
	return n;
}

static void index_blocks(struct defuse *d)
{
	struct defuse_index *x = d->index;
	const struct flow *fl = d->flow;
	x->block_base = zeroed(fl->units + 1, sizeof *x->block_base);
	for (size_t i = 0; i < fl->units; i++) {
		x->block_base[i] = x->blocks;
		x->blocks += fl->unit[i].blocks;
	}
	x->block = zeroed(x->blocks + 1u, sizeof *x->block);
	for (uint32_t i = 0; i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];
		for (uint32_t b = 0; b < u->blocks; b++) {
			struct block *to = &x->block[x->block_base[i] + b];
			to->unit = i;
			to->func = alias_function(d->alias, i, u->block_func[b]);
		}
		for (size_t k = 0; k < u->insts; k++) {
			struct block *to = &x->block[x->block_base[i] + u->inst[k].block - 1];
			to->returns |= u->inst[k].op == FLOW_RET;
			if (!to->insts++)
				to->first_inst = (uint32_t)k + 1;
		}
	}
}

static void index_edges(struct defuse *d)
{
	struct defuse_index *x = d->index;
	const struct flow *fl = d->flow;
	struct graph_edge *edge;
	size_t n = jump_edges(d, NULL), k = 0;
	for (size_t i = 0; i < fl->units; i++)
		n += fl->unit[i].edges;
	edge = reserved(n + 1, sizeof *edge);
	for (size_t i = 0; i < fl->units; i++)
		for (size_t e = 0; e < fl->unit[i].edges; e++)
			edge[k++] =
			    (struct graph_edge){ x->block_base[i] + fl->unit[i].edge[e].from - 1,
				    x->block_base[i] + fl->unit[i].edge[e].to - 1 };
	jump_edges(d, edge + k);
	graph_make(&x->flow, x->blocks, edge, n);
	free(edge);
}

static bool is_mixed(const struct alias_call *c)
{
	return c->unknown && !c->name && c->callees;
}

static int by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

static void index_mixed(struct defuse *d)
{
	size_t backs, n = alias_calls(d->alias);
	const uint32_t *back = alias_called_back(d->alias, &backs);
	d->index->mixed = zeroed(n + 1, sizeof *d->index->mixed);
	for (size_t i = 0; i < n; i++) {
		const struct alias_call *c = alias_call(d->alias, i);
		struct mixed *m = &d->index->mixed[i];
		size_t all = c->callees + backs;
		if (!is_mixed(c))
			continue;
		m->callee = zeroed(all, sizeof *m->callee);
		memcpy(m->callee, c->callee, c->callees * sizeof *c->callee);
		if (backs)
			memcpy(m->callee + c->callees, back, backs * sizeof *back);
		qsort(m->callee, all, sizeof *m->callee, by_number);
		for (size_t k = 0; k < all; k++)
			if (!k || m->callee[k] != m->callee[k - 1])
				m->callee[m->callees++] = m->callee[k];
	}
}

const uint32_t *defuse_callees(const struct defuse *d, const struct alias_call *c, size_t *n)
{
	if (is_mixed(c)) {
		const struct mixed *m = &d->index->mixed[c - alias_call(d->alias, 0)];
		*n = m->callees;
		return m->callee;
	}
	if (c->unknown && !c->callees)
		return alias_called_back(d->alias, n);
	*n = c->callees;
	return c->callee;
}

static void index_calls(struct defuse *d)
{
	struct defuse_index *x = d->index;
	size_t n = alias_calls(d->alias), pairs = 0, count;
	uint32_t functions = alias_functions(d->alias);
	x->first_caller = zeroed(functions + 2u, sizeof *x->first_caller);
	for (size_t i = 0; i < n; i++) { /* calls are ordered by unit and instruction */
		const struct alias_call *c = alias_call(d->alias, i);
		struct block *b = &x->block[x->block_base[c->unit] + c->block - 1];
		if (!b->calls++)
			b->first_call = (uint32_t)i;
	}
	for (size_t i = 0; i < n; i++) {
		const uint32_t *callee = defuse_callees(d, alias_call(d->alias, i), &count);
		for (size_t k = 0; k < count; k++)
			x->first_caller[callee[k] + 2]++;
		pairs += count;
	}
	x->caller = reserved(pairs + 1, sizeof *x->caller);
	for (uint32_t f = 0; f < functions; f++)
		x->first_caller[f + 2] += x->first_caller[f + 1];
	for (size_t i = 0; i < n; i++) {
		const uint32_t *callee = defuse_callees(d, alias_call(d->alias, i), &count);
		for (size_t k = 0; k < count; k++)
			x->caller[x->first_caller[callee[k] + 1]++] = i;
	}
}

int defuse_compare_events(const void *a, const void *b, void *defuse)
{
	const struct defuse *d = defuse;
	const struct access_event *p = a, *q = b;
	if (p->block != q->block)
		return p->block < q->block ? -1 : 1;
	if (p->inst != q->inst)
		return p->inst < q->inst ? -1 : 1;
	bool x = d->access[p->access].is_def, y = d->access[q->access].is_def;
	return x != y ? (x ? 1 : -1) : (p->access > q->access) - (p->access < q->access);
}

struct defuse_place defuse_event_place(
    const struct defuse *d, const struct access_event *e, uint32_t object)
{
	struct defuse_place p = d->access[e->access].place[e->place];
	p.object = object;
	return p;
}

static void index_events(struct defuse *d)
{
	struct defuse_index *x = d->index;
	size_t n = alias_objects(d->alias), *at;
	x->first_event = zeroed(n + 2, sizeof *x->first_event);
	for (size_t i = 0; i < d->accesses; i++)
		for (uint32_t k = 0; k < d->access[i].places; k++)
			x->first_event[d->access[i].place[k].object + 2]++;
	for (size_t i = 0; i < n; i++)
		x->first_event[i + 2] += x->first_event[i + 1];
	x->event = reserved(x->first_event[n + 1] + 1, sizeof *x->event);
	at = x->first_event + 1;
	for (uint32_t i = 0; i < d->accesses; i++) {
		const struct defuse_access *a = &d->access[i];
		for (uint32_t k = 0; k < a->places; k++)
			x->event[at[a->place[k].object]++] =
			    (struct access_event){ x->block_base[a->unit] + a->block - 1, a->inst,
				    i, k };
	}
	for (size_t i = 0; i < n; i++)
		qsort_r(x->event + x->first_event[i], x->first_event[i + 1] - x->first_event[i],
		    sizeof *x->event, defuse_compare_events, d);
}

static bool row_add(struct rows *r, uint32_t row, uint32_t bit)
{
	uint64_t *w = &r->bit[row * r->words + bit / 64], b = UINT64_C(1) << bit % 64;
	bool fresh = !(*w & b);
	*w |= b;
	return fresh;
}

static bool row_join(struct rows *r, uint32_t to, uint32_t from)
{
	bool changed = false;
	for (size_t i = 0; i < r->words; i++) {
		uint64_t w = r->bit[to * r->words + i], v = w | r->bit[from * r->words + i];
		changed |= v != w;
		r->bit[to * r->words + i] = v;
	}
	return changed;
}

static bool row_has(const struct rows *r, uint32_t row, uint32_t bit)
{
	return r->bit[row * r->words + bit / 64] >> bit % 64 & 1;
}

bool defuse_touches(const struct defuse *d, uint32_t func, uint32_t object)
{
	return row_has(&d->index->touched, func, object)
	    || (alias_object(d->alias, object)->escaped
	        && row_has(&d->index->touched, func, ALIAS_OUTSIDE));
}

/* Propagates the object sets of functions to their callers until a fixed point (FIFO worklist, so
 * that a set is nearly complete when it is propagated). */
static void close_rows(struct defuse *d, uint32_t *todo, bool *waiting)
{
	struct defuse_index *x = d->index;
	uint32_t functions = alias_functions(d->alias), first = 0, n = functions;
	for (uint32_t f = 0; f < functions; f++) {
		todo[f] = f;
		waiting[f] = true;
	}
	for (; n; n--) {
		uint32_t f = todo[first], last = UINT32_MAX;
		first = (first + 1) % functions;
		waiting[f] = false;
		for (size_t k = x->first_caller[f]; k < x->first_caller[f + 1]; k++) {
			uint32_t up = alias_call(d->alias, x->caller[k])->func;
			if (up != last && row_join(&x->touched, up, f) && !waiting[up]) {
				waiting[up] = true;
				todo[(first + n++ - 1) % functions] = up;
			}
			last = up;
		}
	}
}

static void index_objects(struct defuse *d)
{
	struct defuse_index *x = d->index;
	size_t objects = alias_objects(d->alias);
	uint32_t functions = alias_functions(d->alias),
	         *todo = reserved(functions + 1u, sizeof *todo);
	bool *waiting = zeroed(functions + 1u, sizeof *waiting);
	x->touched.words = (objects + 63) / 64;
	x->touched.bit = zeroed(x->touched.words * (functions + 1u), sizeof *x->touched.bit);
	x->private_ = reserved(objects + 1, 1);
	for (uint32_t o = 0; o < objects; o++)
		x->private_[o] = !alias_object(d->alias, o)->escaped;
	for (size_t i = 0; i < d->accesses; i++)
		for (uint32_t k = 0; k < d->access[i].places; k++) {
			const struct defuse_access *a = &d->access[i];
			uint32_t o = a->place[k].object;
			if (!a->direct || alias_object(d->alias, o)->owner != a->func)
				x->private_[o] = false;
		}
	for (size_t i = 0; i < d->accesses; i++)
		for (uint32_t k = 0; k < d->access[i].places; k++)
			if (!x->private_[d->access[i].place[k].object])
				row_add(
				    &x->touched, d->access[i].func, d->access[i].place[k].object);
	close_rows(d, todo, waiting);
	free(todo);
	free(waiting);
}

uint32_t defuse_entry_block(const struct defuse *d, uint32_t func)
{
	uint32_t unit;
	const struct flow_func *f = alias_function_of(d->alias, func, &unit, NULL);
	return f->blocks ? d->index->block_base[unit] + f->first_block - 1 : GRAPH_NONE;
}

uint32_t defuse_first_inst(const struct defuse *d, uint32_t block)
{
	uint32_t first = d->index->block[block].first_inst,
	         id = block - d->index->block_base[d->index->block[block].unit] + 1;
	const struct flow_unit *u = &d->flow->unit[d->index->block[block].unit];
	for (uint32_t i = first; i && i <= u->insts && u->inst[i - 1].block == id; i++)
		if (u->inst[i - 1].pos.line)
			return i;
	return first;
}

static void index_unit_outcomes(struct defuse_index *x, const struct flow_unit *u, uint32_t i)
{
	x->branch_of[i] = zeroed(u->outcomes + 1u, sizeof **x->branch_of);
	x->block_behind[i] = zeroed(u->outcomes + 1u, sizeof **x->block_behind);
	for (uint32_t b = 0; b < u->branches; b++)
		for (size_t k = 0; k < (u->branch[b].kind == 's' ? u->branch[b].cases + 1 : 2);
		    k++) {
			x->branch_of[i][u->branch[b].first + k] = b + 1;
			x->block_behind[i][u->branch[b].first + k] = u->branch[b].block;
		}
	for (size_t e = 0; e < u->edges; e++)
		if (u->edge[e].branch && u->edge[e].outcome < u->outcomes)
			x->block_behind[i][u->edge[e].outcome] = u->edge[e].to;
}

static void index_outcomes(struct defuse *d)
{
	struct defuse_index *x = d->index;
	x->branch_of = zeroed(d->flow->units + 1, sizeof *x->branch_of);
	x->block_behind = zeroed(d->flow->units + 1, sizeof *x->block_behind);
	for (uint32_t i = 0; i < d->flow->units; i++)
		index_unit_outcomes(x, &d->flow->unit[i], i);
}

void defuse_index(struct defuse *d)
{
	void (*const steps[])(struct defuse *) = { index_blocks, index_mixed, index_calls,
		index_edges, defuse_reachable, index_outcomes, index_events, index_objects };
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		steps[i](d);
}

void defuse_index_free(struct defuse *d)
{
	struct defuse_index *x = d->index;
	for (size_t i = 0; x->mixed && i < alias_calls(d->alias); i++)
		free(x->mixed[i].callee);
	void *arrays[] = { x->mixed, x->block_base, x->block, x->caller, x->first_caller, x->event,
		x->first_event, x->touched.bit, x->private_, x->reachable, x->runs, x->incoming,
		x->idom, x->tracer, x->branch_of, x->block_behind, x };
	for (size_t i = 0; x->branch_of && x->block_behind && i < d->flow->units; i++) {
		free(x->branch_of[i]);
		free(x->block_behind[i]);
	}
	graph_free(&x->flow);
	for (size_t i = 0; i < x->tracers; i++)
		defuse_forget(&x->tracer[i]);
	defuse_forward_free(x->forward);
	defuse_steps_free(x->steps);
	defuse_credit_free(x->credit);
	map_close(&x->pair_of);
	map_close(&x->names);
	for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
		free(arrays[i]);
}
