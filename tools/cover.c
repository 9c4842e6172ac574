/* cover: runs a project's own tests, and records the coverage of each. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/cover/cover.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/criteria/criteria.h"
#include "lib/base/tool.h"
#include "lib/base/words.h"

static const char usage_text[] =
    "usage: cover --store FILE [--append] [--per tree|process|command|program] [--only PATTERN]\n"
    "             [--except PATTERN] [--scope intra|inter] [--protocol default|paper] [--criterion LIST] [--quiet]\n"
    "             -- COMMAND...\n";

static const char help_text[] =
    "Runs the test suite of a project that was built by `duct cc` and records what each test covers.\n"
    "See cover(1).\n"
    "  -S, --store FILE       the store to write\n"
    "  -a, --append           continue the suite in the store\n"
    "  -p, --per WHAT         what counts as one test: tree (the default), process, command, program\n"
    "  -o, --only PATTERN     only source files whose name matches; may be given repeatedly\n"
    "  -x, --except PATTERN   not these\n"
    "  -s, --scope SCOPE      pairs within functions (intra, the default), or also over calls (inter)\n"
    "  -r, --protocol NAME    what counts as a pair: default, paper\n"
    "  -c, --criterion LIST   also report coverage of these: mcdc, statements, ...: see man criteria\n"
    "  -q, --quiet            print nothing\n"
    "  -h, --help             this text\n"
    "  -V, --version          version\n";

const struct tool tool = { "cover", usage_text, help_text };

static const struct option options[] = {
	{ "store", required_argument, NULL, 'S' },
	{ "append", no_argument, NULL, 'a' },
	{ "per", required_argument, NULL, 'p' },
	{ "only", required_argument, NULL, 'o' },
	{ "except", required_argument, NULL, 'x' },
	{ "scope", required_argument, NULL, 's' },
	{ "protocol", required_argument, NULL, 'r' },
	{ "criterion", required_argument, NULL, 'c' },
	{ "quiet", no_argument, NULL, 'q' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

struct settings {
	const char *store;
	bool append, quiet;
	uint32_t criteria; /* of --criterion */
	struct cover_options o;
	const char **only, **except; /* arrays as long as argv, ended by NULL */
	char **command;
};

static enum cover_per per_of(const char *word)
{
	static const char *const names[] = { "tree", "process", "command", "program", NULL };
	const char *near = words_nearest(word, names);

	for (int i = 0; names[i]; i++)
		if (!strcmp(word, names[i]))
			return (enum cover_per)i;
	if (near)
		tool_die(2, "--per: unknown `%s`: did you mean %s?", word, near);
	tool_die(2, "--per: `%s` is not tree, process, command or program", word);
}

/* The criteria of a list; recorded suites have results for these. */
static uint32_t criteria_of(const char *list)
{
	const uint32_t untold = criteria_with(CRITERION_NO_SUITE);
	char *error;
	uint32_t set = criteria_parse(list, &error);

	if (!set)
		tool_die(2, "%s", error);
	for (unsigned c = 0; c < CRITERIA; c++)
		if (set & untold & 1u << c)
			tool_die(2,
			    "--criterion: %s are named by --target in a session, and a suite has none:"
			    " statements and functions show which places it reaches",
			    criterion_name((enum criterion)c));
	return set;
}

/* The words of the command, as one line. */
static char *join(char **words)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (char **w = words; *w; w++)
		fprintf(f, "%s%s", w == words ? "" : " ", *w);
	fclose(f);
	return text;
}

static struct settings parse(int argc, char **argv)
{
	struct settings s = { .only = zeroed((size_t)argc + 1, sizeof *s.only),
		.except = zeroed((size_t)argc + 1, sizeof *s.except) };
	size_t only = 0, except = 0;
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, "+:S:ap:o:x:s:r:c:qhV", options, NULL)) != -1) {
		switch (c) {
		case 'S': s.store = optarg; break;
		case 'a': s.append = true; break;
		case 'p': s.o.per = per_of(optarg); break;
		case 'o': s.only[only++] = optarg; break;
		case 'x': s.except[except++] = optarg; break;
		case 's':
			if (!defuse_set_scope(&s.o.pairs, optarg))
				tool_die(2, "--scope: `%s` is not intra or inter", optarg);
			break;
		case 'r':
			if (!defuse_set_protocol(&s.o.pairs, optarg))
				tool_die(2, "--protocol: `%s` is not default or paper", optarg);
			break;
		case 'c': s.criteria = criteria_of(optarg); break;
		case 'q': s.quiet = true; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_unknown(c, argv, options);
		}
	}
	s.command = argv + optind;
	s.o.pairs.inter |= (s.criteria & criteria_with(CRITERION_INTER)) != 0;
	s.o.progress = s.quiet ? NULL : stderr;
	s.o.only = only ? s.only : NULL;
	s.o.except = except ? s.except : NULL;
	if (!*s.command)
		tool_die(
		    2, "no command: duct cover --store FILE -- COMMAND..., such as make check");
	if (!s.store)
		tool_die(2,
		    "no store: duct cover --store FILE -- %s; it records what the command covers",
		    join(s.command));
	return s;
}

/* SIGCHLD is blocked, so that waiting for signals returns at the command's end. Signals from the
 * terminal reach the command too; we wait for its end. */
