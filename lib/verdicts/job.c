/* job: one call of prove, for the filter and for sessions. */
#include <stdlib.h>
#include <string.h>

#include "lib/base/map.h"
#include "lib/base/grow.h"
#include "lib/verdicts/verdicts.h"

/* Finds the pairs of the goals in d, by their keys: goal gets their indices; false when d lacks
 * one. */
static bool find_pairs(
    const struct defuse *d, const struct goals *g, uint32_t *goal, struct verdicts_writer *to)
{
	struct map of = { 0 };
	bool ok = true, fresh;
	for (size_t i = 0; i < d->pairs; i++)
		*map_at(&of, d->pair[i].key ? d->pair[i].key : 1, &fresh) = (uint32_t)i + 1;
	for (size_t i = 0; ok && i < g->goals; i++) {
		uint32_t at = map_get(&of, g->goal[i].key ? g->goal[i].key : 1);
		ok = at > 0;
		goal[i] = at - 1;
		if (ok)
			to->id[at - 1] = g->goal[i].pair;
	}
	map_close(&of);
	return ok;
}

static bool has_outcome(const struct flow_unit *u, const struct goals_outcome *it)
{
	const struct flow_branch *b =
	    it->branch - 1 < u->branches ? &u->branch[it->branch - 1] : NULL;
	return b && b->kind != 'a' && it->outcome >= b->first
	    && it->outcome <= b->first + (b->kind == 's' ? b->cases : 1);
}

static bool find_check(
    const struct flow_unit *u, const struct goals_outcome *it, struct prove_outcome *to)
{
	for (uint32_t i = 0; i < u->checks; i++)
		if (u->check[i].inst == it->inst && u->check[i].kind == it->what) {
			to->check = i;
			return true;
		}
	return false;
}

static uint32_t function_of(const struct flow_unit *u, enum goals_kind kind, uint32_t id)
{
	enum flow_side side;
	size_t which;
	if (kind == GOALS_BLOCKS)
		return id && id <= u->blocks ? u->block_func[id - 1] : 0;
	return id < u->outcomes ? flow_outcome(u, id, &side, &which)->func : 0;
}

/* Blocks, or outcomes, of one function. */
static bool has_list(const struct flow_unit *u, const struct goals_outcome *it)
{
	uint32_t func = function_of(u, it->kind, it->list[0]);
	for (size_t i = 0; i < it->n; i++)
		if (!func || function_of(u, it->kind, it->list[i]) != func)
			return false;
	return true;
}

/* The same for goals without cut points, in the units of the flow. */
static bool find_outcomes(
    const struct flow *fl, const struct goals *g, uint32_t *goal, struct prove_outcome *outcome)
{
	bool ok = true;
	for (uint32_t i = 0; i < g->outcomes && ok; i++) {
		const struct goals_outcome *it = &g->outcome[i];
		const struct flow_unit *u = flow_unit_by_key(fl, g->unit[it->unit - 1].key);
		goal[i] = PROVE_OUTCOME | i;
		outcome[i] = (struct prove_outcome){ .kind = it->kind,
			.unit = u ? (uint32_t)(u - fl->unit) : 0,
			.outcome = it->outcome,
			.list = it->list,
			.n = it->n };
		ok = u
		    && (it->kind == GOALS_OUTCOME         ? has_outcome(u, it)
		            : it->kind == GOALS_CONDITION ? find_check(u, it, &outcome[i])
		                                          : has_list(u, it));
	}
	return ok;
}

static int complain(const char *error, int status)
{
	fprintf(stderr, "prove: %s\n", error);
	return status;
}

/* The answers of the prover, or what became of claims. */
static int answer(const struct verdicts_job *j, struct defuse *d, const struct prove_goals *goals,
    struct verdicts_writer *to, const struct prove_sink *sink, FILE *out)
{
	const char *error;

	rec_begin(&to->w, out, "verdicts", 1, "prove-" DUCT_VERSION);
	error = j->kept ? verdicts_check(j->kept, d, j->goals, goals, j->prove, to)
	                : prove_goals(d, goals, j->prove, sink);
	if (error)
		return complain(error, 4);
	return rec_end(&to->w) ? 4 : to->wrong > 0;
}

static int prove(void *ctx, FILE *out)
{
	const struct verdicts_job *j = ctx;
	const struct goals *g = j->goals;
	const struct prove_options *o = j->prove;
	struct defuse *d = j->defuse ? j->defuse : defuse_new(j->flow, &g->options);
	uint32_t *goal = zeroed(g->goals + g->outcomes + 1, sizeof *goal);
	struct prove_outcome *outcome = zeroed(g->outcomes + 1, sizeof *outcome);
	struct prove_goals goals = { goal, g->goals + g->outcomes, outcome };
	struct verdicts_writer to = {
		.goals = g, .id = zeroed(d->pairs + 1, sizeof *to.id), .checks = j->kept != NULL
	};
	struct prove_sink plain = verdicts_sink(&to);
	unsigned given = o->given & PROVE_ONCE
	    ? o->given
	    : o->given & ~(unsigned)PROVE_STATE; /* verification tasks have one call of the entry */
	char *limits = j->with ? prove_limits(d, given) : NULL;
	struct checkers_sink beside = { j->with, d, o->seconds, 0, limits, plain };
	struct prove_sink sink = j->with ? checkers_sink(&beside) : plain;
	int status;
	if (!find_pairs(d, g, goal, &to) || !find_outcomes(d->flow, g, goal + g->goals, outcome))
		status = complain("a goal is not in the flow", 3);
	else
		status = answer(j, d, &goals, &to, &sink, out);
	free(limits);
	free(to.id);
	free(goal);
	free(outcome);
	if (!j->defuse)
		defuse_free(d);
	return status;
}

int verdicts_run(struct verdicts_job *j, FILE *out)
{
	struct verdicts_limits limits = { j->prove->began, j->prove->seconds * (j->with ? 2 : 1),
		j->memory };
	if (j->kept || (!(limits.seconds > 0) && !limits.bytes))
		return prove(j, out);
	return verdicts_guard(&limits, prove, j, j->goals, out);
}
