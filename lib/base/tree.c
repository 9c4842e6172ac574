#include "lib/base/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

uint64_t tree_bytes(pid_t pid)
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
