#include "lib/tree/adding.h"

#include "lib/base/grow.h"

#include <string.h>

enum {
	ENOUGH = 1 << 16, /* with this many open branches in the tree, runs add few conditions */
	LEAST = 64,       /* the most that they then add */
	HALF = 1 << 13,   /* each further number of open branches that halves it */
	REST = 8,         /* the rest of a run that was cut adds at least this many conditions */
	IMPORT = 1 << 14, /* nodes of a trace that are imported together */
};

/* The condition of an event. */
static expr condition(struct tree *t, struct adding *a, const struct channel_event *e)
{
	if (e->node > a->imported) {
		size_t to = e->node + (size_t)IMPORT;
		to = to < a->tr->nodes ? to : a->tr->nodes;
		expr_import_some(t->pool, a->tr, t->map, a->imported, to);
		a->imported = to;
	}
	return t->map[e->node];
}

bool adding_decided(struct tree *t, expr e)
{
	if (expr_op(t->pool, e) == OP_NOT)
		e = expr_operand(t->pool, e, 0);
	GROW(t->decided, t->decided_capacity, e + 1u);
	if (t->decided[e] == t->generation)
		return true;
	t->decided[e] = t->generation;
	return false;
}

uint32_t *adding_first(struct tree *t, uint32_t at)
{
	return at ? &t->slot[at].child : &t->root;
}

/* The node of a condition below slot `at`; 0: none. */
static uint32_t find_node(struct tree *t, uint32_t at, expr cond)
{
	uint32_t n = *adding_first(t, at);
	while (n && (t->node[n].cond != cond || tree_aside(t, &t->node[n])))
		n = t->node[n].other;
	return n;
}

uint32_t adding_node(
    struct tree *t, const struct adding *a, expr cond, uint32_t outcomes, bool guess)
{
	uint32_t n = t->nodes, *first;
	GROW(t->node, t->nodes_capacity, t->nodes + (size_t)1);
	GROW(t->slot, t->slots_capacity, t->slots + (size_t)outcomes);
	for (uint32_t k = 0; k < outcomes; k++)
		t->slot[t->slots + k] = (struct slot){ .node = n, .state = SLOT_SILENT };
	first = adding_first(t, a->at);
	t->node[n] = (struct node){
		.cond = cond,
		.up = a->at,
		.other = *first,
		.first = t->slots,
		.outcomes = outcomes,
		.site = a->site,
		.round = a->round,
		.depth = a->out->length,
		.run = a->run,
		.guess = guess,
	};
	*first = n;
	GROW(t->step, t->step_capacity, t->steps + 1);
	t->step[t->steps++] =
	    (struct tree_step){ n, a->at ? t->slot[a->at].node : 0, a->taken, a->event };
	t->nodes++;
	t->slots += outcomes;
	t->counts.nodes++;
	return n;
}

/* Is it the condition `P? == 0`, that the pointer P is NULL? */
static bool is_null(const struct tree *t, expr cond, const char *pointer)
{
	size_t n, len = strlen(pointer);
	const uint32_t *v = expr_vars(t->pool, cond, &n);
	const char *name = n == 1 ? expr_var_name(t->pool, v[0]) : "";
	struct value zero;
	return expr_op(t->pool, cond) == OP_EQ && !strncmp(name, pointer, len)
	    && !strcmp(name + len, "?")
	    && (expr_is_const(t->pool, expr_operand(t->pool, cond, 1), &zero)
	        || expr_is_const(t->pool, expr_operand(t->pool, cond, 0), &zero))
	    && !zero.lo && !zero.hi;
}

/* Is it a need that some run has shown here? */
static bool is_needed(const struct tree *t, uint32_t site, expr cond)
{
	const struct site_need *n = t->sites.at[site].needs;
	while (n && !is_null(t, cond, n->pointer))
		n = n->next;
	return n;
}

/* May the search flip the conditions that this run decided? */
static bool flippable(
    const struct tree *t, const struct adding *a, const struct channel_event *e, expr cond)
{
	switch (e->kind) {
	case EV_MODEL:
		return e->x || !is_needed(t, a->site, cond); /* once per place: paths end there */
	case EV_CHECK:
		return !e->x
		    || !t->sites.at[a->site]
		            .shown; /* once per place: the run goes on after a fault */
	case EV_ALIAS: return !t->sites.at[a->site].shown;
	case EV_ASSUME: return e->x == 0;
	case EV_ASSUME_BRANCH: return !(e->flags & 1);
	}
	return true;
}

