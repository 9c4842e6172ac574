/* assign: statements that assign inputs to objects, and comparisons with what a call left in
 * them. */
#include "lib/report/emit.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* Longer arrays show only nonzero elements; longer byte arrays are written as strings. */
enum { PLAIN_ELEMENTS = 16, TEXT_ELEMENTS = 64 };

char *emit_input(const struct emit *e, const char *name)
{
	return e->turn > 1 ? formatted("%s#%" PRIu64, name, e->turn) : copied(name);
}

static bool is_zero(const struct input_value *v)
{
	return !v || (!v->value.lo && !v->value.hi);
}

static void bytes_of(const struct input_value *v, char *to, uint64_t size)
{
	for (uint64_t i = 0; i < size && i < 16; i++)
		to[i] = v ? (char)((i < 8 ? v->value.lo : v->value.hi) >> i % 8 * 8) : 0;
}

/* ---- values after the call */

static struct wrote *listed(struct emit *e, char *lvalue)
{
	struct wrote *w = PUSH(e->wrote, e->wrotes);

	w->lvalue = lvalue;
	return w;
}

/* Notes `size` bytes that the call left at address `lvalue`. */
static void left_bytes(struct emit *e, char *lvalue, const char *bytes, uint64_t size)
{
	struct wrote *w = listed(e, lvalue);
	FILE *f = text_stream(&w->value, &w->size);

	value_print_bytes(f, bytes, size);
	fclose(f);
	w->size = size;
}

static void left_value(struct emit *e, const char *lvalue, const char *shape, uint64_t size,
    const struct input_value *v)
{
	char bytes[16], kind = *shape;

	if (size > 8) {
		bytes_of(v, bytes, size);
		left_bytes(e, formatted("&%s", lvalue), bytes, kind == 'f' ? 10 : size);
		return;
	}
	struct wrote *w = listed(e, copied(lvalue));
	FILE *f = text_stream(&w->value, &w->size);
	tests_value(f, e->s, shape, v);
	fclose(f);
	w->size = 0;
	w->is_float = kind == 'f';
}

/* Compares a pointer with NULL or the object it was left pointing to. */
static void left_pointer(struct emit *e, const char *name, const char *lvalue)
{
	const struct input_value *v = values_find_f(&e->values, "%s?", name);
	const struct test_object *o = v && v->value.lo > 1 ? objects_of(e, v) : NULL;

	if (!v || (v->value.lo && (!o || o->kind == OBJECT_TEXT)))
		return;
	char *first = o ? object_address(o) : copied("NULL"),
	     *address =
	         o && o->before ? formatted("(%s + %" PRIu64 ")", first, o->before) : copied(first);
	struct wrote *w = listed(e, formatted("%s == %s%s", lvalue, o ? "(void *)" : "", address));
	free(first);
	w->value = copied("1");
	free(address);
}

/* Is the byte part of an address, after the call? */
static bool is_of_address(struct emit *e, const char *name, uint64_t i)
{
	return values_find_f(&e->values, "%s[%" PRIu64 "]?", name, i);
}

/* Collects known bytes name[i], ... below `count` in `bytes`; advances *i past them; [*first,
 * *end): those that changed. False when none did. */
static bool known_characters(struct emit *e, const char *name, uint64_t count, char *bytes,
    uint64_t *i, uint64_t *first, uint64_t *end)
{
	for (*first = count, *end = 0; *i < count; ++*i) {
		const struct input_value *v =
		    values_find_f(&e->values, "%s[%" PRIu64 "]", name, *i);
		if (v) {
			*first = *first < *i ? *first : *i;
			*end = *i + 1;
		} else if (!e->watched && !e->copies && !is_of_address(e, name, *i)) {
			v = values_find_f(
			    (struct values *)(uintptr_t)e->left, "%s[%" PRIu64 "]", name, *i);
		} else if (*end) {
			break;
		}
		bytes[*i] = v ? (char)v->value.lo : 0;
	}
	return *end;
}

/* Notes the changed bytes among name[0 .. count-1], and those between them that are known, at
 * `base` + `offset`. */
static void left_characters(
    struct emit *e, const char *name, const char *base, uint64_t offset, uint64_t count)
{
	char *bytes = zeroed(1, count + 1);
	uint64_t first, end;

	for (uint64_t i = 0;
	    i < count && known_characters(e, name, count, bytes, &i, &first, &end);) {
		if (first + offset)
			left_bytes(e,
			    formatted("(const char *)%s + %" PRIu64, base, first + offset),
			    bytes + first, end - first);
		else
			left_bytes(e, copied(base), bytes, end);
	}
	free(bytes);
}

/* ---- assignments of inputs */

void emit_scalar(struct emit *e, FILE *f, const char *shape, const struct input_value *v)
{
	if (v)
		tests_value(f, e->s, shape, v);
	else
		tests_zero(f, e->s, shape);
}

