/* build: makes a plan from the flow records of an entry function. */
#include "lib/base/grow.h"
#include "lib/harness/inner.h"
#include "lib/harness/options.h"
#include "lib/harness/shape.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS_MAX = 100000 };

/* Numbers types in the order of their first use, so that plans do not depend on the flow's type
 * ids. */
static size_t number_of(uint32_t **list, size_t *n, uint32_t type)
{
	size_t i = 0;

	while (i < *n && (*list)[i] != type)
		i++;
	if (i == *n) {
		*PUSH(*list, *n) = type;
	}
	return i + 1;
}

/* Replaces type ids in a shape by the plan's numbers. watched: a global that is only observed; the
 * targets of its pointers are not described. */
static char *renumbered(struct build *b, const char *shape, bool watched)
{
	char *text = NULL, *end;
	size_t size;
	FILE *f = text_stream(&text, &size);

	while (*shape)
		if (*shape == '#' || *shape == '@') {
			uint32_t type = (uint32_t)strtoul(shape + 1, &end, 10);
			if (*shape == '#')
				fprintf(f, "#%zu", number_of(&b->enums, &b->n_enums, type));
			else if (!watched)
				fprintf(f, "@%zu", number_of(&b->pointees, &b->n_pointees, type));
			shape = end;
		} else {
			putc(*shape++, f);
		}
	fclose(f);
	return text;
}

static void enum_steps(struct build *b)
{
	for (size_t i = 0; i < b->n_enums; i++) {
		const struct flow_type *t = harness_type(b->u, b->enums[i]);
		char *names = NULL;
		size_t size;
		FILE *f = text_stream(&names, &size);
		for (size_t k = 0; k < t->enumerators; k++)
			fprintf(f, "%s%s=%lld", k ? ";" : "", t->enumerator[k].name,
			    (long long)t->enumerator[k].value);
		fclose(f);
		harness_step(b, HARNESS_ENUM, names, t->text, "", 0);
		free(names);
	}
}

void harness_step(struct build *b, char kind, const char *name, const char *type, const char *shape,
    uint64_t count)
{
	struct harness_plan *p = b->plan;

	if (p->n >= STEPS_MAX) {
		b->full = true;
		return;
	}
	char *own = shape && strchr("eiwyrkv", kind) ? renumbered(b, shape, kind == HARNESS_WATCH)
	                                             : copied(shape ? shape : "");
	*PUSH(p->step, p->n) =
	    (struct harness_step){ kind, copied(name), copied(type ? type : ""), own, count };
}

void harness_object(struct build *b, const char *name, uint32_t type, bool by_value)
{
	const struct flow_type *t = harness_type(b->u, type);
	char *shape;

	if (!t || strchr("veo", t->kind)) {
		harness_limit(b, "zero", name, 0);
		return;
	}
	if (harness_shape_fixes(b->u, type, 0))
		harness_limit(b, "members", name, 0);
	shape = by_value ? harness_shape_marked(b->u, type, 0) : harness_shape_padded(b->u, type);
	harness_step(b, HARNESS_INPUT, name, "", shape, 0);
	free(shape);
}

char *harness_local_type(const struct build *b, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);
	const struct flow_type *target = t && t->kind == 'p' ? harness_type(b->u, t->of) : NULL;
	char *text = copied(t ? t->text : "int %s"), *at;

	if (t && t->kind == 'p') {
		if ((at = strstr(text, "*const %s")))
			memmove(at + 1, at + 7, strlen(at + 7) + 1);
		if (target && (target->kind == 'p' || target->kind == 'e'))
			return text; /* const belongs to the target's type */
	}
	while ((at = strstr(text, "const ")) && (at == text || at[-1] == ' '))
		memmove(at, at + 6, strlen(at + 6) + 1);
	return text;
}

static bool globals(struct build *b, char **error)
{
	for (const char *const *g = b->o->global; g && *g; g++) {
		const struct flow_var *v = harness_global(b->u, *g);
		if (!v) {
			const char *near = suggest_global(b->u, *g);
			*error = near
			    ? formatted("no global variable '%s'; did you mean '%s'", *g, near)
			    : formatted("no global variable '%s' that the program defines", *g);
			return false;
		}
		harness_step(b, HARNESS_GLOBAL, *g, "", "", 0);
		harness_object(b, *g, v->type, false);
	}
	return true;
}

