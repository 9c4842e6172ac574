/* shapes: marked shapes (lib/harness/shape.h), and inputs of the plan by name. */
#include "lib/report/shapes.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

const char *shape_skip(const char *s)
{
	int depth = 0;

	for (; *s && (depth || (*s != ';' && *s != '}')); s++)
		depth += (*s == '{') - (*s == '}');
	return s;
}

uint64_t shape_target(const char *s)
{
	const char *at = s + 1 + strspn(s + 1, "0123456789");

	return *s == 'p' && *at == '@' ? strtoull(at + 1, NULL, 10) : 0;
}

static char shape_mark(const char *s)
{
	const char *at = s + 1 + strspn(s + 1, "0123456789");

	return *s == 'p' && *at == '@' ? at[1 + strspn(at + 1, "0123456789")] : 0;
}

bool shape_is_other(const char *s)
{
	return shape_mark(s) == '/';
}

bool shape_next(struct shape_field *f)
{
	char *end;

	if (f->shape)
		f->at = shape_skip(f->shape) + (*shape_skip(f->shape) == ';');
	else
		f->at++;
	if (!*f->at || *f->at == '}') {
		f->at += *f->at == '}';
		return false;
	}
	f->offset = strtoull(f->at, &end, 10);
	f->name = end + 1;
	f->n = strcspn(f->name, "=");
	f->shape = f->name + f->n + 1;
	return true;
}

bool shape_is_mixed(const char *record)
{
	struct shape_field f = { .at = record };
	bool marked = false;
	size_t n = 0;

	while (shape_next(&f)) {
		char mark = shape_mark(f.shape);
		marked |= mark == '|' || mark == '/';
		n++;
	}
	return marked && n > 1;
}

/* The flexible array member, *STRIDE:...; NULL: there is none. */
static const char *open_field(const char *shape, uint64_t *offset)
{
	struct shape_field f = { .at = shape };

	while (*shape == '{' && shape_next(&f))
		if (*f.shape == '*') {
			*offset = f.offset;
			return f.shape;
		}
	return NULL;
}

bool shape_is_open(const char *shape)
{
	uint64_t offset;

	return open_field(shape, &offset) != NULL;
}

char *shape_filled(const char *shape, uint64_t bytes)
{
	uint64_t offset = 0, stride;
	const char *open = open_field(shape, &offset);

	if (!open)
		return copied(shape);
	stride = strtoull(open + 1, NULL, 10);
	return formatted("%.*s%llu%s", (int)(open - shape), shape,
	    (unsigned long long)(bytes > offset && stride ? (bytes - offset) / stride : 0), open);
}

const struct harness_step *plan_type(const struct harness_plan *p, uint64_t k)
{
	for (size_t i = 0; k && i < p->n; i++)
		if (p->step[i].kind == HARNESS_TYPE && strtoull(p->step[i].name, NULL, 10) == k)
			return &p->step[i];
	return NULL;
}

bool plan_hides(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_PARAM && !strcmp(p->step[i].name, name))
			return true;
	return false;
}

const struct harness_step *plan_function(const struct harness_plan *p, uint64_t k, uint64_t n)
{
	const struct harness_step *s = plan_type(p, k);

	for (s = s ? s + 1 : NULL; s && s < p->step + p->n && strchr("hrv", s->kind); s++)
		if (s->kind == HARNESS_FUNCTION && !n--)
			return s;
	return NULL;
}

const struct harness_step *plan_variable(const struct harness_plan *p, uint64_t k, uint64_t n)
{
	const struct harness_step *s = plan_type(p, k);

	if (s && n < (uint64_t)(p->step + p->n - s) - 1 && s[n + 1].kind == HARNESS_VARIABLE)
		return &s[n + 1];
	return NULL;
}

bool plan_functions(const struct harness_plan *p, uint64_t k)
{
	return plan_function(p, k, 0) != NULL;
}

char *plan_stub(const struct harness_plan *p, uint64_t k)
{
	char *name;

	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INPUT && *p->step[i].shape == 'p'
		    && shape_target(p->step[i].shape) == k)
			return copied(p->step[i].name);
	name = formatted("callback%llu", (unsigned long long)k);
	return name;
}

/* Does a rule's name, in which [*] is any index, match this name? */
static bool is_ruled(const char *rule, const char *name)
{
	for (; *rule && *name; rule++, name++) {
		if (rule[0] == '[' && rule[1] == '*' && *name == '[') {
			rule += 2;
			name += strcspn(name, "]");
		} else if (*name == '#' && *rule != '#') {
			name += strspn(name + 1, "0123456789");
			rule--;
		} else if (*rule != *name) {
			return false;
		}
	}
	return !*rule && (!*name || (*name == '#' && !name[1 + strspn(name + 1, "0123456789")]));
}

