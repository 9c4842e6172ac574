/* view: what the server of runs sees of the file system: all of it, but nothing can be written
 * outside one tmpfs of limited size, which holds the scratch directory, /tmp and /dev/shm. Of the
 * contents of /tmp, /dev/shm and /run only what the program needs can be seen. Where mounts are not
 * allowed, Landlock keeps the program from writing. */
#include <fcntl.h>
#include <limits.h>
#include <linux/landlock.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "lib/run/internal.h"
#include "lib/base/grow.h"

#define PROCESSES "1024" /* at once, in a namespace of processes that has a limit of its own */

/* The first component of `path` below `place`; false when it is not there. */
static bool component(const char *place, const char *path, char *name, size_t size)
{
	size_t n = strlen(place), k;

	if (!path || strncmp(path, place, n) || path[n] != '/')
		return false;
	path += n + strspn(path + n, "/");
	if (!(k = strcspn(path, "/")) || k >= size || (k <= 2 && path[0] == '.'))
		return false;
	memcpy(name, path, k);
	name[k] = 0;
	return true;
}

static void keep(struct kept_names *k, const char *place, const char *path)
{
	char name[NAME_MAX + 1];

	if (!component(place, path, name, sizeof name) || kept_name(k, name) || k->n == KEPT_MOST)
		return;
	k->name[k->n++] = copied(name);
}

bool kept_name(const struct kept_names *k, const char *name)
{
	for (size_t i = 0; k && i < k->n; i++)
		if (!strcmp(k->name[i], name))
			return true;
	return false;
}

void kept_free(struct kept_names *k)
{
	while (k->n)
		free(k->name[--k->n]);
}

void kept_below(struct kept_names *k, const char *place, const char *program, const char *scratch)
{
	const char *list = getenv("LD_LIBRARY_PATH");
	char *here = getcwd(NULL, 0);

	keep(k, place, scratch);
	keep(k, place, program);
	keep(k, place, here);
	for (; list && *list; list += strcspn(list, ":"), list += *list == ':')
		keep(k, place, list);
	free(here);
}

static bool set_flags(const char *path, bool deep, uint64_t set, uint64_t clear)
{
	struct mount_attr a = { .attr_set = set, .attr_clr = clear };

	return !syscall(SYS_mount_setattr, AT_FDCWD, path, deep ? AT_RECURSIVE : 0, &a, sizeof a);
}

/* FROM, relative to the tmpfs where we stand or whole, is seen at TO. */
static bool bind(const char *from, const char *to)
{
	return !mount(from, to, NULL, MS_BIND | MS_REC, NULL);
}

/* A directory that is to be covered, and what of it stays: opened before anything is mounted. */
struct hidden_folder {
	const char *path;
	struct kept_names kept;
	int fd[KEPT_MOST];
};

static void look(struct hidden_folder *p, const char *path, const struct launch *l)
{
	char name[2 * NAME_MAX];

	*p = (struct hidden_folder){ .path = path };
	kept_below(&p->kept, path, l->program, l->scratch_path);
	for (size_t i = 0; i < p->kept.n; i++) {
		snprintf(name, sizeof name, "%s/%s", path, p->kept.name[i]);
		p->fd[i] = open(name, O_PATH | O_CLOEXEC);
	}
}

static bool show(int fd, const char *path)
{
	char from[40];
	struct stat st;

	snprintf(from, sizeof from, "/proc/self/fd/%d", fd);
	if (!fstat(fd, &st) && S_ISDIR(st.st_mode))
		mkdir(path, 0700);
	else
		close(open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
	return bind(from, path);
}

/* The directory `own` of the tmpfs is seen in its place, and in it what stays. */
static bool cover(const char *own, struct hidden_folder *p)
{
	char name[2 * NAME_MAX];
	bool good = bind(own, p->path);

	for (size_t i = 0; i < p->kept.n; i++) {
		snprintf(name, sizeof name, "%s/%s", p->path, p->kept.name[i]);
		good &= p->fd[i] < 0 || show(p->fd[i], name);
		if (p->fd[i] >= 0)
			close(p->fd[i]);
	}
	kept_free(&p->kept);
	return good;
}

static bool make_devices(struct hidden_folder *shm)
{
	static const char *const node[] = { "null", "zero", "full", "random", "urandom", "tty" };
	static const char *const link[][2] = {
		{ "/proc/self/fd", "dev/fd" },
		{ "fd/0", "dev/stdin" },
		{ "fd/1", "dev/stdout" },
		{ "fd/2", "dev/stderr" },
	};
	char from[40], to[40];

	for (size_t i = 0; i < sizeof node / sizeof *node; i++) {
		snprintf(from, sizeof from, "/dev/%s", node[i]);
		snprintf(to, sizeof to, "dev/%s", node[i]);
		close(open(to, O_CREAT | O_WRONLY | O_CLOEXEC, 0600));
		if ((!bind(from, to) || !set_flags(to, false, 0, MOUNT_ATTR_NODEV)) && i == 0)
			return false;
	}
	for (size_t i = 0; i < sizeof link / sizeof *link; i++)
		(void)!symlink(link[i][0], link[i][1]);
	mkdir("dev/shm", 01777);
	return bind("dev", "/dev") && set_flags("/dev", false, MOUNT_ATTR_RDONLY, 0)
	    && cover("shm", shm);
}

/* A /proc that shows the new processes only. Kernels from 6.14 on have a limit on them for each
 * namespace; before, it would be that of the machine. */
static unsigned make_processes(bool root)
{
	struct utsname u;
	unsigned major = 0, minor = 0;
	bool limited = !root; /* others have RLIMIT_NPROC */
	int fd;

	if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL))
		return limited ? 0 : OPEN_NUMBER;
	if (!uname(&u) && sscanf(u.release, "%u.%u", &major, &minor) == 2
	    && (major > 6 || (major == 6 && minor >= 14))
	    && (fd = open("/proc/sys/kernel/pid_max", O_WRONLY | O_CLOEXEC)) >= 0) {
		limited |= write(fd, PROCESSES, strlen(PROCESSES)) > 0;
		close(fd);
	}
	return (set_flags("/proc", false, MOUNT_ATTR_RDONLY, 0) ? 0 : OPEN_FILES)
	    | (limited ? 0 : OPEN_NUMBER);
}