/* Does the user state that the pointer may lead to the object of another one? */
static bool may_alias(const struct build *b, const char *name)
{
	size_t n = strlen(name);

	for (const char *const *s = b->o->may_alias; s && *s; s++)
		for (const char *at = *s; *at; at += strcspn(at, ","), at += *at == ',')
			if (strcspn(at, ",") == n && !strncmp(at, name, n))
				return true;
	return false;
}

/* `T *restrict p`: no other pointer in use leads to its object. Two that only read may be equal all
 * the same (C11 6.7.3.1 p4), so that a pointer to const is not distinct by itself. */
static void note_restrict(struct build *b, const char *name, const struct flow_var *v)
{
	const struct flow_type *t = harness_type(b->u, v->type);
	const char *star = t ? strchr(t->text, '*') : NULL;

	if (!v->is_restrict || !star || (!strncmp(t->text, "const ", 6) && !strchr(star + 1, '*'))
	    || may_alias(b, name))
		return;
	harness_step(b, HARNESS_RULE, name, "0", "restrict", 0);
	fprintf(b->narrow, "%s: a distinct object (restrict)\n", name);
}

uint32_t harness_taken_for(const struct build *b, const char *what, uint32_t type)
{
	const struct flow_type *t = harness_type(b->u, type);
	const struct flow_type *target = t && t->kind == 'p' ? harness_type(b->u, t->of) : NULL;
	size_t head = strlen(what);

	if (!target || target->kind != 'v')
		return type;
	for (const char *at = b->u->casts; at && *at; at = strchr(at, '\n') + 1) {
		size_t n = strcspn(at, "\n");
		if (strncmp(at, what, head) || at[head] != ' ')
			continue;
		n -= head + 1;
		for (uint32_t k = 1; k <= b->u->types; k++) {
			const char *text = b->u->type[k - 1].text;
			if (b->u->type[k - 1].kind == 'p' && !strncmp(text, at + head + 1, n)
			    && !text[n])
				return k;
		}
	}
	return type;
}

/* Adds the parameters with pointers, or those without. Scalars come first: rules for pointers may
 * depend on them. */
static void parameters(struct build *b, const struct flow_func *f, bool pointers)
{
	for (size_t i = 0; i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		if (harness_holds_pointer(b->u, v->type, 0) != pointers)
			continue;
		char *name = *v->name ? copied(v->name) : formatted("arg%zu", i + 1);
		note_restrict(b, name, v);
		char *number = formatted("%zu", i + 1);
		harness_object(b, name, harness_taken_for(b, number, v->type), true);
		free(number);
		free(name);
	}
}

/* Declares the parameters in the order of the call. */
static void declarations(struct build *b, const struct flow_func *f)
{
	for (size_t i = 0; i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		char *name = *v->name ? copied(v->name) : formatted("arg%zu", i + 1),
		     *type = harness_local_type(b, v->type);
		harness_step(b, HARNESS_PARAM, name, type, "", 0);
		free(type);
		free(name);
	}
}

/* Can a caller declare what it passes? Not for a structure without a name, or one that the
 * parameters declare. */
static bool are_declarable(struct build *b, const struct flow_func *f, char **error)
{
	for (size_t i = 0; i < f->params && !*error; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		const struct flow_type *t = harness_type(b->u, v->type);
		if (t && !*t->text)
			*error = formatted("no caller can name the type of '%s'", v->name);
	}
	return !*error;
}

static void closing_words(struct build *b, const struct flow_func *f)
{
	if (f->is_variadic)
		harness_limit(b, "variadic", f->name, 0);
}

/* Notes that the entry's file also defines main: tests include that file and have a main of their
 * own. */
static void note_main(struct build *b)
{
	for (size_t i = 0; i < b->u->funcs; i++) {
		const struct flow_func *f = &b->u->func[i];
		const struct flow_type *t = harness_type(b->u, f->type);
		if (!strcmp(f->name, "main") && t && !f->is_harness)
			harness_step(b, HARNESS_MAIN, "main", t->text, "", f->params);
	}
}

