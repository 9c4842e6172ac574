/* scratch: the directory that runs work in. It is emptied after a run that changed it. The program
 * can set its modification time, so that is not relied on; the time is 0 whenever a run begins.
 * Nothing else that a run leaves in its directories remains for the next one: no mode, time,
 * attribute or message queue. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "lib/base/folder.h"
#include "lib/base/grow.h"
#include "lib/run/internal.h"

static void mark_clean(int fd)
{
	const struct timespec zero[2] = { { 0, 0 }, { 0, 0 } };

	futimens(fd, zero);
}

int scratch_open(struct runner *r, char **error)
{
	const char *tmp = getenv("TMPDIR");
	char *whole;

	r->own_scratch = !r->o.scratch;
	if (!r->own_scratch) {
		if (!(r->scratch = realpath(r->o.scratch, NULL)))
			return run_fail(error, "%s: %s", r->o.scratch, strerror(errno));
	} else {
		r->scratch = formatted("%s/duct-run-XXXXXX", tmp && *tmp ? tmp : "/tmp");
	}
	if (r->own_scratch && !mkdtemp(r->scratch)) {
		r->own_scratch = false;
		return run_fail(
		    error, "%s: cannot make a scratch directory: %s", r->scratch, strerror(errno));
	}
	if (r->own_scratch && (whole = realpath(r->scratch, NULL))) {
		free(r->scratch);
		r->scratch = whole;
	}
	r->place_fd = r->scratch_fd = open(r->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (r->scratch_fd < 0)
		return run_fail(error, "%s: %s", r->scratch, strerror(errno));
	if (r->own_scratch)
		mark_clean(r->scratch_fd);
	return 0;
}

static void close_view(struct runner *r)
{
	const int fd[] = { r->view.own, r->view.tmp, r->view.shm, r->view.queues,
		r->view.segments };

	for (size_t i = 0; i < sizeof fd / sizeof *fd; i++)
		if (fd[i] >= 0)
			close(fd[i]);
	r->view = NO_VIEW;
	r->scratch_fd = r->place_fd;
}

uint64_t scratch_files(int fd, uint64_t *bytes)
{
	struct statfs s;

	if (fstatfs(fd, &s))
		return *bytes = 0;
	*bytes = (uint64_t)(s.f_blocks - s.f_bfree) * (uint64_t)s.f_bsize;
	return (uint64_t)(s.f_files - s.f_ffree);
}

void scratch_view(struct runner *r, const struct run_folders *v, uint64_t files)
{
	struct stat st;

	close_view(r);
	r->view = *v;
	if (v->own < 0)
		return;
	if (r->own_scratch) {
		r->scratch_fd = v->own;
		mark_clean(v->own);
	}
	mark_clean(v->tmp);
	mark_clean(v->shm);
	r->clean = files;
	r->no_queues = fstat(v->queues, &st) ? 0 : st.st_size;
}

static bool is_kept(const void *kept, const char *name)
{
	return kept_name(kept, name);
}

bool scratch_empty(int fd, const struct kept_names *k)
{
	return folder_empty(fd, is_kept, k);
}

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

/* As it was at first. */
static void set_mode(int fd, mode_t mode)
{
	struct stat st;

	if (!fstat(fd, &st) && (st.st_mode & 07777) != mode)
		fchmod(fd, mode);
}

/* Without attributes (lists of access rights are some) and times. */
static void clear_marks(int fd)
{
	char names[4096];
	ssize_t size = flistxattr(fd, names, sizeof names);
	struct stat st;

	for (char *name = names; size > 0 && name < names + size; name += strlen(name) + 1)
		fremovexattr(fd, name);
	if (fstat(fd, &st))
		return;
	if (st.st_mtim.tv_sec || st.st_mtim.tv_nsec || st.st_atim.tv_sec || st.st_atim.tv_nsec)
		mark_clean(fd);
}

/* The kernel counts the files of a tmpfs, and the size of a directory of queues grows with each: a
 * run that left nothing costs one question. */
