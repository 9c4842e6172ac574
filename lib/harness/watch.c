/* watch: finds globals that the entry may write and that are no inputs; their values after the call
 * are observed. */
#include "lib/harness/inner.h"
#include "lib/base/grow.h"
#include "lib/harness/shape.h"

#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096 }; /* larger globals are not observed */

struct watch_list {
	const struct flow *flow;
	const struct flow_unit *u; /* of the entry */
	const struct flow_func *f;
	const struct harness_options *o;
	bool **may; /* [unit][variable - 1]: a function that the entry reaches may write it */
	FILE *out;
};

/* Marks variables whose address is used by anything but a load or comparison. */
static void mark_unit(const struct flow_unit *u, const bool *reached, bool *may)
{
	for (size_t i = 0; i < u->insts; i++) {
		const struct flow_inst *in = &u->inst[i];
		uint32_t func = in->block ? u->block_func[in->block - 1] : 0;
		if (!func || !reached[func - 1] || in->op == FLOW_LOAD || in->op == FLOW_COMPARE)
			continue;
		for (size_t k = 0; k < in->operands; k++) {
			const struct flow_operand *o = &u->operand[in->first + k];
			if (o->kind == '&')
				may[o->id - 1] = true;
		}
	}
	for (size_t i = 0; i < u->relocs; i++)
		if (u->reloc[i].target.kind == '&')
			may[u->reloc[i].target.id - 1] = true;
}

static const struct flow_var *of_name(const struct flow_unit *u, const char *name)
{
	for (size_t i = 0; i < u->vars; i++)
		if (u->var[i].kind == 'g' && !u->var[i].is_static && !strcmp(u->var[i].name, name))
			return &u->var[i];
	return NULL;
}

/* 0: not defined in the program, 1: defined, 2: defined and constant. */
static int defined(const struct watch_list *s, const struct flow_var *v)
{
	int how = v->defined;

	for (size_t i = 0; !how && !v->is_static && i < s->flow->units; i++) {
		const struct flow_var *other = of_name(&s->flow->unit[i], v->name);
		how = other ? other->defined : 0;
	}
	return how;
}

static bool is_input(const struct watch_list *s, const char *name)
{
	for (const char *const *g = s->o->global; g && *g; g++)
		if (!strcmp(*g, name))
			return true;
	return false;
}

static bool is_parameter(const struct watch_list *s, const char *name)
{
	for (size_t i = 0; i < s->f->params; i++)
		if (!strcmp(s->u->var[s->f->param[i] - 1].name, name))
			return true;
	return false;
}

/* Types with reserved names belong to the C library. Their content may depend on addresses, as in a
 * jmp_buf. */
static bool is_reserved(const struct flow_unit *u, uint32_t type)
{
	const struct flow_type *t = harness_type(u, type);

	if (!t || harness_reserved(t))
		return true;
	for (size_t i = 0; i < t->members; i++)
		if (is_reserved(u, t->member[i].type))
			return true;
	return t->kind == 'a' && is_reserved(u, t->of);
}

/* Why tests do not observe a global of the entry's unit; NULL: they do. */
static const char *unseen(const struct watch_list *s, const struct flow_var *v)
{
	const struct flow_type *t = harness_type(s->u, v->type), *element = t;

	while (element && element->kind == 'a')
		element = harness_type(s->u, element->of);
	if (is_parameter(s, v->name))
		return "a parameter hides it";
	if (!t || !t->size || !element || strchr("veo", element->kind))
		return "of a type that is not modelled";
	if (element->kind == 'p')
		return t == element ? "a pointer" : "pointers";
	if (is_reserved(s->u, v->type))
		return "of a type of the C library";
	if (element->kind == 'n' && harness_holds_pointer(s->u, v->type, 0))
		return "a union that holds a pointer";
	return t->size > BYTES ? "too large" : NULL;
}

static void put(struct watch_list *s, const char *name, const char *why, const char *what)
{
	const char *line = ftell(s->out) ? "\n" : "";

	if (why)
		fprintf(s->out, "%s%s (%s%s)", line, name, why, what);
	else
		fprintf(s->out, "%s%s", line, name);
}

/* Globals of the entry's unit, whichever unit writes them. */
static void near_ones(struct watch_list *s)
{
	for (size_t i = 0; i < s->u->vars; i++) {
		const struct flow_var *v = &s->u->var[i];
		bool may = s->may[s->u - s->flow->unit][i];
		for (size_t k = 0; !may && !v->is_static && k < s->flow->units; k++) {
			const struct flow_var *other = of_name(&s->flow->unit[k], v->name);
			may = other && s->may[k][other - s->flow->unit[k].var];
		}
		if (v->kind == 'g' && may && *v->name && !is_input(s, v->name)
		    && defined(s, v) == 1)
			put(s, v->name, unseen(s, v), "");
	}
}

/* Globals that are not visible in the entry's file. */
static void far_ones(struct watch_list *s)
{
	for (size_t i = 0; i < s->flow->units; i++) {
		const struct flow_unit *u = &s->flow->unit[i];
		for (size_t k = 0; k < u->vars; k++) {
			const struct flow_var *v = &u->var[k];
			if (!s->may[i][k] || v->defined != 1)
				continue;
			if (v->kind == 's' && v->func)
				put(s, v->name, "static in ", u->func[v->func - 1].name);
			else if (v->kind == 'g' && u != s->u
			    && (v->is_static || !of_name(s->u, v->name)))
				put(s, v->name, "of ", u->name);
		}
	}
}

char *harness_watched(const struct flow *f, const struct harness_options *o)
{
	struct watch_list s = { .flow = f, .o = o };
	bool **reached;
	char *text;
	size_t size;

	s.f = flow_find(f, o->entry, &s.u);
	if (!s.f || !strcmp(o->entry, "main"))
		return copied("");
	reached = flow_reachable(f, o->entry);
	s.may = zeroed(f->units, sizeof *s.may);
	s.out = text_stream(&text, &size);
	for (size_t i = 0; i < f->units; i++) {
		s.may[i] = zeroed(f->unit[i].vars + 1, sizeof **s.may);
		mark_unit(&f->unit[i], reached[i], s.may[i]);
	}
	near_ones(&s);
	far_ones(&s);
	fclose(s.out);
	for (size_t i = 0; i < f->units; i++)
		free(s.may[i]);
	free(s.may);
	flow_marks_free(f, reached);
	return text;
}

/* ---- steps */

void harness_watches(struct build *b)
{
	char *all = b->u->watched ? copied(b->u->watched) : NULL, *save = all, *line, *why;

	while ((line = strsep(&save, "\n"))) {
		const struct flow_var *v = b->u->var;
		char *shape;
		if ((why = strstr(line, " ("))) {
			*why = 0;
			why += 2;
			why[strlen(why) - 1] = 0;
			harness_step(b, HARNESS_WATCH, line, why, "", 0);
			continue;
		}
		while (v < b->u->var + b->u->vars && (v->kind != 'g' || strcmp(v->name, line)))
			v++;
		if (v == b->u->var + b->u->vars)
			continue;
		shape = harness_shape_marked(b->u, v->type, 0);
		harness_step(b, HARNESS_WATCH, line, "", shape, 0);
		free(shape);
	}
	free(all);
}
