/* run-trace: runs inputs in an instrumented program and writes a trace for each. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/summary/effects.h"
#include "lib/base/grow.h"
#include "lib/base/tool.h"
#include "lib/run/run.h"

static const char usage_text[] =
    "usage: run-trace [-dCe] [-t SECONDS] [-m BYTES] [-o BYTES] [--depth N] [--steps N]\n"
    "                 [--environment] [--stdin N] [--file NAME=N] [--arg I=N] [--env NAME=N] [--faults N]\n"
    "                 [--input time,random,short] [--aliases late|early|fix] [--grow NAME=N] [--abstract F,...]\n"
    "                 [--execute N] [--flow-map FILE] [--confine full|some|none] [--scratch DIR] [--fork]\n"
    "                 PROGRAM [ARG...]\n";

static const char help_text[] =
    "Runs the inputs on standard input in PROGRAM, which `instrument` has made, and writes a\n"
    "trace of each to standard output. See run-trace(1), inputs(5), trace(5).\n"
    "  -d, --default        run the default input once, read nothing\n"
    "  -t, --timeout S      seconds a run may take (10)\n"
    "  -m, --memory BYTES   memory a run may add; suffixes K M G (1G)\n"
    "  -o, --output BYTES   bytes a run may write to a file or to standard output (1M)\n"
    "      --depth N        end a run after N symbolic branches\n"
    "      --steps N        end a run after N blocks\n"
    "  -e, --environment    answers of the environment are inputs: arguments, standard input, variables,\n"
    "                       files, time, random numbers, process ids and the like\n"
    "      --stdin N        standard input is symbolic, N bytes at most\n"
    "      --file NAME=N    file NAME in the scratch directory is symbolic, N bytes at most\n"
    "      --arg I=N        argument I is symbolic, N bytes at most\n"
    "      --env NAME=N     environment variable NAME is symbolic, N bytes at most\n"
    "      --faults N       inputs decide which calls fail, at most N in a run\n"
    "      --input LIST     inputs are also: time, random numbers, short reads (time,random,short)\n"
    "      --aliases KIND   symbolic addresses stay open (late), are decided (early) or taken (fix)\n"
    "      --grow NAME=N    a limit on inputs that grow, such as size=64; run-trace(1) has the names\n"
    "      --abstract F,... inputs decide whether calls of these functions are abstract; all: of every one\n"
    "      --execute N      of these calls the first N are executed, later ones stay abstract\n"
    "      --flow-map FILE  read the memory that runs wrote under decisions from FILE, and write it there\n"
    "      --scratch DIR    run in DIR, which is not cleaned\n"
    "      --confine LEVEL  confinement of runs: full, some (not from files), none (full)\n"
    "      --fork           a new process for each run\n"
    "  -C, --calls          record calls and returns\n"
    "  -h, --help           this text\n"
    "  -V, --version        version\n";

const struct tool tool = { "run-trace", usage_text, help_text };

enum {
	OPT_DEPTH = 256,
	OPT_STEPS,
	OPT_STDIN,
	OPT_FILE,
	OPT_ARG,
	OPT_ENV,
	OPT_FAULTS,
	OPT_INPUT,
	OPT_ALIASES,
	OPT_GROW,
	OPT_SCRATCH,
	OPT_FORK,
	OPT_CONFINE,
	OPT_ABSTRACT,
	OPT_EXECUTE,
	OPT_FLOW_MAP
};

static const struct option options[] = {
	{ "default", no_argument, NULL, 'd' },
	{ "timeout", required_argument, NULL, 't' },
	{ "memory", required_argument, NULL, 'm' },
	{ "output", required_argument, NULL, 'o' },
	{ "environment", no_argument, NULL, 'e' },
	{ "depth", required_argument, NULL, OPT_DEPTH },
	{ "steps", required_argument, NULL, OPT_STEPS },
	{ "stdin", required_argument, NULL, OPT_STDIN },
	{ "file", required_argument, NULL, OPT_FILE },
	{ "arg", required_argument, NULL, OPT_ARG },
	{ "env", required_argument, NULL, OPT_ENV },
	{ "faults", required_argument, NULL, OPT_FAULTS },
	{ "input", required_argument, NULL, OPT_INPUT },
	{ "aliases", required_argument, NULL, OPT_ALIASES },
	{ "grow", required_argument, NULL, OPT_GROW },
	{ "scratch", required_argument, NULL, OPT_SCRATCH },
	{ "calls", no_argument, NULL, 'C' },
	{ "fork", no_argument, NULL, OPT_FORK },
	{ "confine", required_argument, NULL, OPT_CONFINE },
	{ "abstract", required_argument, NULL, OPT_ABSTRACT },
	{ "execute", required_argument, NULL, OPT_EXECUTE },
	{ "flow-map", required_argument, NULL, OPT_FLOW_MAP },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct argument_list {
	const char **v;
	size_t n;
};

struct settings {
	struct run_options run;
	struct argument_list file, arg, env, ask;
	const char *abstract; /* names of functions, or NULL */
	const char *flow_map; /* file, or NULL */
	bool some;            /* only the first `execute` of their calls are executed */
	uint64_t execute;
	bool once;
};

