/* room: the memory that all processes of a run take together, seen from outside; the kernel limits
 * each on its own. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/map.h"
#include "lib/base/tree.h"
#include "lib/run/internal.h"

enum {
	MOST_PROCESSES = 4096, /* that are looked at; a run with more has too many */
	MOST_FILES = 1 << 16   /* likewise, open ones */
};

/* Files in memory that processes have open. */
struct memory_files {
	dev_t device;
	struct map seen; /* by their numbers; at first those of duct, which count for nothing */
	size_t looked;
	uint64_t bytes;
};

static void add_file(struct memory_files *m, int dir, const char *name)
{
	struct stat st;
	bool fresh;

	if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode) || st.st_dev != m->device)
		return;
	map_at(&m->seen, st.st_ino, &fresh);
	if (fresh)
		m->bytes += (uint64_t)st.st_blocks * 512;
}

static void add_open(struct memory_files *m, pid_t pid)
{
	char path[40];
	struct dirent *e;
	DIR *d;

	snprintf(path, sizeof path, "/proc/%d/fd", (int)pid);
	if (!(d = opendir(path)))
		return;
	while (m->looked < MOST_FILES && (e = readdir(d))) {
		m->looked++;
		add_file(m, dirfd(d), e->d_name);
	}
	closedir(d);
}

/* Of files in memory and shared memory, which are no process's own; `ours` is what of it belongs to
 * duct. More than `most` where too many are open. */
static uint64_t common_room(
    const struct runner *r, const pid_t *pid, size_t n, uint64_t ours, uint64_t most)
{
	const int own[] = { r->in_fd, r->out_fd, r->err_fd, r->channel.fd, r->flows.fd };
	struct memory_files m = { .looked = 0 };
	uint64_t mapped = 0;
	struct stat st;
	bool fresh;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i] >= 0 && !fstat(own[i], &st)) {
			m.device = st.st_dev;
			map_at(&m.seen, st.st_ino, &fresh);
		}
	for (size_t i = 0; i < n && m.looked < MOST_FILES; i++)
		add_open(&m, pid[i]);
	for (size_t i = 0; i < n; i++)
		mapped += tree_shared(pid[i]);
	map_close(&m.seen);
	mapped = mapped > ours ? mapped - ours : 0;
	return m.looked == MOST_FILES ? most + 1 : m.bytes > mapped ? m.bytes : mapped;
}

static uint64_t blocks_of(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? (uint64_t)st.st_blocks * 512 : 0;
}

bool room_is_over(const struct runner *r)
{
	uint64_t most = r->o.memory + r->o.memory / 20, common = tree_bytes(r->server.pid), sum = 0;
	uint64_t channel = blocks_of(r->channel.fd);
	pid_t pid[MOST_PROCESSES];
	size_t n;

	if (channel > SHRINK_ABOVE + most)
		return true;
	n = tree_list(r->server.pid, pid, MOST_PROCESSES);
	for (size_t i = 0; i < n; i++) { /* what each has more than it took over from the server */
		uint64_t own = tree_bytes(pid[i]);

		sum += own > common ? own - common : 0;
	}
	sum += common_room(r, pid, n, channel + blocks_of(r->flows.fd), most);
	return sum > most || n == MOST_PROCESSES;
}
