/* duct: the front door: runs a strategy, or one of the filters. */
#include <getopt.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/home/home.h"
#include "lib/script/script.h"
#include "lib/words/words.h"

enum kind { FLAG, STRING, NUMBER, COUNT, POSITIVE, SIZE, LIST, LATER };

/* Options of a strategy. `key` is the field of the scripts' options, by default the name. */
static const struct row { const char *name; enum kind kind; int letter; const char *key; } table[] = {
	{ "entry", STRING, 'e', NULL },
	{ "search", STRING, 's', NULL },
	{ "compile-commands", STRING, 'p', "database" },
	{ "store", STRING, 'S', NULL },
	{ "out", STRING, 'o', NULL },
	{ "format", STRING, 0, NULL },
	{ "time", NUMBER, 't', NULL },
	{ "runs", COUNT, 'n', NULL },
	{ "seed", COUNT, 0, NULL },
	{ "session", POSITIVE, 0, NULL },
	{ "resume", FLAG, 0, NULL },
	{ "json", FLAG, 'j', NULL },
	{ "quiet", FLAG, 'q', NULL },
	{ "keep", STRING, 0, NULL },
	/* shape of the inputs */
	{ "len", LIST, 0, NULL },
	{ "string", LIST, 0, NULL },
	{ "null", LIST, 0, NULL },
	{ "may-alias", LIST, 0, "may_alias" }, { "distinct", LIST, 0, NULL }, { "assume-needs", FLAG, 0, "assume_needs" },
	{ "global", LIST, 0, NULL },
	{ "init", LIST, 0, NULL },
	{ "assume", LIST, 0, NULL },
	{ "range", LIST, 0, NULL },
	{ "stub", LIST, 0, NULL },
	{ "setup", STRING, 0, NULL },
	{ "pointer-depth", COUNT, 0, "pointer_depth" },
	/* environment of the runs */
	{ "stdin", COUNT, 0, NULL },
	{ "file", LIST, 0, NULL },
	{ "arg", LIST, 0, NULL },
	{ "env", LIST, 0, NULL },
	{ "argument", LIST, 0, "argv" },
	{ "faults", COUNT, 0, NULL },
	{ "input", LIST, 0, NULL },
	{ "corpus", STRING, 0, NULL },
	{ "aliases", STRING, 0, NULL },
	/* bounds */
	{ "depth", POSITIVE, 0, NULL },
	{ "steps", POSITIVE, 0, NULL },
	{ "timeout", NUMBER, 0, NULL },
	{ "memory", SIZE, 0, NULL },
	{ "output", SIZE, 0, NULL },
	/* pairs */
	{ "criterion", STRING, 0, NULL },
	{ "protocol", STRING, 0, NULL },
	{ "scope", STRING, 0, NULL },
	{ "one-pair", FLAG, 0, "one_pair" },
	/* solving */
	{ "layers", STRING, 0, NULL },
	{ "engines", STRING, 0, NULL },
	{ "cross", FLAG, 0, NULL },
	{ "partial", FLAG, 0, NULL },
	{ "refine", STRING, 0, NULL },
	{ "check", STRING, 0, NULL },
	{ "abstract", LIST, 0, NULL },
	{ "query-timeout", NUMBER, 0, "query_timeout" },
	{ "pipes", FLAG, 0, NULL },
	{ "prove", FLAG, 0, NULL },
	/* blocks of inputs */
	{ "partition", FLAG, 0, NULL },
	{ "blocks", STRING, 0, NULL },
	{ "fixed", LIST, 0, NULL },
	{ "check-partition", STRING, 0, "check_partition" },
	/* several processes */
	{ "jobs", POSITIVE, 0, NULL },
	{ "share", STRING, 0, NULL },
	{ "once", FLAG, 0, NULL },
	{ "shares", POSITIVE, 0, NULL },
	{ "stores", STRING, 0, NULL },
	{ "merge", STRING, 0, NULL },
	/* of versions to come */
	{ "with", LATER, 0, NULL },
};
#define ROWS (sizeof table / sizeof *table)

static const char *const filters[] = {
	"cfg-dump", "instrument", "run-trace", "solve", "cover", "report", "defuse", "cutpoints", "partition", "prove", NULL
};

