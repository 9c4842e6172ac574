/* Proofs about any program model: whatever its reader lets through, they neither crash nor go on
 * after their time. The stages that ask another program are left out. */
#include "lib/base/clock.h"
#include "lib/defuse/defuse.h"
#include "lib/flow/flow.h"
#include "lib/prove/prove.h"
#include "tests/fuzz/records.h"

enum { MOST_GOALS = 6 };

static volatile size_t verdicts;

static void question(void *ctx, uint64_t key, const char *entry)
{
	(void)ctx, (void)key;
	verdicts += strlen(entry);
}

static void narrow(void *ctx, const char *text)
{
	(void)ctx;
	verdicts += strlen(text);
}

static void model(void *ctx, enum prove_context context, unsigned given, size_t insts,
    const uint32_t *goal, size_t n)
{
	(void)ctx, (void)context, (void)given, (void)insts;
	for (size_t i = 0; i < n; i++)
		verdicts += goal[i];
}

static void invariant(void *ctx, char *const *clause, size_t n)
{
	(void)ctx;
	for (size_t i = 0; i < n; i++)
		verdicts += strlen(clause[i]);
}

static void verdict(void *ctx, const struct prove_verdict *v)
{
	(void)ctx;
	for (size_t i = 0; i < v->values; i++)
		verdicts += strlen(v->value[i].name);
}

static void stage(void *ctx, const struct prove_stage *s)
{
	(void)ctx, (void)s;
}

static void prove(struct defuse *d, const struct flow *fl, enum prove_context context)
{
	static const struct prove_sink sink = { NULL, question, narrow, model, invariant, verdict,
		stage };
	const struct prove_options o = { .context = context,
		.stages = "simplify,query,runs,bmc,short,states,induction,facts,growth,bounded",
		.seconds = 0.3,
		.most_insts = 2000 };
	struct prove_outcome outcome[MOST_GOALS];
	uint32_t goal[2 * MOST_GOALS], n = 0, outcomes = 0;
	double began = clock_now();

	while (n < d->pairs && n < MOST_GOALS) {
		goal[n] = n;
		n++;
	}
	for (; fl->units && outcomes < fl->unit[0].outcomes && outcomes < MOST_GOALS; outcomes++) {
		outcome[outcomes] =
		    (struct prove_outcome){ .kind = GOALS_OUTCOME, .outcome = outcomes };
		goal[n++] = PROVE_OUTCOME | outcomes;
	}
	(void)prove_goals(d, &(struct prove_goals){ goal, n, outcome }, &o, &sink);
	if (clock_now() - began > 5)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	char *error = NULL;
	struct flow *fl = flow_read(f, "input", &error);
	struct defuse *d;

	fclose(f);
	free(error);
	if (!fl)
		return 0;
	d = defuse_new(fl, &(struct defuse_options){ .inter = true });
	if (d) {
		prove(d, fl, PROVE_ENTRY);
		prove(d, fl, PROVE_ANY);
		free(prove_limits(d, 0));
	}
	defuse_free(d);
	flow_free(fl);
	return 0;
}
