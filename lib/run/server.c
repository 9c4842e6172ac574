/* server: starts the program under test as a fork server and runs it once per request. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/run/internal.h"
#include "lib/base/grow.h"
#include "lib/base/clock.h"
#include "lib/base/tree.h"
#include "lib/base/utf8.h"
#include "lib/protocol/abi.h"

#define HELLO_SECONDS 10
#define LOOK_MS 250 /* between two looks at what it takes until then */
#define SPARE_PROCESSES 512
#define SERVER_BYTES ((uint64_t)256 << 20)

extern char **environ;

/* The run's environment has only those variables of ours that locate programs and libraries. */
static char **make_environment(const char *scratch)
{
	static const char *const inherited[] = { "PATH", "LD_LIBRARY_PATH", "ASAN_OPTIONS",
		"UBSAN_OPTIONS" };
	char **env = zeroed(12, sizeof *env);
	const char *value;
	size_t i, n = 0;

	env[n++] = formatted("DUCT_CHANNEL=%d", SERVER_CHANNEL_FD);
	env[n++] = formatted("DUCT_CONTROL=%d", SERVER_CONTROL_FD);
	env[n++] = formatted("HOME=%s", scratch);
	env[n++] = copied("LC_ALL=C");
	env[n++] = copied("TZ=UTC0");
	for (i = 0; i < sizeof inherited / sizeof *inherited; i++)
		if ((value = getenv(inherited[i])))
			env[n++] = formatted("%s=%s", inherited[i], value);
	return env;
}

static char **make_arguments(const struct runner *r)
{
	size_t n = 0, i;
	char **argv;

	while (r->o.argv && r->o.argv[n])
		n++;
	argv = zeroed(n + 2, sizeof *argv);
	argv[0] = (char *)"program"; /* the same in every session, and in its tests */
	for (i = 0; i < n; i++)
		argv[i + 1] = r->o.argv[i];
	return argv;
}

static void free_list(char **list)
{
	size_t i;

	for (i = 0; list && list[i]; i++)
		free(list[i]);
	free(list);
}

/* The number of processes that a user may have when a run has as many as it may: RLIMIT_NPROC
 * counts all of them, but for root. 0: no limit. */
static uint64_t most_processes(void)
{
	FILE *f =
	    geteuid() ? popen("ps -L -u \"$(id -u)\" -o lwp= 2>/dev/null | wc -l", "re") : NULL;
	unsigned long n = 0;

	if (f) {
		if (fscanf(f, "%lu", &n) != 1)
			n = 0;
		pclose(f);
	}
	return n ? n + SPARE_PROCESSES : 0;
}

static int fork_keeper(
    struct runner *r, char **argv, char **envp, int keeper[2], int control[2], char **error)
{
	struct launch l = {
		.program = r->program,
		.argv = argv,
		.envp = envp,
		.scratch_path = r->scratch,
		.own_scratch = r->own_scratch,
		.confine = r->o.confine,
		.scratch_fd = r->place_fd,
		.in_fd = r->in_fd,
		.out_fd = r->out_fd,
		.err_fd = r->err_fd,
		.channel_fd = r->channel.fd,
		.control_fd = control[1],
		.flows_fd = r->flows.fd,
		.output = r->o.output,
		.memory = r->o.memory,
		.processes = most_processes(),
		.stacks = r->o.stacks,
		.witness = r->witness.shared,
		.group = &r->server.group,
	};

	if ((r->server.keeper = fork()) < 0)
		return run_fail(error, "cannot fork: %s", strerror(errno));
	if (r->server.keeper == 0)
		keeper_main(&l, keeper[1]);
	return 0;
}

static int launch(struct runner *r, char **error)
{
	int keeper[2] = { -1, -1 }, control[2] = { -1, -1 }, result = -1;
	char **argv = make_arguments(r), **envp = make_environment(r->scratch);

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, keeper)
	    || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, control))
		run_fail(error, "cannot make a socket: %s", strerror(errno));
	else
		result = fork_keeper(r, argv, envp, keeper, control, error);
	r->server.keeper_fd = keeper[0];
	r->server.control = control[0];
	if (keeper[1] >= 0)
		close(keeper[1]);
	if (control[1] >= 0)
		close(control[1]);
	free(argv);
	free_list(envp);
	return result;
}

