/* solve: new inputs from traces: flips path conditions and asks the solver. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/goals/ways.h"
#include "lib/solve/flip.h"
#include "lib/solve/serve.h"
#include "lib/trace/hex.h"

static const char usage_text[] =
    "usage: solve [-acpsu] [-f last|all|N] [-t SECONDS] [-l LAYERS] [-e ENGINES]\n"
    "             [--refine first|last|all|shared|paper] [--from N|promised] [--goals FILE] [--vary NAME,...]\n"
    "             [--first ID] [--flow FLOW] [FILE...]\n";

static const char help_text[] =
    "Reads traces, flips their path conditions, and writes the inputs that take the other\n"
    "outcomes, for run-trace. See solve(1), trace(5), model(5).\n"
    "  -f, --flip WHICH     the last condition, all (default), or the N-th\n"
    "      --from N         only from the N-th on; promised: only after the conditions that the input predicted\n"
    "      --flow FLOW      the flow(5) or program of the traces, which has the cases of switches\n"
    "      --goals FILE     only to outcomes that lead to a goal, by the distances in FILE\n"
    "  -t, --timeout S      seconds a query may take (10)\n"
    "  -l, --layers LIST    layers of the solver, or none\n"
    "  -e, --engines LIST   engines in order: sat, z3, boolector\n"
    "  -c, --cross          ask every engine and compare\n"
    "  -p, --partial        ask for the negated condition alone, then add conditions that the answer violates\n"
    "      --refine HOW     which of these to add: first (default), last, all, shared, or paper\n"
    "  -s, --stats          end with records of how many queries each layer and engine answered\n"
    "  -u, --unsat          write the answers unsat and unknown, too\n"
    "      --vary NAME,...  only these inputs vary in the runs of the written inputs\n"
    "      --first ID       number of the first input written (1)\n"
    "  -a, --ask            answer queries as a co-process\n"
    "  -h, --help           this text\n"
    "  -V, --version        version\n";

const struct tool tool = { "solve", usage_text, help_text };

enum { OPT_FIRST = 256, OPT_REFINE, OPT_FLOW, OPT_FROM, OPT_GOALS, OPT_VARY };

static const struct option options[] = {
	{ "flip", required_argument, NULL, 'f' },
	{ "timeout", required_argument, NULL, 't' },
	{ "layers", required_argument, NULL, 'l' },
	{ "engines", required_argument, NULL, 'e' },
	{ "cross", no_argument, NULL, 'c' },
	{ "partial", no_argument, NULL, 'p' },
	{ "refine", required_argument, NULL, OPT_REFINE },
	{ "stats", no_argument, NULL, 's' },
	{ "flow", required_argument, NULL, OPT_FLOW },
	{ "from", required_argument, NULL, OPT_FROM },
	{ "goals", required_argument, NULL, OPT_GOALS },
	{ "vary", required_argument, NULL, OPT_VARY },
	{ "unsat", no_argument, NULL, 'u' },
	{ "first", required_argument, NULL, OPT_FIRST },
	{ "ask", no_argument, NULL, 'a' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct session {
	struct solve_options o;
	bool last, stats, others, ask;
	uint64_t only;     /* condition to flip, 0: see `last` */
	uint64_t from;     /* first condition to flip */
	bool promised;     /* none that the input promised */
	struct ways *ways; /* NULL: wherever an outcome leads */
	struct flow *flow; /* NULL: the cases of switches are unknown */
	const char *vary;  /* names of inputs, NULL: all */
	uint64_t next;     /* id of the next input */
	struct expr_pool *p;
	struct solver *s;
	struct rec_writer w;
	struct flip_path path;
	struct assignment model;
};

static uint64_t number(const char *what, const char *s)
{
	char *end;
	errno = 0;
	unsigned long long v = strtoull(s, &end, 10);
	if (errno || *s < '0' || *s > '9' || *end || !v)
		tool_die(2, "%s: `%s` is not a number of at least 1", what, s);
	return v;
}

static struct ways *read_ways(const char *name)
{
	FILE *f = strcmp(name, "-") ? fopen(name, "r") : stdin;
	char *error = NULL;
	struct ways *w = f ? ways_read(f, f == stdin ? "stdin" : name, &error) : NULL;

	if (!f)
		tool_die(4, "%s: %s", name, strerror(errno));
	if (!w)
		tool_die(3, "%s", error);
	if (f != stdin)
		fclose(f);
	return w;
}

static struct flow *read_flow(char *name)
{
	char *files[] = { name, NULL }, *error = NULL;
	int status;
	struct flow *fl = flow_read_files(files, &status, &error);

	if (!fl)
		tool_die(status, "%s", error);
	return fl;
}

