/* build: makes a plan from the flow records of an entry function. */
#include "lib/grow/grow.h"
#include "lib/harness/inner.h"
#include "lib/harness/options.h"
#include "lib/harness/shape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000, LEVELS = 2, LEVELS_MAX = 30, TEXT = 8 };

static void chase(struct build *b, const char *lvalue, uint32_t type, int level);

char *
harness_format(const char *fmt, ...)
{
	char *s;
	va_list ap;

	va_start(ap, fmt);
	if (vasprintf(&s, fmt, ap) < 0)
		s = NULL;
	va_end(ap);
	return s;
}

/* The place of a type among the enumerations of the plan, so that numbers of types do not matter. */
static size_t
enum_number(struct build *b, uint32_t type)
{
	size_t i = 0;

	while (i < b->n_enums && b->enums[i] != type)
		i++;
	if (i == b->n_enums) {
		b->enums = realloc(b->enums, (i + 1) * sizeof *b->enums);
		if (!b->enums)
			abort();
		b->enums[b->n_enums++] = type;
	}
	return i + 1;
}

static char *
renumbered(struct build *b, const char *shape)
{
	char *text = NULL, *end;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	while (*shape)
		if (*shape == '#') {
			fprintf(f, "#%zu", enum_number(b, (uint32_t)strtoul(shape + 1, &end, 10)));
			shape = end;
		} else {
			putc(*shape++, f);
		}
	fclose(f);
	return text;
}

static void
enum_steps(struct build *b)
{
	for (size_t i = 0; i < b->n_enums; i++) {
		const struct flow_type *t = harness_type(b->u, b->enums[i]);
		char *names = NULL;
		size_t size;
		FILE *f = open_memstream(&names, &size);
		for (size_t k = 0; k < t->enumerators; k++)
			fprintf(f, "%s%s=%lld", k ? ";" : "", t->enumerator[k].name, (long long)t->enumerator[k].value);
		fclose(f);
		harness_step(b, HARNESS_ENUM, names, t->text, "", 0);
		free(names);
	}
}

void
harness_step(struct build *b, char kind, const char *name, const char *type, const char *shape, uint64_t count)
{
	struct harness_plan *p = b->plan;

	if (p->n >= STEPS_MAX) {
		b->full = true;
		return;
	}
	if ((p->n & (p->n + 1)) == 0)
		p->step = realloc(p->step, (2 * p->n + 2) * sizeof *p->step);
	p->step[p->n++] = (struct harness_step){ kind, strdup(name), strdup(type ? type : ""),
	                                         shape && strchr("eiw", kind) ? renumbered(b, shape) : strdup(shape ? shape : ""),
	                                         count };
}

/* Inputs at lvalue: an object of the type (count 0), or what a pointer points to. */
static void
input(struct build *b, const char *lvalue, uint32_t type, uint64_t count, bool is_const)
{
	char *shape = harness_shape_marked(b->u, type, count);

	harness_step(b, HARNESS_INPUT, lvalue, "", shape, (is_const ? 1 : 0) | (count ? 2 : 0));
	free(shape);
}

/* A line on what narrows the inputs; deep inside structures they only repeat themselves. */
static void __attribute__((format(printf, 3, 4)))
narrow(struct build *b, int level, const char *fmt, ...)
{
	va_list ap;

	if (level > 1)
		return;
	va_start(ap, fmt);
	vfprintf(b->narrow, fmt, ap);
	va_end(ap);
}

static void
limit(struct build *b, int level, const char *kind, const char *lvalue, uint64_t value)
{
	if (level <= 1)
		harness_limit(b, kind, lvalue, value);
}

static bool
is_char(const struct flow_type *t)
{
	return t && t->kind == 'c';
}

/* "const char *%s": what is pointed to cannot be assigned to as it stands. */
static bool
points_to_const(const struct flow_type *t, const struct flow_type *target)
{
	if (target && target->kind == 'p')
		return strstr(t->text, "*const *") != NULL;
	return strstr(t->text, "const ") != NULL;
}

