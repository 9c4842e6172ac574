/* check: re-verifies stored proofs, question by question. */
#include <stdlib.h>
#include <string.h>

#include "lib/checkers/checkers.h"
#include "lib/base/grow.h"
#include "lib/verdicts/verdicts.h"

/* The goal with this name; UINT32_MAX: none. */
static uint32_t goal_of(const struct goals *g, const struct prove_goals *known, uint32_t name)
{
	for (size_t i = 0; i < g->goals && !(name & PROVE_OUTCOME); i++)
		if (g->goal[i].pair == name)
			return known->goal[i];
	for (size_t i = 0; i < g->outcomes && name & PROVE_OUTCOME; i++)
		if ((g->outcome[i].number | PROVE_OUTCOME) == name)
			return known->goal[g->goals + i];
	return UINT32_MAX;
}

static bool asks(const struct verdicts_question *q, uint32_t name)
{
	for (size_t i = 0; i < q->goals; i++)
		if (q->goal[i] == name)
			return true;
	return false;
}

/* A proof by an external checker cannot be verified: the checker is run again. */
static void check_outside(const struct verdicts_proof *p, struct defuse *d, uint32_t pair,
    double seconds, struct verdicts_writer *to)
{
	struct prove_sink sink = verdicts_sink(to);
	char *name = copied_part(p->by, strcspn(p->by, " ")), *absent = NULL, *error = NULL,
	     *why = NULL;
	struct checkers *o = name ? checkers_open(name, seconds, &absent, &error) : NULL;
	const char *by = o ? checkers_ask(o, d, pair, seconds > 0 ? seconds : 60, &why) : NULL;
	struct prove_verdict v = { .goal = pair,
		.answer = by ? PROVE_INFEASIBLE : PROVE_UNKNOWN,
		.evidence = by ? by
		    : why      ? why
		               : "not checked: the checker that proved it is not installed" };
	sink.question(sink.ctx, 0, "main");
	sink.verdict(sink.ctx, &v);
	checkers_close(o);
	free(name);
	free(absent);
	free(error);
	free(why);
}

/* Collects the verdicts of a question that have a proof. */
static size_t find_claims(const struct verdicts *v, uint32_t question, struct defuse *d,
    const struct goals *g, const struct prove_goals *known, double seconds,
    struct prove_claim *claim, struct verdicts_writer *to)
{
	size_t n = 0;
	for (size_t i = 0; i < v->verdicts; i++) {
		const struct verdicts_verdict *it = &v->verdict[i];
		const struct verdicts_proof *p = it->proof ? &v->proof[it->proof - 1] : NULL;
		const struct verdicts_invariant *with =
		    p && p->invariant ? &v->invariant[p->invariant - 1] : NULL;
		uint32_t at = goal_of(g, known, it->goal);
		if (!it->infeasible || it->question != question)
			continue;
		if (!p || at == UINT32_MAX || !asks(&v->question[question], it->goal))
			verdicts_refuse(to, it->goal,
			    !p                     ? "no proof is kept"
			        : at == UINT32_MAX ? "it is not among the goals"
			                           : "its proof is of another model");
		else if (!strcmp(p->stage, CHECKERS_STAGE) && !(at & PROVE_OUTCOME))
			check_outside(p, d, at, seconds, to);
		else
			claim[n++] = (struct prove_claim){ at, p->k, with ? with->clause : NULL,
				with ? with->clauses : 0 };
	}
	return n;
}

static const char *check_question(const struct verdicts *v, uint32_t question, struct defuse *d,
    const struct goals *g, const struct prove_goals *known, const struct prove_options *o,
    struct verdicts_writer *to)
{
	const struct verdicts_question *q = &v->question[question];
	struct prove_claim *claim = zeroed(v->verdicts + 1, sizeof *claim);
	uint32_t *asked = zeroed(q->goals + 1, sizeof *asked);
	struct prove_options options = *o;
	struct prove_sink sink = verdicts_sink(to);
	const char *error = NULL;
	size_t n = find_claims(v, question, d, g, known, o->seconds, claim, to), found = 0;
	options.began = 0; /* each question has its own time limit */
	options.context = q->context;
	options.given = q->given;
	options.most_insts = q->insts;
	while (found < q->goals && (asked[found] = goal_of(g, known, q->goal[found])) != UINT32_MAX)
		found++;
	if (n && found == q->goals)
		error = prove_check(d, &(struct prove_goals){ asked, found, known->outcome },
		    &options, claim, n, &sink);
	else
		for (size_t i = 0; i < n; i++)
			verdicts_refuse(to, verdicts_name(to, claim[i].goal),
			    "its proof is of another program: it names goals that are not there");
	free(claim);
	free(asked);
	return error;
}

const char *verdicts_check(const struct verdicts *v, struct defuse *d, const struct goals *g,
    const struct prove_goals *known, const struct prove_options *o, struct verdicts_writer *to)
{
	const char *error = NULL;
	for (size_t i = 0; i < v->questions && !error; i++)
		error = check_question(v, (uint32_t)i, d, g, known, o, to);
	return error;
}