static pid_t start(char **command, const char *setting, sigset_t *wake)
{
	char *copy = copied(setting);
	sigset_t before;
	pid_t pid;

	sigemptyset(wake);
	sigaddset(wake, SIGCHLD);
	sigaddset(wake, SIGTERM);
	sigaddset(wake, SIGHUP);
	sigprocmask(SIG_BLOCK, wake, &before);
	if ((pid = fork()) < 0)
		tool_die(4, "cannot start a process: %s", strerror(errno));
	if (pid)
		return free(copy), signal(SIGINT, SIG_IGN), signal(SIGQUIT, SIG_IGN), pid;
	sigprocmask(SIG_SETMASK, &before, NULL);
	unsetenv("DUCT_CHANNEL");
	putenv(copy);
	execvp(command[0], command);
	fprintf(stderr, "cover: %s: %s\n", command[0], strerror(errno));
	_exit(errno == ENOENT ? 127 : 126);
}

/* Records processes until the command ends. Returns its wait status. */
static int follow(struct cover *c, pid_t pid, const sigset_t *wake)
{
	const struct timespec moment = { 0, 200000000 };
	char *error;
	int status, sig;
	pid_t got;

	while ((got = waitpid(pid, &status, WNOHANG)) == 0) {
		sig = sigtimedwait(wake, NULL, &moment);
		if (sig == SIGTERM || sig == SIGHUP)
			kill(pid, sig);
		if (cover_collect(c, false, &error))
			tool_die(4, "%s", error);
	}
	sigprocmask(
	    SIG_UNBLOCK, wake, NULL); /* from here on signals may end us: the rest may take long */
	signal(SIGINT, SIG_DFL);
	signal(SIGQUIT, SIG_DFL);
	return got < 0 ? 0 : status;
}

static const char *plural(size_t n)
{
	return n == 1 ? "" : "s";
}

static bool summary(const struct settings *s, const struct cover *c)
{
	struct cover_counts n = cover_counts(c);

	if (cover_trouble(c))
		fprintf(stderr, "cover: %s\n", cover_trouble(c));
	if (n.broken)
		fprintf(stderr, "cover: %zu process%s could not record\n", n.broken,
		    n.broken == 1 ? "" : "es");
	if (n.threads)
		fprintf(stderr,
		    "cover: pairs of %zu process%s with threads are recorded until the first began\n",
		    n.threads, n.threads == 1 ? "" : "es");
	if (n.running)
		fprintf(stderr, "cover: %zu process%s still running: recorded until now\n",
		    n.running, n.running == 1 ? " is" : "es are");
	if (!n.processes)
		fputs(
		    "cover: no program that `duct cc` built was run: build it with make CC=\"duct cc --pairs\" and check that the command"
		    " runs that build\n",
		    stderr);
	else if (!s->quiet)
		fprintf(stderr, "cover: %zu test%s, %zu process%s, %zu unit%s: duct report %s\n",
		    n.tests, plural(n.tests), n.processes, n.processes == 1 ? "" : "es", n.units,
		    plural(n.units), s->store);
	return n.processes > 0;
}

/* The coverage of the suite for the requested criteria. */
static void measure(const struct settings *s, struct store *store)
{
	struct store_view *v = store_view(store, 0);

	for (unsigned c = 0; v && c < CRITERIA; c++) {
		struct criterion_list l = { NULL, 0 };
		if (!(s->criteria >> c & 1))
			continue;
		l = criterion_list(v, (enum criterion)c);
		struct store_totals t = criterion_totals(&l);
		fprintf(stderr, "cover: %s: %zu of %zu covered\n",
		    criterion_name((enum criterion)c), t.covered, t.total);
		if (!t.total && criterion_check((enum criterion)c))
			fprintf(stderr,
			    "cover: no program was built for %s: make CC=\"duct cc --criterion %s\"\n",
			    criterion_name((enum criterion)c), criterion_name((enum criterion)c));
		criterion_free(&l);
	}
	if (v)
		store_view_free(v);
}

static struct store *open_store(const struct settings *s, const char *command)
{
	struct store *store;
	char *error;

	if (!(store = store_open(s->store, STORE_WRITE, &error)))
		tool_die(access(s->store, F_OK) ? 4 : 3, "%s", error);
	if (store_suite_begin(
	        store, &(struct store_suite){ command, s->o.folder, s->append, s->criteria }))
		tool_die(4, "%s: %s", s->store, store_error(store));
	return store;
}

int main(int argc, char **argv)
{
	struct settings s = parse(argc, argv);
	char *command = join(s.command), *folder = getcwd(NULL, 0), *error;
	double began = clock_now();
	struct store *store;
	struct cover *c;
	sigset_t wake;
	int status;

	if (!(s.o.folder = folder))
		tool_die(4, "the working directory is gone");
	store = open_store(&s, command);
	if (!(c = cover_open(store, &s.o, &error)))
		tool_die(4, "%s", error);
	status = follow(c, start(s.command, cover_setting(c), &wake), &wake);
	if (cover_collect(c, true, &error))
		tool_die(4, "%s", error);
	if (store_suite_end(store, clock_now() - began, "finished"))
		tool_die(4, "%s: %s", s.store, store_error(store));
	bool nothing = !summary(&s, c);
	if (s.criteria && !nothing)
		measure(&s, store);
	cover_close(c);
	if (store_close(store))
		tool_die(4, "%s: could not be written completely", s.store);
	free(command);
	free(folder);
	free(s.only);
	free(s.except);
	if (nothing && WIFEXITED(status) && !WEXITSTATUS(status))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
