/* distance: how far each outcome of a condition is from the nearest goal: goals(5) in. */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/base/grow.h"
#include "lib/goals/goals.h"

static const char usage_text[] = "usage: distance [-hV] -f FLOW [-o CREDIT] [GOALS]\n";

static const char help_text[] =
    "Writes for each outcome of each condition the least number of instructions between it and the\n"
    "nearest goal. See distance(1), goals(5).\n"
    "  -f, --flow FLOW      the flow(5) or program that the goals are of\n"
    "  -o, --open CREDIT    only goals that are open in this output of `credit`\n"
    "  -h, --help           this text\n"
    "  -V, --version        version\n";

const struct tool tool = { "distance", usage_text, help_text };

/* Where a goal is reached: an instruction and, of a p-use and an outcome, what its condition comes
 * out as; else DEFUSE_C. */
struct goal_point {
	uint32_t unit, inst, outcome;
};

static FILE *open_file(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "r") : stdin;
	if (!f)
		tool_die(4, "%s: %s", name, strerror(errno));
	return f;
}

static struct goals *read_goals(const char *name)
{
	FILE *f = open_file(name);
	char *error;
	struct goals *g = goals_read(f, f == stdin ? "<stdin>" : name, &error);
	if (!g)
		tool_die(3, "%s", error);
	if (f != stdin)
		fclose(f);
	return g;
}

/* Marks the goals that are open: those of pairs, then outcomes, which are numbered in their order.
 */
static void mark_open(
    bool *wanted, const struct goals *g, const struct rec *rec, struct rec_reader *r)
{
	bool outcome = rec->field[1][0] == 'o', known = false;
	unsigned long number = strtoul(rec->field[1] + outcome, NULL, 10);
	for (size_t i = 0; i < (outcome ? g->outcomes : g->goals); i++)
		if ((outcome ? g->outcome[i].number : g->goal[i].pair) == number)
			wanted[outcome ? g->goals + i : i] = known = true;
	if (!known) {
		rec_fail(r, "goal `%.40s` is not among the goals", rec->field[1]);
		tool_die(3, "%s", rec_error(r));
	}
}

static void read_open(bool *wanted, const struct goals *g, const char *name)
{
	FILE *f = open_file(name);
	struct rec_reader *r = rec_open(f, f == stdin ? "<stdin>" : name, "credit", NULL);
	enum rec_status status = REC_ERROR;
	struct rec rec;
	while ((status = rec_next(r, &rec)) == REC_OK)
		if (!strcmp(rec.field[0], "open")) {
			if (!rec_want(r, &rec, 2, 2))
				tool_die(3, "%s", rec_error(r));
			mark_open(wanted, g, &rec, r);
		}
	if (status == REC_ERROR)
		tool_die(3, "%s", rec_error(r));
	rec_close(r);
	if (f != stdin)
		fclose(f);
}

static uint32_t unit_of(const struct flow *fl, const struct goals *g, uint32_t unit)
{
	uint32_t i = 0;
	while (i < fl->units && fl->unit[i].key != g->unit[unit - 1].key)
		i++;
	if (i == fl->units)
		tool_die(3, "unit %s of the goals is not in the flow", g->unit[unit - 1].name);
	return i;
}

/* The last instruction of a block, which decides its condition. */
static uint32_t last_inst(const struct flow_unit *u, uint32_t block)
{
	uint32_t last = 0;
	for (uint32_t i = 0; i < u->insts; i++)
		if (u->inst_block[i] == block)
			last = i + 1;
	return last;
}

static size_t add_pairs(
    struct goal_point *aim, const struct flow *fl, const struct goals *g, const bool *wanted)
{
	size_t n = 0;
	for (size_t i = 0; i < g->goals; i++) {
		const struct goals_point *p = &g->point[g->goal[i].point - 1];
		if (wanted[i])
			aim[n++] = (struct goal_point){ unit_of(fl, g, p->unit), p->inst,
				g->goal[i].outcome };
	}
	return n;
}

/* Of a goal without cut points; of an evaluation its last outcome. */
static size_t add_aims(
    struct goal_point *aim, uint32_t unit, const struct flow_unit *u, const struct goals_outcome *o)
{
	uint32_t outcome = o->kind == GOALS_EVALUATION ? o->list[o->n - 1] : o->outcome;
	enum flow_side side;
	size_t n = 0, which;
	if (o->kind == GOALS_CONDITION) {
		aim[n++] = (struct goal_point){ unit, o->inst, DEFUSE_C };
		return n;
	}
	for (size_t i = 0; i < o->n && o->kind == GOALS_BLOCKS; i++)
		if (o->list[i] && o->list[i] <= u->blocks)
			aim[n++] = (struct goal_point){ unit, last_inst(u, o->list[i]), DEFUSE_C };
	if (o->kind != GOALS_BLOCKS && outcome < u->outcomes)
		aim[n++] = (struct goal_point){ unit,
			last_inst(u, flow_outcome(u, outcome, &side, &which)->block), outcome };
	return n;
}

static size_t add_outcomes(
    struct goal_point *aim, const struct flow *fl, const struct goals *g, const bool *wanted)
{
	size_t n = 0;
	for (size_t i = 0; i < g->outcomes; i++) {
		const struct goals_outcome *o = &g->outcome[i];
		uint32_t unit = unit_of(fl, g, o->unit);
		const struct flow_unit *u = &fl->unit[unit];
		if (o->kind == GOALS_OUTCOME
		    && (!o->branch || o->branch > u->branches || o->outcome >= u->outcomes))
			tool_die(3, "outcome %u of the goals is not in the flow", o->number);
		if (wanted[g->goals + i])
			n += add_aims(&aim[n], unit, u, o);
	}
	return n;
}

