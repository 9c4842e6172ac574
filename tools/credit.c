/* credit: which goals traces reach and which stay open: trace(5) in, against goals(5). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/base/grow.h"
#include "lib/goals/score.h"

static const char usage_text[] = "usage: credit [-bhV] -f FLOW -g GOALS [FILE...]\n";

static const char help_text[] =
    "Reads traces and says of each goal, a def-use pair or an outcome of a condition, which trace reached\n"
    "it first, or that it is open. See credit(1), trace(5), goals(5).\n"
    "  -b, --branches       outcomes of conditions alone, not pairs\n"
    "  -f, --flow FLOW      the flow(5) or program that the goals are of\n"
    "  -g, --goals GOALS    the goals, as written by `cutpoints`\n"
    "  -h, --help           this text\n"
    "  -V, --version        version\n";

const struct tool tool = { "credit", usage_text, help_text };

static FILE *open_file(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "r") : stdin;
	if (!f)
		tool_die(4, "%s: %s", name, strerror(errno));
	return f;
}

static const char *shown(const char *name)
{
	return strcmp(name, "-") ? name : "<stdin>";
}

static struct goals *read_goals(const char *name)
{
	FILE *f = open_file(name);
	char *error;
	struct goals *g = goals_read(f, shown(name), &error);
	if (!g)
		tool_die(3, "%s", error);
	if (f != stdin)
		fclose(f);
	return g;
}

static void read_traces(struct score *s, const char *name)
{
	FILE *f = open_file(name);
	struct rec_reader *r = rec_open(f, shown(name), "trace", NULL);
	enum rec_status status = REC_ERROR;
	struct trace t;
	while ((status = trace_read(r, &t)) == REC_OK) {
		const char *bad = score_add(s, &t);
		unsigned long long id = t.id;
		trace_clear(&t);
		if (bad) {
			rec_close(r);
			tool_die(3, "%s: trace %llu: %s", shown(name), id, bad);
		}
	}
	if (status == REC_ERROR)
		tool_die(3, "%s", rec_error(r));
	rec_close(r);
	if (f != stdin)
		fclose(f);
}

/* One goal; was it reached? */
static bool write_one(
    struct rec_writer *w, char letter, uint32_t number, uint64_t trace, bool reached)
{
	char name[16];
	snprintf(name, sizeof name, letter == 'o' ? "o%u" : "%u", number);
	if (reached)
		rec_putf(w, "ssu", "covered", name, trace);
	else
		rec_putf(w, "ss", "open", name);
	return reached;
}

static int write_score(const struct score *s, const struct goals *g)
{
	struct rec_writer w;
	uint64_t pairs = 0, outcomes = 0, judged = 0, trace;
	bool reached;
	rec_begin(&w, stdout, "credit", 1, "credit-" DUCT_VERSION);
	for (size_t i = 0; i < g->goals; i++) {
		trace = score_goal(s, i, &reached);
		pairs += write_one(&w, 'p', g->goal[i].pair, trace, reached);
	}
	for (size_t i = 0; i < g->outcomes; i++) {
		if (g->outcome[i].kind == GOALS_EVALUATION)
			continue;
		judged++;
		trace = score_outcome(s, i, &reached);
		outcomes += write_one(&w, 'o', g->outcome[i].number, trace, reached);
	}
	rec_putf(&w, "ssuu", "total", "pairs", pairs, (uint64_t)g->goals);
	rec_putf(&w, "ssuu", "total", "outcomes", outcomes, judged);
	return rec_end(&w);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "branches", no_argument, NULL, 'b' },
		{ "flow", required_argument, NULL, 'f' },
		{ "goals", required_argument, NULL, 'g' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	char **flow = zeroed((size_t)argc + 1, sizeof *flow), *error;
	const char *goals = NULL;
	bool branches = false;
	size_t flows = 0;
	int c, status;
	while ((c = getopt_long(argc, argv, "bf:g:hV", options, NULL)) != -1)
		switch (c) {
		case 'b': branches = true; break;
		case 'f': flow[flows++] = optarg; break;
		case 'g': goals = optarg; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_usage();
		}
	if (!flows || !goals)
		tool_die(2,
		    flows ? "--goals is missing: a goals(5) file, as written by `cutpoints`"
		          : "--flow is missing: the flow(5) or program that the goals belong to");
	struct goals *g = read_goals(goals);
	if (branches)
		goals_drop_pairs(g);
	struct flow *fl = flow_read_files(flow, &status, &error);
	if (!fl)
		tool_die(status, "%s", error);
	struct defuse *d = defuse_new(fl, &g->options);
	struct score *s = score_new(d, g, &error);
	if (!s)
		tool_die(3, "%s: %s", goals, error);
	for (int i = optind; i < argc || i == optind; i++)
		read_traces(s, i < argc ? argv[i] : "-");
	if (write_score(s, g))
		tool_unwritten();
	score_free(s);
	defuse_free(d);
	flow_free(fl);
	goals_free(g);
	free(flow);
	return 0;
}
