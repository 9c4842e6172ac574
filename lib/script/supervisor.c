/* supervisor: forks the session and watches it from the process that the user started. A session
 * that does not end when its time is over, or that takes too much of the machine's memory, is
 * killed with all processes that it started. While other programs keep the processors busy, only a
 * share of each second counts (share). */
#include "lib/script/supervisor.h"
#include "lib/base/clock.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/base/budget.h"
#include "lib/base/tree.h"
#include "lib/script/inner.h"

enum { MOST = 4096 };                   /* processes of a session that are watched, at most */
static const double late = 0.3;         /* seconds by which a session may end late, */
static const double late_part = 0.1;    /* and this part of its time */
static const double writing = 60;       /* seconds for writing results */
static const double building = 600;     /* seconds for building, and for pages of many functions, */
static const double building_part = 10; /* plus this many times the session's time */
static const double least = 0.5;        /* seconds for a session after a pause */
static const double obeying = 3;        /* seconds to end after SIGINT or SIGTERM */
static const double finishing = 10;     /* more seconds inside a long call of duct's own, */
static const unsigned most_long = 4;    /* for so many such calls */
static const double leaving = 0.2;      /* seconds for its processes to end after the session */
static const double least_share = 1.0 / 16; /* the least share of a second that counts */
static const long pause_ns = 100000000;

static struct supervised {
	volatile double deadline, seconds; /* by clock_now; of the session, 0: none */
	volatile uint64_t bytes;           /* for the session, provers and solvers; 0: no limit */
	volatile double expected;          /* seconds that a script may compute without a call */
	volatile bool ending, paused;
	volatile bool working;   /* in a function of duct's, not in a script */
	volatile unsigned calls; /* of such functions so far */
} *watched;

static bool apart; /* not the session's first process */

static struct watch {
	pid_t session;
	double last, over; /* seconds after the deadline, as counted */
	double told;       /* seconds since SIGINT or SIGTERM, likewise, */
	double silent;     /* since it was last inside a long call, */
	double built;      /* and since it began to build */
	unsigned calls;
	unsigned long_call, long_calls; /* the number of the last long call; how many were made
	                                   after the deadline */
	bool hurried, interrupted;
} watch;

void supervisor_expect(double deadline, double seconds)
{
	if (!watched)
		return;
	watched->ending = false;
	watched->seconds = seconds;
	watched->deadline = deadline;
}

void supervisor_memory(uint64_t bytes)
{
	if (watched)
		watched->bytes = bytes;
}

void supervisor_apart(void)
{
	apart = true;
}

void supervisor_works(bool working)
{
	if (!watched || apart)
		return;
	watched->working = working;
	watched->calls += working;
}

void supervisor_allow(double seconds)
{
	if (watched)
		watched->expected = seconds;
}

void supervisor_ending(void)
{
	if (watched)
		watched->ending = true;
}

void supervisor_pause(bool paused)
{
	double soon = clock_now() + least;

	if (!watched)
		return;
	if (!paused && watched->deadline > 0 && watched->deadline < soon)
		watched->deadline = soon;
	watched->paused = paused;
}

/* The share of a second that counts: what a process of ours could have of a processor, beside the
 * running processes of others. */
static double share(void)
{
	double processors = (double)sysconf(_SC_NPROCESSORS_ONLN), part;
	FILE *f = fopen("/proc/loadavg", "re");
	unsigned running = 1;
	pid_t pid[MOST];
	size_t ours;

	if (f && fscanf(f, "%*s %*s %*s %u/", &running) != 1)
		running = 1;
	if (f)
		fclose(f);
	ours = 1 + tree_running(pid, tree_list(getpid(), pid, MOST));
	part = processors / (running > ours ? running - (double)ours + 1 : 1);
	return part > 1 ? 1 : part < least_share ? least_share : part;
}

/* Kills all descendants of this process that do not end by themselves soon, the youngest first,
 * until none is left. */
static void end_rest(void)
{
	double end = clock_now() + leaving;
	pid_t pid[MOST];
	size_t n;

	for (;;) {
		while (waitpid(-1, NULL, WNOHANG) > 0)
			;
		if (!(n = tree_list(getpid(), pid, MOST)))
			return;
		if (clock_now() >= end)
			while (n)
				kill(pid[--n], SIGKILL);
		nanosleep(&(struct timespec){ 0, 5000000 }, NULL);
	}
}

/* Is the session inside a function of duct's? After the deadline only a long call counts, so that a
 * script that keeps calling short functions is stopped as well. */
static bool is_at_work(bool in_time)
{
	bool called = watched->calls != watch.calls;

	if (in_time) {
		watch.long_calls = 0;
		return watched->working || called;
	}
	if (!watched->working || called)
		return false;
	if (!watch.long_calls || watched->calls != watch.long_call)
		watch.long_calls++;
	watch.long_call = watched->calls;
	return watch.long_calls <= most_long;
}

/* Updates how long the session has been outside of long calls, and how long it has been building.
 */
static void note_progress(double counted, bool in_time)
{
	watch.silent = is_at_work(in_time) ? 0 : watch.silent + counted;
	watch.calls = watched->calls;
	watch.built = watched->paused ? watch.built + counted : 0;
}

static bool builds_without_end(void)
{
	double seconds = watched->seconds < 1e6 ? watched->seconds : 0;

	return watch.built > building + building_part * seconds;
}

static int stop(const char *why)
{
	fflush(stdout);
	fprintf(stderr,
	    "duct: stopped from outside: %s; what was found until then is in the store\n", why);
	kill(watch.session, SIGKILL);
	end_rest();
	return 4;
}

