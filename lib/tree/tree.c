#include "lib/tree/inner.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

struct tree *tree_new(struct expr_pool *p)
{
	struct tree *t = zeroed(1, sizeof *t);
	t->pool = p;
	t->slots = t->nodes = t->runs = 1; /* 0 means none */
	GROW(t->slot, t->slots_capacity, 1);
	GROW(t->node, t->nodes_capacity, 1);
	GROW(t->run, t->runs_capacity, 1);
	return t;
}

void tree_free(struct tree *t)
{
	if (!t)
		return;
	for (uint32_t i = 1; i < t->runs; i++)
		free(t->run[i].in);
	assignment_clear(&t->in);
	free(t->slot);
	free(t->node);
	free(t->run);
	map_close(&t->paths);
	map_close(&t->switches);
	sites_clear(&t->sites);
	free(t->pair);
	map_close(&t->pair_at);
	free(t->key);
	free(t->decided);
	free(t->last);
	free(t->added);
	free(t->step);
	free(t->query);
	free(t->open);
	free(t->map);
	free(t);
}

void tree_inherit(struct tree *t, const struct tree *from)
{
	sites_inherit(&t->sites, &from->sites);
}

uint64_t tree_mix(uint64_t identity, uint64_t value)
{
	uint64_t h = (identity ^ value) * 0x9e3779b97f4a7c15u;
	return h ^ h >> 29;
}

void tree_set_cases(struct tree *t, tree_cases *cases, void *arg)
{
	t->cases = cases;
	t->cases_arg = arg;
}

/* ---- conditions */

uint64_t tree_unit_key(const struct tree *t, uint32_t unit)
{
	return unit < t->keys ? t->key[unit] : 0;
}

expr tree_outcome_cond(struct tree *t, const struct node *n, uint32_t k)
{
	const struct site *site = &t->sites.at[n->site];
	const uint64_t *y;
	size_t cases;
	if (tree_is_case(t, n))
		return n->cond;
	if (site->kind != EV_SWITCH || n->guess)
		return k ? n->cond : expr_not(t->pool, n->cond);
	cases = t->cases(t->cases_arg, tree_unit_key(t, site->unit), site->id, &y);
	return tree_way_cond(t, n->cond, y, cases, tree_ways_of(t, site->unit, site->id), k);
}

/* ---- queries */

void tree_release(struct tree *t, uint32_t run)
{
	if (--t->run[run].open)
		return;
	free(t->run[run].in);
	t->run[run].in = NULL;
}

bool tree_is_pending(const struct tree *t, pending b)
{
	return b && b < t->slots && t->slot[b].state == SLOT_PENDING;
}

static bool of_program(const struct site *s)
{
	return site_event(s) == EV_BRANCH || site_event(s) == EV_SWITCH;
}

/* Is it the slot of a check's fault (its first outcome), not of its success? */
static bool asks_fault(const struct tree *t, uint32_t slot)
{
	const struct node *n = &t->node[t->slot[slot].node];
	return site_event(&t->sites.at[n->site]) == EV_CHECK && slot == n->first;
}

/* Is it the slot of an index that leaves its object? */
static bool asks_to_leave(const struct tree *t, uint32_t slot)
{
	const struct node *n = &t->node[t->slot[slot].node];
	return site_event(&t->sites.at[n->site]) == EV_BOUNDS && slot == n->first;
}

/* Does the slot belong to a question about what the caller passes: whether a pointer is NULL, or
 * whether more elements lie before its target? */
static bool asks_caller(const struct tree *t, uint32_t slot)
{
	const struct site *s = &t->sites.at[t->node[t->slot[slot].node].site];
	return site_event(s) == EV_MODEL && s->id;
}

/* Is the site's id the number of a block? */
static bool is_block(const struct site *s)
{
	return site_event(s) == EV_ASSUME || site_event(s) == EV_ASSERT
	    || site_event(s) == EV_BOUNDS || site_event(s) == EV_MODEL;
}

static void describe(const struct tree *t, uint32_t slot, struct tree_branch *out)
{
	const struct node *n = &t->node[t->slot[slot].node];
	const struct site *s = &t->sites.at[n->site];
	*out = (struct tree_branch){
		.unit = s->unit,
		.branch = of_program(s) ? s->id : 0,
		.outcome = tree_is_case(t, n) ? n->only : slot - n->first,
		.kind = site_event(s),
		.block = is_block(s) ? s->id : 0,
		.depth = n->depth,
		.visits = n->visits,
		.site = n->site,
		.round = n->round,
		.inst = asks_fault(t, slot) ? s->id : 0,
		.check = asks_fault(t, slot) ? site_check(s) : 0,
		.input = t->run[n->run].id,
	};
}

