/* pointee: the objects that pointer arguments of the entry point to. In a run, the harness creates
 * such an object when it is touched, in any size; the encoding has one object behind each pointer
 * parameter, of the size that the user states or of a default one. This size is a limit, on which
 * counterexamples do not depend: they are only proposed as runs. */
#include "lib/prove/inner.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 64u /* as a run has at first */
#define MOST_INPUTS 1024u

const char *prove_constant_text(const struct flow_unit *u, const struct flow_operand *o)
{
	for (size_t i = 0; o->kind == '$' && i < u->contents; i++)
		if (u->bytes[i].kind == '$' && u->bytes[i].id == o->id && u->bytes[i].known
		    && !u->bytes[i].bytes[u->bytes[i].known - 1])
			return (const char *)u->bytes[i].bytes;
	return NULL;
}

/* The number of elements that the user states by --len or --string; 0: nothing is stated. */
static uint64_t stated(const struct encoding *m, const char *name)
{
	const struct flow_unit *u = prove_unit(m, 0);
	struct span insts = m->index[m->frame[0].unit].func[m->frame[0].func - 1];
	for (uint32_t k = insts.first; k < insts.first + insts.n; k++) {
		const struct flow_inst *i = &u->inst[k - 1];
		const struct flow_operand *o = &u->operand[i->first];
		const char *of, *kind;
		if (i->op != FLOW_CALL || i->operands < 4 || o[0].kind != '@'
		    || strcmp(o[0].name, "duct_rt_rule") || o[3].kind != '#' || o[3].value < 1
		    || !(of = prove_constant_text(u, &o[1])) || strcmp(of, name)
		    || !(kind = prove_constant_text(u, &o[2])))
			continue;
		if (!strcmp(kind, "exact") || !strcmp(kind, "most"))
			return (uint64_t)o[3].value;
		if (!strcmp(kind, "string"))
			return (uint64_t)o[3].value + 1;
	}
	return 0;
}

/* Parameter number k, if each parameter is one argument. */
static const struct flow_var *parameter(
    const struct flow_unit *u, const struct flow_func *f, uint32_t k)
{
	for (size_t i = 0; i < f->params; i++) {
		const struct flow_var *v = &u->var[f->param[i] - 1];
		if (!v->type || !strchr("iucbfp", u->type[v->type - 1].kind))
			return NULL;
	}
	return k < f->params ? &u->var[f->param[k] - 1] : NULL;
}

static const struct flow_var *pointer(
    const struct encoding *m, uint32_t alias, const struct flow_unit **u)
{
	const struct alias_object *a = alias_object(m->alias, alias);
	uint32_t unit, id;
	const struct flow_func *f;
	const struct flow_var *v;
	if (!m->placed || a->kind != ALIAS_POINTEE)
		return NULL;
	f = alias_function_of(m->alias, a->owner, &unit, &id);
	*u = &m->flow->unit[unit];
	v = parameter(*u, f, a->id);
	return v && (*u)->type[v->type - 1].kind == 'p' ? v : NULL;
}

/* Does the type have known content? A stream is opaque to programs, and an incomplete type has no
 * known members. */
static bool is_plain(const struct flow_type *t)
{
	return t->size && strchr("iucbfpas", t->kind) && !strstr(t->text, "FILE");
}

uint64_t prove_pointee(
    const struct encoding *m, uint32_t alias, const struct flow_unit **u, uint32_t *type)
{
	const struct flow_var *v = pointer(m, alias, u);
	uint64_t step = 1, count;
	if (!v)
		return 0;
	*type = (*u)->type[v->type - 1].of;
	if (*type && (*u)->type[*type - 1].kind == 'v')
		*type = 0;
	if (*type && !is_plain(&(*u)->type[*type - 1]))
		return 0;
	if (*type)
		step = (*u)->type[*type - 1].size;
	count = stated(m, v->name);
	if (!count)
		count = step < BYTES ? BYTES / step : 1;
	return count <= (1u << 20) / step ? count * step : step;
}

