#include "lib/base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_dots(const char *name)
{
	return name[0] == '.' && (!name[1] || (name[1] == '.' && !name[2]));
}

static DIR *list(int fd)
{
	int copy = openat(fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = copy < 0 ? NULL : fdopendir(copy);

	if (!d && copy >= 0)
		close(copy);
	return d;
}

/* A folder, whatever its mode; -1: no folder. */
static int enter(int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == EACCES && fchmodat(at, name, 0700, 0) == 0)
		fd = openat(at, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0)
		fchmod(fd, 0700);
	return fd;
}

/* Empties a folder, moving its folders up to `top`, so that depth costs nothing. */
static void flatten(int top, const char *name, unsigned long *serial)
{
	int fd = enter(top, name);
	struct dirent *e;
	char up[48];
	DIR *d;

	if (fd < 0)
		return;
	d = list(fd);
	while (d && (e = readdir(d))) {
		if (is_dots(e->d_name) || !unlinkat(fd, e->d_name, 0))
			continue;
		snprintf(up, sizeof up, ".duct-%d-%lu", (int)getpid(), ++*serial);
		renameat(fd, e->d_name, top, up);
	}
	if (d)
		closedir(d);
	close(fd);
}

static bool keeps_none(const void *with, const char *name)
{
	(void)with, (void)name;
	return false;
}

/* One pass; true when something was found. */
static bool sweep(
    int fd, bool (*keeps)(const void *, const char *), const void *with, unsigned long *serial)
{
	bool found = false;
	struct dirent *e;
	DIR *d = list(fd);

	while (d && (e = readdir(d))) {
		if (is_dots(e->d_name) || keeps(with, e->d_name))
			continue;
		found = true;
		if (!unlinkat(fd, e->d_name, 0) || !unlinkat(fd, e->d_name, AT_REMOVEDIR))
			continue;
		flatten(fd, e->d_name, serial);
		unlinkat(fd, e->d_name, AT_REMOVEDIR);
	}
	if (d)
		closedir(d);
	return found;
}

/* In at most as many passes as there are folders; what is left then cannot be removed. */
bool folder_empty(int fd, bool (*keeps)(const void *with, const char *name), const void *with)
{
	unsigned long serial = 0, pass = 0;

	while (sweep(fd, keeps, with, &serial) && pass++ <= serial + 8)
		;
	return pass > 0;
}

void folder_remove(const char *path)
{
	int fd = enter(AT_FDCWD, path);

	if (fd >= 0) {
		folder_empty(fd, keeps_none, NULL);
		close(fd);
	}
	remove(path);
}
