/* Files that a program names: with --environment, for each relative name that the program uses, the
 * input NAME? says whether the file exists; its content is any. Inputs of files of --file have the
 * file's name, those of others file.NAME. A name that depends on inputs is a file of its own,
 * file.1, file.2, ..., unless it is the name of another. Files outside of the scratch folder, and
 * files that the program creates, stay concrete. */
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "share/duct.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"
#include "share/libc/equal.h"

struct named_file {
	struct named_file *next;
	char *path; /* as the program has it: may be symbolic */
	size_t n;
	int symbolic, own;            /* own: the program made or changed it */
	struct file_content *content; /* NULL: it is not there */
};

static struct named_file *files;
static int stdin_own; /* the program writes the file that is its standard input */
int duct_moved __attribute__((visibility("hidden")));

static int is_stdin(const char *path)
{
	static const char *const names[] = { "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0" };
	size_t i;

	for (i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(path, names[i]))
			return 1;
	return 0;
}

/* These are the same everywhere. */
static int is_device(const char *path)
{
	return !strcmp(path, "/dev/null") || !strcmp(path, "/dev/zero")
	    || !strcmp(path, "/dev/full");
}

static int leads_out(const char *path)
{
	const char *s;

	if (*path == '/')
		return 1;
	for (s = path; (s = strstr(s, "..")); s += 2)
		if ((s == path || s[-1] == '/') && (!s[2] || s[2] == '/'))
			return 1;
	return !strcmp(path, ".") || path[strlen(path) - 1] == '/';
}

/* Branch-free: of a name that follows from inputs. */
static int is_plain(const char *path, size_t n)
{
	unsigned slash = 0, other = n > 2;
	size_t i;

	for (i = 0; i < n; i++) {
		slash |= path[i] == '/';
		other |= path[i] != '.';
	}
	return other & !slash;
}

static struct named_file *find(const char *path, size_t n, int symbolic)
{
	struct named_file *f;

	for (f = files; f; f = f->next)
		if (f->n == n
		    && (symbolic || f->symbolic ? equal_bytes(f->path, path, n)
		                                : !memcmp(f->path, path, n)))
			return f;
	return NULL;
}

static struct named_file *add(const char *path, size_t n, int symbolic)
{
	struct named_file *f = calloc(1, sizeof *f);

	if (!f || !(f->path = malloc(n + 1)))
		return NULL;
	memcpy(f->path, path, n + 1);
	f->n = n;
	f->symbolic = symbolic;
	f->next = files;
	files = f;
	return f;
}

/* A file of --file, which run-trace makes. */
static struct file_content *given(const char *path)
{
	uint32_t size = (uint32_t)duct_rt_setup("file:", path);
	struct file_content *c;

	if (!size || (duct_rt_environment() && !duct_rt_present(path, 1)))
		return NULL;
	if ((c = duct_content(path, "file", size)))
		return c;
	return NULL;
}

static unsigned count; /* files whose names follow from inputs */
static int listed;     /* the program has listed the folder */

static void ask(struct named_file *f)
{
	uint32_t size = (uint32_t)duct_rt_grown("file");
	char name[300];

	if (f->symbolic)
		CALL_QUIETLY("sprintf", sprintf, name, "file.%u", ++count);
	else
		CALL_QUIETLY("snprintf", snprintf, name, sizeof name, "file.%s", f->path);
	if (!duct_rt_present(name, 0))
		return;
	if (f->symbolic)
		duct_rt_tell_path(name, f->path);
	if (duct_rt_make_file(f->path, name, size))
		f->content = duct_content(name, "file", size);
}

/* A file that is no input: NULL, and it is read as it is. */
static struct named_file *lookup(const char *path, const char *function)
{
	int symbolic = duct_rt_symbolic(path, CALL_QUIETLY("strlen", strlen, path) + 1);
	size_t n = symbolic ? strlen(path) : CALL_QUIETLY("strlen", strlen, path);
	struct named_file *f;