/* The first line that the program printed before it died: a missing library, for instance. */
static void first_line(const struct runner *r, char *buf, size_t size)
{
	ssize_t n = pread(r->err_fd, buf, size - 1, 0);

	buf[n > 0 ? n : 0] = 0;
	buf[strcspn(buf, "\n")] = 0;
	utf8_tidy(buf);
}

static int not_instrumented(struct runner *r, const char *how, int value, char **error)
{
	char line[200];

	first_line(r, line, sizeof line);
	if (value == 4 && shared_few_addresses()) /* the runtime's status for it */
		return run_fail(error,
		    "%s: %s %d at its start, where it reserves %llu TiB of addresses: they are limited to %llu MiB, see ulimit -v",
		    r->o.program, how, value, (unsigned long long)DUCT_FLAGS_SIZE >> 40,
		    (unsigned long long)shared_few_addresses());
	return run_fail(error,
	    "%s: not an instrumented program, or one that fails at start: %s %d "
	    "before its first message%s%s",
	    r->o.program, how, value, *line ? ": " : "", line);
}

/* Reads a note, and the descriptors of the view that may come with it. */
static bool read_note(int fd, struct keeper_note *n, struct run_folders *v)
{
	struct iovec part = { n, sizeof *n };
	union {
		struct cmsghdr head;
		char room[CMSG_SPACE(sizeof *v)];
	} rights;
	struct msghdr m = { .msg_iov = &part,
		.msg_iovlen = 1,
		.msg_control = &rights,
		.msg_controllen = sizeof rights };

	*v = NO_VIEW;
	if (recvmsg(fd, &m, MSG_CMSG_CLOEXEC) != sizeof *n)
		return false;
	if (m.msg_controllen >= CMSG_LEN(sizeof *v) && rights.head.cmsg_type == SCM_RIGHTS
	    && rights.head.cmsg_len == CMSG_LEN(sizeof *v))
		memcpy(v, CMSG_DATA(&rights.head), sizeof *v);
	return true;
}

/* Handles a note of the keeper that comes before the program's hello. 0: go on waiting. */
static int early_note(struct runner *r, char **error)
{
	struct run_folders v;
	struct keeper_note n;

	if (!read_note(r->server.keeper_fd, &n, &v))
		return run_fail(
		    error, "%s: the process that watches the program died", r->o.program);
	switch (n.kind) {
	case NOTE_STARTED: r->server.pid = n.value; return 0;
	case NOTE_CONFINED:
		r->open = (unsigned)n.value | (r->open & OPEN_CLAIMS);
		confine_names(r->open, r->open_names, sizeof r->open_names);
		scratch_view(r, &v, n.files);
		r->server.confined = true;
		return 0;
	case NOTE_NO_EXEC:
		return run_fail(error, "%s: cannot run: %s", r->o.program, strerror(n.value));
	default:
		return WIFEXITED(n.value) ? not_instrumented(r, "exit", WEXITSTATUS(n.value), error)
		                          : not_instrumented(r, "signal", WTERMSIG(n.value), error);
	}
}

static void set_timeout(int fd, double seconds)
{
	struct timespec span = clock_timespec(seconds < 0.001 ? 0.001 : seconds);
	struct timeval t = { span.tv_sec, span.tv_nsec / 1000 };
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &t, sizeof t);
}

static int read_hello(struct runner *r, char **error)
{
	struct channel_hello h = { 0 };
	ssize_t n;

	set_timeout(r->server.control, 1); /* the rest of it may never come */
	n = recv(r->server.control, &h, sizeof h, MSG_WAITALL);
	if (n == 0 || (n < 0 && errno == ECONNRESET))
		return 1; /* it died: a note of the keeper says how */
	if (n != sizeof h || h.magic != CHANNEL_MAGIC)
		return run_fail(error,
		    "%s: its first message is not that of an instrumented program", r->o.program);
	if (h.version != CHANNEL_VERSION)
		return run_fail(error,
		    "%s: instrumented by another version of duct (channel %u, not %u)",
		    r->o.program, h.version, CHANNEL_VERSION);
	return shared_units(&r->channel, h.units, error);
}

