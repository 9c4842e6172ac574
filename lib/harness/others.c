/* others: what may happen before the entry is called and changes variables that its behaviour
 * depends on: calls of functions of its file, such as setters, and that other files write a global.
 */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { SCALAR = 8 }; /* bytes */

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

static void other(struct build *b, const struct flow_func *f)
{
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
}

static bool is_input(const struct build *b, const char *name)
{
	for (size_t i = 0; i < b->plan->n; i++) {
		const struct harness_step *s = &b->plan->step[i];
		if (strchr("pgi", s->kind) && !strcmp(s->name, name))
			return true;
	}
	return false;
}

static void global(struct build *b, const struct flow_var *v)
{
	const struct flow_type *t = harness_type(b->u, v->type);
	char *shape;

	if (!t || strchr("veo", t->kind) || !t->size || is_input(b, v->name)
	    || harness_shape_fixes(b->u, v->type, 0))
		return;
	shape = harness_shape_marked(b->u, v->type, 0);
	harness_step(b, HARNESS_OTHER, v->name, "=", "", 0);
	harness_step(b, HARNESS_PASSED, v->name, t->text, shape, 0);
	free(shape);
}

void harness_others(struct build *b)
{
	char *all = b->u->setters ? strdup(b->u->setters) : NULL, *rest = all, *name;

	while ((name = strsep(&rest, "\n"))) {
		for (size_t i = 0; *name == '=' && i < b->u->vars; i++)
			if (b->u->var[i].kind == 'g' && !strcmp(b->u->var[i].name, name + 1))
				global(b, &b->u->var[i]);
		for (size_t i = 0; *name && i < b->u->funcs; i++)
			if (!strcmp(b->u->func[i].name, name) && can_be_passed(b, &b->u->func[i]))
				other(b, &b->u->func[i]);
	}
	free(all);
}
