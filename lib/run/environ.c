/* environ: standard input, standard output and the files of a run. The descriptors are
 * shared with the server and thus with every run, so that setting the position here sets
 * it there. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/base/utf8.h"
#include "lib/run/internal.h"
#include "lib/base/grow.h"
#include "lib/trace/arena.h"

#define MAX_BYTES ((uint64_t)1 << 30)
#define OWN_MODE 0600 /* of files in memory */

static bool is_argument(const char *name)
{
	return strspn(name, "0123456789") == strlen(name) && strlen(name) <= 4 && atoi(name) >= 1;
}

/* Parses NAME=SIZE, with names in the form of the option; NAME may contain `=`. */
static int add_spec(struct specs *s, const char *option, const char *text, char **error)
{
	const char *equals = strrchr(text, '='), *name = strcmp(option, "arg") ? "NAME" : "NUMBER";
	struct spec *v;
	char *end;

	if (!equals || equals == text)
		return run_fail(error, "--%s: `%s` is not %s=SIZE", option, text, name);
	v = s->v = resized(s->v, s->n + 1, sizeof *v);
	v[s->n].name = copied_part(text, (size_t)(equals - text));
	s->n++;
	errno = 0;
	v[s->n - 1].size = strtoull(equals + 1, &end, 10);
	if (errno || end == equals + 1 || *end || !isdigit((unsigned char)equals[1])
	    || v[s->n - 1].size > MAX_BYTES)
		return run_fail(error, "--%s: `%s`: the size is not a number up to %llu", option,
		    text, (unsigned long long)MAX_BYTES);
	name = v[s->n - 1].name;
	if (!strcmp(option, "arg") && !is_argument(name))
		return run_fail(error, "--arg: `%s`: arguments are numbered from 1 to 9999", text);
	if (!strcmp(option, "file")
	    && (strchr(name, '/') || !strcmp(name, ".") || !strcmp(name, "..")))
		return run_fail(error,
		    "--file: `%s`: files of a run are in its scratch directory: no `/`", text);
	return 0;
}

int run_check_sizes(const char *option, const char *const *list, char **error)
{
	struct specs s = { NULL, 0 };
	int result = 0;

	for (; !result && list && *list; list++)
		result = add_spec(&s, option, *list, error);
	while (s.n)
		free(s.v[--s.n].name);
	free(s.v);
	return result;
}

static int memory_file(const char *name, int *fd, char **error)
{
	*fd = memfd_create(name, MFD_CLOEXEC);
	if (*fd < 0 || fchmod(*fd, OWN_MODE))
		return run_fail(error, "cannot make a file in memory: %s", strerror(errno));
	return 0;
}

/* The value of `ask` for a name, or `otherwise`. */
static uint64_t asked(const struct run_options *o, const char *name, uint64_t otherwise)
{
	size_t n = strlen(name);
	const char *const *a;

	for (a = o->ask; a && *a; a++)
		if (!strncmp(*a, name, n) && (*a)[n] == '=')
			return strtoull(*a + n + 1, NULL, 10);
	return otherwise;
}

/* The sizes that hold without an option, the same as in the runtime (lib/runtime/setup.c). */
static void set_defaults(struct runner *r)
{
	const char *const *a;

	r->stdin_size = r->o.stdin_size;
	if (!(r->environment = asked(&r->o, "environment", 0)))
		return;
	if (!r->stdin_size)
		r->stdin_size = asked(&r->o, "grow:stdin", 16);
	r->most_arguments = asked(&r->o, "grow:args", 3);
	for (a = r->o.arg; a && *a; a++)
		if (strtoull(*a, NULL, 10) > r->most_arguments)
			r->most_arguments = strtoull(*a, NULL, 10);
}

int environ_open(struct runner *r, char **error)
{
	uint64_t most;
	const char *const *f;

	set_defaults(r);
	most = r->stdin_size;

	if (most > MAX_BYTES)
		return run_fail(
		    error, "standard input of more than %llu bytes", (unsigned long long)MAX_BYTES);
	for (f = r->o.file; f && *f; f++) {
		if (add_spec(&r->files, "file", *f, error))
			return -1;
		if (r->files.v[r->files.n - 1].size > most)
			most = r->files.v[r->files.n - 1].size;
	}
	if (run_check_sizes("arg", r->o.arg, error) || run_check_sizes("env", r->o.env, error))
		return -1;
	if (most)
		r->bytes = reserved(most, 1);
	return memory_file("stdin", &r->in_fd, error) || memory_file("stdout", &r->out_fd, error)
	        || memory_file("stderr", &r->err_fd, error)
	    ? -1
	    : 0;
}

void environ_close(struct runner *r)
{
	if (r->in_fd >= 0)
		close(r->in_fd);
	if (r->out_fd >= 0)
		close(r->out_fd);
	if (r->err_fd >= 0)
		close(r->err_fd);
	while (r->files.n)
		free(r->files.v[--r->files.n].name);
	free(r->files.v);
	free(r->bytes);
}

