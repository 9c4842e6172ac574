/* aim: the progress towards one pair as an automaton over blocks, evaluated at each branch of the
 * tree. */
#include "lib/guide/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { KILL = UINT32_MAX }; /* kills the definition */

struct marked_point {
	uint32_t block, inst, what; /* what: index of a goal, or KILL */
};

struct aim {
	struct guide *g;
	struct defuse_point *goal;
	uint32_t goals;
	uint32_t def;        /* index of the definition */
	uint64_t definition; /* as guide_definition encodes it */
	unsigned how;
	uint32_t unit, outcome;      /* of a p-use; outcome DEFUSE_C: c-use */
	struct defuse_point decides; /* p-use: the first instruction of the
	                                block that decides the condition;
	                                that block */
	uint32_t deciding;
	struct marked_point *mark;
	size_t marks;     /* ordered by block, then instruction */
	uint64_t *marked; /* a bit for each block: has it marks? */
	uint32_t *passed;
	bool *redefined; /* by node: was the definition killed on its path? */
	uint32_t nodes;
	size_t room, redefined_room; /* by node: automaton state */
	uint32_t furthest;
};

static int by_place(const void *a, const void *b)
{
	const struct marked_point *x = a, *y = b;
	if (x->block != y->block)
		return x->block < y->block ? -1 : 1;
	if (x->inst != y->inst)
		return x->inst < y->inst ? -1 : 1;
	return (x->what > y->what) - (x->what < y->what);
}

static void choose_goals(struct aim *a, uint32_t pair)
{
	size_t n;
	uint32_t k = 0;
	a->goal = defuse_points(a->g->d, pair, &n);
	for (size_t i = 0; i < n; i++)
		if (!(a->how & AIM_ENDS) || a->goal[i].role != DEFUSE_CUT) {
			if (a->goal[i].role == DEFUSE_DEF)
				a->def = k;
			a->goal[k++] = a->goal[i];
		}
	a->goals = k;
}

/* Finds where the condition of a p-use is decided. */
static void find_condition(struct aim *a)
{
	const struct flow_branch *b =
	    a->outcome == DEFUSE_C ? NULL : defuse_branch(a->g->d, a->unit, a->outcome);
	a->deciding = UINT32_MAX;
	if (!b)
		return;
	a->deciding = a->g->base[a->unit] + b->block - 1;
	a->decides = (struct defuse_point){ a->unit, a->g->first[a->deciding], DEFUSE_USE };
}

static void add_mark(struct aim *a, uint32_t unit, uint32_t block, uint32_t inst, uint32_t what)
{
	a->mark[a->marks++] = (struct marked_point){ a->g->base[unit] + block - 1, inst, what };
}

static void make_marks(struct aim *a, uint32_t pair)
{
	const struct guide *g = a->g;
	const struct flow *fl = g->d->flow;
	size_t n;
	struct defuse_kill *kill = defuse_kills(g->d, pair, &n);
	a->mark = reserved(n + a->goals + 1, sizeof *a->mark);
	a->marked = zeroed(g->base[fl->units] / 64 + 1u, sizeof *a->marked);
	for (uint32_t i = 0; i < a->goals; i++)
		add_mark(a, a->goal[i].unit,
		    fl->unit[a->goal[i].unit].inst_block[a->goal[i].inst - 1], a->goal[i].inst, i);
	for (size_t i = 0; i < n; i++) {
		const struct defuse_access *x = &g->d->access[kill[i].access];
		if (!(a->how & AIM_BLIND) && kill[i].must && kill[i].access != g->d->pair[pair].def)
			add_mark(a, x->unit, x->block, x->inst, KILL);
	}
	free(kill);
	qsort(a->mark, a->marks, sizeof *a->mark, by_place);
	for (size_t i = 0; i < a->marks; i++)
		a->marked[a->mark[i].block / 64] |= UINT64_C(1) << a->mark[i].block % 64;
}

