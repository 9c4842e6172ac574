/* function: one test as a C function: the steps of the plan, with the test's values. */
#include "lib/report/lines.h"
#include "lib/report/tests.h"
#include "lib/report/value.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longer arrays show only what is not zero; longer ones of bytes are written as strings. */
enum { PLAIN_ELEMENTS = 16, TEXT_ELEMENTS = 64 };

struct emit {
	FILE *f, *declarations;      /* statements, and what C89 has before them */
	const struct suite *s;
	const struct view_test *t;
	struct values values;
	bool global;                 /* the object has old contents: zeros matter */
	bool is_const;               /* what is assigned to is declared const */
	struct wrote *wrote; size_t wrotes;  /* where `left` is set: what is walked is listed here */
	const struct values *left;
	bool watched;                /* the object is no input: what did not change is not known */
};

static char *
format(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		abort();
	va_end(ap);
	return s;
}

static bool
is_zero(const struct input_value *v)
{
	return !v || (!v->value.lo && !v->value.hi);
}

static void
bytes_of(const struct input_value *v, char *to, uint64_t size)
{
	for (uint64_t i = 0; i < size && i < 16; i++)
		to[i] = v ? (char)((i < 8 ? v->value.lo : v->value.hi) >> i % 8 * 8) : 0;
}

static struct wrote *
listed(struct emit *e, char *lvalue)
{
	e->wrote = realloc(e->wrote, (e->wrotes + 1) * sizeof *e->wrote);
	if (!e->wrote)
		abort();
	e->wrote[e->wrotes] = (struct wrote){ .lvalue = lvalue };
	return &e->wrote[e->wrotes++];
}

/* The call left that many bytes at `lvalue`, which is the address. */
static void
left_bytes(struct emit *e, char *lvalue, const char *bytes, uint64_t size)
{
	struct wrote *w = listed(e, lvalue);
	FILE *f = open_memstream(&w->value, &w->size);

	value_print_bytes(f, bytes, size);
	fclose(f);
	w->size = size;
}

static void
left_value(struct emit *e, const char *lvalue, const char *shape, uint64_t size, const struct input_value *v)
{
	char bytes[16], kind = *shape;

	if (size > 8) {
		bytes_of(v, bytes, size);
		left_bytes(e, format("&%s", lvalue), bytes, kind == 'f' ? 10 : size);
		return;
	}
	struct wrote *w = listed(e, strdup(lvalue));
	FILE *f = open_memstream(&w->value, &w->size);
	tests_value(f, e->s, shape, v);
	fclose(f);
	w->size = 0;
	w->is_float = kind == 'f';
}

/* Bytes prefix[0], ... from *i to `count` that are known, into `bytes`; sets *i to behind them, *first and *end to those
 * that changed. False when none did. */
static bool
known_characters(struct emit *e, const char *prefix, uint64_t count, char *bytes, uint64_t *i, uint64_t *first, uint64_t *end)
{
	for (*first = count, *end = 0; *i < count; ++*i) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", prefix, *i);
		if (v) {
			*first = *first < *i ? *first : *i;
			*end = *i + 1;
		} else if (!e->watched) {
			v = values_find_f((struct values *)(uintptr_t)e->left, "%s[%" PRIu64 "]", prefix, *i);
		} else if (*end) {
			break;
		}
		bytes[*i] = v ? (char)v->value.lo : 0;
	}
	return *end;
}

/* Those of `count` bytes prefix[0], ... that changed, with what lies between them, at the address `object` + `offset`. */
static void
left_characters(struct emit *e, const char *prefix, const char *object, uint64_t offset, uint64_t count)
{
	char *bytes = calloc(1, count + 1);
	uint64_t first, end;

	for (uint64_t i = 0; i < count && known_characters(e, prefix, count, bytes, &i, &first, &end); ) {
		if (first + offset)
			left_bytes(e, format("(const char *)%s + %" PRIu64, object, first + offset), bytes + first, end - first);
		else
			left_bytes(e, strdup(object), bytes, end);
	}
	free(bytes);
}

static void
scalar(struct emit *e, FILE *f, const char *shape, const struct input_value *v)
{
	if (v)
		tests_value(f, e->s, shape, v);
	else
		tests_zero(f, e->s, shape);
}

