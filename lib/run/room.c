/* room: the memory that all processes of a run take together, seen from outside; the kernel limits
 * each on its own. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/run/internal.h"

enum { DEEPEST = 100 }; /* generations of processes that are looked at */

/* Bytes of its own that a process holds; 0: it is gone. */
static uint64_t own_bytes(pid_t pid)
{
	unsigned long long resident = 0, shared = 0;
	char path[40];
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/statm", (int)pid);
	if ((f = fopen(path, "re"))) {
		if (fscanf(f, "%*u %llu %llu", &resident, &shared) != 2 || shared > resident)
			resident = shared = 0;
		fclose(f);
	}
	return (uint64_t)(resident - shared) * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* Of all that descend from a process: what each has more than `common`, which they took over from
 * the server. */
static uint64_t of_children(pid_t parent, uint64_t common, unsigned depth)
{
	char path[64], *line = NULL, *p;
	uint64_t sum = 0, own;
	size_t room = 0;
	FILE *f;

	snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)parent, (int)parent);
	if (depth == DEEPEST || !(f = fopen(path, "re")))
		return 0;
	if (getline(&line, &room, f) > 0)
		for (p = line; *p >= '0' && *p <= '9'; p += strspn(p, " ")) {
			pid_t pid = (pid_t)strtol(p, &p, 10);

			own = own_bytes(pid);
			sum +=
			    (own > common ? own - common : 0) + of_children(pid, common, depth + 1);
		}
	free(line);
	fclose(f);
	return sum;
}

bool room_is_over(const struct runner *r)
{
	uint64_t most = r->o.memory + r->o.memory / 20;
	struct stat st;

	if (!fstat(r->channel.fd, &st) && (uint64_t)st.st_blocks * 512 > SHRINK_ABOVE + most)
		return true;
	return of_children(r->server.pid, own_bytes(r->server.pid), 0) > most;
}
