/* run: every fault of a program under test is survived and named. This program is both the
 * test and, when a channel is in its environment, a small fork server whose runs misbehave
 * as its first argument says. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/protocol/op.h"
#include "lib/run/run.h"
#include "tests/unit/tap.h"

static struct channel *ch;

/* ---- the server */

static void *area(struct channel_area *a)
{
	return (char *)ch + a->offset;
}

static void put_node(uint8_t op, uint16_t width, uint32_t a, uint32_t b, uint64_t value)
{
	struct channel_node n = { .op = op, .width = width, .a = a, .b = b, .value = value };

	memcpy((char *)area(&ch->node) + ch->node.used, &n, sizeof n);
	ch->node.used += sizeof n;
}

static uint64_t put_text(const char *s)
{
	uint64_t at = ch->blob.used;

	strcpy((char *)area(&ch->blob) + at, s);
	ch->blob.used += strlen(s) + 1;
	return at;
}

/* Value of an input, little endian, or 0. */
static uint64_t input(const char *name)
{
	char *p = area(&ch->input), *end = p + ch->input.used;
	struct channel_input h;
	uint64_t v = 0;

	for (; p < end; p += (sizeof h + h.name_len + h.size + 7) & ~7u) {
		memcpy(&h, p, sizeof h);
		if (strlen(name) == h.name_len && !memcmp(p + sizeof h, name, h.name_len))
			memcpy(&v, p + sizeof h + h.name_len, h.size < 8 ? h.size : 8);
	}
	return v;
}

/* x is an input; one branch: x == 7. */
static void record(void)
{
	uint64_t x = input("x");
	struct channel_var v = { .name = put_text("x"), .kind = 'i', .width = 32 };
	struct channel_event e = { .kind = EV_BRANCH, .id = 1, .node = 3, .x = x == 7 };

	memcpy(v.value, &x, 4);
	memcpy(area(&ch->var), &v, sizeof v);
	ch->var.used = sizeof v;
	put_node(OP_INPUT, 32, 0, 0, x);
	put_node(OP_CONST, 32, 0, 0, 7);
	put_node(OP_EQ, 1, 1, 2, x == 7);
	memcpy(area(&ch->event), &e, sizeof e);
	ch->event.used = sizeof e;
	((uint8_t *)area(&ch->cover))[x != 7] = 1;
	((uint8_t *)area(&ch->cover))[2] = 1;
}

static void leave_children(void)
{
	int i;

	for (i = 0; i < 5; i++)
		if (fork() == 0) {
			setsid();
			signal(SIGTERM, SIG_IGN);
			if (fork() == 0)
				setsid();
			for (;;)
				pause();
		}
}

static void fork_bomb(void)
{
	struct rlimit l = { 200, 200 };

	setrlimit(RLIMIT_NPROC, &l);
	while (__atomic_add_fetch(&ch->forks, 1, __ATOMIC_SEQ_CST) < ch->max_forks)
		if (fork() == 0)
			setsid();
	for (;;)
		pause();
}

static void on_signal(int s, siginfo_t *i, void *context)
{
	(void)context;
	ch->fault_code = i->si_code ? i->si_code : -1;
	ch->fault_address = (uint64_t)(uintptr_t)i->si_addr;
	signal(s, SIG_DFL);
	raise(s);
}

static void catch_faults(void)
{
	struct sigaction a = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGSEGV, &a, NULL);
	sigaction(SIGFPE, &a, NULL);
	sigaction(SIGBUS, &a, NULL);
}

/* A search for leaks at the end needs system calls that the confinement of runs refuses. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}

/* The fault has to be the kernel's, not be caught by a sanitizer. */
#define FAULTY __attribute__((no_sanitize_undefined))

static void FAULTY eat_memory(void)
{
	for (;;) {
		char *p =
		    mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED) {
			ch->refused++;
			p = NULL;
		}
		memset(p, 1, 1 << 20);
	}
}

static void make_files(void)
{
	int i;

	if (access("f", F_OK) == 0)
		_exit(9);
	for (i = 0; i < 100; i++) {
		if (mkdir("d", 0755) || chdir("d"))
			_exit(8);
		close(open("f", O_CREAT | O_WRONLY, 0600));
	}
	if (chmod(".", 0))
		_exit(7);
}

static volatile int zero;