	if (n == 0 || n > 250 || (!symbolic && is_device(path)))
		return NULL;
	if (duct_moved || (symbolic ? !is_plain(path, n) : leads_out(path))) {
		duct_rt_concrete(function, symbolic ? NULL : path);
		return NULL;
	}
	if ((f = find(path, n, symbolic)))
		return f;
	if (!duct_rt_setup("file:", path) && (listed || duct_rt_file_exists(path)))
		return NULL; /* the program made it, or has seen that it is not there */
	if (!(f = add(path, n, symbolic)))
		return NULL;
	if (duct_rt_setup("file:", path))
		f->content = given(path);
	else
		ask(f);
	return f;
}

/* contains `open`: it opens the file */
static int opens(const char *function)
{
	return CALL_QUIETLY("strstr", strstr, function, "open") != NULL;
}

struct file_content *duct_file_named(const char *path, const char *function)
{
	struct named_file *f;

	if (!path || !duct_rt_describes())
		return NULL;
	if (is_stdin(path)) {
		duct_opened(0);
		if (stdin_own)
			return NULL;
		return duct_rt_setup("", "stdin") || duct_rt_environment()
		    ? duct_content("stdin", "stdin", 0)
		    : NULL;
	}
	while (path[0] == '.' && path[1] == '/')
		path += 2;
	if (!duct_rt_environment() || duct_rt_setup("", "scratch"))
		return given(path);
	f = lookup(path, function);
	if (f && f->content && !duct_rt_setup("file:", path)) /* that is a regular file */
		f->content->path = f->path;
	return f && !f->own ? f->content : NULL;
}

struct file_content *duct_file(const char *path, const char *function)
{
	struct file_content *c = duct_file_named(path, function);

	return c && duct_content_is_regular(c, opens(function)) ? c : NULL;
}

/* Is there another file in the folder? Its name and its content are inputs, file.N.name[i] and
 * file.N[i]. */
static int another(void)
{
	char name[40], input[40], *path;
	struct named_file *f;
	size_t n;

	CALL_QUIETLY("sprintf", sprintf, name, "file.%u", count + 1);
	if (!duct_rt_present(name, 0))
		return 0;
	count++;
	CALL_QUIETLY("sprintf", sprintf, input, "%s.name", name);
	duct_rt_limit("answer", input, duct_rt_grown("text"));
	path = duct_rt_text(input, duct_rt_grown("text"));
	n = strlen(path);
	duct_assume(n > 0 && n <= 250 && is_plain(path, n) && !find(path, n, 1));
	duct_assume(!duct_rt_file_exists(path));
	if (!(f = add(path, n, 1)))
		return 0;
	duct_rt_tell_path(name, path);
	if (duct_rt_make_file(path, name, duct_rt_grown("file")))
		f->content = duct_content(name, "file", (uint32_t)duct_rt_grown("file"));
	return 1;
}

int duct_files_list(const char *path)
{
	size_t most = duct_rt_grown("files"), i;

	if (duct_moved || !duct_rt_environment() || duct_rt_setup("", "scratch")
	    || (strcmp(path, ".") && strcmp(path, "./")))
		return 0;
	duct_rt_limit("files", "", most);
	for (i = 0; !listed && i < most && another(); i++)
		;
	listed = 1;
	return 1;
}

const char *duct_file_name(const char *name, size_t n)
{
	struct named_file *f;

	for (f = files; f; f = f->next)
		if (f->symbolic && f->n == n && !CALL_QUIETLY("memcmp", memcmp, f->path, name, n))
			return f->path;
	return NULL;
}

static struct named_file *own(const char *path)
{
	size_t n = CALL_QUIETLY("strlen", strlen, path);
	struct named_file *f;

	while (path[0] == '.' && path[1] == '/') {
		path += 2;
		n -= 2;
	}
	if (!duct_rt_describes() || !(f = find(path, n, 0)))
		return NULL;
	f->own = 1;
	return f;
}

