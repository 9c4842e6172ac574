/* program: reads the program model from an instrumented executable: section .duct_flow of a 64-bit
 * ELF file, a concatenation of streams. */
#include "lib/base/elf.h"
#include "lib/base/grow.h"
#include "lib/flow/read.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static const char section_name[] = ".duct_flow";

static struct flow *fail(char **error, const char *path, const char *fmt, ...)
{
	char *what = NULL;
	va_list ap;

	va_start(ap, fmt);
	what = formatted_list(fmt, ap);
	*error = formatted("%s: %s", path, what);
	va_end(ap);
	free(what);
	return NULL;
}

static bool starts(const char *line, size_t n, const char *tag)
{
	return n > strlen(tag) && !memcmp(line, tag, strlen(tag));
}

/* Is it a record that is skipped unless all are wanted? */
static bool needless(const char *line, size_t n)
{
	static const char *const tags[] = { "use\t", "def\t", "data\t", "init\t", "reloc\t",
		"home\t", "exact\t", "dropped\t" };

	for (size_t i = 0; i < sizeof tags / sizeof *tags; i++)
		if (starts(line, n, tags[i]))
			return true;
	return false;
}

/* Field k of a line, or NULL. */
static const char *field_of(const char *line, size_t n, int k)
{
	const char *end = line + n, *p = line;

	for (; p && k; k--)
		if ((p = memchr(p, '\t', (size_t)(end - p))))
			p++;
	return p;
}

/* Is it `inst ID BLOCK call ...`, or a call with a vector result: `inst ID BLOCK other WIDTH FILE
 * LINE COL call ...`? */
static bool is_call(const char *line, size_t n)
{
	const char *op = field_of(line, n, 3), *name;

	if (!op)
		return false;
	if (starts(op, n - (size_t)(op - line), "call"))
		return true;
	name = starts(op, n - (size_t)(op - line), "other\t") ? field_of(line, n, 8) : NULL;
	return name && starts(name, n - (size_t)(name - line), "call\t");
}

/* Replaces `inst ID BLOCK OPERATION WIDTH FILE LINE ...` by `line BLOCK FILE LINE`, unless the
 * record at `last` is the same. Returns the end of what was written at `to`. */
static char *put_line(char *to, const char *last, const char *line, size_t n)
{
	const char *field[8], *end = line + n;
	size_t k = 0;

	for (const char *p = line; k < 8 && p; k++) {
		field[k] = p;
		if ((p = memchr(p, '\t', (size_t)(end - p))))
			p++;
	}
	if (k < 8)
		return to;
	int length = sprintf(to, "line\t%.*s%.*s", (int)(field[3] - field[2]), field[2],
	    (int)(field[7] - field[5]), field[5]);
	to[length - 1] = '\n';
	return last && !memcmp(last, to, (size_t)length) ? to : to + length;
}

/* Parses `end COUNT`; false unless COUNT is plain decimal and ends the line. */
static bool end_count(const char *line, size_t n, uint64_t *count)
{
	size_t i = strlen("end\t");

	if (!starts(line, n, "end\t") || n - i < 2 || n - i > 20 || line[n - 1] != '\n')
		return false;
	for (*count = 0; i < n - 1; i++) {
		if (line[i] < '0' || line[i] > '9')
			return false;
		*count = *count * 10 + (uint64_t)(line[i] - '0');
	}
	return true;
}

/* Copies the streams; unless `all`, without what is expensive to parse: instructions other than
 * calls (only their lines are kept), definitions, uses, data. Corrects the counts of `end` records;
 * malformed ones stay, for the reader to reject. No line gets longer. */
static size_t thin_out(const char *s, size_t n, char *out, bool all)
{
	const char *end = s + n, *nl;
	char *to = out, *last = NULL, *next;
	uint64_t dropped = 0, count;

	for (; s < end; s = nl + 1) {
		while (s < end && !*s) /* padding by the linker */
			s++;
		if (s == end)
			break;
		if (!(nl = memchr(s, '\n', (size_t)(end - s))))
			nl = end - 1;
		size_t len = (size_t)(nl - s) + 1;
		if (*s == '#') /* another unit, with ids of its own */
			last = NULL;
		if (!all && starts(s, len, "inst\t") && !is_call(s, len)) {
			next = put_line(to, last, s, len);
			dropped += next == to;
			last = next == to ? last : to;
			to = next;
		} else if (!all && needless(s, len)) {
			dropped++;
		} else if (dropped && end_count(s, len, &count) && count >= dropped) {
			to += sprintf(to, "end\t%" PRIu64 "\n", count - dropped);
			dropped = 0;
		} else {
			memcpy(to, s, len);
			to += len;
		}
	}
	return (size_t)(to - out);
}

static struct flow *parse(
    const char *section, size_t length, const char *path, bool all, char **error)
{
	char *text = reserved(length + 64, 1), *name;
	struct flow *fl;
	FILE *f;
	size_t n;

	n = thin_out(section, length, text, all);
	name = formatted("%s(%s)", path, section_name);
	if (!(f = fmemopen(text, n ? n : 1, "r")))
		no_memory(n);
	fl = flow_read_streams(f, name, all ? 0 : length, error);
	fclose(f);
	free(name);
	free(text);
	return fl;
}

static struct flow *read_section(const char *path, bool all, char **error)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe is refused, too */
	struct stat st;
	struct flow *fl;
	const Elf64_Shdr *section;
	char *file;

	*error = NULL;
	if (fd < 0)
		return fail(error, path, "%s", strerror(errno));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || st.st_size <= 0) {
		close(fd);
		return fail(error, path, "not an executable");
	}
	file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (file == MAP_FAILED)
		return fail(error, path, "%s", strerror(errno));
	if ((section = elf_section((unsigned char *)file, (size_t)st.st_size, section_name)))
		fl = parse(file + section->sh_offset, section->sh_size, path, all, error);
	else
		fl = fail(error, path, "not instrumented: no section %s", section_name);
	munmap(file, (size_t)st.st_size);
	return fl;
}

struct flow *flow_read_program(const char *path, char **error)
{
	return read_section(path, false, error);
}

struct flow *flow_read_whole(const char *path, char **error)
{
	return read_section(path, true, error);
}
