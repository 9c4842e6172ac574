/* reap: how the server ends the processes of a run. */
#include "lib/runtime/process.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/wait.h>
#include <time.h>

/* Kills the server's remaining children, found through /proc, or, if it is the first process of a
 * namespace, all processes in it. */
static void kill_children(void)
{
	char text[512];

	if (sys1(SYS_getpid, 0) == 1) {
		sys2(SYS_kill, -1, SIGKILL);
		return;
	}
	long fd = sys3(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC), n;
	int pid = 0;

	if (fd < 0)
		return;
	while ((n = sys3(SYS_read, fd, text, sizeof text)) > 0)
		for (long i = 0; i < n; i++) {
			if (text[i] >= '0' && text[i] <= '9') {
				pid = pid * 10 + text[i] - '0';
				continue;
			}
			if (pid > 1)
				sys2(SYS_kill, pid, SIGKILL);
			pid = 0;
		}
	sys1(SYS_close, fd);
}

uint64_t duct_microseconds(const struct rusage *r)
{
	return (uint64_t)(r->ru_utime.tv_sec + r->ru_stime.tv_sec) * 1000000u
	    + (uint64_t)(r->ru_utime.tv_usec + r->ru_stime.tv_usec);
}

#define FOLLOWED_MS 100

/* The process that the trace follows may run on for a while after the first one has ended; one that
 * does not end, such as a daemon, is left behind. */
static void await_followed(struct channel_answer *done)
{
	struct timespec ms = { .tv_nsec = 1000000 };
	int pid = (int)duct_progress.followed, status;
	struct rusage used;
	long r = 0;

	for (int i = 0; pid > 0 && !r && i < FOLLOWED_MS; i++)
		if (!(r = sys4(SYS_wait4, pid, &status, WNOHANG, &used)))
			sys2(SYS_nanosleep, &ms, NULL);
	if (r > 0)
		done->cpu_us += duct_microseconds(&used);
}

/* Does the server have only one child? Its number in /proc may be that of another namespace. */
static bool only_child(void)
{
	char text[64];
	long fd, n;

	fd = sys3(SYS_openat, AT_FDCWD, "/proc/thread-self/children", O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = sys3(SYS_read, fd, text, sizeof text);
	sys1(SYS_close, fd);
	for (long i = 0; i + 1 < n; i++)
		if (text[i] == ' ') /* another one follows */
			return false;
	return n > 0;
}

/* The server is a subreaper: every descendant becomes its child when its parent dies. */
void duct_reap(int pid, int *aside, struct channel_answer *done)
{
	struct rusage used;
	int status;
	long r;

	if (WIFEXITED(done->status))
		await_followed(done);
	while ((r = sys4(SYS_wait4, -1, &status, WNOHANG, &used)) >= 0) {
		if (r == 0 && *aside && only_child())
			return;
		if (r == 0) {
			sys2(SYS_kill, -pid, SIGKILL);
			kill_children();
			r = sys4(SYS_wait4, -1, &status, 0, &used);
		}
		if (r > 0 && r == *aside) {
			*aside = 0;
		} else if (r > 0) {
			done->left_behind++;
			done->cpu_us += duct_microseconds(&used);
		}
	}
}

bool duct_leaves_objects(void)
{
	struct shm_info shm = { 0 };
	struct seminfo sem = { 0 };
	struct msginfo msg = { 0 };

	if (sys1(SYS_getpid, 0) != 1)
		return false;
	sys3(SYS_shmctl, 0, SHM_INFO, (long)&shm);
	sys4(SYS_semctl, 0, 0, SEM_INFO, (long)&sem);
	sys3(SYS_msgctl, 0, MSG_INFO, (long)&msg);
	return shm.used_ids || sem.semusz || msg.msgpool;
}
