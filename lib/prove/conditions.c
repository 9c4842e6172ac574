/* conditions: goals that are not pairs: an outcome is taken, a block is entered, a condition holds
 * at an instruction, a loop's body runs zero, one or more times, the conditions of a decision have
 * given outcomes. Each is reached at least when the woven code would report it. */
#include "lib/prove/inner.h"
#include "lib/protocol/checks.h"

#include <stdlib.h>
#include <string.h>

/* ---- which there are */

static void add_goal(struct encoding *m, uint32_t frame, uint32_t outcome, struct goal g)
{
	uint32_t *head = prove_at(&m->goals_at, frame, outcome + 1);
	g.change = NONE;
	g.next = *head;
	*PUSH(m->goal, m->goals) = g;
	*head = m->goals;
}

static void add_mark(
    struct encoding *m, uint32_t frame, uint32_t inst, uint32_t output, unsigned what)
{
	uint32_t *head = prove_at(&m->sites_at, frame, inst);
	*PUSH(m->site, m->sites) = (struct goal_site){ output, *head, what };
	*head = m->sites;
}

/* Keys of blocks and instructions in one map. */
static uint32_t block_key(uint32_t block)
{
	return 0x80000000u | block;
}

/* The step that takes the outcome after the step `from`. Evaluations share their common steps. */
static uint32_t add_step(struct encoding *m, uint32_t frame, uint32_t outcome, uint32_t from)
{
	uint32_t slot;
	for (uint32_t k = *prove_at(&m->goals_at, frame, outcome + 1); k; k = m->goal[k - 1].next)
		if (m->goal[k - 1].to && m->goal[k - 1].from == from)
			return m->goal[k - 1].to;
	slot = 1 + ts_slot(&m->ts, SLOT_GHOST, 1);
	add_goal(m, frame, outcome, (struct goal){ .output = NONE, .from = from, .to = slot });
	return slot;
}

static void add_evaluation(
    struct encoding *m, uint32_t frame, const struct prove_outcome *o, uint32_t output)
{
	uint32_t from = 0;
	for (size_t i = 0; i + 1 < o->n; i++)
		from = add_step(m, frame, o->list[i], from);
	add_goal(m, frame, o->list[o->n - 1], (struct goal){ .output = output, .from = from });
}

/* ---- loops */

static struct graph blocks_of(const struct flow_unit *u, const struct flow_func *f)
{
	struct graph_edge *edge = NULL;
	size_t edges = 0;
	struct graph g;
	for (size_t i = 0; i < u->edges; i++)
		if (u->edge[i].from - f->first_block < f->blocks)
			*PUSH(edge, edges) = (struct graph_edge){ u->edge[i].from - f->first_block,
				u->edge[i].to - f->first_block };
	graph_make(&g, f->blocks, edge, edges);
	free(edge);
	return g;
}

/* Marks blocks from which a back edge of the header is reached without passing the header. */
static void spread_back(
    const struct graph *back, const uint32_t *idom, uint32_t header, bool *member)
{
	uint32_t *open = zeroed(back->nodes + 1, sizeof *open), n = 0;
	member[header] = true;
	open[n++] = header;
	while (n) {
		uint32_t v = open[--n];
		for (uint32_t k = back->first[v]; k < back->first[v + 1]; k++) {
			uint32_t p = back->succ[k];
			bool inside = idom[p] != GRAPH_NONE && graph_dominates(idom, header, p);
			if (!inside || member[p])
				continue;
			member[p] = true;
			open[n++] = p;
		}
	}
	free(open);
}

/* By block of the function: is it in the loop with that header? The encoding owns the array. */
static const bool *members_of(struct encoding *m, uint32_t unit, uint32_t func, uint32_t header)
{
	const struct flow_unit *u = &m->flow->unit[unit];
	const struct flow_func *f = &u->func[func - 1];
	struct graph g = blocks_of(u, f), back;
	uint32_t *idom = graph_dominators(&g, 0);
	bool *member = zeroed(f->blocks, sizeof *member);
	graph_reverse(&back, &g);
	spread_back(&back, idom, header - f->first_block, member);
	*PUSH(m->members, m->member_lists) = member;
	graph_free(&g);
	graph_free(&back);
	free(idom);
	return member;
}

