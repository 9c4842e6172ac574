/* objects: objects that a run created for pointers. Input P? selects the target of P (0: NULL, 1: a
 * new object, k + 2: that of the k-th pointer of this test), P.bytes is the used size of a new
 * object, P.freed: the call freed it. */
#include "lib/report/emit.h"
#include "lib/protocol/abi.h"
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
	TEXT_MOST = 4096, /* longer texts are not written as literals */
	HIDDEN = 64       /* bytes, all 0, of a type that nothing completes, as in runs */
};

/* ---- collection */

bool object_is_void(const struct harness_step *type)
{
	return !strncmp(type->type, "void ", 5) && !strchr(type->type, '*');
}

/* Several structures at the same place, one of which is the pointer's (lib/harness/derived.c). */
static bool is_overlay(const struct test_object *o)
{
	return o->type && !strncmp(o->type->type, "union { unsigned char bytes_", 28);
}

/* The type without const, so that every object can be assigned to. */
const char *object_type(const struct test_object *o)
{
	const char *type = o->type && *o->type->type ? o->type->type : "char %s";

	type = o->type && object_is_void(o->type) ? "char %s" : type;
	return strncmp(type, "const ", 6) || strchr(type, '*') ? type : type + 6;
}

static bool is_choice(const struct input_value *v, size_t *n)
{
	*n = strlen(v->name);
	return v->kind == INPUT_CHOICE && *n && v->name[--*n] == '?';
}

uint64_t objects_met(const struct input *in, const char *pointer)
{
	size_t n = strlen(pointer);
	uint64_t most = 0;

	for (size_t i = 0; i < in->n; i++)
		if (!strncmp(in->v[i].name, pointer, n) && in->v[i].name[n] == '['
		    && isdigit((unsigned char)in->v[i].name[n + 1])) {
			uint64_t k = strtoull(in->v[i].name + n + 1, NULL, 10) + 1;
			most = k > most ? k : most;
		}
	return most;
}

static bool is_bytes(const struct harness_step *type)
{
	return !type || !*type->type || object_is_void(type);
}

static bool is_character(const struct test_object *o)
{
	return o->type && strchr("iuc", *o->type->shape) && o->type->shape[1] == '1'
	    && !strncmp(o->type->type, "const char ", 11);
}

/* Elements that an object has at most here. A store may come from anyone, and tell any number. */
enum { MOST = 1 << 30 };

static uint64_t bounded(uint64_t count)
{
	return count < MOST ? count : MOST;
}

/* A number of elements that the run tells of a pointer; 0: it does not. */
static uint64_t told(struct emit *e, const char *pointer, const char *what)
{
	const struct input_value *v = values_find_f(&e->values, "%s%s", pointer, what);

	return v ? bounded(v->value.lo) : 0;
}

static void set_size(struct emit *e, struct test_object *o)
{
	const struct harness_step *asked = plan_length(e->s->plan, o->pointer);
	const struct input_value *bytes = values_find_f(&e->values, "%s.bytes", o->pointer);
	uint64_t size = o->type && o->type->count ? o->type->count : 1,
	         met = objects_met(&e->input, o->pointer);
	char *end;

	o->count = bytes ? bytes->value.lo / size + (bytes->value.lo % size != 0) : met;
	if (asked) {
		o->count = strtoull(asked->type, &end, 10) + !strcmp(asked->shape, "string");
		if (*end)
			o->length = copied(asked->type);
	}
	o->before = told(e, o->pointer, ".before");
	o->ahead = o->before + told(e, o->pointer, "-");
	o->count += bytes ? o->before : 0;
	o->count = bounded(o->count > met ? o->count : met);
	o->count = o->count > o->ahead ? o->count : o->ahead + 1;
	if (o->type && !o->type->count && strcmp(o->type->shape, "S"))
		o->count = HIDDEN;
	if (!o->count && !asked)
		o->count = 1;
}

static void set_kind(struct emit *e, struct test_object *o)
{
	const struct input_value *freed = values_find_f(&e->values, "%s.freed", o->pointer);

	if (o->type && !strcmp(o->type->shape, "S"))
		o->kind = OBJECT_STREAM;
	else if (is_bytes(o->type) || !o->type->count || o->length || !o->count || is_overlay(o)
	    || shape_is_open(o->type->shape) || (freed && freed->value.lo))
		o->kind = OBJECT_HEAP;
	else if (o->count > 1 || *o->type->shape != '{')
		o->kind = OBJECT_ARRAY;
	else
		o->kind = OBJECT_ONE;
}

