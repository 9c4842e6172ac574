/* renew: locals of blocks inside loops. If the records do not say when a block is entered again, a
 * local without an initialiser that is used only within a loop may have any value when an iteration
 * begins. */
#include "lib/prove/inner.h"

#include <stdlib.h>
#include <string.h>

struct loop {
	struct encoding *m;
	struct graph back;
	uint32_t head, frame;
	bool *in;
	uint32_t *todo;
	size_t n;
};

static void enter(struct loop *l, uint32_t location)
{
	if (l->in[location])
		return;
	l->in[location] = true;
	*PUSH(l->todo, l->n) = location;
}

/* Finds the locations from which the head is reached again without passing it. */
static void find_body(
    struct loop *l, const struct graph_edge *edge, size_t edges, const uint32_t *place)
{
	memset(l->in, 0, l->m->locations * sizeof *l->in);
	l->in[l->head] = true;
	for (size_t i = 0; i < edges; i++)
		if (edge[i].to == l->head && place[edge[i].from] != NONE
		    && place[edge[i].from] >= place[l->head])
			enter(l, edge[i].from);
	while (l->n) {
		uint32_t location = l->todo[--l->n];
		for (uint32_t k = l->back.first[location]; k < l->back.first[location + 1]; k++)
			enter(l, l->back.succ[k]);
	}
}

/* By variable of the frame: 1 used within the loop, 2 used outside of it, 4 it has an
 * initialiser. */
static uint8_t *find_places(const struct loop *l)
{
	struct encoding *m = l->m;
	const struct frame *f = &m->frame[l->frame];
	const struct flow_unit *u = prove_unit(m, l->frame);
	struct span vars = m->index[f->unit].vars[f->func - 1];
	uint8_t *where = zeroed(vars.n, 1);
	for (uint32_t n = 0; n < m->locations; n++)
		for (uint32_t i = m->location[n].first;
		    i < m->location[n].last + (m->location[n].callee != NONE)
		    && m->location[n].frame == l->frame;
		    i++) {
			const struct flow_inst *in = &u->inst[i - 1];
			for (uint32_t k = 0; k < in->operands; k++) {
				const struct flow_operand *o = &u->operand[in->first + k];
				if (o->kind == '&' && o->id >= vars.first
				    && o->id < vars.first + vars.n)
					where[o->id - vars.first] |= l->in[n] ? 1 : 2;
			}
			for (uint32_t k = m->index[f->unit].access[i - 1];
			    k && k <= u->accesses && u->access[k - 1].inst == i; k++)
				if (strchr(u->access[k - 1].how, 'd') && u->access[k - 1].var)
					where[u->access[k - 1].var - vars.first] |= 4;
		}
	return where;
}

void prove_renew(
    struct encoding *m, const struct graph_edge *edge, size_t edges, const uint32_t *place)
{
	struct loop l = { .m = m, .in = zeroed(m->locations, sizeof *l.in) };
	struct graph g;
	graph_make(&g, m->locations, edge, edges);
	graph_reverse(&l.back, &g);
	for (l.head = 0; l.head < m->locations; l.head++) {
		const struct frame *f = &m->frame[m->location[l.head].frame];
		const struct span *vars = &m->index[f->unit].vars[f->func - 1];
		uint8_t *where;
		if (m->cut[l.head] < 2)
			continue;
		l.frame = m->location[l.head].frame;
		find_body(&l, edge, edges, place);
		where = find_places(&l);
		for (uint32_t v = 0; v < vars->n; v++)
			if (where[v] == 1 && f->object[v] != NONE
			    && m->object[f->object[v]].frame != NONE
			    && prove_unit(m, l.frame)->var[vars->first + v - 1].kind == 'l')
				*PUSH(m->renewal, m->renewals) =
				    (struct renewal){ m->cut[l.head], f->object[v] };
		free(where);
	}
	graph_free(&g);
	graph_free(&l.back);
	free(l.in);
	free(l.todo);
}

void prove_renew_object(struct walk *w, uint32_t object)
{
	struct encoding *m = w->m;
	const struct object *o = &m->object[object];
	const struct frame *f = &m->frame[o->frame];
	uint32_t slot = f->defined[o->id - m->index[f->unit].vars[f->func - 1].first];
	prove_havoc(w, object, prove_bool(m, true));
	if (slot)
		w->now.v[slot - 1] = prove_bool(m, false);
}
