/* check: proofs that were kept, question by question. */
#include <stdlib.h>

#include "lib/verdicts/verdicts.h"

/* Index in d of the pair with that id in the goals; UINT32_MAX. */
static uint32_t pair_of(const struct goals *g, const uint32_t *pair, uint32_t id)
{
	for (size_t i = 0; i < g->goals; i++)
		if (g->goal[i].pair == id)
			return pair[i];
	return UINT32_MAX;
}

static bool asks(const struct verdicts_question *q, uint32_t pair)
{
	for (size_t i = 0; i < q->pairs; i++)
		if (q->pair[i] == pair)
			return true;
	return false;
}

/* The verdicts of a question that have a proof. */
static size_t find_claims(const struct verdicts *v, uint32_t question, const struct goals *g, const uint32_t *pair,
                          struct prove_claim *claim, struct verdicts_writer *to)
{
	size_t n = 0;
	for (size_t i = 0; i < v->verdicts; i++) {
		const struct verdicts_verdict *it = &v->verdict[i];
		const struct verdicts_proof *p = it->proof ? &v->proof[it->proof - 1] : NULL;
		const struct verdicts_invariant *with = p && p->invariant ? &v->invariant[p->invariant - 1] : NULL;
		uint32_t at = pair_of(g, pair, it->pair);
		if (!it->infeasible || it->question != question)
			continue;
		if (!p || at == UINT32_MAX || !asks(&v->question[question], it->pair))
			verdicts_refuse(to, it->pair, !p ? "no proof is kept" : at == UINT32_MAX ? "it is not among the goals"
			                : "its proof is of another model");
		else
			claim[n++] = (struct prove_claim){ at, p->k, with ? with->clause : NULL, with ? with->clauses : 0 };
	}
	return n;
}

static const char *check_question(const struct verdicts *v, uint32_t question, struct defuse *d, const struct goals *g,
                                  const uint32_t *pair, const struct prove_options *o, struct verdicts_writer *to)
{
	const struct verdicts_question *q = &v->question[question];
	struct prove_claim *claim = calloc(v->verdicts + 1, sizeof *claim);
	uint32_t *asked = calloc(q->pairs + 1, sizeof *asked);
	struct prove_options options = *o;
	struct prove_sink sink = verdicts_sink(to);
	const char *error = claim && asked ? NULL : "out of memory";
	size_t n = error ? 0 : find_claims(v, question, g, pair, claim, to), known = 0;
	options.context = q->any ? PROVE_ANY : PROVE_ENTRY;
	options.most_insts = q->insts;
	while (known < q->pairs && !error && (asked[known] = pair_of(g, pair, q->pair[known])) != UINT32_MAX)
		known++;
	if (n && !error && known == q->pairs)
		error = prove_check(d, asked, q->pairs, &options, claim, n, &sink);
	else
		for (size_t i = 0; i < n; i++)
			verdicts_refuse(to, to->id[claim[i].pair], "its proof is of another program: it names pairs that are not there");
	free(claim);
	free(asked);
	return error;
}

const char *verdicts_check(const struct verdicts *v, struct defuse *d, const struct goals *g, const uint32_t *pair,
                           const struct prove_options *o, struct verdicts_writer *to)
{
	const char *error = NULL;
	for (size_t i = 0; i < v->questions && !error; i++)
		error = check_question(v, (uint32_t)i, d, g, pair, o, to);
	return error;
}
