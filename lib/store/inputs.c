/* inputs: values of a test as JSON, [[name, kind, width, hexadecimal value], ...], and the
 * inputs of earlier tests. */
#include "lib/store/db.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

/* A test's values are written for every path; for speed, these functions write to a buffer without
 * stdio. */
static char *put_text(char *to, const char *s)
{
	size_t n = strlen(s);

	memcpy(to, s, n);
	return to + n;
}

/* Writes at least `least` digits. */
static char *put_hex(char *to, uint64_t v, unsigned least)
{
	for (unsigned shift = 60, i = 16; i; shift -= 4, i--)
		if (i <= least || v >> shift)
			*to++ = "0123456789abcdef"[v >> shift & 15];
	return to;
}

static char *put_string(char *to, const char *s)
{
	*to++ = '"';
	for (; *s; s++) {
		unsigned char c = (unsigned char)*s;
		if (c == '"' || c == '\\')
			*to++ = '\\';
		if (c < ' ')
			to = put_hex(put_text(to, "\\u"), c, 4);
		else
			*to++ = (char)c;
	}
	*to++ = '"';
	return to;
}

char *store_put_decimal(char *to, uint64_t v)
{
	char digit[20];
	size_t n = 0;

	do
		digit[n++] = (char)('0' + v % 10);
	while (v /= 10);
	while (n)
		*to++ = digit[--n];
	return to;
}

static char *put_var(char *to, const struct trace_var *v)
{
	to = put_string(put_text(to, "["), v->name);
	to = put_text(to, ",\"");
	*to++ = (char)v->kind;
	to = put_text(store_put_decimal(put_text(to, "\","), v->width), ",\"");
	if (v->value.hi)
		to = put_hex(to, v->value.hi, 1);
	to = put_text(put_hex(to, v->value.lo, v->value.hi ? 16 : 1), "\"");
	if (v->offset)
		to = store_put_decimal(put_text(to, ","), v->offset);
	return put_text(to, "]");
}

#define MOST_OF_VAR \
	80 /* characters of an entry without its name, of which each takes at most 6 \
	    */

char *store_inputs_print(const struct trace_var *var, size_t n)
{
	size_t room = 3;
	char *text, *to;

	for (size_t i = 0; i < n; i++)
		room += 6 * strlen(var[i].name) + MOST_OF_VAR;
	text = to = reserved(room, 1);
	*to++ = '[';
	for (size_t i = 0; i < n; i++) {
		if (i)
			*to++ = ',';
		to = put_var(to, &var[i]);
	}
	strcpy(to, "]");
	return (to = resized(text, strlen(text) + 1, 1)) ? to : text;
}

/* Parses a JSON string that duct wrote, at *s, and unescapes it in place; *s moves behind it. */
static char *parse_string(char **s)
{
	char *from, *to, *begin;

	if (**s != '"')
		return NULL;
	begin = from = to = *s + 1;
	for (; *from && *from != '"'; from++) {
		if (*from != '\\') {
			*to++ = *from;
		} else if (*++from == 'u') {
			char hex[5] = { 0 };
			strncpy(hex, from + 1, 4);
			*to++ = (char)strtoul(hex, NULL, 16);
			from += strlen(hex);
		} else if (*from) {
			*to++ = *from;
		} else {
			return NULL;
		}
	}
	if (!*from)
		return NULL;
	*s = from + 1;
	*to = 0;
	return begin;
}

static bool expect(char **s, char c)
{
	if (**s != c)
		return false;
	++*s;
	return true;
}

/* Parses the digits of a number; *s moves behind them. A report reads as many numbers as a session
 * wrote, and strtoull takes ten times as long. */
static uint64_t parse_digits(char **s, unsigned base)
{
	uint64_t v = 0;

	for (;; ++*s) {
		unsigned c = (unsigned char)**s,
		         digit = c - '0' < 10 ? c - '0'
		    : (c | 32) - 'a' < 6      ? (c | 32) - 'a' + 10
		                              : 16;
		if (digit >= base)
			return v;
		v = v * base + digit;
	}
}

static struct value parse_value(char *hex)
{
	struct value v = { 0, 0 };
	size_t n = strlen(hex);

	if (n > 16) {
		char high[17] = { 0 }, *from = high;
		memcpy(high, hex, n - 16 < 16 ? n - 16 : 16);
		v.hi = parse_digits(&from, 16);
		hex += n - 16;
	}
	v.lo = parse_digits(&hex, 16);
	return v;
}

static bool parse_entry(char **s, struct input *in)
{
	char *name, *kind, *hex;
	uint64_t width, offset = 0;

	if (!expect(s, '[') || !(name = parse_string(s)) || !expect(s, ',')
	    || !(kind = parse_string(s)) || !expect(s, ','))
		return false;
	width = parse_digits(s, 10);
	if (width < 1 || width > 128 || !expect(s, ',') || !(hex = parse_string(s)))
		return false;
	input_add(in, name, (uint8_t)*kind, (uint16_t)width, parse_value(hex));
	if (expect(s, ','))
		offset = parse_digits(s, 10);
	if (offset > UINT32_MAX)
		return false;
	in->v[in->n - 1].offset = (uint32_t)offset;
	return expect(s, ']');
}

bool store_inputs_parse(const char *json, struct input *in)
{
	char *copy = copied(json), *s = copy;
	bool ok = expect(&s, '[');

	for (bool first = true; ok && *s != ']'; first = false)
		ok = (first || expect(&s, ',')) && parse_entry(&s, in);
	free(copy);
	return ok;
}

size_t store_replay(struct store *s, struct input **inputs)
{
	struct input *list = NULL;
	size_t n = 0;
	sqlite3_stmt *st = store_sql(s,
	    "SELECT inputs FROM test JOIN session ON session.id = test.session"
	    " WHERE session.id <> ? AND entry = (SELECT entry FROM session WHERE id = ?) AND plan = ?"
	    " AND ending <> 'timeout' AND strategy <> 'cover' GROUP BY inputs ORDER BY min(test.id)",
	    "iit", s->session, s->session, s->plan);

	while (s->session && store_row(s, st)) {
		list = grow_one(list, n, sizeof *list);
		if (store_inputs_parse(store_string(st, 0), &list[n]))
			n++;
		else
			input_clear(&list[n]);
	}
	*inputs = list;
	return n;
}

void store_inputs_free(struct input *inputs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		input_clear(&inputs[i]);
	free(inputs);
}