/* lvalue = value; through bytes where C has no such lvalue or constant. */
static void
assign(struct emit *e, const char *lvalue, const char *shape, uint64_t size, const struct input_value *v)
{
	char bytes[16];

	if ((*shape == 'f' && size > 8) || (e->is_const && v)) {
		bytes_of(v, bytes, size);
		fprintf(e->f, "\tduct_put(&%s, ", lvalue);
		value_print_bytes(e->f, bytes, size);
		fprintf(e->f, ", %" PRIu64 ");\n", size);
		return;
	}
	fprintf(e->f, "\t%s = ", lvalue);
	scalar(e, e->f, shape, v);
	fputs(";\n", e->f);
}

static void
leaf(struct emit *e, const char *lvalue, const char *shape, uint64_t size, bool brief)
{
	const struct input_value *v = values_find(&e->values, lvalue);

	if (e->left) {
		if (v)
			left_value(e, lvalue, shape, size, v);
		return;
	}
	if (*shape == 'p' || (!v && !e->global) || (brief && is_zero(v) && !e->global))
		return;
	assign(e, lvalue, shape, size, v);
}

/* COUNT characters at lvalue as one string. */
static void
characters(struct emit *e, const char *lvalue, uint64_t count)
{
	if (e->left) {
		left_characters(e, lvalue, lvalue, 0, count);
		return;
	}
	char *bytes = calloc(1, count + 1);
	uint64_t last = 0;

	for (uint64_t i = 0; i < count; i++) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", lvalue, i);
		bytes[i] = v ? (char)v->value.lo : 0;
		if (bytes[i])
			last = i + 1;
	}
	if (e->global)
		last = count;
	if (last) {
		fprintf(e->f, "\tduct_put(%s, ", lvalue);
		value_print_bytes(e->f, bytes, last);
		fprintf(e->f, ", %" PRIu64 ");\n", last);
	}
	free(bytes);
}

/* COUNT bytes of a union or of bit-fields, `offset` into `object`, as inputs lvalue[0], ... */
static void
raw_bytes(struct emit *e, const char *lvalue, const char *object, uint64_t offset, uint64_t count)
{
	if (e->left) {
		char *address = format("&%s", object);
		left_characters(e, lvalue, address, offset, count);
		free(address);
		return;
	}
	char *bytes = calloc(1, count + 1);
	bool any = e->global;

	for (uint64_t i = 0; i < count; i++) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", lvalue, i);
		bytes[i] = v ? (char)v->value.lo : 0;
		any |= bytes[i] != 0;
	}
	if (any) {
		fprintf(e->f, "\tduct_put((char *)&%s + %" PRIu64 ", ", object, offset);
		value_print_bytes(e->f, bytes, count);
		fprintf(e->f, ", %" PRIu64 ");  /* %s */\n", count, lvalue);
	}
	free(bytes);
}

/* Skips a shape; returns what follows. */
static const char *
skip(const char *s)
{
	int depth = 0;

	for (; *s && (depth || (*s != ';' && *s != '}')); s++)
		depth += (*s == '{') - (*s == '}');
	return s;
}

static const char *walk(struct emit *e, const char *shape, const char *lvalue, const char *object,
                        uint64_t offset, bool brief);

static const char *
walk_array(struct emit *e, const char *s, const char *lvalue, const char *object, uint64_t offset)
{
	char *end;
	uint64_t count = strtoull(s, &end, 10);
	const char *element = strchr(end, ':') + 1;

	if (!strncmp(element, "U1", 2)) {
		raw_bytes(e, lvalue, object, offset, count);
	} else if (!strncmp(element, "c1", 2) || (count > TEXT_ELEMENTS && !strncmp(element + 1, "1", 2))) {
		characters(e, lvalue, count);
	} else {
		for (uint64_t i = 0; i < count; i++) {
			char *name = format("%s[%" PRIu64 "]", lvalue, i);
			walk(e, element, name, name, 0, count > PLAIN_ELEMENTS);
			free(name);
		}
	}
	return skip(element);
}

static const char *
walk_record(struct emit *e, const char *s, const char *lvalue, bool brief)
{
	for (s++; *s && *s != '}'; s += *s == ';') {
		char *end;
		uint64_t offset = strtoull(s, &end, 10);
		const char *field = end + 1, *eq = strchr(field, '=');
		char *name = format("%s.%.*s", lvalue, (int)(eq - field), field);
		s = walk(e, eq + 1, name, lvalue, offset, brief);
		free(name);
	}
	return s + (*s == '}');
}

