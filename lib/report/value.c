/* value: inputs by name; values as C text. */
#include "lib/report/quote.h"
#include "lib/report/value.h"
#include "lib/protocol/abi.h"
#include "lib/base/grow.h"
#include "lib/base/search.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static int by_name(const void *a, const void *b, void *in)
{
	const struct input_value *v = ((const struct input *)in)->v;
	size_t i = *(const size_t *)a, j = *(const size_t *)b;
	int c = strcmp(v[i].name, v[j].name);

	return c ? c : (i > j) - (i < j);
}

void values_open(struct values *v, const struct input *in)
{
	v->in = in;
	v->order = zeroed(in->n + 1, sizeof *v->order);
	v->used = zeroed(in->n + 1, sizeof *v->used);
	for (size_t i = 0; i < in->n; i++)
		v->order[i] = i;
	qsort_r(v->order, in->n, sizeof *v->order, by_name, (void *)in);
}

void values_close(struct values *v)
{
	free(v->order);
	free(v->used);
}

struct wanted {
	const struct input *in;
	const char *name;
};

static int wanted_order(const void *wanted, const void *index)
{
	const struct wanted *w = wanted;

	return strcmp(w->name, w->in->v[*(const size_t *)index].name);
}

const struct input_value *values_find(struct values *v, const char *name)
{
	struct wanted w = { v->in, name };
	size_t i = lower_bound(&w, v->order, v->in->n, sizeof *v->order, wanted_order);

	if (i == v->in->n || wanted_order(&w, &v->order[i]))
		return NULL;
	v->used[v->order[i]] = true;
	return &v->in->v[v->order[i]];
}

const struct input_value *values_find_f(struct values *v, const char *fmt, ...)
{
	const struct input_value *found;
	char *name;
	va_list ap;

	va_start(ap, fmt);
	name = formatted_list(fmt, ap);
	va_end(ap);
	found = values_find(v, name);
	free(name);
	return found;
}

int64_t value_signed(const struct input_value *v)
{
	if (v->width >= 64)
		return (int64_t)v->value.lo;
	uint64_t sign = (uint64_t)1 << (v->width - 1);

	return (int64_t)((v->value.lo ^ sign) - sign);
}

static void print_char(FILE *f, const struct input_value *v)
{
	unsigned char c = (unsigned char)v->value.lo;

	if (c == '\'' || c == '\\')
		fprintf(f, "'\\%c'", c);
	else if (c == '\n')
		fputs("'\\n'", f);
	else if (c == '\t')
		fputs("'\\t'", f);
	else if (c >= ' ' && c < 127)
		fprintf(f, "'%c'", c);
	else
		fprintf(f, "%d", (signed char)c);
}

/* The shortest decimal constant that reads as exactly `l`, even if the compiler first rounds to a
 * wider type. */
static void print_decimal(FILE *f, long double l, unsigned width)
{
	char text[64];
	bool same = false;

	for (int digits = 1; !same && digits <= LDBL_DECIMAL_DIG; digits++) {
		snprintf(text, sizeof text, "%.*Lg", digits, l);
		long double wide = strtold(text, NULL);
		if (width == 32)
			same = strtof(text, NULL) == l && (float)strtod(text, NULL) == l
			    && (float)wide == l;
		else
			same =
			    width == 64 ? strtod(text, NULL) == l && (double)wide == l : wide == l;
	}
	fprintf(f, "%s%s%s", text, strpbrk(text, ".e") ? "" : ".0",
	    width == 32       ? "f"
	        : width == 64 ? ""
	                      : "L");
}

/* A long double, only for reading: tests set its bytes. */
static void print_long(FILE *f, const struct input_value *v)
{
	long double l = 0;

	memcpy(&l, &v->value, 10);
	if (l - l == 0)
		print_decimal(f, l, v->width);
	else
		fprintf(f, "duct_bits(0x%" PRIx64 "%016" PRIx64 ")", v->value.hi, v->value.lo);
}

/* The same number as a double: numbers of 16 bits have no constants of their own in C. */
static struct input_value of_half(const struct input_value *v)
{
	uint64_t bits = v->value.lo, exponent = bits >> 10 & 0x1f, fraction = bits & 0x3ff;
	double d = exponent ? ldexp((double)(fraction | 0x400), (int)exponent - 25)
	                    : ldexp((double)fraction, -24);
	struct input_value wide = *v;

	memcpy(&wide.value.lo, &d, sizeof d);
	if (exponent == 0x1f)
		wide.value.lo = UINT64_C(0x7ff) << 52 | fraction << 42;
	wide.value.lo |= bits >> 15 << 63;
	wide.width = 64;
	return wide;
}

