/* others: calls of functions of the entry's file, such as setters, and writes to globals by other
 * files, which may happen before the entry is called and change variables that it depends on. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { SCALAR = 8, RETURNED = 256 }; /* bytes, at most */

static bool is_simple(const struct flow_type *t)
{
	return t && strchr("iucbfp", t->kind) && t->size && t->size <= SCALAR;
}

static bool can_be_passed(const struct build *b, const struct flow_func *f)
{
	for (size_t i = 0; i < f->params; i++)
		if (!is_simple(harness_type(b->u, b->u->var[f->param[i] - 1].type)))
			return false;
	return true;
}

/* The function returns the address of a variable that belongs to the state: of a number, or of an
 * array of numbers. */
static void returned(struct build *b, const struct flow_func *f, const struct flow_var *v)
{
	const struct flow_type *call = harness_type(b->u, f->type),
	                       *result = call ? harness_type(b->u, call->of) : NULL,
	                       *t = harness_type(b->u, v->type);
	bool array = t && t->kind == 'a';

	if (!result || result->kind != 'p' || !t || t->size > RETURNED
	    || result->of != (array ? t->of : v->type) || !strncmp(result->text, "const ", 6)
	    || harness_holds_pointer(b->u, v->type, 0) || harness_shape_fixes(b->u, v->type, 0))
		return;
	char *name = formatted("%s_return", f->name),
	     *shape = harness_shape_marked(b->u, v->type, 0);
	harness_step(b, HARNESS_RETURNED, name, result->text, shape, t->size);
	free(shape);
	free(name);
}

/* The global or static local that a function uses under a name; NULL if there are several. */
static const struct flow_var *seen(
    const struct flow_unit *u, const struct flow_func *f, const char *name)
{
	const struct flow_var *found = NULL;

	for (size_t i = 0; i < u->vars; i++) {
		const struct flow_var *v = &u->var[i];
		if (strcmp(v->name, name)
		    || !(v->kind == 'g' || (v->kind == 's' && &u->func[v->func - 1] == f)))
			continue;
		if (found)
			return NULL;
		found = v;
	}
	return found;
}

static void other(struct build *b, const struct flow_func *f, const char *variable)
{
	const struct flow_var *var = variable ? seen(b->u, f, variable) : NULL;

	harness_step(b, HARNESS_OTHER, f->name, "", "", 0);
	for (size_t i = 0; i < f->params; i++) {
		const struct flow_var *v = &b->u->var[f->param[i] - 1];
		char *name = *v->name ? formatted("%s_%s", f->name, v->name)
		                      : formatted("%s_%zu", f->name, i + 1),
		     *type = harness_local_type(b, v->type),
		     *shape = harness_shape_marked(b->u, v->type, 0);

		harness_step(b, HARNESS_PASSED, name, type, shape, 0);
		free(shape);
		free(type);
		free(name);
	}
	if (var)
		returned(b, f, var);
}

static bool is_input(const struct build *b, const char *name)
{
	return harness_is_input(b, name) && !harness_is_state(b->plan, name);
}

static void global(struct build *b, const struct flow_var *v)
{
	const struct flow_type *t = harness_type(b->u, v->type);
	char *shape;

	if (!t || strchr("veo", t->kind) || !t->size || is_input(b, v->name)
	    || harness_shape_fixes(b->u, v->type, 0))
		return;
	shape = harness_shape_padded(b->u, v->type);
	harness_step(b, HARNESS_OTHER, v->name, "=", "", 0);
	harness_step(b, HARNESS_PASSED, v->name, t->text, shape, 0);
	free(shape);
}

/* state: globals that are inputs of the first call as well, and that only callbacks set again. */
static void globals(struct build *b, bool state)
{
	char *all = b->u->setters ? copied(b->u->setters) : NULL, *rest = all, *name;

	while ((name = strsep(&rest, "\n")))
		for (size_t i = 0; *name == '=' && i < b->u->vars; i++)
			if (b->u->var[i].kind == 'g' && !strcmp(b->u->var[i].name, name + 1)
			    && harness_is_state(b->plan, name + 1) == state)
				global(b, &b->u->var[i]);
	free(all);
}

void harness_others(struct build *b)
{
	char *all = b->u->setters ? copied(b->u->setters) : NULL, *rest = all, *name;

	while ((name = strsep(&rest, "\n"))) {
		char *variable = strchr(name, ' ');
		if (variable)
			*variable++ = 0;
		for (size_t i = 0; *name && i < b->u->funcs; i++)
			if (!strcmp(b->u->func[i].name, name) && can_be_passed(b, &b->u->func[i]))
				other(b, &b->u->func[i], variable);
	}
	free(all);
	globals(b, false);
	globals(b, true);
}
