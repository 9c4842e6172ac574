#include "lib/base/home.h"
#include "lib/base/grow.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Programs are PREFIX/libexec/duct/NAME. In a build tree, PREFIX is BUILD (or BUILD/asan), and
 * share and lua are in an enclosing source directory; installed, they are in PREFIX/share/duct. */
static char *try(const char *dir, const char *mid, const char *name)
{
	char *path = formatted("%s/%s/%s", dir, mid, name);

	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

char *home_path(const char *part, const char *name)
{
	char dir[PATH_MAX], mid[64], *slash, *found;
	ssize_t n = readlink("/proc/self/exe", dir, sizeof dir - 1);
	if (n < 0)
		return NULL;
	dir[n] = 0;
	if ((slash = strrchr(dir, '/')))
		*slash = 0;
	if (!strcmp(part, "libexec"))
		return try(dir, ".", name);
	snprintf(mid, sizeof mid, "%s/duct", part);
	if (strlen(dir) > 13 && !strcmp(dir + strlen(dir) - 13, "/libexec/duct")) {
		dir[strlen(dir) - 13] = 0;
		if ((found = try(dir, strcmp(part, "lua") ? mid : "share/duct/lua", name)))
			return found;
	}
	for (int up = 0; up < 6; up++) {
		if ((found = try(dir, part, name)))
			return found;
		if (!(slash = strrchr(dir, '/')))
			break;
		*slash = 0;
	}
	return NULL;
}
