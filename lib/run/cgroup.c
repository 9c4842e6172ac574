/* cgroup: limits of the kernel's on all processes of the runs together, with the memory that it
 * uses for them itself (sockets, pipes, tables of pages): a control group for the server and its
 * runs, where we may make one. Both versions are served, the first one (controllers mounted apart)
 * and the second. A group is made beside or below our own, never outside of a limit that we are
 * under. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/run/internal.h"
#include "lib/base/grow.h"

#define PROCESSES "1024" /* at once */

static const char own_name[] = "duct-";

static bool put(const char *folder, const char *name, const char *text)
{
	char *path;
	bool done = false;
	int fd;

	path = formatted("%s/%s", folder, name);
	if ((fd = open(path, O_WRONLY | O_CLOEXEC)) >= 0) {
		done = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
		close(fd);
	}
	free(path);
	return done;
}

/* Reads the text of a small file; false: there is none. */
static bool get(const char *folder, const char *name, char *text, size_t size)
{
	char *path;
	ssize_t n = -1;
	int fd;

	path = formatted("%s/%s", folder, name);
	if ((fd = open(path, O_RDONLY | O_CLOEXEC)) >= 0) {
		n = read(fd, text, size - 1);
		close(fd);
	}
	free(path);
	text[n > 0 ? n : 0] = 0;
	return n >= 0;
}

static bool has_word(const char *list, const char *word, const char *between)
{
	size_t n = strlen(word);

	for (const char *p = list; (p = strstr(p, word)); p += n)
		if ((p == list || strchr(between, p[-1])) && strchr(between, p[n]))
			return true;
	return false;
}

/* The path of our group in the hierarchy that has the controller, from /proc/self/cgroup; NULL:
 * there is none. "" stands for the second version. Caller frees. */
static char *own_path(const char *controller)
{
	FILE *f = fopen("/proc/self/cgroup", "re");
	char *line = NULL, *path = NULL, *list, *name;
	size_t size = 0;

	while (f && !path && getline(&line, &size, f) > 0) {
		line[strcspn(line, "\n")] = 0;
		if (!(list = strchr(line, ':')) || !(name = strchr(++list, ':')))
			continue;
		*name++ = 0;
		if (*controller ? has_word(list, controller, ",") : !*list)
			path = copied(name);
	}
	free(line);
	if (f)
		fclose(f);
	return path;
}

/* The folder where that group is seen, from a line of /proc/self/mountinfo; NULL: not there. */
static char *seen_at(char *line, const char *controller, const char *path)
{
	char *options = strstr(line, " - "), root[4096], at[4096], type[16], super[400];
	size_t n;

	if (!options || sscanf(options, " - %15s %*s %399s", type, super) != 2
	    || sscanf(line, "%*s %*s %*s %4095s %4095s", root, at) != 2
	    || strcmp(type, *controller ? "cgroup" : "cgroup2")
	    || (*controller && !has_word(super, controller, ",")))
		return NULL;
	n = strcmp(root, "/") ? strlen(root) : 0;
	if (strncmp(path, root, n) || (n && path[n] && path[n] != '/'))
		return NULL;
	return formatted("%s%s", at, strcmp(path + n, "/") ? path + n : "");
}

/* The folder of our own group; *top is the length of its hierarchy's folder. */
static char *own_folder(const char *controller, size_t *top)
{
	char *path = own_path(controller), *line = NULL, *folder = NULL;
	FILE *f = path ? fopen("/proc/self/mountinfo", "re") : NULL;
	size_t size = 0;

	while (f && !folder && getline(&line, &size, f) > 0)
		if ((folder = seen_at(line, controller, path))) {
			char at[4096];

			*top = sscanf(line, "%*s %*s %*s %*s %4095s", at) == 1 ? strlen(at) : 0;
		}
	if (f)
		fclose(f);
	free(line);
	free(path);
	return folder;
}

static bool is_writable(const char *folder)
{
	char *path;
	bool is;

	path = formatted("%s/cgroup.procs", folder);
	is = !access(folder, W_OK) && !access(path, W_OK);
	free(path);
	return is;
}

/* Is the group without limits of its own? */
static bool is_unlimited(const char *folder)
{
	static const char *const limits[] = { "memory.max", "memory.high", "memory.swap.max",
		"pids.max" };
	char text[64];

	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
		if (get(folder, limits[i], text, sizeof text) && strcmp(text, "max\n"))
			return false;
	return true;
}

/* In the second version a group with processes has no groups with controllers below it: the first
 * one from ours upwards that passes on the controller, up to one with a limit. */
static char *place_unified(const char *controller)
{
	size_t top = 0;
	char *folder = own_folder("", &top), *slash, list[400];

	for (; folder; *slash = 0) {
		if (get(folder, "cgroup.subtree_control", list, sizeof list)
		    && has_word(list, controller, " \n") && is_writable(folder))
			return folder;
		slash = strrchr(folder, '/');
		if (strlen(folder) <= top || !slash || !is_unlimited(folder))
			break;
	}
	free(folder);
	return NULL;
}