static int by_place(const void *a, const void *b)
{
	const struct goal_point *x = a, *y = b;
	return x->unit != y->unit ? (x->unit > y->unit) - (x->unit < y->unit)
	                          : (x->inst > y->inst) - (x->inst < y->inst);
}

static uint32_t last_outcome(const struct flow_branch *b)
{
	return b->kind == 's' ? (uint32_t)b->cases : 1;
}

static void add_ways(uint32_t *least, struct defuse *d, uint32_t unit, const struct flow_branch *b,
    const struct goal_point *aim)
{
	for (uint32_t o = b->first; o <= b->first + last_outcome(b); o++) {
		uint32_t way = aim->unit == unit && aim->outcome == o
		    ? 0
		    : defuse_distance(d, unit, o, aim->unit, aim->inst);
		if (way < least[o])
			least[o] = way;
	}
}

/* By unit and outcome the way to the nearest aim. Aim by aim, in order of their places: all ways to
 * one place are found at once. */
static uint32_t **find_ways(struct defuse *d, struct goal_point *aim, size_t aims)
{
	uint32_t **least = zeroed(d->flow->units + 1, sizeof *least);

	for (uint32_t u = 0; u < d->flow->units; u++) {
		uint32_t n = d->flow->unit[u].outcomes;

		least[u] = reserved(n + 1u, sizeof **least);
		memset(least[u], 0xff, (n + 1u) * sizeof **least);
	}
	qsort(aim, aims, sizeof *aim, by_place);
	for (size_t k = 0; k < aims; k++)
		for (uint32_t u = 0; u < d->flow->units; u++)
			for (uint32_t b = 0; b < d->flow->unit[u].branches; b++)
				add_ways(least[u], d, u, &d->flow->unit[u].branch[b], &aim[k]);
	return least;
}

/* Outcomes as in branch and switch records of traces: 1 true, 0 false; cases from 0, then the
 * default. */
static void write_branch(struct rec_writer *w, const struct flow_branch *b, uint32_t unit,
    uint32_t branch, const uint32_t *least)
{
	for (uint32_t i = 0; i <= last_outcome(b); i++) {
		uint32_t way = least[b->first + i];
		uint64_t outcome = b->kind == 's' ? i : 1 - i;
		if (way == DEFUSE_FAR)
			rec_putf(w, "suuus", "distance", (uint64_t)unit + 1, (uint64_t)branch + 1,
			    outcome, "-");
		else
			rec_putf(w, "suuuu", "distance", (uint64_t)unit + 1, (uint64_t)branch + 1,
			    outcome, (uint64_t)way);
	}
}

static int write_distances(const struct flow *fl, uint32_t **least)
{
	struct rec_writer w;
	char key[17];
	rec_begin(&w, stdout, "distances", 1, "distance-" DUCT_VERSION);
	for (uint32_t u = 0; u < fl->units; u++) {
		snprintf(key, sizeof key, "%016llx", (unsigned long long)fl->unit[u].key);
		rec_putf(&w, "suss", "unit", (uint64_t)u + 1, key, fl->unit[u].name);
		for (uint32_t b = 0; b < fl->unit[u].branches; b++)
			write_branch(&w, &fl->unit[u].branch[b], u, b, least[u]);
	}
	return rec_end(&w);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "flow", required_argument, NULL, 'f' },
		{ "open", required_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ "version", no_argument, NULL, 'V' },
		{ NULL, 0, NULL, 0 },
	};
	char **flow = zeroed((size_t)argc + 1, sizeof *flow), *error;
	const char *open = NULL;
	size_t flows = 0, aims;
	int c, status;
	while ((c = getopt_long(argc, argv, "f:o:hV", options, NULL)) != -1)
		switch (c) {
		case 'f': flow[flows++] = optarg; break;
		case 'o': open = optarg; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_usage();
		}
	if (!flows)
		tool_die(2, "--flow is missing: the flow(5) or program that the goals belong to");
	if (argc - optind > 1)
		tool_usage();
	struct goals *g = read_goals(optind < argc ? argv[optind] : "-");
	size_t n = g->goals + g->outcomes;
	size_t blocks = 0;
	for (size_t i = 0; i < g->outcomes; i++)
		blocks += g->outcome[i].n;
	struct goal_point *aim = zeroed(n + blocks + 1, sizeof *aim);
	bool *wanted = zeroed(n + 1, sizeof *wanted);
	struct flow *fl = flow_read_files(flow, &status, &error);
	if (!fl)
		tool_die(status, "%s", error);
	struct defuse *d = defuse_new(fl, &g->options);
	if (open)
		read_open(wanted, g, open);
	for (size_t i = 0; i < n && !open; i++)
		wanted[i] = true;
	aims = add_pairs(aim, fl, g, wanted);
	aims += add_outcomes(aim + aims, fl, g, wanted);
	uint32_t **least = find_ways(d, aim, aims);
	if (write_distances(fl, least))
		tool_unwritten();
	for (uint32_t u = 0; u < fl->units; u++)
		free(least[u]);
	free(least);
	free(aim);
	free(wanted);
	defuse_free(d);
	flow_free(fl);
	goals_free(g);
	free(flow);
	return 0;
}