static int FAULTY behave(const char *how)
{
	if (!strcmp(how, "exit"))
		return 3;
	if (!strcmp(how, "null"))
		return *(volatile int *)(uintptr_t)(zero + 16);
	if (!strcmp(how, "wild"))
		return *(volatile int *)(uintptr_t)0x4141414141414141;
	if (!strcmp(how, "division"))
		return 100 / zero;
	if (!strcmp(how, "abort"))
		fputs("first\nit went wrong\n", stderr), abort();
	if (!strcmp(how, "kill"))
		kill(getpid(), SIGKILL);
	if (!strcmp(how, "term"))
		kill(getpid(), SIGTERM);
	if (!strcmp(how, "segv"))
		kill(getpid(), SIGSEGV);
	if (!strcmp(how, "stop"))
		kill(getpid(), SIGSTOP);
	if (!strcmp(how, "hang"))
		for (signal(SIGTERM, SIG_IGN);;)
			;
	if (!strcmp(how, "flood"))
		while (write(1, "all work and no play\n", 21) > 0)
			;
	if (!strcmp(how, "quiet-flood"))
		for (signal(SIGXFSZ, SIG_IGN); write(1, "all work and no play\n", 21) > 0;)
			;
	if (!strcmp(how, "disk-flood"))
		for (int fd = open("big", O_CREAT | O_WRONLY, 0600); write(fd, "x", 1) > 0;)
			;
	if (!strcmp(how, "memory"))
		eat_memory();
	if (!strcmp(how, "bomb"))
		fork_bomb();
	if (!strcmp(how, "children"))
		leave_children();
	if (!strcmp(how, "close"))
		for (int fd = 0; fd < 1024; fd++)
			close(fd);
	if (!strcmp(how, "assert"))
		ch->fault = FAULT_ASSERT, ch->fault_message = put_text("x > 0"),
		ch->fault_line = 12, abort();
	if (!strcmp(how, "scribble"))
		memset((char *)ch + 4096, 0xee, 1 << 20), memset(ch, 0xee, sizeof *ch);
	if (!strcmp(how, "nodes"))
		memset((char *)ch + ch->node.offset, 0xee, 1 << 20);
	if (!strcmp(how, "names"))
		memset((char *)ch + ch->var.offset, 0xee, 64);
	if (!strcmp(how, "parent"))
		kill(getppid(), SIGKILL), pause();
	if (!strcmp(how, "files"))
		make_files();
	if (!strcmp(how, "rmdir")) {
		char path[4096];

		if (!getcwd(path, sizeof path) || rmdir(path))
			return 9;
	}
	if (!strcmp(how, "echo")) {
		char buf[64];
		ssize_t n = read(0, buf, sizeof buf);

		return write(1, buf, (size_t)n) == n ? (int)n : 99;
	}
	if (!strcmp(how, "once")) /* dies with its server: only the first run is served */
		return 0;
	return 0;
}

static void kill_rest(uint32_t *left)
{
	char path[64], *p, buf[4096];
	ssize_t n;
	int fd;

	snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
	while (waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD) {
		fd = open(path, O_RDONLY);
		n = read(fd, buf, sizeof buf - 1);
		close(fd);
		buf[n > 0 ? n : 0] = 0;
		for (p = buf; *p; p += strspn(p, " ")) {
			if (!kill((pid_t)strtol(p, &p, 10), SIGKILL))
				++*left;
		}
		usleep(1000);
	}
}

static int serve(const char *how)
{
	int fd = atoi(getenv("DUCT_CHANNEL")), control = atoi(getenv("DUCT_CONTROL")), status;
	struct channel_unit u = { .key = 0xabc, .branches = 1, .outcomes = 2, .blocks = 1 };
	struct channel_hello hello = { CHANNEL_MAGIC, CHANNEL_VERSION, 1, 0 };
	struct channel_answer started = { .word = ANSWER_STARTED }, done;
	struct channel_go go;
	struct stat st;
	pid_t pid;

	fstat(fd, &st);
	ch = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	memcpy(area(&ch->unit), &u, sizeof u);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (write(control, &hello, sizeof hello) != sizeof hello)
		return 1;
	while (read(control, &go, sizeof go) == sizeof go) {
		if ((pid = fork()) == 0) {
			setsid();
			catch_faults();
			record();
			exit(behave(how));
		}
		started.pid = pid;
		send(control, &started, sizeof started, MSG_NOSIGNAL);
		waitpid(pid, &status, 0);
		done = (struct channel_answer){ .word = ANSWER_DONE, .status = status };
		kill_rest(&done.left_behind);
		send(control, &done, sizeof done, MSG_NOSIGNAL);
		if (!strcmp(how, "once"))
			return 0;
	}
	return 0;
}

/* ---- the test */