/* A number with an optional suffix K, M or G. */
static uint64_t number(const char *name, const char *s, uint64_t min)
{
	unsigned long long v;
	unsigned shift;
	char *end;

	errno = 0;
	v = strtoull(s, &end, 10);
	shift = *end == 'K' ? 10 : *end == 'M' ? 20 : *end == 'G' ? 30 : 0;
	if (errno || s[0] < '0' || s[0] > '9' || end[shift != 0] || v < min
	    || v > UINT64_MAX >> shift)
		tool_die(2, "--%s: `%s` is not a number of at least %llu", name, s,
		    (unsigned long long)min);
	return (uint64_t)v << shift;
}

static double seconds(const char *s)
{
	char *end;
	double v = strtod(s, &end);

	if (end == s || *end || !(v > 0) || v > 1e6)
		tool_die(2, "--timeout: `%s` is not a time in seconds", s);
	return v;
}

static void append(struct argument_list *l, const char *s)
{
	l->v = resized(l->v, l->n + 2, sizeof *l->v);
	l->v[l->n++] = s;
	l->v[l->n] = NULL;
}

static void add(struct argument_list *l, const char *option, const char *s)
{
	char *error = NULL;

	if (run_check_sizes(option, (const char *const[]){ s, NULL }, &error))
		tool_die(2, "%s", error);
	append(l, s);
}

/* Adds a setting for the runtime: "faults=N", "input:GROUP=1" or "aliases=N". */
static void __attribute__((format(printf, 2, 3))) ask(struct argument_list *l, const char *fmt, ...)
{
	char *text;
	va_list ap;

	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	append(l, text);
}

static void input_groups(struct argument_list *l, char *names)
{
	for (char *name = strtok(names, ","); name; name = strtok(NULL, ",")) {
		if (strcmp(name, "time") && strcmp(name, "random") && strcmp(name, "short"))
			tool_die(2, "--input: `%s` is not time, random or short", name);
		ask(l, "input:%s=1", name);
	}
}

static void aliases(struct argument_list *l, const char *name)
{
	static const char *const names[] = { "late", "early", "fix" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(name, names[i])) {
			ask(l, "aliases=%zu", i);
			return;
		}
	tool_die(2, "--aliases: `%s` is not late, early or fix", name);
}

/* NAME=N: sets a limit on the size of inputs. */
static void set_limit(struct argument_list *l, const char *s)
{
	const char *equals = strchr(s, '=');

	if (!equals || equals == s)
		tool_die(2, "--grow: `%s` is not NAME=N", s);
	ask(l, "grow:%.*s=%llu", (int)(equals - s), s,
	    (unsigned long long)number("grow", equals + 1, 0));
}

static void abstract(struct argument_list *l, const char *program, const char *names)
{
	char *error = NULL, **setup;
	size_t n;
	int status;

	if (!(setup = effects_choose(program, names, &n, &status, &error)))
		tool_die(status, "--abstract: %s", error);
	for (size_t i = 0; i < n; i++)
		append(l, setup[i]);
	free(setup);
}

static void option(struct settings *s, int c)
{
	switch (c) {
	case 'd': s->once = true; break;
	case 't': s->run.timeout = seconds(optarg); break;
	case 'm': s->run.memory = number("memory", optarg, 1); break;
	case 'o': s->run.output = number("output", optarg, 1); break;
	case 'C': s->run.flags |= CHANNEL_CALLS; break;
	case 'e': ask(&s->ask, "environment=1"); break;
	case OPT_FORK: s->run.flags |= CHANNEL_FORK; break;
	case OPT_DEPTH: s->run.max_depth = number("depth", optarg, 1); break;
	case OPT_STEPS: s->run.max_steps = number("steps", optarg, 1); break;
	case OPT_STDIN: s->run.stdin_size = number("stdin", optarg, 1); break;
	case OPT_FILE: add(&s->file, "file", optarg); break;
	case OPT_ARG: add(&s->arg, "arg", optarg); break;
	case OPT_ENV: add(&s->env, "env", optarg); break;
	case OPT_FAULTS:
		ask(&s->ask, "faults=%llu", (unsigned long long)number("faults", optarg, 1));
		break;
	case OPT_INPUT: input_groups(&s->ask, optarg); break;
	case OPT_GROW: set_limit(&s->ask, optarg); break;
	case OPT_ALIASES: aliases(&s->ask, optarg); break;
	case OPT_ABSTRACT: s->abstract = optarg; break;
	case OPT_EXECUTE:
		s->some = true;
		s->execute = number("execute", optarg, 0);
		break;
	case OPT_FLOW_MAP:
		s->flow_map = optarg;
		s->run.keeps_flows = true;
		break;
	case OPT_SCRATCH: s->run.scratch = optarg; break;
	case OPT_CONFINE:
		if (!run_confine_level(optarg, &s->run.confine))
			tool_die(2, "--confine: `%s` is not full, some or none", optarg);
		break;
	case 'h': tool_help();
	case 'V': tool_version();
	default: tool_usage();
	}
}