/* The loop of an activation with this header; it is made if it is new. */
static struct loop_watch *loop_of(
    struct encoding *m, uint32_t frame, uint32_t header, uint32_t body)
{
	const struct frame *f = &m->frame[frame];
	const bool *member = NULL;
	if (!m->loop_of)
		m->loop_of = zeroed(m->frames, sizeof *m->loop_of);
	for (uint32_t k = 0; k < m->loops; k++) {
		const struct loop_watch *l = &m->loop[k];
		if (l->header != header || m->frame[l->frame].unit != f->unit)
			continue;
		if (l->frame == frame)
			return &m->loop[k];
		member = l->member;
	}
	if (!member)
		member = members_of(m, f->unit, f->func, header);
	*PUSH(m->loop, m->loops) = (struct loop_watch){ .frame = frame,
		.header = header,
		.body = body,
		.next = m->loop_of[frame],
		.zero = ts_slot(&m->ts, SLOT_GHOST, 1),
		.once = ts_slot(&m->ts, SLOT_GHOST, 1),
		.left0 = NONE,
		.left1 = NONE,
		.again = NONE,
		.member = member };
	m->loop_of[frame] = m->loops;
	return &m->loop[m->loops - 1];
}

static void add_loop(
    struct encoding *m, uint32_t frame, const struct flow_check *c, uint32_t output)
{
	uint32_t unit = m->frame[frame].unit;
	struct loop_watch *l =
	    loop_of(m, frame, m->flow->unit[unit].inst[c->inst - 1].block, c->block);
	*(c->kind == OBJECTIVE_ZERO        ? &l->left0
	        : c->kind == OBJECTIVE_ONE ? &l->left1
	                                   : &l->again) = output;
}

static bool is_of_loop(unsigned kind)
{
	return kind == OBJECTIVE_ZERO || kind == OBJECTIVE_ONE || kind == OBJECTIVE_MANY;
}

static void watch(
    struct encoding *m, uint32_t frame, const struct prove_outcome *o, uint32_t output)
{
	const struct flow_check *c;
	switch (o->kind) {
	case GOALS_OUTCOME:
		add_goal(m, frame, o->outcome, (struct goal){ .output = output });
		break;
	case GOALS_CONDITION:
		c = &m->flow->unit[o->unit].check[o->check];
		if (is_of_loop(c->kind))
			add_loop(m, frame, c, output);
		else if (objective_is_way(c->kind))
			add_mark(m, frame, block_key(c->block), output, 0);
		else
			add_mark(m, frame, c->inst, output, c->kind);
		break;
	case GOALS_BLOCKS:
		for (size_t i = 0; i < o->n; i++)
			add_mark(m, frame, block_key(o->list[i]), output, 0);
		break;
	case GOALS_EVALUATION: add_evaluation(m, frame, o, output); break;
	}
}

void prove_watch_condition(
    struct encoding *m, const struct prove_outcome *o, uint32_t func, uint32_t output)
{
	for (uint32_t f = 0; f < m->frames; f++)
		if (m->frame[f].number == func)
			watch(m, f, o, output);
}

/* ---- conditions */

static expr less(struct encoding *m, char sign, expr x, expr y)
{
	expr s = expr_make(m->pool, OP_SLT, 1, x, y, 0), u = expr_make(m->pool, OP_ULT, 1, x, y, 0);
	return sign == 's' ? s : sign == 'u' ? u : prove_or(m, s, u);
}

/* Is x one less than y? */
static expr one_less(struct encoding *m, char sign, expr x, expr y, unsigned width)
{
	expr next = expr_make(m->pool, OP_ADD, width, x, prove_const(m, width, 1), 0);
	return prove_and(m, prove_equal(m, next, y), less(m, sign, x, y));
}

/* Does the result differ from that of another operation, or of this one with other operands? */
static expr differs(struct walk *w, uint32_t inst, const char *name, unsigned width, expr x, expr y)
{
	struct flow_operand self = { .kind = '%', .id = inst };
	expr other = name ? prove_binary(w, name, width, x, y) : 0;
	return other
	    ? expr_not(w->m->pool, prove_equal(w->m, prove_operand(w, &self, width), other))
	    : prove_bool(w->m, true);
}

static expr differs_by_operator(
    struct walk *w, uint32_t inst, const struct flow_inst *i, unsigned kind, expr x, expr y)
{
	const char *name = objective_mutant(i->name, kind);
	if (name && !strcmp(name, "shr"))
		return prove_or(w->m, differs(w, inst, "ashr", i->width, x, y),
		    differs(w, inst, "lshr", i->width, x, y));
	return differs(w, inst, name, i->width, x, y);
}

