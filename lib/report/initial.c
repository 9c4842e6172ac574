/* initial: declares objects that a run created for pointers, with initialisers. They are static:
 * what the call leaves in them stays reachable for leak checkers, and their addresses are constant
 * expressions in every C standard. */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED = 16 }; /* longer arrays show only nonzero elements */

struct initial_element {
	const char *name, *lvalue;
	size_t from;
};

static bool is_zero(const struct input_value *v)
{
	return !v || (!v->value.lo && !v->value.hi);
}

/* NaN, infinities and long doubles are not written as constants but assigned. */
static bool is_constant(const struct input_value *v)
{
	return v->kind != INPUT_FLOAT || (v->width == 16 && (v->value.lo & 0x7c00) != 0x7c00)
	    || (v->width == 32 && (v->value.lo & 0x7f800000) != 0x7f800000)
	    || (v->width == 64 && (v->value.lo & 0x7ff0000000000000) != 0x7ff0000000000000);
}

static char *scalar(struct emit *e, const char *shape, const struct initial_element *t)
{
	const struct input_value *v = values_find(&e->values, t->name);
	char *text = NULL;
	size_t size;

	if (v && !is_constant(v)) {
		emit_walk(e, shape, t->name, t->lvalue, t->lvalue, 0, false);
		return NULL;
	}
	if (!v)
		return NULL;
	FILE *f = text_stream(&text, &size);
	emit_scalar(e, f, shape, v);
	fclose(f);
	return text;
}

/* The address of an object that is declared later is assigned instead. */
static char *pointer(struct emit *e, const char *shape, const struct initial_element *t)
{
	const struct input_value *v = values_find_f(&e->values, "%s?", t->name);
	const struct test_object *o =
	    v && !plan_functions(e->s->plan, shape_target(shape)) ? objects_of(e, v) : NULL;

	if (!v)
		return NULL;
	if (o
	    && (o < e->objects.v + t->from || o->kind == OBJECT_HEAP || o->kind == OBJECT_STREAM)) {
		emit_walk(e, shape, t->name, t->lvalue, t->lvalue, 0, false);
		return NULL;
	}
	return objects_pointer(e, t->name, shape);
}

static const char *zero_of(const char *shape)
{
	return *shape == '{' || (*shape >= '0' && *shape <= '9') ? "{ 0 }"
	    : *shape == 'p'                                      ? "NULL"
	                                                         : "0";
}

/* "abc" if the characters up to the last nonzero one are text, else NULL. */
static char *text_of(struct emit *e, const char *element, const char *name, uint64_t count)
{
	char *bytes = zeroed(1, count + 1), *text = NULL;
	size_t last = 0, size;
	bool any = false;

	for (uint64_t i = 0; i < count; i++) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", name, i);
		bytes[i] = v ? (char)v->value.lo : 0;
		any |= v != NULL;
		last = bytes[i] ? i + 1 : last;
	}
	bool fits = last < count && strlen(bytes) == last && (last || (any && *element == 'c'));
	for (size_t i = 0; fits && i < last; i++)
		fits = (bytes[i] >= ' ' && bytes[i] < 127) || bytes[i] == '\n' || bytes[i] == '\t';
	if (fits || (last && last < count && count > LISTED)) {
		FILE *f = text_stream(&text, &size);
		value_print_bytes(f, bytes, last);
		fclose(f);
	}
	free(bytes);
	return text;
}

/* Is the array long and mostly zero? */
static bool is_sparse(struct emit *e, const char *name, uint64_t count)
{
	uint64_t n = 0;

	for (uint64_t i = 0; count > LISTED && i < count; i++)
		n += !is_zero(values_find_f(&e->values, "%s[%" PRIu64 "]", name, i));
	return count > LISTED && n < count / 2 && !e->is_old;
}

/* The elements of an array: all of a short one; the nonzero ones of a long one. */
static char *elements(
    struct emit *e, const char *element, uint64_t count, const struct initial_element *t)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);
	bool any = false, sparse = is_sparse(e, t->name, count);

	for (uint64_t i = 0; i < count; i++) {
		char *name = formatted("%s[%" PRIu64 "]", t->name, i),
		     *lvalue = formatted("%s[%" PRIu64 "]", t->lvalue, i);
		const struct input_value *v = values_find(&e->values, name);
		char *value = sparse && strchr("iucbf", *element) && is_zero(v)
		    ? NULL
		    : emit_initial(e, element, name, lvalue, t->from);
		if (!sparse)
			fprintf(f, "%s%s", i ? ", " : "", value ? value : zero_of(element));
		else if (value)
			fprintf(f, "%s[%" PRIu64 "] = %s", any ? ", " : "", i, value);
		any |= value != NULL;
		free(value);
		free(lvalue);
		free(name);
	}
	fclose(f);
	char *list = any ? formatted("{ %s }", text) : NULL;
	free(text);
	return list;
}

static char *array(
    struct emit *e, const char *element, uint64_t count, const struct initial_element *t)
{
	char *text = strchr("iuc", *element) && element[1] == '1'
	    ? text_of(e, element, t->name, count)
	    : NULL;

	return text ? text : elements(e, element, count, t);
}

