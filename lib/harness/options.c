/* options: what was asked for a pointer. Names are compared with p->q read as p[0].q. */
#include "lib/harness/options.h"

#include <stdlib.h>
#include <string.h>

#include "lib/words/words.h"

/* Does the name of n bytes at s say lvalue? */
static bool
same_name(const char *s, size_t n, const char *lvalue)
{
	const char *end = s + n;

	while (s < end) {
		if (end - s >= 2 && s[0] == '-' && s[1] == '>') {
			if (strncmp(lvalue, "[0].", 4))
				return false;
			s += 2;
			lvalue += 4;
		} else if (*s++ != *lvalue++) {
			return false;
		}
	}
	return !*lvalue;
}

bool
option_number(const char *const *list, const char *lvalue, uint64_t *n)
{
	bool found = false;

	for (; list && *list; list++) {
		const char *eq = strrchr(*list, '=');
		char *end;
		if (!eq || !same_name(*list, (size_t)(eq - *list), lvalue))
			continue;
		*n = strtoull(eq + 1, &end, 10);
		found = end != eq + 1 && !*end;
	}
	return found;
}

bool
option_named(const char *const *list, const char *lvalue)
{
	for (; list && *list; list++)
		if (same_name(*list, strlen(*list), lvalue))
			return true;
	return false;
}

static bool
plan_has(const struct harness_plan *p, const char *name, size_t n)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		if (strchr("nc0", s->kind) && same_name(name, n, s->name))
			return true;
	}
	return false;
}

static bool
in_group(const char *group, const char *lvalue)
{
	for (const char *s = group, *end; s; s = *end ? end + 1 : NULL) {
		end = strchrnul(s, ',');
		if (same_name(s, (size_t)(end - s), lvalue))
			return true;
	}
	return false;
}

char *
option_alias(const char *const *list, const struct harness_plan *p, const char *lvalue, uint64_t i)
{
	for (; list && *list; list++)
		for (const char *s = in_group(*list, lvalue) ? *list : NULL, *end; s; s = *end ? end + 1 : NULL) {
			end = strchrnul(s, ',');
			if (!same_name(s, (size_t)(end - s), lvalue) && plan_has(p, s, (size_t)(end - s)) && !i--)
				return strndup(s, (size_t)(end - s));
		}
	return NULL;
}

static char *
unused(const char *const *list, const struct harness_plan *p, bool number)
{
	for (; list && *list; list++) {
		const char *s = *list, *eq = number ? strrchr(s, '=') : NULL, *end;
		char *tail = NULL;
		if (number && (!eq || !eq[1] || (strtoull(eq + 1, &tail, 10), *tail) || eq[1] == '-'))
			return strdup(*list);
		for (; s && *s; s = *end == ',' ? end + 1 : NULL) {
			end = number ? eq : strchrnul(s, ',');
			if (!plan_has(p, s, (size_t)(end - s)))
				return strndup(s, (size_t)(end - s));
		}
	}
	return NULL;
}

char *
option_unused(const struct harness_options *o, const struct harness_plan *p)
{
	char *bad = unused(o->len, p, true);

	if (!bad)
		bad = unused(o->string, p, true);
	if (!bad)
		bad = unused(o->null, p, false);
	return bad ? bad : unused(o->may_alias, p, false);
}

const char *
suggest_function(const struct flow *f, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < f->units; i++)
		for (size_t j = 0; j < f->unit[i].funcs; j++)
			if (!f->unit[i].func[j].in_system)
				words_consider(&near, f->unit[i].func[j].name);
	return near.found;
}

const char *
suggest_extern(const struct flow *f, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < f->units; i++)
		for (size_t j = 0; j < f->unit[i].exts; j++)
			words_consider(&near, f->unit[i].ext[j].name);
	return near.found;
}

const char *
suggest_global(const struct flow_unit *u, const char *name)
{
	struct words_search near = words_search(name);

	for (size_t i = 0; i < u->vars; i++)
		if (u->var[i].kind == 'g')
			words_consider(&near, u->var[i].name);
	return near.found;
}
