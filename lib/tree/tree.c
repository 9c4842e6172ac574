#include "lib/tree/tree.h"
#include "lib/tree/paths.h"

#include <stdlib.h>
#include <string.h>

/* A node has one slot an outcome. A slot's index is the handle of the branch while it is pending.
 * Nodes at the same place of the tree with different conditions (a value that was made concrete
 * differs from run to run) are alternatives in a list. */

enum slot_state { SLOT_PENDING, SLOT_RUN, SLOT_INFEASIBLE, SLOT_UNKNOWN, SLOT_SILENT };

struct slot {
	uint32_t node, child;        /* owner; first node below, 0 none */
	uint8_t state;
};

struct node {
	expr cond;                   /* the condition, or the value of a switch */
	uint32_t up;                 /* slot that leads here; 0: the root */
	uint32_t other;              /* next alternative, 0 none */
	uint32_t first, outcomes;    /* slots */
	uint32_t unit, branch;
	uint32_t depth, visits, run;
	uint16_t kind;
	bool guess;                  /* a switch with unknown cases: outcome 1 is `value == y` of its first run */
};

struct run { uint64_t id; uint32_t open; struct assignment in; };

struct tree {
	struct expr_pool *pool;
	tree_cases *cases; void *cases_arg;
	struct slot *slot; uint32_t slots, slots_capacity;
	struct node *node; uint32_t nodes, nodes_capacity;
	struct run *run; uint32_t runs, runs_capacity;
	uint32_t root;               /* first alternative */
	struct paths paths;          /* identities of the paths that were run */
	uint64_t *key; size_t keys, keys_capacity;        /* of units, by their index in traces */
	uint32_t *decided; size_t decided_capacity; uint32_t generation;
	uint32_t *last; size_t lasts, last_capacity;      /* slots taken by the last run */
	pending *added; size_t adds, added_capacity;
	expr *query; size_t query_capacity;
	pending *open; size_t open_capacity;
	struct tree_counts counts;
	bool failed;                 /* out of memory */
};

/* Makes room for one more element; false when out of memory. */
static bool room(struct tree *t, void **array, size_t n, size_t *capacity, size_t size)
{
	size_t more = *capacity ? *capacity * 2 : 64;
	void *p;
	if (n < *capacity)
		return true;
	if (!(p = realloc(*array, more * size))) {
		t->failed = true;
		return false;
	}
	memset((char *)p + *capacity * size, 0, (more - *capacity) * size);
	*array = p;
	*capacity = more;
	return true;
}

static bool room32(struct tree *t, void **array, uint32_t n, uint32_t *capacity, size_t size)
{
	size_t wide = *capacity;
	bool ok = n < UINT32_MAX / 2 && room(t, array, n, &wide, size);
	*capacity = (uint32_t)wide;
	return ok;
}
#define ROOM(t, array, n, capacity) room(t, (void **)&(array), n, &(capacity), sizeof *(array))
#define ROOM32(t, array, n, capacity) room32(t, (void **)&(array), n, &(capacity), sizeof *(array))

struct tree *tree_new(struct expr_pool *p)
{
	struct tree *t = calloc(1, sizeof *t);
	if (!t)
		return NULL;
	t->pool = p;
	t->slots = t->nodes = t->runs = 1;           /* 0 is none */
	if (ROOM32(t, t->slot, 1, t->slots_capacity) && ROOM32(t, t->node, 1, t->nodes_capacity)
	    && ROOM32(t, t->run, 1, t->runs_capacity))
		return t;
	tree_free(t);
	return NULL;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	for (uint32_t i = 1; i < t->runs; i++)
		assignment_clear(&t->run[i].in);
	free(t->slot);
	free(t->node);
	free(t->run);
	paths_clear(&t->paths);
	free(t->key);
	free(t->decided);
	free(t->last);
	free(t->added);
	free(t->query);
	free(t->open);
	free(t);
}

void tree_set_cases(struct tree *t, tree_cases *cases, void *arg)
{
	t->cases = cases;
	t->cases_arg = arg;
}

/* ---- conditions */

static expr equals(struct tree *t, expr value, uint64_t y)
{
	struct value v = { y, 0 };
	uint32_t width = expr_width(t->pool, value);
	if (width < 64)
		v.lo &= ((uint64_t)1 << width) - 1;
	return expr_make(t->pool, OP_EQ, 1, value, expr_const(t->pool, width, v), 0);
}