static bool is_defined(const struct flow *flow, const char *name)
{
	for (size_t i = 0; i < flow->units; i++)
		for (size_t k = 0; k < flow->unit[i].funcs; k++) {
			const struct flow_func *f = &flow->unit[i].func[k];
			if (!f->is_inline && !f->is_static && !f->is_harness
			    && !strcmp(f->name, name))
				return true;
		}
	return false;
}

/* Notes functions of the entry's file that the program may call and that have only an inline
 * definition: without another one, linking fails if the compiler does not inline them. */
static void note_inlines(struct build *b)
{
	bool **reached = flow_reachable(b->flow, b->o->entry);
	size_t unit = (size_t)(b->u - b->flow->unit);

	for (size_t i = 0; i < b->u->funcs; i++) {
		const struct flow_func *f = &b->u->func[i];
		if (f->is_inline && (!reached || reached[unit][i]) && !is_defined(b->flow, f->name))
			harness_step(b, HARNESS_INLINE, f->name, "", "", 0);
	}
	flow_marks_free(b->flow, reached);
}

static bool fill(struct build *b, char **error)
{
	const struct flow_func *f = flow_find(b->flow, b->o->entry, &b->u);
	const struct flow_type *result, *type;

	if (!f) {
		const char *near = suggest_function(b->flow, b->o->entry);
		*error = near ? formatted("no function '%s'; did you mean '%s'", b->o->entry, near)
		              : formatted("no function '%s'", b->o->entry);
		return false;
	}
	type = harness_type(b->u, f->type);
	result = type ? harness_type(b->u, type->of) : NULL;
	char *kind = result && result->enumerators ? formatted("%c#%u", result->kind, type->of)
	                                           : formatted("%c", result ? result->kind : 'v');
	harness_step(b, HARNESS_ENTRY, f->name, result ? result->text : "void %s", kind,
	    (f->is_static ? 1 : 0) | (f->is_variadic ? 2 : 0));
	free(kind);
	note_main(b);
	if (!harness_stubs(b, error) || !harness_inits(b, error))
		return false;
	if (!are_declarable(b, f, error))
		return false;
	harness_externs(b);
	harness_machine(b);
	declarations(b, f);
	parameters(b, f, false);
	if (!harness_rules(b, error) || !globals(b, error))
		return false;
	harness_extern_inputs(b);
	harness_states(b);
	parameters(b, f, true);
	if (!harness_assumes(b, error))
		return false;
	harness_watches(b);
	harness_others(b);
	harness_types(b);
	enum_steps(b);
	closing_words(b, f);
	note_inlines(b);
	harness_step(b, HARNESS_CALL, f->name, "", "", 0);
	return true;
}

/* For the entry `main` no harness is needed: the plan consists of this fact. */
static bool is_program(struct build *b, char **error)
{
	if (strcmp(b->o->entry, "main") || !flow_find(b->flow, "main", &b->u))
		return false;
	const char *const *lists[] = { b->o->global, b->o->init, b->o->assume, b->o->range };
	static const char *const words[] = { "--global", "--init", "--assume", "--range" };
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
		if (lists[i] && *lists[i]) {
			*error = formatted("%s needs an entry other than main", words[i]);
			return false;
		}
	harness_step(b, HARNESS_ENTRY, "main", "int %s", "i", 4);
	note_main(b);
	if (!harness_stubs(b, error))
		return false;
	harness_externs(b);
	harness_machine(b);
	harness_extern_inputs(b);
	harness_types(b);
	enum_steps(b);
	note_inlines(b);
	harness_step(b, HARNESS_CALL, "main", "", "", 0);
	return true;
}

struct harness_plan *harness_plan(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error)
{
	size_t size;
	struct build b = { .flow = f, .o = o };

	*error = *narrowing = NULL;
	b.plan = zeroed(1, sizeof *b.plan);
	b.narrow = text_stream(narrowing, &size);
	bool ok = is_program(&b, error) || (!*error && fill(&b, error));
	if (ok)
		harness_tell_limits(&b);
	fclose(b.narrow);
	free(b.enums);
	free(b.pointees);
	if (ok)
		return b.plan;
	harness_plan_free(b.plan);
	free(*narrowing);
	*narrowing = NULL;
	return NULL;
}