bool tree_pending(const struct tree *t, pending b, struct tree_branch *out)
{
	if (!tree_is_pending(t, b))
		return false;
	describe(t, b, out);
	return true;
}

pending tree_next_fault(const struct tree *t, pending after)
{
	for (pending b = after + 1; b < t->slots; b++)
		if (tree_is_pending(t, b)
		    && (asks_fault(t, b) || asks_to_leave(t, b) || asks_caller(t, b)))
			return b;
	return 0;
}

bool tree_before(const struct tree *t, pending b, struct tree_branch *out)
{
	uint32_t s = tree_is_pending(t, b) ? t->node[t->slot[b].node].up : 0;
	while (s && !of_program(&t->sites.at[t->node[t->slot[s].node].site]))
		s = t->node[t->slot[s].node].up;
	if (s)
		describe(t, s, out);
	return s != 0;
}

bool tree_aside(const struct tree *t, const struct node *n)
{
	uint16_t event = site_event(&t->sites.at[n->site]);
	return n->outcomes == 1
	    && (event == EV_CHECK || event == EV_ALIAS || event == EV_SWITCH || event == SITE_REST);
}

bool tree_is_rest(const struct tree *t, pending b)
{
	return tree_is_pending(t, b)
	    && site_event(&t->sites.at[t->node[t->slot[b].node].site]) == SITE_REST;
}

void tree_cut(struct tree *t, uint32_t each)
{
	t->cut = each;
}

const struct channel_pair *tree_pair(const struct tree *t, pending b)
{
	const struct site *s =
	    tree_is_pending(t, b) ? &t->sites.at[t->node[t->slot[b].node].site] : NULL;
	return s && site_event(s) == EV_ALIAS ? &t->pair[s->id - 1].pair : NULL;
}

void tree_settle(struct tree *t, pending b)
{
	if (tree_pair(t, b))
		t->sites.at[t->node[t->slot[b].node].site].shown = true;
}

const struct tree_step *tree_steps(const struct tree *t, size_t *n)
{
	*n = t->steps;
	return t->step;
}

uint32_t tree_node(const struct tree *t, pending b)
{
	return b < t->slots ? t->slot[b].node : 0;
}

bool tree_shown(const struct tree *t, pending b)
{
	if (!tree_is_pending(t, b))
		return false;
	if (tree_is_case(t, &t->node[t->slot[b].node]))
		return !tree_case_wanted(t, b);
	return (asks_fault(t, b) || tree_pair(t, b))
	    && t->sites.at[t->node[t->slot[b].node].site].shown;
}

void tree_waive(struct tree *t, pending b)
{
	if (!tree_is_pending(t, b))
		return;
	t->slot[b].state = SLOT_SILENT;
	t->counts.pending--;
	tree_release(t, t->node[t->slot[b].node].run);
}

size_t tree_pending_count(const struct tree *t)
{
	return t->counts.pending;
}

const struct assignment *tree_parent(struct tree *t, pending b)
{
	uint32_t run;
	if (!tree_is_pending(t, b))
		return NULL;
	run = t->node[t->slot[b].node].run;
	if (t->in_of != run)
		inputs_unpack(&t->in, t->run[run].in);
	t->in_of = run;
	return &t->in;
}

struct tree_counts tree_counts(const struct tree *t)
{
	return t->counts;
}

void tree_close(struct tree *t, pending b, bool infeasible)
{
	if (!tree_is_pending(t, b))
		return;
	t->slot[b].state = infeasible ? SLOT_INFEASIBLE : SLOT_UNKNOWN;
	t->counts.pending--;
	if (infeasible)
		t->counts.infeasible++;
	else
		t->counts.unknown++;
	tree_release(t, t->node[t->slot[b].node].run);
}

void tree_put_off(struct tree *t, pending b)
{
	if (!tree_is_pending(t, b))
		return;
	t->slot[b].state = SLOT_PUT_OFF;
	t->counts.pending--;
	t->counts.unknown++;
}

bool tree_resume(struct tree *t, pending b)
{
	if (!b || b >= t->slots || t->slot[b].state != SLOT_PUT_OFF)
		return false;
	t->slot[b].state = SLOT_PENDING;
	t->counts.unknown--;
	t->counts.pending++;
	return true;
}

