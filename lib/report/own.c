/* own: folders that duct may write to: those with its mark. Beside files of others it owns its page
 * alone. */
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

enum ownership { NONE, PAGE, WHOLE };
static const char *const says[] = {
	[PAGE] = "duct wrote the page in this folder and may write it again.\n",
	[WHOLE] = "duct wrote this folder and may write it again.\n",
};
static const char *const of_page[] = { "index.html", "traceability.html", MARK, NULL };

static bool has(const char *dir, const char *file)
{
	char *path;
	bool there;

	path = formatted("%s/%s", dir, file);
	there = !access(path, F_OK);
	free(path);
	return there;
}

static enum ownership mark_of(const char *dir)
{
	char *path, line[100] = "";
	FILE *f;

	if (!has(dir, MARK))
		return NONE;
	path = formatted("%s/" MARK, dir);
	if ((f = fopen(path, "r"))) {
		(void)!fgets(line, sizeof line, f);
		fclose(f);
	}
	free(path);
	return strcmp(line, says[PAGE]) ? WHOLE : PAGE;
}

static bool is_any(const char *name, const char *const *list)
{
	while (*list && strcmp(name, *list))
		list++;
	return *list;
}

/* The name of an entry of the folder that duct did not write; caller frees. NULL: none. */
static char *stranger(const char *dir, bool with_page)
{
	static const char *const none[] = { ".", "..", "CONFIRMED", NULL };
	DIR *d = opendir(dir);
	char *name = NULL;

	for (struct dirent *e; !name && d && (e = readdir(d));)
		if (!is_any(e->d_name, none) && !(with_page && is_any(e->d_name, of_page)))
			name = copied(e->d_name);
	if (d)
		closedir(d);
	return name;
}

int report_may_write(const char *dir, const char *file, char **error)
{
	enum ownership mark = mark_of(dir);
	struct stat s;
	char *name;

	if (mark == WHOLE || (mark == PAGE && file))
		return 0;
	if (!stat(dir, &s) && !S_ISDIR(s.st_mode))
		return tests_fail(error, "%s: is a file: name a folder", dir);
	if (!(name = file ? has(dir, file) ? copied(file) : NULL : stranger(dir, mark == PAGE)))
		return 0;
	tests_fail(error,
	    "%s: has files that duct did not write (%s): choose another folder, or add --force",
	    dir, name);
	free(name);
	return -1;
}

int report_own(const char *dir, const char *file, char **error)
{
	char *path, *other;
	enum ownership mark = mark_of(dir);
	FILE *f;
	int rc = tests_make_folder(dir, error);

	if (rc)
		return rc;
	other = file && mark != WHOLE ? stranger(dir, mark == PAGE) : NULL;
	mark = other ? PAGE : WHOLE;
	free(other);
	path = formatted("%s/" MARK, dir);
	if (!(f = fopen(path, "w")) || fputs(says[mark], f) < 0)
		rc = tests_fail(error, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	free(path);
	return rc;
}
