#include "lib/rec/rec.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

void rec_begin(struct rec_writer *w, FILE *f, const char *format, int version, const char *writer)
{
	*w = (struct rec_writer){ .f = f };
	fprintf(f, "#%s %d %s\n", format, version, writer);
}

static void put_escaped(FILE *f, const char *s, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)s[i];
		if (c == '\t')
			fputs("\\t", f);
		else if (c == '\n')
			fputs("\\n", f);
		else if (c == '\\')
			fputs("\\\\", f);
		else if (c < 0x20 || c == 0x7f)
			fprintf(f, "\\x%02x", c);
		else
			putc_unlocked(c, f);
	}
}

void rec_put_meta(struct rec_writer *w, const char *key, const char *value)
{
	fprintf(w->f, "#meta %s ", key);
	put_escaped(w->f, value, strlen(value));
	putc_unlocked('\n', w->f);
}

static void separate(struct rec_writer *w)
{
	if (w->begun)
		putc_unlocked('\t', w->f);
	w->begun = true;
}

void rec_mem(struct rec_writer *w, const char *s, size_t n)
{
	separate(w);
	put_escaped(w->f, s, n);
}

void rec_str(struct rec_writer *w, const char *s)
{
	rec_mem(w, s, strlen(s));
}

static void put_digits(FILE *f, uint64_t v, unsigned base)
{
	char text[24], *p = text + sizeof text;
	do
		*--p = "0123456789abcdef"[v % base];
	while (v /= base);
	fwrite_unlocked(p, 1, (size_t)(text + sizeof text - p), f);
}

void rec_num(struct rec_writer *w, uint64_t v)
{
	separate(w);
	put_digits(w->f, v, 10);
}

void rec_int(struct rec_writer *w, int64_t v)
{
	separate(w);
	if (v < 0)
		putc_unlocked('-', w->f);
	put_digits(w->f, v < 0 ? 0 - (uint64_t)v : (uint64_t)v, 10);
}

void rec_hex(struct rec_writer *w, uint64_t v)
{
	separate(w);
	put_digits(w->f, v, 16);
}

void rec_eol(struct rec_writer *w)
{
	putc_unlocked('\n', w->f);
	w->begun = false;
	w->count++;
}

void rec_putf(struct rec_writer *w, const char *fields, ...)
{
	va_list ap;
	va_start(ap, fields);
	for (; *fields; fields++) {
		switch (*fields) {
		case 's': rec_str(w, va_arg(ap, const char *)); break;
		case 'u': rec_num(w, va_arg(ap, uint64_t)); break;
		case 'd': rec_int(w, va_arg(ap, int64_t)); break;
		case 'x': rec_hex(w, va_arg(ap, uint64_t)); break;
		}
	}
	va_end(ap);
	rec_eol(w);
}

int rec_end(struct rec_writer *w)
{
	bool failed;
	errno = 0;
	fprintf(w->f, "end\t%" PRIu64 "\n", w->count);
	failed = fflush(w->f) != 0 || ferror(w->f);
	if (failed && !errno)
		errno = EIO;
	return failed ? -1 : 0;
}
