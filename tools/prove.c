/* prove: which goals no input can reach; reads goals(5), writes verdicts(5). */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/tool.h"
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

struct settings {
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
	FILE *f = text_stream(&list, &size);
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
	char *copy = copied(list), *save = NULL;
	int status = -1;
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
static int options(int argc, char **argv, struct settings *o)
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
	fprintf(stderr, "prove: %s\n", error);
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

/* Opens those of the requested checkers that are installed; says which are not. */
static struct checkers *open_checkers(const struct settings *o, int *status)
{
	char *absent, *error;
	struct checkers *it = checkers_open(o->with, o->prove.seconds, &absent, &error);
	if (!it)
		*status = complain(error, 2);
	else if (absent)
		fprintf(stderr, "prove: not installed, left out: %s\n", absent);
	free(it ? absent : NULL);
	return it;
}

int main(int argc, char **argv)
{
	struct settings o = { .flow = zeroed((size_t)argc + 1, sizeof *o.flow),
		.prove = { .began = clock_now(), .most_insts = PROVE_INSTS } };
	int status = o.flow ? options(argc, argv, &o) : 4;
	struct goals *g = status < 0 ? read_file(o.file, read_goals, &status) : NULL;
	struct verdicts *v = g && o.check ? read_file(o.check, read_verdicts, &status) : NULL;
	struct flow *fl = NULL;
	char *error = NULL;
	struct checkers *with = g && o.with ? open_checkers(&o, &status) : NULL;
	bool ready = g && (v || !o.check) && (with || !o.with);
	if (ready && (fl = flow_read_files(o.flow, &status, &error)))
		status = verdicts_run(
		    &(struct verdicts_job){ fl, NULL, g, v, with, &o.prove, o.memory }, stdout);
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