/* One object at lvalue; `object` + `offset` is where its bytes are when it has no lvalue. */
static const char *
walk(struct emit *e, const char *s, const char *lvalue, const char *object, uint64_t offset, bool brief)
{
	char *end;

	if (*s >= '0' && *s <= '9')
		return walk_array(e, s, lvalue, object, offset);
	if (*s == '{')
		return walk_record(e, s, lvalue, brief);
	leaf(e, lvalue, s, strtoull(s + 1, &end, 10), brief);
	return skip(end);
}

static void
input(struct emit *e, const struct harness_step *s, bool string)
{
	char *shape = strdup(s->shape), *rest;

	if (string) {                /* the last character is the end, not an input */
		uint64_t n = strtoull(s->shape, &rest, 10);
		free(shape);
		shape = format("%" PRIu64 "%s", n - 1, s->shape + (rest - s->shape));
	}
	e->is_const = s->count & 1;
	if ((s->count & 2) && (rest = strchr(shape, ':')) && !strcmp(rest, ":U1"))
		characters(e, s->name, strtoull(shape, NULL, 10));
	else
		walk(e, shape, s->name, s->name, 0, false);
	free(shape);
}

/* What the call left in objects that its parameters point to, and in globals. */
size_t
tests_wrote(const struct suite *s, const struct view_test *t, struct wrote **list)
{
	struct values values;
	struct emit e = { .s = s, .t = t, .left = &values };

	*list = NULL;
	if (s->program || t->failure || !tests_sure(t) || !t->wrote.n)
		return 0;
	values_open(&values, &t->input);
	values_open(&e.values, &t->wrote);
	for (size_t i = 0; i < s->plan->n; i++) {
		const struct harness_step *step = &s->plan->step[i];
		e.watched = step->kind == HARNESS_WATCH;
		if (step->kind == HARNESS_INPUT && !strpbrk(step->name, ".["))
			input(&e, step, i + 1 < s->plan->n && step[1].kind == HARNESS_END);
		else if (e.watched && *step->shape)
			walk(&e, step->shape, step->name, step->name, 0, false);
	}
	values_close(&e.values);
	values_close(&values);
	*list = e.wrote;
	return e.wrotes;
}

void
tests_free_wrote(struct wrote *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free(list[i].lvalue);
		free(list[i].value);
	}
	free(list);
}

/* A scalar parameter is declared with its value. */
static size_t
parameter(struct emit *e, size_t i)
{
	const struct harness_step *s = &e->s->plan->step[i], *next = s + 1;
	char *text = harness_declare(s->type, s->name);
	FILE *f = e->declarations;

	fprintf(f, "\t%s", text ? text : s->name);
	free(text);
	if (next->kind == HARNESS_INPUT && !next->count && strchr("iucbf", *next->shape)
	    && strtoull(next->shape + 1, NULL, 10) <= 8 && !strcmp(next->name, s->name)) {
		fputs(" = ", f);
		scalar(e, f, next->shape, values_find(&e->values, s->name));
		i++;
	} else if (next->kind == HARNESS_INPUT && !next->count) {
		fprintf(e->f, "\tduct_zero(&%s, sizeof %s);\n", s->name, s->name);
	}
	fputs(";\n", f);
	return i;
}

/* The steps of the case that the test chose, from *begin to *end; returns the choice's last step. */
static size_t
chosen(struct emit *e, size_t i, size_t *begin, size_t *end)
{
	const struct harness_step *step = e->s->plan->step;
	const struct input_value *v = values_find_f(&e->values, "%s?", step[i].name);
	uint64_t want = v ? v->value.lo : 0, n = 0;
	int depth = 0;

	if (want >= step[i].count)
		want = step[i].count - 1;
	*begin = *end = i;
	for (i++; depth || step[i].kind != HARNESS_CLOSE; i++) {
		if (!depth && step[i].kind == HARNESS_CASE) {
			if (n == want)
				*begin = i + 1;
			if (n == want + 1)
				*end = i;
			n++;
		}
		depth += (step[i].kind == HARNESS_CHOOSE) - (step[i].kind == HARNESS_CLOSE);
	}
	if (*end < *begin)
		*end = i;
	return i;
}