/* A slot is pending now, with the inputs of this run. */
static void open_slot(struct tree *t, const struct adding *a, uint32_t s)
{
	GROW(t->added, t->added_capacity, t->adds + 1);
	t->added[t->adds++] = s;
	t->counts.pending++;
	t->run[a->run].open++;
}

static bool is_impossible(struct tree *t, uint32_t n, uint32_t k)
{
	struct value v;
	return expr_is_const(t->pool, tree_outcome_cond(t, &t->node[n], k), &v) && !(v.lo & 1);
}

/* May an outcome of the node be impossible? Values of switches come again on many paths, and the
 * conditions of their outcomes are large. */
static bool may_be_impossible(struct tree *t, uint32_t n)
{
	const struct node *node = &t->node[n];
	uint32_t outcomes = node->outcomes, *known;
	bool fresh, any = false;
	if (outcomes <= 2)
		return true;
	known = map_at(&t->switches, (uint64_t)node->cond << 32 | node->site, &fresh);
	if (!fresh)
		return *known;
	for (uint32_t k = 0; k < outcomes; k++)
		any |= is_impossible(t, n, k);
	*known = any;
	return any;
}

void adding_open_others(
    struct tree *t, const struct adding *a, uint32_t n, uint32_t taken, const uint32_t *ways)
{
	bool ask = may_be_impossible(t, n);
	for (uint32_t k = 0; k < t->node[n].outcomes; k++) {
		uint32_t s = t->node[n].first + k;
		if (k == taken || tree_way(ways, t->node[n].outcomes - 1, k) != k)
			continue;
		if (ask && is_impossible(t, n, k)) {
			t->slot[s].state = SLOT_INFEASIBLE;
			t->counts.infeasible++;
			continue;
		}
		t->slot[s].state = a->given ? SLOT_GIVEN : SLOT_PENDING;
		if (!a->given)
			open_slot(t, a, s);
	}
}

/* A run took the outcome of a slot: updates the slot's state and the counts. */
static void show(struct tree *t, struct adding *a, uint32_t s)
{
	struct slot *slot = &t->slot[s];
	switch (slot->state) {
	case SLOT_PENDING:
		t->counts.pending--;
		tree_release(t, t->node[slot->node].run);
		break;
	case SLOT_INFEASIBLE:
		t->counts.infeasible--;
		t->counts.contradicted++;
		break;
	case SLOT_PUT_OFF:
		tree_release(t, t->node[slot->node].run);
		t->counts.unknown--;
		break;
	case SLOT_UNKNOWN: t->counts.unknown--; break;
	}
	if (slot->state != SLOT_GIVEN)
		slot->state = SLOT_RUN;
	t->node[slot->node].visits++;
	a->kept |= s == a->promised;
}

/* The run reaches the place where another run with this prefix was cut. */
static void pass_rest(struct tree *t, struct adding *a)
{
	if (tree_is_rest(t, a->promised) && a->place == a->at)
		show(t, a, a->promised);
}

void adding_take(struct tree *t, struct adding *a, uint32_t s)
{
	a->given |= t->slot[s].state == SLOT_GIVEN;
	show(t, a, s);
	a->at = s;
	pass_rest(t, a);
	a->taken = a->event + 1;
	a->out->length++;
	GROW(t->last, t->last_capacity, t->lasts + 1);
	t->last[t->lasts++] = s;
}

/* The path is cut before an event. */
static void leave_rest(struct tree *t, struct adding *a)
{
	const struct channel_event *e = &a->tr->event[a->event];
	a->site = sites_find(&t->sites, e->unit, SITE_REST, e->id);
	a->cut = true;
	adding_open_others(t, a, adding_node(t, a, expr_bool(t->pool, false), 1, false), 1, NULL);
	a->out->rest = a->given ? 0 : t->added[t->adds - 1];
}

/* 0: the path is cut. */
static uint32_t new_node(struct tree *t, struct adding *a, expr cond, uint32_t outcomes, bool guess)
{
	if (t->steps < a->most || a->out->length <= a->from)
		return adding_node(t, a, cond, outcomes, guess);
	leave_rest(t, a);
	return 0;
}

void adding_step(struct tree *t, struct adding *a, const struct channel_event *e, expr cond,
    uint32_t outcomes, uint32_t taken, const uint32_t *ways, bool guess)
{
	uint32_t n = find_node(t, a->at, cond);
	bool fresh = !n;
	if (fresh && !(n = new_node(t, a, cond, outcomes, guess)))
		return;
	if (taken >= t->node[n].outcomes)
		return; /* number of cases differs from before: malformed trace */
	if (fresh && flippable(t, a, e, cond))
		adding_open_others(t, a, n, taken, ways);
	adding_take(t, a, t->node[n].first + taken);
}

