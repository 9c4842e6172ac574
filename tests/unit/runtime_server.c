/* The fork server, from the other end of the channel: this program starts itself again as a
 * program under test that is woven by hand, and asks it for runs that end in all ways. */
#include "tests/unit/runtime.h"
#include "share/duct.h"
#include <assert.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the program under test */

static uint8_t own[16];
static const uint64_t cases[] = { 3, 7 };
static const struct duct_branch branches[] = {
	{ .first = 0 },
	{ .first = 2, .cases = 2, .value = cases, .kind = DUCT_SWITCH },
};
static struct duct_unit unit __attribute__((section("duct_units"), used)) = {
	.key = 42,
	.cover = own,
	.own = own,
	.branches = 2,
	.outcomes = 5,
	.blocks = 3,
	.branch = branches,
	.name = "by hand",
};

enum scenario {
	RETURN,
	BRANCH,
	SWITCH,
	ABORT,
	ASSERT,
	NULL_WRITE,
	DIVIDE,
	LEAVE_BEHIND,
	EXIT,
	QUICK_EXIT,
	LOOP,
	REJECT,
	ERROR,
	CLOSE_ALL,
	RUBBISH,
	HANG,
	OVERFLOW,
	OWN_HANDLER,
	DEPTH,
	HEAP,
	TOUCH,
	LIMITS,
	SCENARIOS
};

static void block(uint32_t id)
{
	unit.cover[unit.outcomes + id - 1] = 1;
	duct_block_unit = &unit;
	*(volatile uint32_t *)&duct_block = id; /* not sunk out of a loop */
	if (--duct_steps <= 0)
		duct_rt_steps();
}

/* if (x < 10) ...; as woven code */
static bool less(int x, duct_node n, int limit)
{
	bool cond = x < limit;

	n = duct_rt_binary(OP_SLT, 32, n, (uint32_t)x, 0, (uint32_t)limit);
	unit.cover[cond ? 0 : 1] = 1;
	if (n)
		duct_rt_branch(&unit, 1, cond, n);
	return cond;
}

static int overflow(volatile char *p)
{
	volatile char frame[4096];

	frame[0] = p ? *p : 1;
	return frame[0] ? overflow(frame) + frame[0] : 0;
}

static void on_signal(int sig)
{
	(void)sig;
	_exit(33);
}

static void leave_behind(void)
{
	for (int i = 0; i < 3; i++)
		if (fork() == 0) {
			if (i)
				setsid();
			fork();
			for (;;)
				pause();
		}
}

static void heap(int x, duct_node n)
{
	uint8_t *p = malloc(16);
	struct duct_object *o = duct_object_at((uintptr_t)p + 3);
	bool good = o && o->base == (uintptr_t)p && o->size == 16;

	p[0] = (uint8_t)x;
	duct_rt_store(p, 1, 8, duct_rt_unary(OP_EXTRACT, 8, 32, 0, n));
	p = realloc(p, 100000);
	good = good && duct_rt_load(p, 1, 8) && duct_object_at((uintptr_t)p + 99999);
	uintptr_t freed = (uintptr_t)p;
	free(p);
	good = good && !duct_object_at(freed + 5) && !duct_flagged(freed, 8);
	duct_rt_result(good);
}

/* Is a page, one that few runs write, as it was at first? */
static void touch(int x)
{
	static uint8_t pages[64][4096];
	uint8_t *p = pages[x % 64];

	duct_rt_result(*p == 0);
	*p = 1;
}

