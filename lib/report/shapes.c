/* shapes: marked shapes (lib/harness/shape.h), and inputs of the plan by name. */
#include "lib/report/shapes.h"

#include <stdlib.h>
#include <string.h>

const char *
shape_skip(const char *s)
{
	int depth = 0;

	for (; *s && (depth || (*s != ';' && *s != '}')); s++)
		depth += (*s == '{') - (*s == '}');
	return s;
}

uint64_t
shape_target(const char *s)
{
	const char *at = s + 1 + strspn(s + 1, "0123456789");

	return *s == 'p' && *at == '@' ? strtoull(at + 1, NULL, 10) : 0;
}

bool
shape_next(struct shape_field *f)
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

const struct harness_step *
plan_type(const struct harness_plan *p, uint64_t k)
{
	for (size_t i = 0; k && i < p->n; i++)
		if (p->step[i].kind == HARNESS_TYPE && strtoull(p->step[i].name, NULL, 10) == k)
			return &p->step[i];
	return NULL;
}

static bool
is_candidate(const struct harness_step *s, uint64_t k)
{
	return s->kind == HARNESS_FUNCTION && strtoull(s->shape, NULL, 10) == k;
}

bool
plan_functions(const struct harness_plan *p, uint64_t k)
{
	for (size_t i = 0; k && i < p->n; i++)
		if (is_candidate(&p->step[i], k))
			return true;
	return false;
}

const struct harness_step *
plan_function(const struct harness_plan *p, uint64_t k, uint64_t n)
{
	for (size_t i = 0; i < p->n; i++)
		if (is_candidate(&p->step[i], k) && *p->step[i].name && !n--)
			return &p->step[i];
	return NULL;
}

const struct harness_step *
plan_length(const struct harness_plan *p, const char *pointer)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_LENGTH && !strcmp(p->step[i].name, pointer))
			return &p->step[i];
	return NULL;
}

/* The shape of the input whose name the first n characters are, without the number of a call. */
static const char *
root_shape(const struct harness_plan *p, const char *name, size_t n)
{
	const char *number = memchr(name, '#', n);

	n = number ? (size_t)(number - name) : n;
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		if (s->kind == HARNESS_INPUT && !strncmp(s->name, name, n) && !s->name[n])
			return s->shape;
		if (s->kind == HARNESS_RESULT && !strncmp(s->name, name, strlen(s->name)) && n == strlen(s->name) + 2
		    && !strncmp(name + n - 2, "()", 2))
			return s->shape;
	}
	return NULL;
}

static const char *
field_shape(const char *shape, const char *name, size_t n)
{
	struct shape_field f = { .at = shape };

	while (shape_next(&f))
		if (f.n == n && !strncmp(f.name, name, n))
			return f.shape;
	return NULL;
}

const char *
plan_shape(const struct harness_plan *p, const char *name, size_t n)
{
	const char *end = name + n, *at = name + strcspn(name, "[.?"), *shape;

	if (at > end)
		at = end;
	shape = root_shape(p, name, (size_t)(at - name));
	while (shape && at < end) {
		size_t word = 1 + strcspn(at + 1, "[.?");
		if (*at == '.') {
			shape = *shape == '{' ? field_shape(shape, at + 1, word - 1) : NULL;
		} else if (*shape == 'p') {
			const struct harness_step *type = plan_type(p, shape_target(shape));
			shape = type ? type->shape : NULL;
		} else {
			shape = strchr(shape, ':') ? strchr(shape, ':') + 1 : NULL;
		}
		at += word;
	}
	return shape;
}