static void clean_view(struct runner *r)
{
	struct kept_names k = { 0 };
	struct stat st;
	uint64_t bytes;

	set_mode(r->view.tmp, 01777);
	set_mode(r->view.shm, 01777);
	if (r->own_scratch)
		set_mode(r->view.own, 0700);
	if (scratch_files(r->view.own, &bytes) != r->clean) {
		kept_below(&k, "/tmp", r->program, r->scratch);
		scratch_empty(r->view.tmp, &k);
		kept_free(&k);
		kept_below(&k, "/dev/shm", r->program, r->scratch);
		scratch_empty(r->view.shm, &k);
		kept_free(&k);
		if (r->own_scratch)
			scratch_empty(r->view.own, NULL);
	}
	clear_marks(r->view.tmp);
	clear_marks(r->view.shm);
	if (r->own_scratch)
		clear_marks(r->view.own);
	if (!fstat(r->view.queues, &st) && st.st_size != r->no_queues)
		scratch_empty(r->view.queues, NULL);
}

void scratch_clean(struct runner *r)
{
	struct stat st;

	if (r->view.own >= 0)
		clean_view(r);
	if (r->view.own >= 0 || !r->own_scratch || fstat(r->scratch_fd, &st))
		return;
	if (st.st_nlink == 0) { /* the program removed it: the server stands nowhere */
		close(r->scratch_fd);
		server_stop(&r->server);
		if (mkdir(r->scratch, 0700) && errno != EEXIST)
			return;
		r->place_fd = r->scratch_fd = open(r->scratch, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		mark_clean(r->scratch_fd);
		return;
	}
	set_mode(r->scratch_fd, 0700);
	scratch_empty(r->scratch_fd, NULL);
	clear_marks(r->scratch_fd);
}

enum { MOST_DIRS = 64 }; /* open at once */

/* A directory and its descriptor, which is closed with it. */
static DIR *open_below(int fd, const char *name)
{
	int at = openat(fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	DIR *d = at < 0 ? NULL : fdopendir(at);

	if (at >= 0 && !d)
		close(at);
	return d;
}

/* Bytes on the disk of everything in a directory; an empty file takes some, too. More than `most`
 * if directories are nested deeper than can be examined. */
static uint64_t room_taken(int fd, uint64_t most)
{
	DIR *open[MOST_DIRS], *below;
	uint64_t sum = 0;
	struct dirent *e;
	struct stat st;
	size_t n = 0;

	if ((open[0] = open_below(fd, ".")))
		n = 1;
	while (n && sum <= most) {
		DIR *d = open[n - 1];

		if (!(e = readdir(d))) {
			closedir(d);
			n--;
			continue;
		}
		if (is_dots(e->d_name) || fstatat(dirfd(d), e->d_name, &st, AT_SYMLINK_NOFOLLOW))
			continue;
		sum += 512 + 512 * (uint64_t)st.st_blocks;
		if (!S_ISDIR(st.st_mode))
			continue;
		if (n == MOST_DIRS)
			sum = most + 1;
		else if ((below = open_below(dirfd(d), e->d_name)))
			open[n++] = below;
	}
	while (n)
		closedir(open[--n]);
	return sum;
}

bool scratch_is_overfull(const struct runner *r)
{
	uint64_t most = 64 * r->o.output, bytes = 0;

	if (r->view.own >= 0 && scratch_files(r->view.own, &bytes) * 512 + bytes > most)
		return true;
	return r->scratch_fd != r->view.own && room_taken(r->scratch_fd, most) > most;
}

void scratch_close(struct runner *r)
{
	close_view(r);
	if (r->own_scratch && r->place_fd >= 0) {
		fchmod(r->place_fd, 0700);
		scratch_empty(r->place_fd, NULL);
		rmdir(r->scratch);
	}
	if (r->place_fd >= 0)
		close(r->place_fd);
	free(r->scratch);
}
