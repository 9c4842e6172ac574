/* tracer: the keeper watches a run from outside. It sets breakpoints at the instructions that write
 * coverage (abi.h, DUCT_MARKS) and records which of them the run executes. Nothing that the run
 * writes anywhere counts. */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/base/search.h"
#include "lib/base/grow.h"
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

enum { PAGE = 4096 };

struct tracer {
	struct observation *w;
	pid_t server, run;
	uint64_t base;   /* of the program's addresses */
	int memory;      /* of the run */
	struct stat exe; /* the run's program */
	uint32_t left;   /* markers that are wanted and were not seen */
	bool ending;
	struct {
		uint8_t was[sizeof trap];
	} *place; /* by point */
};

static void go_on(pid_t pid, int signal)
{
	ptrace(PTRACE_CONT, pid, NULL, (void *)(uintptr_t)signal);
}

/* The address where the program is loaded, relative to the one in its file. */
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

static bool find_exe(pid_t pid, struct stat *s)
{
	char path[40];

	snprintf(path, sizeof path, "/proc/%d/exe", (int)pid);
	return !stat(path, s);
}

static void take_away(const struct tracer *t, size_t point)
{
	(void)!pwrite(
	    t->memory, t->place[point].was, sizeof trap, (off_t)(t->base + t->w->point[point].at));
}

/* At the points from i on that lie in one page; how many they are. */
static size_t plant_page(struct tracer *t, size_t i)
{
	const struct point *p = t->w->point;
	uint8_t text[PAGE];
	size_t end = i, size;
	off_t from = (off_t)(t->base + p[i].at);

	while (end < t->w->points && (t->base + p[end].at) / PAGE == (t->base + p[i].at) / PAGE)
		end++;
	size = (size_t)(p[end - 1].at - p[i].at) + sizeof trap;
	if (pread(t->memory, text, size, from) != (ssize_t)size)
		return end - i;
	for (size_t k = i; k < end; k++)
		if (k > i && p[k].at == p[k - 1].at)
			t->place[k] = t->place[k - 1];
		else
			memcpy(t->place[k].was, text + (p[k].at - p[i].at), sizeof trap);
	for (size_t k = i; k < end; k++)
		memcpy(text + (p[k].at - p[i].at), trap, sizeof trap);
	(void)!pwrite(t->memory, text, size, from);
	return end - i;
}

/* In the process of a run, before it does anything. */
static void plant(struct tracer *t, pid_t pid)
{
	char path[40];

	t->run = pid;
	snprintf(path, sizeof path, "/proc/%d/mem", (int)pid);
	t->memory = open(path, O_RDWR | O_CLOEXEC);
	if (t->memory < 0 || !find_base(t, pid) || !find_exe(pid, &t->exe))
		return;
	for (size_t i = 0; i < t->w->points;)
		i += plant_page(t, i);
}

static int by_address(const void *at, const void *point)
{
	uint64_t a = *(const uint64_t *)at, p = ((const struct point *)point)->at;

	return (a > p) - (a < p);
}

/* The first point at an address; points are in order. */
static bool find(const struct tracer *t, uint64_t at, size_t *point)
{
	uint64_t offset = at - t->base;
	size_t i = lower_bound(&offset, t->w->point, t->w->points, sizeof *t->w->point, by_address);

	*point = i;
	return i < t->w->points && t->w->point[i].at == offset;
}

static void see(struct tracer *t, uint32_t index)
{
	if (t->w->state[index] == WITNESS_WANTED) {
		t->w->state[index] = WITNESS_SEEN;
		t->left--;
	}
}

static bool is_of_run(const struct tracer *t, pid_t pid)
{
	return pid == t->run || !syscall(SYS_tgkill, t->run, pid, 0);
}

/* Does the process still run the program of the run, and not another one? */
static bool runs_program(const struct tracer *t, pid_t pid)
{
	struct stat s;

	return find_exe(pid, &s) && s.st_dev == t->exe.st_dev && s.st_ino == t->exe.st_ino;
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

/* Did it stop at one of our breakpoints? Then it continues after it. */
static bool hit(struct tracer *t, pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec v = { &regs, sizeof regs };
	size_t first;
	bool apart, counts;

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &v)
	    || !find(t, regs.PC - BEYOND, &first))
		return false;
	regs.PC -= BEYOND;
	ptrace(PTRACE_SETREGSET, pid, (void *)NT_PRSTATUS, &v);
	apart = !is_of_run(t, pid);
	if (apart)
		clear(t, pid, first);
	else
		take_away(t, first);
	counts = !apart || runs_program(t, pid);
	for (size_t i = first;
	    counts && i < t->w->points && t->w->point[i].at == t->w->point[first].at; i++)
		see(t, t->w->point[i].cover);
	if (!t->left && !t->w->whole)
		kill(t->run, SIGKILL);
	go_on(pid, 0);
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

bool tracer_begin(struct tracer **to, struct observation *w, pid_t server)
{
	struct tracer *t = zeroed(1, sizeof *t);

	*to = NULL;
	t->place = zeroed(w->points + 1, sizeof *t->place);
	if (ptrace(PTRACE_SEIZE, server, NULL,
	        (void *)(uintptr_t)(PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACECLONE
	            | PTRACE_O_EXITKILL))) {
		tracer_free(t);
		return false;
	}
	t->w = w;
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
	} else if (pid == t->server) {
		go_on(pid, 0); /* only a traced server would get signals of its runs */
	} else if (signal != SIGTRAP || !hit(t, pid)) {
		go_on(pid, signal);
	}
	return false;
}

void tracer_end(struct tracer *t)
{
	t->ending = true;
	ptrace(PTRACE_INTERRUPT, t->server, NULL, NULL);
}