/* Must the session be killed? Before that, it is told to end at once. */
static bool is_late(void)
{
	double now = clock_now(), most = late + late_part * watched->seconds;
	double more = watched->ending || watched->paused ? writing : 0;
	double counted = (now - watch.last) * share(), run;

	bool in_time = watched->deadline <= 0 || watched->paused || now < watched->deadline;

	watch.told += watch.interrupted ? counted : 0;
	note_progress(counted, in_time);
	if (in_time) {
		watch.over = 0;
		watch.hurried = false;
	} else {
		double since = watch.last > watched->deadline ? watch.last : watched->deadline;
		watch.over += now > watch.last ? counted * (now - since) / (now - watch.last) : 0;
	}
	watch.last = now;
	if (watch.over > most / 2 && !watch.hurried) {
		watch.hurried = true;
		kill(watch.session, SIGUSR1);
	}
	run = watch.silent > most + watched->expected && !watched->ending ? 0 : finishing;
	return watch.over > most + run + more || watch.told > obeying + more;
}

/* Does all of it take more memory than may be taken? What takes most and is not the session itself
 * ends first. */
static bool is_swollen(void)
{
	uint64_t most = budget_machine() / 8 * 7, sum = tree_bytes(watch.session), largest = 0;
	pid_t pid[MOST], victim = 0;
	size_t n = tree_list(watch.session, pid, MOST);

	for (size_t i = 0; i < n; i++) {
		uint64_t own = tree_bytes(pid[i]);

		sum += own;
		if (own > largest) {
			largest = own;
			victim = pid[i];
		}
	}
	if (sum <= most)
		return false;
	if (largest > most / 4)
		return kill(victim, SIGKILL) != 0;
	return true;
}

/* Does it prove or solve? Runs have a limit of their own. */
static bool is_worker(const char *name)
{
	static const char *const names[] = { "prove", "solve", "duct-z3", "berkeley-abc",
		"boolector", "cbmc", "java", "frama-c" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strncmp(name, names[i], 15))
			return true;
	return false;
}

struct child_process {
	pid_t pid; /* 0: there is none */
	uint64_t bytes;
	char name[32];
};

/* The sum of the measure over the session and all workers, and the largest worker. */
static uint64_t sum_workers(uint64_t (*measure)(pid_t), struct child_process *largest)
{
	uint64_t sum = measure(watch.session);
	pid_t pid[MOST];
	size_t n = tree_list(watch.session, pid, MOST);

	*largest = (struct child_process){ 0 };
	for (size_t i = 0; i < n; i++) {
		struct child_process w = { .pid = pid[i] };

		tree_name(w.pid, w.name, sizeof w.name);
		w.bytes = is_worker(w.name) ? measure(w.pid) : 0;
		sum += w.bytes;
		if (w.bytes > largest->bytes)
			*largest = w;
	}
	return sum;
}

/* Kills the largest prover or solver if they and the session exceed their memory limit: the
 * prover's goals, or the solver's query, are then unknown. Pages that forked processes share are
 * counted once, but only where the sum of all is too large, because that takes longer. */
static void limit_workers(void)
{
	struct child_process largest;
	uint64_t most = watched->bytes, sum;

	if (!most || sum_workers(tree_bytes, &largest) <= most)
		return;
	sum = sum_workers(tree_part, &largest);
	if (sum <= most || largest.bytes <= most / 8 || kill(largest.pid, SIGKILL) != 0)
		return;
	fprintf(stderr,
	    "duct: %s was ended: it took %llu MiB, with the session and its other solvers %llu; "
	    "--memory allows %llu\n",
	    largest.name, (unsigned long long)largest.bytes >> 20, (unsigned long long)sum >> 20,
	    (unsigned long long)most >> 20);
}

static int ended(int status)
{
	if (WIFEXITED(status))
		return WEXITSTATUS(status);
	signal(WTERMSIG(status), SIG_DFL);
	fflush(NULL);
	raise(WTERMSIG(status));
	return 128 + WTERMSIG(status);
}

static int look_on(const sigset_t *signals)
{
	const struct timespec pause = { 0, pause_ns };
	siginfo_t info;
	int signal, status;

	for (unsigned i = 0;; i++) {
		signal = sigtimedwait(signals, &info, &pause);
		if (waitpid(watch.session, &status, WNOHANG) == watch.session) {
			if (watch.interrupted)
				end_rest();
			return ended(status);
		}
		if (signal == SIGINT || signal == SIGTERM) {
			watch.interrupted = true;
			if (info.si_code != SI_KERNEL) /* a terminal tells all itself */
				kill(watch.session, signal);
		}
		if (is_late())
			return stop(watch.interrupted ? "it did not end when it was told to"
			                              : "it did not end when its time was over");
		if (builds_without_end())
			return stop("building took more than 10 minutes and ten times --time");
		limit_workers();
		if (i % 4 == 0 && is_swollen())
			return stop("its processes took the memory of the machine");
	}
}

static void none(int signal)
{
	(void)signal;
}

int supervise(int (*work)(void *), void *data)
{
	static const int taken[] = { SIGCHLD, SIGINT, SIGTERM };
	sigset_t signals, before;
	pid_t parent = getpid();

	watched =
	    mmap(NULL, sizeof *watched, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (watched == MAP_FAILED) {
		watched = NULL;
		return work(data);
	}
	sigemptyset(&signals);
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
		sigaddset(&signals, taken[i]);
		signal(taken[i], none); /* what is ignored would not be seen */
	}
	sigprocmask(SIG_BLOCK, &signals, &before);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	watch.last = clock_now();
	if ((watch.session = fork()) > 0)
		return look_on(&signals);
	signal(SIGCHLD, SIG_DFL);
	sigprocmask(SIG_SETMASK, &before, NULL);
	if (watch.session == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(4);
	}
	return work(data);
}