static void steps(struct emit *e, size_t i, size_t end);

/* A pointer inside an object that may have been declared const. */
static bool
inside_const(const struct emit *e, const struct harness_step *s)
{
	for (size_t i = 0; strpbrk(s->name, "[.") && i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_INPUT && (e->s->plan->step[i].count & 1))
			return true;
	return false;
}

static void
pointer(struct emit *e, const struct harness_step *s)
{
	const char *cast = inside_const(e, s) ? "*(void **)&" : "";

	fprintf(e->f, "\t%s%s = ", cast, s->name);
	if (s->kind == HARNESS_NULL)
		fputs("0;\n", e->f);
	else if (s->kind == HARNESS_SAME)
		fprintf(e->f, "(void *)%s;\n", s->shape);
	else if (!*s->type)
		fprintf(e->f, "duct_new(%" PRIu64 ");\n", s->count);
	else if (s->count == 1)
		fprintf(e->f, "duct_new(sizeof *%s);\n", s->name);
	else
		fprintf(e->f, "duct_new(%" PRIu64 " * sizeof *%s);\n", s->count, s->name);
}

static void
arguments(FILE *f, const struct harness_plan *p)
{
	const char *comma = "";

	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM) {
			fprintf(f, "%s%s", comma, p->step[i].name);
			comma = ", ";
		}
}

static bool
hidden(const struct harness_plan *p)
{
	for (size_t i = 1; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM && !strcmp(p->step[i].name, p->step[0].name))
			return true;
	return false;
}

static void
program(struct emit *e)
{
	uint64_t n = 0;

	for (size_t i = 0; i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_MAIN)
			n = e->s->plan->step[i].count;
	fprintf(e->f, "\tduct_exit((main)(%s));\n", n == 0 ? "" : n == 1 ? "duct_argc()"
	        : n == 2 ? "duct_argc(), duct_argv()" : "duct_argc(), duct_argv(), duct_environ()");
}

/* What is expected: what a person confirmed, else what was observed. */
static void
expected(struct emit *e, const char *observed, const char *confirmed)
{
	fputs(confirmed ? confirmed : observed, e->f);
}

static void
remark(struct emit *e, const char *observed, const char *confirmed)
{
	if (confirmed && strcmp(confirmed, observed) && !strstr(observed, "*/"))
		fprintf(e->f, ");  /* confirmed; %s was observed */\n", observed);
	else
		fprintf(e->f, ");  /* %s */\n", confirmed ? "confirmed" : "observed");
}

static void
compare_wrote(struct emit *e)
{
	struct wrote *list;
	size_t n = tests_wrote(e->s, e->t, &list);

	for (const struct wrote *w = list; w < list + n; w++) {
		const char *confirmed = tests_confirmed(e->s, e->t, w->lvalue);
		fprintf(e->f, "\t%s(%s, ", w->size ? "DUCT_BYTES" : w->is_float ? "DUCT_SAME" : "DUCT_EQUAL", w->lvalue);
		expected(e, w->value, confirmed);
		if (w->size)
			fprintf(e->f, ", %zu", w->size);
		remark(e, w->value, confirmed);
	}
	tests_free_wrote(list, n);
}

static void
call(struct emit *e)
{
	const struct harness_step *entry = &e->s->plan->step[0];
	const char *name = hidden(e->s->plan) ? "duct_entry" : entry->name;
	char *what = tests_what(e->t), *result = tests_result(e->s, e->t);
	const char *confirmed = tests_confirmed(e->s, e->t, NULL);

	if (result) {
		fprintf(e->f, "\t%s(%s(", *entry->shape == 'f' ? "DUCT_SAME" : "DUCT_EQUAL", name);
		arguments(e->f, e->s->plan);
		fputs(*entry->shape == 'p' ? ") != 0, " : "), ", e->f);
		expected(e, result, confirmed);
		remark(e, result, confirmed);
	} else {
		const char *use = strchr("iucbpf", *entry->shape) ? *entry->shape == 'f' ? "DUCT_FAILS_F(" : "DUCT_FAILS(" : "";
		fprintf(e->f, "\t%s%s(", use, name);
		arguments(e->f, e->s->plan);
		fprintf(e->f, ")%s;", *use ? *entry->shape == 'p' ? " != 0)" : ")" : "");
		if (what)
			fprintf(e->f, "  /* observed: %s */", what);
		putc('\n', e->f);
	}
	free(result);
	free(what);
	compare_wrote(e);
}

