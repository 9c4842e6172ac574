/* tracer: the keeper watches a run from outside: at instructions that write coverage (abi.h,
 * DUCT_MARKS) it puts breakpoints, and notes which of them the run executes. Nothing that the run
 * writes anywhere counts. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/run/internal.h"

#if defined __x86_64__
#define PC rip
#define BEYOND 1 /* how far behind the breakpoint the process stops */
static const uint8_t trap[] = { 0xcc };
#else
#define PC pc
#define BEYOND 0
static const uint8_t trap[] = { 0x00, 0x00, 0x20, 0xd4 };
#endif

enum { MOST_HITS = 5000 }; /* of one that is hit again and again, without what is looked for */

struct tracer {
	struct witness *w;
	uint8_t *cover; /* the channel's */
	pid_t server, run;
	uint64_t base; /* of the program's addresses */
	int memory;    /* of the run */
	uint32_t left; /* what is looked for and was not seen */
	bool ending;
	struct {
		uint8_t was[sizeof trap];
		uint32_t hits;
	} *place; /* by point */
};

static void go_on(pid_t pid, int signal)
{
	ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)signal);
}

/* Where the program is, less where its file says that it is. */
static bool find_base(struct tracer *t, pid_t pid)
{
	Elf64_auxv_t a;
	char path[40];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/auxv", (int)pid);
	if (!(f = fopen(path, "re")))
		return false;
	t->base = 0;
	while (fread(&a, sizeof a, 1, f) == 1 && a.a_type != AT_NULL)
		if (a.a_type == AT_ENTRY)
			t->base = a.a_un.a_val - t->w->entry;
	fclose(f);
	return true;
}

static bool put(const struct tracer *t, size_t point, bool planted)
{
	return pwrite(t->memory, planted ? trap : t->place[point].was, sizeof trap,
	           (off_t)(t->base + t->w->point[point].at))
	    == sizeof trap;
}

/* In the process of a run, before it does anything. */
static void plant(struct tracer *t, pid_t pid)
{
	const struct point *p = t->w->point;
	char path[40];

	t->run = pid;
	snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
	t->memory = open(path, O_RDWR | O_CLOEXEC);
	if (t->memory < 0 || !find_base(t, pid))
		return;
	for (size_t i = 0; i < t->w->points; i++)
		if (i && p[i].at == p[i - 1].at)
			t->place[i] = t->place[i - 1];
		else if (pread(t->memory, t->place[i].was, sizeof trap, (off_t)(t->base + p[i].at))
		    == sizeof trap)
			put(t, i, true);
}

/* The first point at an address; points are in order. */
static bool find(const struct tracer *t, uint64_t at, size_t *point)
{
	size_t low = 0, high = t->w->points;

	while (low < high) {
		size_t mid = low + (high - low) / 2;

		if (t->base + t->w->point[mid].at < at)
			low = mid + 1;
		else
			high = mid;
	}
	*point = low;
	return low < t->w->points && t->base + t->w->point[low].at == at;
}

static void see(struct tracer *t, uint32_t index)
{
	if (t->w->state[index] == WITNESS_WANTED) {
		t->w->state[index] = WITNESS_SEEN;
		t->left--;
	}
}

/* Of points at one address, `first` to before `last`, one of several bytes is written: which, is
 * seen when the instruction was executed. Is more of them wanted? *signal: what came in between. */
static bool look(struct tracer *t, pid_t pid, size_t first, size_t last, int *signal)
{
	bool more = false;
	int status;

	for (size_t i = first; i < last; i++)
		memset(t->cover + t->w->point[i].cover, 0, t->w->point[i].count);
	if (ptrace(PTRACE_SINGLESTEP, pid, NULL, NULL) || waitpid(pid, &status, __WALL) != pid
	    || !WIFSTOPPED(status))
		return false;
	if (WSTOPSIG(status) != SIGTRAP)
		*signal = WSTOPSIG(status);
	for (size_t i = first; i < last; i++)
		for (uint32_t at = t->w->point[i].cover, k = 0; k < t->w->point[i].count;
		    k++, at++) {
			if (t->cover[at])
				see(t, at);
			more |= t->w->state[at] == WITNESS_WANTED;
		}
	return more;
}

