/* duct: the main command: runs a strategy or another command in Lua, or one of the filters. */
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/help/help.h"
#include "lib/base/home.h"
#include "lib/script/script.h"
#include "lib/script/supervisor.h"
#include "lib/base/tool.h"
#include "lib/base/words.h"

const struct tool tool = { "duct", "", "" };

/* MODE: a flag that may be followed by a mode */
enum kind { FLAG, MODE, STRING, NUMBER, COUNT, POSITIVE, SIZE, LIST, LATER };

/* Options of strategies and commands. `key` is the field in the scripts' table of options, by
 * default the name. */
static const struct row {
	const char *name;
	enum kind kind;
	int letter;
	const char *key;
} table[] = {
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
	{ "stats", FLAG, 0, NULL },
	{ "force", FLAG, 0, NULL },
	{ "fail-under", NUMBER, 0, "fail_under" },
	{ "fail-on", STRING, 0, "fail_on" },
	{ "keep", STRING, 0, NULL },
	/* shape of the inputs */
	{ "len", LIST, 0, NULL },
	{ "string", LIST, 0, NULL },
	{ "may-alias", LIST, 0, "may_alias" },
	{ "distinct", LIST, 0, "distinct" },
	{ "assume-needs", FLAG, 0, "assume_needs" },
	{ "global", LIST, 0, NULL },
	{ "init", LIST, 0, NULL },
	{ "assume", LIST, 0, NULL },
	{ "range", LIST, 0, NULL },
	{ "stub", LIST, 0, NULL },
	{ "setup", STRING, 0, NULL },
	{ "calls", POSITIVE, 0, NULL },
	{ "objects", POSITIVE, 0, NULL },
	{ "args", POSITIVE, 0, NULL },
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
	{ "confine", STRING, 0, NULL },
	/* pairs */
	{ "criterion", STRING, 0, NULL },
	{ "target", LIST, 0, NULL },
	{ "changed", STRING, 0, NULL },
	{ "trace", STRING, 0, NULL },
	{ "property", STRING, 0, NULL },
	{ "pair", LIST, 0, NULL },
	{ "var", LIST, 0, NULL },
	{ "protocol", STRING, 0, NULL },
	{ "scope", STRING, 0, NULL },
	{ "one-pair", FLAG, 0, "one_pair" },
	/* solving */
	{ "layers", STRING, 0, NULL },
	{ "engines", STRING, 0, NULL },
	{ "cross", FLAG, 0, NULL },
	{ "partial", MODE, 0, NULL },
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
	/* reserved for later versions */
	{ "with", LATER, 0, NULL },
};
#define ROWS (sizeof table / sizeof *table)

static const char *const filters[] = { "cfg-dump", "instrument", "run-trace", "solve", "cover",
	"report", "defuse", "cutpoints", "credit", "distance", "partition", "prove", NULL };

static int usage(void)
{
	help_commands(stderr);
	return 2;
}

/* Called last. */
static int finish(int status)
{
	tool_close_stdout();
	return status;
}

/* Replaces this process by a filter of libexec; `first`, unless NULL, is put before the arguments.
 */
