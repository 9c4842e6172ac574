/* duct_test.c: runs tests written by duct, each in a process of its own, and defines what the
 * programs under test may call. Coverage of gcc and clang is written even when a test
 * crashes.
 *
 * usage: tests [-v] [NAME...]       exit status 0: every test behaved as observed
 * Environment: DUCT_TEST_SECONDS, the time that a test may take (10); DUCT_TEST_FIRST: none is run
 * after one that failed.
 */
#define _GNU_SOURCE
#include "duct_test.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#ifdef __linux__
#include <sys/mount.h>
#include <sys/prctl.h>
#endif
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

#ifdef __has_feature
#define SANITIZED __has_feature(address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define SANITIZED 1
#else
#define SANITIZED 0
#endif

/* A weak name does not take a member out of gcov's archive. */
#ifdef DUCT_GCOV
void __gcov_dump(void);
#else
void __gcov_dump(void) __attribute__((weak));
#endif
int __llvm_profile_write_file(void) __attribute__((weak));

/* Shared between the runner and the process of a test. */
static struct state {
	int finished; /* the test's function returned */
	int differences;
	int unknown; /* something could not be set up as it was */
	char message[400];
} *state;

volatile duct_integer duct_sink;
volatile double duct_sink_f;

static const struct duct_test *current;
int duct_asking; /* the program under test runs: its calls count (duct_answers.c) */
static int seconds = 10;

/* ---- for tests */

static struct object {
	struct object *next;
	void *p;
} *objects; /* reachable for leak checkers */

void *duct_new(unsigned long size)
{
	int asking = duct_asking;

	duct_asking = 0;
	struct object *o = malloc(sizeof *o);
	void *p = size ? calloc(1, size) : malloc(0);

	duct_asking = asking;
	if (!o || !p)
		abort();
	o->p = p;
	o->next = objects;
	objects = o;
	return p;
}

void *duct_stream(const char *bytes, unsigned long size)
{
	int asking = duct_asking;

	duct_asking = 0;
	FILE *f = tmpfile();
	if (!f || fwrite(bytes, 1, size, f) != size)
		abort();
	rewind(f);
	duct_asking = asking;
	return f;
}

void duct_zero(void *object, unsigned long size)
{
	memset(object, 0, size);
}

void duct_copy(void *object, const char *bytes, unsigned long size)
{
	memcpy(object, bytes, size);
}

void duct_device(unsigned long address, unsigned long size)
{
	static unsigned long next;
	unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE), at = address & -page;
	int there = 1;

#ifdef MAP_FIXED_NOREPLACE
	for (at = at < next ? next : at; at < address + size; next = at += page)
		there &= mmap((void *)at, page, PROT_READ | PROT_WRITE,
		             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0)
		    == (void *)at;
#else
	there = 0;
#endif
	if (!there)
		fprintf(stderr, "no memory at %#lx here: tests that need it fail\n", address);
}

double duct_bits(duct_word bits)
{
	double d;

	memcpy(&d, &bits, sizeof d);
	return d;
}

