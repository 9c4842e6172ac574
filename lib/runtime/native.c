/* Functions by which library models decide whether to hand a call over to the C library: is any
 * memory that it reads or writes symbolic, as the shadow's flags tell? */
#include "lib/runtime/rt.h"

static uintptr_t word(struct duct_va_tag *l)
{
	uintptr_t at = l->general < 48 ? l->registers + l->general : l->overflow;

	if (l->general < 48)
		l->general += 8;
	else
		l->overflow += 8;
	return at;
}

static uintptr_t number(struct duct_va_tag *l)
{
	uintptr_t at = l->vector < 176 ? l->registers + l->vector : l->overflow;

	if (l->vector < 176)
		l->vector += 16;
	else
		l->overflow += 8;
	return at;
}

static uintptr_t long_number(struct duct_va_tag *l)
{
	uintptr_t at = (l->overflow + 15) & ~(uintptr_t)15;

	l->overflow = at + 16;
	return at;
}

static bool is_in(char c, const char *set)
{
	while (*set && *set != c)
		set++;
	return c && *set;
}

/* With its end, if that is within. */
static size_t text_length(const char *s, size_t most)
{
	size_t n = 0;

	duct_touched = (uintptr_t)s;
	while (n < most && s[n])
		n++;
	return n + (n < most);
}

static bool plain_text(const char *s, size_t most)
{
	size_t n = text_length(s, most);

	if (duct_flagged((uintptr_t)s, n))
		return false;
	duct_rt_written(s, n);
	return true;
}

/* A token says that some argument has a node. */
static bool concrete_arguments(const void *self)
{
	if (duct_args_for != self)
		return true;
	duct_args_for = NULL;
	return false;
}

int duct_rt_native(const void *p, size_t n, ...)
{
	return concrete_arguments((void *)duct_rt_native) && !duct_flagged((uintptr_t)p, n);
}

#define AHEAD 8 /* more than the rest of "infinity", or an exponent without digits */

int duct_rt_native_number(const char *s, const char *stop, ...)
{
	if (!concrete_arguments((void *)duct_rt_native_number) || stop == s || *stop == '(')
		return 0; /* no number: only blanks may have been read; or `nan(`, which may go on
		           */
	if (duct_flagged((uintptr_t)s, (size_t)(stop - s))
	    || duct_flagged((uintptr_t)stop, text_length(stop, AHEAD)))
		return 0;
	duct_rt_written(s, (size_t)(stop - s) + 1);
	return 1;
}

static bool plain_word(struct duct_va_tag *l, uint64_t *value)
{
	uintptr_t at = word(l);

	*value = *(const uint64_t *)at;
	return !duct_flagged(at, 8);
}

/* Digits, or an argument, which may be negative. */
static bool width(const char **f, struct duct_va_tag *l, long *value)
{
	uint64_t given;
	bool plain;

	if (**f == '*') {
		++*f;
		plain = plain_word(l, &given);
		*value = (int)given;
		return plain;
	}
	for (*value = 0; **f >= '0' && **f <= '9'; ++*f)
		*value = *value < 1 << 20 ? *value * 10 + (**f - '0') : *value;
	return true;
}

static char size(const char **f)
{
	char s = 0;

	for (; is_in(**f, "hlLqjzZt"); ++*f)
		s = s == 'h' && **f == 'h' ? 'H' : **f;
	return s;
}

/* The directive behind a percent sign. */
static bool prints_plain(const char **f, struct duct_va_tag *l)
{
	long columns, precision = -1;
	uint64_t value;
	char s;

	while (is_in(**f, "-+ #0'"))
		++*f;
	if (!width(f, l, &columns))
		return false;
	if (**f == '.' && (++*f, !width(f, l, &precision)))
		return false;
	s = size(f);
	if (is_in(**f, "fFeEgGaA")) {
		++*f;
		return s == 'L' ? !duct_flagged(long_number(l), 10) : !duct_flagged(number(l), 8);
	}
	if (!is_in(**f, "diuoxXcps") || (s && is_in(**f, "cs")) || !plain_word(l, &value))
		return false;
	return *(*f)++ != 's' || !value
	    || plain_text(
	        (const char *)(uintptr_t)value, precision < 0 ? SIZE_MAX : (size_t)precision);
}

static size_t written(char kind, char s, long columns, size_t text)
{
	static const struct {
		char size;
		uint8_t integer, number;
	} sizes[] = {
		{ 0, 4, 4 },
		{ 'H', 1, 0 },
		{ 'h', 2, 0 },
		{ 'l', 8, 8 },
		{ 'L', 8, 16 },
	};
	size_t i = 0;

	if (kind == 'c')
		return columns ? (size_t)columns : 1;
	if (is_in(kind, "s["))
		return text;
	if (kind == 'p')
		return 8;
	while (i < 4 && sizes[i].size != s)
		i++;
	return is_in(kind, "diuoxXn") ? sizes[i].integer : sizes[i].number;
}

