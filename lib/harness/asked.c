/* asked: functions that are called first, assumptions, ranges and stubs as steps of a plan. */
#include "lib/harness/inner.h"
#include "lib/harness/options.h"
#include "lib/harness/shape.h"

#include <stdlib.h>
#include <string.h>

/* ---- stubs */

/* The type of a function that some unit calls and none but the harness defines; 0: there is none. */
static uint32_t
type_of_extern(struct build *b, const char *name, const struct flow_unit **unit)
{
	for (size_t i = 0; i < b->flow->units; i++) {
		const struct flow_unit *u = *unit = &b->flow->unit[i];
		for (size_t k = 0; k < u->exts; k++)
			if (!strcmp(u->ext[k].name, name) && u->ext[k].type)
				return u->ext[k].type;
		for (size_t k = 0; k < u->funcs; k++)
			if (!strcmp(u->func[k].name, name) && u->func[k].is_harness)
				return u->func[k].type;
	}
	return 0;
}

static bool
has_stub(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++)
		if (b->plan->step[i].kind == HARNESS_STUB && !strcmp(b->plan->step[i].name, name))
			return true;
	return false;
}

static bool
stub(struct build *b, const char *name, char **error)
{
	const struct flow_unit *u;
	const struct flow_func *f = flow_find(b->flow, name, &u);
	const struct flow_type *type, *result;

	if (f && !f->is_harness) {
		*error = harness_format("stub of '%s': %s:%u defines it, and only what is defined elsewhere can be a stub", name,
		                f->pos.file ? u->file[f->pos.file - 1] : u->name, f->pos.line);
		return false;
	}
	type = harness_type(u, type_of_extern(b, name, &u));
	if (!type) {
		const char *near = suggest_extern(b->flow, name);
		*error = near ? harness_format("no function '%s' is called; did you mean '%s'", name, near)
		              : harness_format("no function '%s' is called", name);
		return false;
	}
	result = harness_type(u, type->of);
	bool none = !result || result->kind == 'v', pointer = result && harness_holds_pointer(u, type->of, 0);
	char *shape = none || pointer ? NULL : harness_shape(u, type->of);
	harness_step(b, HARNESS_STUB, name, type->text, "", 0);
	harness_step(b, HARNESS_RESULT, name, result ? result->text : "void %s", none ? "v" : pointer ? "p" : shape, 0);
	fprintf(b->narrow, "%s: a stub%s\n", name, none || pointer ? "" : " that returns any value");
	if (strchr(strchrnul(type->text, '('), '*'))
		harness_limit(b, "stub", name, 0);
	if (pointer) {
		char *call = harness_format("%s()", name);
		harness_limit(b, "zero", call, 0);
		free(call);
	}
	free(shape);
	return true;
}

bool
harness_stubs(struct build *b, char **error)
{
	for (const char *const *s = b->o->stub; s && *s; s++)
		if (!has_stub(b, *s) && !stub(b, *s, error))
			return false;
	return true;
}

/* ---- functions that are called first */

static bool
init(struct build *b, const char *name, char **error)
{
	const struct flow_unit *u = NULL;
	const struct flow_func *f = flow_find(b->flow, name, &u);
	const char *near = f ? NULL : suggest_function(b->flow, name);
	const struct flow_type *t = f ? harness_type(u, f->type) : NULL;

	if (!f)
		*error = near ? harness_format("no function '%s' to call first; did you mean '%s'", name, near)
		              : harness_format("no function '%s' to call first", name);
	else if (f->params)
		*error = harness_format("'%s' takes parameters: only a function without can be called first", name);
	else if (f->is_static && u != b->u)
		*error = harness_format("'%s' is static in another file than the entry", name);
	if (*error)
		return false;
	harness_step(b, HARNESS_INIT, name, u == b->u || !t ? "" : t->text, "", 0);
	fprintf(b->narrow, "%s() is called first\n", name);
	return true;
}

bool
harness_inits(struct build *b, char **error)
{
	for (const char *const *s = b->o->init; s && *s; s++)
		if (!init(b, *s, error))
			return false;
	return true;
}

/* ---- assumptions */

static char *
one_line(const char *text)
{
	char *line = strdup(text);

	for (char *s = line; *s; s++)
		if (*s == '\n' || *s == '\t')
			*s = ' ';
	return line;
}

static void
tell(struct build *b, const char *what, const char *place)
{
	fprintf(b->narrow, "%s%s%s%s\n", what, *place ? " (" : "", place, *place ? ")" : "");
}

/* "@FILE:LINE EXPR" or an expression alone: the expression; *place is the caller's. */
static const char *
split_place(const char *s, char **place)
{
	size_t n = strcspn(s, " ");

	*place = *s == '@' ? strndup(s + 1, n - 1) : strdup("");
	return *s == '@' ? s + n + (s[n] == ' ') : s;
}

/* Elements of what a pointer input or an array is called so. */
static uint64_t
elements(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (s->kind == HARNESS_INPUT && !strcmp(s->name, name) && strchr(s->shape, '*'))
			return strtoull(s->shape, NULL, 10);
	}
	return 0;
}

static void
between(struct build *b, const char *name, const char *low, const char *high, const char *words, const char *place)
{
	char *text = *low && *high ? harness_format("%s >= %s && %s <= %s", name, low, name, high)
	           : *low ? harness_format("%s >= %s", name, low) : harness_format("%s <= %s", name, high);

	harness_step(b, HARNESS_ASSUME, text, words, place, 0);
	free(text);
}

/* NAME=LOW..HIGH; NAME[*] stands for every element. */
static bool
range(struct build *b, const char *given, const char *place, char **error)
{
	char *text = one_line(given);
	const char *eq = strchr(text, '='), *dots = eq ? strstr(eq, "..") : NULL;
	uint64_t n = 1;

	if (!dots || eq == text || (dots == eq + 1 && !dots[2])) {
		*error = harness_format("range '%s': it is NAME=LOW..HIGH", text);
		free(text);
		return false;
	}
	char *name = strndup(text, (size_t)(eq - text)), *low = strndup(eq + 1, (size_t)(dots - eq - 1));
	char *all = strstr(name, "[*]");
	if (all && !all[3]) {
		*all = 0;
		n = elements(b, name);
		if (!n)
			*error = harness_format("range '%s': '%s' is no array among the inputs", text, name);
	}
	for (uint64_t i = 0; !*error && i < n; i++) {
		char *element = all ? harness_format("%s[%llu]", name, (unsigned long long)i) : strdup(name);
		between(b, element, low, dots + 2, i ? "" : text, place);
		free(element);
	}
	if (!*error)
		tell(b, text, place);
	free(name);
	free(low);
	free(text);
	return !*error;
}

bool
harness_assumes(struct build *b, char **error)
{
	char *place;

	for (const char *const *s = b->o->range; s && *s && !*error; s++) {
		const char *text = split_place(*s, &place);
		range(b, text, place, error);
		free(place);
	}
	for (const char *const *s = b->o->assume; s && *s && !*error; s++) {
		char *text = one_line(split_place(*s, &place));
		if (!*text)
			*error = harness_format("an empty assumption");
		harness_step(b, HARNESS_ASSUME, text, text, place, 0);
		tell(b, text, place);
		free(text);
		free(place);
	}
	return !*error;
}
