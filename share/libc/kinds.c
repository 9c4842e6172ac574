/* Library models of stat(), its kin and access(). Of a file whose content is an input (files.c)
 * these are inputs, too: its kind (regular file, directory, FIFO, socket, dangling link), its
 * permissions, when it was modified, and how much longer it is than what a run can read of it. When
 * the program asks for one of them first, the run gives the file on disk these attributes. Devices,
 * links that lead somewhere, owners, other times and numbers of links are as on this machine, which
 * is a limit; and so are all properties of other files. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

/* Tests (share/test/duct_process.c) have the same numbers. */
enum file_kind { REGULAR, DIRECTORY, FIFO, SOCKET, LINK, KINDS };
static const mode_t types[KINDS] = { S_IFREG, S_IFDIR, S_IFIFO, S_IFSOCK, S_IFLNK };
static const char missing[] = "missing"; /* where links lead */
#define USUAL 0644 /* the input `mode` has the bits in which the permissions differ from this */

/* Without a condition. */
static enum file_kind kind_here(const struct file_content *c)
{
	unsigned char kind;

	CALL_QUIETLY("memcpy", memcpy, &kind, &c->form, sizeof kind);
	return kind;
}

static void make_input(
    const struct file_content *c, const char *member, void *p, size_t n, const char *shape)
{
	char name[300];

	CALL_QUIETLY("snprintf", snprintf, name, sizeof name, "%s.%s", c->name, member);
	duct_rt_input(p, n, name, shape);
}

/* A directory cannot be left or emptied without those of its owner; a link has all. */
static unsigned permissions(const struct file_content *c)
{
	return (c->mode ^ USUAL) | (c->form == DIRECTORY) * 0700u | (c->form == LINK) * 0777u;
}

static void set_permissions(const struct file_content *c)
{
	CALL_QUIETLY("chmod", chmod, c->path, (mode_t)permissions(c));
}

static void ask_permissions(struct file_content *c)
{
	if (c->knows_mode)
		return;
	c->knows_mode = 1;
	make_input(c, "mode", &c->mode, sizeof c->mode, "u2");
	duct_assume(c->mode <= 07777);
	set_permissions(c);
}

static int make(const char *path, enum file_kind kind)
{
	CALL_QUIETLY("unlink", unlink, path);
	switch (kind) {
	case DIRECTORY: return CALL_QUIETLY("mkdir", mkdir, path, 0755);
	case LINK: return CALL_QUIETLY("symlink", symlink, missing, path);
	default: return CALL_QUIETLY("mknod", mknod, path, types[kind] | 0600, 0);
	}
}

static void set_time(const struct file_content *c)
{
	struct timespec t[2] = { { 0, UTIME_OMIT }, { 0, 0 } };

	t[1].tv_sec = c->time;
	CALL_QUIETLY("utimensat", utimensat, AT_FDCWD, c->path, t, AT_SYMLINK_NOFOLLOW);
}

/* Makes the attributes of a file inputs, and gives them to the file on disk. most: the last kind
 * that it may have. Kinds that the machine does not let a run create are not tried. */
static void ask(struct file_content *c, enum file_kind most)
{
	enum file_kind kind;

	if (c->knows_kind)
		return;
	c->knows_kind = 1;
	if (!c->looked) {
		make_input(c, "kind", &c->form, sizeof c->form, "u1");
		duct_assume(c->form <= most);
		make_input(c, "more", &c->more, sizeof c->more, "u4");
	}
	make_input(c, "time", &c->time, sizeof c->time, "u4");
	kind = kind_here(c);
	if (kind != REGULAR && kind < KINDS && make(c->path, kind))
		duct_assume(0);
	ask_permissions(c);
	set_permissions(c);
	set_time(c);
}

/* *st holds what the C library says of the file on disk: members that are inputs get their symbolic
 * values. */
static void tell(struct file_content *c, struct stat *st)
{
	mode_t type = S_IFREG;
	unsigned i;

	for (i = 1; i < KINDS; i++)
		type ^= (c->form == i) * (S_IFREG ^ types[i]);
	duct_content_touch(c);
	st->st_mode = type | permissions(c);
	st->st_size = (c->form == REGULAR) * (off_t)c->len + (c->form <= DIRECTORY) * (off_t)c->more
	    + (c->form == LINK) * (off_t)(sizeof missing - 1);
	st->st_mtime = c->time;
}

/* It is opened, or what is done with it depends on its kind, which is decided here. */
int duct_content_is_regular(struct file_content *c, int opens)
{
	if (!c->knows_kind || c->form == REGULAR)
		return 1;
	if (c->form == FIFO && opens) /* that waits for another process */
		duct_assume(0);
	return 0;
}

void duct_content_allows(struct file_content *c, int writes)
{
	if (c->knows_mode) /* root has all permissions */
		duct_assume((permissions(c) & (writes ? 0200u : 0400u)) != 0);
}

