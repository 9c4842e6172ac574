/* duct_test.c: runs tests written by duct, each in a process of its own.
 *
 * usage: tests [-v] [NAME...]       exit status 0: every test behaved as observed
 * Environment: DUCT_TEST_SECONDS, the time limit of a test in seconds (10); DUCT_TEST_FIRST: stops
 * after the first test that fails.
 */
#define _GNU_SOURCE
#include "duct_runner.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifdef __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

struct duct_state *duct_state;
const struct duct_test *duct_current;
int duct_asking; /* the program under test runs: its calls count (duct_answers.c) */
int duct_seconds = 10;

static int temporary(void)
{
	FILE *f = tmpfile();
	int fd = f ? dup(fileno(f)) : -1;

	if (f)
		fclose(f);
	if (fd >= 0)
		return fd;
	perror("tests: cannot make a temporary file");
	exit(4);
}

/* The status of the process; it is killed when it outlives its alarm. */
static int wait_for(pid_t pid)
{
	struct timespec pause = { 0, 50000 };
	double waited = 0;
	int status;

	while (waitpid(pid, &status, WNOHANG) != pid) {
		nanosleep(&pause, NULL);
		waited += 1e-9 * (double)pause.tv_nsec;
		if (pause.tv_nsec < 5000000)
			pause.tv_nsec *= 2;
		if (waited > duct_seconds + 2)
			kill(pid, SIGKILL);
	}
	return status;
}

/* Processes that the program under test has left behind are children of this one then. */
static void adopt(void)
{
#if defined __linux__ && !defined DUCT_SUITE
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

/* Ends them, and those that they leave behind. A framework may have processes of its own. */
static void end_rest(void)
{
#ifndef DUCT_SUITE
	struct timespec pause = { 0, 1000000 };
	char name[60];
	long pid;

	for (int i = 0; i < 1000 && waitpid(-1, NULL, WNOHANG) >= 0; i++) {
		snprintf(name, sizeof name, "/proc/self/task/%ld/children", (long)getpid());
		FILE *f = fopen(name, "r");
		while (f && fscanf(f, "%ld", &pid) == 1)
			kill((pid_t)pid, SIGKILL);
		if (f)
			fclose(f);
		if (i)
			nanosleep(&pause, NULL);
	}
#endif
}

static char *slurp(int fd, size_t *n)
{
	off_t size = lseek(fd, 0, SEEK_END);
	char *text = calloc(1, (size_t)(size > 0 ? size : 0) + 1);

	*n = 0;
	if (text && size > 0 && pread(fd, text, (size_t)size, 0) == size)
		*n = (size_t)size;
	return text;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)type;
	(void)ftw;
	return remove(path);
}

/* An empty folder to run in; back is where to return to. */
static int enter(char folder[PATH_MAX])
{
	const char *tmp = getenv("TMPDIR");
	int back = open(".", O_RDONLY | O_DIRECTORY);

	snprintf(folder, PATH_MAX, "%s/duct-XXXXXX", tmp ? tmp : "/tmp");
	if (back < 0 || !mkdtemp(folder) || chdir(folder)) {
		perror("tests: cannot make a folder");
		exit(4);
	}
	return back;
}

static void leave(char *folder, int back)
{
	if (fchdir(back))
		perror("tests");
	close(back);
	nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static const char *how(int status, char text[64])
{
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
		return "runs too long";
	if (WIFSIGNALED(status))
		snprintf(text, 64, "killed by signal %d (%s)", WTERMSIG(status),
		    strsignal(WTERMSIG(status)));
	else
		snprintf(text, 64, "exit status %d", WEXITSTATUS(status));
	return text;
}

static int same_output(const struct duct_test *t, const char *out, size_t n)
{
	enum { KEPT = 4096 }; /* more was not recorded */

	if (!t->output.bytes)
		return 1;
	return t->output.size >= KEPT
	    ? n >= t->output.size && !memcmp(out, t->output.bytes, t->output.size)
	    : n == t->output.size && !memcmp(out, t->output.bytes, n);
}

enum verdict { PASSED, FAILED, AS_RECORDED, NOT_HERE, VERDICTS };

static enum verdict judge(const struct duct_test *t, int status, const char *out, size_t n)
{
	char text[64];

	int open = !strcmp(t->end, "limit") || !strcmp(t->end, "undefined");
	if (strcmp(t->end, "exit") && !open)
		return WIFSIGNALED(status) || WEXITSTATUS(status) ? AS_RECORDED : NOT_HERE;
	if (duct_state->setup_failures)
		return FAILED;
	if (open) /* it was cut short when it was recorded, or does what it likes elsewhere */
		return PASSED;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != t->status) {
		if (!*duct_state->message)
			snprintf(duct_state->message, sizeof duct_state->message,
			    "%s, exit status %d was observed", how(status, text), t->status);
		return FAILED;
	}
	if (duct_state->differences)
		return FAILED;
	if (same_output(t, out, n))
		return PASSED;
	snprintf(duct_state->message, sizeof duct_state->message,
	    "standard output differs from what was observed");
	return FAILED;
}