static char *record(struct emit *e, const char *shape, const struct initial_element *t)
{
	struct shape_field field = { .at = shape };
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);
	const char *comma = "";

	while (shape_next(&field)) {
		char *name = formatted("%s.%.*s", t->name, (int)field.n, field.name);
		char *lvalue = formatted("%s.%.*s", t->lvalue, (int)field.n, field.name),
		     *value = NULL;
		const char *element = strchr(field.shape, ':');
		if (element && strspn(field.shape, "0123456789*") == (size_t)(element - field.shape)
		    && !strncmp(element, ":U1", 3))
			emit_walk(e, field.shape, name, lvalue, t->lvalue, field.offset, false);
		else
			value = emit_initial(e, field.shape, name, lvalue, t->from);
		if (value) {
			fprintf(f, "%s.%.*s = %s", comma, (int)field.n, field.name, value);
			comma = ", ";
		}
		free(value);
		free(lvalue);
		free(name);
	}
	fclose(f);
	char *list = *comma ? formatted("{ %s }", text) : NULL;
	free(text);
	return list;
}

char *emit_initial(
    struct emit *e, const char *shape, const char *name, const char *lvalue, size_t from)
{
	struct initial_element t = { name, lvalue, from };

	if (*shape == '{' && (e->is_old || shape_is_mixed(shape))) { /* C89 has no designators */
		emit_walk(e, shape, name, lvalue, lvalue, 0, false);
		return NULL;
	}
	if (*shape == '{')
		return record(e, shape, &t);
	if (*shape >= '0' && *shape <= '9') {
		const char *element = strchr(shape, ':') + 1;
		if (strncmp(element, "U1", 2))
			return array(e, element, strtoull(shape, NULL, 10), &t);
		emit_walk(e, shape, name, lvalue, lvalue, 0, false);
		return NULL;
	}
	return *shape == 'p' ? pointer(e, shape, &t) : scalar(e, shape, &t);
}

/* ---- declarations */

/* Declarator of a pointer to an element, e.g. "int (*name)[4]" for "int %s[4]". */
static char *pointer_to(const struct test_object *o)
{
	const char *type = object_type(o), *at = strstr(type, "%s");
	bool inner = at && (at[2] == '[' || at[2] == '(');
	char *name = formatted(inner ? "(*%s)" : "*%s", o->name),
	     *text = harness_declare(type, name);

	free(name);
	return text ? text : formatted("void *%s", o->name);
}

static const char *element_shape(const struct test_object *o)
{
	return o->type && *o->type->shape && strcmp(o->type->shape, "U1") ? o->type->shape : NULL;
}

static void fill(struct emit *e, const struct test_object *o)
{
	const char *shape = element_shape(o);
	if (!shape || (strchr("iuc", *shape) && shape[1] == '1')) {
		emit_characters(e, o->pointer, o->name, o->count);
	} else {
		uint64_t count;
		char *each = object_shape(o, shape, &count);
		for (uint64_t i = 0; i < count; i++) {
			char *name = formatted("%s[%" PRIu64 "]", o->pointer, i),
			     *lvalue = object_element(o, i);
			emit_walk(e, each, name, lvalue, lvalue, 0, count > LISTED);
			free(lvalue);
			free(name);
		}
		free(each);
	}
}

static bool is_typed(const struct test_object *o)
{
	return o->type && o->type->count && *o->type->type && !object_is_void(o->type);
}

static void heap(struct emit *e, const struct test_object *o)
{
	char *text = pointer_to(o);

	fprintf(e->declarations, "\t%s = duct_new(", text);
	if (o->length)
		fprintf(e->declarations, "(unsigned long)(%s)", o->length);
	else if (o->count != 1 || !is_typed(o))
		fprintf(e->declarations, "%" PRIu64, o->count);
	if (is_typed(o))
		fprintf(e->declarations, "%ssizeof *%s", o->length || o->count != 1 ? " * " : "",
		    o->name);
	fputs(");\n", e->declarations);
	free(text);
	fill(e, o);
}

static void stream(struct emit *e, const struct test_object *o)
{
	char *text = pointer_to(o), *bytes;
	size_t n;

	bytes = tests_bytes(&e->values, o->pointer, &n);
	fprintf(e->declarations, "\t%s = duct_stream(", text);
	value_print_bytes(e->declarations, bytes, n);
	fprintf(e->declarations, ", %zu);\n", n);
	free(bytes);
	free(text);
}

/* Is the literal plain text of `count` characters including the terminating NUL? */
static bool is_whole_text(const char *literal, uint64_t count)
{
	return literal && *literal == '"' && !strchr(literal, '\\') && strlen(literal) == count + 1;
}

/* Where bits of addresses matter, objects lie as in runs, at multiples of 16. */
static void variable(struct emit *e, const struct test_object *o)
{
	const char *as_in_runs = objects_aligned(e) ? " __attribute__((aligned(16)))" : "";
	struct initial_element t = { o->pointer, o->name, (size_t)(o - e->objects.v) };
	char *name, *text, *value;

	if (o->kind == OBJECT_ARRAY) {
		value = array(e, o->type->shape, o->count, &t);
		name = is_whole_text(value, o->count)
		    ? formatted("%s[]", o->name)
		    : formatted("%s[%" PRIu64 "]", o->name, o->count);
	} else {
		char *input = formatted("%s[0]", o->pointer);
		value = emit_initial(e, o->type->shape, input, o->name, t.from);
		name = copied(o->name);
		free(input);
	}
	text = harness_declare(object_type(o), name);
	fprintf(e->declarations, "\tstatic %s%s%s%s;\n", text ? text : name, as_in_runs,
	    value ? " = " : "", value ? value : "");
	free(value);
	free(text);
	free(name);
}

void emit_objects(struct emit *e)
{
	for (size_t i = e->objects.n; i-- > 0;) {
		const struct test_object *o = &e->objects.v[i];
		if (o->kind == OBJECT_HEAP)
			heap(e, o);
		else if (o->kind == OBJECT_STREAM)
			stream(e, o);
		else if (o->kind != OBJECT_TEXT)
			variable(e, o);
	}
}
