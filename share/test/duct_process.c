/* duct_process.c: the process of one test: its files, environment, standard input and output, time
 * limit and signal handlers, which write the coverage of a test that crashes. */
#define _GNU_SOURCE
#include "duct_runner.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __linux__
#include <sys/mount.h>
#endif
#include <sys/stat.h>
#ifdef __linux__
#include <sys/syscall.h>
#endif
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A weak reference alone does not link __gcov_dump from gcov's archive. */
#ifdef DUCT_GCOV
void __gcov_dump(void);
#else
void __gcov_dump(void) __attribute__((weak));
#endif
int __llvm_profile_write_file(void) __attribute__((weak));

static const int signals[] = { SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGALRM, SIGTERM };

void duct_setup_failed(const char *what, const char *name)
{
	if (!duct_state)
		return;
	duct_state->setup_failures++;
	snprintf(duct_state->message, sizeof duct_state->message, "%s%s", what, name);
}

/* Writes the coverage counters, then dies of the same signal. */
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

	for (int i = 1; i < NSIG; i++) /* also signals that the caller ignores, as in runs */
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

int duct_write_all(int fd, const char *bytes, size_t n)
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

/* Sets environ where it was an input; the first entry that is missing ends it. */
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

/* The numbers of kinds are those of share/libc/kinds.c. */
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
		duct_setup_failed("cannot make ", path);
	if (kind == REGULAR && more
	    && (stat(path, &st) || truncate(path, st.st_size + (off_t)more)))
		duct_setup_failed("cannot lengthen ", path);
	if (kind != LINK && chmod(path, mode | (kind == DIRECTORY ? 0700 : 0)))
		duct_setup_failed("cannot change the mode of ", path);
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
		if (fd < 0 || duct_write_all(fd, f->bytes, f->size))
			duct_setup_failed("cannot write ", f->name);
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
/* Makes the root directory itself read-only, but not the mounts and directories in it. */
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

/* A program under test may rename, remove or overwrite files that its arguments name, such as
 * /dev/stdin; as root it succeeds. So root's tests see the directories of the system and of users
 * read-only, as the recorded runs did. Directories of users stay writable when coverage counters
 * are written, as these may be anywhere. */
void duct_protect(void)
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

void duct_run_child(const struct duct_test *t, int in, int out, int verbose)
{
	int null = open("/dev/null", O_WRONLY);

	duct_current = t;
#ifdef __GLIBC__ /* the program's name in the recorded runs */
	program_invocation_name = program_invocation_short_name = (char *)"program";
#endif
#ifdef DUCT_SUITE
	duct_protect(); /* not before: the framework may write its results anywhere */
#endif
	set_up(t, in, out);
	if (!verbose && null >= 0)
		dup2(null, 2);
	close(null);
	catch_signals();
	alarm((unsigned)duct_seconds);
	duct_asking = 1;
	t->run();
	exit(0);
}