int duct_content_is_directory(struct file_content *c)
{
	ask(c, SOCKET);
	return c->form == DIRECTORY;
}

/* ---- stat */

/* A file that is open, and that nothing is known of yet, turns out to be a directory. */
static int becomes_directory(struct file_content *c, int fd)
{
	int other;

	ask(c, DIRECTORY);
	if (c->form != DIRECTORY)
		return 0;
	if ((other = CALL_QUIETLY("open", open, c->path, O_RDONLY | O_CLOEXEC)) < 0
	    || CALL_QUIETLY("dup2", dup2, other, fd) < 0)
		duct_assume(0);
	CALL_QUIETLY("close", close, other);
	duct_stream_forget(fd);
	return 1;
}

#define FSTAT(name, type) \
	MODEL int name(int fd, struct type *st) \
	{ \
		struct opened *s = duct_opened(fd); \
		struct file_content *c = s ? s->content : NULL; \
		int result; \
		duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0); \
		if (c && c->path) \
			becomes_directory(c, fd); \
		result = CALL_REAL(name, fd, st); \
		duct_rt_concrete(#name, NULL); \
		duct_rt_answered(st, sizeof *st); \
		if (result == 0 && c && c->path) \
			tell(c, (struct stat *)st); \
		else if (result == 0 && c) \
			st->st_size = duct_content_length(c); \
		return result; \
	}
FSTAT(fstat, stat)
FSTAT(fstat64, stat64)

/* A link is followed: what it leads to is not there. */
static struct file_content *known(const char *path, const char *function, enum file_kind most)
{
	struct file_content *c = duct_file_named(path, function);

	if (!c || !c->path)
		return c;
	ask(c, most);
	return most < LINK && c->form == LINK ? NULL : c;
}

/* "." and the like: 0, "/": 1, with "..": 2, what the kernel makes: 3, other paths: -1. */
static int common(const char *path)
{
	static const char *const made[] = { "/dev/", "/proc/", "/sys/" };
	size_t i;
	int kind = 1;

	for (i = 0; *path == '/' && i < sizeof made / sizeof *made; i++)
		if (!strncmp(path, made[i], strlen(made[i])))
			return 3;
	for (; *path == '.' || *path == '/'; path++)
		if (*path == '.')
			kind = path[1] == '.' ? 2 : kind == 2 ? 2 : 0;
	return *path ? -1 : kind;
}

/* When such a file was modified is an input. Permissions of directories and numbers of links are
 * the same in runs and in tests (share/test), wherever these run. */
static void tell_common(int kind, struct stat *st)
{
	static unsigned char known[4];
	static uint32_t times[4];

	if (kind < 0
	    || (!known[kind]
	        && !duct_rt_asked(&times[kind], sizeof *times, "system", "stat", "u4")))
		return;
	known[kind] = 1;
	if (kind < 3)
		st->st_mode = S_IFDIR | 0755;
	st->st_nlink = kind < 3 ? 2 : 1;
	st->st_mtime = times[kind];
	st->st_ctime = st->st_atime = 0;
}

#define STAT(name, type, most) \
	MODEL int name(const char *path, struct type *st) \
	{ \
		struct file_content *c = known(path, #name, most); \
		int result; \
		duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0); \
		result = CALL_QUIETLY(#name, name, path, st); \
		if (result == 0) { \
			duct_rt_concrete(#name, NULL); \
			duct_rt_answered(st, sizeof *st); \
		} \
		if (result == 0 && c && c->path) { \
			tell(c, (struct stat *)st); \
		} else if (result == 0) { \
			if (c && most != LINK) /* lstat: /dev/stdin is a link */ \
				st->st_size = duct_content_length(c); \
			tell_common(common(path), (struct stat *)st); \
		} \
		return result; \
	}
STAT(stat, stat, SOCKET)
STAT(lstat, stat, LINK)
STAT(stat64, stat64, SOCKET)
STAT(lstat64, stat64, LINK)

/* ---- access: as root, and with the owners of this machine, which is a limit */

static int may(struct file_content *c, int mode)
{
	unsigned has;

	if (!c || !c->path || mode == F_OK || !duct_content_is_regular(c, 0))
		return 1;
	ask_permissions(c);
	has = permissions(c);
	if (mode & R_OK)
		duct_content_allows(c, 0);
	if (mode & W_OK)
		duct_content_allows(c, 1);
	if (!(mode & X_OK))
		return 1;
	duct_assume(!(has & 0111) || (has & 0100));
	return (has & 0100) != 0;
}

MODEL int access(const char *path, int mode)
{
	struct file_content *c;

	if (mode == F_OK ? duct_rt_passes("access") : MAY_FAIL("access", EACCES))
		return -1;
	c = duct_file_named(path, "access");
	if (mode != F_OK)
		duct_rt_concrete("access", NULL);
	if (!may(c, mode)) {
		errno = EACCES;
		return -1;
	}
	return CALL_QUIETLY("access", access, path, mode);
}