static struct run_options with(char **argv)
{
	return (struct run_options){ .program = "/proc/self/exe",
		.argv = argv,
		.timeout = 0.4,
		.memory = 64 << 20,
		.output = 100000 };
}

/* Is PROGRAM running with HOW as its first argument? */
static bool alive_anywhere(const char *program, const char *how)
{
	char path[300], line[4300], exe[4300];
	ssize_t size;
	DIR *d = opendir("/proc");
	struct dirent *e;
	bool found = false;
	size_t n;
	FILE *f;

	while (!found && (e = readdir(d))) {
		snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
		if (!(f = fopen(path, "r")))
			continue;
		n = fread(line, 1, sizeof line - 2, f);
		fclose(f);
		line[n] = line[n + 1] = 0;
		snprintf(path, sizeof path, "/proc/%s/exe", e->d_name);
		size = readlink(path, exe, sizeof exe - 1);
		exe[size > 0 ? size : 0] = 0;
		found = !strcmp(exe, program) && !strcmp(line + strlen(line) + 1, how);
	}
	closedir(d);
	return found;
}

/* Two runs: the first fault must not spoil the second run. */
static void fault_at(
    enum run_confine level, const char *program, const char *how, enum trace_end end, int code)
{
	char *argv[] = { (char *)how, NULL };
	struct run_options o = with(argv);
	struct input in = { .id = 5 };
	struct trace t;
	char *error = NULL;
	struct runner *r;
	int i;

	o.confine = level;
	o.program = program;
	o.timeout = end == END_TIMEOUT ? 0.4 : 20;
	if (!(r = run_open(&o, &error))) {
		okf(false, "%s: %s", how, error);
		free(error);
		return;
	}
	for (i = 0; i < 2; i++) {
		if (run_input(r, &in, &t, &error)) {
			okf(false, "%s: run %d: %s", how, i + 1, error);
			free(error);
			break;
		}
		okf(t.end == end
		        && (end == END_EXIT ? t.exit_status
		                   : code   ? t.signal
		                            : 0)
		            == code,
		    "%s: run %d ended by %s %d (left %d)", how, i + 1, trace_end_name(t.end),
		    end == END_EXIT ? t.exit_status : t.signal, (int)t.left_behind);
		trace_clear(&t);
	}
	run_close(r);
	okf(!alive_anywhere(program, how), "%s: nothing is left", how);
}

static void fault(const char *program, const char *how, enum trace_end end, int code)
{
	fault_at(CONFINE_FULL, program, how, end, code);
}

static void values(const char *program)
{
	char *argv[] = { "exit", NULL };
	struct run_options o = with(argv);
	struct input in = { .id = 9 };
	struct trace t;
	char *error = NULL;
	uint64_t n, h;
	struct runner *r;

	o.program = program;
	if (!(r = run_open(&o, &error))) {
		okf(false, "cannot open: %s", error);
		return;
	}
	input_add(&in, "x", 'i', 32, (struct value){ 6, 0 });
	run_input(r, &in, &t, &error);
	okf(t.id == 9 && t.nodes == 3 && t.events == 1 && t.covers == 1 && t.cover[0].outcome == 1
	        && t.blocks == 1 && t.block[0].block == 1 && !strcmp(t.var[0].name, "x")
	        && t.var[0].value.lo == 6 && t.promise == PROMISE_NONE,
	    "a trace is complete");
	h = trace_expect(&t, 0, 1, &n);
	trace_clear(&t);
	in.v[0].value.lo = 7;
	in.expect = n;
	in.expect_hash = h;
	run_input(r, &in, &t, &error);
	okf(t.event[0].x == 1 && t.promise == PROMISE_KEPT, "a promise is kept");
	trace_clear(&t);
	in.v[0].value.lo = 8;
	run_input(r, &in, &t, &error);
	okf(t.promise == PROMISE_MISSED, "a promise is missed");
	trace_clear(&t);
	input_clear(&in);
	run_close(r);
}

static void standard_input(const char *program)
{
	char *argv[] = { "echo", NULL };
	struct run_options o = with(argv);
	struct input in = { .id = 1 };
	struct trace t;
	char *error = NULL;
	struct runner *r;

	o.program = program;
	o.stdin_size = 4;
	if (!(r = run_open(&o, &error))) {
		okf(false, "cannot open: %s", error);
		return;
	}
	input_add(&in, "stdin[1]", 'c', 8, (struct value){ 'b', 0 });
	input_add(&in, "stdin[0]", 'c', 8, (struct value){ 'a', 0 });
	input_add(&in, "stdin.len", 'u', 64, (struct value){ 3, 0 });
	run_input(r, &in, &t, &error);
	okf(t.exit_status == 3 && t.output_size == 3 && !memcmp(t.output, "ab", 3),
	    "bytes of standard input");
	trace_clear(&t);
	in.v[2].value.lo = 1;
	run_input(r, &in, &t, &error);
	okf(t.exit_status == 1 && t.output_size == 1, "length of standard input");
	trace_clear(&t);
	input_clear(&in);
	run_close(r);
}