static void scenario(enum scenario what, int x, duct_node n)
{
	volatile int zero = 0;

	block(1);
	switch (what) {
	case BRANCH: duct_rt_result(less(x, n, 10) + 10 * less(x, n, 10)); break;
	case SWITCH: duct_rt_switch(&unit, 2, (uint32_t)x, 32, n); break;
	case ABORT: block(2); abort();
	case ASSERT: __assert_fail("x > 0", "file.c", 77, "f");
	case NULL_WRITE:
		block(3);
		*(volatile int *)(uintptr_t)zero = 1;
		break;
	case DIVIDE: zero = 100 / zero; break;
	case LEAVE_BEHIND: leave_behind(); break;
	case EXIT: exit(3);
	case QUICK_EXIT: _exit(4);
	case LOOP:
	case HANG:
		for (;;)
			block(2);
	case LIMITS:
		duct_limit("size", "p", 64);
		duct_rt_limit("objects", "", 8);
		duct_limit("size", "p", 64);
		duct_limit("size", "q", 64);
		duct_need("null", "p", 0);
	case REJECT:
		duct_args[0] = duct_rt_unary(
		    OP_ZEXT, 32, 1, 0, duct_rt_binary(OP_SLT, 32, n, (uint32_t)x, 0, 10));
		duct_args_for = (void *)duct_assume;
		duct_assume(x < 10);
		break;
	case ERROR: raise(SIGTERM); break;
	case CLOSE_ALL: close_range(0, ~0u, 0); break;
	case RUBBISH: memset(duct_channel, 0xee, sizeof *duct_channel); break;
	case OVERFLOW: overflow(NULL); break;
	case OWN_HANDLER:
		signal(SIGSEGV, on_signal);
		*(volatile int *)(uintptr_t)zero = 1;
		break;
	case DEPTH:
		for (int i = 0; i < 100; i++)
			less(x, n, i);
		break;
	case HEAP: heap(x, n); break;
	case TOUCH: touch(x); break;
	default: break;
	}
}

static int program(int argc, char **argv, char **envp)
{
	int32_t what, x;

	duct_rt_main(&argc, &argv, &envp);
	duct_rt_input(&what, sizeof what, "what", "i4");
	duct_rt_input(&x, sizeof x, "x", "i4");
	scenario((enum scenario)what, x, duct_rt_load(&x, 4, 32));
	return 0;
}

/* ---- run-trace's side */

static struct channel *ch, clean;
static int control;
static struct channel_answer done;
static pid_t serving;

static void start_server(void)
{
	int fd = memfd_create("channel", 0), pair[2];
	char text[2][32];
	char *env[] = { text[0], text[1], NULL }, *args[] = { (char *)"program", NULL };

	socketpair(AF_UNIX, SOCK_STREAM, 0, pair);
	clean = *test_channel();
	if (ftruncate(fd, (off_t)clean.size) != 0)
		exit(1);
	ch = mmap(NULL, clean.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, fd, 0);
	*ch = clean;
	snprintf(text[0], 32, "DUCT_CHANNEL=%d", fd);
	snprintf(text[1], 32, "DUCT_CONTROL=%d", pair[1]);
	if (fork() == 0) {
		for (int other = 3; other < 1024; other++) /* what this test was started with */
			if (other != fd && other != pair[1])
				close(other);
		execve("/proc/self/exe", args, env);
		_exit(127);
	}
	close(fd);
	close(pair[1]);
	control = pair[0];
}

static bool receive(void *p, size_t n)
{
	return recv(control, p, n, MSG_WAITALL) == (ssize_t)n;
}

/* One run; kills it after `milliseconds` when not 0. */
static bool run(enum scenario what, int32_t x, int milliseconds)
{
	struct channel_go go = { 1 };
	int32_t w = what;

	do {
		*ch = clean;
		give(ch, "what", &w, 4);
		give(ch, "x", &x, 4);
		memset((char *)ch + ch->cover.offset, 0, 16);
		if (send(control, &go, sizeof go, MSG_NOSIGNAL) != sizeof go)
			return false;
		if (milliseconds) {
			usleep((useconds_t)milliseconds * 1000);
			if (recv(control, &done, sizeof done, MSG_DONTWAIT) == sizeof done
			    && done.word == ANSWER_STARTED)
				serving = done.pid;
			kill(serving, SIGKILL);
		}
		do {
			if (!receive(&done, sizeof done))
				return false;
			if (done.word == ANSWER_STARTED)
				serving = done.pid;
		} while (done.word == ANSWER_STARTED);
	} while (done.word == ANSWER_AGAIN);
	return true;
}

static bool exited(int status)
{
	return WIFEXITED(done.status) && WEXITSTATUS(done.status) == status;
}