static struct test_object *add_object(struct emit *e, const char *pointer, size_t n, uint64_t k)
{
	struct test_objects *all = &e->objects;
	struct test_object *o;

	o = PUSH(all->v, all->n);
	*o = (struct test_object){
		.pointer = copied_part(pointer, n), .target = k, .type = plan_type(e->s->plan, k)
	};
	set_size(e, o);
	set_kind(e, o);
	return o;
}

/* ---- their names */

static bool is_taken(const struct emit *e, const char *name)
{
	const struct harness_plan *p = e->s->plan;

	for (size_t i = 0; i < e->objects.n; i++)
		if (e->objects.v[i].name && !strcmp(e->objects.v[i].name, name))
			return true;
	for (size_t i = 0; i < p->n; i++) {
		const char *at =
		    p->step[i].kind == HARNESS_ENUM ? strstr(p->step[i].name, name) : NULL;
		size_t n = strlen(name);
		if (!strcmp(p->step[i].name, name)
		    || (at && (at == p->step[i].name || at[-1] == ';') && at[n] == '='))
			return true;
	}
	return false;
}

/* The last word of a type: node for "struct node %s", node_t for "node_t %s". */
static char *tag(const char *type)
{
	const char *end = strstr(type, "%s"), *begin;

	while (end && end > type && !isalnum((unsigned char)end[-1]) && end[-1] != '_')
		end--;
	for (begin = end;
	    begin && begin > type && (isalnum((unsigned char)begin[-1]) || begin[-1] == '_');)
		begin--;
	if (!begin || begin == end)
		return copied("object");
	if (end - begin > 2 && !strncmp(end - 2, "_t", 2))
		end -= 2;
	return copied_part(begin, (size_t)(end - begin));
}

static const struct test_object *made_for(const struct emit *e, const char *pointer, size_t n)
{
	for (size_t i = 0; i < e->objects.n; i++)
		if (!strncmp(e->objects.v[i].pointer, pointer, n) && !e->objects.v[i].pointer[n])
			return &e->objects.v[i];
	return NULL;
}

/* The object's name before numbers make it unique: from its type, from the field that points to it,
 * or from the array that contains the pointer and the index. */
static char *base_name(const struct emit *e, const struct test_object *o)
{
	const char *dot = strrchr(o->pointer, '.'), *open = strrchr(o->pointer, '[');
	const struct test_object *owner =
	    open ? made_for(e, o->pointer, (size_t)(open - o->pointer)) : NULL;

	if (o->kind == OBJECT_ONE
	    || (o->kind == OBJECT_HEAP && o->type && *o->type->shape == '{' && o->count == 1))
		return tag(o->type->type);
	if (open && (!dot || open > dot) && owner && owner->kind != OBJECT_ONE && owner->name)
		return formatted("%s_%.*s", owner->name, (int)strcspn(open + 1, "]"), open + 1);
	if (dot && (!open || dot > open))
		return copied(dot + 1);
	return copied_part(o->pointer, strcspn(o->pointer, "[.#("));
}

static bool is_parameter(const struct emit *e, const char *name)
{
	for (size_t i = 0; i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_PARAM
		    && !strcmp(e->s->plan->step[i].name, name))
			return true;
	return false;
}

/* Can the object be declared as the parameter itself? Not with assumptions or several calls, where
 * parameters are separate variables. */
static bool stands_for_parameter(const struct emit *e, const struct test_object *o)
{
	if (e->calls > 1 || o->ahead || o->kind == OBJECT_ONE || is_overlay(o)
	    || !is_parameter(e, o->pointer))
		return false;
	for (size_t i = 0; i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_ASSUME)
			return false;
	return true;
}

static void set_name(struct emit *e, struct test_object *o)
{
	char *base;
	bool indexed;

	if ((o->is_parameter = stands_for_parameter(e, o))) {
		o->name = copied(o->pointer);
		return;
	}
	base = base_name(e, o);
	indexed = isdigit((unsigned char)base[strlen(base) - 1]);
	char *name = indexed ? copied(base) : formatted("%s1", base);
	for (unsigned i = indexed ? 1 : 2; is_taken(e, name); i++) {
		free(name);
		name = formatted(indexed ? "%s_%u" : "%s%u", base, i);
	}
	free(base);
	o->name = name;
}

/* ---- string literals */