static void option(struct session *d, int c)
{
	char *end;
	int how;
	switch (c) {
	case 'f':
		d->last = !strcmp(optarg, "last");
		d->only = d->last || !strcmp(optarg, "all") ? 0 : number("--flip", optarg);
		break;
	case 't':
		d->o.timeout = strtod(optarg, &end);
		if (end == optarg || *end || !(d->o.timeout > 0))
			tool_die(2, "--timeout: `%s` is not a time in seconds", optarg);
		break;
	case 'l': d->o.layers = optarg; break;
	case 'e': d->o.engines = optarg; break;
	case 'c': d->o.cross = true; break;
	case 'p': d->o.partial = true; break;
	case OPT_REFINE:
		if ((how = solve_refine(optarg)) < 0)
			tool_die(
			    2, "--refine: `%s` is not first, last, all, shared or paper", optarg);
		d->o.refine = (enum solve_refine)how;
		break;
	case OPT_FLOW:
		flow_free(d->flow);
		d->flow = read_flow(optarg);
		break;
	case OPT_FROM:
		d->promised = !strcmp(optarg, "promised");
		d->from = d->promised ? 0 : number("--from", optarg);
		break;
	case OPT_GOALS:
		ways_free(d->ways);
		d->ways = read_ways(optarg);
		break;
	case OPT_VARY: d->vary = optarg; break;
	case 's': d->stats = true; break;
	case 'u': d->others = true; break;
	case 'a': d->ask = true; break;
	case OPT_FIRST: d->next = number("--first", optarg); break;
	case 'h': tool_help();
	case 'V': tool_version();
	default: tool_usage();
	}
}

static void write_vary(struct session *d)
{
	rec_str(&d->w, "vary");
	for (const char *s = d->vary; *s;) {
		size_t n = strcspn(s, ",");
		if (n)
			rec_mem(&d->w, s, n);
		s += n + (s[n] != 0);
	}
	rec_eol(&d->w);
}

/* The whole assignment: the run's values, replaced by those of the answer. */
static void write_input(struct session *d, const struct trace *t, size_t i, uint64_t outcome,
    bool exact, const char *why)
{
	uint64_t conditions, hash;

	rec_putf(&d->w, "su", "input", d->next++);
	rec_putf(&d->w, "suus", "from", t->id, (uint64_t)i + 1, why);
	for (size_t k = 0; k < t->vars; k++) {
		const struct trace_var *v = &t->var[k];
		rec_str(&d->w, "v");
		rec_str(&d->w, v->name);
		rec_mem(&d->w, (const char *)&v->kind, 1);
		rec_num(&d->w, v->width);
		hex_put(
		    &d->w, assignment_get(&d->model, expr_var(d->p, v->name, v->kind, v->width)));
		rec_eol(&d->w);
	}
	if (d->vary)
		write_vary(d);
	if (exact) {
		hash = trace_expect(t, d->path.event[i], outcome, &conditions);
		rec_putf(&d->w, "sux", "expect", conditions, hash);
	}
	rec_putf(&d->w, "s", "run");
}

static void flip(struct session *d, const struct trace *t, size_t i, uint64_t outcome, bool exact)
{
	const char *why;
	enum answer a = flip_ask(&d->path, i, outcome, d->s, &d->model, &why);

	if (a == ANSWER_SAT)
		write_input(d, t, i, outcome, exact, why);
	else if (d->others)
		rec_putf(&d->w, "suus", a == ANSWER_UNSAT ? "unsat" : "unknown", t->id,
		    (uint64_t)i + 1, why);
	if (fflush(d->w.f) || ferror(d->w.f))
		tool_unwritten();
}

/* Is condition i, with so many path conditions before it, to be negated? */
static bool wanted(const struct session *d, const struct trace *t, size_t i, uint64_t before)
{
	return (!d->only || i + 1 == d->only) && i + 1 >= d->from
	    && (!d->promised || before >= t->promised);
}

/* Does this outcome of condition i lead to a goal, as far as that is known? */
static bool leads(
    const struct session *d, const struct trace *t, size_t i, uint64_t outcome, bool exact)
{
	const struct channel_event *e = &t->event[d->path.event[i]];

	return !d->ways || !exact || (e->kind != EV_BRANCH && e->kind != EV_SWITCH)
	    || ways_lead(d->ways, t->unit[e->unit].key, e->id, (uint32_t)outcome);
}

/* Turns condition i to each of its other outcomes that are asked for; `really`: else only finds out
 * whether there is one. */
static bool turn(struct session *d, const struct trace *t, size_t i, bool really)
{
	uint64_t outcome;
	bool exact, any = false;

	for (size_t n = 0; flip_other(&d->path, i, n, &outcome, &exact); n++)
		if (leads(d, t, i, outcome, exact)) {
			any = true;
			if (really)
				flip(d, t, i, outcome, exact);
		}
	return any;
}

static void trace(struct session *d, const struct trace *t, const char *name)
{
	const char *bad = flip_load(&d->path, d->p, t);
	size_t last = d->path.n;
	uint64_t before = 0;

	if (bad)
		tool_die(3, "%s: trace %llu: %s", name, (unsigned long long)t->id, bad);
	for (size_t i = 0; i < d->path.n; i++) {
		bool now = flip_allowed(&d->path, t, i) && wanted(d, t, i, before)
		    && turn(d, t, i, !d->last);

		before += trace_is_condition(&t->event[d->path.event[i]]);
		last = now ? i : last;
	}
	if (d->last && last < d->path.n)
		turn(d, t, last, true);
}