void duct_file_own(const char *path)
{
	own(path);
}

void duct_stdin_write(void)
{
	struct opened *o;

	if (!duct_rt_describes())
		return;
	if ((o = duct_opened(0)) && !o->content->path)
		duct_content_change(o->content);
	stdin_own = 1;
}

void duct_file_write(const char *path)
{
	struct named_file *f;

	if (duct_rt_describes() && is_stdin(path)) {
		duct_stdin_write();
	} else if ((f = own(path)) && f->content) {
		duct_content_change(f->content);
	}
}

/* ---- functions that use files by name, and that create, rename or remove them */

static int known(const char *path, const char *function)
{
	duct_file(path, function);
	return 0;
}

/* Functions that create, rename or remove a file, for which the permission may be missing. */
#define CHANGES(name) \
	MODEL int name(const char *path) \
	{ \
		if (MAY_FAIL(#name, EACCES)) \
			return -1; \
		known(path, #name); \
		return CALL_QUIETLY(#name, name, path); \
	}
CHANGES(unlink)
CHANGES(remove)

/* Files of a run are shorter than a program may make them: a limit. */
static void bound(int64_t n)
{
	struct rlimit l;

	if (CALL_QUIETLY("getrlimit", getrlimit, RLIMIT_FSIZE, &l) || l.rlim_cur > INT64_MAX)
		return;
	if (duct_rt_symbolic(&n, sizeof n) || n > (int64_t)l.rlim_cur)
		duct_rt_limit("output", "", l.rlim_cur);
	duct_assume(n <= (int64_t)l.rlim_cur);
}

#define FTRUNCATE(name, type) \
	MODEL int name(int fd, type n) \
	{ \
		int used = duct_result_used & 1; \
		if (duct_result_used) \
			duct_rt_limit("concrete", #name "()", 0); \
		if (used) \
			duct_rt_may_fail(#name); \
		if (FAILS_IF(used, #name, EIO)) \
			return -1; \
		bound(n); \
		return CALL_REAL(name, fd, n); \
	}
FTRUNCATE(ftruncate, off_t)
FTRUNCATE(ftruncate64, off64_t)

#define TRUNCATE(name, type) \
	MODEL int name(const char *path, type n) \
	{ \
		int result; \
		bound(n); \
		if (MAY_FAIL(#name, EACCES)) \
			return -1; \
		known(path, #name); \
		if ((result = CALL_QUIETLY(#name, name, path, n)) == 0) \
			duct_file_write(path); \
		return result; \
	}
TRUNCATE(truncate, off_t)
TRUNCATE(truncate64, off64_t)

MODEL int rename(const char *from, const char *to)
{
	int result;

	if (MAY_FAIL("rename", EACCES))
		return -1;
	known(from, "rename");
	known(to, "rename");
	if ((result = CALL_QUIETLY("rename", rename, from, to)) == 0) {
		duct_file_own(from);
		duct_file_own(to);
	}
	return result;
}

MODEL int chdir(const char *path)
{
	if (MAY_FAIL("chdir", EACCES))
		return -1;
	duct_rt_concrete("chdir", NULL);
	duct_moved = 1;
	return CALL_QUIETLY("chdir", chdir, path);
}

MODEL int fchdir(int fd)
{
	if (MAY_FAIL("fchdir", EACCES))
		return -1;
	duct_rt_concrete("fchdir", NULL);
	duct_moved = 1;
	return CALL_QUIETLY("fchdir", fchdir, fd);
}

/* A stream that a caller would pass: its bytes are the inputs NAME[i]. */
FILE *duct_model_stream(const char *name)
{
	struct file_content *c = duct_content(name, "file", (uint32_t)duct_rt_grown("file"));
	FILE *f = c ? CALL_REAL(tmpfile) : NULL;

	if (f)
		duct_stream_open(c, f, -1);
	return f;
}