static bool is_shared(struct emit *e, const struct test_object *o)
{
	size_t n;

	for (size_t i = 0; i < e->input.n; i++) {
		const struct input_value *v = &e->input.v[i];
		if (is_choice(v, &n) && v->value.lo > 1 && objects_of(e, v) == o)
			return true;
	}
	return false;
}

bool objects_aligned(const struct emit *e)
{
	for (size_t i = 0; i < e->s->v->limits; i++)
		if (!strcmp(e->s->v->limit[i].kind, "address"))
			return true;
	return false;
}

/* Makes the object a literal: constant characters with a terminating NUL that no other pointer
 * refers to. */
static void set_literal(struct emit *e, struct test_object *o)
{
	char *bytes, *text = NULL;
	size_t n, size;

	if (o->kind != OBJECT_ARRAY || o->ahead || o->is_parameter || !is_character(o)
	    || o->count > TEXT_MOST || is_shared(e, o) || objects_aligned(e))
		return;
	bytes = zeroed(1, o->count + 1);
	for (uint64_t i = 0; i < o->count; i++) {
		const struct input_value *v =
		    values_find_f(&e->values, "%s[%" PRIu64 "]", o->pointer, i);
		bytes[i] = v ? (char)v->value.lo : 0;
	}
	n = strlen(bytes);
	if (n + 1 == o->count) {
		FILE *f = text_stream(&text, &size);
		value_print_bytes(f, bytes, n);
		fclose(f);
		free(o->name);
		o->name = text;
		o->kind = OBJECT_TEXT;
	}
	free(bytes);
}

/* ---- calls */

static bool is_root(const struct emit *e, const char *name)
{
	for (size_t i = 0; i < e->s->plan->n; i++)
		if (e->s->plan->step[i].kind == HARNESS_INPUT
		    && !strcmp(e->s->plan->step[i].name, name))
			return true;
	return false;
}

/* Number of calls of the entry; root inputs of later calls are named x#2, x#3, ... */
static uint64_t count_calls(const struct emit *e)
{
	const struct input_value *told =
	    values_find((struct values *)(uintptr_t)&e->values, ".calls");
	uint64_t calls = told ? told->value.lo : 1;

	for (size_t i = 0; i < e->input.n; i++) {
		const char *name = e->input.v[i].name;
		size_t n = strcspn(name, "[.?#");
		char *root = copied_part(name, n);
		uint64_t k =
		    name[n] == '#' && is_root(e, root) ? strtoull(name + n + 1, NULL, 10) : 0;
		calls = k > calls ? k : calls;
		free(root);
	}
	return calls;
}

/* A pointer to type k: has it an object of its own? */
static void meet_pointer(
    struct emit *e, const struct input_value *v, size_t n, uint64_t k, uint64_t *number)
{
	const struct harness_step *type = plan_type(e->s->plan, k);
	struct test_object *o = v->value.lo == 1 ? add_object(e, v->name, n, k) : NULL;

	if (type && (!type->count || !strcmp(type->shape, "S")))
		return;
	if (o)
		o->number = *number;
	++*number;
}

/* Is it a global that the tests define? */
static bool is_extern(const struct emit *e, const char *name)
{
	char *root = copied_part(name, strcspn(name, "[.?#"));
	bool is = harness_extern(e->s->plan, root);

	free(root);
	return is;
}

void objects_open(struct emit *e)
{
	uint64_t number = 2;
	size_t n;

	e->calls = count_calls(e);
	e->turn = 1;
	for (size_t i = 0; i < e->input.n; i++) {
		const struct input_value *v = &e->input.v[i];
		const char *end = v->kind == INPUT_OBJECT ? strstr(v->name, ".bytes") : NULL;
		if (end && !end[6] && !is_extern(e, v->name)
		    && !made_for(e, v->name, (size_t)(end - v->name)))
			add_object(e, v->name, (size_t)(end - v->name), 0);
		const char *shape = is_choice(v, &n) && values_find(&e->values, v->name)
		    ? plan_shape(e->s->plan, v->name, n)
		    : NULL;
		if (shape && *shape == 'p' && strchr(shape, '@')
		    && !plan_functions(e->s->plan, shape_target(shape)))
			meet_pointer(e, v, n, shape_target(shape), &number);
	}
	for (size_t i = 0; i < e->objects.n; i++)
		set_name(e, &e->objects.v[i]);
	for (size_t i = 0; i < e->objects.n; i++)
		set_literal(e, &e->objects.v[i]);
}

