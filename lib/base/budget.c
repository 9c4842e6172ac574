#include "lib/base/budget.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The number in a file; UINT64_MAX: it has none. */
static uint64_t number_in(const char *path)
{
	unsigned long long n;
	FILE *f = fopen(path, "re");
	int got = f ? fscanf(f, "%llu", &n) : 0;

	if (f)
		fclose(f);
	return got == 1 ? n : UINT64_MAX;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* The limit of this process's control group, FOLDER/GROUP/NAME; in containers, which see their own
 * group as the root, FOLDER/NAME. */
static uint64_t of_group(const char *controller, const char *folder, const char *name)
{
	uint64_t most = UINT64_MAX;
	char line[512], path[800];
	FILE *f = fopen("/proc/self/cgroup", "re");

	while (f && fgets(line, sizeof line, f)) {
		char *at = strchr(line, ':'), *group = at ? strchr(at + 1, ':') : NULL;

		line[strcspn(line, "\n")] = 0;
		if (!group || strncmp(at + 1, controller, strlen(controller))
		    || at + 1 + strlen(controller) != group)
			continue;
		snprintf(path, sizeof path, "%s%s/%s", folder, group + 1, name);
		most = number_in(path);
	}
	if (f)
		fclose(f);
	snprintf(path, sizeof path, "%s/%s", folder, name);
	return less(most, number_in(path));
}

/* The value of DUCT_MEMORY: a size with suffix K, M or G. */
static uint64_t said(void)
{
	const char *text = getenv("DUCT_MEMORY"), *units = "KMG", *unit;
	unsigned long long n;
	char *end;

	if (!text || *text < '1' || *text > '9')
		return UINT64_MAX;
	n = strtoull(text, &end, 10);
	unit = *end ? strchr(units, *end) : NULL;
	return unit ? n << 10 * (unit - units + 1) : n;
}

uint64_t budget_machine(void)
{
	static uint64_t most;

	if (!most) {
		most = said();
		most =
		    less(most, (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE));
		most = less(most, of_group("", "/sys/fs/cgroup", "memory.max"));
		most = less(
		    most, of_group("memory", "/sys/fs/cgroup/memory", "memory.limit_in_bytes"));
	}
	return most;
}

uint64_t budget_engine(void)
{
	return less(budget_machine() / 4, (uint64_t)4 << 30);
}
