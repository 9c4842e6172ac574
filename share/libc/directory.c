/* Directories: with --environment the list of files in the working folder is an input when the
 * program reads it. Other directories are this machine's. */
#define _GNU_SOURCE 1
#include <dirent.h>
#include <errno.h>

#include "share/libc/stream.h"
#include "share/libc/names.h"

static struct listing {
	struct listing *next;
	DIR *directory;
	struct dirent entry;
	struct dirent64 entry64;
} *listings;

MODEL DIR *opendir(const char *path)
{
	struct file_content *c;
	struct listing *l;
	DIR *d;

	if (MAY_FAIL("opendir", EACCES))
		return NULL;
	if (!duct_files_list(path)) {
		duct_rt_concrete("opendir", NULL);
		c = duct_file_named(path, "opendir");
		if (c && c->path && !duct_content_is_directory(c)) {
			errno = ENOTDIR;
			return NULL;
		}
	}
	if ((d = CALL_REAL(opendir, path)) && (l = calloc(1, sizeof *l))) {
		l->directory = d;
		l->next = listings;
		listings = l;
	}
	return d;
}

#define READ(name, entry, type) \
	MODEL struct type *name(DIR *d) \
	{ \
		struct type *e = CALL_REAL(name, d); \
		size_t n = e ? CALL_QUIETLY("strlen", strlen, e->d_name) : 0; \
		const char *from = e ? duct_file_name(e->d_name, n) : NULL; \
		struct listing *l; \
		for (l = listings; from && l; l = l->next) \
			if (l->directory == d) { \
				CALL_QUIETLY("memcpy", memcpy, &l->entry, e, e->d_reclen); \
				duct_rt_set(NULL, 0, l->entry.d_name, n + 1, 0, 0, 0); \
				memcpy(l->entry.d_name, from, n); \
				return &l->entry; \
			} \
		return e; \
	}
READ(readdir, entry, dirent)
READ(readdir64, entry64, dirent64)

MODEL int closedir(DIR *d)
{
	struct listing **at = &listings;

	while (*at && (*at)->directory != d)
		at = &(*at)->next;
	if (*at)
		*at = (*at)->next;
	return CALL_REAL(closedir, d);
}