static void add_numbers(struct walk *w, uint32_t object, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name);

static void add_parts(struct walk *w, uint32_t object, const struct flow_unit *u,
    const struct flow_type *t, uint64_t offset, const char *name)
{
	char *part;
	for (size_t k = 0; t->kind == 's' && k < t->members; k++) {
		const struct flow_member *f = &t->member[k];
		if (f->bits || !f->type || !*f->name)
			continue;
		part = formatted("%s.%s", name, f->name);
		add_numbers(w, object, u, f->type, offset + f->offset, part);
		free(part);
	}
	/* if one element has no numbers, no element has */
	for (uint64_t k = 0, had = UINT64_MAX;
	    t->kind == 'a' && k < t->count && w->m->inputs < MOST_INPUTS && w->m->inputs != had;
	    k++) {
		had = w->m->inputs;
		part = formatted("%s[%llu]", name, (unsigned long long)k);
		add_numbers(w, object, u, t->of, offset + k * u->type[t->of - 1].size, part);
		free(part);
	}
}

static void add_numbers(struct walk *w, uint32_t object, const struct flow_unit *u, uint32_t type,
    uint64_t offset, const char *name)
{
	static const struct flow_type byte = { .kind = 'u', .size = 1 };
	const struct flow_type *t = type ? &u->type[type - 1] : &byte;
	struct pointee to = { object, prove_const(w->m, 64, offset), prove_bool(w->m, true) };
	if (w->m->inputs >= MOST_INPUTS)
		return;
	if (t->size && t->size <= 8 && strchr("iucb", t->kind))
		prove_add_inputs(w, &to, name, t->kind, 1, (unsigned)t->size);
	else if (t->kind == 's' || t->kind == 'a')
		add_parts(w, object, u, t, offset, name);
}

static uint32_t find_object(const struct encoding *m, const char *name)
{
	const struct flow_unit *u;
	for (uint32_t i = 0; i < m->objects; i++) {
		const struct flow_var *v = pointer(m, m->object[i].alias, &u);
		if (v && !strcmp(v->name, name))
			return i;
	}
	return NONE;
}

bool prove_pointee_input(struct walk *w, const struct pointee *to, const char *name)
{
	struct encoding *m = w->m;
	const struct flow_unit *u;
	struct value offset;
	uint32_t object = m->object[to->object].frame == 0 ? find_object(m, name) : NONE, type;
	expr address, null = prove_fresh(m, 1);
	if (object == NONE)
		return false;
	uint64_t size = prove_pointee(m, m->object[object].alias, &u, &type),
	         step = type ? u->type[type - 1].size : 1;
	address = prove_const(m, 64, prove_address(object));
	if (!(m->options->given & PROVE_SIZES)) {
		struct prove_input in = { .kind = 'n', .width = 16, .value = null };
		in.name = formatted("%s?", name);
		*PUSH(m->input, m->inputs) = in;
		address = prove_ite(m, null, prove_const(m, 64, 0), address);
	}
	expr_is_const(m->pool, to->offset, &offset);
	prove_put(w, to->object, (int64_t)offset.lo, 8, address, to->cond);
	prove_havoc(w, object, prove_bool(m, true));
	for (uint64_t k = 0; k * step < size && m->inputs < MOST_INPUTS; k++) {
		char *part = formatted("%s[%llu]", name, (unsigned long long)k);

		add_numbers(w, object, u, type, k * step, part);
		free(part);
	}
	return true;
}

bool prove_is_null(const struct encoding *m, expr cond)
{
	for (uint32_t i = 0; i < m->inputs && m->placed && expr_op(m->pool, cond) == OP_INPUT; i++)
		if (m->input[i].kind == 'n' && m->input[i].value == cond)
			return true;
	return false;
}
