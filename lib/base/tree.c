#include "lib/base/tree.h"
#include "lib/base/clock.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static size_t list_children(pid_t parent, pid_t *out, size_t most)
{
	char path[64], *line = NULL, *p;
	size_t room = 0, n = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
	if (!(f = fopen(path, "re")))
		return 0;
	if (getline(&line, &room, f) > 0)
		for (p = line; n < most && *p >= '0' && *p <= '9'; p += strspn(p, " "))
			out[n++] = (pid_t)strtol(p, &p, 10);
	free(line);
	fclose(f);
	return n;
}

size_t tree_list(pid_t root, pid_t *out, size_t most)
{
	size_t n = list_children(root, out, most);

	for (size_t i = 0; i < n; i++)
		n += list_children(out[i], out + n, most - n);
	return n;
}

/* The fields of /proc/PID/stat from the process's state on, a part of `line`; "" if the process has
 * ended. */
static const char *state_of(pid_t pid, char *line, int size)
{
	char path[40], *end;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	if (!(f = fopen(path, "re")))
		return "";
	end = fgets(line, size, f) ? strrchr(line, ')') : NULL;
	fclose(f);
	return end && strlen(end) > 2 ? end + 2 : "";
}

size_t tree_running(const pid_t *pid, size_t n)
{
	char line[512];
	size_t running = 0;

	for (size_t i = 0; i < n; i++)
		running += *state_of(pid[i], line, sizeof line) == 'R';
	return running;
}

double tree_cpu(const pid_t *pid, size_t n, bool *ready)
{
	unsigned long long sum = 0, t[4];
	const char *state;
	char line[512];

	*ready = false;
	for (size_t i = 0; i < n; i++) {
		state = state_of(pid[i], line, sizeof line);
		if (!*state)
			continue;
		*ready |= *state == 'R' || *state == 'D';
		if (sscanf(state + 1, "%*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu %llu %llu",
		        t, t + 1, t + 2, t + 3)
		    == 4)
			sum += t[0] + t[1] + t[2] + t[3];
	}
	return (double)sum / (double)sysconf(_SC_CLK_TCK);
}

/* Bytes in RAM, and those of files and shared memory among them. */
static void sizes(pid_t pid, uint64_t *resident, uint64_t *shared)
{
	unsigned long long all = 0, part = 0;
	char path[40];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	if ((f = fopen(path, "re"))) {
		if (fscanf(f, "%*u %llu %llu", &all, &part) != 2 || part > all)
			all = part = 0;
		fclose(f);
	}
	*resident = (uint64_t)all * (uint64_t)sysconf(_SC_PAGESIZE);
	*shared = (uint64_t)part * (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t tree_bytes(pid_t pid)
{
	uint64_t resident, shared;

	sizes(pid, &resident, &shared);
	return resident - shared;
}

uint64_t tree_common(pid_t pid)
{
	uint64_t resident, shared;

	sizes(pid, &resident, &shared);
	return shared;
}

/* Bytes of a kind of memory; pages that n processes share count as a nth. */
static uint64_t proportional(pid_t pid, const char *kind)
{
	unsigned long long kib = 0;
	size_t n = strlen(kind);
	char path[48], line[128];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
	if (!(f = fopen(path, "re")))
		return 0;
	while (fgets(line, sizeof line, f))
		if (!strncmp(line, kind, n) && line[n] == ':')
			kib = strtoull(line + n + 1, NULL, 10);
	fclose(f);
	return (uint64_t)kib << 10;
}

uint64_t tree_part(pid_t pid)
{
	uint64_t all = proportional(pid, "Pss_Anon");

	return all ? all : tree_bytes(pid);
}

uint64_t tree_shared(pid_t pid)
{
	return proportional(pid, "Pss_Shmem");
}

void tree_name(pid_t pid, char *name, size_t size)
{
	char path[40];
	FILE *f;

	*name = 0;
	snprintf(path, sizeof path, "/proc/%d/comm", (int)pid);
	if ((f = fopen(path, "re"))) {
		if (!fgets(name, (int)size, f))
			*name = 0;
		fclose(f);
	}
	for (char *c = name; *c; c++)
		if (*c == '\n')
			*c = 0;
}

void tree_await(pid_t pid, double seconds)
{
	struct timespec t = clock_timespec(seconds);
	struct pollfd ended = { .fd = (int)syscall(SYS_pidfd_open, pid, 0), .events = POLLIN };

	ppoll(&ended, ended.fd >= 0, &t, NULL);
	if (ended.fd >= 0)
		close(ended.fd);
}