/* Do constructors of the program take more than a run may? */
static bool start_is_over(const struct runner *r)
{
	return tree_bytes(r->server.pid) > r->o.memory + SERVER_BYTES || room_is_over(r);
}

static int wait_hello(struct runner *r, char **error)
{
	struct pollfd p[2] = {
		{ .fd = r->server.keeper_fd, .events = POLLIN },
		{ .fd = r->server.control, .events = POLLIN },
	};
	double end = clock_now() + HELLO_SECONDS;
	int result;

	while (clock_now() < end) {
		if ((result = poll(p, 2, LOOK_MS)) < 0 && errno != EINTR)
			return run_fail(error, "cannot wait: %s", strerror(errno));
		if (result <= 0 && r->server.pid > 0 && start_is_over(r))
			return run_fail(error,
			    "%s: before its first message it takes more memory than a run may take, or has too many processes",
			    r->o.program);
		if (p[0].revents && early_note(r, error))
			return -1;
		if (p[1].revents && r->server.pid > 0 && r->server.confined) {
			if ((result = read_hello(r, error)) <= 0)
				return result;
			p[1].fd = -1;
		}
	}
	return run_fail(error, "%s: not an instrumented program: no message within %d seconds",
	    r->o.program, HELLO_SECONDS);
}

static uint64_t address_space(pid_t pid)
{
	unsigned long long pages = 0;
	char path[40];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	if ((f = fopen(path, "re"))) {
		if (fscanf(f, "%llu", &pages) != 1)
			pages = 0;
		fclose(f);
	}
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* A limit that is relative to what the server uses at its start: its forks inherit it. */
static void limit_runs(const struct runner *r)
{
	uint64_t used = address_space(r->server.pid);
	struct rlimit l;

	if (!used || prlimit(r->server.pid, RLIMIT_AS, NULL, &l) || used + r->o.memory > l.rlim_max)
		return;
	l.rlim_cur = l.rlim_max = used + r->o.memory;
	prlimit(r->server.pid, RLIMIT_AS, &l, NULL);
}

/* More than all that room_is_over looks at may take, and the server. */
static void make_groups(struct runner *r)
{
	uint64_t run = r->o.memory + r->o.memory / 20;

	if (r->o.confine != CONFINE_NONE)
		cgroup_make(
		    &r->server.group, 2 * run + SHRINK_ABOVE + 128 * r->o.output + SERVER_BYTES);
}

int server_start(struct runner *r, char **error)
{
	make_groups(r);
	if (shared_reset(&r->channel, NULL, error) || launch(r, error) || wait_hello(r, error)) {
		server_stop(&r->server);
		return -1;
	}
	limit_runs(r);
	r->server.kernel = cgroup_kernel(&r->server.group);
	r->server.look = 0;
	return 0;
}

void server_stop(struct fork_server *s)
{
	if (s->control >= 0)
		close(s->control);
	if (s->keeper > 0) {
		(void)!send(s->keeper_fd, &(char){ WORD_END }, 1, MSG_NOSIGNAL);
		while (waitpid(s->keeper, NULL, 0) < 0 && errno == EINTR)
			;
	}
	if (s->keeper_fd >= 0)
		close(s->keeper_fd);
	cgroup_remove(&s->group);
	*s = NO_SERVER;
}

/* Asks the keeper; false: it says no, or does not answer. */
static bool ask_keeper(struct runner *r, enum keeper_word word)
{
	struct pollfd p = { .fd = r->server.keeper_fd, .events = POLLIN };
	char byte = (char)word;
	struct keeper_note n;
	struct run_folders v;

	if (send(p.fd, &byte, 1, MSG_NOSIGNAL) != 1)
		return false;
	do {
		int ready;
		do
			ready = poll(&p, 1, PACE_DEATH * 1000);
		while (ready < 0 && errno == EINTR); /* the session was interrupted */
		if (ready != 1 || !read_note(p.fd, &n, &v))
			return false;
	} while (n.kind != NOTE_TRACED && n.kind != NOTE_ENDED);
	return n.kind == NOTE_TRACED && n.value == 0;
}

bool server_trace(struct runner *r)
{
	if (r->server.keeper > 0 && ask_keeper(r, WORD_TRACE))
		return true;
	server_stop(&r->server); /* where it has not ended with the last run */
	return !server_start(r, NULL) && ask_keeper(r, WORD_TRACE);
}

void server_let_go(struct runner *r)
{
	if (r->server.keeper > 0 && !ask_keeper(r, WORD_LET_GO))
		server_stop(&r->server);
}

/* A read of `control` gives up after this many seconds. */
static void look_after(struct fork_server *s, double seconds)
{
	if (seconds != s->look) /* the same for most runs */
		set_timeout(s->control, seconds);
	s->look = seconds;
}

/* Receives the next answer. False, with the bytes received so far in *have, if the run has used up
 * its time (p), the scratch directory is too full, too much memory is taken, or the server is gone
 * (*gone). */
static bool receive(
    struct runner *r, struct channel_answer *a, size_t *have, struct pace *p, bool *gone)
{
	ssize_t n;

	*gone = false;
	while (*have < sizeof *a && !*gone) {
		n = recv(r->server.control, (char *)a + *have, sizeof *a - *have, MSG_WAITALL);
		if (n > 0)
			*have += (size_t)n;
		else if (n == 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK))
			*gone = true;
		if (n >= 0 || *gone)
			continue;
		if (!r->overfull && !r->swollen) {
			r->overfull = scratch_is_overfull(r);
			r->swollen = room_is_over(r);
			if (r->overfull || r->swollen)
				break;
		}
		if (pace_over(p, r))
			break;
		look_after(&r->server, pace_look(p));
	}
	if (*have < sizeof *a)
		return false;
	*have = 0;
	return true;
}

