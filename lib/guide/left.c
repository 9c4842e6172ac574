/* left: where a run leaves a path that was expected of it. The run's conditions follow from its
 * blocks: which block of an activation is entered after the one that ends in the condition. */
#include "lib/guide/guide.h"

#include "lib/base/grow.h"
#include "lib/base/map.h"
#include "lib/base/search.h"

#include <stdlib.h>

#define SHORTENED 3 /* entries that a trace has of a block where it leaves out others */

struct activation {
	uint32_t unit, block;
};

struct followed_run {
	const struct flow *fl;
	const struct guide_choice *choice;
	size_t n, at;
	struct map compared; /* unit, condition -> 1 */
	struct activation *stack;
	size_t depth;
	enum guide_left how; /* GUIDE_FOLLOWS until it is left */
};

static const struct flow_branch *condition_of(const struct flow_unit *u, uint32_t outcome)
{
	enum flow_side side;
	size_t which;
	return flow_outcome(u, outcome, &side, &which);
}

static uint32_t *compared(struct followed_run *r, uint32_t unit, const struct flow_branch *b)
{
	bool fresh;
	uint64_t number = (uint64_t)(b - r->fl->unit[unit].branch) + 1;
	return map_at(&r->compared, (uint64_t)(unit + 1) << 32 | number, &fresh);
}

/* The blocks of the harness are no part of a trace. */
static bool is_traced(const struct followed_run *r, const struct guide_choice *c)
{
	const struct flow_unit *u = &r->fl->unit[c->unit];
	return !u->func[condition_of(u, c->outcome)->func - 1].is_harness;
}

static void skip_untraced(struct followed_run *r)
{
	while (r->at < r->n && !is_traced(r, &r->choice[r->at]))
		r->at++;
}

static int order(const void *key, const void *block)
{
	uint32_t a = *(const uint32_t *)key, b = *(const uint32_t *)block;

	return (a > b) - (a < b);
}

/* The last instruction of a block. */
static const struct flow_inst *end_of(const struct flow_unit *u, uint32_t block)
{
	uint32_t next = block + 1;
	size_t end = lower_bound(&next, u->inst_block, u->insts, sizeof *u->inst_block, order);

	return end && u->inst_block[end - 1] == block ? &u->inst[end - 1] : NULL;
}

static bool leads(const struct flow_unit *u, uint32_t from, uint32_t to)
{
	const struct flow_inst *i = end_of(u, from);
	for (uint32_t k = 0; i && k < i->operands; k++)
		if (u->operand[i->first + k].kind == '!' && u->operand[i->first + k].id == to)
			return true;
	return false;
}

/* Does this outcome of a block's last instruction lead to that block? */
static bool outcome_leads(const struct flow_unit *u, const struct flow_inst *i,
    const struct flow_branch *b, uint32_t outcome, uint32_t to)
{
	const struct flow_operand *o = &u->operand[i->first];
	uint32_t k = outcome - b->first, at;
	if (i->op == FLOW_BR)
		at = 1 + k;
	else
		at = k == b->cases ? 1 : 2 * k + 3;
	return at < i->operands && o[at].kind == '!' && o[at].id == to;
}

static void decides(struct followed_run *r, uint32_t unit, uint32_t from, uint32_t to)
{
	const struct flow_unit *u = &r->fl->unit[unit];
	const struct flow_inst *i = end_of(u, from);
	const struct flow_operand *o =
	    i && i->operands ? &u->operand[i->first + i->operands - 1] : NULL;
	const struct flow_branch *b = o && o->kind == '?' ? &u->branch[o->id - 1] : NULL;
	const struct guide_choice *c = &r->choice[r->at];
	if (!b || (i->op != FLOW_BR && i->op != FLOW_SWITCH) || !*compared(r, unit, b))
		return;
	if (c->unit != unit || condition_of(u, c->outcome) != b)
		r->how = GUIDE_MISSES;
	else if (!outcome_leads(u, i, b, c->outcome, to))
		r->how = GUIDE_TAKES;
	else
		r->at++;
	skip_untraced(r);
}

