#include "lib/rec/rec.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Splits and unescapes the fields of a line in one pass. Reading byte by byte never blocks beyond
 * the newline, which matters when the peer is a co-process. */

#define LINE_MAX_BYTES ((size_t)1 << 30)
#define LINE_MAX_FIELDS ((size_t)1 << 24)

struct meta {
	char *key, *value;
};

struct rec_reader {
	FILE *f;
	char *name, *format;
	const char *const *needs;
	char *buf;
	size_t size, capacity; /* the current line, fields NUL-terminated */
	size_t *start;
	char **field;
	size_t *len;
	size_t fields, fields_capacity;
	struct meta *meta;
	size_t metas;
	unsigned long line;
	uint64_t count;        /* records in the current stream */
	bool open, any, first; /* inside a stream; a stream was complete; for rec_first */
	char *error;
};

struct rec_reader *rec_open(FILE *f, const char *name, const char *format, const char *const *needs)
{
	struct rec_reader *r = zeroed(1, sizeof *r);
	r->f = f;
	r->needs = needs;
	r->name = copied(name);
	r->format = copied(format);
	return r;
}

static void forget_metas(struct rec_reader *r)
{
	for (size_t i = 0; i < r->metas; i++) {
		free(r->meta[i].key);
		free(r->meta[i].value);
	}
	free(r->meta);
	r->meta = NULL;
	r->metas = 0;
}

void rec_close(struct rec_reader *r)
{
	if (!r)
		return;
	forget_metas(r);
	free(r->name);
	free(r->format);
	free(r->buf);
	free(r->start);
	free(r->field);
	free(r->len);
	free(r->error);
	free(r);
}

enum rec_status rec_fail(struct rec_reader *r, const char *fmt, ...)
{
	char *text;
	va_list ap;
	if (r->error)
		return REC_ERROR; /* report only the first error */
	va_start(ap, fmt);
	text = formatted_list(fmt, ap);
	va_end(ap);
	r->error = formatted("%s:%lu: %s", r->name, r->line ? r->line : 1, text);
	free(text);
	return REC_ERROR;
}

const char *rec_error(const struct rec_reader *r)
{
	return r->error ? r->error : "";
}

bool rec_first(const struct rec_reader *r)
{
	return r->first;
}

const char *rec_meta(const struct rec_reader *r, const char *key)
{
	for (size_t i = r->metas; i-- > 0;)
		if (!strcmp(r->meta[i].key, key))
			return r->meta[i].value;
	return NULL;
}

static bool grow_line(struct rec_reader *r)
{
	size_t capacity = r->capacity ? r->capacity * 2 : 512;
	if (capacity > LINE_MAX_BYTES) {
		rec_fail(r, "line longer than %zu bytes", LINE_MAX_BYTES / 2);
		return false;
	}
	r->buf = resized(r->buf, capacity, 1);
	r->capacity = capacity;
	return true;
}

static bool grow_fields(struct rec_reader *r)
{
	size_t n = r->fields_capacity ? r->fields_capacity * 2 : 16;
	if (n > LINE_MAX_FIELDS) {
		rec_fail(r, "more than %zu fields in a line", LINE_MAX_FIELDS);
		return false;
	}
	r->start = resized(r->start, n, sizeof *r->start);
	r->field = resized(r->field, n, sizeof *r->field);
	r->len = resized(r->len, n, sizeof *r->len);
	r->fields_capacity = n;
	return true;
}

/* After an EOF: the next byte, if the end was an interrupted read. */
static int after_end(struct rec_reader *r)
{
	int c = EOF;
	while (c == EOF && ferror(r->f)) {
		if (errno != EINTR) {
			rec_fail(r, "cannot read: %s", strerror(errno));
			return EOF;
		}
		clearerr(r->f);
		c = getc_unlocked(r->f);
	}
	return c;
}

/* The next byte; EOF at the end of the file or after an error. */
static inline int next_byte(struct rec_reader *r)
{
	int c = getc_unlocked(r->f);
	return c == EOF ? after_end(r) : c;
}