static const char usage_text[] =
	"usage: duct STRATEGY FILE.c... [-ejnoqsSt] [--entry FUNC] [--search NAME] [--store FILE] [--out DIR]\n"
	"            [--format assert|cmocka|unity|check|criterion]\n"
	"            [-p DIR] [--time SECONDS] [--runs N] [--seed N] [--resume] [--json] [--keep all|new]\n"
	"            [--len P=N] [--string P=N] [--null P] [--may-alias P,Q] [--distinct P,Q|all] [--global NAME] [--pointer-depth N]\n"
	"            [--init FUNC] [--assume EXPR] [--range P=LOW..HIGH] [--stub FUNC] [--setup FILE]\n"
	"            [--stdin N] [--file NAME=N] [--arg I=N] [--env NAME=N] [--argument TEXT] [--corpus DIR]\n"
	"            [--faults N] [--input time,random,short] [--aliases late|early|fix]\n"
	"            [--depth N] [--steps N] [--timeout S] [--memory BYTES] [--output BYTES]\n"
	"            [--check div,bounds,null,overflow,shift,uninit,leak|all|none]\n"
	"            [--criterion all-uses|all-defs|all-c-uses|all-p-uses] [--protocol default|paper]\n"
	"            [--scope intra|inter] [--one-pair]\n"
	"            [--layers LIST|none] [--engines LIST] [--cross] [--partial] [--refine first|last|all|shared]\n"
	"            [--partition] [--blocks FILE] [--check-partition FILE] [--fixed random|NAME=N]\n"
	"            [--abstract all|none|NAME,...] [--prove] [--query-timeout S] [--pipes] [--quiet]\n"
	"            [--jobs N] [--share K/N] [--once]\n"
	"            [-- CLANG-FLAGS...]\n"
	"       duct plan FILE.c... [--entry FUNC] [OPTIONS OF INPUTS] [-- CLANG-FLAGS...]\n"
	"       duct farm STRATEGY FILE.c... [--entry FUNC,...] [--shares N] [--stores DIR] [OPTIONS] [-- CLANG-FLAGS...]\n"
	"       duct farm --merge OUT STORE...\n"
	"       duct cc ARGUMENTS...\n"
	"       duct cover --store FILE -- COMMAND...\n"
	"       duct prove --check|--audit|--cross STORE [--session N] [--time SECONDS] [--runs N] [--seed N]\n"
	"       duct FILTER ARGUMENTS...\n"
	"       duct doctor | duct completion bash|zsh\n"
	"STRATEGY: concolic dft flowtest ippc late-aliases latest random, or a ./script.lua\n"
	"FILTER: cfg-dump instrument run-trace solve report defuse cutpoints partition prove\n";

static int usage(void)
{
	fputs(usage_text, stderr);
	return 2;
}

/* The last act: what was printed has to have arrived. */
static int finish(int status)
{
	if (fflush(stdout) || ferror(stdout)) {
		perror("duct: cannot write");
		return 4;
	}
	return status;
}

/* Becomes a filter of libexec; `first` is put before the arguments unless NULL. */
static int exec_filter(const char *name, const char *first, char **argv)
{
	size_t n = 0, k = 0;
	char *path = home_path("libexec", name), **args;
	while (argv[n])
		n++;
	args = calloc(n + 3, sizeof *args);
	if (path && args) {
		args[k++] = path;
		if (first)
			args[k++] = (char *)first;
		memcpy(args + k, argv, n * sizeof *args);
		execv(path, args);
		perror(path);
	} else {
		fprintf(stderr, "duct: the filter %s was not found\n", name);
	}
	free(path);
	free(args);
	return 4;
}

/* False when the value does not fit. */
static bool set(struct script *s, const struct row *row, const char *value)
{
	const char *key = row->key ? row->key : row->name;
	char *end = NULL;
	switch (row->kind) {
	case FLAG: script_flag(s, key); return true;
	case STRING: script_string(s, key, value); return true;
	case LIST: script_append(s, key, value); return true;
	case NUMBER: {
		double v = strtod(value, &end);
		script_number(s, key, v);
		return end != value && !*end && v > 0;
	}
	case COUNT: case POSITIVE: case SIZE: {
		long long v = strtoll(value, &end, 10);
		const char *suffix = "KMG", *unit = row->kind == SIZE && *end ? strchr(suffix, *end) : NULL;
		int shift = unit ? 10 * (int)(unit - suffix + 1) : 0;
		if (end == value || end[unit != NULL] || v < (row->kind != COUNT) || v > INT64_MAX >> shift)
			return false;
		script_integer(s, key, v << shift);
		return true;
	}
	case LATER: break;
	}
	return false;
}

/* Room for ROWS + 2. */
static void long_options(struct option *o)
{
	for (size_t i = 0; i < ROWS; i++)
		o[i] = (struct option){ table[i].name, table[i].kind == FLAG ? no_argument
			: table[i].kind == LATER ? optional_argument : required_argument, NULL, 256 + (int)i };
	o[ROWS] = (struct option){ "help", no_argument, NULL, 'h' };
	o[ROWS + 1] = (struct option){ NULL, 0, NULL, 0 };
}

static const struct row *find_letter(int letter)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].letter == letter)
			return &table[i];
	return NULL;
}

static int unknown_option(const char *given)
{
	const char *names[ROWS + 1], *near;
	char word[64];
	size_t n = 0;
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].kind != LATER)
			names[n++] = table[i].name;
	names[n] = NULL;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
	near = !strncmp(word, "--", 2) ? words_nearest(word + 2, names) : NULL;
	if (near)
		fprintf(stderr, "duct: unknown option %s: did you mean --%s?\n", word, near);
	else
		fprintf(stderr, "duct: unknown option %s\n", word);
	return 2;
}