/* A new object for the pointer lvalue of pointer type t, and what is in it. */
static void
new_object(struct build *b, const char *lvalue, const struct flow_type *t, int level)
{
	const struct flow_type *target = harness_type(b->u, t->of);
	uint64_t n = 1, len;
	bool string = false, exact = false, is_const = points_to_const(t, target) && (!b->local || strcmp(lvalue, b->local));

	if (option_number(b->o->string, lvalue, &len)) {
		string = true;
		n = len + 1;
	} else if (option_number(b->o->len, lvalue, &len)) {
		n = len;
		exact = true;
	} else if (is_char(target)) {
		string = true;
		n = TEXT + 1;
		len = TEXT;
	}
	if (string)
		limit(b, level, "string", lvalue, n - 1);
	else if (!exact)
		limit(b, level, "elements", lvalue, n);
	else
		narrow(b, level, "%s: %llu %s%s\n", lvalue, (unsigned long long)n,
		       target && target->kind != 'v' ? "element" : "byte", n == 1 ? "" : "s");
	harness_step(b, HARNESS_NEW, lvalue, target && target->kind != 'v' ? "*" : "", "", n);
	if (!n)
		return;
	input(b, lvalue, t->of, n, is_const);
	if (string)
		harness_step(b, HARNESS_END, lvalue, is_const ? "const" : "", "", n);
	for (uint64_t i = 0; i < n && !b->full && harness_holds_pointer(b->u, t->of, 0); i++) {
		char *element = harness_format("%s[%llu]", lvalue, (unsigned long long)i);
		chase(b, element, t->of, level + 1);
		free(element);
	}
}

/* Why no object can be made for a pointer, or NULL. */
static const char *
no_target(const struct build *b, const struct flow_type *t)
{
	const struct flow_type *target = harness_type(b->u, t->of);

	if (!target || target->kind == 'v')
		return NULL;
	if (target->kind == 'e')
		return "NULL, a pointer to a function";
	if (!target->size)
		return "NULL, a pointer to an incomplete type";
	return NULL;
}

/* What the pointer may be equal to, of what is there already. */
static char **
aliases(const struct build *b, const char *lvalue, uint64_t *n)
{
	char **same = NULL, *other;
	size_t cap = 0;

	for (*n = 0; (other = option_alias(b->o->may_alias, b->plan, lvalue, *n)); same[(*n)++] = other)
		same = grow(same, &cap, (size_t)*n + 1, sizeof *same);
	return same;
}

static void
point(struct build *b, const char *lvalue, const struct flow_type *t, int level)
{
	const char *why = no_target(b, t);
	bool null = level > 0 || option_named(b->o->null, lvalue);
	char **same = NULL;
	uint64_t cases = null, n = 0;

	if (why || level > b->depth) {
		if (why)
			limit(b, level, "zero", lvalue, 0);
		else
			b->cut = true;
		harness_step(b, HARNESS_NULL, lvalue, "", "", 0);
		return;
	}
	if (!null && !option_number(b->o->len, lvalue, &n))
		limit(b, level, "null", lvalue, 0);
	same = aliases(b, lvalue, &n);
	cases += 1 + n;
	if (cases == 1) {
		free(same);
		new_object(b, lvalue, t, level);
		return;
	}
	/* The value 0, which inputs that nobody set have, is NULL below the parameters and
	 * an object of its own for them. */
	harness_step(b, HARNESS_CHOOSE, lvalue, "", "", cases);
	for (int turn = 0; turn < 2; turn++) {
		if (null && (turn == 0) == (level > 0)) {
			harness_step(b, HARNESS_CASE, lvalue, "", "", 0);
			harness_step(b, HARNESS_NULL, lvalue, "", "", 0);
		}
		if (turn == 0) {
			harness_step(b, HARNESS_CASE, lvalue, "", "", 0);
			new_object(b, lvalue, t, level);
			for (uint64_t i = 0; i < n; i++) {
				harness_step(b, HARNESS_CASE, lvalue, "", "", 0);
				harness_step(b, HARNESS_SAME, lvalue, "", same[i], 0);
				free(same[i]);
			}
		}
	}
	harness_step(b, HARNESS_CLOSE, lvalue, "", "", 0);
	free(same);
}