/* The first mark of a block, or where it would be. */
static size_t first_mark(const struct aim *a, uint32_t block)
{
	size_t from = 0, to = a->marks;

	while (from < to) {
		size_t middle = from + (to - from) / 2;
		if (a->mark[middle].block < block)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

/* UINT64_MAX: a call or the environment defines it; runs do not record when such a definition is
 * gone. */
static uint64_t definition(const struct defuse_access *x)
{
	bool library = x->kind == DEFUSE_LIBRARY;
	return x->kind == DEFUSE_ACCESS || library
	    ? guide_definition(x->unit, library, library ? x->inst : x->record)
	    : UINT64_MAX;
}

struct aim *aim_new(struct guide *g, uint32_t pair, unsigned how)
{
	struct aim *a = zeroed(1, sizeof *a);
	a->g = g;
	a->how = how;
	a->unit = g->d->access[g->d->pair[pair].use].unit;
	a->outcome = g->d->pair[pair].outcome;
	a->definition = definition(&g->d->access[g->d->pair[pair].def]);
	find_condition(a);
	a->nodes = 1;
	GROW(a->passed, a->room, 1);
	GROW(a->redefined, a->redefined_room, 1);
	choose_goals(a, pair);
	make_marks(a, pair);
	return a;
}

void aim_free(struct aim *a)
{
	if (!a)
		return;
	free(a->goal);
	free(a->mark);
	free(a->marked);
	free(a->passed);
	free(a->redefined);
	free(a);
}

/* A p-use was executed but its condition is not decided yet: all goals are passed. Until then the
 * definition may be killed (OVERWRITTEN) or executed again (ANEW). */
enum { OVERWRITTEN = 1, ANEW = 2 };

static bool waits(const struct aim *a, uint32_t passed)
{
	return a->outcome != DEFUSE_C && passed >= a->goals;
}

/* A killed definition must be passed again; the goals before it need not. */
static uint32_t overwrite(const struct aim *a, uint32_t passed)
{
	if (waits(a, passed))
		return a->goals + OVERWRITTEN;
	return passed > a->def ? a->def : passed;
}

/* The condition was decided: the use must be passed again. */
static uint32_t decided(const struct aim *a, uint32_t passed)
{
	if (passed < a->goals)
		return passed;
	return passed == a->goals ? passed - 1 : passed == a->goals + ANEW ? a->def + 1 : a->def;
}

/* Goals are passed in order. Executing the definition again restarts after it. */
static uint32_t pass(const struct aim *a, uint32_t passed, uint32_t goal)
{
	if (goal == a->def && passed > a->def)
		return waits(a, passed) ? a->goals + ANEW : goal + 1;
	if (goal + 1 == a->goals && passed > a->goals) /* the use is executed again */
		return passed == a->goals + ANEW ? a->goals : a->def;
	return goal == passed ? goal + 1 : passed;
}

static uint32_t enter(const struct aim *a, uint32_t passed, uint32_t block, bool *redefined)
{
	if (!(a->marked[block / 64] >> block % 64 & 1))
		return passed;
	for (size_t i = first_mark(a, block); i < a->marks && a->mark[i].block == block; i++) {
		*redefined |= a->mark[i].what == KILL && passed > a->def;
		passed = a->mark[i].what == KILL ? overwrite(a, passed)
		                                 : pass(a, passed, a->mark[i].what);
	}
	return passed;
}

/* Did the run record that no byte of the definition is left? */
static bool is_gone(const struct aim *a, const struct guide_node *n)
{
	for (size_t i = n->gone; i < n->gone + n->gones && !(a->how & AIM_BLIND); i++)
		if (a->g->gone[i] == a->definition)
			return true;
	return false;
}

/* Computes the automaton state at a condition. */
static uint32_t follow(const struct aim *a, const struct guide_node *n, bool *redefined)
{
	const struct guide *g = a->g;
	const struct block_range *s = &g->segment[n->segment];
	uint32_t passed = n->up ? a->passed[n->up] : 0,
	         before = n->up ? g->node[n->up].at - 1 : UINT32_MAX;
	for (size_t i = s->first; i < s->first + s->n; i++) {
		if (before == a->deciding)
			passed = decided(a, passed);
		before = g->block[i];
		passed = enter(a, passed, before, redefined);
	}
	if (!is_gone(a, n))
		return passed;
	*redefined |= passed > a->def;
	return overwrite(a, passed);
}

static void take_in(struct aim *a)
{
	const struct guide *g = a->g;
	for (; a->nodes < g->nodes; a->nodes++) {
		GROW(a->passed, a->room, a->nodes + 1u);
		GROW(a->redefined, a->redefined_room, a->nodes + 1u);
		const struct guide_node *n = &g->node[a->nodes];
		bool redefined = n->up && a->redefined[n->up];
		uint32_t passed = a->passed[a->nodes] = follow(a, n, &redefined);
		a->redefined[a->nodes] = redefined;
		passed = passed > a->goals ? a->goals : passed;
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

/* The outcome in the flow that a branch leads to: returns its unit; -1 if the branch is no
 * condition of the program. */
static int64_t outcome_of(const struct aim *a, const struct tree_branch *b, uint32_t *outcome)
{
	const struct flow *fl = a->g->d->flow;
	const struct flow_unit *u =
	    b->branch ? flow_unit_by_key(fl, tree_unit_key(a->g->t, b->unit)) : NULL;
	if (!u || b->branch > u->branches)
		return -1;
	const struct flow_branch *br = &u->branch[b->branch - 1];
	if ((br->kind == 's') != (b->kind == EV_SWITCH)
	    || (br->kind == 's' && b->outcome > br->cases))
		return -1;
	*outcome = br->first + (br->kind == 's' ? b->outcome : 1 - b->outcome);
	return u - fl->unit;
}

/* Instructions from the branch's outcome to a goal. */
static uint32_t distance(
    const struct aim *a, const struct tree_branch *b, uint32_t node, const struct defuse_point *p)
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
		/* before the program starts: unknown */
		return 1u << 20;
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
	uint32_t passed = a->passed[node];
	bool decides = passed >= a->goals && outcome_of(a, &branch, &outcome) == a->unit
	    && a->g->base[a->unit] + defuse_branch(a->g->d, a->unit, outcome)->block - 1
	        == a->deciding;
	out->since = a->g->node[node].since + 1;
	out->redefined = a->redefined[node];
	out->passed = a->goals;
	if (decides && outcome == a->outcome) {
		out->distance = 1;
		return true;
	}
	if (passed >= a->goals && a->outcome != DEFUSE_C && !decides
	    && (out->distance = distance(a, &branch, node, &a->decides)) != AIM_FAR)
		return true;
	out->passed = decided(a, passed);
	out->distance = distance(a, &branch, node, &a->goal[out->passed]);
	return true;
}

/* Instructions from a node to the goal that is next there. */
static uint32_t to_go(const struct aim *a, uint32_t node, uint32_t passed)
{
	const struct guide *g = a->g;
	uint32_t unit = 0, at = g->node[node].at;

	if (passed >= a->goals)
		return 0;
	while (g->base[unit + 1] < at)
		unit++;
	uint32_t n = defuse_block_distance(
	    g->d, unit, at - g->base[unit], a->goal[passed].unit, a->goal[passed].inst);
	return n == DEFUSE_FAR ? AIM_FAR : n;
}

bool aim_closest(struct aim *a, struct aim_closest *out)
{
	const struct guide *g = a->g;
	uint32_t best = 0, nearest = AIM_FAR;

	take_in(a);
	out->passed = 0;
	for (uint32_t i = 1; i < a->nodes; i++) {
		uint32_t passed = a->passed[i] > a->goals ? a->goals : a->passed[i];
		if (!g->node[i].test || !g->node[i].at || !g->node[i].branch
		    || passed < out->passed)
			continue;
		uint32_t n = to_go(a, i, passed);
		if (best && passed == out->passed && n >= nearest)
			continue;
		best = i;
		nearest = n;
		out->passed = passed;
	}
	if (!best)
		return false;
	const struct flow_unit *u = &g->d->flow->unit[g->node[best].unit - 1];
	const struct flow_pos *pos = &u->branch[g->node[best].branch - 1].pos;
	out->test = g->node[best].test;
	out->file = pos->file ? u->file[pos->file - 1] : u->name;
	out->line = pos->line;
	return true;
}
