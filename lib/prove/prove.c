/* prove: the stages that decide the goals of an encoding, in order. */
#include "lib/prove/inner.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_stage(const struct prover *r, const char *name)
{
	const char *list = r->m->options->stages, *at = list ? strstr(list, name) : NULL;
	size_t n = strlen(name);
	return !list || (at && (at == list || at[-1] == ',') && (at[n] == ',' || !at[n]));
}

/* Does the encoding give the entry's parameters objects of their own, although callers may do
 * otherwise? Only the system calls main. */
static bool gives_objects(const struct defuse *d)
{
	bool is_main;
	if (prove_root_of(d, &is_main) != NONE && is_main)
		return false;
	for (uint32_t i = 0; i < alias_objects(d->alias); i++)
		if (alias_object(d->alias, i)->kind == ALIAS_POINTEE)
			return true;
	return false;
}

void prove_announce_question(struct prover *r)
{
	const struct encoding *m = r->m;
	const struct prove_sink *sink = r->sink;
	uint32_t unit, id, *goal = NULL;
	size_t n = 0;
	const struct flow_func *f = alias_function_of(m->alias, m->frame[0].number, &unit, &id);
	sink->question(sink->ctx, f->hash, f->name);
	sink->narrow(sink->ctx,
	    m->arbitrary    ? "from any state"
	        : m->steady ? "any number of calls, the first one with initial values"
	        : m->closed
	        ? "any number of calls of the entry, in any state but for what only they write"
	        : m->loose ? "any call of the entry, in any state"
	                   : "from the entry, globals as they are initialised");
	if (!m->defuse->options.alias.may_alias && gives_objects(m->defuse))
		sink->narrow(sink->ctx, "pointers that come in are distinct");
	for (uint32_t i = 0; i < m->notes; i++)
		sink->narrow(sink->ctx, m->note[i].text);
	for (uint32_t i = 0; i < m->outputs; i++)
		*PUSH(goal, n) = m->output[i].goal;
	sink->model(sink->ctx,
	    m->arbitrary   ? PROVE_ANY
	        : m->loose ? PROVE_CALL
	                   : PROVE_ENTRY,
	    m->options->given | (m->led ? PROVE_PART : 0), m->most_insts, goal, n);
	free(goal);
}

/* Leaves out goals that may be reached where the encoding does not follow. */
static void leave_out(struct prover *r)
{
	struct encoding *m = r->m;
	for (size_t i = 0, before = r->opens; i < r->opens;
	    i += r->opens == before, before = r->opens) {
		const struct output *o = &m->output[r->open[i]];
		if (m->broken || m->late)
			prove_decide(
			    r, r->open[i], PROVE_UNKNOWN, "%s", m->broken ? m->broken : m->late);
		else if (o->unfollowed)
			prove_decide(r, r->open[i], PROVE_UNKNOWN,
			    "the call that gives the value is not followed");
		else if (m->outside[o->func] && !(m->arbitrary && o->func == m->frame[0].number))
			prove_decide(r, r->open[i], PROVE_UNKNOWN,
			    "its function also runs where calls are not followed");
	}
}

/* Shares of the remaining time. alone: for a function by itself, in any state; proposes: where only
 * counterexamples count. */
static const struct {
	const char *name;
	bool loops;
	double share, alone, proposes;
	void (*work)(struct prover *);
} stages[] = {
	{ "simplify", false, 1, 1, 1, prove_stage_trivial },
	{ "query", false, 0.5, 0.5, 0.5, prove_stage_query },
	{ "runs", true, 0.1, 0.1, 0.2, prove_stage_runs },
	{ "bmc", true, 0.1, 0, 0.5, prove_stage_bmc },
	{ "short", true, 0.2, 0.2, 1, prove_stage_short },
	{ "states", true, 0.5, 0.8, 0, prove_stage_states },
	{ "induction", true, 0.3, 0, 0, prove_stage_induction },
	{ "facts", true, 0.5, 0.5, 0, prove_stage_facts },
	{ "growth", true, 0.25, 0, 0, prove_stage_growth },
	{ "bounded", true, 0.3, 0.3, 0, prove_stage_bounded },
	{ "pdr", true, 1, 0, 0, prove_stage_pdr },
};