static size_t descriptors(void)
{
	size_t n = 0;
	int fd;

	for (fd = 0; fd < 1000; fd++)
		n += fcntl(fd, F_GETFD) >= 0;
	return n;
}

static void refusal(const char *program, const char *file, const char *want)
{
	const char *files[] = { file, NULL };
	struct run_options o = { .program = program, .file = file ? files : NULL };
	char *error = NULL;
	struct runner *r = run_open(&o, &error);

	okf(!r && error && strstr(error, want), "%s", error ? error : "no error");
	free(error);
}

static void refusals(void)
{
	refusal("/bin/true", NULL, "not an instrumented program");
	refusal("/nowhere/at/all", NULL, "No such file");
	refusal("/etc/passwd", NULL, "ermission denied");
	refusal("/bin/true", "a/b=3", "scratch directory");
	refusal("/bin/true", "a", "NAME=SIZE");
	refusal("/bin/true", "a=9x", "not a number");
}

/* A tool that is killed takes its server and its scratch directory along. */
static void killed_tool(const char *program)
{
	char dir[] = "/tmp/duct-test-XXXXXX", *argv[] = { "hang", NULL };
	struct run_options o = with(argv);
	struct input in = { .id = 1 };
	struct trace t;
	int i;
	pid_t pid;

	okf(mkdtemp(dir) != NULL, "a directory");
	setenv("TMPDIR", dir, 1);
	o.timeout = 20;
	o.program = program;
	if ((pid = fork()) == 0) {
		struct runner *r = run_open(&o, NULL);

		if (r)
			run_input(r, &in, &t, NULL);
		_exit(1);
	}
	for (i = 0; i < 500 && !alive_anywhere(program, "hang"); i++)
		usleep(20000);
	usleep(100000);
	okf(alive_anywhere(program, "hang"), "a run hangs");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	for (i = 0; i < 100 && rmdir(dir); i++)
		usleep(20000);
	okf(!alive_anywhere(program, "hang"), "the run died with its tool");
	okf(i < 100, "the scratch directory went with it");
	unsetenv("TMPDIR");
}

int main(int argc, char **argv)
{
	char program[4096];
	ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
	size_t before = descriptors();

	if (getenv("DUCT_CHANNEL"))
		return serve(argc > 1 ? argv[1] : "");
	program[n > 0 ? n : 0] = 0;
	values(program);
	standard_input(program);
	fault(program, "exit", END_EXIT, 3);
	fault(program, "null", END_NULL, SIGSEGV);
	fault(program, "wild", END_SEGV, SIGSEGV);
	fault(program, "segv", END_SIGNAL, SIGSEGV);
	fault(program, "division", END_DIVISION, SIGFPE);
	fault(program, "abort", END_ABORT, SIGABRT);
	fault(program, "assert", END_ASSERT, SIGABRT);
	fault(program, "kill", END_SIGNAL, SIGKILL);
	fault(program, "term", END_SIGNAL, SIGTERM);
	fault(program, "stop", END_TIMEOUT, 0);
	fault(program, "hang", END_TIMEOUT, 0);
	fault(program, "flood", END_OUTPUT, SIGXFSZ);
	fault(program, "quiet-flood", END_LIMIT, 0);
	fault(program, "disk-flood", END_OUTPUT, SIGXFSZ);
	fault(program, "memory", END_MEMORY, 0);
	fault(program, "bomb", END_TIMEOUT, 0);
	fault(program, "children", END_EXIT, 0);
	fault(program, "close", END_EXIT, 0);
	fault(program, "scribble", END_EXIT, 0);
	fault(program, "nodes", END_EXIT, 0);
	fault(program, "names", END_EXIT, 0);
	fault_at(CONFINE_NONE, program, "parent", END_LOST_SERVER, 0);
	fault(program, "files", END_EXIT, 0);
	fault_at(CONFINE_NONE, program, "rmdir", END_EXIT, 0);
	fault(program, "once", END_EXIT, 0);
	refusals();
	killed_tool(program);
	okf(descriptors() == before, "no descriptor is left open");
	return finish();
}