static bool killed(int sig)
{
	return WIFSIGNALED(done.status) && WTERMSIG(done.status) == sig;
}

static void ends(void)
{
	ok(run(RETURN, 0, 0) && exited(0) && ch->steps == 1 && ch->fault_id == 1,
	    "a run that returns");
	ok(run(BRANCH, 5, 0) && event_count(ch, 0) == 1 && events(ch)[0].kind == EV_BRANCH
	        && events(ch)[0].x == 1 && ch->has_result && ch->result == 11 && ch->finished,
	    "a condition met twice is one event");
	ok(((uint8_t *)ch)[ch->cover.offset] == 1 && ((uint8_t *)ch)[ch->cover.offset + 1] == 0
	        && ((uint8_t *)ch)[ch->cover.offset + 5] == 1,
	    "coverage lies in the channel");
	ok(run(SWITCH, 7, 0) && events(ch)[0].kind == EV_SWITCH && events(ch)[0].x == 1
	        && events(ch)[0].y == 7,
	    "a case");
	ok(run(SWITCH, 8, 0) && events(ch)[0].x == 2, "the default");
	ok(run(ABORT, 0, 0) && killed(SIGABRT) && ch->fault == FAULT_ABORT && ch->fault_id == 2,
	    "abort");
	ok(run(ASSERT, 0, 0) && killed(SIGABRT) && ch->fault == FAULT_ASSERT && ch->fault_line == 77
	        && !strcmp(blob_text(ch, ch->fault_message), "x > 0")
	        && !strcmp(blob_text(ch, ch->fault_file), "file.c"),
	    "a failed assertion");
	ok(run(NULL_WRITE, 0, 0) && killed(SIGSEGV) && ch->fault_address == 0 && ch->fault_id == 3
	        && ch->fault_code,
	    "a write through null");
	ok(run(DIVIDE, 0, 0) && killed(SIGFPE), "a division by zero");
	ok(run(OVERFLOW, 0, 0) && killed(SIGSEGV) && ch->fault_address, "a stack overflow");
	ok(run(OWN_HANDLER, 0, 0) && exited(33), "the program's own handler");
	ok(run(EXIT, 0, 0) && exited(3) && ch->finished, "exit");
	ok(run(QUICK_EXIT, 0, 0) && exited(4) && ch->finished, "_exit");
	ok(run(ERROR, 0, 0) && killed(SIGTERM), "a signal that it sent itself");
}

static void limits(void)
{
	clean.max_steps = 1000;
	ok(run(LOOP, 0, 0) && ch->fault == FAULT_LIMIT && ch->steps == 1000
	        && !strcmp(blob_text(ch, ch->fault_message), "steps"),
	    "a limit on steps");
	clean.max_steps = 0;
	clean.max_depth = 20;
	ok(run(DEPTH, 1000, 0) && ch->fault == FAULT_LIMIT
	        && !strcmp(blob_text(ch, ch->fault_message), "depth"),
	    "a limit on depth");
	clean.max_depth = 0;
	ok(run(HANG, 0, 200) && killed(SIGKILL) && ch->fault_id == 2 && ch->steps > 1000,
	    "a killed run says where it was");
	ok(run(REJECT, 10, 0) && ch->fault == FAULT_REJECTED && events(ch)[0].kind == EV_ASSUME
	        && events(ch)[0].x == 0,
	    "an assumption that fails");
	ok(run(LIMITS, 0, 0) && ch->fault == FAULT_NEED && event_count(ch, EV_LIMIT) == 3
	        && event_count(ch, EV_NEED) == 1 && events(ch)[0].x == 64
	        && !strcmp(blob_text(ch, events(ch)[0].y), "size p")
	        && !strcmp(blob_text(ch, events(ch)[1].y), "objects ")
	        && !strcmp(blob_text(ch, events(ch)[2].y), "size q")
	        && !strcmp(blob_text(ch, events(ch)[3].y), "null p"),
	    "limits, each once, and a need, which ends the run");
	ok(run(REJECT, 9, 0) && ch->fault == FAULT_NONE && events(ch)[0].x == 1 && exited(0),
	    "and one that holds");
}