/* NAME[i] with i below size, or NAME.len: sets that byte, or *len. */
static void take_byte(
    const struct runner *r, const struct input_value *v, size_t n, uint64_t size, uint64_t *len)
{
	const char *s = v->name + n;
	char *end;
	uint64_t i;

	if (!strcmp(s, ".len"))
		*len = v->value.lo < size ? v->value.lo : size;
	if (*s != '[' || s[1] < '0' || s[1] > '9')
		return;
	i = strtoull(s + 1, &end, 10);
	if (i < size && !strcmp(end, "]"))
		r->bytes[i] = (uint8_t)v->value.lo;
}

/* Bytes of the file called `name` in this input; their number. */
static uint64_t gather(
    const struct runner *r, const struct input *in, const char *name, uint64_t size)
{
	size_t n = strlen(name), i;
	uint64_t len = 0;

	memset(r->bytes, 0, size);
	for (i = 0; i < in->n; i++)
		if (in->v[i].width && !strncmp(in->v[i].name, name, n))
			take_byte(r, &in->v[i], n, size, &len);
	return len;
}

static int write_all(int fd, const uint8_t *p, uint64_t n)
{
	ssize_t k;

	for (; n; p += k, n -= (uint64_t)k)
		if ((k = write(fd, p, n)) < 0)
			return -1;
	return 0;
}

/* Restores the flags of the open file, which the runs share. */
static int set_flags(int fd)
{
	const int can_be_set = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME;
	int flags = fcntl(fd, F_GETFL);

	if (flags < 0 || !(flags & can_be_set))
		return flags;
	return fcntl(fd, F_SETFL, 0) || fcntl(fd, F_SETOWN, 0) || fcntl(fd, F_SETSIG, 0);
}

/* Empties a memory file unless nothing was done with it. */
static int rewind_file(int fd)
{
	struct stat st;

	if (fstat(fd, &st) || (st.st_size && ftruncate(fd, 0))
	    || ((st.st_mode & 07777) != OWN_MODE && fchmod(fd, OWN_MODE)) || set_flags(fd) < 0)
		return -1;
	return lseek(fd, 0, SEEK_SET) < 0 ? -1 : 0;
}

/* Does the input say that the file is not there? */
static bool is_absent(const struct input *in, const char *name)
{
	size_t n = strlen(name), i;

	for (i = 0; i < in->n; i++)
		if (in->v[i].width && !strncmp(in->v[i].name, name, n)
		    && !strcmp(in->v[i].name + n, "?"))
			return !in->v[i].value.lo;
	return false;
}

static int prepare_file(struct runner *r, const struct input *in, const struct spec *f)
{
	uint64_t n = gather(r, in, f->name, f->size);
	int fd, result;

	unlinkat(r->scratch_fd, f->name, 0);
	if (is_absent(in, f->name))
		return 0;
	fd = openat(
	    r->scratch_fd, f->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return -1;
	result = write_all(fd, r->bytes, n);
	return close(fd) || result ? -1 : 0;
}

int environ_prepare(struct runner *r, const struct input *in, char **error)
{
	uint64_t n;
	size_t i;

	if (rewind_file(r->out_fd) || rewind_file(r->err_fd) || rewind_file(r->in_fd))
		return run_fail(error, "cannot empty a file in memory: %s", strerror(errno));
	if (r->stdin_size) {
		n = gather(r, in, "stdin", r->stdin_size);
		if (write_all(r->in_fd, r->bytes, n) || lseek(r->in_fd, 0, SEEK_SET) < 0)
			return run_fail(error, "cannot write standard input: %s", strerror(errno));
	}
	for (i = 0; i < r->files.n; i++)
		if (prepare_file(r, in, &r->files.v[i]))
			return run_fail(error, "cannot write `%s` into the scratch directory: %s",
			    r->files.v[i].name, strerror(errno));
	return 0;
}

/* The last line of standard error, where nothing better explains a failure. */
static void explain(struct runner *r, struct trace *t, uint64_t size)
{
	char buf[513], *line;
	ssize_t n = pread(r->err_fd, buf, sizeof buf - 1, size > 512 ? (off_t)(size - 512) : 0);

	while (n > 0 && buf[n - 1] == '\n')
		n--;
	if (n <= 0)
		return;
	buf[n] = 0;
	line = strrchr(buf, '\n');
	line = line ? line + 1 : buf;
	utf8_tidy(line);
	t->fault_message = arena_text(t, line, strlen(line));
}

bool environ_collect(struct runner *r, struct trace *t)
{
	struct stat out = { 0 }, err = { 0 };
	ssize_t n;

	fstat(r->out_fd, &out);
	fstat(r->err_fd, &err);
	if (out.st_size > 0) {
		t->output = arena_alloc(t, KEEP_OUTPUT + 1);
		n = pread(r->out_fd, t->output, KEEP_OUTPUT, 0);
		t->output_size = n > 0 ? (size_t)n : 0;
		t->output[t->output_size] = 0;
	}
	if (err.st_size > 0 && (!t->fault_message || !strcmp(t->fault_message, "abort")))
		explain(r, t, (uint64_t)err.st_size);
	return r->overfull || (uint64_t)out.st_size >= r->o.output
	    || (uint64_t)err.st_size >= r->o.output;
}
