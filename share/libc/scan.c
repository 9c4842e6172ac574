/* scanf and its kin on strings and on symbolic streams, in the C locale. Wide characters, grouping
 * and positions are left to the C library where that can be had. */
#define _GNU_SOURCE 1
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/format.h"
#include "share/libc/stream.h"
#include "share/libc/names.h"

/* Where characters come from: a string, or a stream when it is not NULL. */
struct scan_source {
	const char *s;
	struct stream *stream;
	int count; /* characters consumed */
};

/* One conversion of the format. */
struct directive {
	char kind, size; /* size: 'H' hh, 'h', 0, 'l', 'q' ll and the like */
	int discard, allocate;
	unsigned width;            /* 0: none given */
	const char *set, *set_end; /* of %[ : after the bracket and ^, to the closing one */
	int negated;
};

#define MAX_NUMBER 1000

static int next(struct scan_source *in)
{
	int c;

	if (in->stream)
		c = duct_stream_get(in->stream);
	else
		c = *in->s ? (unsigned char)*in->s++ : EOF;
	in->count += c != EOF;
	return c;
}

static void back(struct scan_source *in, int c)
{
	if (c == EOF)
		return;
	in->count--;
	if (in->stream)
		in->stream->back[in->stream->pushed++] = (unsigned char)c;
	else
		in->s--;
}

/* The first character that is no blank. */
static int skip_blanks(struct scan_source *in)
{
	int c;

	do
		c = next(in);
	while (c != EOF && IS_SPACE(c));
	return c;
}

/* ---- formats */

static const char *parse_set(const char *f, struct directive *d)
{
	d->negated = *f == '^';
	f += d->negated;
	d->set = f;
	if (*f == ']')
		f++;
	while (*f && *f != ']')
		f++;
	d->set_end = f;
	return *f ? f + 1 : f;
}

/* The parts of a conversion behind a percent sign. */
static const char *parse(const char *f, struct directive *d)
{
	memset(d, 0, sizeof *d);
	if (*f == '*') {
		d->discard = 1;
		f++;
	}
	for (; *f >= '0' && *f <= '9'; f++)
		d->width = d->width * 10 + (unsigned)(*f - '0');
	if (*f == 'm') {
		d->allocate = 1;
		f++;
	}
	f = format_size(f, &d->size);
	d->kind = *f;
	if (*f)
		f++;
	return d->kind == '[' ? parse_set(f, d) : f;
}

static int understood(const char *f)
{
	struct directive d;

	while ((f = strchr(f, '%'))) {
		f = parse(f + 1, &d);
		if (!d.kind || !strchr("diuoxXpcsn[%fFeEgGaA", d.kind))
			return 0;
		if (strchr("cs[", d.kind) ? d.size : d.allocate)
			return 0;
	}
	return 1;
}

/* ---- conversions: 1 done, 0 does not match, -1 end of input */

static void store(const struct directive *d, long long v, void *p)
{
	duct_rt_written(p,
	    d->size == 'H'                         ? 1
	        : d->size == 'h'                   ? 2
	        : d->size == 'l' || d->size == 'q' ? 8
	                                           : 4);
	switch (d->size) {
	case 'H': *(signed char *)p = (signed char)v; break;
	case 'h': *(short *)p = (short)v; break;
	case 'l':
	case 'q': *(long long *)p = v; break;
	default: *(int *)p = (int)v;
	}
}

struct number_text {
	char buf[MAX_NUMBER + 1];
	unsigned n, left;
};

/* Adds c to the text and reads the next character; digits beyond any useful number are dropped. */
static int take(struct scan_source *in, struct number_text *t, int c)
{
	if (t->n < MAX_NUMBER)
		t->buf[t->n++] = (char)c;
	return --t->left ? next(in) : -2;
}

static int is_digit(int c, int base)
{
	if (base <= 10)
		return IN(c, '0', '0' + base - 1);
	return IN(c, '0', '9') | IN(c | 32, 'a', 'a' + base - 11);
}

static void begin(struct number_text *t, const struct directive *d)
{
	t->n = 0;
	t->left = d->width ? d->width : ~0u;
}

static int base_of(char kind)
{
	switch (kind) {
	case 'i': return 0;
	case 'o': return 8;
	case 'x':
	case 'X':
	case 'p': return 16;
	default: return 10;
	}
}

static int integer(struct scan_source *in, const struct directive *d, void *p)
{
	int base = base_of(d->kind), any = 0, c;
	struct number_text t;
	long long v;

	begin(&t, d);
	if ((c = skip_blanks(in)) == EOF)
		return -1;
	if (c == '-' || c == '+')
		c = take(in, &t, c);
	if ((base == 0 || base == 16) && c == '0') {
		any = 1;
		c = take(in, &t, c);
		if (c >= 0 && (c | 32) == 'x') {
			base = 16;
			c = take(in, &t, c);
		} else if (base == 0) {
			base = 8;
		}
	}
	for (base = base ? base : 10; c >= 0 && is_digit(c, base); any = 1)
		c = take(in, &t, c);
	if (c >= 0)
		back(in, c);
	if (!any)
		return c == EOF && !t.n ? -1 : 0;
	t.buf[t.n] = 0;
	v = strchr("di", d->kind) ? (long long)strtol(t.buf, NULL, base)
	                          : (long long)strtoul(t.buf, NULL, base);
	if (!d->discard)
		store(d, v, p);
	return 1;
}

