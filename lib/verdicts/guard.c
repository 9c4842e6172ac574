/* guard: runs prove in a child process that can be killed at any time; forwards its complete
 * verdicts as they arrive. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/base/map.h"
#include "lib/verdicts/verdicts.h"

struct guard {
	FILE *out;
	char *text;
	size_t size;     /* read but not forwarded yet */
	struct map told; /* names of the goals forwarded so far */
	uint64_t records, questions, verdicts;
	bool begun, ended; /* stream header and end were forwarded */
	double deadline;   /* CLOCK_MONOTONIC; infinite: none */
};

/* ---- input */

static uint64_t name_key(const char *name)
{
	return strtoull(name + (*name == 'o'), NULL, 10) << 1 | (*name == 'o');
}

static void tell(struct guard *g, const char *line, size_t n)
{
	bool fresh;
	const char *name = line;

	g->begun = true;
	g->ended |= !strncmp(line, "end\t", 4);
	g->records += *line != '#' && !g->ended;
	g->questions += !strncmp(line, "question\t", 9);
	if (!strncmp(line, "verdict\t", 8)) {
		g->verdicts++;
		for (int k = 0; k < 3; k++)
			name = strchr(name, '\t') + 1;
		*map_at(&g->told, name_key(name), &fresh) = 1;
	}
	fwrite(line, 1, n, g->out);
}

static bool follows(const char *line)
{
	return !strncmp(line, "value\t", 6) || !strncmp(line, "path\t", 5)
	    || !strncmp(line, "proof\t", 6);
}

/* The start of the last record, with its subrecords, in the first n characters, which are complete
 * lines. */
static size_t last_record(const struct guard *g, size_t n)
{
	size_t i = n;
	do
		for (i -= i > 0; i && g->text[i - 1] != '\n'; i--)
			;
	while (i && follows(g->text + i));
	return i;
}

static size_t whole_lines(const struct guard *g)
{
	size_t n = g->size;
	while (n && g->text[n - 1] != '\n')
		n--;
	return n;
}

/* Forwards complete records; holds back the last verdict until it is known to have all its
 * subrecords. */
static void pass_on(struct guard *g, bool last)
{
	size_t n = whole_lines(g), at = last_record(g, n);
	if (!last && at < n && !strncmp(g->text + at, "verdict\t", 8))
		n = at;
	for (size_t i = 0, end; i < n; i = end) {
		end = (size_t)((char *)memchr(g->text + i, '\n', n - i) - g->text) + 1;
		tell(g, g->text + i, end - i);
	}
	memmove(g->text, g->text + n, g->size - n);
	g->size -= n;
	fflush(g->out);
}

/* Drops a final verdict `infeasible` that was cut off before its proof. */
static void drop_unproved(struct guard *g)
{
	size_t n = whole_lines(g), at = last_record(g, n);
	if (at < n && memmem(g->text + at, n - at, "\tinfeasible\t", 12)
	    && !memmem(g->text + at, n - at, "\nproof\t", 7))
		g->size = at;
}

/* ---- the child process */

static _Noreturn void be_worker(
    const struct verdicts_limits *l, int (*work)(void *, FILE *), void *ctx, int fd)
{
	struct rlimit most = { l->bytes, l->bytes };
	FILE *to = fdopen(fd, "w");
	int status = 4;
	setpgid(0, 0);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (l->bytes) {
		setrlimit(RLIMIT_AS, &most);
		no_memory_aborts();
	}
	if (to) /* other streams may hold what the parent will write */
		status = work(ctx, to);
	if (to && fflush(to))
		status = 4;
	_exit(status);
}

/* Reads from the child; false at end of file. */
static bool take(struct guard *g, int fd)
{
	ssize_t n;
	g->text = resized(g->text, g->size + 65537, 1);
	n = read(fd, g->text + g->size, 65536);
	if (n < 0 && errno == EINTR)
		return true;
	g->size += n > 0 ? (size_t)n : 0;
	g->text[g->size] = 0;
	return n > 0;
}

/* Forwards until the child ends (true), or the deadline passes, a termination signal arrives or the
 * output cannot be written (false). */
static bool follow(struct guard *g, int fd, int signals)
{
	struct pollfd p[] = { { fd, POLLIN, 0 }, { signals, POLLIN, 0 } };
	for (;;) {
		int n = poll(p, 2, clock_milliseconds(g->deadline - clock_now()));
		if (n < 0 && errno != EINTR)
			return false;
		if (!n) /* late; a worker that has told everything only has to exit */
			return g->ended;
		if (n > 0 && p[1].revents)
			return false;
		if (n > 0 && !take(g, fd))
			return true;
		pass_on(g, false);
		if (ferror(g->out))
			return false;
	}
}

/* ---- completing the output */

static void tell_missing(struct guard *g, const struct goals *goals, const char *why)
{
	struct rec_writer w = { .f = g->out };
	char name[16];
	if (!g->begun)
		rec_begin(&w, g->out, "verdicts", 1, "prove-" DUCT_VERSION);
	if (!g->questions)
		rec_putf(&w, "suss", "question", ++g->questions, "0000000000000000",
		    goals->options.alias.entry ? goals->options.alias.entry : "main");
	for (size_t i = 0; i < goals->goals + goals->outcomes; i++) {
		bool pair = i < goals->goals;
		uint32_t n = pair ? goals->goal[i].pair : goals->outcome[i - goals->goals].number;
		snprintf(name, sizeof name, pair ? "%u" : "o%u", n);
		if (!map_get(&g->told, name_key(name)))
			rec_putf(&w, "suusss", "verdict", ++g->verdicts, g->questions, name,
			    "unknown", why);
	}
	w.count += g->records;
	rec_end(&w);
}

static int wait_for(pid_t pid)
{
	int status;
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	return status;
}

int verdicts_guard(const struct verdicts_limits *l, int (*work)(void *ctx, FILE *to), void *ctx,
    const struct goals *g, FILE *out)
{
	struct guard it = { .out = out,
		.deadline = l->seconds > 0 ? l->began + 1.05 * l->seconds : INFINITY };
	sigset_t ends;
	int fd[2], status, signals;
	pid_t pid;
	bool own;
	sigemptyset(&ends);
	sigaddset(&ends, SIGTERM);
	sigaddset(&ends, SIGINT);
	sigaddset(&ends, SIGHUP);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	if (pipe(fd) || (signals = signalfd(-1, &ends, SFD_CLOEXEC)) < 0 || (pid = fork()) < 0)
		return 4;
	if (!pid) {
		sigprocmask(SIG_UNBLOCK, &ends, NULL);
		close(fd[0]);
		be_worker(l, work, ctx, fd[1]);
	}
	/* also in the parent: the deadline may pass before the child runs */
	setpgid(pid, pid);
	close(fd[1]);
	own = follow(&it, fd[0], signals);
	if (!own)
		kill(-pid, SIGKILL);
	while (!own && take(&it, fd[0]))
		;
	status = wait_for(pid);
	kill(-pid, SIGKILL); /* what it had started, if it was ended from outside */
	if (!it.ended)
		drop_unproved(&it);
	pass_on(&it, true);
	if (!it.ended
	    && (!own
	        || (WIFSIGNALED(status)
	            && (WTERMSIG(status) == SIGKILL
	                || (l->bytes && WTERMSIG(status) == SIGABRT))))) {
		tell_missing(&it, g, own ? "memory limit reached" : "time limit reached");
		status = 0;
	}
	close(fd[0]);
	close(signals);
	map_close(&it.told);
	free(it.text);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 4;
}