/* Gives every pointer inside the object at lvalue something to point to. */
static void
chase(struct build *b, const char *lvalue, uint32_t type, int level)
{
	const struct flow_type *t = harness_type(b->u, type);

	if (!t || b->full || !harness_holds_pointer(b->u, type, 0))
		return;
	if (t->kind == 'p') {
		point(b, lvalue, t, level);
	} else if (t->kind == 'n') {
		harness_limit(b, "zero", lvalue, 0);
	} else if (t->kind == 'a') {
		for (uint64_t i = 0; i < t->count && !b->full; i++) {
			char *element = harness_format("%s[%llu]", lvalue, (unsigned long long)i);
			chase(b, element, t->of, level);
			free(element);
		}
	} else {
		for (size_t i = 0; i < t->members; i++) {
			const struct flow_member *m = &t->member[i];
			char *name = *m->name ? harness_format("%s.%s", lvalue, m->name) : strdup(lvalue);
			chase(b, name, m->type, level);
			free(name);
		}
	}
}

static void
object(struct build *b, const char *name, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);

	if (t && t->kind == 'p') {
		point(b, name, t, 0);
		return;
	}
	if (t && t->kind == 'n' && harness_holds_pointer(b->u, type, 0)) {
		harness_limit(b, "zero", name, 0);
		return;
	}
	if (!t || strchr("veo", t->kind)) {
		harness_limit(b, "zero", name, 0);
		return;
	}
	input(b, name, type, 0, false);
	chase(b, name, type, 1);
}

/* A parameter's declarator as that of a local that can be assigned to: without the const
 * of its own, and without that of what it points to, which its own type does not need. */
static char *
local_type(const struct build *b, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);
	const struct flow_type *target = t && t->kind == 'p' ? harness_type(b->u, t->of) : NULL;
	char *text = strdup(t ? t->text : "int %s"), *at;

	if (t && t->kind == 'p') {
		if ((at = strstr(text, "*const %s")))
			memmove(at + 1, at + 7, strlen(at + 7) + 1);
		if (target && target->kind == 'p')
			return text;
	}
	while ((at = strstr(text, "const ")) && (at == text || at[-1] == ' '))
		memmove(at, at + 6, strlen(at + 6) + 1);
	return text;
}

static const struct flow_var *
find_global(struct build *b, const char *name)
{
	for (size_t i = 0; i < b->u->vars; i++)
		if (b->u->var[i].kind == 'g' && !strcmp(b->u->var[i].name, name))
			return &b->u->var[i];
	return NULL;
}

static bool
globals(struct build *b, char **error)
{
	for (const char *const *g = b->o->global; g && *g; g++) {
		const struct flow_var *v = find_global(b, *g);
		if (!v) {
			const char *near = suggest_global(b->u, *g);
			*error = near ? harness_format("no global variable '%s'; did you mean '%s'", *g, near)
			              : harness_format("no global variable '%s'", *g);
			return false;
		}
		harness_step(b, HARNESS_GLOBAL, *g, "", "", 0);
		object(b, *g, v->type);
	}
	return true;
}

static void
parameters(struct build *b, const struct flow_func *f)
{
	size_t pointers = 0;

	for (size_t i = 0; i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		const struct flow_type *t = harness_type(b->u, v->type);
		char *name = *v->name ? strdup(v->name) : harness_format("arg%zu", i + 1);
		char *type = local_type(b, v->type);
		harness_step(b, HARNESS_PARAM, name, type, "", 0);
		b->local = name;
		object(b, name, v->type);
		b->local = NULL;
		pointers += t && t->kind == 'p' && !strstr(t->text, "restrict");
		free(type);
		free(name);
	}
	for (const char *const *d = b->o->distinct; d && *d; d++)
		fprintf(b->narrow, "%s: distinct objects\n", *d);
	if (pointers > 1 && !(b->o->distinct && *b->o->distinct))
		harness_limit(b, "alias", "", 0);
}