static void share_state(void)
{
	const char *limit = getenv("DUCT_TEST_SECONDS");

	if (limit && atoi(limit) > 0)
		duct_seconds = atoi(limit);
	duct_state = mmap(
	    NULL, sizeof *duct_state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (duct_state == MAP_FAILED) {
		perror("tests");
		exit(4);
	}
	adopt();
}

static enum verdict run_test(const struct duct_test *t, int verbose)
{
	static const char *const word[] = { "ok", "not ok", "fails as recorded",
		"does not fail here" };
	int in = temporary(), out = temporary(), back = -1;
	char folder[PATH_MAX];
	size_t n;

	memset(duct_state, 0, sizeof *duct_state);
	duct_write_all(in, t->input.bytes ? t->input.bytes : "", t->input.size);
	lseek(in, 0, SEEK_SET);
	if (duct_in_folder)
		back = enter(folder);
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0) {
		perror("tests: cannot fork");
		exit(4);
	}
	if (!pid)
		duct_run_child(t, in, out, verbose > 0);
	int status = wait_for(pid);
	end_rest();
	if (duct_in_folder)
		leave(folder, back);
	char *text = slurp(out, &n);
	enum verdict v = judge(t, status, text, n);
	if (verbose >= 0 && (v == FAILED || verbose))
		printf("%s - %s%s%s%s%s\n", word[v], t->name, t->what ? ": " : "",
		    t->what ? t->what : "", *duct_state->message && v == FAILED ? ": " : "",
		    v == FAILED ? duct_state->message : "");
	free(text);
	close(in);
	close(out);
	return v;
}

#ifdef DUCT_SUITE
/* A framework's test: what is wrong, or NULL. */
const char *duct_check(const char *name)
{
	if (!duct_state)
		share_state();
	for (unsigned long i = 0; i < duct_test_count; i++)
		if (!strcmp(duct_tests[i].name, name))
			return run_test(&duct_tests[i], -1) == FAILED ? duct_state->message : NULL;
	return "there is no test of that name";
}
#else
static int wanted(const struct duct_test *t, int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!strcmp(argv[i], t->name))
			return 1;
	return argc == 0;
}

int main(int argc, char **argv)
{
	unsigned long count[VERDICTS] = { 0 }, n = 0;
	int verbose = argc > 1 && !strcmp(argv[1], "-v"), first = getenv("DUCT_TEST_FIRST") != NULL;

	share_state();
	duct_protect();
	for (unsigned long i = 0; i < duct_test_count && !(first && count[FAILED]); i++)
		if (wanted(&duct_tests[i], argc - 1 - verbose, argv + 1 + verbose)) {
			count[run_test(&duct_tests[i], verbose)]++;
			n++;
		}
	printf("%lu tests: %lu passed, %lu failed", n, count[PASSED], count[FAILED]);
	if (count[AS_RECORDED])
		printf(", %lu fail as recorded", count[AS_RECORDED]);
	if (count[NOT_HERE])
		printf(", %lu not failing here", count[NOT_HERE]);
	printf("\n");
	if (count[NOT_HERE] && !verbose)
		printf("note: %lu faults do no harm in this build%s; ./tests -v names them\n",
		    count[NOT_HERE],
		    SANITIZED
		        ? ""
		        : ": make check CFLAGS=-fsanitize=address,undefined shows more of them");
	return fflush(stdout) || count[FAILED] ? 1 : 0;
}
#endif