static void harm(void)
{
	ok(run(LEAVE_BEHIND, 0, 0) && exited(0) && done.left_behind >= 3,
	    "what is left behind is killed");
	ok(run(CLOSE_ALL, 0, 0) && exited(0), "closing all descriptors");
	ok(run(RUBBISH, 0, 0), "rubbish in the channel");
	ok(run(HEAP, 7, 0) && ch->result == 1, "heap objects and their shadow");
	ok(run(RETURN, 0, 0) && exited(0) && event_count(ch, 0) == 0, "the server goes on");
}

/* Does this kernel, or what confines us, let a process watch its system calls and its pages? */
static bool can_rewind(void)
{
	struct sock_filter allow = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	struct sock_fprog program = { 1, &allow };
	int status = 1;

	if (fork() == 0)
		_exit(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
		    || syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW,
		        &program)
		    || open("/proc/thread-self/smaps", O_RDONLY) < 0
		    || open("/proc/thread-self/pagemap", O_RDONLY) < 0);
	wait(&status);
	return status == 0;
}

static bool pages_come_back(void)
{
	for (int i = 0; i < 200; i++)
		if (!run(TOUCH, i * i, 0) || !exited(0) || ch->result != 1)
			return false;
	return true;
}

static void rewinding(void)
{
	pid_t first = 0, second;

	if (!can_rewind()) {
		printf("# no process can be rewound here: each run has its own\n");
		return;
	}

	ok(run(BRANCH, 5, 0) && (first = serving, run(BRANCH, 12, 0)) && serving == first
	        && ch->result == 0 && event_count(ch, 0) == 1 && events(ch)[0].x == 0,
	    "a process serves a second run");
	ok(run(HEAP, 7, 0) && ch->result == 1 && run(REJECT, 10, 0) && ch->fault == FAULT_REJECTED
	        && run(HEAP, 7, 0) && ch->result == 1 && serving == first,
	    "and more");
	ok(pages_come_back() && serving == first,
	    "each run finds its memory as it was, whatever pages others wrote");
	ok(run(NULL_WRITE, 0, 0) && killed(SIGSEGV) && run(RETURN, 0, 0) && exited(0)
	        && serving != first,
	    "not after a fault");
	second = serving;
	ok(run(CLOSE_ALL, 0, 0) && exited(0) && serving != second, "not one that asks for more");
	first = serving;
	ok(run(RETURN, 0, 0) && exited(0) && serving != first, "whose process ends with it");
}

static void speed(void)
{
	struct timespec a, b;
	uint64_t cpu = 0;
	int n = 300;

	clock_gettime(CLOCK_MONOTONIC, &a);
	for (int i = 0; i < n; i++) {
		run(BRANCH, i, 0);
		cpu += done.cpu_us;
	}
	clock_gettime(CLOCK_MONOTONIC, &b);
	printf("# %.0f us a run, wall clock; %.0f us in the child\n",
	    ((double)(b.tv_sec - a.tv_sec) * 1e9 + (double)(b.tv_nsec - a.tv_nsec)) / 1e3 / n,
	    (double)cpu / n);
}

int main(int argc, char **argv, char **envp)
{
#ifdef __SANITIZE_ADDRESS__
	printf("1..0 # SKIP shadow memory lies where the sanitizer's does\n");
	return 0;
#endif
	if (getenv("DUCT_CHANNEL"))
		return program(argc, argv, envp);
	start_server();
	if (!receive(&(struct channel_hello){ 0 }, sizeof(struct channel_hello))) {
		ok(false, "hello");
		return finish();
	}
	ok(ch->unit.used == sizeof(struct channel_unit)
	        && ((struct channel_unit *)((char *)ch + ch->unit.offset))->key == 42,
	    "hello, with the units");
	clean.unit = ch->unit;
	clean.cover = ch->cover;
	rewinding(); /* while no run has ended badly */
	ends();
	limits();
	harm();
	speed();
	close(control);
	ok(wait(NULL) > 0, "the server ends with its socket");
	return finish();
}