float duct_bits_f(unsigned bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

void duct_equal(const char *call, int line, duct_integer result, duct_integer observed)
{
	if (result == observed)
		return;
	state->differences++;
	snprintf(state->message, sizeof state->message, "tests.c:%d: %s is %lld, %lld was observed",
	    line, call, result, observed);
}

void duct_holds(
    const char *address, int line, const void *bytes, const char *observed, unsigned long size)
{
	unsigned long i = 0;

	while (i < size && ((const char *)bytes)[i] == observed[i])
		i++;
	if (i == size)
		return;
	state->differences++;
	snprintf(state->message, sizeof state->message,
	    "tests.c:%d: byte %lu at %s is %d, %d was observed", line, i, address,
	    ((const signed char *)bytes)[i], (signed char)observed[i]);
}

void duct_same(const char *call, int line, double result, double observed)
{
	if (!memcmp(&result, &observed, sizeof result)
	    || (result != result && observed != observed))
		return;
	state->differences++;
	snprintf(state->message, sizeof state->message,
	    "tests.c:%d: %s is %.17g, %.17g was observed", line, call, result, observed);
}

void duct_exit(int status)
{
	state->finished = 1;
	exit(status);
}

int duct_argc(void)
{
	int n = 0;

	while (current->argv && current->argv[n])
		n++;
	return n;
}

/* The program may write to its arguments. */
char **duct_argv(void)
{
	int n = duct_argc();
	char **argv = duct_new((unsigned long)(n + 1) * sizeof *argv);

	for (int i = 0; i < n; i++) {
		argv[i] = duct_new(strlen(current->argv[i]) + 1);
		strcpy(argv[i], current->argv[i]);
	}
	return argv;
}

char **duct_environ(void)
{
	return environ;
}

/* ---- for programs under test */

static void unknown(const char *what, const char *name)
{
	if (!state)
		return;
	state->unknown++;
	snprintf(state->message, sizeof state->message, "%s%s", what, name);
}

const struct duct_value *duct_find(const char *name)
{
	const struct duct_value *v = current ? current->value : NULL;

	while (v && v->name && strcmp(v->name, name))
		v++;
	return v && v->name ? v : NULL;
}

const char *duct_attributes(const char *path)
{
	const struct duct_bytes *f = current ? current->file : NULL;

	while (path[0] == '.' && path[1] == '/')
		path += 2;
	while (f && f->name && (f->size != DUCT_ATTRIBUTES || strcmp(f->name, path)))
		f++;
	return f && f->name ? f->bytes : NULL;
}

static void put_value(unsigned char *to, const struct duct_value *v)
{
	for (int i = 0; i < (v->bits + 7) / 8; i++)
		to[i] = (unsigned char)((i < 8 ? v->low : v->high) >> i % 8 * 8);
}

/* How often a name was made symbolic. */
static int times_met(const char *name)
{
	static struct met {
		struct met *next;
		const char *name;
		int times;
	} *first;
	struct met *m;

	for (m = first; m; m = m->next)
		if (!strcmp(m->name, name))
			return ++m->times;
	m = duct_new(sizeof *m);
	m->name = name;
	m->times = 1;
	m->next = first;
	first = m;
	return 1;
}

static struct given {
	struct given *next;
	const char *name;
	void *p;
	size_t offset;
} *givens;

void duct_give_behind(const char *name, unsigned long offset, const void *p)
{
	duct_give(name, p);
	givens->offset = offset;
}

void duct_give(const char *name, const void *p)
{
	struct given *g = duct_new(sizeof *g);

	g->name = name;
	g->p = (void *)(size_t)p;
	g->offset = 0;
	g->next = givens;
	givens = g;
}

void *duct_given(const char *name)
{
	int times = times_met(name);
	char call[256];

	snprintf(call, sizeof call, times > 1 ? "%s#%d" : "%s", name, times);
	for (struct given *g = givens; g; g = g->next)
		if (!strcmp(g->name, call))
			return g->p;
	return NULL;
}

/* Is it called root, root[0], root.f, ...? What a stub writes behind its arguments, root.1, is not
 * its result. */
static int is_in(const char *name, const char *root)
{
	size_t n = strlen(root);

	return !strncmp(name, root, n)
	    && (!name[n] || name[n] == '['
	        || (name[n] == '.' && !(name[n + 1] >= '0' && name[n + 1] <= '9')));
}

/* Values called so lie in the object. */
void duct_symbolic(void *p, size_t size, const char *name);
void duct_symbolic(void *p, size_t size, const char *name)
{
	const struct duct_value *v = current ? current->value : NULL;
	int times = times_met(name);
	char root[256];

	snprintf(root, sizeof root, times > 1 ? "%s#%d" : "%s", name, times);
	for (; v && v->name; v++) {
		size_t bytes = (size_t)(v->bits + 7) / 8;
		if (!is_in(v->name, root))
			continue;
		if (v->offset + bytes <= size)
			put_value((unsigned char *)p + v->offset, v);
		else
			unknown("a value lies outside ", name);
	}
	for (const struct given *g = givens; g; g = g->next)
		if (is_in(g->name, root))
			memcpy((unsigned char *)p + g->offset, &g->p, sizeof g->p);
}

void duct_assume(int condition)
{
	if (condition)
		return;
	unknown("an assumption does not hold", "");
	exit(0);
}

void duct_assert(int condition);
void duct_assert(int condition)
{
	if (condition)
		return;
	fputs("duct_assert failed\n", stderr);
	abort();
}

#define WEAK __attribute__((weak))

void __VERIFIER_assume(int condition);
WEAK void __VERIFIER_assume(int condition)
{
	duct_assume(condition);
}

void __VERIFIER_error(void);
WEAK void __VERIFIER_error(void)
{
	fputs("__VERIFIER_error\n", stderr);
	abort();
}

void reach_error(void);
WEAK void reach_error(void)
{
	fputs("reach_error\n", stderr);
	abort();
}

void __VERIFIER_nondet_memory(void *p, size_t size);
WEAK void __VERIFIER_nondet_memory(void *p, size_t size)
{
	duct_symbolic(p, size, "nondet_memory");
}

/* nondet[0], nondet[1], ... in the order of the calls. */
static void nondet(void *to, size_t size)
{
	static unsigned count;
	const struct duct_value *v;
	unsigned char bytes[16] = { 0 };
	char name[40];

	snprintf(name, sizeof name, "nondet[%u]", count++);
	if ((v = duct_find(name)))
		put_value(bytes, v);
	memcpy(to, bytes, size < sizeof bytes ? size : sizeof bytes);
}

#define NONDET(name, type) \
	type __VERIFIER_nondet_##name(void); \
	WEAK type __VERIFIER_nondet_##name(void) \
	{ \
		type v; \
		nondet(&v, sizeof v); \
		return v; \
	}

NONDET(bool, _Bool)
NONDET(char, char)
NONDET(schar, signed char)
NONDET(uchar, unsigned char)
NONDET(short, short)
NONDET(ushort, unsigned short)
NONDET(int, int)
NONDET(uint, unsigned)
NONDET(unsigned, unsigned)
NONDET(long, long)
NONDET(ulong, unsigned long)
NONDET(longlong, long long)
NONDET(ulonglong, unsigned long long)
#ifdef __SIZEOF_INT128__
__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;
NONDET(int128, int128)
NONDET(uint128, uint128)
#endif
NONDET(u8, unsigned char)
NONDET(u16, unsigned short)
NONDET(u32, unsigned)
NONDET(u64, unsigned long long)
NONDET(s8, signed char)
NONDET(s16, short)
NONDET(s32, int)
NONDET(s64, long long)
NONDET(size_t, size_t)
NONDET(loff_t, long)
NONDET(sector_t, unsigned long)
NONDET(pthread_t, unsigned long)
NONDET(float, float)
NONDET(double, double)

#define NONDET_POINTER(name, type) \
	type *__VERIFIER_nondet_##name(void); \
	WEAK type *__VERIFIER_nondet_##name(void) \
	{ \
		return NULL; \
	}

NONDET_POINTER(pointer, void)
NONDET_POINTER(pchar, char)
NONDET_POINTER(charp, char)

/* ---- a test's process */

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM };

