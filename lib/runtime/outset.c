/* outset: what the program's constructors left in the server. Open files, memory that may be
 * shared, threads and processes are those of all runs then, so that a run finds what earlier ones
 * did. */
#include "lib/runtime/process.h"
#include "lib/runtime/smaps.h"
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

/* With the channel mapped, before anything else is shared. */
struct outset {
	const struct channel *ch;
	int control;
};

static bool is_private(const struct mapping *m, void *with)
{
	const struct outset *o = with;

	return !m->shared || !m->may_write || m->from == (uintptr_t)o->ch;
}

static bool shares_memory(struct outset *o, char *text, size_t room)
{
	long smaps = sys4(SYS_openat, AT_FDCWD, "/proc/self/smaps", O_RDONLY | O_CLOEXEC, 0);
	bool found = smaps >= 0 && !duct_smaps_each((int)smaps, text, room, is_private, o);

	sys1(SYS_close, smaps);
	return found;
}

/* -1: no number */
static int number(const char *s)
{
	int v = *s >= '0' && *s <= '9' ? 0 : -1;

	for (; *s >= '0' && *s <= '9'; s++)
		v = v * 10 + *s - '0';
	return v;
}

static bool has_files(const struct outset *o, char *text, size_t room)
{
	long dir =
	    sys4(SYS_openat, AT_FDCWD, "/proc/self/fd", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
	bool found = false;
	long n;

	while (dir >= 0 && (n = sys3(SYS_getdents64, dir, text, room)) > 0)
		for (long at = 0; at < n; at += ((const struct dirent64 *)(text + at))->d_reclen) {
			int fd = number(((const struct dirent64 *)(text + at))->d_name);

			found |= fd > 2 && fd != dir && fd != o->control
			    && (!o->ch->flow_map || fd != (int)o->ch->flow_map - 1);
		}
	sys1(SYS_close, dir);
	return found;
}

static bool has_processes(void)
{
	long children =
	    sys4(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC, 0);
	char c;
	bool found = children >= 0 && sys3(SYS_read, children, &c, 1) == 1;

	sys1(SYS_close, children);
	return found;
}

/* The directory has one for each thread, and two names of its own. */
static bool has_threads(void)
{
	struct stat st = { 0 };

	return !sys4(SYS_newfstatat, AT_FDCWD, "/proc/self/task", &st, 0) && st.st_nlink > 3;
}

enum duct_outset duct_outset(const struct channel *ch, int control)
{
	static _Alignas(8) char text[1 << 14];
	struct outset o = { ch, control };

	if (has_threads())
		return OUTSET_THREADS;
	return has_processes() || has_files(&o, text, sizeof text)
	        || shares_memory(&o, text, sizeof text)
	    ? OUTSET_SHARED
	    : OUTSET_PLAIN;
}
