/* duct: the main command: runs a strategy or another command in Lua, or one of the filters. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/help/help.h"
#include "lib/base/grow.h"
#include "lib/base/home.h"
#include "lib/script/options.h"
#include "lib/script/script.h"
#include "lib/script/supervisor.h"
#include "lib/base/tool.h"

const struct tool tool = { "duct", "", "" };

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
	args = zeroed(n + 3, sizeof *args);
	if (path) {
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

/* The commands but for the strategies. Those that are handled nowhere else are scripts:
 * lua/duct/NAME.lua. */
static const char *const commands[] = { "test", "plan", "diff", "mutants", "recount", "cc",
	"doctor", "completion", "farm", "help", NULL };

/* Whether there is such a command or strategy; scripts of users have a slash or a dot. */
static bool is_command(const char *name)
{
	char *file, *path;
	if (strpbrk(name, "/."))
		return true;
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(name, commands[i]))
			return true;
	if (!strcmp(name, "check") || !strcmp(name, "audit") || !strcmp(name, "cross"))
		return true;
	file = formatted("strategy/%s.lua", name);
	path = home_path("lua", file);
	free(file);
	free(path);
	return path != NULL;
}

static void catch_signals(void)
{
	struct sigaction a = { .sa_handler = script_interrupt, .sa_flags = SA_RESTART };
	sigaction(SIGINT, &a, NULL);
	sigaction(SIGTERM, &a, NULL);
	signal(SIGPIPE, SIG_IGN);
}

/* Lists for shell completion: commands, filters, and options. */
static void tell_names(struct script *s)
{
	for (size_t i = 0; filters[i]; i++)
		script_append(s, "filter_names", filters[i]);
	for (size_t i = 0; commands[i]; i++)
		script_append(s, "command_names", commands[i]);
	options_tell(s, commands);
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
	if ((status = options_parse(s, command, is_command(command), argc, argv)) == 0) {
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
    "usage: duct cc [--pairs] [--check LIST] [--criterion LIST] COMPILER-ARGUMENTS...\n"
    "Compiles and links as the C compiler would, with probes, so that `duct cover` can record what runs cover:\n"
    "  make CC=\"duct cc --pairs\"        cmake -DCMAKE_C_COMPILER=duct -DCMAKE_C_COMPILER_ARG1=cc\n"
    "  --pairs            def-use pairs, too\n"
    "  --check LIST       faults: div, bounds, null, overflow, shift, uninit, leak, all, none\n"
    "  --criterion LIST   also probes for these criteria of recorded suites: boundaries, mutants, ...: see man criteria\n"
    "These come first; all other arguments are the compiler's. See duct(1) and duct-adopt(7).\n";

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
	if (n < 4 || strcmp(name + n - 3, ".sh") || strchr(name, '/'))
		return NULL;
	file = formatted("pipelines/%s", name);
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
		if (options_told_flag(argv[1]))
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
	if ((pipeline = find_pipeline(argv[1])))
		return exec_pipeline(pipeline, argv);
	for (size_t i = 0; commands[i]; i++)
		if (!strcmp(argv[1], commands[i])) {
			char script[32];
			snprintf(script, sizeof script, "duct.%s", commands[i]);
			return finish(run_script(script, "mode", argc - 1, argv + 1));
		}
	return finish(run_script("duct.single", "strategy", argc - 1, argv + 1));
}