static char *place_of(const char *controller, bool *unified)
{
	size_t top;
	char *folder = own_folder(controller, &top);

	*unified = !folder;
	if (*unified)
		return place_unified(controller);
	if (is_writable(folder))
		return folder;
	free(folder);
	return NULL;
}

/* Removes groups of processes that are no more. */
static void remove_old(const char *place)
{
	DIR *d = opendir(place);
	struct dirent *e;
	long pid;

	while (d && (e = readdir(d)))
		if (!strncmp(e->d_name, own_name, strlen(own_name))
		    && (pid = strtol(e->d_name + strlen(own_name), NULL, 10)) > 0
		    && kill((pid_t)pid, 0))
			unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
	if (d)
		closedir(d);
}

/* A new group for a controller; NULL: it cannot be. */
static char *make_group(const char *controller, bool *unified)
{
	static unsigned number; /* tells those of this process apart */
	char *place = place_of(controller, unified), *folder = NULL;

	if (place) {
		remove_old(place);
		folder = formatted("%s/%s%d-%u", place, own_name, (int)getpid(), ++number);
		if (mkdir(folder, 0700)) {
			free(folder);
			folder = NULL;
		}
	}
	free(place);
	return folder;
}

void cgroup_make(struct cgroup *g, uint64_t memory)
{
	char bytes[24];

	*g = (struct cgroup){ NULL, NULL, false, false };
	snprintf(bytes, sizeof bytes, "%llu", (unsigned long long)memory);
	g->memory = make_group("memory", &g->unified);
	if (g->memory
	    && !put(g->memory, g->unified ? "memory.max" : "memory.limit_in_bytes", bytes))
		cgroup_drop(&g->memory);
	if (g->memory && !g->unified) /* memory of TCP is counted apart, once it has a limit */
		put(g->memory, "memory.kmem.tcp.limit_in_bytes", bytes);
	if (g->memory && g->unified && put(g->memory, "pids.max", PROCESSES))
		g->pids = copied(g->memory);
	else if ((g->pids = make_group("pids", &g->pids_unified))
	    && !put(g->pids, "pids.max", PROCESSES))
		cgroup_drop(&g->pids);
}

/* Moves the caller. In version 1 by its thread, because the kernel moves a thread by itself without
 * waiting for others. */
static bool move(const char *folder, bool unified)
{
	return folder && put(folder, unified ? "cgroup.procs" : "tasks", "0");
}

unsigned cgroup_enter(const struct cgroup *g, bool entered)
{
	bool one = g->memory && g->pids && !strcmp(g->memory, g->pids);
	bool memory = entered || move(g->memory, g->unified);
	bool pids = one ? memory : move(g->pids, g->pids_unified);

	return (memory ? 0 : OPEN_MEMORY) | (pids ? 0 : OPEN_NUMBER);
}

void cgroup_drop(char **folder)
{
	if (*folder)
		rmdir(*folder);
	free(*folder);
	*folder = NULL;
}

void cgroup_remove(struct cgroup *g)
{
	cgroup_drop(&g->pids);
	cgroup_drop(&g->memory);
}

static uint64_t number_in(const char *folder, const char *file)
{
	char text[24];

	return get(folder, file, text, sizeof text) ? strtoull(text, NULL, 10) : 0;
}

/* The number after a word at the start of a line. */
static uint64_t number_of(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *p = text; p; p = (p = strchr(p, '\n')) ? p + 1 : NULL)
		if (!strncmp(p, word, n) && p[n] == ' ')
			return strtoull(p + n + 1, NULL, 10);
	return 0;
}

uint64_t cgroup_kernel(const struct cgroup *g)
{
	char text[8192];
	uint64_t kernel;

	if (!g->memory)
		return 0;
	if (!g->unified)
		return number_in(g->memory, "memory.kmem.usage_in_bytes")
		    + number_in(g->memory, "memory.kmem.tcp.usage_in_bytes");
	if (!get(g->memory, "memory.stat", text, sizeof text))
		return 0;
	kernel = number_of(text, "kernel"); /* before Linux 5.18, its parts */
	if (!kernel)
		kernel = number_of(text, "slab") + number_of(text, "kernel_stack");
	return kernel + number_of(text, "sock");
}

void cgroup_reclaim(const struct cgroup *g, uint64_t bytes)
{
	char text[24];

	snprintf(text, sizeof text, "%llu", (unsigned long long)bytes);
	if (g->memory && g->unified)
		put(g->memory, "memory.reclaim", text);
	else if (g->memory)
		put(g->memory, "memory.force_empty", "0");
}

uint64_t cgroup_kills(const struct cgroup *g)
{
	char text[1024];

	return g->memory
	        && get(g->memory, g->unified ? "memory.events" : "memory.oom_control", text,
	            sizeof text)
	    ? number_of(text, "oom_kill")
	    : 0;
}