void tree_give(struct tree *t, pending b)
{
	if (!tree_is_pending(t, b))
		return;
	t->slot[b].state = SLOT_GIVEN;
	t->counts.pending--;
	tree_release(t, t->node[t->slot[b].node].run);
}

/* Can the branch be described to another tree? Not below a switch with unknown cases or below a
 * deep case, whose nodes differ between trees; checks aside have no children. */
static bool can_be_told(const struct tree *t, pending b)
{
	if (!tree_is_pending(t, b) || tree_aside(t, &t->node[t->slot[b].node]))
		return false;
	while (b && !t->node[t->slot[b].node].guess && !t->node[t->slot[b].node].deep)
		b = t->node[t->slot[b].node].up;
	return !b;
}

pending tree_oldest(struct tree *t)
{
	while (t->oldest < t->slots && !can_be_told(t, t->oldest))
		t->oldest++;
	return t->oldest < t->slots ? t->oldest : 0;
}

uint64_t tree_prefix(const struct tree *t, pending b)
{
	uint64_t h = 0;
	for (uint32_t s = b < t->slots ? b : 0; s; s = t->node[t->slot[s].node].up) {
		const struct node *n = &t->node[t->slot[s].node];
		const struct site *site = &t->sites.at[n->site];
		h = tree_mix(tree_mix(h, tree_unit_key(t, site->unit)),
		    (uint64_t)site->kind << 32 ^ site->id);
		h = tree_mix(h, s - n->first);
	}
	return h;
}

bool tree_take_over(struct tree *t, uint32_t depth, uint64_t prefix)
{
	bool mine = t->runs == 2 && depth < t->lasts && tree_prefix(t, t->last[depth]) == prefix;
	for (uint32_t s = 1; s < t->slots; s++)
		if (!mine || t->node[t->slot[s].node].depth <= depth)
			tree_give(t, s);
	return mine;
}

size_t tree_share(struct tree *t, uint32_t k, uint32_t n, uint64_t *tree)
{
	uint64_t h = t->slots;
	uint32_t met = 0;
	size_t given = 0;
	for (uint32_t s = 1; s < t->slots; s++) {
		struct slot *slot = &t->slot[s];
		const struct node *node = &t->node[slot->node];
		const uint32_t parts[] = { slot->state, slot->node, node->site, node->depth,
			node->round };
		for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
			h = (h ^ parts[i]) * 0x9e3779b97f4a7c15u ^ h >> 29;
		if ((slot->state != SLOT_PENDING && slot->state != SLOT_PUT_OFF) || met++ % n == k)
			continue;
		if (slot->state == SLOT_PENDING)
			t->counts.pending--;
		else
			t->counts.unknown--;
		slot->state = SLOT_GIVEN;
		tree_release(t, node->run);
		given++;
	}
	*tree = h;
	return given;
}

const expr *tree_query(struct tree *t, pending b, size_t *n)
{
	const struct node *node;
	size_t i;
	*n = 0;
	if (!tree_is_pending(t, b))
		return NULL;
	i = t->node[t->slot[b].node].depth + 1;
	GROW(t->query, t->query_capacity, i);
	*n = i;
	for (uint32_t s = b; s; s = node->up) {
		node = &t->node[t->slot[s].node];
		t->query[--i] = tree_outcome_cond(t, node, s - node->first);
	}
	return t->query;
}

static void add_open(struct tree *t, const struct node *node, size_t *n)
{
	for (uint32_t k = 0; k < node->outcomes; k++)
		if (t->slot[node->first + k].state == SLOT_PENDING) {
			GROW(t->open, t->open_capacity, *n + 1);
			t->open[(*n)++] = node->first + k;
		}
}

/* Collects the checks aside among the alternatives of a node list. */
static void add_aside(struct tree *t, uint32_t first, size_t *n)
{
	for (uint32_t k = first; k; k = t->node[k].other)
		if (tree_aside(t, &t->node[k]))
			add_open(t, &t->node[k], n);
}

const pending *tree_path_pending(struct tree *t, size_t *n)
{
	*n = 0;
	add_aside(t, t->root, n);
	for (size_t i = 0; i < t->lasts; i++) {
		add_open(t, &t->node[t->slot[t->last[i]].node], n);
		add_aside(t, t->slot[t->last[i]].child, n);
	}
	return t->open;
}