/* None of case values lo..hi-1, as a balanced conjunction. */
static expr none_of(struct tree *t, expr value, const uint64_t *y, size_t lo, size_t hi)
{
	size_t mid = lo + (hi - lo) / 2;
	if (hi - lo == 1)
		return expr_not(t->pool, equals(t, value, y[lo]));
	return expr_make(t->pool, OP_AND, 1, none_of(t, value, y, lo, mid), none_of(t, value, y, mid, hi), 0);
}

static expr case_cond(struct tree *t, expr value, const uint64_t *y, size_t cases, uint32_t k)
{
	return k < cases ? equals(t, value, y[k]) : none_of(t, value, y, 0, cases);
}

uint64_t tree_unit_key(const struct tree *t, uint32_t unit)
{
	return unit < t->keys ? t->key[unit] : 0;
}

/* The condition for taking outcome `k` of a node. */
static expr outcome_cond(struct tree *t, const struct node *n, uint32_t k)
{
	const uint64_t *y;
	size_t cases;
	if (n->kind != EV_SWITCH || n->guess)
		return k ? n->cond : expr_not(t->pool, n->cond);
	cases = t->cases(t->cases_arg, tree_unit_key(t, n->unit), n->branch, &y);
	return case_cond(t, n->cond, y, cases, k);
}

/* ---- adding a run */

/* What one tree_add needs to know. */
struct adding {
	const struct trace *tr;
	const expr *map;
	struct tree_path *out;
	uint32_t run;                /* index */
	uint32_t at;                 /* slot taken last, 0: at the root */
	uint64_t identity;
	pending promised;
	bool kept;                   /* the promised branch was taken */
};

/* Was this condition, or its negation, met on the current path already? Notes it. */
static bool decided(struct tree *t, expr e)
{
	if (expr_op(t->pool, e) == OP_NOT)
		e = expr_operand(t->pool, e, 0);
	while (e >= t->decided_capacity)
		if (!ROOM(t, t->decided, t->decided_capacity, t->decided_capacity))
			return true;
	if (t->decided[e] == t->generation)
		return true;
	t->decided[e] = t->generation;
	return false;
}

static uint32_t *first_node(struct tree *t, uint32_t at)
{
	return at ? &t->slot[at].child : &t->root;
}

/* The node for a condition below slot `at`, or 0. */
static uint32_t find_node(struct tree *t, uint32_t at, expr cond)
{
	uint32_t n = *first_node(t, at);
	while (n && t->node[n].cond != cond)
		n = t->node[n].other;
	return n;
}

static uint32_t new_node(struct tree *t, const struct adding *a, const struct channel_event *e,
                         expr cond, uint32_t outcomes, bool guess)
{
	uint32_t n = t->nodes, *first;
	if (!ROOM32(t, t->node, t->nodes, t->nodes_capacity))
		return 0;
	for (uint32_t k = 0; k < outcomes; k++) {
		if (!ROOM32(t, t->slot, t->slots + k, t->slots_capacity))
			return 0;
		t->slot[t->slots + k] = (struct slot){ .node = n, .state = SLOT_SILENT };
	}
	first = first_node(t, a->at);
	t->node[n] = (struct node){
		.cond = cond, .up = a->at, .other = *first, .first = t->slots, .outcomes = outcomes,
		.unit = e->unit, .branch = e->id, .depth = a->out->length, .run = a->run,
		.kind = e->kind, .guess = guess,
	};
	*first = n;
	t->nodes++;
	t->slots += outcomes;
	t->counts.nodes++;
	return n;
}

/* May the outcomes that this run did not take be searched for? */
static bool flippable(const struct channel_event *e)
{
	switch (e->kind) {
	case EV_ASSUME: return e->x == 0;
	case EV_ASSUME_BRANCH: return !(e->flags & 1);
	}
	return true;
}

/* Makes the other outcomes of a new node pending, unless they contradict themselves. */
static void open_others(struct tree *t, const struct adding *a, uint32_t n, uint32_t taken)
{
	struct value v;
	for (uint32_t k = 0; k < t->node[n].outcomes; k++) {
		uint32_t s = t->node[n].first + k;
		if (k == taken)
			continue;
		if (expr_is_const(t->pool, outcome_cond(t, &t->node[n], k), &v) && !(v.lo & 1)) {
			t->slot[s].state = SLOT_INFEASIBLE;
			t->counts.infeasible++;
			continue;
		}
		if (!ROOM(t, t->added, t->adds, t->added_capacity))
			return;
		t->slot[s].state = SLOT_PENDING;
		t->added[t->adds++] = s;
		t->counts.pending++;
		t->run[a->run].open++;
	}
}

