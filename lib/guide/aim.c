/* aim: the way to one pair as an automaton over blocks, and where each branch of the tree stands on it. */
#include "lib/guide/inner.h"

#include <stdlib.h>
#include <string.h>

enum { KILL = UINT32_MAX };                          /* the variable is certainly overwritten */

struct mark { uint32_t block, inst, what; };         /* what: index of a goal, or KILL */

struct aim {
	struct guide *g;
	struct defuse_point *goal; uint32_t goals;
	uint32_t def;                                    /* index of the definition */
	uint32_t unit, outcome;                          /* of a p-use; DEFUSE_C */
	struct defuse_point decides;                     /* the condition that it is an outcome of */
	struct mark *mark; size_t marks;                 /* by block, then instruction */
	uint32_t *first_mark;                            /* 1 + index of the first in a block, 0 none */
	uint32_t *passed; uint32_t nodes; size_t room;   /* by node */
	uint32_t furthest;
	bool failed;
};

static int by_place(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->inst != y->inst)
		return x->inst < y->inst ? -1 : 1;
	return (x->what > y->what) - (x->what < y->what);
}

static bool choose_goals(struct aim *a, uint32_t pair, enum aim_points which)
{
	size_t n;
	uint32_t k = 0;
	if (!(a->goal = defuse_points(a->g->d, pair, &n)))
		return false;
	for (size_t i = 0; i < n; i++)
		if (which == AIM_ALL || a->goal[i].role != DEFUSE_CUT) {
			if (a->goal[i].role == DEFUSE_DEF)
				a->def = k;
			a->goal[k++] = a->goal[i];
		}
	a->goals = k;
	return true;
}

/* Where the condition of a p-use is decided. */
static void find_condition(struct aim *a)
{
	const struct flow_branch *b = a->outcome == DEFUSE_C ? NULL : defuse_branch(a->g->d, a->unit, a->outcome);
	if (b)
		a->decides = (struct defuse_point){ a->unit, a->g->first[a->g->base[a->unit] + b->block - 1], DEFUSE_USE };
}

static void add_mark(struct aim *a, uint32_t unit, uint32_t block, uint32_t inst, uint32_t what)
{
	a->mark[a->marks++] = (struct mark){ a->g->base[unit] + block - 1, inst, what };
}

static bool make_marks(struct aim *a, uint32_t pair)
{
	const struct guide *g = a->g;
	const struct flow *fl = g->d->flow;
	size_t n;
	struct defuse_kill *kill = defuse_kills(g->d, pair, &n);
	if (!kill || !(a->mark = malloc((n + a->goals + 1) * sizeof *a->mark))
	    || !(a->first_mark = calloc(g->base[fl->units] + 1u, sizeof *a->first_mark))) {
		free(kill);
		return false;
	}
	for (uint32_t i = 0; i < a->goals; i++)
		add_mark(a, a->goal[i].unit, fl->unit[a->goal[i].unit].inst_block[a->goal[i].inst - 1], a->goal[i].inst, i);
	for (size_t i = 0; i < n; i++) {
		const struct defuse_access *x = &g->d->access[kill[i].access];
		if (kill[i].must && kill[i].access != g->d->pair[pair].def)
			add_mark(a, x->unit, x->block, x->inst, KILL);
	}
	free(kill);
	qsort(a->mark, a->marks, sizeof *a->mark, by_place);
	for (size_t i = a->marks; i-- > 0; )
		a->first_mark[a->mark[i].block] = (uint32_t)i + 1;
	return true;
}

struct aim *aim_new(struct guide *g, uint32_t pair, enum aim_points which)
{
	struct aim *a = calloc(1, sizeof *a);
	if (!a)
		return NULL;
	a->g = g;
	a->unit = g->d->access[g->d->pair[pair].use].unit;
	a->outcome = g->d->pair[pair].outcome;
	find_condition(a);
	a->nodes = 1;
	a->passed = guide_room(a->passed, 1, &a->room, sizeof *a->passed, &a->failed);
	if (!a->failed && choose_goals(a, pair, which) && make_marks(a, pair))
		return a;
	aim_free(a);
	return NULL;
}

void aim_free(struct aim *a)
{
	if (!a)
		return;
	free(a->goal);
	free(a->mark);
	free(a->first_mark);
	free(a->passed);
	free(a);
}