static const char *end_of_set(const char *f)
{
	f += *f == '^';
	f += *f == ']';
	while (*f && *f != ']')
		f++;
	return *f ? f + 1 : f;
}

static bool scans_plain(const char **f, struct duct_va_tag *l, size_t text)
{
	bool discarded = **f == '*';
	long columns;
	uint64_t to;
	char kind, s;

	*f += discarded;
	if (**f == '*' || !width(f, l, &columns))
		return false;
	s = size(f);
	kind = **f;
	if (!is_in(kind, "diuoxXpfFeEgGaAncs[") || (s && is_in(kind, "cs[")))
		return false;
	*f = kind == '[' ? end_of_set(*f + 1) : *f + 1;
	return discarded
	    || (plain_word(l, &to) && !duct_flagged(to, written(kind, s, columns, text)));
}

/* text: that is read by it, with its end; 0: it is printed. */
static bool plain_format(const char *format, const void *ap, size_t text)
{
	struct duct_va_tag l = *(const struct duct_va_tag *)ap;
	const char *f = format;

	duct_touched = (uintptr_t)format;
	if (duct_flagged((uintptr_t)ap, sizeof l))
		return false;
	while (*f) {
		if (*f++ != '%')
			continue;
		if (*f == '%')
			f++;
		else if (!(text ? scans_plain(&f, &l, text) : prints_plain(&f, &l)))
			return false;
	}
	return !duct_flagged((uintptr_t)format, (size_t)(f - format) + 1);
}

int duct_rt_native_print(const char *format, const void *ap, const void *to, size_t room)
{
	(void)to, (void)room; /* their nodes are arguments */
	return concrete_arguments((void *)duct_rt_native_print) && plain_format(format, ap, 0);
}

static duct_node next_node(const struct duct_va_tag *l, uint32_t bytes)
{
	struct duct_va_tag next = *l;
	struct duct_term t;

	return duct_peek_term(word(&next), bytes, &t) ? t.n : 0;
}

/* Reads a text that is printed. It may be NULL, which printf() prints as well: only where --len
 * states its size it is assumed not to be. */
static void ask_text(duct_node pointer, const char *s, long precision, duct_node n)
{
	struct duct_term is;

	if (s && precision && !n)
		duct_rt_reads(s, 1);
	if (pointer) {
		is = duct_t_binary(OP_EQ, duct_term(pointer), duct_constant(64, 0));
		if (!is.n || !duct_grow_given(is.n))
			return;
		duct_input_assume(duct_t_not(is), "NULL has no elements");
	}
	duct_rt_reads_text(s, precision, n);
}

/* The directive behind a percent sign; false: what follows it is not known. */
static bool asks_text(const char **f, struct duct_va_tag *l)
{
	long columns, precision = -1;
	duct_node node = 0, pointer;
	char s, kind;

	while (is_in(**f, "-+ #0'"))
		++*f;
	(void)width(f, l, &columns);
	if (**f == '.') {
		++*f;
		if (**f == '*')
			node = next_node(l, 4);
		(void)width(f, l, &precision);
	}
	s = size(f);
	kind = *(*f)++;
	if (is_in(kind, "fFeEgGaA"))
		return s == 'L' ? long_number(l) : number(l);
	if (!is_in(kind, "diuoxXcpsnbB") || (s && is_in(kind, "cs")))
		return false;
	if (kind != 's')
		return word(l);
	pointer = next_node(l, 8);
	ask_text(pointer, *(const char *const *)word(l), precision, node);
	return true;
}

void duct_rt_prints_texts(const char *format, const void *ap)
{
	struct duct_va_tag l = *(const struct duct_va_tag *)ap;

	duct_rt_reads_text(format, -1, 0);
	for (const char *f = format; *f;)
		if (*f++ == '%' && (*f == '%' ? !f++ : !asks_text(&f, &l)))
			return;
}

int duct_rt_native_scan(const char *s, const char *format, const void *ap)
{
	size_t text;

	if (duct_watches(CHECK_BOUNDS) || !s)
		return 0; /* the library model reports how much of an object is written, and which
		           * pointer is NULL */
	duct_touched = (uintptr_t)s;
	text = duct_length(s) + 1;
	return concrete_arguments((void *)duct_rt_native_scan) && !duct_flagged((uintptr_t)s, text)
	    && plain_format(format, ap, text);
}