static void release(struct tree *t, uint32_t run)
{
	if (--t->run[run].open == 0)
		assignment_clear(&t->run[run].in);
}

/* The run takes a slot: settles what was known of it. */
static void take(struct tree *t, struct adding *a, uint32_t s)
{
	struct slot *slot = &t->slot[s];
	switch (slot->state) {
	case SLOT_PENDING:
		t->counts.pending--;
		release(t, t->node[slot->node].run);
		break;
	case SLOT_INFEASIBLE:
		t->counts.infeasible--;
		t->counts.contradicted++;
		break;
	case SLOT_UNKNOWN:
		t->counts.unknown--;
		break;
	}
	slot->state = SLOT_RUN;
	t->node[slot->node].visits++;
	a->kept |= s == a->promised;
	a->at = s;
	a->out->length++;
	if (ROOM(t, t->last, t->lasts, t->last_capacity))
		t->last[t->lasts++] = s;
}

static void step(struct tree *t, struct adding *a, const struct channel_event *e, expr cond,
                 uint32_t outcomes, uint32_t taken, bool guess)
{
	uint32_t n = find_node(t, a->at, cond);
	bool fresh = !n;
	if (fresh && !(n = new_node(t, a, e, cond, outcomes, guess)))
		return;
	if (taken >= t->node[n].outcomes)
		return;              /* another number of cases than before: the trace is odd */
	if (fresh && flippable(e))
		open_others(t, a, n, taken);
	take(t, a, t->node[n].first + taken);
}

/* A switch whose cases nobody told: one two-way node for each value met here. */
static void step_guess(struct tree *t, struct adding *a, const struct channel_event *e, expr value)
{
	expr mine = equals(t, value, e->y);
	uint32_t n, at;
	do {
		at = a->at;
		n = *first_node(t, at);
		while (n && !(t->node[n].guess && t->node[n].branch == e->id && t->node[n].unit == e->unit))
			n = t->node[n].other;
		if (!n || t->node[n].cond == mine) {
			step(t, a, e, mine, 2, 1, true);
			return;
		}
		step(t, a, e, t->node[n].cond, 2, 0, true);
	} while (a->at != at);
}

static void step_switch(struct tree *t, struct adding *a, const struct channel_event *e, expr value)
{
	const uint64_t *y;
	size_t cases = t->cases ? t->cases(t->cases_arg, tree_unit_key(t, e->unit), e->id, &y) : 0;
	uint32_t taken = (uint32_t)e->x;
	expr mine = !cases || taken > cases ? equals(t, value, e->y)
	                                    : case_cond(t, value, y, cases, taken);
	if (decided(t, mine))
		return;
	if (cases && taken <= cases)
		step(t, a, e, value, (uint32_t)cases + 1, taken, false);
	else
		step_guess(t, a, e, value);
}

/* Which events make two paths of the program different. Decisions of library models and of the
 * harness do: what the program decides on their results is concrete and is not told. */
static bool identifies(const struct channel_event *e)
{
	switch (e->kind) {
	case EV_BRANCH: case EV_SWITCH: case EV_MODEL: return true;
	case EV_ASSERT: case EV_BOUNDS: return e->x == 0;
	}
	return false;
}

static void add_event(struct tree *t, struct adding *a, const struct channel_event *e)
{
	struct value v;
	expr cond;
	if (e->kind < EV_BRANCH || e->kind > EV_BOUNDS || e->node > a->tr->nodes)
		return;
	if (identifies(e))
		a->identity = paths_mix(paths_mix(a->identity, tree_unit_key(t, e->unit)),
		                        (uint64_t)e->kind << 56 ^ (uint64_t)e->id << 24 ^ e->x);
	if (e->kind == EV_ASSUME && e->x == 0)
		a->out->rejected = true;
	cond = a->map[e->node];
	if (!cond || expr_is_const(t->pool, cond, &v))
		return;
	if (e->kind == EV_SWITCH)
		step_switch(t, a, e, cond);
	else if (!decided(t, cond))
		step(t, a, e, cond, 2, e->x != 0, false);
}

static bool learn_units(struct tree *t, const struct trace *tr)
{
	for (; t->keys < tr->units; t->keys++) {
		if (!ROOM(t, t->key, t->keys, t->keys_capacity))
			return false;
		t->key[t->keys] = tr->unit[t->keys].key;
	}
	return true;
}