/* Goals are passed one after another. A definition begins anew; one that is overwritten is to be passed
 * again, what came before it is not. */
static uint32_t enter(const struct aim *a, uint32_t passed, uint32_t block)
{
	size_t i = a->first_mark[block];
	if (!i)
		return passed;
	for (i--; i < a->marks && a->mark[i].block == block; i++) {
		uint32_t what = a->mark[i].what;
		if (what == KILL)
			passed = passed > a->def ? a->def : passed;
		else if (what == passed || (what == a->def && passed > a->def))
			passed = what + 1;
	}
	return passed;
}

static void take_in(struct aim *a)
{
	const struct guide *g = a->g;
	for (; a->nodes < g->nodes && !a->failed; a->nodes++) {
		const struct guide_node *n = &g->node[a->nodes];
		const struct segment *s = &g->segment[n->segment];
		a->passed = guide_room(a->passed, a->nodes, &a->room, sizeof *a->passed, &a->failed);
		if (a->failed)
			return;
		uint32_t passed = n->up ? a->passed[n->up] : 0;
		for (size_t i = s->first; i < s->first + s->n; i++)
			passed = enter(a, passed, g->block[i]);
		a->passed[a->nodes] = passed;
		a->furthest = passed > a->furthest ? passed : a->furthest;
	}
}

uint32_t aim_goals(const struct aim *a)
{
	return a->goals + (a->outcome != DEFUSE_C);
}

bool aim_goal(const struct aim *a, uint32_t i, struct defuse_point *out)
{
	if (i >= a->goals)
		return false;
	*out = a->goal[i];
	return true;
}

uint32_t aim_furthest(struct aim *a)
{
	take_in(a);
	return a->furthest;
}

/* The outcome in the flow that a branch leads to: its unit; -1 for what is no condition of the program. */
static int64_t outcome_of(const struct aim *a, const struct tree_branch *b, uint32_t *outcome)
{
	const struct flow *fl = a->g->d->flow;
	const struct flow_unit *u = b->branch ? flow_unit_by_key(fl, tree_unit_key(a->g->t, b->unit)) : NULL;
	if (!u || b->branch > u->branches)
		return -1;
	const struct flow_branch *br = &u->branch[b->branch - 1];
	if ((br->kind == 's') != (b->kind == EV_SWITCH) || (br->kind == 's' && b->outcome > br->cases))
		return -1;
	*outcome = br->first + (br->kind == 's' ? b->outcome : 1 - b->outcome);
	return u - fl->unit;
}

/* Instructions from behind the branch to a goal. */
static uint32_t distance(const struct aim *a, const struct tree_branch *b, uint32_t node, const struct defuse_point *p)
{
	struct guide *g = a->g;
	uint32_t outcome, n, at = g->node[node].at;
	int64_t unit = outcome_of(a, b, &outcome);
	if (unit >= 0) {
		n = defuse_distance(g->d, (uint32_t)unit, outcome, p->unit, p->inst);
	} else if (at) {
		uint32_t u = 0;
		while (g->base[u + 1] < at)
			u++;
		n = defuse_block_distance(g->d, u, at - g->base[u], p->unit, p->inst);
	} else {
		return 1u << 20;                             /* before the program: anything may come */
	}
	return n == DEFUSE_FAR ? AIM_FAR : n + 1;
}

bool aim_state(struct aim *a, pending b, struct aim_state *out)
{
	struct tree_branch branch;
	uint32_t node = tree_node(a->g->t, b), outcome;
	take_in(a);
	if (!tree_pending(a->g->t, b, &branch) || node >= a->nodes)
		return false;
	out->passed = a->passed[node];
	out->since = a->g->node[node].since + 1;
	if (out->passed == a->goals && outcome_of(a, &branch, &outcome) == a->unit && outcome == a->outcome) {
		out->distance = 1;
		return true;
	}
	if (out->passed == a->goals && a->outcome != DEFUSE_C
	    && (out->distance = distance(a, &branch, node, &a->decides)) != AIM_FAR)
		return true;
	if (out->passed == a->goals)                     /* the use is to be passed again */
		out->passed--;
	out->distance = distance(a, &branch, node, &a->goal[out->passed]);
	return true;
}