static void
closing_words(struct build *b, const struct flow_func *f)
{
	if (b->cut)
		harness_limit(b, "depth", "", (uint64_t)b->depth);
	if (f->is_variadic)
		harness_limit(b, "variadic", "", 0);
}

static bool
unknown_names(const struct build *b, char **error)
{
	char *bad = option_unused(b->o, b->plan);

	if (bad)
		*error = harness_format("no pointer '%s' among the inputs", bad);
	free(bad);
	return !*error;
}

/* Tests include the entry's file and have a main of their own. */
static void
note_main(struct build *b)
{
	for (size_t i = 0; i < b->u->funcs; i++) {
		const struct flow_func *f = &b->u->func[i];
		const struct flow_type *t = harness_type(b->u, f->type);
		if (!strcmp(f->name, "main") && t && !f->is_harness)
			harness_step(b, HARNESS_MAIN, "main", t->text, "", f->params);
	}
}

static bool
fill(struct build *b, char **error)
{
	const struct flow_func *f = flow_find(b->flow, b->o->entry, &b->u);
	const struct flow_type *result, *type;

	if (!f) {
		const char *near = suggest_function(b->flow, b->o->entry);
		*error = near ? harness_format("no function '%s'; did you mean '%s'", b->o->entry, near)
		              : harness_format("no function '%s'", b->o->entry);
		return false;
	}
	type = harness_type(b->u, f->type);
	result = type ? harness_type(b->u, type->of) : NULL;
	char *kind = result && result->enumerators ? harness_format("%c#%u", result->kind, type->of)
	                                           : harness_format("%c", result ? result->kind : 'v');
	harness_step(b, HARNESS_ENTRY, f->name, result ? result->text : "void %s", kind,
	     (f->is_static ? 1 : 0) | (f->is_variadic ? 2 : 0));
	free(kind);
	note_main(b);
	if (!harness_stubs(b, error) || !harness_inits(b, error) || !globals(b, error))
		return false;
	parameters(b, f);
	if (!harness_assumes(b, error))
		return false;
	harness_watches(b);
	enum_steps(b);
	closing_words(b, f);
	harness_step(b, HARNESS_CALL, f->name, "", "", 0);
	if (b->depth < 0 || b->depth > LEVELS_MAX)
		*error = harness_format("structures of %d pointers: at most %d", b->depth, LEVELS_MAX);
	else if (b->full)
		*error = harness_format("the inputs of '%s' are too large: choose smaller lengths", b->o->entry);
	return !*error && unknown_names(b, error);
}

/* An entry `main` needs no harness: the plan only says so. */
static bool
is_program(struct build *b, char **error)
{
	if (strcmp(b->o->entry, "main") || !flow_find(b->flow, "main", &b->u))
		return false;
	const char *const *lists[] = { b->o->global, b->o->init, b->o->assume, b->o->range, b->o->stub };
	static const char *const words[] = { "--global", "--init", "--assume", "--range", "--stub" };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i] && *lists[i]) {
			*error = harness_format("%s needs an entry other than main", words[i]);
			return false;
		}
	harness_step(b, HARNESS_ENTRY, "main", "int %s", "i", 4);
	note_main(b);
	harness_step(b, HARNESS_CALL, "main", "", "", 0);
	return true;
}

struct harness_plan *
harness_plan(const struct flow *f, const struct harness_options *o, char **narrowing, char **error)
{
	size_t size;
	struct build b = { .flow = f, .o = o, .depth = o->depth ? o->depth : LEVELS };

	*error = *narrowing = NULL;
	b.plan = calloc(1, sizeof *b.plan);
	b.narrow = open_memstream(narrowing, &size);
	if (!b.plan || !b.narrow)
		abort();
	bool ok = is_program(&b, error) || (!*error && fill(&b, error));
	if (ok)
		harness_tell_limits(&b);
	fclose(b.narrow);
	free(b.enums);
	if (ok)
		return b.plan;
	harness_plan_free(b.plan);
	free(*narrowing);
	*narrowing = NULL;
	return NULL;
}
