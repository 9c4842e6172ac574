/* read: reads verdicts(5) into arrays. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/table/table.h"
#include "lib/verdicts/verdicts.h"
#include "lib/base/grow.h"

struct verdicts_reader {
	struct table *table;
	struct rec rec;
	struct verdicts *v;
	size_t questions, invariants, verdicts; /* counts of the preceding streams */
	bool failed;
};

static void fail(struct verdicts_reader *in, const char *why)
{
	rec_fail(table_reader(in->table), "%s", why);
	in->failed = true;
}

static uint64_t number(const struct verdicts_reader *in, size_t i)
{
	return strtoull(in->rec.field[i], NULL, 10);
}

static char *text(const struct verdicts_reader *in, size_t i)
{
	return copied(in->rec.field[i]);
}

/* Parses "12" or "o5"; *end: after it, or s if malformed. */
static uint32_t goal_name(const char *s, char **end)
{
	bool outcome = *s == 'o';
	unsigned long long n = strtoull(s + outcome, end, 10);
	if (*end == s + outcome || !n || n >= PROVE_OUTCOME)
		*end = (char *)(uintptr_t)s;
	return (uint32_t)n | (outcome ? PROVE_OUTCOME : 0);
}

/* Parses "1-3,7,o4-6"; each range must ascend. */
static void read_goals(struct verdicts_reader *in, struct verdicts_question *q, const char *list)
{
	const char *expected = "goals are numbers and ranges of numbers, `1-3,7,o4-6`";
	for (const char *s = list; *s && !in->failed; s += *s == ',') {
		char *end;
		uint32_t first = goal_name(s, &end), n = 1;
		unsigned long long last;
		bool good = end > s;
		if (good && *end == '-') {
			last = strtoull(s = end + 1, &end, 10) | (first & PROVE_OUTCOME);
			good = end > s && last >= first && last - first <= 100000000;
			n = (uint32_t)(last - first) + 1;
		}
		if (!good || (*end && *end != ','))
			fail(in, expected);
		for (uint32_t k = 0; k < n && !in->failed; k++)
			*PUSH(q->goal, q->goals) = first + k;
		s = end;
	}
}

unsigned verdicts_read_given(const char *list)
{
	unsigned given = 0;
	while (*list) {
		size_t n = strcspn(list, ","), i = 0;
		while (verdicts_given[i]
		    && (strlen(verdicts_given[i]) != n || strncmp(verdicts_given[i], list, n)))
			i++;
		if (!verdicts_given[i])
			return UINT_MAX;
		given |= 1u << i;
		list += n + (list[n] == ',');
	}
	return given;
}

/* Parses CONTEXT[,GIVEN...]. */
static void read_context(struct verdicts_reader *in, struct verdicts_question *q, const char *text)
{
	size_t n = strcspn(text, ",");
	unsigned k = 0;
	while (verdicts_context[k]
	    && (strlen(verdicts_context[k]) != n || strncmp(verdicts_context[k], text, n)))
		k++;
	q->context = (enum prove_context)k;
	q->given = text[n] ? verdicts_read_given(text + n + 1) : 0;
	if (!verdicts_context[k] || q->given == UINT_MAX)
		fail(in,
		    "expected a context, entry, any or call, then given facts: sizes, distinct, state, once, part");
}

static void take_model(struct verdicts_reader *in)
{
	struct verdicts_question *q = &in->v->question[in->questions + number(in, 1) - 1];
	if (q->told) {
		fail(in, "a second model of the question");
		return;
	}
	q->told = true;
	read_context(in, q, in->rec.field[2]);
	q->insts = number(in, 3);
	read_goals(in, q, in->rec.field[4]);
}

static void take_proof(struct verdicts_reader *in)
{
	struct verdicts *v = in->v;
	struct verdicts_verdict *of = &v->verdict[in->verdicts + number(in, 1) - 1];
	uint64_t k = number(in, 3), invariant = number(in, 4);
	if (of->proof || !of->infeasible)
		fail(in,
		    of->proof ? "a second proof of the verdict"
		              : "a proof of a verdict that is not infeasible");
	else if (k > 1000)
		fail(in, "k is at most 1000");
	if (in->failed)
		return;
	*PUSH(v->proof, v->proofs) = (struct verdicts_proof){ text(in, 2), text(in, 5), (uint32_t)k,
		invariant ? (uint32_t)(in->invariants + invariant) : 0 };
	of->proof = (uint32_t)v->proofs;
}

static void take_verdict(struct verdicts_reader *in)
{
	struct verdicts *v = in->v;
	char *end;
	uint32_t goal = goal_name(in->rec.field[3], &end);
	if (*end)
		fail(in, "a goal is the id of a pair, or o and the number of an outcome");
	*PUSH(v->verdict, v->verdicts) =
	    (struct verdicts_verdict){ (uint32_t)(in->questions + number(in, 2) - 1), goal,
		    !strcmp(in->rec.field[4], "infeasible"), text(in, 5), 0 };
}

static void take(struct verdicts_reader *in, const char *tag)
{
	struct verdicts *v = in->v;
	if (!strcmp(tag, "question")) {
		*PUSH(v->question, v->questions) =
		    (struct verdicts_question){ .key = strtoull(in->rec.field[2], NULL, 16),
			    .entry = text(in, 3) };
	} else if (!strcmp(tag, "model")) {
		take_model(in);
	} else if (!strcmp(tag, "invariant")) {
		*PUSH(v->invariant, v->invariants) = (struct verdicts_invariant){ 0 };
	} else if (!strcmp(tag, "clause")) {
		struct verdicts_invariant *i = &v->invariant[in->invariants + number(in, 1) - 1];
		*PUSH(i->clause, i->clauses) = text(in, 2);
	} else if (!strcmp(tag, "verdict")) {
		take_verdict(in);
	} else if (!strcmp(tag, "proof")) {
		take_proof(in);
	}
}

struct verdicts *verdicts_read(FILE *f, const char *name, char **error)
{
	struct verdicts *v = zeroed(1, sizeof *v);
	struct verdicts_reader in = { .table = table_open(f, name, "verdicts", table_verdicts),
		.v = v };
	enum rec_status status = REC_END;
	size_t tag;
	while (!in.failed && (status = table_next(in.table, &in.rec, &tag)) == REC_OK) {
		if (rec_first(table_reader(in.table))) {
			in.questions = v->questions;
			in.invariants = v->invariants;
			in.verdicts = v->verdicts;
		}
		take(&in, in.rec.field[0]);
	}
	if (in.failed || status == REC_ERROR) {
		*error = copied(rec_error(table_reader(in.table)));
		verdicts_free(v);
		v = NULL;
	}
	table_close(in.table);
	return v;
}

void verdicts_free(struct verdicts *v)
{
	if (!v)
		return;
	for (size_t i = 0; i < v->questions; i++) {
		free(v->question[i].entry);
		free(v->question[i].goal);
	}
	for (size_t i = 0; i < v->invariants; i++) {
		for (size_t k = 0; k < v->invariant[i].clauses; k++)
			free(v->invariant[i].clause[k]);
		free(v->invariant[i].clause);
	}
	for (size_t i = 0; i < v->verdicts; i++)
		free(v->verdict[i].evidence);
	for (size_t i = 0; i < v->proofs; i++) {
		free(v->proof[i].stage);
		free(v->proof[i].by);
	}
	free(v->question);
	free(v->invariant);
	free(v->verdict);
	free(v->proof);
	free(v);
}
