/* call: calls of functions, inputs, and the library functions that are modelled. */
#include "lib/obligation/inner.h"

#include <string.h>

static bool is_one_of(const char *name, const char *list)
{
	const char *at = strstr(list, name);
	size_t n = strlen(name);
	return at && n && (at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]);
}

static void arguments(struct obligation_writer *o, const struct flow_inst *i, size_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		fputs(k ? ", " : "", o->f);
		if (k + 1 < i->operands)
			v(o, i, k + 1, 64);
		else
			fputs("nondet(64)", o->f);
	}
}

static void result(struct obligation_writer *o, uint32_t inst, const char *text)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	if (i->width && text)
		fprintf(o->f, "\tr%u = %s;\n", inst, text);
	else if (i->width)
		fprintf(o->f, "\tr%u = nondet(%u);\n", inst, i->width);
}

/* Bytes of the scalars in a shape "N*S:kB" or "kB"; 0: several kinds. */
static unsigned shape_of(
    const struct obligation_writer *o, const struct flow_operand *x, bool *is_bool)
{
	const struct flow_unit *u = unit_of(o);
	for (size_t k = 0; x->kind == '$' && k < u->contents; k++) {
		const char *s = (const char *)u->bytes[k].bytes;
		if (u->bytes[k].kind != '$' || u->bytes[k].id != x->id || !u->bytes[k].size
		    || s[u->bytes[k].size - 1])
			continue;
		s = strchr(s, ':') ? strchr(s, ':') + 1 : s;
		*is_bool = *s == 'b';
		return *s && strchr("1248", s[1]) && s[1] && !s[2] ? (unsigned)(s[1] - '0') : 0;
	}
	return 0;
}

/* Pointer inputs: the runtime creates their target. */
static bool is_pointer(const struct obligation_writer *o, const struct flow_operand *x)
{
	const struct flow_unit *u = unit_of(o);
	for (size_t k = 0; x->kind == '$' && k < u->contents; k++)
		if (u->bytes[k].kind == '$' && u->bytes[k].id == x->id)
			return memchr(u->bytes[k].bytes, '@', u->bytes[k].known) != NULL;
	return false;
}

static void input(struct obligation_writer *o, const struct flow_inst *i)
{
	const struct flow_operand *size = operand(o, i, 2);
	bool is_bool = false;
	unsigned step = shape_of(o, operand(o, i, 4), &is_bool);
	if (is_pointer(o, operand(o, i, 4)))
		obligation_refuse(o, "an input pointer");
	if (size->kind != '#' || size->value < 1 || size->value > 4096
	    || (step && size->value % step))
		obligation_refuse(o, "inputs of a size that is not known");
	step = step ? step : 1;
	fputs("\t{ u64 to = ", o->f);
	v(o, i, 1, 64);
	fputs(";\n", o->f);
	for (int64_t at = 0; at < size->value; at += step)
		fprintf(o->f, "\t*(m%u *)(to + %lld) = nondet(%u);\n", step * 8, (long long)at,
		    is_bool ? 1 : step * 8);
	fprintf(o->f, "\twritten((unsigned char *)to, %lld); }\n", (long long)size->value);
}

/* A single allocation in the harness becomes a static array; otherwise allocation may fail. */
static void allocated(
    struct obligation_writer *o, uint32_t inst, const struct flow_inst *i, bool zeros)
{
	const struct flow_operand *n = operand(o, i, 1), *m = operand(o, i, 2);
	uint64_t size = n->kind == '#' && (!zeros || m->kind == '#')
	    ? (uint64_t)n->value * (zeros ? (uint64_t)m->value : 1)
	    : 0;
	if (!size || size > 65536)
		obligation_refuse(o, "memory of a size that is not known");
	if (o->func->is_harness && !flow_in_loop(unit_of(o), i->block))
		fprintf(o->f,
		    "\t{ static unsigned char memory[%llu] __attribute__((aligned(16))); r%u = (u64)memory; }\n",
		    (unsigned long long)size, inst);
	else
		fprintf(o->f, "\tr%u = (u64)allocated(%llu, %d, %d);\n", inst,
		    (unsigned long long)size, zeros, o->func->is_harness);
}

static bool known(
    struct obligation_writer *o, uint32_t inst, const struct flow_inst *i, const char *name)
{
	if (is_one_of(name, "abort exit _exit __assert_fail"))
		fputs("\tabort();\n", o->f);
	else if (is_one_of(name, "duct_assume __VERIFIER_assume duct_assert")) {
		fputs("\tif (!(unsigned)", o->f);
		v(o, i, 1, 32);
		fputs(") abort();\n", o->f);
	} else if (!strcmp(name, "duct_rt_input"))
		input(o, i);
	else if (is_one_of(name, "malloc calloc"))
		allocated(o, inst, i, !strcmp(name, "calloc"));
	else if (!strcmp(name, "duct_rt_calls"))
		result(o, inst, "1");
	else if (
	    is_one_of(name,
	        "duct_rt_between duct_rt_back duct_rt_choice duct_rt_result duct_rt_state duct_rt_watch putchar puts printf free fputc"))
		result(o, inst, NULL);
	else
		return false;
	return true;
}

static void follow(
    struct obligation_writer *o, uint32_t inst, const struct flow_inst *i, uint32_t callee)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(o->d->alias, callee, &unit, &id);
	if (f->is_variadic)
		obligation_refuse(o, "a call of %s, which takes any arguments", f->name);
	o->called[callee] = true;
	obligation_enter(o, inst, callee);
	if (i->width)
		fprintf(o->f, "r%u = CUT(%u, ", inst, i->width);
	fprintf(o->f, "f%u_%u(", unit, id);
	arguments(o, i, obligation_arguments(&o->flow->unit[unit], id));
	fputs(i->width ? "));" : ");", o->f);
}

/* A call through a pointer to one of several functions. */
static void choose(struct obligation_writer *o, uint32_t inst, const struct flow_inst *i,
    const struct alias_call *c)
{
	for (size_t k = 0; k < c->callees; k++) {
		uint32_t unit, id;
		alias_function_of(o->d->alias, c->callee[k], &unit, &id);
		fputs("if (", o->f);
		v(o, i, 0, 64);
		fprintf(o->f, " == (u64)&f%u_%u) { ", unit, id);
		follow(o, inst, i, c->callee[k]);
		fputs(" }\n\telse ", o->f);
	}
	fputs("abort();", o->f);
}

void obligation_call(struct obligation_writer *o, uint32_t inst, const struct flow_inst *i)
{
	const struct flow_operand *to = operand(o, i, 0);
	const struct alias_call *c = NULL;
	for (size_t k = 0; k < alias_calls(o->d->alias) && !c; k++)
		if (alias_call(o->d->alias, k)->unit == o->unit
		    && alias_call(o->d->alias, k)->inst == inst)
			c = alias_call(o->d->alias, k);
	if (to->kind == '@' && c && !c->callees && known(o, inst, i, to->name))
		return;
	if (!c || c->external || c->unknown || !c->callees) {
		obligation_refuse(o, "a call of %s",
		    to->kind == '@' ? to->name : "a pointer that may lead to code without a model");
		return;
	}
	obligation_before(o, inst);
	fputc('\t', o->f);
	if (to->kind == '@')
		follow(o, inst, i, c->callee[0]);
	else
		choose(o, inst, i, c);
	fputc('\n', o->f);
	obligation_behind(o, inst);
}