/* Is the event part of a path's identity? Decisions of library models and of the harness are: what
 * the program decides on their concrete results is not recorded. */
static bool identifies(const struct channel_event *e)
{
	switch (e->kind) {
	case EV_BRANCH:
	case EV_SWITCH:
	case EV_MODEL: return true;
	case EV_ASSERT:
	case EV_BOUNDS: return e->x == 0;
	}
	return false;
}

/* The outcome of an event in a path's identity. */
static uint64_t outcome(const struct tree *t, const struct channel_event *e)
{
	const uint32_t *ways = NULL;
	const uint64_t *y;
	size_t cases = 0;
	if (e->kind == EV_SWITCH && (ways = tree_ways_of(t, e->unit, e->id)))
		cases = t->cases(t->cases_arg, tree_unit_key(t, e->unit), e->id, &y);
	return e->x < cases ? tree_way(ways, cases, (uint32_t)e->x) : e->x;
}

/* A check aside, or a possible pair: pending at this point of the path, once per place, or until
 * the pair is no objective any more. */
static void step_aside(struct tree *t, struct adding *a, const struct channel_event *e, expr cond)
{
	uint32_t n = *adding_first(t, a->at);
	while (n
	    && !(t->node[n].cond == cond && t->node[n].site == a->site
	        && tree_aside(t, &t->node[n])))
		n = t->node[n].other;
	if (!n) {
		if (e->x && !flippable(t, a, e, cond))
			return;
		if (!(n = new_node(t, a, cond, 1, false)))
			return;
		if (e->x)
			adding_open_others(t, a, n, 1, NULL);
	}
	if (!e->x)
		show(t, a, t->node[n].first);
}

/* Marks a fault that a run has shown, so that it is not requested again. */
static void note_fault(struct tree *t, const struct channel_event *e)
{
	uint32_t site = sites_find(&t->sites, e->unit, site_kind(e), e->id);
	t->sites.at[site].shown = true;
}

/* Handles a run that ended because a pointer was NULL: if its last condition decided that, no other
 * run is requested for it. Conditions without a place belong to library calls that may accept
 * NULL. */
static void note_need(struct tree *t, struct adding *a)
{
	expr cond;
	size_t i = a->tr->events;
	while (i > 0 && a->tr->event[i - 1].kind != EV_MODEL)
		i--;
	if (i > 0 && a->tr->event[i - 1].id && a->tr->event[i - 1].x
	    && (cond = condition(t, a, &a->tr->event[i - 1]))
	    && strcmp(a->tr->need[0].kind, "null") == 0 && is_null(t, cond, a->tr->need[0].name)) {
		const struct channel_event *e = &a->tr->event[i - 1];
		uint32_t site = sites_find(&t->sites, e->unit, site_kind(e), e->id);
		sites_need(&t->sites, site, a->tr->need[0].name);
	}
}

static uint32_t site_of(struct tree *t, const struct adding *a, const struct channel_event *e)
{
	return e->kind == EV_ALIAS
	    ? sites_find(&t->sites, 0, EV_ALIAS, tree_pair_number(t, &a->tr->possible[e->id - 1]))
	    : sites_find(&t->sites, e->unit, site_kind(e), e->id);
}

static void add_event(struct tree *t, struct adding *a, const struct channel_event *e)
{
	struct value v;
	expr cond;
	if ((e->kind > EV_BOUNDS && e->kind != EV_CHECK && e->kind != EV_ALIAS)
	    || e->kind < EV_BRANCH || e->node > a->tr->nodes)
		return;
	if (e->kind == EV_CHECK && !e->x)
		note_fault(t, e);
	if (identifies(e))
		a->identity = tree_mix(tree_mix(a->identity, tree_unit_key(t, e->unit)),
		    (uint64_t)e->kind << 56 ^ (uint64_t)e->id << 24 ^ outcome(t, e));
	if (e->kind == EV_ASSUME && e->x == 0)
		a->out->rejected = true;
	if (a->cut)
		return;
	cond = condition(t, a, e);
	if (!cond || expr_is_const(t->pool, cond, &v))
		return;
	a->site = site_of(t, a, e);
	a->round = sites_meet(&t->sites, a->site, a->run);
	if (e->kind == EV_SWITCH)
		adding_switch(t, a, e, cond);
	else if (trace_is_aside(e))
		step_aside(t, a, e, cond);
	else if (!adding_decided(t, cond))
		adding_step(t, a, e, cond, 2, e->x != 0, NULL, false);
}