static void print_float(FILE *f, const struct input_value *v)
{
	bool single = v->width == 32;
	uint32_t bits = (uint32_t)v->value.lo;
	float s;
	double d;

	memcpy(&s, &bits, sizeof s);
	memcpy(&d, &v->value.lo, sizeof d);
	if (single)
		d = (double)s;
	if (d - d != 0)
		fprintf(f, "duct_bits%s(0x%" PRIx64 "u)", single ? "_f" : "", v->value.lo);
	else if (d >= -INT32_MAX && d <= INT32_MAX && d == (double)(int)d
	    && (d != 0 || !v->value.lo))
		fprintf(f, "%d.0%s", (int)d, single ? "f" : "");
	else
		print_decimal(f, (long double)d, v->width);
}

static void print_half(FILE *f, const struct input_value *v)
{
	struct input_value wide = of_half(v);

	print_float(f, &wide);
}

static void print_wide(FILE *f, const struct input_value *v)
{
	const char *type = v->kind == INPUT_INT ? "__int128" : "unsigned __int128";

	fprintf(f, "(%s)((unsigned __int128)0x%" PRIx64 "u << 64 | 0x%" PRIx64 "u)", type,
	    v->value.hi, v->value.lo);
}

static void print_signed(FILE *f, const struct input_value *v)
{
	int64_t i = value_signed(v);

	if (i == INT64_MIN)
		fputs("-9223372036854775807 - 1", f);
	else if (i == INT32_MIN)
		fputs("-2147483647 - 1", f);
	else
		fprintf(f, "%" PRId64, i);
}

void value_print(FILE *f, const struct input_value *v)
{
	if (v->kind == INPUT_FLOAT && v->width == 16)
		print_half(f, v);
	else if (v->kind == INPUT_FLOAT)
		(v->width > 64 ? print_long : print_float)(f, v);
	else if (v->width > 64)
		print_wide(f, v);
	else if (v->kind == INPUT_CHAR && v->width == 8)
		print_char(f, v);
	else if (v->kind == INPUT_INT || v->kind == INPUT_CHAR)
		print_signed(f, v);
	else
		fprintf(f, "%" PRIu64 "%s", v->value.lo, v->value.lo > INT32_MAX ? "u" : "");
}

void value_print_bytes(FILE *f, const char *bytes, size_t n)
{
	putc('"', f);
	for (size_t i = 0; i < n; i++) {
		unsigned char c = (unsigned char)bytes[i];
		if (c == '"' || c == '\\')
			fprintf(f, "\\%c", c);
		else if (c == '\n')
			fputs("\\n", f);
		else if (c == '\t')
			fputs("\\t", f);
		else if (c == '?' && i && bytes[i - 1] == '?') /* avoids trigraphs */
			fputs("\\?", f);
		else if (c >= ' ' && c < 127)
			putc(c, f);
		else
			fprintf(f, "\\%03o", c);
	}
	putc('"', f);
}

/* If v is character NAME[k]: the length of NAME, else 0. */
static size_t element(const struct input_value *v, uint64_t k)
{
	const char *open = v->kind == INPUT_CHAR && v->width == 8 ? strrchr(v->name, '[') : NULL;
	char *end;

	if (!open || strtoull(open + 1, &end, 10) != k || strcmp(end, "]"))
		return 0;
	return (size_t)(open - v->name);
}

/* Number of consecutive characters NAME[0], NAME[1], ... from input i on. */
static size_t text_run(const struct input *in, size_t i)
{
	size_t n = 0, len = element(&in->v[i], 0);

	while (len && i + n < in->n && element(&in->v[i + n], n) == len
	    && !memcmp(in->v[i].name, in->v[i + n].name, len))
		n++;
	return n;
}

static void print_run(FILE *f, const struct input *in, size_t i, size_t n)
{
	char *bytes = reserved(n, 1);

	for (size_t k = 0; k < n; k++)
		bytes[k] = (char)in->v[i + k].value.lo;
	while (n && !bytes[n - 1])
		n--;
	fprintf(f, "%.*s = ", (int)element(&in->v[i], 0), in->v[i].name);
	value_print_bytes(f, bytes, n);
	free(bytes);
}

static bool has_prefix(const struct input *in, const char *base, size_t n, const char *rest)
{
	for (size_t i = 0; i < in->n; i++)
		if (!strncmp(in->v[i].name, base, n)
		    && !strncmp(in->v[i].name + n, rest, strlen(rest)))
			return true;
	return false;
}

/* Prints that a pointer leads to what an earlier one leads to; NAME+ is the element. */
static void print_shared(FILE *f, const struct input *in, size_t i, size_t n)
{
	const char *name = in->v[i].name, *next = i + 1 < in->n ? in->v[i + 1].name : "";
	uint64_t choice = in->v[i].value.lo;

	if (choice > DUCT_CHOICE_VARIABLE - DUCT_CHOICE_VARIABLES)
		fprintf(f, "%.*s = (variable %" PRIu64 " of the program)", (int)n, name,
		    DUCT_CHOICE_VARIABLE - choice + 1);
	else
		fprintf(f, "%.*s = (object %" PRIu64 ")", (int)n, name, choice - 1);
	if (!strncmp(next, name, n) && !strcmp(next + n, "+") && in->v[i + 1].value.lo)
		fprintf(f, " + %" PRIu64, in->v[i + 1].value.lo);
}