/* Takes the rest of a word whose first letter is c, in either case; the text's last character, or
 * -3 when it is another word. */
static int whole_word(struct scan_source *in, struct number_text *t, int c, const char *rest)
{
	for (; *rest; rest++) {
		c = take(in, t, c);
		if (c < 0 || (c | 32) != *rest)
			return -3;
	}
	return take(in, t, c);
}

static int infinity(struct scan_source *in, struct number_text *t, int c)
{
	c = whole_word(in, t, c, "nf");
	return c >= 0 && (c | 32) == 'i' ? whole_word(in, t, c, "nity") : c;
}

/* Digits, fraction, exponent; a prefix makes them hexadecimal. The character behind, -3: no number.
 */
static int real_digits(struct scan_source *in, struct number_text *t, int c)
{
	int base = 10, any = 0;

	if (c == '0') {
		any = 1;
		c = take(in, t, c);
		if (c >= 0 && (c | 32) == 'x' && t->left > 1) {
			any = 0;
			base = 16;
			c = take(in, t, c);
		}
	}
	for (; c >= 0 && is_digit(c, base); any = 1)
		c = take(in, t, c);
	if (c == '.') {
		any |= base == 16;
		for (c = take(in, t, c); c >= 0 && is_digit(c, base); any = 1)
			c = take(in, t, c);
	}
	if (any && c >= 0 && (c | 32) == (base == 16 ? 'p' : 'e')) {
		c = take(in, t, c);
		if (c == '-' || c == '+')
			c = take(in, t, c);
		while (c >= 0 && is_digit(c, 10))
			c = take(in, t, c);
	}
	if (any)
		return c;
	if (c >= 0)
		back(in, c);
	return -3;
}

static void store_real(const struct directive *d, const char *s, void *p)
{
	if (d->discard)
		return;
	if (d->size == 'L')
		*(long double *)p = strtold(s, NULL);
	else if (d->size == 'l')
		*(double *)p = strtod(s, NULL);
	else
		*(float *)p = strtof(s, NULL);
}

static int floating(struct scan_source *in, const struct directive *d, void *p)
{
	struct number_text t;
	int c;

	begin(&t, d);
	if ((c = skip_blanks(in)) == EOF)
		return -1;
	if (c == '-' || c == '+')
		c = take(in, &t, c);
	if (c >= 0 && (c | 32) == 'n')
		c = whole_word(in, &t, c, "an");
	else if (c >= 0 && (c | 32) == 'i')
		c = infinity(in, &t, c);
	else
		c = real_digits(in, &t, c);
	if (c == -3)
		return 0;
	if (c >= 0)
		back(in, c);
	t.buf[t.n] = 0;
	store_real(d, t.buf, p);
	return 1;
}

/* Where characters go: nowhere, to memory that the caller has, or to memory that grows. */
struct sink {
	char *p, **result;
	size_t n, room;
	int nowhere;
};

static int put(struct sink *to, int c)
{
	char *p;

	if (to->result && to->n == to->room) {
		to->room = to->room ? 2 * to->room : 100;
		if (!(p = realloc(to->p, to->room))) {
			free(to->p);
			return 0;
		}
		to->p = p;
	}
	if (!to->nowhere)
		to->p[to->n] = (char)c;
	to->n++;
	return 1;
}

/* Characters of a directive up to `width`, while they are members (NULL: all but blanks). */
static int members(struct scan_source *in, const struct directive *d, struct sink *to, int c,
    const unsigned char *member)
{
	unsigned left = d->width ? d->width : d->kind == 'c' ? 1 : ~0u;

	for (; c != EOF; c = next(in)) {
		if (d->kind == 's' ? IS_SPACE(c) : d->kind == '[' && !member[c]) {
			back(in, c);
			break;
		}
		if (!put(to, c))
			return 0;
		if (!--left)
			break;
	}
	if (!to->n)
		return c == EOF ? -1 : 0;
	if (d->kind != 'c' && !put(to, 0))
		return 0;
	if (to->result)
		*to->result = realloc(to->p, to->n);
	else if (!to->nowhere)
		duct_rt_written(to->p, to->n);
	return 1;
}

static void make_set(const struct directive *d, unsigned char *member)
{
	const char *s;
	int c;

	memset(member, d->negated, 256);
	for (s = d->set; s < d->set_end; s++) {
		if (s + 2 < d->set_end && s[1] == '-'
		    && (unsigned char)s[0] <= (unsigned char)s[2]) {
			for (c = (unsigned char)s[0]; c <= (unsigned char)s[2]; c++)
				member[c] = !d->negated;
			s += 2;
		} else {
			member[(unsigned char)*s] = !d->negated;
		}
	}
}