static void learn_units(struct tree *t, const struct trace *tr)
{
	for (; t->keys < tr->units; t->keys++) {
		GROW(t->key, t->keys_capacity, t->keys + 1);
		t->key[t->keys] = tr->unit[t->keys].key;
	}
}

static void new_run(struct tree *t, struct adding *a)
{
	const struct trace *tr = a->tr;
	struct run *run;
	GROW(t->run, t->runs_capacity, t->runs + (size_t)1);
	a->run = t->runs++;
	run = &t->run[a->run];
	*run = (struct run){ .id = tr->id, .open = 1 };
	if (t->in.n)
		memset(t->in.set, 0, t->in.n * sizeof *t->in.set);
	for (size_t i = 0; i < tr->vars; i++)
		assignment_set(&t->in,
		    expr_var(t->pool, tr->var[i].name, tr->var[i].kind, tr->var[i].width),
		    tr->var[i].value);
	t->in_of = a->run;
}

/* Did the run exercise the pair that was promised, here or before? */
static bool exercised(const struct tree *t, const struct adding *a)
{
	const struct channel_pair *p = tree_pair(t, a->promised);
	for (size_t i = 0; p && i < a->tr->pairs; i++)
		if (tree_pair_same(p, &a->tr->pair[i]))
			return true;
	return false;
}

/* The promised branch was not taken: closes it as unknown. */
static void settle_promise(struct tree *t, struct adding *a)
{
	struct slot *slot = &t->slot[a->promised];
	if (!a->promised || a->promised >= t->slots || a->kept)
		return;
	if (exercised(t, a)) {
		show(t, a, a->promised);
		return;
	}
	a->out->mispredicted = true;
	if (slot->state == SLOT_PENDING)
		tree_close(t, a->promised, false);
}

/* Is it the identity of no path before? */
static bool is_new(struct tree *t, uint64_t identity)
{
	bool fresh;
	map_at(&t->paths, identity ? identity : 1, &fresh);
	return fresh;
}

/* The number of conditions that a run may add: an eighth of what is missing to ENOUGH. A search can
 * choose among that many open branches; a run of a million conditions would only add more. */
static size_t most_new(const struct tree *t)
{
	size_t open = (size_t)t->counts.pending, left, halves;
	if (t->cut)
		return t->cut;
	if (open < ENOUGH) {
		left = (ENOUGH - open) / 8;
		return left > LEAST ? left : LEAST;
	}
	halves = (open - ENOUGH) / HALF;
	return halves < 6 ? LEAST >> halves : 1;
}

/* Where the rest begins that the run was promised, and how many conditions it has to pass before it
 * may be cut. */
static void expect(const struct tree *t, struct adding *a, size_t least)
{
	bool is = a->promised && a->promised < t->slots;
	const struct node *n = is ? &t->node[t->slot[a->promised].node] : NULL;
	a->most = most_new(t);
	if (a->most < least && tree_is_rest(t, a->promised))
		a->most = least;
	a->from = n ? n->depth : 0;
	a->place = n ? n->up : 0;
}

/* least: at least this many conditions of a promised rest are added. */
static void add_run(
    struct tree *t, const struct trace *tr, pending promised, size_t least, struct tree_path *out)
{
	struct adding a = { .tr = tr, .out = out, .promised = promised };
	*out = (struct tree_path){ 0 };
	t->adds = t->lasts = t->steps = 0;
	if (++t->generation == 0) { /* the counter wrapped: clear all marks */
		memset(t->decided, 0, t->decided_capacity * sizeof *t->decided);
		t->generation = 1;
	}
	GROW(t->map, t->map_capacity, tr->nodes + 1);
	learn_units(t, tr);
	new_run(t, &a);
	expect(t, &a, least);
	pass_rest(t, &a);
	for (a.event = 0; a.event < tr->events; a.event++)
		add_event(t, &a, &tr->event[a.event]);
	if (tr->end == END_NEED)
		note_need(t, &a);
	if (t->run[a.run].open > 1)
		t->run[a.run].in = inputs_pack(&t->in);
	tree_release(t, a.run);
	settle_promise(t, &a);
	out->rejected |= tr->end == END_REJECTED || tr->end == END_NEED;
	out->fresh = !out->rejected && !a.given && is_new(t, a.identity);
	t->counts.paths += out->fresh;
	out->added = t->added;
	out->n = t->adds;
}

void tree_add(struct tree *t, const struct trace *tr, pending promised, struct tree_path *out)
{
	add_run(t, tr, promised, t->cut ? t->cut : REST, out);
}

void tree_add_more(struct tree *t, const struct trace *tr, pending rest, struct tree_path *out)
{
	add_run(t, tr, rest, LEAST, out);
}