/* Prints what NAME? says about an environment variable, file or pointer; false if its bytes already
 * show it. */
static bool print_choice(FILE *f, const struct input *in, size_t i)
{
	const char *name = in->v[i].name;
	size_t n = strlen(name) - (*name && name[strlen(name) - 1] == '?');
	uint64_t choice = in->v[i].value.lo;
	bool env = !strncmp(name, "env.", 4), file = !strncmp(name, "file.", 5);

	if ((!name[n] && n && name[n - 1] == '+') || (name[n] && choice == DUCT_CHOICE_NUMBER))
		return false;
	else if (!name[n] && n && name[n - 1] == '-')
		fprintf(f, "%.*s = (element %" PRIu64 " of its object)", (int)n - 1, name, choice);
	else if (!name[n])
		fprintf(f, "%s = (choice %" PRIu64 ")", name, choice);
	else if (choice == 1 && has_prefix(in, name, n, "["))
		return false;
	else if (env || file)
		fprintf(f, "%.*s %s", (int)(n - (env ? 4 : 5)), name + (env ? 4 : 5),
		    env          ? choice ? "set" : "not set"
		        : choice ? "there"
		                 : "not there");
	else if (!choice)
		fprintf(f, "%.*s = NULL", (int)n, name);
	else if (choice == 1 && has_prefix(in, name, n, ".bytes"))
		fprintf(f, "%.*s = (an object)", (int)n, name);
	else if (choice > 1)
		print_shared(f, in, i, n);
	else
		fprintf(f, "%.*s = (choice 1)", (int)n, name);
	return true;
}

/* Prints input i with those that form one string with it; returns how many. */
static size_t print_input(FILE *f, const struct input *in, size_t i)
{
	size_t n = text_run(in, i);

	if (n > 1 || (n && !in->v[i].value.lo)) {
		print_run(f, in, i, n);
		return n;
	}
	const char *error = strncmp(in->v[i].name, "errno.", strlen("errno."))
	    ? NULL
	    : strerrorname_np((int)in->v[i].value.lo);
	if (error) {
		fprintf(f, "%s = %s", in->v[i].name, error);
	} else if (in->v[i].kind == INPUT_CHOICE) {
		print_choice(f, in, i);
	} else if (in->v[i].kind != INPUT_OBJECT) { /* shown by the contents */
		fprintf(f, "%.*s = ", (int)strcspn(in->v[i].name, "="), in->v[i].name);
		value_print(f, &in->v[i]);
	}
	return 1;
}

/* Is it part of an argument that the program does not get, as there are fewer? */
static bool is_beyond(const struct input *in, size_t i)
{
	const char *name = in->v[i].name;

	for (size_t k = 0; !strncmp(name, "argv[", 5) && k < in->n; k++)
		if (!strcmp(in->v[k].name, "args"))
			return strtoull(name + 5, NULL, 10) > in->v[k].value.lo;
	return false;
}

/* An environment variable that is not set, as most are in most environments. */
static bool is_unset(const struct input_value *v)
{
	return v->kind == INPUT_CHOICE && !strncmp(v->name, "env.", 4) && !v->value.lo;
}

/* A list of inputs in a line, as far as it has room. */
struct list {
	FILE *m;
	const size_t *size; /* bytes that are in it */
	size_t bytes, most; /* with more of them, or so many inputs, it is full */
	size_t shown, rest; /* inputs that are in it; that have no room, if `most` is given */
};

static void list_part(struct list *l, const struct input *in, bool unset)
{
	for (size_t i = 0; i < in->n && !(l->rest && l->most == SIZE_MAX);) {
		char *one = NULL;
		size_t part, at = i;
		FILE *o = text_stream(&one, &part);
		i += print_input(o, in, i);
		fclose(o);
		fflush(l->m);
		if (part && is_unset(&in->v[at]) == unset && !is_beyond(in, at)) {
			if (l->rest || *l->size > l->bytes || l->shown == l->most)
				l->rest++;
			else
				fprintf(l->m, "%s%s", l->shown++ ? ", " : "", one);
		}
		free(one);
	}
}

static size_t list_inputs(FILE *f, const struct input *in, size_t bytes, size_t most)
{
	char *text = NULL;
	size_t size;
	struct list l = { text_stream(&text, &size), &size, bytes, most, 0, 0 };

	fflush(l.m);
	list_part(&l, in, false);
	list_part(&l, in, true);
	fclose(l.m);
	quote_line(f, size ? text : "no inputs"); /* names of files may have newlines */
	free(text);
	return l.rest;
}

void values_line(FILE *f, const struct input *in, size_t most)
{
	if (list_inputs(f, in, most, SIZE_MAX))
		fputs(", ...", f);
}

size_t values_first(FILE *f, const struct input *in, size_t most)
{
	return list_inputs(f, in, SIZE_MAX, most);
}