static bool new_run(struct tree *t, struct adding *a)
{
	const struct trace *tr = a->tr;
	struct run *run;
	if (!ROOM32(t, t->run, t->runs, t->runs_capacity))
		return false;
	a->run = t->runs++;
	run = &t->run[a->run];
	*run = (struct run){ .id = tr->id, .open = 1 };
	for (size_t i = 0; i < tr->vars; i++)
		assignment_set(&run->in, expr_var(t->pool, tr->var[i].name, tr->var[i].kind, tr->var[i].width),
		               tr->var[i].value);
	return true;
}

/* The promised branch was not taken: nobody knows an input for it, and it is not asked for again. */
static void settle_promise(struct tree *t, struct adding *a)
{
	struct slot *slot = &t->slot[a->promised];
	if (!a->promised || a->promised >= t->slots || a->kept)
		return;
	a->out->mispredicted = true;
	if (slot->state == SLOT_PENDING)
		tree_close(t, a->promised, false);
}

bool tree_add(struct tree *t, const struct trace *tr, const expr *map, pending promised,
              struct tree_path *out)
{
	struct adding a = { .tr = tr, .map = map, .out = out, .promised = promised };
	*out = (struct tree_path){ 0 };
	t->adds = t->lasts = 0;
	t->failed = false;
	if (++t->generation == 0) {                  /* wrapped */
		memset(t->decided, 0, t->decided_capacity * sizeof *t->decided);
		t->generation = 1;
	}
	if (!learn_units(t, tr) || !new_run(t, &a))
		return false;
	for (size_t i = 0; i < tr->events; i++)
		add_event(t, &a, &tr->event[i]);
	release(t, a.run);
	settle_promise(t, &a);
	out->rejected |= tr->end == END_REJECTED;
	out->fresh = !out->rejected && paths_add(&t->paths, a.identity);
	t->counts.paths += out->fresh;
	out->added = t->added;
	out->n = t->adds;
	return !t->failed;
}

/* ---- asking */

static bool is_pending(const struct tree *t, pending b)
{
	return b && b < t->slots && t->slot[b].state == SLOT_PENDING;
}

bool tree_pending(const struct tree *t, pending b, struct tree_branch *out)
{
	const struct node *n;
	if (!is_pending(t, b))
		return false;
	n = &t->node[t->slot[b].node];
	*out = (struct tree_branch){
		.unit = n->unit, .branch = n->kind == EV_BRANCH || n->kind == EV_SWITCH ? n->branch : 0,
		.outcome = b - n->first, .kind = n->kind, .depth = n->depth, .visits = n->visits,
		.input = t->run[n->run].id,
	};
	return true;
}

size_t tree_pending_count(const struct tree *t)
{
	return t->counts.pending;
}

const struct assignment *tree_parent(const struct tree *t, pending b)
{
	return is_pending(t, b) ? &t->run[t->node[t->slot[b].node].run].in : NULL;
}

struct tree_counts tree_counts(const struct tree *t)
{
	return t->counts;
}

void tree_close(struct tree *t, pending b, bool infeasible)
{
	if (!is_pending(t, b))
		return;
	t->slot[b].state = infeasible ? SLOT_INFEASIBLE : SLOT_UNKNOWN;
	t->counts.pending--;
	if (infeasible)
		t->counts.infeasible++;
	else
		t->counts.unknown++;
	release(t, t->node[t->slot[b].node].run);
}

const expr *tree_query(struct tree *t, pending b, size_t *n)
{
	const struct node *node;
	size_t i;
	*n = 0;
	if (!is_pending(t, b))
		return NULL;
	i = t->node[t->slot[b].node].depth + 1;
	while (t->query_capacity < i)
		if (!ROOM(t, t->query, t->query_capacity, t->query_capacity))
			return NULL;
	*n = i;
	for (uint32_t s = b; s; s = node->up) {
		node = &t->node[t->slot[s].node];
		t->query[--i] = outcome_cond(t, node, s - node->first);
	}
	return t->query;
}

const pending *tree_path_pending(struct tree *t, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < t->lasts; i++) {
		const struct node *node = &t->node[t->slot[t->last[i]].node];
		for (uint32_t k = 0; k < node->outcomes; k++) {
			if (t->slot[node->first + k].state != SLOT_PENDING)
				continue;
			if (!ROOM(t, t->open, *n, t->open_capacity))
				return t->open;
			t->open[(*n)++] = node->first + k;
		}
	}
	return t->open;
}