static void enter(struct followed_run *r, uint32_t unit, uint32_t block)
{
	const struct flow_unit *u = &r->fl->unit[unit];
	uint32_t func = u->block_func[block - 1];
	size_t k = r->depth;
	if (u->func[func - 1].first_block != block)
		while (
		    k && (r->stack[k - 1].unit != unit || !leads(u, r->stack[k - 1].block, block)))
			k--;
	else
		k = 0;
	if (k) {
		r->depth = k;
		decides(r, unit, r->stack[k - 1].block, block);
		r->stack[k - 1].block = block;
	} else if (u->func[func - 1].first_block == block) {
		*PUSH(r->stack, r->depth) = (struct activation){ unit, block };
	} else {
		r->how = GUIDE_UNSURE; /* a jump between functions, or blocks are left out */
	}
}

/* May the trace leave out entries of the block, in the part that begins at step `from`? */
static bool is_shortened(const struct trace *tr, size_t from, size_t at)
{
	unsigned n = 0;
	for (size_t k = from; k <= at; k++)
		n += tr->step[k].block == tr->step[at].block
		    && tr->step[k].unit == tr->step[at].unit;
	return n >= SHORTENED;
}

/* Indices of the flow's units, by unit of the trace; NULL-like: no such unit. */
static uint32_t *units_of(const struct flow *fl, const struct trace *tr)
{
	uint32_t *list = zeroed(tr->units + 1, sizeof *list);
	for (size_t i = 0; i < tr->units; i++) {
		const struct flow_unit *u = flow_unit_by_key(fl, tr->unit[i].key);
		list[i] = u ? (uint32_t)(u - fl->unit) : UINT32_MAX;
	}
	return list;
}

static bool took(const struct trace *tr, const uint32_t *unit_of, uint32_t unit, uint32_t outcome)
{
	for (size_t i = 0; i < tr->covers; i++)
		if (unit_of[tr->cover[i].unit] == unit && tr->cover[i].outcome == outcome)
			return true;
	return false;
}

static bool decided(const struct followed_run *r, const struct trace *tr, const uint32_t *unit_of,
    const struct guide_choice *c)
{
	const struct flow_branch *b = condition_of(&r->fl->unit[c->unit], c->outcome);
	uint32_t sides = b->kind == 's' ? (uint32_t)b->cases + 1 : 2;
	bool any = false;
	for (uint32_t k = 0; k < sides; k++)
		any |= took(tr, unit_of, c->unit, b->first + k);
	return any;
}

/* After the last event a trace has no order of blocks, only what the run took at any time. */
static void follow_end(struct followed_run *r, const struct trace *tr, const uint32_t *unit_of)
{
	if (r->at >= r->n || r->how != GUIDE_FOLLOWS)
		return;
	while (r->at < r->n && took(tr, unit_of, r->choice[r->at].unit, r->choice[r->at].outcome)) {
		r->at++;
		skip_untraced(r);
	}
	if (r->at >= r->n)
		r->how = GUIDE_UNSURE;
	else
		r->how = decided(r, tr, unit_of, &r->choice[r->at]) ? GUIDE_TAKES : GUIDE_MISSES;
}

enum guide_left guide_left(const struct flow *fl, const struct trace *tr,
    const struct guide_choice *choice, size_t n, size_t *at)
{
	struct followed_run r = { .fl = fl, .choice = choice, .n = n };
	uint32_t *unit_of = units_of(fl, tr);
	size_t part = 0;
	for (size_t i = 0; i < n; i++)
		*compared(&r, choice[i].unit,
		    condition_of(&fl->unit[choice[i].unit], choice[i].outcome)) =
		    is_traced(&r, &choice[i]);
	skip_untraced(&r);
	for (size_t k = 0; k < tr->path && r.at < n && r.how == GUIDE_FOLLOWS; k++) {
		const struct trace_step *s = &tr->step[k];
		uint32_t unit = s->unit < tr->units ? unit_of[s->unit] : UINT32_MAX;
		if (tr->step[part].events != s->events)
			part = k;
		if (!s->block || unit == UINT32_MAX || s->block > fl->unit[unit].blocks)
			continue;
		if (is_shortened(tr, part, k))
			r.how = GUIDE_UNSURE;
		else
			enter(&r, unit, s->block);
	}
	follow_end(&r, tr, unit_of);
	*at = r.at;
	map_close(&r.compared);
	free(r.stack);
	free(unit_of);
	return r.how;
}
