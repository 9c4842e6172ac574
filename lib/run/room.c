/* room: the memory that all processes of a run take together, seen from outside; the kernel limits
 * each on its own. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/clock.h"
#include "lib/base/map.h"
#include "lib/base/tree.h"
#include "lib/run/internal.h"

enum {
	MOST_PROCESSES = 4096, /* that are looked at; a run with more has too many */
	MOST_FILES = 1 << 16,  /* likewise, open ones */
	FEW_PROCESSES = 64
};
static const double looking = 0.05; /* seconds for open files */

/* Files in memory that processes have open, and those without a name in a scratch directory on a
 * disk, which are in no directory that is looked at. */
struct memory_files {
	dev_t device, disk; /* disk: 0: there is none */
	struct map seen;    /* by their numbers; at first those of duct, which are not counted */
	size_t looked;
	uint64_t bytes;
};

static void add_file(struct memory_files *m, int dir, const char *name)
{
	struct stat st;
	bool fresh;

	if (fstatat(dir, name, &st, 0) || !S_ISREG(st.st_mode)
	    || (st.st_dev != m->device && (st.st_nlink || st.st_dev != m->disk)))
		return;
	map_at(&m->seen, st.st_ino ^ (st.st_dev == m->device ? 0 : UINT64_C(1) << 63), &fresh);
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

/* Bytes of those files that the processes have open, without those of duct. More than `most` if too
 * many are open. */
static uint64_t files_room(const struct runner *r, const pid_t *pid, size_t n, uint64_t most)
{
	const int own[] = { r->in_fd, r->out_fd, r->err_fd, r->channel.fd, r->flows.fd };
	struct memory_files m = { .looked = 0 };
	double end = clock_now() + looking;
	struct stat st;
	bool fresh;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i] >= 0 && !fstat(own[i], &st)) {
			m.device = st.st_dev;
			map_at(&m.seen, st.st_ino, &fresh);
		}
	if (r->scratch_fd != r->view.own && !fstat(r->scratch_fd, &st))
		m.disk = st.st_dev;
	for (size_t i = 0; i < n && m.looked < MOST_FILES && clock_now() < end; i++)
		add_open(&m, pid[i]);
	map_close(&m.seen);
	return m.looked == MOST_FILES ? most + 1 : m.bytes;
}

/* Bytes of shared memory that they have mapped; `ours` is the part that belongs to duct. Memory
 * mapped by several counts once, unless it takes too long to find out. */
static uint64_t mapped_room(
    const struct runner *r, const pid_t *pid, size_t n, uint64_t ours, uint64_t most)
{
	uint64_t server = tree_common(r->server.pid) + ours, sum = 0, exact = 0;

	for (size_t i = 0; i < n; i++) {
		uint64_t own = tree_common(pid[i]);

		sum += own > server ? own - server : 0;
	}
	if (sum <= most || n > FEW_PROCESSES)
		return sum;
	for (size_t i = 0; i < n; i++)
		exact += tree_shared(pid[i]);
	return exact > ours ? exact - ours : 0;
}

/* Bytes in RAM of the shared memory that has a key, whether a process has mapped it or not. */
static uint64_t segments_room(int fd)
{
	unsigned long long bytes;
	uint64_t sum = 0;
	char line[400];
	FILE *f = fd >= 0 && (fd = dup(fd)) >= 0 ? fdopen(fd, "r") : NULL;

	if (!f)
		return 0;
	rewind(f);
	while (fgets(line, sizeof line, f)) /* its last columns are bytes in RAM, and in swap */
		if (sscanf(line, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu",
		        &bytes)
		    == 1)
			sum += bytes;
	fclose(f);
	return sum;
}

static uint64_t blocks_of(int fd)
{
	struct stat st;

	return fd >= 0 && !fstat(fd, &st) ? (uint64_t)st.st_blocks * 512 : 0;
}

/* Does the kernel itself use more memory for the processes than that? Caches, such as names of
 * files, do not count. */
static bool kernel_is_over(const struct runner *r, uint64_t most)
{
	const struct cgroup *g = &r->server.group;
	uint64_t own = r->server.kernel, now = cgroup_kernel(g);

	if (now <= own + most)
		return false;
	cgroup_reclaim(g, now - own);
	return cgroup_kernel(g) > own + most;
}

bool room_is_over(const struct runner *r)
{
	uint64_t most = r->o.memory + r->o.memory / 20, common = tree_bytes(r->server.pid), sum = 0;
	uint64_t channel = blocks_of(r->channel.fd), files, mapped;
	pid_t pid[MOST_PROCESSES];
	size_t n;

	if (channel > SHRINK_ABOVE + most)
		return true;
	n = tree_list(r->server.pid, pid, MOST_PROCESSES);
	for (size_t i = 0; i < n; i++) { /* beyond what it inherited */
		uint64_t own = tree_bytes(pid[i]);

		sum += own > common ? own - common : 0;
	}
	if (sum > most || n == MOST_PROCESSES)
		return true;
	files = files_room(r, pid, n, most) + segments_room(r->view.segments);
	mapped = mapped_room(r, pid, n, channel + blocks_of(r->flows.fd), most);
	sum += files > mapped ? files : mapped; /* what is open may be mapped, too */
	return sum > most || kernel_is_over(r, most - sum);
}