static expr condition(struct walk *w, uint32_t inst, unsigned kind)
{
	struct encoding *m = w->m;
	const struct flow_unit *u = prove_unit(m, w->frame);
	const struct flow_inst *i = &u->inst[inst - 1];
	const struct flow_operand *o = &u->operand[i->first];
	expr x, y, one;
	char sign;
	if (i->operands < 2 || !i->name || !i->width || i->width > 64
	    || (i->width == 64 && prove_any_pointer(w, i)))
		return prove_bool(m, true);
	x = prove_operand(w, &o[0], i->width);
	y = prove_operand(w, &o[1], i->width);
	one = prove_const(m, i->width, 1);
	sign = i->op == FLOW_COMPARE ? *i->name : 0;
	switch (kind) {
	case OBJECTIVE_BELOW: return one_less(m, sign, x, y, i->width);
	case OBJECTIVE_ABOVE: return one_less(m, sign, y, x, i->width);
	case OBJECTIVE_EQUAL:
	case OBJECTIVE_IF_EQUAL: return prove_equal(m, x, y);
	case OBJECTIVE_IF_LESS: return less(m, sign, x, y);
	case OBJECTIVE_IF_MORE: return less(m, sign, y, x);
	case OBJECTIVE_OPERATOR:
	case OBJECTIVE_OPERATOR2: return differs_by_operator(w, inst, i, kind, x, y);
	case OBJECTIVE_CONSTANT: y = expr_make(m->pool, OP_ADD, i->width, y, one, 0); break;
	case OBJECTIVE_CONSTANT2: y = expr_make(m->pool, OP_SUB, i->width, y, one, 0); break;
	default: return prove_bool(m, true);
	}
	return i->op == FLOW_COMPARE
	    ? expr_not(m->pool,
	          prove_equal(m, prove_binary(w, i->name, i->width, x, y),
	              prove_operand(w, &(struct flow_operand){ .kind = '%', .id = inst }, 1)))
	    : differs(w, inst, i->name, i->width, x, y);
}

/* 1 + the index of the first goal site at this key; 0: there is none. */
static uint32_t sites(struct walk *w, uint32_t key)
{
	return w->m->sites ? *prove_at(&w->m->sites_at, w->frame, key) : 0;
}

void prove_computed(struct walk *w, uint32_t inst)
{
	for (uint32_t k = sites(w, inst); k; k = w->m->site[k - 1].next)
		prove_bad(w, w->m->site[k - 1].output, condition(w, inst, w->m->site[k - 1].what));
}

void prove_stores(struct walk *w, uint32_t inst, unsigned bytes, expr stored)
{
	uint32_t k = sites(w, inst);
	expr changes = k && stored && bytes && bytes <= 8
	    ? expr_not(w->m->pool, prove_equal(w->m, prove_read(w, bytes), stored))
	    : prove_bool(w->m, true);
	for (; k; k = w->m->site[k - 1].next)
		prove_bad(w, w->m->site[k - 1].output, changes);
}

/* ---- blocks and loops */

void prove_begun(struct walk *w, uint32_t block)
{
	struct encoding *m = w->m;
	for (uint32_t k = sites(w, block_key(block)); k; k = m->site[k - 1].next)
		prove_bad(w, m->site[k - 1].output, prove_bool(m, true));
	for (uint32_t k = m->loop_of ? m->loop_of[w->frame] : 0; k; k = m->loop[k - 1].next) {
		const struct loop_watch *l = &m->loop[k - 1];
		if (l->body != block)
			continue;
		if (l->again != NONE)
			prove_bad(w, l->again, w->now.v[l->once]);
		w->now.v[l->once] = w->now.v[l->zero];
		w->now.v[l->zero] = prove_bool(m, false);
	}
}

void prove_passes(struct walk *w, uint32_t to, expr cond, struct symbolic_state *s)
{
	struct encoding *m = w->m;
	uint32_t from = m->location[w->location].block,
	         low = prove_unit(m, w->frame)->func[m->frame[w->frame].func - 1].first_block;
	for (uint32_t k = m->loop_of ? m->loop_of[w->frame] : 0; k; k = m->loop[k - 1].next) {
		const struct loop_watch *l = &m->loop[k - 1];
		bool inside = l->member[from - low], then = l->member[to - low];
		if (!inside && to == l->header) {
			s->v[l->zero] = prove_bool(m, true);
			s->v[l->once] = prove_bool(m, false);
		}
		if (inside && !then && l->left0 != NONE)
			prove_bad(w, l->left0, prove_and(m, cond, w->now.v[l->zero]));
		if (inside && !then && l->left1 != NONE)
			prove_bad(w, l->left1, prove_and(m, cond, w->now.v[l->once]));
	}
}
