/* What a file is: of those that are inputs (files.c), stat() and its kin tell a kind, permissions,
 * a length that may be more than what can be read of it here (of a directory, that it has any), and
 * when it was modified. The run
 * makes the file so when it is first asked for these. Devices, links that lead somewhere, owners,
 * other times and numbers of links are a limit, and so is all of it for other files. */
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

/* Tests (share/test/duct_test.c) have the same numbers. */
enum kind { REGULAR, DIRECTORY, FIFO, SOCKET, LINK, KINDS };
static const mode_t types[KINDS] = { S_IFREG, S_IFDIR, S_IFIFO, S_IFSOCK, S_IFLNK };
static const char missing[] = "missing"; /* where links lead */
#define USUAL 0644 /* mode is by which bits the permissions differ from that */

/* Without a condition. */
static enum kind kind_here(const struct content *c)
{
	unsigned char kind;

	CALL_QUIETLY("memcpy", memcpy, &kind, &c->form, sizeof kind);
	return kind;
}

static void make_input(
    const struct content *c, const char *member, void *p, size_t n, const char *shape)
{
	char name[300];

	CALL_QUIETLY("snprintf", snprintf, name, sizeof name, "%s.%s", c->name, member);
	duct_rt_input(p, n, name, shape);
}

/* A directory cannot be left or emptied without those of its owner; a link has all. */
static unsigned permissions(const struct content *c)
{
	return (c->mode ^ USUAL) | (c->form == DIRECTORY) * 0700u | (c->form == LINK) * 0777u;
}

static void set_permissions(const struct content *c)
{
	CALL_QUIETLY("chmod", chmod, c->path, (mode_t)permissions(c));
}

static void ask_permissions(struct content *c)
{
	if (c->knows_mode)
		return;
	c->knows_mode = 1;
	make_input(c, "mode", &c->mode, sizeof c->mode, "u2");
	duct_assume(c->mode <= 07777);
	set_permissions(c);
}

static int make(const char *path, enum kind kind)
{
	CALL_QUIETLY("unlink", unlink, path);
	switch (kind) {
	case DIRECTORY: return CALL_QUIETLY("mkdir", mkdir, path, 0755);
	case LINK: return CALL_QUIETLY("symlink", symlink, missing, path);
	default: return CALL_QUIETLY("mknod", mknod, path, types[kind] | 0600, 0);
	}
}

static void set_time(const struct content *c)
{
	struct timespec t[2] = { { 0, UTIME_OMIT }, { 0, 0 } };

	t[1].tv_sec = c->time;
	CALL_QUIETLY("utimensat", utimensat, AT_FDCWD, c->path, t, AT_SYMLINK_NOFOLLOW);
}

/* most: the last kind that it may be. What the machine does not let a run make is not looked at. */
static void ask(struct content *c, enum kind most)
{
	enum kind kind;

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

/* What the machine has told of it, in *st, but for what are inputs. */
static void tell(struct content *c, struct stat *st)
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
int duct_content_is_regular(struct content *c, int opens)
{
	if (!c->knows_kind || c->form == REGULAR)
		return 1;
	if (c->form == FIFO && opens) /* that waits for another process */
		duct_assume(0);
	return 0;
}

void duct_content_allows(struct content *c, int writes)
{
	if (c->knows_mode) /* nothing keeps root from it */
		duct_assume((permissions(c) & (writes ? 0200u : 0400u)) != 0);
}

int duct_content_is_directory(struct content *c)
{
	ask(c, SOCKET);
	return c->form == DIRECTORY;
}

/* ---- stat */

/* A file that is open, and that nothing is known of yet, turns out to be a directory. */
static int becomes_directory(struct content *c, int fd)
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
		struct content *c = s ? s->content : NULL; \
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
static struct content *known(const char *path, const char *function, enum kind most)
{
	struct content *c = duct_file_named(path, function);

	if (!c || !c->path)
		return c;
	ask(c, most);
	return most < LINK && c->form == LINK ? NULL : c;
}

#define STAT(name, type, most) \
	MODEL int name(const char *path, struct type *st) \
	{ \
		struct content *c = known(path, #name, most); \
		int result; \
		duct_rt_set(NULL, 0, st, sizeof *st, 0, 0, 0); \
		result = CALL_QUIETLY(#name, name, path, st); \
		if (result == 0) { \
			duct_rt_concrete(#name, NULL); \
			duct_rt_answered(st, sizeof *st); \
		} \
		if (result == 0 && c && c->path) \
			tell(c, (struct stat *)st); \
		else if (result == 0 && c) \
			st->st_size = duct_content_length(c); \
		return result; \
	}
STAT(stat, stat, SOCKET)
STAT(lstat, stat, LINK)
STAT(stat64, stat64, SOCKET)
STAT(lstat64, stat64, LINK)

/* ---- access: nothing is kept from root, and owners of files are as here: that is a limit */

static int may(struct content *c, int mode)
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
	struct content *c;

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