/* Keeps what coverage was gathered, then dies of the same signal. */
static void on_signal(int number)
{
	signal(number, SIG_DFL);
#ifdef DUCT_GCOV
	__gcov_dump();
#else
	if (__gcov_dump)
		__gcov_dump();
#endif
	if (__llvm_profile_write_file)
		__llvm_profile_write_file();
	raise(number);
}

static void catch_signals(void)
{
	static char stack[1 << 16];
	stack_t other = { .ss_sp = stack, .ss_size = sizeof stack };
	struct sigaction act;

	for (int i = 1; i < NSIG; i++) /* whatever the caller of the tests ignores, as in runs */
		signal(i, SIG_DFL);
	sigaltstack(&other, NULL);
	memset(&act, 0, sizeof act);
	act.sa_handler = on_signal;
	act.sa_flags = SA_ONSTACK | SA_NODEFER;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
		sigset_t one;
		sigaction(signals[i], &act, NULL);
		sigemptyset(&one);
		sigaddset(&one, signals[i]);
		sigprocmask(SIG_UNBLOCK, &one, NULL);
	}
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n) {
		ssize_t k = write(fd, bytes, n);
		if (k < 0)
			return -1;
		bytes += k;
		n -= (size_t)k;
	}
	return 0;
}

static void make_folders(const char *path)
{
	char folder[PATH_MAX];

	for (const char *s = path; (s = strchr(s + 1, '/'));) {
		snprintf(folder, sizeof folder, "%.*s", (int)(s - path), path);
		mkdir(folder, 0777);
	}
}

