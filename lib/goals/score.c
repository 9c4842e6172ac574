#include "lib/goals/score.h"
#include "lib/base/grow.h"

#include <stdlib.h>

#include "lib/base/map.h"

struct last_reached {
	uint64_t trace;
	bool reached;
};
struct score {
	struct defuse *d;
	const struct goals *g;
	struct map goal_of;    /* 1 + pair of d -> 1 + goal */
	struct map outcome_of; /* unit of the flow and outcome, as below -> 1 + outcome */
	struct last_reached *goal, *outcome;
};

static uint64_t outcome_key(size_t unit, uint32_t outcome)
{
	return ((uint64_t)unit << 32 | outcome) + 1;
}

/* Index of a unit of the flow, by its key; their number when there is none. */
static size_t unit_of(const struct flow *fl, uint64_t key)
{
	size_t i = 0;
	while (i < fl->units && fl->unit[i].key != key)
		i++;
	return i;
}

static bool put(struct map *m, uint64_t key, size_t value)
{
	bool fresh;
	*map_at(m, key, &fresh) = (uint32_t)value;
	return true;
}

static bool absent(char **error, const char *what, size_t number)
{
	*error =
	    formatted("%s %zu is not in the flow, or was made with other options", what, number);
	return false;
}

static bool index_goals(struct score *s, char **error)
{
	struct map by_key = { 0 };
	bool good = true;
	for (size_t i = 0; good && i < s->d->pairs; i++)
		good = put(&by_key, s->d->pair[i].key ? s->d->pair[i].key : 1, i + 1);
	for (size_t i = 0; good && i < s->g->goals; i++) {
		uint64_t key = s->g->goal[i].key;
		uint32_t pair = map_get(&by_key, key ? key : 1);
		good = pair ? put(&s->goal_of, pair, i + 1)
		            : absent(error, "pair", s->g->goal[i].pair);
	}
	map_close(&by_key);
	return good;
}

static bool index_outcomes(struct score *s, char **error)
{
	bool good = true;
	for (size_t i = 0; good && i < s->g->outcomes; i++) {
		const struct goals_outcome *o = &s->g->outcome[i];
		size_t unit = unit_of(s->d->flow, s->g->unit[o->unit - 1].key);
		bool there =
		    unit < s->d->flow->units && o->outcome < s->d->flow->unit[unit].outcomes;
		good = o->kind != GOALS_OUTCOME
		    ? unit < s->d->flow->units || absent(error, "goal", o->number)
		    : there ? put(&s->outcome_of, outcome_key(unit, o->outcome), i + 1)
		            : absent(error, "outcome", o->number);
	}
	return good;
}

struct score *score_new(struct defuse *d, const struct goals *g, char **error)
{
	struct score *s = zeroed(1, sizeof *s);
	*error = NULL;
	s->d = d;
	s->g = g;
	s->goal = zeroed(g->goals + 1, sizeof *s->goal);
	s->outcome = zeroed(g->outcomes + 1, sizeof *s->outcome);
	if (index_goals(s, error) && index_outcomes(s, error))
		return s;
	score_free(s);
	return NULL;
}

void score_free(struct score *s)
{
	if (!s)
		return;
	map_close(&s->goal_of);
	map_close(&s->outcome_of);
	free(s->goal);
	free(s->outcome);
	free(s);
}

static void reach(struct last_reached *m, uint64_t trace)
{
	if (!m->reached)
		*m = (struct last_reached){ trace, true };
}

static const char *add_pairs(struct score *s, const struct trace *t)
{
	uint32_t *pair;
	size_t n;
	if (!t->path)
		return "the program was built without --pairs";
	defuse_covered(s->d, t, &pair, &n);
	for (size_t i = 0; i < n; i++) {
		uint32_t goal = map_get(&s->goal_of, (uint64_t)pair[i] + 1);
		if (goal)
			reach(&s->goal[goal - 1], t->id);
	}
	free(pair);
	return NULL;
}

static bool has_block(const struct goals_outcome *o, uint32_t block)
{
	for (size_t i = 0; i < o->n; i++)
		if (o->list[i] == block)
			return true;
	return false;
}

/* Does the run come to one of the blocks, or show the condition? */
static bool shows(
    const struct flow *fl, const struct trace *t, const struct goals_outcome *o, size_t unit)
{
	for (size_t i = 0; i < t->blocks && o->kind == GOALS_BLOCKS; i++)
		if (unit_of(fl, t->unit[t->block[i].unit].key) == unit
		    && has_block(o, t->block[i].block))
			return true;
	for (size_t i = 0; i < t->events && o->kind == GOALS_CONDITION; i++) {
		const struct channel_event *e = &t->event[i];
		if (e->kind == EV_CHECK && !e->x && e->unit < t->units && e->id == o->inst
		    && e->y == o->what && unit_of(fl, t->unit[e->unit].key) == unit)
			return true;
	}
	return false;
}

static void add_others(struct score *s, const struct trace *t)
{
	for (size_t i = 0; i < s->g->outcomes; i++) {
		const struct goals_outcome *o = &s->g->outcome[i];
		if (o->kind != GOALS_OUTCOME
		    && shows(s->d->flow, t, o, unit_of(s->d->flow, s->g->unit[o->unit - 1].key)))
			reach(&s->outcome[i], t->id);
	}
}

const char *score_add(struct score *s, const struct trace *t)
{
	const struct flow *fl = s->d->flow;
	bool known = false;
	for (size_t i = 0; i < t->units; i++)
		known |= unit_of(fl, t->unit[i].key) < fl->units;
	if (!known)
		return "none of its units is in the flow";
	for (size_t i = 0; i < t->covers; i++) {
		size_t unit = unit_of(fl, t->unit[t->cover[i].unit].key);
		uint32_t at = map_get(&s->outcome_of, outcome_key(unit, t->cover[i].outcome));
		if (at)
			reach(&s->outcome[at - 1], t->id);
	}
	add_others(s, t);
	return s->g->goals ? add_pairs(s, t) : NULL;
}

uint64_t score_goal(const struct score *s, size_t i, bool *reached)
{
	*reached = s->goal[i].reached;
	return s->goal[i].trace;
}

uint64_t score_outcome(const struct score *s, size_t i, bool *reached)
{
	*reached = s->outcome[i].reached;
	return s->outcome[i].trace;
}