static int characters(struct scan_source *in, const struct directive *d, void *p)
{
	struct sink to = { .p = d->allocate ? NULL : p,
		.result = d->allocate && !d->discard ? p : NULL,
		.nowhere = d->discard };
	unsigned char member[256];

	if (d->kind == '[')
		make_set(d, member);
	return members(in, d, &to, d->kind == 's' ? skip_blanks(in) : next(in), member);
}

static int convert(struct scan_source *in, const struct directive *d, void *p)
{
	switch (d->kind) {
	case 'c':
	case 's':
	case '[': return characters(in, d, p);
	case 'd':
	case 'i':
	case 'u':
	case 'o':
	case 'x':
	case 'X': return integer(in, d, p);
	case 'p': {
		struct directive wide = *d;

		wide.size = 'l';
		return integer(in, &wide, p);
	}
	default: return floating(in, d, p);
	}
}

/* A character that stands for itself. */
static int literal(struct scan_source *in, char want)
{
	int c = next(in);

	if (c == (unsigned char)want)
		return 1;
	back(in, c);
	return c == EOF ? -1 : 0;
}

static int scan_format(struct scan_source *in, const char *f, va_list ap)
{
	struct directive d;
	int done = 0, result;

	while (*f) {
		if (IS_SPACE(*f)) {
			back(in, skip_blanks(in));
			f++;
			continue;
		}
		d.kind = 0;
		if (*f != '%') {
			result = literal(in, *f++);
		} else {
			f = parse(f + 1, &d);
			if (d.kind == 'n') {
				if (!d.discard)
					store(&d, in->count, va_arg(ap, void *));
				continue;
			}
			if (d.kind == '%') {
				back(in, skip_blanks(in));
				result = literal(in, '%');
			} else {
				result = convert(in, &d, d.discard ? NULL : va_arg(ap, void *));
			}
		}
		if (result <= 0)
			return result < 0 && !done ? EOF : done;
		done += d.kind && d.kind != '%' && !d.discard;
	}
	return done;
}

typedef int (*real_string)(const char *, const char *, va_list);
typedef int (*real_file)(FILE *, const char *, va_list);

/* May the C library scan, because nothing is symbolic? */
static int native(const char *s, const char *f, va_list ap)
{
#ifdef DUCT_FLOWS
	(void)s, (void)f, (void)ap;
	return !duct_live;
#else
	return !duct_live || duct_rt_native_scan(s, f, ap);
#endif
}

/* A function of its own: its local objects cost time when the C library scans. */
__attribute__((noinline)) static int model_string(const char *s, const char *f, va_list ap)
{
	static void *real;
	struct scan_source in = { .s = s };

	if (!understood(f) && duct_model_real(&real, "__isoc99_vsscanf"))
		return ((real_string)real)(s, f, ap);
	return scan_format(&in, f, ap);
}

static int scan_string(const char *s, const char *f, va_list ap)
{
	if (native(s, f, ap))
		return CALL_QUIETLY("__isoc99_vsscanf", vsscanf, s, f, ap);
	return model_string(s, f, ap);
}

static int scan_file(FILE *file, const char *f, va_list ap)
{
	static void *real;
	struct scan_source in = { .stream = duct_reader(file) };

	if (!in.stream)
		return ((real_file)duct_model_real(&real, "__isoc99_vfscanf"))(file, f, ap);
	if (!understood(f))
		duct_rt_lost(
		    duct_block_unit, duct_block, "scanf with a conversion that has no model");
	return scan_format(&in, f, ap);
}

/* Headers give the functions other names by the standard that the program is written to. */
#define PLAIN(function, name, source, arguments, call) \
	MODEL int function source __asm__(name); \
	MODEL int function source \
	{ \
		va_list ap; \
		int n; \
		va_start(ap, f); \
		n = call arguments; \
		va_end(ap); \
		return n; \
	}
#define LISTED(function, name, source, arguments, call) \
	MODEL int function source __asm__(name); \
	MODEL int function source \
	{ \
		return call arguments; \
	}
#define FAMILY(suffix, prefix) \
	PLAIN( \
	    duct_scanf_##suffix, prefix "scanf", (const char *f, ...), (stdin, f, ap), scan_file) \
	PLAIN(duct_fscanf_##suffix, prefix "fscanf", (FILE * file, const char *f, ...), \
	    (file, f, ap), scan_file) \
	PLAIN(duct_sscanf_##suffix, prefix "sscanf", (const char *s, const char *f, ...), \
	    (s, f, ap), scan_string) \
	LISTED(duct_vscanf_##suffix, prefix "vscanf", (const char *f, va_list ap), (stdin, f, ap), \
	    scan_file) \
	LISTED(duct_vfscanf_##suffix, prefix "vfscanf", (FILE * file, const char *f, va_list ap), \
	    (file, f, ap), scan_file) \
	LISTED(duct_vsscanf_##suffix, prefix "vsscanf", \
	    (const char *s, const char *f, va_list ap), (s, f, ap), scan_string)

FAMILY(plain, "")
FAMILY(c99, "__isoc99_")
FAMILY(c23, "__isoc23_")