/* lvalue = value; by bytes where C has no suitable lvalue or constant. */
static void assign(struct emit *e, const char *lvalue, const char *shape, uint64_t size,
    const struct input_value *v)
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
	emit_scalar(e, e->f, shape, v);
	fputs(";\n", e->f);
}

static void assign_pointer(struct emit *e, const char *shape, const char *name, const char *lvalue)
{
	const struct input_value *v = values_find_f(&e->values, "%s?", name);

	if (!v || (!v->value.lo && (!e->global || shape_is_other(shape))))
		return;
	char *address = objects_pointer(e, name, shape);
	fprintf(e->f, "\t%s%s = %s;\n", e->is_const ? "*(void **)&" : "", lvalue, address);
	free(address);
}

static void leaf(struct emit *e, const char *shape, const char *name, const char *lvalue,
    uint64_t size, bool brief)
{
	const struct input_value *v;

	if (*shape == 'p') {
		(e->left ? left_pointer(e, name, lvalue) : assign_pointer(e, shape, name, lvalue));
		return;
	}
	v = values_find(&e->values, name);
	if (e->left) {
		if (v)
			left_value(e, lvalue, shape, size, v);
		return;
	}
	if ((!v && !e->global) || (brief && is_zero(v) && !e->global))
		return;
	assign(e, lvalue, shape, size, v);
}

void emit_characters(struct emit *e, const char *name, const char *lvalue, uint64_t count)
{
	if (e->left) {
		left_characters(e, name, lvalue, 0, count);
		return;
	}
	char *bytes = zeroed(1, count + 1);
	uint64_t last = 0, met = objects_met(&e->input, name);

	for (uint64_t i = 0; i < count && i < met; i++) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", name, i);
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

/* `count` bytes of a union or of bit-fields, at `offset` in `base`, from inputs name[0], ... */
static void raw_bytes(struct emit *e, const char *name, const char *lvalue, const char *base,
    uint64_t offset, uint64_t count)
{
	if (e->left) {
		char *address = formatted("&%s", base);
		left_characters(e, name, address, offset, count);
		free(address);
		return;
	}
	char *bytes = zeroed(1, count + 1);
	bool any = e->global;

	for (uint64_t i = 0; i < count; i++) {
		const struct input_value *v = values_find_f(&e->values, "%s[%" PRIu64 "]", name, i);
		bytes[i] = v ? (char)v->value.lo : 0;
		any |= bytes[i] != 0;
	}
	if (any) {
		fprintf(e->f, "\tduct_put((char *)&%s + %" PRIu64 ", ", base, offset);
		value_print_bytes(e->f, bytes, count);
		fprintf(e->f, ", %" PRIu64 ");  /* %s */\n", count, lvalue);
	}
	free(bytes);
}

static const char *walk_array(struct emit *e, const char *s, const char *name, const char *lvalue,
    const char *base, uint64_t offset)
{
	char *end;
	uint64_t count = strtoull(s, &end, 10);
	const char *element = strchr(end, ':') + 1;

	if (!strncmp(element, "U1", 2)) {
		raw_bytes(e, name, lvalue, base, offset, count);
	} else if (!strncmp(element, "c1", 2)
	    || (count > TEXT_ELEMENTS && !strncmp(element + 1, "1", 2))) {
		emit_characters(e, name, lvalue, count);
	} else {
		for (uint64_t i = 0; i < count; i++) {
			char *input = formatted("%s[%" PRIu64 "]", name, i),
			     *inner = formatted("%s[%" PRIu64 "]", lvalue, i);
			emit_walk(e, element, input, inner, inner, 0, count > PLAIN_ELEMENTS);
			free(inner);
			free(input);
		}
	}
	return shape_skip(element);
}

static const char *walk_record(
    struct emit *e, const char *s, const char *name, const char *lvalue, bool brief)
{
	struct shape_field field = { .at = s };

	while (shape_next(&field)) {
		char *input = formatted("%s.%.*s", name, (int)field.n, field.name);
		char *inner = formatted("%s.%.*s", lvalue, (int)field.n, field.name);
		emit_walk(e, field.shape, input, inner, lvalue, field.offset, brief);
		free(inner);
		free(input);
	}
	return field.at;
}

const char *emit_walk(struct emit *e, const char *s, const char *name, const char *lvalue,
    const char *base, uint64_t offset, bool brief)
{
	char *end;

	if ((*s >= '0' && *s <= '9') || *s == '*')
		return walk_array(e, s, name, lvalue, base, offset);
	if (*s == '{')
		return walk_record(e, s, name, lvalue, brief);
	leaf(e, s, name, lvalue, strtoull(s + 1, &end, 10), brief);
	return shape_skip(end);
}
