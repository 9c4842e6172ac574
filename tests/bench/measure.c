/* measure COMMAND...: runs it and writes to standard error the seconds of wall clock, CPU
 * seconds of it and all its descendants, and the resident size of the largest of them in KiB. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
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

int main(int argc, char **argv)
{
	struct rusage use;
	double begin = now();
	int status, last = 0;
	pid_t pid, child;

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
	while ((child = wait(&status)) > 0) {
		if (child == pid)
			last = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
	}
	getrusage(RUSAGE_CHILDREN, &use);
	fprintf(stderr, "\nmeasure %.3f %.3f %ld\n", now() - begin,
	        seconds(use.ru_utime) + seconds(use.ru_stime), use.ru_maxrss);
	return last;
}