void objects_close(struct emit *e)
{
	for (size_t i = 0; i < e->objects.n; i++) {
		free(e->objects.v[i].pointer);
		free(e->objects.v[i].name);
		free(e->objects.v[i].length);
	}
	free(e->objects.v);
}

const struct test_object *objects_of(const struct emit *e, const struct input_value *choice)
{
	uint64_t k = choice->value.lo;

	if (k == 1)
		return made_for(e, choice->name, strlen(choice->name) - 1);
	for (size_t i = 0; k > 1 && i < e->objects.n; i++)
		if (e->objects.v[i].number == k)
			return &e->objects.v[i];
	return NULL;
}

char *object_shape(const struct test_object *o, const char *shape, uint64_t *elements)
{
	bool open = o->type && shape_is_open(shape);

	*elements = open ? 1 : o->count;
	return open ? shape_filled(shape, o->count * o->type->count) : copied(shape);
}

char *object_element(const struct test_object *o, uint64_t i)
{
	return o->kind == OBJECT_ONE ? copied(o->name) : formatted("%s[%" PRIu64 "]", o->name, i);
}

char *object_address(const struct test_object *o)
{
	return formatted(o->kind == OBJECT_ONE ? "&%s" : "%s", o->name);
}

static char *function_pointer(struct emit *e, uint64_t k, uint64_t choice)
{
	const struct harness_step *f = choice > 1 ? plan_function(e->s->plan, k, choice - 1) : NULL;

	if (choice == 1)
		return stub_name(e, k);
	return !f                             ? copied("NULL")
	    : plan_hides(e->s->plan, f->name) ? formatted("duct_hidden_%s", f->name)
	                                      : copied(f->name);
}

/* The address of element n, in elements of the pointer's type, which may differ from the object's.
 */
static char *element_address(
    const struct emit *e, const struct test_object *o, const char *address, uint64_t k, uint64_t n)
{
	uint64_t own = plan_type(e->s->plan, k)->count;

	if (!o->type || o->type->count == own)
		return formatted(
		    o->target != k ? "(%s + %" PRIu64 ")" : "%s + %" PRIu64, address, n);
	return formatted("((char *)%s + %" PRIu64 ")", address, n * own);
}

/* The address of a variable of the program; NULL: the choice is no such. The caller frees it. */
static char *variable_pointer(struct emit *e, const char *name, uint64_t k, uint64_t choice)
{
	const struct harness_step *v = choice <= DUCT_CHOICE_VARIABLE
	    ? plan_variable(e->s->plan, k, DUCT_CHOICE_VARIABLE - choice)
	    : NULL;
	const struct input_value *element = values_find_f(&e->values, "%s+", name);
	uint64_t bytes = element ? element->value.lo * plan_type(e->s->plan, k)->count : 0;

	if (!v)
		return NULL;
	const char *to = plan_hides(e->s->plan, v->name) ? "duct_hidden_" : "&";
	return bytes ? formatted("(void *)((char *)%s%s + %" PRIu64 ")", to, v->name, bytes)
	             : formatted("(void *)%s%s", to, v->name);
}

char *objects_pointer(struct emit *e, const char *name, const char *shape)
{
	const struct input_value *v = values_find_f(&e->values, "%s?", name);
	uint64_t k = shape_target(shape);

	if (!v)
		return copied("NULL");
	const struct input_value *number = values_find_f(&e->values, "%s=", name);
	if (v->value.lo == DUCT_CHOICE_NUMBER)
		return formatted("(void *)%" PRIu64 "u", number ? number->value.lo : 0);
	if (plan_functions(e->s->plan, k))
		return function_pointer(e, k, v->value.lo);
	const struct test_object *o = objects_of(e, v);
	char *variable = variable_pointer(e, name, k, v->value.lo);
	if (variable)
		return variable;
	const struct input_value *element = values_find_f(&e->values, "%s+", name);
	char *address = o ? object_address(o) : copied("NULL");
	uint64_t before = !o ? 0 : v->value.lo == 1 ? o->ahead : o->before;
	if (before) {
		char *sum = formatted("%s + %" PRIu64, address, before);
		free(address);
		address = sum;
	}
	if (o && v->value.lo > 1 && element && element->value.lo) {
		char *sum = element_address(e, o, address, k, element->value.lo);
		free(address);
		address = sum;
	}
	if (o && (o->target != k || is_overlay(o))) {
		char *cast =
		    formatted(strchr(address, ' ') ? "(void *)(%s)" : "(void *)%s", address);
		free(address);
		return cast;
	}
	return address;
}