/* 0, or the exit status after a message; -1 when all is done. */
static int parse(struct script *s, int argc, char **argv)
{
	struct option options[ROWS + 2];
	int c, rest = 0;
	long_options(options);
	while (argv[rest] && strcmp(argv[rest], "--"))
		rest++;
	opterr = 0;
	while ((c = getopt_long(rest, argv, ":e:s:p:S:o:t:n:jqh", options, NULL)) != -1) {
		const struct row *row = c >= 256 ? &table[c - 256] : find_letter(c);
		if (c == 'h') {
			fputs(usage_text, stdout);
			return -1;
		}
		if (c == ':') {
			fprintf(stderr, "duct: %s needs a value\n", argv[optind - 1]);
			return 2;
		}
		if (c == '?' || !row)
			return unknown_option(argv[optind - 1]);
		if (row->kind == LATER) {
			fprintf(stderr, "duct: --%s is not available in this version\n", row->name);
			return 2;
		}
		if (!set(s, row, optarg)) {
			fprintf(stderr, "duct: --%s: `%s` is not a number that it takes\n", row->name, optarg);
			return 2;
		}
	}
	for (int i = optind; i < rest; i++)
		script_append(s, "files", argv[i]);
	for (int i = rest + 1; i < argc; i++)
		script_append(s, "flags", argv[i]);
	return 0;
}

static void catch_signals(void)
{
	struct sigaction a = { .sa_handler = script_interrupt, .sa_flags = SA_RESTART };
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* What the shell can be told of. */
static void tell_names(struct script *s)
{
	static const char *const more[] = { "cc", "doctor", "completion", "farm", NULL };
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].kind != LATER)
			script_append(s, "option_names", table[i].name);
	for (size_t i = 0; filters[i]; i++)
		script_append(s, "command_names", filters[i]);
	for (size_t i = 0; more[i]; i++)
		script_append(s, "command_names", more[i]);
}

/* Runs the script with the options; argv[0] is the value of `key`. */
static int run_script(const char *name, const char *key, int argc, char **argv)
{
	char *error;
	struct script *s = script_open(&error);
	int status;
	if (!s) {
		fprintf(stderr, "duct: %s\n", error);
		return 4;
	}
	script_string(s, key, argv[0]);
	tell_names(s);
	if ((status = parse(s, argc, argv)) == 0) {
		catch_signals();
		status = script_call(s, name, &error);
		if (status < 0) {
			fprintf(stderr, "duct: %s\n", error);
			free(error);
			status = 4;
		}
	}
	script_close(s);
	return status < 0 ? 0 : status;
}

/* duct prove --check STORE and its like: not the filter, which has flows of its own. */
static int run_evidence(int argc, char **argv)
{
	char *mode = argv[0] + 2, *list[argc + 2];
	list[0] = mode;
	list[1] = (char *)"--store";
	memcpy(list + 2, argv + 1, (size_t)argc * sizeof *list);
	if (argc < 2 || argv[1][0] == '-') {
		fprintf(stderr, "duct: prove --%s needs a store\n", mode);
		return 2;
	}
	return run_script("duct.evidence", "mode", argc + 1, list);
}

static bool is_evidence(int argc, char **argv)
{
	static const char *const modes[] = { "--check", "--audit", "--cross" };
	bool is = false;
	for (size_t i = 0; argc > 2 && i < sizeof modes / sizeof *modes; i++)
		is |= !strcmp(argv[2], modes[i]);
	for (int i = 3; i < argc; i++)
		is &= strncmp(argv[i], "-f", 2) && strncmp(argv[i], "--flow", 6);
	return is && !strcmp(argv[1], "prove");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return usage();
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return fputs(usage_text, stdout), finish(0);
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "--version"))
		return puts("duct " DUCT_VERSION), finish(0);
	if (argv[1][0] == '-')
		return usage();
	if (!strcmp(argv[1], "plan"))
		return finish(run_script("duct.plan", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "farm"))
		return finish(run_script("duct.farm", "mode", argc - 1, argv + 1));
	if (is_evidence(argc, argv))
		return finish(run_evidence(argc - 2, argv + 2));
	for (size_t i = 0; filters[i]; i++)
		if (!strcmp(argv[1], filters[i]))
			return exec_filter(argv[1], NULL, argv + 2);
	if (!strcmp(argv[1], "cc"))
		return exec_filter("instrument", "--cc", argv + 2);
	if (!strcmp(argv[1], "doctor"))
		return finish(run_script("duct.doctor", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "completion"))
		return finish(run_script("duct.completion", "mode", argc - 1, argv + 1));
	return finish(run_script("duct.main", "strategy", argc - 1, argv + 1));
}