static bool mount_memory(const struct launch *l)
{
	static const char *const own[] = { "scratch", "tmp", "shm", "dev", "none" };
	char options[80];

	snprintf(options, sizeof options, "mode=700,nr_inodes=65536,size=%llu",
	    (unsigned long long)(128 * l->output));
	if (mount("tmpfs", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV | MS_NOATIME, options)
	    || chdir("/tmp"))
		return false;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (mkdir(own[i], 0700))
			return false;
	return !chmod("tmp", 01777) && !chmod("shm", 01777) && !chmod("dev", 0755)
	    && !chmod("none", 0755);
}

/* The directory of the namespace's message queues, which is seen nowhere; where the kernel has
 * none, one that stays empty. */
static int open_queues(void)
{
	bool mounted = !mount("mqueue", "none", "mqueue", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL);
	int fd = openat(AT_FDCWD, "none", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (mounted)
		umount2("none", MNT_DETACH);
	return fd;
}

/* In a mount namespace of our own. */
static unsigned mount_all(const struct launch *l, struct run_folders *v)
{
	bool root = geteuid() == 0, good;
	struct hidden_folder tmp, run, shm;
	unsigned open;

	look(&tmp, "/tmp", l);
	look(&run, "/run", l);
	look(&shm, "/dev/shm", l);
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL)
	    || !set_flags("/", true, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, 0))
		return OPEN_FILES;
	if (!mount_memory(l)) {
		set_flags("/", true, 0, MOUNT_ATTR_RDONLY | MOUNT_ATTR_NODEV);
		return OPEN_FILES;
	}
	v->own = openat(AT_FDCWD, "scratch", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	v->tmp = openat(AT_FDCWD, "tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	v->shm = openat(AT_FDCWD, "shm", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	v->queues = open_queues();
	v->segments = openat(AT_FDCWD, "/proc/sysvipc/shm", O_RDONLY | O_CLOEXEC);
	if (v->segments < 0) /* a kernel without such memory */
		v->segments = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
	good = v->own >= 0 && v->tmp >= 0 && v->shm >= 0 && v->queues >= 0 && cover("none", &run)
	    && set_flags("/run", false, MOUNT_ATTR_RDONLY, 0) && make_devices(&shm);
	open = make_processes(root);
	good &= cover("tmp", &tmp);
	if (l->own_scratch)
		good &= bind("scratch", l->scratch_path);
	else /* the caller's: stays what it is, and can be written */
		good &= bind(l->scratch_path, l->scratch_path)
		    && set_flags(l->scratch_path, false, 0, MOUNT_ATTR_RDONLY);
	return open | (good ? 0 : OPEN_FILES);
}

static bool allow(int rules, const char *path, int fd, uint64_t what)
{
	struct landlock_path_beneath_attr a = { .allowed_access = what,
		.parent_fd = path ? open(path, O_PATH | O_CLOEXEC) : fd };
	bool done = a.parent_fd >= 0
	    && !syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &a, 0);

	if (path && a.parent_fd >= 0)
		close(a.parent_fd);
	return done;
}

/* Without mounts: no file but those of the scratch directory is written, made or removed. */
static bool forbid_writing(const struct launch *l)
{
	static const char *const node[] = { "/dev/null", "/dev/zero", "/dev/full", "/dev/tty" };
	struct landlock_ruleset_attr a = { .handled_access_fs = LANDLOCK_ACCESS_FS_WRITE_FILE
		    | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE
		    | LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR
		    | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK
		    | LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK
		    | LANDLOCK_ACCESS_FS_MAKE_SYM };
	long version =
	    syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
	bool done;
	int rules;

	if (version < 1)
		return false;
	a.handled_access_fs |=
	    version >= 2 ? UINT64_C(1) << 13 : 0; /* renames between directories */
	a.handled_access_fs |= version >= 3 ? UINT64_C(1) << 14 : 0; /* truncate */
	if ((rules = (int)syscall(SYS_landlock_create_ruleset, &a, sizeof a, 0)) < 0)
		return false;
	done = allow(rules, NULL, l->scratch_fd, a.handled_access_fs);
	for (size_t i = 0; i < sizeof node / sizeof *node; i++)
		allow(rules, node[i], -1,
		    a.handled_access_fs & (LANDLOCK_ACCESS_FS_WRITE_FILE | UINT64_C(1) << 14));
	done = done && !syscall(SYS_landlock_restrict_self, rules, 0);
	close(rules);
	return done;
}

unsigned view_make(const struct launch *l, unsigned long got, struct run_folders *v)
{
	unsigned open = l->confine == CONFINE_FULL && geteuid() == 0 ? OPEN_NUMBER : 0;

	*v = NO_VIEW;
	if (l->confine != CONFINE_FULL)
		return OPEN_FILES;
	if ((got & CLONE_NEWNS) && !((open = mount_all(l, v)) & OPEN_FILES))
		return open;
	return v->own < 0 && forbid_writing(l) ? open & ~OPEN_FILES : open | OPEN_FILES;
}