/* The runs begin with what those of the file learned. */
static void read_flows(struct runner *r, const char *name)
{
	char *error = NULL;
	FILE *f = fopen(name, "r");
	int status;

	if (!f && errno == ENOENT)
		return;
	if (!f)
		tool_die(4, "%s: %s", name, strerror(errno));
	if ((status = run_read_flows(r, f, name, &error))) {
		run_close(r);
		tool_die(status, "%s", error);
	}
	fclose(f);
}

/* Nobody ever sees half of it. */
static void write_flows(const struct runner *r, const char *name)
{
	char *other;
	FILE *f;

	other = formatted("%s.%d", name, (int)getpid());
	if (!(f = fopen(other, "w")) || run_write_flows(r, f) || fclose(f) || rename(other, name)) {
		int why = errno;
		unlink(other);
		tool_die(4, "%s: %s", name, strerror(why));
	}
	free(other);
}

static void write_trace(struct rec_writer *w, struct runner *r, const struct input *in)
{
	struct trace t;
	char *error = NULL;

	if (run_input(r, in, &t, &error)) {
		run_close(r);
		tool_die(4, "%s", error);
	}
	trace_write(w, &t);
	trace_clear(&t);
	if (fflush(w->f) || ferror(w->f)) {
		int why = errno;
		run_close(r);
		errno = why;
		tool_unwritten();
	}
}

/* Says how many calls are executed, as --execute does; an input that says it itself stays as it is.
 */
static void set_calls(const struct settings *s, struct input *in)
{
	for (size_t i = 0; i < in->n; i++)
		if (!strcmp(in->v[i].name, "duct.calls"))
			return;
	if (s->some)
		input_add(in, "duct.calls", 'u', 64, (struct value){ s->execute, 0 });
}

/* Runs each input as soon as its `run` record is read. Returns the exit status. */
static int filter(const struct settings *s, struct rec_writer *w, struct runner *r)
{
	struct rec_reader *in = rec_open(stdin, "stdin", "inputs", NULL);
	enum rec_status status;
	struct input input;

	while ((status = input_read(in, &input)) == REC_OK) {
		set_calls(s, &input);
		write_trace(w, r, &input);
		input_clear(&input);
	}
	if (status == REC_ERROR)
		fprintf(stderr, "run-trace: %s\n", rec_error(in));
	rec_close(in);
	return status == REC_ERROR ? 3 : 0;
}

/* Writes the bounds in force to the stream of traces. */
static void begin(struct rec_writer *w, const struct run_options *o, const char *unconfined)
{
	char text[64];

	rec_begin(w, stdout, "trace", 1, "run-trace-" DUCT_VERSION);
	rec_put_meta(w, "program", o->program);
	snprintf(text, sizeof text, "%g", o->timeout);
	rec_put_meta(w, "timeout", text);
	snprintf(text, sizeof text, "%llu", (unsigned long long)o->memory);
	rec_put_meta(w, "memory", text);
	snprintf(text, sizeof text, "%llu", (unsigned long long)o->output);
	rec_put_meta(w, "output", text);
	if (o->max_depth) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)o->max_depth);
		rec_put_meta(w, "depth", text);
	}
	if (o->max_steps) {
		snprintf(text, sizeof text, "%llu", (unsigned long long)o->max_steps);
		rec_put_meta(w, "steps", text);
	}
	if (unconfined)
		rec_put_meta(w, "unconfined", unconfined);
	fflush(stdout);
}

int main(int argc, char **argv)
{
	struct settings s = { .run = { .timeout = 10, .memory = 1u << 30, .output = 1u << 20 } };
	struct input nothing = { .id = 1 };
	struct rec_writer w;
	struct runner *r;
	char *error = NULL;
	int c, status = 0;

	while ((c = getopt_long(argc, argv, "+dt:m:o:CehV", options, NULL)) != -1)
		option(&s, c);
	if (optind == argc)
		tool_usage();
	if (fcntl(1, F_GETFD) < 0)
		tool_unwritten();
	signal(SIGPIPE, SIG_IGN);
	s.run.program = argv[optind];
	if (s.some && !s.abstract)
		tool_die(2, "--execute needs --abstract");
	if (s.abstract)
		abstract(&s.ask, s.run.program, s.abstract);
	s.run.argv = argv + optind + 1;
	s.run.file = s.file.v;
	s.run.arg = s.arg.v;
	s.run.env = s.env.v;
	s.run.ask = s.ask.v;
	if (!(r = run_open(&s.run, &error)))
		tool_die(4, "%s", error);
	if (s.flow_map)
		read_flows(r, s.flow_map);
	begin(&w, &s.run, run_unconfined(r));
	set_calls(&s, &nothing);
	if (s.once)
		write_trace(&w, r, &nothing);
	else
		status = filter(&s, &w, r);
	input_clear(&nothing);
	if (s.flow_map && status == 0)
		write_flows(r, s.flow_map);
	run_close(r);
	if (status == 0 && rec_end(&w))
		tool_unwritten();
	free(s.file.v);
	free(s.arg.v);
	free(s.env.v);
	while (s.ask.n)
		free((char *)s.ask.v[--s.ask.n]);
	free(s.ask.v);
	free(error);
	return status;
}