/* Reads one file of traces. Returns the exit status. */
static int filter(struct session *d, FILE *f, const char *name)
{
	struct rec_reader *r = rec_open(f, name, "trace", NULL);
	struct trace t = { 0 };
	enum rec_status status;

	while ((status = trace_read(r, &t)) == REC_OK) {
		trace(d, &t, name);
		trace_clear(&t);
	}
	if (status == REC_ERROR)
		fprintf(stderr, "solve: %s\n", rec_error(r));
	rec_close(r);
	return status == REC_ERROR ? 3 : 0;
}

static void stats(struct session *d)
{
	const struct solve_counts *c = solve_counts(d->s);
	const char *name;
	uint64_t n;

	rec_putf(&d->w, "ssu", "stat", "asked", c->asked);
	rec_putf(&d->w, "ssu", "stat", "cached", c->cached);
	rec_putf(&d->w, "ssu", "stat", "engine", c->engine);
	rec_putf(&d->w, "ssu", "stat", "sat", c->sat);
	rec_putf(&d->w, "ssu", "stat", "unsat", c->unsat);
	rec_putf(&d->w, "ssu", "stat", "unknown", c->unknown);
	rec_putf(&d->w, "ssu", "stat", "conjuncts", c->conjuncts);
	rec_putf(&d->w, "ssu", "stat", "conjuncts-max", c->conjuncts_max);
	rec_putf(&d->w, "ssu", "stat", "questions", c->questions);
	rec_putf(&d->w, "ssu", "stat", "infeasible", c->infeasible);
	rec_putf(&d->w, "ssu", "stat", "pruned", c->pruned);
	rec_putf(&d->w, "ssu", "stat", "rounds-max",
	    c->rounds_max ? c->rounds_max : (uint64_t)(c->asked > 0));
	rec_putf(&d->w, "ssu", "stat", "disagreed", c->disagreed);
	rec_putf(&d->w, "ssu", "stat", "confirmed", c->confirmed);
	rec_putf(&d->w, "ssu", "stat", "bad-models", c->bad_models);
	for (size_t i = 0; solve_layer(d->s, i, &name, &n); i++)
		rec_putf(&d->w, "ssu", "layer", name, n);
}

static int files(struct session *d, int argc, char **argv)
{
	int status = 0, s;
	FILE *f;

	rec_begin(&d->w, stdout, "inputs", 1, "solve-" DUCT_VERSION);
	if (!argc)
		status = filter(d, stdin, "stdin");
	for (int i = 0; i < argc; i++) {
		bool std = !strcmp(argv[i], "-");
		if (!(f = std ? stdin : fopen(argv[i], "r"))) {
			fprintf(stderr, "solve: %s: %s\n", argv[i], strerror(errno));
			status = 4;
			continue;
		}
		s = filter(d, f, std ? "stdin" : argv[i]);
		status = s > status ? s : status;
		if (!std)
			fclose(f);
	}
	if (d->stats)
		stats(d);
	if (status == 0 && rec_end(&d->w))
		tool_unwritten();
	if (status)
		fflush(
		    stdout); /* without `end`, so that readers see that the stream is incomplete */
	return status;
}

static int serve(struct session *d)
{
	char *error;
	int status = solve_serve(d->s, d->p, stdin, "stdin", stdout, &error);

	if (status == 4)
		tool_unwritten();
	if (status)
		fprintf(stderr, "solve: %s\n", error);
	free(error);
	return status;
}

int main(int argc, char **argv)
{
	struct session d = { .next = 1 };
	char *error;
	int c, status;

	while ((c = getopt_long(argc, argv, "acpsuf:t:l:e:hV", options, NULL)) != -1)
		option(&d, c);
	if (d.ask
	    && (optind < argc || d.only || d.last || d.from || d.promised || d.ways || d.flow
	        || d.vary || d.others || d.stats || d.next > 1))
		tool_die(2,
		    "--ask only answers questions: it takes no traces and no options about conditions");
	if (fcntl(1, F_GETFD) < 0)
		tool_unwritten();
	signal(SIGPIPE, SIG_IGN);
	d.path.flow = d.flow;
	d.p = expr_pool_new();
	if (!(d.s = solve_open(d.p, &d.o, &error)))
		tool_die(error && !strncmp(error, "unknown", 7) ? 2 : 4, "%s", error);
	status = d.ask ? serve(&d) : files(&d, argc - optind, argv + optind);
	ways_free(d.ways);
	flip_clear(&d.path);
	flow_free(d.flow);
	assignment_clear(&d.model);
	if (status == 0 && solve_counts(d.s)->disagreed) {
		fputs("solve: engines disagree: one of them, or solve, is wrong\n", stderr);
		status = 4;
	}
	solve_close(d.s);
	expr_pool_free(d.p);
	return status;
}
