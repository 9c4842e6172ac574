/* cutpoints: cut points of def-use pairs; reads pairs(5), writes goals(5). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/base/grow.h"
#include "lib/goals/goals.h"

static const char usage_text[] = "usage: cutpoints [-bdhoV] [-n PAIR] -f FLOW [FILE]\n";

const struct tool tool = { "cutpoints", usage_text, "" };

static const struct option longopts[] = {
	{ "branches", no_argument, NULL, 'b' },
	{ "decisions", no_argument, NULL, 'd' },
	{ "objectives", no_argument, NULL, 'o' },
	{ "flow", required_argument, NULL, 'f' },
	{ "pair", required_argument, NULL, 'n' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct settings {
	char **flow;
	size_t flows;
	uint32_t only;
	unsigned kinds;
	const char *file;
};

/* Reads the options. Returns the exit status, or -1 to continue. `flow` has room for all arguments.
 */
static int options(int argc, char **argv, struct settings *o)
{
	char *end;
	int c;
	while ((c = getopt_long(argc, argv, "bdf:n:ohV", longopts, NULL)) != -1) {
		switch (c) {
		case 'b': o->kinds |= GOALS_OF_OUTCOMES; break;
		case 'd': o->kinds |= GOALS_OF_DECISIONS; break;
		case 'o': o->kinds |= GOALS_OF_CONDITIONS; break;
		case 'f': o->flow[o->flows++] = optarg; break;
		case 'n':
			o->only = (uint32_t)strtoul(optarg, &end, 10);
			if (*end || !o->only) {
				fprintf(stderr,
				    "cutpoints: --pair `%s`: expected the id of a pair\n", optarg);
				return 2;
			}
			break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_usage();
		}
	}
	if (!o->flows) {
		fputs(
		    "cutpoints: --flow is missing: the flow(5) or program that the pairs are of\n",
		    stderr);
		return 2;
	}
	if (argc - optind > 1)
		tool_usage();
	o->file = argv[optind] ? argv[optind] : "-";
	return -1;
}

static int complain(char *error, int status)
{
	fprintf(stderr, "cutpoints: %s\n", error);
	free(error);
	return status;
}

static struct pairs *read_pairs(const char *name, int *status)
{
	bool standard = !strcmp(name, "-");
	FILE *f = standard ? stdin : fopen(name, "r");
	struct pairs *p;
	char *error = NULL;
	if (!f) {
		fprintf(stderr, "cutpoints: %s: %s\n", name, strerror(errno));
		*status = 4;
		return NULL;
	}
	if (!(p = pairs_read(f, standard ? "<stdin>" : name, &error)))
		*status = complain(error, 3);
	if (!standard)
		fclose(f);
	return p;
}

static int write_goals(const struct settings *o, const struct flow *fl, const struct pairs *p)
{
	struct defuse *d = defuse_new(fl, &p->options);
	char *error = NULL;
	int status = 0;
	if (o->only > p->pairs) {
		fprintf(stderr, "cutpoints: --pair %u: there are %zu\n", o->only, p->pairs);
		status = 2;
	} else if (goals_write(d, p, o->only, o->kinds, stdout, &error)) {
		if (!error)
			tool_unwritten();
		status = complain(error, 3);
	}
	defuse_free(d);
	return status;
}

int main(int argc, char **argv)
{
	struct settings o = { .flow = zeroed((size_t)argc + 1, sizeof *o.flow) };
	int status = o.flow ? options(argc, argv, &o) : 4;
	struct pairs *p = status < 0 ? read_pairs(o.file, &status) : NULL;
	struct flow *fl = NULL;
	char *error = NULL;
	if (p && (fl = flow_read_files(o.flow, &status, &error)))
		status = write_goals(&o, fl, p);
	else if (p)
		status = complain(error, status);
	flow_free(fl);
	pairs_free(p);
	free(o.flow);
	return status;
}