/* environ as it was an input: entries that are there one after the other. */
static void set_environ(void)
{
	enum { MOST = 256, SIZE = 1 << 16 };
	static char *all[MOST + 1];
	const struct duct_value *v;
	char name[60];

	if (!duct_find("system.environ[0]"))
		return;
	for (int i = 0; i < MOST; i++) {
		snprintf(name, sizeof name, "system.environ[%d]", i);
		if (!(v = duct_find(name)) || !v->low)
			break;
		all[i] = duct_new(SIZE + 1);
		for (int k = 0; k < SIZE; k++) {
			snprintf(name, sizeof name, "system.environ[%d].text[%d]", i, k);
			if (!(v = duct_find(name)) || !v->low)
				break;
			all[i][k] = (char)v->low;
		}
	}
	environ = all;
}

/* Kinds have the numbers of share/libc/kinds.c. */
static void set_attributes(const char *path, const char *text)
{
	enum { REGULAR, DIRECTORY, FIFO, SOCKET, LINK };
	unsigned kind = 0, mode = 0644;
	unsigned long more = 0, at = 0;
	struct timespec t[2] = { { 0, UTIME_OMIT }, { 0, UTIME_OMIT } };
	struct stat st;

	if (sscanf(text, "kind=%u mode=%o more=%lu time=%lu", &kind, &mode, &more, &at) == 4)
		t[1] = (struct timespec){ (time_t)at, 0 };
	if (kind != REGULAR
	    && (unlink(path)
	        || (kind == DIRECTORY ? mkdir(path, 0755)
	                : kind == LINK
	                ? symlink("missing", path)
	                : mknod(path, (kind == FIFO ? S_IFIFO : S_IFSOCK) | 0600, 0))))
		unknown("cannot make ", path);
	if (kind == REGULAR && more
	    && (stat(path, &st) || truncate(path, st.st_size + (off_t)more)))
		unknown("cannot lengthen ", path);
	if (kind != LINK && chmod(path, mode | (kind == DIRECTORY ? 0700 : 0)))
		unknown("cannot change the mode of ", path);
	utimensat(AT_FDCWD, path, t, AT_SYMLINK_NOFOLLOW);
}

static void set_up(const struct duct_test *t, int in, int out)
{
	for (const struct duct_bytes *f = t->file; f && f->name; f++) {
		if (f->size == DUCT_ATTRIBUTES) {
			set_attributes(f->name, f->bytes);
			continue;
		}
		make_folders(f->name);
		int fd = open(f->name, O_CREAT | O_TRUNC | O_WRONLY, 0666);
		if (fd < 0 || write_all(fd, f->bytes, f->size))
			unknown("cannot write ", f->name);
		close(fd);
	}
	for (const struct duct_bytes *e = t->env; e && e->name; e++)
		if (e->bytes)
			setenv(e->name, e->bytes, 1);
		else
			unsetenv(e->name);
	set_environ();
	dup2(in, 0);
	dup2(out, 1);
	close(in);
	close(out);
}

#if defined __linux__ && defined MOUNT_ATTR_RDONLY && defined SYS_mount_setattr
static int counts_coverage(void)
{
#ifdef DUCT_GCOV
	return 1;
#else
	return __gcov_dump || __llvm_profile_write_file;
#endif
}

static void change_mount(const char *path, const struct mount_attr *how)
{
	if (path && !mount(path, path, NULL, MS_BIND | MS_REC, NULL))
		syscall(SYS_mount_setattr, AT_FDCWD, path, AT_RECURSIVE, how, sizeof *how);
}
#endif

#if defined __linux__ && defined MOUNT_ATTR_RDONLY && defined SYS_mount_setattr
/* Nothing is made in the root directory itself; what is in it stays as it is. */
static void close_root(const struct mount_attr *set)
{
	DIR *root = opendir("/");

	for (struct dirent *e; root && (e = readdir(root));)
		if (e->d_type == DT_DIR && strcmp(e->d_name, ".") && strcmp(e->d_name, "..")) {
			char path[sizeof e->d_name + 1];
			snprintf(path, sizeof path, "/%s", e->d_name);
			mount(path, path, NULL, MS_BIND | MS_REC, NULL);
		}
	if (root)
		closedir(root);
	syscall(SYS_mount_setattr, AT_FDCWD, "/", 0, set, sizeof *set);
}
#endif

