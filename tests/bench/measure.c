/* measure [-l SECONDS] COMMAND...: runs it and writes to standard error the seconds of wall clock, CPU
 * seconds of it and all its descendants, and the resident size of the largest of them in KiB.
 * With -l it is interrupted (SIGINT) when they have used so many CPU seconds. */
#define _GNU_SOURCE
#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec / 1e6;
}

/* Fields of /proc/PID/stat: parent, and clock ticks of the process and of children it waited for. */
static int look(const char *pid, long *parent, double *ticks)
{
	char path[64], text[1024], *p;
	unsigned long t[4] = { 0 };
	FILE *f;
	size_t n;

	snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
	if (!(f = fopen(path, "r")))
		return 0;
	n = fread(text, 1, sizeof text - 1, f);
	text[n] = 0;
	fclose(f);
	p = strrchr(text, ')');
	if (!p || sscanf(p + 1, " %*c %ld %*d %*d %*d %*d %*u %*u %*u %*u %*u %lu %lu %lu %lu",
	                 parent, t, t + 1, t + 2, t + 3) != 5)
		return 0;
	*ticks = (double)t[0] + (double)t[1] + (double)t[2] + (double)t[3];
	return 1;
}

/* CPU seconds of all living processes below `root`, with what they have waited for. */
static double used(long root)
{
	static struct { long pid, parent; double ticks; char in; } p[65536];
	size_t n = 0, again = 1;
	double sum = 0;
	DIR *d = opendir("/proc");
	struct dirent *e;

	while (d && (e = readdir(d)) && n < sizeof p / sizeof *p)
		if (look(e->d_name, &p[n].parent, &p[n].ticks)) {
			p[n].pid = atol(e->d_name);
			p[n].in = p[n].pid == root;
			n++;
		}
	if (d)
		closedir(d);
	while (again) {
		again = 0;
		for (size_t i = 0; i < n; i++)
			for (size_t k = 0; !p[i].in && k < n; k++)
				if (p[k].in && p[k].pid == p[i].parent)
					p[i].in = 1, again = 1;
	}
	for (size_t i = 0; i < n; i++)
		sum += p[i].in ? p[i].ticks : 0;
	return sum / (double)sysconf(_SC_CLK_TCK);
}

/* Waits until the processes below this one have used up `limit` or `pid` has ended. */
static void limit_cpu(pid_t pid, double limit)
{
	siginfo_t info = { 0 };

	while (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && !info.si_pid) {
		if (used(getpid()) >= limit) {
			kill(pid, SIGINT);
			return;
		}
		usleep(50000);
	}
}

int main(int argc, char **argv)
{
	struct rusage use;
	double begin = now();
	int status, last = 0;
	pid_t pid, child;
	double limit = 0;

	if (argc > 2 && !strcmp(argv[1], "-l")) {
		limit = atof(argv[2]);
		argc -= 2;
		argv += 2;
	}
	if (argc < 2)
		return 2;
	prctl(PR_SET_CHILD_SUBREAPER, 1L, 0L, 0L, 0L);   /* what a parent left is ours to count */
	pid = fork();
	if (pid < 0)
		return 4;
	if (pid == 0) {
		execvp(argv[1], argv + 1);
		_exit(127);
	}
	if (limit > 0)
		limit_cpu(pid, limit);
	while ((child = wait(&status)) > 0) {
		if (child == pid)
			last = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	getrusage(RUSAGE_CHILDREN, &use);
	fprintf(stderr, "\nmeasure %.3f %.3f %ld\n", now() - begin,
	        seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss);
	return last;
}
