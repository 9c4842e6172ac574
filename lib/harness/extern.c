/* extern: global variables that the program declares and does not define: the harness and tests
 * define them, and their values are inputs. */
#include "lib/harness/inner.h"
#include "lib/harness/shape.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

enum { HIDDEN = 64 }; /* bytes of a variable whose type is never completed */

const struct flow_var *harness_global(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->vars; i++)
		if (u->var[i].kind == 'g' && !strcmp(u->var[i].name, name))
			return &u->var[i];
	return NULL;
}

bool harness_is_defined(const struct flow *f, const char *name)
{
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].vars; k++) {
			const struct flow_var *v = &f->unit[i].var[k];
			if (v->kind == 'g' && v->defined && !v->is_static && !strcmp(v->name, name))
				return true;
		}
	return false;
}

/* Of the entry's unit, if given, else of the first that declares it. */
static const struct flow_var *declared(const struct flow *f, const struct flow_unit *first,
    const char *name, const struct flow_unit **unit)
{
	const struct flow_var *v = first ? harness_global(first, name) : NULL;

	*unit = first;
	for (size_t i = 0; !v && i < f->units; i++)
		v = harness_global(*unit = &f->unit[i], name);
	return v && !v->defined && !harness_is_defined(f, name) ? v : NULL;
}

bool harness_is_variable(const struct flow *f, const char *name)
{
	const struct flow_unit *u;

	return declared(f, NULL, name, &u);
}

const struct harness_step *harness_extern(const struct harness_plan *p, const char *name)
{
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_EXTERN && !strcmp(p->step[i].name, name))
			return &p->step[i];
	return NULL;
}

/* An array whose length is not declared. */
static bool is_open(const struct flow_type *t)
{
	return t && t->kind == 'a' && !t->size;
}

/* Does a function that the entry reaches call through a pointer, which a caller may pass? */
static bool calls_any(const struct flow *f, bool *const *reached)
{
	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].calls; k++) {
			const struct flow_call *c = &f->unit[i].call[k];
			if (!c->callee && c->func && reached[i][c->func - 1])
				return true;
		}
	return false;
}

static bool uses(const struct flow_unit *u, const bool *reached, const char *name)
{
	for (size_t i = 0; i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		uint32_t func = in->block ? u->block_func[in->block - 1] : 0;
		for (size_t k = 0; func && reached[func - 1] && k < in->operands; k++) {
			const struct flow_operand *o = &u->operand[in->first + k];
			if (o->kind == '&' && !strcmp(u->var[o->id - 1].name, name))
				return true;
		}
	}
	for (size_t i = 0; i < u->relocs; i++)
		if (u->reloc[i].target.kind == '&'
		    && !strcmp(u->var[u->reloc[i].target.id - 1].name, name))
			return true;
	return false;
}

bool harness_is_used(const struct flow *f, bool *const *reached, const char *name)
{
	bool used = !reached || calls_any(f, reached);

	for (size_t i = 0; i < f->units && !used; i++)
		used = uses(&f->unit[i], reached[i], name);
	return used;
}

char *harness_undefined(const struct flow *f, const char *entry, const char *names)
{
	bool **reached = flow_reachable(f, entry);
	char *all = copied(names), *save = all, *name, *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	while ((name = strsep(&save, "\n")))
		if (*name)
			fprintf(out, "%s%s%s", ftell(out) ? "\n" : "",
			    harness_is_variable(f, name) && !harness_is_used(f, reached, name) ? "-"
			                                                                       : "",
			    name);
	fclose(out);
	free(all);
	flow_marks_free(f, reached);
	return text;
}

char *harness_absent(const struct flow *f, const char *entry)
{
	bool **reached = flow_reachable(f, entry);
	char *text = NULL;
	size_t size;
	FILE *out = text_stream(&text, &size);

	for (size_t i = 0; i < f->units; i++)
		for (size_t k = 0; k < f->unit[i].vars; k++) {
			const struct flow_var *v = &f->unit[i].var[k];
			if (v->kind == 'g' && !v->defined && !v->is_weak
			    && harness_is_variable(f, v->name)
			    && harness_is_used(f, reached, v->name))
				fprintf(out, "%s\n", v->name);
		}
	fclose(out);
	flow_marks_free(f, reached);
	return text;
}

static void define(struct build *b, const char *name)
{
	bool used = *name != '-';

	name += !used;

	const struct flow_unit *u;
	const struct flow_var *v = declared(b->flow, b->u, name, &u);
	const struct flow_type *t = v ? harness_type(u, v->type) : NULL,
	                       *element = is_open(t) ? harness_type(u, t->of) : NULL;
	bool bytes = !t || u != b->u || !(element ? element : t)->size;
	uint64_t size = element ? element->size : t ? t->size : 0;
	char how[8];

	if (!v || harness_extern(b->plan, name))
		return;
	snprintf(how, sizeof how, "%s%s%s%s%s%s", used ? "" : "-", v->is_const ? "c" : "",
	    v->is_volatile ? "v" : "", v->is_thread ? "t" : "", element && !bytes ? "a" : "",
	    bytes ? "b" : "");
	if (bytes)
		size = element ? HARNESS_RESERVE : size ? size : HIDDEN;
	harness_step(b, HARNESS_EXTERN, name, t ? t->text : "", how, size);
}

void harness_externs(struct build *b)
{
	char *all = b->u->stubs ? copied(b->u->stubs) : NULL, *save = all, *name;

	while ((name = strsep(&save, "\n")))
		if (*name)
			define(b, name);
	free(all);
}

static bool is_asked(const struct build *b, const char *name)
{
	for (const char *const *g = b->o->global; g && *g; g++)
		if (!strcmp(*g, name))
			return true;
	return false;
}

static void input(struct build *b, const struct harness_step *s)
{
	const struct flow_var *v = harness_global(b->u, s->name);
	const struct flow_type *t = v ? harness_type(b->u, v->type) : NULL;

	if (*s->shape == '-')
		return;
	if (strchr(s->shape, 'b') || !t) {
		harness_limit(b, "zero", s->name, 0);
	} else if (strchr(s->shape, 'a')) {
		char *shape = formatted("p8@%u", t->of);
		harness_step(b, HARNESS_INPUT, s->name, "", shape, 0);
		free(shape);
	} else {
		harness_object(b, s->name, v->type, false);
	}
}

void harness_extern_inputs(struct build *b)
{
	for (size_t i = 0, n = b->plan->n; i < n; i++) {
		struct harness_step s = b->plan->step[i];
		if (s.kind == HARNESS_EXTERN && !is_asked(b, s.name))
			input(b, &s);
	}
	harness_devices(b);
}