static int exec_filter(const char *name, const char *first, char **argv)
{
	size_t n = 0, k = 0;
	char *path = home_path("libexec", name), **args;
	while (argv[n])
		n++;
	args = calloc(n + 3, sizeof *args);
	if (path && args) {
		args[k++] = (char *)name;
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

/* The mode of --partial. */
static const char partial_mode[] = "paper";

/* Sets an option; false when the value is malformed. */
static bool set(struct script *s, const struct row *row, const char *value)
{
	const char *key = row->key ? row->key : row->name;
	char *end = NULL;
	switch (row->kind) {
	case FLAG: script_flag(s, key); return true;
	case MODE:
		script_flag(s, key);
		if (value)
			script_string(s, "partial_mode", value);
		return !value || !strcmp(value, partial_mode);
	case STRING: script_string(s, key, value); return true;
	case LIST: script_append(s, key, value); return true;
	case NUMBER: {
		double v = strtod(value, &end);
		script_number(s, key, v);
		return end != value && !*end && v > 0 && isfinite(v);
	}
	case COUNT:
	case POSITIVE:
	case SIZE: {
		errno = 0;
		long long v = strtoll(value, &end, 10);
		const char *suffix = "KMG",
		           *unit = row->kind == SIZE && *end ? strchr(suffix, *end) : NULL;
		int shift = unit ? 10 * (int)(unit - suffix + 1) : 0;
		if (errno || end == value || end[unit != NULL] || v < (row->kind != COUNT)
		    || v > INT64_MAX >> shift)
			return false;
		script_integer(s, key, v << shift);
		return true;
	}
	case LATER: break;
	}
	return false;
}

/* The numbers that an option takes, for a message. */
static const char *number_of(const struct row *row)
{
	bool seconds = strstr(row->name, "time") != NULL;

	switch (row->kind) {
	case NUMBER: return seconds ? "a number of seconds, more than 0" : "a number more than 0";
	case SIZE: return "a number of bytes, such as 512M";
	case POSITIVE: return "a whole number that it takes, from 1 on";
	default: return "a whole number that it takes, from 0 on";
	}
}

/* Fills `longs`, which has room for ROWS + 2 entries. */
static void long_options(struct option *o)
{
	for (size_t i = 0; i < ROWS; i++)
		o[i] = (struct option){ table[i].name,
			table[i].kind == FLAG                                 ? no_argument
			    : table[i].kind == LATER || table[i].kind == MODE ? optional_argument
			                                                      : required_argument,
			NULL, 256 + (int)i };
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

/* The argument at which getopt_long failed; it was not given -- and what follows. */
static const char *offending(char **argv)
{
	const char *word = argv[optind - 1];
	size_t n = strlen(word);
	if (!optopt || optopt >= 256 || (n > 1 && word[0] == '-' && word[n - 1] == optopt))
		return word;
	return argv[optind];
}

/* Whether the word looks like a flag for compilers. */
static bool is_flag(const char *word)
{
	static const char *const begins[] = { "-I", "-D", "-U", "-O", "-W", "-std=", "-f", "-m",
		"-l", "-L", "-g", "-i", "-x", "-pthread" };
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(word, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Whether it is such a flag that begins with the letter of one of our options. */
static bool is_long_flag(const char *word)
{
	static const char *const begins[] = { "-std=", "-pthread", "-pedantic", "-nostd",
		"-stdlib=" };
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(word, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Says where flags for compilers belong; false if the word is none. */
static bool told_flag(const char *word)
{
	if (!is_flag(word) && !is_long_flag(word))
		return false;
	fprintf(stderr,
	    "duct: %s is a flag of the compiler: these come last, behind --: duct ... FILE.c ... -- %s\n",
	    word, word);
	return true;
}

/* Options that other tools have, and ours that mean the same. */
static const struct {
	const char *theirs, *ours;
} synonyms[] = {
	{ "--func", "--entry" },
	{ "--function", "--entry" },
	{ "--fn", "--entry" },
	{ "--output", "--out" },
	{ "--max-time", "--time" },
	{ "--database", "--store" },
	{ "--db", "--store" },
	{ "--verbose", "--stats" },
	{ "-v", "--stats" },
	{ "-f", "--entry" },
};

/* Options of report, which forms that a result has. */
static const char *const of_report[] = { "--html", "--lcov", "--cobertura", "--junit", "--sarif",
	"--markdown", "--annotate", "--minimal", "--branches", "--pairs", "--checks", "--tests",
	"--findings", "--since", "--csv" };

/* Says where an option belongs that another command or tool has; false if none is known. */
static bool told_elsewhere(const char *word)
{
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (!strcmp(word, synonyms[i].theirs)) {
			fprintf(stderr, "duct: unknown option %s: did you mean %s?\n", word,
			    synonyms[i].ours);
			return true;
		}
	for (size_t i = 0; i < sizeof of_report / sizeof *of_report; i++)
		if (!strcmp(word, of_report[i])) {
			fprintf(stderr,
			    "duct: %s is an option of duct report, which reads the store of a session: duct report STORE %s ...\n",
			    word, word);
			return true;
		}
	return false;
}

static int unknown_option(const char *given)
{
	if (told_flag(given))
		return 2;
	const char *names[ROWS + 1], *near;
	char word[64];
	size_t n = 0;
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].kind != LATER)
			names[n++] = table[i].name;
	names[n] = NULL;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
	if (told_elsewhere(word))
		return 2;
	near = word[0] == '-' && word[1] && word[2] ? words_nearest(word + strspn(word, "-"), names)
	                                            : NULL;
	if (near && strchr(given, '=') && !strcmp(word + strspn(word, "-"), near))
		fprintf(stderr, "duct: %s takes no value\n", word);
	else if (near)
		fprintf(stderr, "duct: unknown option %s: did you mean --%s?\n", word, near);
	else
		fprintf(stderr, "duct: unknown option %s\n", word);
	return 2;
}

/* Whether the word is one of our long options with a single dash, and not the value of the one
 * before. */
static bool has_one_dash(const char *word, const char *before)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; word[0] == '-' && strncmp(before, "--", 2) && i < ROWS; i++)
		if (n > 2 && strlen(table[i].name) + 1 == n
		    && !strncmp(word + 1, table[i].name, n - 1))
			return true;
	return false;
}

/* The commands that are scripts, but for the strategies. */
static const char *const commands[] = { "test", "plan", "diff", "mutants", "cc", "doctor",
	"completion", "farm", "help", NULL };

/* Whether there is such a command or strategy; scripts of users have a slash or a dot. */
static bool is_command(const char *name)
{
	char *file, *path = NULL;
	if (strpbrk(name, "/."))
		return true;
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(name, commands[i]))
			return true;
	if (!strcmp(name, "check") || !strcmp(name, "audit") || !strcmp(name, "cross"))
		return true;
	if (asprintf(&file, "strategy/%s.lua", name) > 0) {
		path = home_path("lua", file);
		free(file);
	}
	free(path);
	return path != NULL;
}

/* Reads the options: 0, or the exit status after a message; -1 when nothing is left to do. */
static int parse(struct script *s, const char *command, int argc, char **argv)
{
	struct option options[ROWS + 2];
	int c, rest = 0;
	long_options(options);
	while (argv[rest] && strcmp(argv[rest], "--"))
		rest++;
	opterr = 0;
	for (int i = 1; i < rest; i++)
		if (is_long_flag(argv[i]) || has_one_dash(argv[i], argv[i - 1]))
			return unknown_option(argv[i]);
	while ((c = getopt_long(rest, argv, ":e:s:p:S:o:t:n:jqh", options, NULL)) != -1) {
		const struct row *row = c >= 256 ? &table[c - 256] : find_letter(c);
		if (c == 'h' && !is_command(command))
			return 0; /* which says so */
		if (c == 'h') {
			help_options(stdout, command);
			return -1;
		}
		if (c == ':') {
			fprintf(stderr, "duct: %s needs a value\n", argv[optind - 1]);
			return 2;
		}
		if (c == '?' || !row)
			return unknown_option(offending(argv));
		if (row->kind == LATER) {
			fprintf(stderr, "duct: --%s is not available in this version\n", row->name);
			return 2;
		}
		if (!help_takes(command, row->name)) {
			bool mode = !strcmp(command, "check") || !strcmp(command, "audit")
			    || !strcmp(command, "cross");
			fprintf(stderr, "duct: %s%s takes no --%s\n", mode ? "prove --" : "",
			    command, row->name);
			return 2;
		}
		if (row->kind == MODE && !optarg && optind < rest
		    && !strcmp(argv[optind], partial_mode))
			optarg = argv[optind++];
		if (!set(s, row, optarg)) {
			fprintf(stderr, "duct: --%s: `%s` is not %s\n", row->name, optarg,
			    row->kind == MODE ? partial_mode : number_of(row));
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

/* Lists for shell completion: commands, filters, options of strategies, and those of each command
 * as "options NAME". */
static void tell_names(struct script *s)
{
	for (size_t i = 0; filters[i]; i++)
		script_append(s, "filter_names", filters[i]);
	for (size_t i = 0; commands[i]; i++)
		script_append(s, "command_names", commands[i]);
	for (size_t i = 0; i < ROWS; i++) {
		char key[32];
		if (table[i].kind == LATER)
			continue;
		script_append(s, "option_names", table[i].name);
		for (size_t k = 0; k == 0 || commands[k - 1]; k++) {
			const char *name = commands[k] ? commands[k] : "strategy";
			snprintf(key, sizeof key, "options %s", name);
			if (help_takes(name, table[i].name))
				script_append(s, key, table[i].name);
		}
	}
}

struct command {
	const char *name, *key;
	int argc;
	char **argv;
};

static int run_command(void *data)
{
	const struct command *c = data;
	const char *name = c->name, *key = c->key;
	int argc = c->argc;
	char **argv = c->argv;

	char *error;
	struct script *s = script_open(&error);
	int status;
	if (!s) {
		fprintf(stderr, "duct: %s\n", error);
		return 4;
	}
	const char *command = argv[0];
	script_string(s, key, command);
	tell_names(s);
	if ((status = parse(s, command, argc, argv)) == 0) {
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

/* Runs a script with the options; argv[0] is the value of the field `key`. What may take a time is
 * watched from outside. */
static int run_script(const char *name, const char *key, int argc, char **argv)
{
	struct command c = { name, key, argc, argv };

	return help_takes(argv[0], "time") ? supervise(run_command, &c) : run_command(&c);
}

/* Whether it is duct prove --check STORE or the like, which is a script and not the filter. */
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

static const char cc_text[] =
    "usage: duct cc [--pairs] [--flows] COMPILER-ARGUMENTS...\n"
    "Compiles and links as the C compiler would, with probes, so that `duct cover` can record what runs cover:\n"
    "  make CC=\"duct cc --pairs\"        cmake -DCMAKE_C_COMPILER=duct -DCMAKE_C_COMPILER_ARG1=cc\n"
    "  --pairs   def-use pairs, too\n"
    "All other arguments are the compiler's. See duct(1) and duct-adopt(7).\n";

/* Filters that read records, and the pipelines that produce these from C. */
static const struct {
	const char *name, *pipeline;
} of_records[] = {
	{ "defuse", "duct cfg-dump %s | duct defuse" },
	{ "cutpoints", "duct cfg-dump %s >flow; duct defuse flow | duct cutpoints -f flow" },
	{ "credit", "duct dft %s; of traces, duct credit -f PROGRAM -g GOALS" },
	{ "distance",
	    "duct cfg-dump %s >flow; duct defuse flow | duct cutpoints -f flow | duct distance -f flow" },
	{ "prove", "duct dft %s --prove, or duct cfg-dump, defuse and cutpoints before it" },
	{ "solve",
	    "duct instrument -o program %s --entry FUNC; duct run-trace --default ./program | duct solve --flip all" },
	{ "run-trace",
	    "duct instrument -o program %s --entry FUNC; duct run-trace --default ./program" },
	{ "partition", "duct flowtest %s" },
	{ "report", "duct test %s, then duct report on its store" },
};

/* A script of share/pipelines by its name; NULL: there is none. */
static char *find_pipeline(const char *name)
{
	size_t n = strlen(name);
	char *file, *path;
	if (n < 4 || strcmp(name + n - 3, ".sh") || strchr(name, '/')
	    || asprintf(&file, "pipelines/%s", name) < 0)
		return NULL;
	path = home_path("share", file);
	free(file);
	return path;
}

/* Replaces this process by the shell with a script. */
static int exec_pipeline(char *path, char **argv)
{
	argv[1] = path;
	argv[0] = (char *)"sh";
	execvp("sh", argv);
	perror("duct: sh");
	return 4;
}

/* Prints a message when a filter of records was given a C file. */
static bool refuse_c(const char *filter, const char *file)
{
	size_t n = file ? strlen(file) : 0;
	if (n < 3 || strcmp(file + n - 2, ".c") || *file == '-')
		return false;
	for (size_t i = 0; i < sizeof of_records / sizeof *of_records; i++)
		if (!strcmp(filter, of_records[i].name)) {
			fprintf(stderr, "duct: %s reads no C: ", filter);
			fprintf(stderr, of_records[i].pipeline, file);
			fputc('\n', stderr);
			return true;
		}
	return false;
}

int main(int argc, char **argv)
{
	char *pipeline;
	if (argc < 2)
		return usage();
	if (!strcmp(argv[1], "-h") || !strcmp(argv[1], "--help"))
		return help_commands(stdout), finish(0);
	if (!strcmp(argv[1], "-V") || !strcmp(argv[1], "-v") || !strcmp(argv[1], "version")
	    || !strcmp(argv[1], "--version"))
		return puts("duct " DUCT_VERSION), finish(0);
	if (argv[1][0] == '-') {
		if (told_flag(argv[1]))
			return 2;
		fprintf(stderr,
		    "duct: %s must follow a command: duct test FILE.c %s ...; duct --help lists commands\n",
		    argv[1], argv[1]);
		return 2;
	}
	if (!strcmp(argv[1], "help")) {
		if (argc < 3)
			return help_commands(stdout), finish(0);
		argv[1] = argv[2];
		argv[2] = (char *)"--help";
		argc = 3;
	}
	if (!strcmp(argv[1], "plan"))
		return finish(run_script("duct.plan", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "diff"))
		return finish(run_script("duct.diff", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "mutants"))
		return finish(run_script("duct.mutants", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "farm"))
		return finish(run_script("duct.farm", "mode", argc - 1, argv + 1));
	if (is_evidence(argc, argv))
		return finish(run_evidence(argc - 2, argv + 2));
	for (size_t i = 0; filters[i]; i++)
		if (!strcmp(argv[1], filters[i]))
			return refuse_c(argv[1], argv[2]) ? 2
			                                  : exec_filter(argv[1], NULL, argv + 2);
	if (!strcmp(argv[1], "cc") && argc == 3 && !strcmp(argv[2], "--help"))
		return fputs(cc_text, stdout), finish(0);
	if (!strcmp(argv[1], "cc"))
		return exec_filter("instrument", "--cc", argv + 2);
	if (!strcmp(argv[1], "doctor"))
		return finish(run_script("duct.doctor", "mode", argc - 1, argv + 1));
	if (!strcmp(argv[1], "completion"))
		return finish(run_script("duct.completion", "mode", argc - 1, argv + 1));
	if ((pipeline = find_pipeline(argv[1])))
		return exec_pipeline(pipeline, argv);
	if (!strcmp(argv[1], "test"))
		return finish(run_script("duct.test", "mode", argc - 1, argv + 1));
	return finish(run_script("duct.single", "strategy", argc - 1, argv + 1));
}