/* Until the run is over, and killed when it takes too long. */
static bool await(
    struct runner *r, struct channel_answer *a, bool *started, bool *timed_out, struct pace *p)
{
	enum { MOST_STARTS = 16 }; /* processes that the server makes for a run: two are usual */
	unsigned starts = 0;
	size_t have = 0;
	bool gone;

	look_after(&r->server, pace_look(p));
	do {
		if (starts++ > MOST_STARTS) /* not our server: it would never be late */
			return false;
		while (!receive(r, a, &have, p, &gone)) {
			if (gone || *timed_out)
				return false;
			*timed_out = true;
			kill_children(r->server.pid); /* its own number of the run is not ours */
			pace_killed(p);
		}
		*started |= a->word == ANSWER_STARTED;
	} while (a->word == ANSWER_STARTED);
	return true;
}

/* Has the kernel killed a process since the last time, for the memory of all together? */
static bool killed_for_room(struct fork_server *s)
{
	uint64_t before = s->kills;

	s->kills = cgroup_kills(&s->group);
	return s->kills > before;
}

enum server_result server_run(struct runner *r, struct channel_answer *done, bool *timed_out)
{
	struct channel_go go = { ++r->runs };
	bool started = false, answered;
	struct pace pace;

	*timed_out = r->overfull = r->swollen = false;
	r->late = LATE_NOT;
	pace_begin(&pace, r);
	if (send(r->server.control, &go, sizeof go, MSG_NOSIGNAL) != sizeof go)
		return SERVER_IDLE;
	answered = await(r, done, &started, timed_out, &pace);
	r->took = pace_took(&pace, answered ? (double)done->cpu_us * 1e-6 : 0);
	if (!answered || WIFSIGNALED(done->status))
		r->swollen |= killed_for_room(&r->server);
	if (!answered)
		return started || *timed_out ? SERVER_LOST : SERVER_IDLE;
	/* It ended by itself just then: the signal may have killed a process that serves others. */
	if (done->word == ANSWER_LAST || (*timed_out && !WIFSIGNALED(done->status)))
		server_stop(&r->server);
	return done->word == ANSWER_AGAIN ? SERVER_AGAIN : SERVER_RAN;
}