const struct harness_step *plan_length(const struct harness_plan *p, const char *pointer)
{
	for (size_t i = p->n; i-- > 0;)
		if (p->step[i].kind == HARNESS_RULE
		    && (!strcmp(p->step[i].shape, "exact") || !strcmp(p->step[i].shape, "string"))
		    && is_ruled(p->step[i].name, pointer))
			return &p->step[i];
	return NULL;
}

/* The stub's result, with inputs of this name, NAME(); its arguments follow. */
static const struct harness_step *result_of(
    const struct harness_plan *p, const char *name, size_t n)
{
	const struct harness_step *result = NULL;

	if (n < 2 || strncmp(name + n - 2, "()", 2))
		return NULL;
	for (size_t i = 0; !result && i + 1 < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		char *stub = s->kind == HARNESS_STUB ? copied(s->name)
		    : s->kind == HARNESS_TYPE && s[1].kind == HARNESS_FUNCTION
		    ? plan_stub(p, strtoull(s->name, NULL, 10))
		    : NULL;
		if (stub && strlen(stub) == n - 2 && !strncmp(stub, name, n - 2))
			result = &s[s->kind == HARNESS_STUB ? 1 : 2];
		free(stub);
	}
	return result;
}

/* NAME().N[I]...: how much of the name is NAME().N[I], what the stub writes to an element of the
 * target of its Nth argument, whose shape this is. NULL: it is no such name. */
static const char *argument_shape(const struct harness_plan *p, const char *name, size_t *n)
{
	const char *open = strstr(name, "()"), *dot = open ? strchr(open, '.') : NULL;
	const struct harness_step *s = NULL;
	size_t digits = dot ? strspn(dot + 1, "0123456789") : 0;

	if (!digits || strcspn(name, "[.") < (size_t)(dot - name))
		return NULL;
	for (s = result_of(p, name, (size_t)(open + 2 - name));
	    s && (++s)->kind == HARNESS_ARGUMENT;)
		if (strlen(s->name) == digits && !strncmp(s->name, dot + 1, digits)) {
			dot += 1 + digits;
			dot += *dot == '#' ? 1 + strspn(dot + 1, "0123456789") : 0;
			*n = (size_t)(dot - name) + (*dot == '[' ? strcspn(dot, "]") + 1 : 0);
			return s->shape;
		}
	return NULL;
}

/* The shape of the input named by the first n characters, ignoring the number of a call. */
static const char *root_shape(const struct harness_plan *p, const char *name, size_t n)
{
	static const char inputs[] = { HARNESS_INPUT, HARNESS_PASSED, HARNESS_RETURNED, 0 };
	const char *number = memchr(name, '#', n);
	const struct harness_step *s;

	n = number ? (size_t)(number - name) : n;
	for (size_t i = 0; i < p->n; i++)
		if (strchr(inputs, p->step[i].kind) && !strncmp(p->step[i].name, name, n)
		    && !p->step[i].name[n])
			return p->step[i].shape;
	s = result_of(p, name, n);
	return s ? s->shape : NULL;
}

/* The shape of the field that the n characters at *name begin with; moves *name behind it. Fields
 * of an object that may be one of several structures have names of several words. */
static const char *field_shape(const char *shape, const char **name, size_t n)
{
	struct shape_field f = { .at = shape };

	while (shape_next(&f))
		if (f.n <= n && !strncmp(f.name, *name, f.n)
		    && (f.n == n || strchr("[.?", (*name)[f.n]))) {
			*name += f.n;
			return f.shape;
		}
	return NULL;
}

const char *plan_shape(const struct harness_plan *p, const char *name, size_t n)
{
	const char *end = name + n, *at = name + strcspn(name, "[.?"), *shape;

	size_t root = 0;

	if (at > end)
		at = end;
	if ((shape = argument_shape(p, name, &root)))
		at = name + root;
	else
		shape = root_shape(p, name, (size_t)(at - name));
	while (shape && at < end) {
		if (*at++ == '.') {
			shape = *shape == '{' ? field_shape(shape, &at, (size_t)(end - at)) : NULL;
			continue;
		}
		if (*shape == 'p') {
			const struct harness_step *type = plan_type(p, shape_target(shape));
			shape = type ? type->shape : NULL;
		} else {
			shape = strchr(shape, ':') ? strchr(shape, ':') + 1 : NULL;
		}
		at += strcspn(at, "[.?");
	}
	return shape;
}