static void
input_step(struct emit *e, size_t i, size_t end)
{
	const struct harness_step *s = &e->s->plan->step[i];
	bool old = e->global;

	e->global = old && !(s->count & 2);      /* new objects are zero */
	input(e, s, i + 1 < end && s[1].kind == HARNESS_END);
	e->global = old;
}

static void
steps(struct emit *e, size_t i, size_t end)
{
	size_t from, to;

	for (; i < end; i++) {
		const struct harness_step *s = &e->s->plan->step[i];
		switch (s->kind) {
		case HARNESS_PARAM:
			e->global = false;
			i = parameter(e, i);
			break;
		case HARNESS_GLOBAL:
			e->global = true;
			break;
		case HARNESS_INPUT:
			input_step(e, i, end);
			break;
		case HARNESS_CHOOSE:
			i = chosen(e, i, &from, &to);
			steps(e, from, to);
			break;
		case HARNESS_NULL:
		case HARNESS_NEW:
		case HARNESS_SAME:
			pointer(e, s);
			break;
		case HARNESS_INIT:
			fprintf(e->f, "\t%s();\n", s->name);
			break;
		case HARNESS_ASSUME:
			fprintf(e->f, "\tduct_assume((%s) != 0);\n", s->name);
			break;
		case HARNESS_CALL:
			(e->s->program ? program : call)(e);
			break;
		}
	}
}

/* Inputs that the function did not set: the runner gives them out by name. */
static size_t
value_table(struct emit *e)
{
	size_t n = 0;

	for (size_t i = 0; i < e->t->input.n; i++) {
		const struct input_value *v = &e->t->input.v[i];
		if (e->values.used[i])
			continue;
		if (!n++)
			fprintf(e->f, "static const struct duct_value duct_values_%s[] = {\n", tests_label(e->s, e->t));
		fputs("\t{ ", e->f);
		value_print_bytes(e->f, v->name, strlen(v->name));
		fprintf(e->f, ", 0x%" PRIx64 "u, 0x%" PRIx64 "u, %u, %u },  /* ", v->value.lo, v->value.hi,
		        v->width, v->offset);
		value_print(e->f, v);
		fputs(" */\n", e->f);
	}
	if (n)
		fputs("\t{ 0, 0, 0, 0, 0 }\n};\n\n", e->f);
	return n;
}

static void
comment(struct emit *e)
{
	enum { LISTED = 8 };
	char *what = tests_what(e->t);
	size_t n = 0;

	fprintf(e->f, "/* %s%s%s", e->t->origin, what ? ": " : "", what ? what : "");
	for (size_t i = 0; i < e->t->n; i++) {
		const struct view_objective *o = &e->s->v->objective[e->t->covers[i]];
		if (o->test != e->t->number)
			continue;
		if (n++ < LISTED) {
			fprintf(e->f, "\n * first to take %u:%u ", o->line, o->col);
			side_print(e->f, o);
		}
	}
	if (n > LISTED)
		fprintf(e->f, "\n * and %zu more", n - LISTED);
	if (e->t->ub)
		fprintf(e->f, "\n * undefined behaviour: %s", e->t->ub);
	fputs(" */\n", e->f);
	free(what);
}

unsigned
tests_function(FILE *f, const struct suite *s, const struct view_test *t)
{
	struct emit e = { .s = s, .t = t };
	char *body = NULL, *declarations = NULL;
	size_t size;

	values_open(&e.values, &t->input);
	e.f = open_memstream(&body, &size);
	e.declarations = open_memstream(&declarations, &size);
	if (!e.f || !e.declarations)
		abort();
	steps(&e, 0, s->plan->n);
	fclose(e.f);
	fclose(e.declarations);
	e.f = f;
	unsigned has = tests_environment(f, s, t, &e.values);
	if (value_table(&e))
		has |= TEST_VALUES;
	comment(&e);
	fprintf(f, "static void duct_test_%s(void)\n{\n%s%s%s}\n\n", tests_label(s, t), declarations, *declarations ? "\n" : "",
	        body);
	free(declarations);
	free(body);
	values_close(&e.values);
	return has;
}
