/* prove: which goals no input can reach; reads goals(5), writes verdicts(5). */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/goals/goals.h"
#include "lib/base/clock.h"
#include "lib/base/map.h"
#include "lib/base/tool.h"
#include "lib/checkers/checkers.h"
#include "lib/prove/prove.h"
#include "lib/verdicts/verdicts.h"

static const char usage_text[] =
    "usage: prove [-hSV] [-c CONTEXT] [-g GIVEN] [-i INSTRUCTIONS] [-m BYTES] [-s STAGES] [-t SECONDS] [-w CHECKERS]\n"
    "             -f FLOW [FILE]\n"
    "       prove -k VERDICTS [-t SECONDS] -f FLOW [FILE]\n";

const struct tool tool = { "prove", usage_text, "" };

static const struct option longopts[] = {
	{ "check", required_argument, NULL, 'k' },
	{ "context", required_argument, NULL, 'c' },
	{ "flow", required_argument, NULL, 'f' },
	{ "given", required_argument, NULL, 'g' },
	{ "instructions", required_argument, NULL, 'i' },
	{ "memory", required_argument, NULL, 'm' },
	{ "stages", required_argument, NULL, 's' },
	{ "stats", no_argument, NULL, 'S' },
	{ "time", required_argument, NULL, 't' },
	{ "help", no_argument, NULL, 'h' },
	{ "with", required_argument, NULL, 'w' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct command {
	char **flow;
	size_t flows;
	const char *file, *check, *with;
	uint64_t memory;
	struct prove_options prove;
};

static int refuse(const char *option, const char *value, const char *expected)
{
	fprintf(stderr, "prove: --%s `%s`: expected %s\n", option, value, expected);
	return 2;
}

static int set_context(struct prove_options *o, const char *name)
{
	if (!strcmp(name, "any"))
		o->context = PROVE_ANY;
	else if (!strcmp(name, "entry"))
		o->context = PROVE_ENTRY;
	else if (!strcmp(name, "call"))
		o->context = PROVE_CALL;
	else
		return refuse("context", name, "any, call or entry");
	return -1;
}

static int refuse_stage(const char *name)
{
	char *list = NULL;
	size_t size;
	FILE *f = open_memstream(&list, &size);
	if (!f)
		return 4;
	for (size_t i = 0; prove_stage_name(i); i++)
		fprintf(f, "%s%s",
		    !i                            ? ""
		        : prove_stage_name(i + 1) ? ", "
		                                  : " or ",
		    prove_stage_name(i));
	fclose(f);
	int status = refuse("stages", name, list);
	free(list);
	return status;
}

static int set_stages(struct prove_options *o, const char *list)
{
	char *copy = strdup(list), *save = NULL;
	int status = copy ? -1 : 4;
	for (char *s = strtok_r(copy, ",", &save); s && status < 0;
	    s = strtok_r(NULL, ",", &save)) {
		bool known = false;
		for (size_t i = 0; prove_stage_name(i); i++)
			known |= !strcmp(s, prove_stage_name(i));
		if (!known)
			status = refuse_stage(s);
	}
	free(copy);
	o->stages = list;
	return status;
}

/* Reads the options. Returns the exit status, or -1 to continue. `flow` has room for all arguments.
 */
static int options(int argc, char **argv, struct command *o)
{
	char *end;
	int c, status = -1;
	while (status < 0
	    && (c = getopt_long(argc, argv, "c:f:g:i:k:m:s:t:w:ShV", longopts, NULL)) != -1) {
		switch (c) {
		case 'c': status = set_context(&o->prove, optarg); break;
		case 'f': o->flow[o->flows++] = optarg; break;
		case 'g':
			o->prove.given = verdicts_read_given(optarg);
			if (o->prove.given == UINT_MAX || o->prove.given & PROVE_PART)
				status = refuse("given", optarg, "sizes, distinct, state or once");
			break;
		case 'i':
			o->prove.most_insts = strtoul(optarg, &end, 10);
			if (*end || !*optarg)
				status = refuse("instructions", optarg, "a number");
			break;
		case 'k': o->check = optarg; break;
		case 'm':
			o->memory = strtoull(optarg, &end, 10);
			if (*end || !o->memory)
				status = refuse("memory", optarg, "bytes");
			break;
		case 'S': o->prove.statistics = true; break;
		case 's': status = set_stages(&o->prove, optarg); break;
		case 't':
			o->prove.seconds = strtod(optarg, &end);
			if (*end || !(o->prove.seconds > 0))
				status = refuse("time", optarg, "seconds");
			break;
		case 'w': o->with = optarg; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_usage();
		}
	}
	if (status < 0 && !o->flows) {
		fputs("prove: --flow is missing: the flow(5) or program that the goals belong to;"
		      " the proofs of a store are checked by duct prove --check STORE\n",
		    stderr);
		return 2;
	}
	if (argc - optind > 1)
		tool_usage();
	if (status < 0 && o->with && (o->check || o->prove.context == PROVE_ANY)) {
		fputs(
		    "prove: --with asks about runs from the entry: not with --check or --context any\n",
		    stderr);
		return 2;
	}
	o->file = argv[optind] ? argv[optind] : "-";
	return status;
}

static int complain(char *error, int status)
{
	fprintf(stderr, "prove: %s\n", error ? error : "out of memory");
	free(error);
	return status;
}

static void *read_goals(FILE *f, const char *name, char **error)
{
	return goals_read(f, name, error);
}
static void *read_verdicts(FILE *f, const char *name, char **error)
{
	return verdicts_read(f, name, error);
}

static void *read_file(const char *name, void *(*read)(FILE *, const char *, char **), int *status)
{
	bool standard = !strcmp(name, "-");
	FILE *f = standard ? stdin : fopen(name, "r");
	void *it;
	char *error = NULL;
	if (!f) {
		fprintf(stderr, "prove: %s: %s\n", name, strerror(errno));
		*status = 4;
		return NULL;
	}
	if (!(it = read(f, standard ? "<stdin>" : name, &error)))
		*status = complain(error, 3);
	if (!standard)
		fclose(f);
	return it;
}

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

/* Opens those of the requested checkers that are installed; says which are not. */
static struct checkers *open_checkers(const struct command *o, int *status)
{
	char *absent, *error;
	struct checkers *it = checkers_open(o->with, &absent, &error);
	if (!it)
		*status = complain(error, 2);
	else if (absent)
		fprintf(stderr, "prove: not installed, left out: %s\n", absent);
	free(it ? absent : NULL);
	return it;
}

struct job {
	const struct command *command;
	const struct flow *flow;
	const struct goals *goals;
	const struct verdicts *kept;
	struct checkers *with;
};

static int prove(void *ctx, FILE *out)
{
	const struct job *j = ctx;
	const struct goals *g = j->goals;
	const struct prove_options *o = &j->command->prove;
	struct defuse *d = defuse_new(j->flow, &g->options);
	uint32_t *goal = calloc(g->goals + g->outcomes + 1, sizeof *goal);
	struct prove_outcome *outcome = calloc(g->outcomes + 1, sizeof *outcome);
	struct prove_goals goals = { goal, g->goals + g->outcomes, outcome };
	struct verdicts_writer to = { .goals = g,
		.id = d ? calloc(d->pairs + 1, sizeof *to.id) : NULL,
		.checks = j->kept != NULL };
	struct prove_sink plain = verdicts_sink(&to);
	unsigned given = o->given & PROVE_ONCE
	    ? o->given
	    : o->given & ~(unsigned)PROVE_STATE; /* verification tasks have one call of the entry */
	char *limits = d && j->with ? prove_limits(d, given) : NULL;
	struct checkers_sink beside = { j->with, d, o->seconds, 0, limits, plain };
	struct prove_sink sink = j->with ? checkers_sink(&beside) : plain;
	const char *error;
	int status = 0;
	if (!d || !goal || !outcome || !to.id) {
		status = complain(NULL, 4);
	} else if (!find_pairs(d, g, goal, &to)
	    || !find_outcomes(j->flow, g, goal + g->goals, outcome)) {
		status = complain(strdup("a goal is not in the flow"), 3);
	} else {
		rec_begin(&to.w, out, "verdicts", 1, "prove-" DUCT_VERSION);
		error = j->kept ? verdicts_check(j->kept, d, g, &goals, o, &to)
		                : prove_goals(d, &goals, o, &sink);
		if (error)
			status = complain(strdup(error), 4);
		else if (rec_end(&to.w))
			tool_unwritten();
		else
			status = to.wrong > 0;
	}
	free(limits);
	free(to.id);
	free(goal);
	free(outcome);
	defuse_free(d);
	return status;
}

/* With limits, runs in a process that can be killed; checking of stored proofs keeps to its time
 * itself. */
static int run(struct job *j)
{
	struct verdicts_limits limits = { j->command->prove.began,
		j->command->prove.seconds * (j->with ? 2 : 1), j->command->memory };
	if (j->kept || (!(limits.seconds > 0) && !limits.bytes))
		return prove(j, stdout);
	return verdicts_guard(&limits, prove, j, j->goals, stdout);
}

int main(int argc, char **argv)
{
	struct command o = { .flow = calloc((size_t)argc + 1, sizeof *o.flow),
		.prove = { .began = clock_now(), .most_insts = 50000 } };
	int status = o.flow ? options(argc, argv, &o) : 4;
	struct goals *g = status < 0 ? read_file(o.file, read_goals, &status) : NULL;
	struct verdicts *v = g && o.check ? read_file(o.check, read_verdicts, &status) : NULL;
	struct flow *fl = NULL;
	char *error = NULL;
	struct checkers *with = g && o.with ? open_checkers(&o, &status) : NULL;
	bool ready = g && (v || !o.check) && (with || !o.with);
	if (ready && (fl = flow_read_files(o.flow, &status, &error)))
		status = run(&(struct job){ &o, fl, g, v, with });
	else if (ready)
		status = complain(error, status);
	checkers_close(with);
	flow_free(fl);
	goals_free(g);
	verdicts_free(v);
	free(o.flow);
	tool_close_stdout();
	return status;
}