const char *prove_stage_name(size_t i)
{
	return i < sizeof stages / sizeof *stages ? stages[i].name : NULL;
}

#define PATIENCE 0.5 /* seconds that a stage takes before pdr begins beside it */
#define GRACE 1.0    /* the least that it has when pdr has decided all goals */

bool prove_enough(void *run)
{
	struct prover *r = run;
	double now = clock_now();
	if (r->patience > 0 && !r->pdr && now - r->began > PATIENCE)
		prove_pdr_begin(r, r->patience);
	return now >= r->deadline || (now - r->began > GRACE && prove_pdr_decided(r));
}

#define FEWER 4  /* pdr begins again when its goals are fewer by this factor */
#define BESIDE 5 /* the first stage that pdr may run beside */

static void run_stage(struct prover *r, size_t i)
{
	struct prove_stage s = {
		.name = stages[i].name, .infeasible = r->proofs, .reached = r->reached
	};
	r->began = clock_now();
	stages[i].work(r);
	s.seconds = clock_now() - r->began;
	s.infeasible = r->proofs - s.infeasible;
	s.reached = r->reached - s.reached;
	if (r->m->options->statistics)
		r->sink->stage(r->sink->ctx, &s);
}

/* Starts pdr again when few of its goals are left, on the cone of these. */
static void renew_pdr(struct prover *r)
{
	if (r->pdr && FEWER * r->opens < prove_pdr_goals(r) && !prove_pdr_decided(r))
		prove_pdr_end(r);
}

static void leave_open(struct prover *r, uint32_t output, bool late)
{
	char why[sizeof r->trouble + 40];
	bool alone = !*r->trouble || (late && !strcmp(r->trouble, PROVE_LATE));
	const char *end = late ? PROVE_LATE : *r->trouble ? "" : "no stage decides it";
	snprintf(
	    why, sizeof why, "%s%s%s", alone ? "" : r->trouble, alone || !*end ? "" : "; ", end);
	uint32_t steps = r->m->output[output].steps;
	if (r->m->output[output].distant)
		prove_decide(r, output, PROVE_UNKNOWN,
		    "a counter reaches its limit first; no path within %u steps", steps);
	else if (steps)
		prove_decide(r, output, PROVE_UNKNOWN, "%s; no path within %u step%s", why, steps,
		    steps == 1 ? "" : "s");
	else
		prove_decide(r, output, PROVE_UNKNOWN, "%s", why);
}

void prove_run_stages(struct prover *r, double end)
{
	leave_out(r);
	for (size_t i = 0; i < sizeof stages / sizeof *stages && clock_now() < end; i++) {
		r->patience = i >= BESIDE && !r->alone && !r->proposes && has_stage(r, "pdr")
		    ? clock_now() + 0.7 * (end - clock_now())
		    : 0;
		double share = r->proposes ? stages[i].proposes
		    : r->alone             ? stages[i].alone
		                           : stages[i].share;
		r->deadline = clock_now() + (end - clock_now()) * share;
		prove_cut_cone(r);
		renew_pdr(r);
		if (r->opens && has_stage(r, stages[i].name)
		    && (r->m->ts.cuts > 1 || !stages[i].loops) && share > 0)
			run_stage(r, i);
	}
	prove_pdr_end(r);
	r->left = r->opens;
	while (r->opens)
		leave_open(r, r->open[0], clock_now() >= end);
	prove_forget_choices(r);
	ts_cone_free(&r->cone);
}

/* Leaves only the claimed goals open. */
static void keep_claimed(struct prover *r, const struct prove_claim *claim, size_t n)
{
	size_t kept = 0;
	for (size_t i = 0; i < r->opens; i++) {
		bool claimed = false;
		for (size_t k = 0; k < n; k++)
			claimed |= claim[k].goal == r->m->output[r->open[i]].goal;
		if (claimed)
			r->open[kept++] = r->open[i];
	}
	r->opens = kept;
}

void prove_check_claims(struct prover *r, const struct prove_claim *claim, size_t n, double end)
{
	r->deadline = end;
	keep_claimed(r, claim, n);
	leave_out(r);
	prove_claims(r, claim, n);
}