static int hex_digit(int c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* The byte that an escape sequence denotes; -1 when it is invalid. The backslash is already
 * read. */
static int unescape(struct rec_reader *r)
{
	int c = next_byte(r), high, low;
	switch (c) {
	case 't': return '\t';
	case 'n': return '\n';
	case '\\': return '\\';
	case 'x':
		if ((high = hex_digit(next_byte(r))) >= 0 && (low = hex_digit(next_byte(r))) >= 0)
			return high * 16 + low;
		break;
	}
	rec_fail(r, "unknown escape: only \\t \\n \\\\ \\xHH exist");
	return -1;
}

static inline bool start_field(struct rec_reader *r)
{
	if (r->fields == r->fields_capacity && !grow_fields(r))
		return false;
	r->start[r->fields++] = r->size;
	return true;
}

static inline bool end_field(struct rec_reader *r)
{
	if (r->size == r->capacity && !grow_line(r))
		return false;
	r->len[r->fields - 1] = r->size - r->start[r->fields - 1];
	r->buf[r->size++] = 0;
	return true;
}

/* The command that writes streams of a format, for filters that are given another one. */
static const char *writer_of(const char *format)
{
	static const struct {
		const char *format, *command;
	} writers[] = {
		{ "flow", "duct cfg-dump FILE.c" },
		{ "inputs", "duct run-trace -d prog | duct solve" },
		{ "trace",
		    "duct instrument -o prog FILE.c --entry FUNCTION && duct run-trace -d prog" },
		{ "model", "duct solve --ask" },
		{ "pairs", "duct defuse -e FUNCTION FILE.c" },
		{ "goals", "duct defuse -e FUNCTION FILE.c | duct cutpoints -f FILE.c" },
		{ "verdicts", "duct prove -f FILE.c goals" },
		{ "blocks", "duct partition -f traces" },
		{ "credit", "duct credit -f prog -g goals traces" },
		{ "distances", "duct distance -f prog goals" },
		{ "flowmap", "duct run-trace --flow-map FILE prog" },
	};

	for (size_t i = 0; i < sizeof writers / sizeof *writers; i++)
		if (!strcmp(writers[i].format, format))
			return writers[i].command;
	return NULL;
}

static const char *article(const struct rec_reader *r)
{
	return strchr("aeiou", r->format[0]) ? "an" : "a";
}

/* The input does not begin as a stream of the format does; or what follows one does not. */
static enum rec_status no_stream(struct rec_reader *r, const char *why)
{
	const char *command = r->any ? NULL : writer_of(r->format);

	return command ? rec_fail(r, "%s; `%s` writes one", why, command) : rec_fail(r, "%s", why);
}

static enum rec_status no_header(struct rec_reader *r)
{
	char why[80];

	snprintf(why, sizeof why, "no header: expected `#%s 1 WRITER`", r->format);
	return no_stream(r, why);
}

static enum rec_status other_stream(struct rec_reader *r, const char *line)
{
	char why[120];

	snprintf(why, sizeof why, "not %s %s stream: `%.40s`", article(r), r->format, line);
	return no_stream(r, why);
}

static enum rec_status no_input(struct rec_reader *r)
{
	char why[80];

	snprintf(why, sizeof why, "empty input: expected %s %s stream", article(r), r->format);
	return no_stream(r, why);
}

/* Reads one line into buf and fields. REC_END at the end of the file. */
static enum rec_status read_line(struct rec_reader *r)
{
	int c = next_byte(r);
	if (c == EOF)
		return r->error ? REC_ERROR : REC_END;
	r->line++;
	r->size = r->fields = 0;
	if (!start_field(r))
		return REC_ERROR;
	if (r->line == 1 && c != '#')
		return no_header(r);
	for (;; c = next_byte(r)) {
		if (c == '\n')
			break;
		if (c == '\t') {
			if (!end_field(r) || !start_field(r))
				return REC_ERROR;
			continue;
		}
		if (c == EOF)
			return rec_fail(r, "the last line is cut short");
		if (c == 0)
			return rec_fail(r, "NUL byte");
		if (c == '\\' && (c = unescape(r)) < 0)
			return REC_ERROR;
		if (r->size == r->capacity && !grow_line(r))
			return REC_ERROR;
		r->buf[r->size++] = (char)c;
	}
	if (!end_field(r))
		return REC_ERROR;
	for (size_t i = 0; i < r->fields; i++)
		r->field[i] = r->buf + r->start[i];
	return REC_OK;
}

/* Parses the header `#FORMAT VERSION WRITER`. */
static enum rec_status begin_stream(struct rec_reader *r)
{
	char *line = r->field[0];
	size_t n = strlen(r->format);
	if (line[0] != '#' || r->fields != 1)
		return no_header(r);
	if (strncmp(line + 1, r->format, n) || line[1 + n] != ' ')
		return other_stream(r, line);
	line += n + 2;
	if (strncmp(line, "1 ", 2) || !line[2])
		return rec_fail(r, "unknown version of %s: `%.40s`", r->format, line);
	forget_metas(r);
	r->open = true;
	r->count = 0;
	return REC_OK;
}

static enum rec_status add_meta(struct rec_reader *r, char *text)
{
	char *space = strchr(text, ' ');
	struct meta *meta;
	if (!space || space == text)
		return rec_fail(r, "malformed #meta: expected `#meta KEY VALUE`");
	meta = PUSH(r->meta, r->metas);
	meta->key = copied_part(text, (size_t)(space - text));
	meta->value = copied(space + 1);
	return REC_OK;
}

static enum rec_status directive(struct rec_reader *r)
{
	char *line = r->field[0];
	if (!strncmp(line, "#meta ", 6))
		return add_meta(r, line + 6);
	if (strncmp(line, "#need ", 6)) {
		if (!strncmp(line + 1, r->format, strlen(r->format)))
			return rec_fail(r, "a stream begins before the last one ended");
		return rec_fail(r, "unknown line `%.40s`", line);
	}
	for (size_t i = 0; r->needs && r->needs[i]; i++)
		if (!strcmp(r->needs[i], line + 6))
			return REC_OK;
	return rec_fail(r, "the stream needs `%.60s`, which is not understood here", line + 6);
}

static enum rec_status end_stream(struct rec_reader *r, const struct rec *rec)
{
	uint64_t n;
	if (!rec_want(r, rec, 2, 2) || !rec_u64(r, rec, 1, "number of records", 0, UINT64_MAX, &n))
		return REC_ERROR;
	if (n != r->count)
		return rec_fail(r, "end says %llu records, there are %llu", (unsigned long long)n,
		    (unsigned long long)r->count);
	r->open = false;
	r->any = true;
	return REC_OK;
}

static enum rec_status end_of_file(struct rec_reader *r)
{
	if (r->open)
		return rec_fail(r, "no `end` line: the stream is cut short");
	if (!r->any)
		return no_input(r);
	return REC_END;
}

enum rec_status rec_next(struct rec_reader *r, struct rec *out)
{
	enum rec_status status;
	if (r->error)
		return REC_ERROR;
	for (;;) {
		if ((status = read_line(r)) != REC_OK)
			return status == REC_END ? end_of_file(r) : status;
		*out = (struct rec){ r->fields, r->field, r->len, r->line };
		if (!r->open)
			status = begin_stream(r);
		else if (out->len[0] == 0)
			return rec_fail(r, "a line without a tag");
		else if (out->field[0][0] == '#')
			status = directive(r);
		else if (!strcmp(out->field[0], "end"))
			status = end_stream(r, out);
		else
			break;
		if (status != REC_OK)
			return status;
	}
	r->first = r->count++ == 0;
	return REC_OK;
}

bool rec_want(struct rec_reader *r, const struct rec *rec, size_t min, size_t max)
{
	if (rec->n >= min && rec->n <= max)
		return true;
	rec_fail(r, "`%.40s` has %zu fields, %s%zu are expected", rec->field[0], rec->n - 1,
	    rec->n < min && min != max       ? "at least "
	        : rec->n > max && min != max ? "at most "
	                                     : "",
	    (rec->n < min ? min : max) - 1);
	return false;
}

static bool parse_u64(const char *s, size_t n, uint64_t *out)
{
	uint64_t v = 0;
	if (n == 0 || n > 20)
		return false;
	for (size_t i = 0; i < n; i++) {
		unsigned d = (unsigned)(s[i] - '0');
		if (d > 9 || __builtin_mul_overflow(v, 10u, &v) || __builtin_add_overflow(v, d, &v))
			return false;
	}
	*out = v;
	return true;
}

static bool bad_number(struct rec_reader *r, const struct rec *rec, size_t i, const char *what)
{
	if (i >= rec->n)
		rec_fail(r, "`%.40s` has no field %zu (%s)", rec->field[0], i, what);
	else
		rec_fail(r, "%s is `%.40s`, which is not a number in range", what, rec->field[i]);
	return false;
}

bool rec_u64(struct rec_reader *r, const struct rec *rec, size_t i, const char *what, uint64_t min,
    uint64_t max, uint64_t *out)
{
	uint64_t v;
	if (i >= rec->n || !parse_u64(rec->field[i], rec->len[i], &v) || v < min || v > max)
		return bad_number(r, rec, i, what);
	*out = v;
	return true;
}

bool rec_i64(struct rec_reader *r, const struct rec *rec, size_t i, const char *what, int64_t *out)
{
	bool minus = i < rec->n && rec->field[i][0] == '-';
	uint64_t v;
	if (i >= rec->n || !parse_u64(rec->field[i] + minus, rec->len[i] - minus, &v)
	    || v > (uint64_t)INT64_MAX + minus)
		return bad_number(r, rec, i, what);
	*out = minus ? (int64_t)(0 - v) : (int64_t)v;
	return true;
}