/* At a breakpoint that is taken away: notes what is seen. */
static void look_at(struct tracer *t, pid_t pid, size_t first, int *signal)
{
	const struct point *p = t->w->point;
	size_t last = first;
	bool fixed = true;

	for (; last < t->w->points && p[last].at == p[first].at; last++)
		fixed &= p[last].count == 1;
	if (!fixed && ++t->place[first].hits < MOST_HITS) {
		if (look(t, pid, first, last, signal))
			put(t, first, true);
		return;
	}
	for (size_t i = first; i < last; i++)
		for (uint32_t k = 0; k < p[i].count; k++)
			see(t, p[i].cover + k);
}

static bool is_of_run(const struct tracer *t, pid_t pid)
{
	return pid == t->run || !syscall(SYS_tgkill, t->run, pid, 0);
}

/* A process that the run made has the breakpoints, too: it goes on without this one. */
static void clear(const struct tracer *t, pid_t pid, size_t point)
{
	char path[40];
	int fd;

	snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
	if ((fd = open(path, O_WRONLY | O_CLOEXEC)) < 0)
		return;
	if (pwrite(fd, t->place[point].was, sizeof trap, (off_t)(t->base + t->w->point[point].at))
	    < 0)
		kill(pid, SIGKILL);
	close(fd);
}

/* At a breakpoint of ours? Goes on behind it. */
static bool hit(struct tracer *t, pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec v = { &regs, sizeof regs };
	size_t first;
	int signal = 0;

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v)
	    || !find(t, regs.PC - BEYOND, &first))
		return false;
	regs.PC -= BEYOND;
	ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v);
	if (!is_of_run(t, pid)) {
		clear(t, pid, first);
		go_on(pid, 0);
		return true;
	}
	put(t, first, false);
	look_at(t, pid, first, &signal);
	if (!t->left)
		kill(t->run, SIGKILL);
	go_on(pid, signal);
	return true;
}

bool tracer_allowed(void)
{
	pid_t pid = fork();
	bool allowed;

	if (pid == 0) {
		pause();
		_exit(0);
	}
	if (pid < 0)
		return false;
	allowed = !ptrace(PTRACE_SEIZE, pid, NULL, NULL);
	kill(pid, SIGKILL);
	while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
		;
	return allowed;
}

bool tracer_begin(struct tracer **to, struct witness *w, uint8_t *cover, pid_t server)
{
	struct tracer *t = calloc(1, sizeof *t);

	*to = NULL;
	if (!t || !(t->place = calloc(w->points + 1, sizeof *t->place))
	    || ptrace(PTRACE_SEIZE, server, NULL,
	        (void *)(uintptr_t)(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
	            | PTRACE_O_EXITKILL))) {
		tracer_free(t);
		return false;
	}
	t->w = w;
	t->cover = cover;
	t->server = server;
	t->memory = -1;
	t->left = w->wanted;
	*to = t;
	return true;
}

void tracer_free(struct tracer *t)
{
	if (!t)
		return;
	if (t->memory > 0)
		close(t->memory);
	free(t->place);
	free(t);
}

bool tracer_stopped(struct tracer *t, pid_t pid, int status)
{
	int signal = WSTOPSIG(status), event = status >> 16;

	if (event == PTRACE_EVENT_STOP && pid == t->server && t->ending) {
		ptrace(PTRACE_DETACH, pid, NULL, NULL);
		return true;
	}
	if (event == PTRACE_EVENT_STOP && signal != SIGTRAP)
		ptrace(PTRACE_LISTEN, pid, NULL, NULL);
	else if (event) {
		if (event == PTRACE_EVENT_STOP && pid != t->server && !t->run)
			plant(t, pid);
		go_on(pid, 0);
	} else if (signal != SIGTRAP || pid == t->server || !hit(t, pid)) {
		go_on(pid, signal);
	}
	return false;
}

void tracer_end(struct tracer *t)
{
	t->ending = true;
	ptrace(PTRACE_INTERRUPT, t->server, NULL, NULL);
}
