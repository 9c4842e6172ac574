/* write: verdicts(5) from prove's results. */
#include <stdlib.h>
#include <string.h>

#include "lib/verdicts/verdicts.h"
#include "lib/base/grow.h"

uint32_t verdicts_name(const struct verdicts_writer *to, uint32_t goal)
{
	return goal & PROVE_OUTCOME
	    ? PROVE_OUTCOME | to->goals->outcome[goal & ~PROVE_OUTCOME].number
	    : to->id[goal];
}

struct goal_name {
	char text[16];
};

static struct goal_name written(uint32_t name)
{
	struct goal_name n;
	snprintf(n.text, sizeof n.text, name & PROVE_OUTCOME ? "o%u" : "%u", name & ~PROVE_OUTCOME);
	return n;
}

static void put_question(void *ctx, uint64_t key, const char *entry)
{
	struct verdicts_writer *to = ctx;
	char text[17];
	snprintf(text, sizeof text, "%016llx", (unsigned long long)key);
	rec_putf(&to->w, "suss", "question", ++to->questions, text, entry);
}

static void put_narrow(void *ctx, const char *text)
{
	struct verdicts_writer *to = ctx;
	rec_putf(&to->w, "sus", "narrow", to->questions, text);
}

const char *const verdicts_given[] = { "sizes", "distinct", "state", "once", "part", NULL };
const char *const verdicts_context[] = { [PROVE_AUTO] = "-",
	[PROVE_ENTRY] = "entry",
	[PROVE_ANY] = "any",
	[PROVE_CALL] = "call",
	NULL };

static void put_model(void *ctx, enum prove_context context, unsigned given, size_t insts,
    const uint32_t *goal, size_t n)
{
	char words[64];
	struct verdicts_writer *to = ctx;
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);
	for (size_t i = 0, last; i < n; i = last + 1) {
		for (last = i; last + 1 < n
		    && verdicts_name(to, goal[last + 1]) == verdicts_name(to, goal[last]) + 1;
		    last++)
			;
		fprintf(f, "%s%s", i ? "," : "", written(verdicts_name(to, goal[i])).text);
		if (last > i)
			fprintf(f, "-%u", verdicts_name(to, goal[last]) & ~PROVE_OUTCOME);
	}
	fclose(f);
	snprintf(words, sizeof words, "%s", verdicts_context[context]);
	for (size_t i = 0; verdicts_given[i]; i++)
		if (given >> i & 1)
			strcat(strcat(words, ","), verdicts_given[i]);
	rec_putf(&to->w, "susus", "model", to->questions, words, (uint64_t)insts, text);
	free(text);
}

static void put_invariant(void *ctx, char *const *clause, size_t n)
{
	struct verdicts_writer *to = ctx;
	rec_putf(&to->w, "suu", "invariant", ++to->invariants, to->questions);
	for (size_t i = 0; i < n; i++)
		rec_putf(&to->w, "sus", "clause", to->invariants, clause[i]);
}

static void put_proof(struct verdicts_writer *to, const struct prove_proof *p)
{
	rec_putf(&to->w, "susuuss", "proof", to->verdicts, p->stage, (uint64_t)p->k,
	    p->invariant ? to->invariants : 0, p->by, p->checked ? p->checked : "-");
}

void verdicts_refuse(struct verdicts_writer *to, uint32_t name, const char *why)
{
	fprintf(stderr, "prove: %s %u: %s\n", name & PROVE_OUTCOME ? "outcome" : "pair",
	    name & ~PROVE_OUTCOME, why);
	to->wrong++;
}

/* The units of the flow are numbered from 1. */
static void put_path(struct verdicts_writer *to, const struct prove_choice *c, size_t n)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);
	for (size_t i = 0; i < n; i++)
		fprintf(f, "%s%u:%u", i ? " " : "", c[i].unit + 1, c[i].outcome);
	fclose(f);
	rec_putf(&to->w, "sus", "path", to->verdicts, text);
	free(text);
}

static void put_verdict(void *ctx, const struct prove_verdict *v)
{
	struct verdicts_writer *to = ctx;
	rec_putf(&to->w, "suusss", "verdict", ++to->verdicts, to->questions,
	    written(verdicts_name(to, v->goal)).text,
	    v->answer == PROVE_INFEASIBLE ? "infeasible" : "unknown", v->evidence);
	for (size_t i = 0; i < v->values; i++) {
		char kind[2] = { v->value[i].kind, 0 };
		rec_putf(&to->w, "sussux", "value", to->verdicts, v->value[i].name, kind,
		    (uint64_t)v->value[i].width, v->value[i].value);
	}
	if (v->choices)
		put_path(to, v->choice, v->choices);
	if (v->proof)
		put_proof(to, v->proof);
	if (to->checks && v->answer != PROVE_INFEASIBLE)
		verdicts_refuse(to, verdicts_name(to, v->goal), v->evidence);
	fflush(to->w.f);
}

static void put_stage(void *ctx, const struct prove_stage *s)
{
	struct verdicts_writer *to = ctx;
	char seconds[32];
	snprintf(seconds, sizeof seconds, "%.3f", s->seconds);
	rec_putf(&to->w, "sussuu", "stage", to->questions, s->name, seconds,
	    (uint64_t)s->infeasible, (uint64_t)s->reached);
}

struct prove_sink verdicts_sink(struct verdicts_writer *to)
{
	return (struct prove_sink){ to, put_question, put_narrow, put_model, put_invariant,
		put_verdict, put_stage };
}
