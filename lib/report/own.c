/* own: folders that duct may write to: those with its mark. */
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK ".duct"

static bool has(const char *dir, const char *file)
{
	char *path;
	bool there;

	if (asprintf(&path, "%s/%s", dir, file) < 0)
		no_memory();
	there = !access(path, F_OK);
	free(path);
	return there;
}

/* The name of an entry of the folder that duct did not write; caller frees. NULL: none. */
static char *stranger(const char *dir)
{
	DIR *d = opendir(dir);
	char *name = NULL;

	for (struct dirent *e; !name && d && (e = readdir(d));)
		if (strcmp(e->d_name, ".") && strcmp(e->d_name, "..")
		    && strcmp(e->d_name, "CONFIRMED"))
			name = strdup(e->d_name);
	if (d)
		closedir(d);
	return name;
}

int report_may_write(const char *dir, const char *file, char **error)
{
	struct stat s;
	char *name;

	if (has(dir, MARK))
		return 0;
	if (!stat(dir, &s) && !S_ISDIR(s.st_mode))
		return tests_fail(error, "%s: is a file: name a folder", dir);
	if (!(name = file ? has(dir, file) ? strdup(file) : NULL : stranger(dir)))
		return 0;
	tests_fail(error,
	    "%s: has files that duct did not write (%s): choose another folder, or add --force",
	    dir, name);
	free(name);
	return -1;
}

int report_own(const char *dir, char **error)
{
	char *path;
	FILE *f;
	int rc = tests_make_folder(dir, error);

	if (rc)
		return rc;
	if (asprintf(&path, "%s/" MARK, dir) < 0)
		no_memory();
	if (!(f = fopen(path, "w"))
	    || fputs("duct wrote this folder and may write it again.\n", f) < 0)
		rc = tests_fail(error, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	free(path);
	return rc;
}