/* A program under test may rename, remove or write what its arguments name, such as /dev/stdin, and
 * nothing keeps root from that. Tests see the directories of the system read-only, as when they
 * were recorded, and so other people's files; but not the latter where counters of coverage are
 * written, which may be anywhere. */
static void protect(void)
{
#if defined __linux__ && defined MOUNT_ATTR_RDONLY && defined SYS_mount_setattr
	static const char *const fixed[] = { "/bin", "/boot", "/dev", "/etc", "/lib", "/lib64",
		"/proc", "/sbin", "/sys", "/usr", "/home", "/media", "/mnt", "/opt", "/root",
		"/srv", "/var" },
	                         *const open[] = { "/dev/shm", "/var/tmp" };
	struct mount_attr set = { .attr_set = MOUNT_ATTR_RDONLY },
	                  clear = { .attr_clr = MOUNT_ATTR_RDONLY };
	size_t n = sizeof fixed / sizeof *fixed - (counts_coverage() ? 7 : 0);
	char *here = getcwd(NULL, 0);

	if (here && !geteuid() && !unshare(CLONE_NEWNS)
	    && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)) {
		close_root(&set);
		for (size_t i = 0; i < n; i++)
			change_mount(fixed[i], &set);
		for (size_t i = 0; i < sizeof open / sizeof *open; i++)
			change_mount(open[i], &clear);
		change_mount(getenv("TMPDIR"), &clear);
		change_mount(here, &clear);
		if (chdir(here)) /* through that mount */
			abort();
	}
	free(here);
#endif
}

static void run_child(const struct duct_test *t, int in, int out, int verbose)
{
	int null = open("/dev/null", O_WRONLY);

	current = t;
#ifdef __GLIBC__ /* what the C library knows as the program's name is that of the observed runs */
	program_invocation_name = program_invocation_short_name = (char *)"program";
#endif
#ifdef DUCT_SUITE
	protect(); /* the framework itself may write its results anywhere */
#endif
	set_up(t, in, out);
	if (!verbose && null >= 0)
		dup2(null, 2);
	close(null);
	catch_signals();
	alarm((unsigned)seconds);
	duct_asking = 1;
	t->run();
	state->finished = 1;
	exit(0);
}

/* ---- the runner */

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
		if (waited > seconds + 2)
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
	if (state->unknown)
		return FAILED;
	if (open) /* it was cut short when it was recorded, or does what it likes elsewhere */
		return PASSED;
	if (!WIFEXITED(status) || WEXITSTATUS(status) != t->status) {
		if (!*state->message)
			snprintf(state->message, sizeof state->message,
			    "%s, exit status %d was observed", how(status, text), t->status);
		return FAILED;
	}
	if (state->differences)
		return FAILED;
	if (same_output(t, out, n))
		return PASSED;
	snprintf(state->message, sizeof state->message,
	    "standard output differs from what was observed");
	return FAILED;
}

static void share_state(void)
{
	const char *limit = getenv("DUCT_TEST_SECONDS");

	if (limit && atoi(limit) > 0)
		seconds = atoi(limit);
	state =
	    mmap(NULL, sizeof *state, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (state == MAP_FAILED) {
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

	memset(state, 0, sizeof *state);
	write_all(in, t->input.bytes ? t->input.bytes : "", t->input.size);
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
		run_child(t, in, out, verbose > 0);
	int status = wait_for(pid);
	end_rest();
	if (duct_in_folder)
		leave(folder, back);
	char *text = slurp(out, &n);
	enum verdict v = judge(t, status, text, n);
	if (verbose >= 0 && (v == FAILED || verbose))
		printf("%s - %s%s%s%s%s\n", word[v], t->name, t->what ? ": " : "",
		    t->what ? t->what : "", *state->message && v == FAILED ? ": " : "",
		    v == FAILED ? state->message : "");
	free(text);
	close(in);
	close(out);
	return v;
}

#ifdef DUCT_SUITE
/* A framework's test: what is wrong, or NULL. */
const char *duct_check(const char *name)
{
	if (!state)
		share_state();
	for (unsigned long i = 0; i < duct_test_count; i++)
		if (!strcmp(duct_tests[i].name, name))
			return run_test(&duct_tests[i], -1) == FAILED ? state->message : NULL;
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
	protect();
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
