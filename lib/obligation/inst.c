/* inst: one instruction of the flow as C. Values are u64, cut to their width. */
#include "lib/obligation/inner.h"

#include <stdlib.h>
#include <string.h>

static const char *relation(const char *name)
{
	static const char *const all[][2] = {
		{ "eq", "==" }, { "ne", "!=" }, { "lt", "<" }, { "le", "<=" }, { "gt", ">" }, { "ge", ">=" },
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		if (!strcmp(name, all[k][0]))
			return all[k][1];
	return NULL;
}

/* Of foeq, fult and so on; "" of ford and funo; NULL: it is no comparison. */
static const char *float_relation(const char *name)
{
	if (!name || strlen(name) != 4 || *name != 'f' || !strchr("ou", name[1]))
		return NULL;
	return !strcmp(name, "ford") || !strcmp(name, "funo") ? "" : relation(name + 2);
}

unsigned obligation_width(const struct flow_inst *i)
{
	bool test = i->op == FLOW_COMPARE || (i->op == FLOW_FLOAT && float_relation(i->name));
	return test ? 1 : i->width;
}

static const struct flow_operand *operand(const struct out *o, const struct flow_inst *i, uint32_t k)
{
	static const struct flow_operand none = { .kind = '-' };
	return k < i->operands ? &unit_of(o)->operand[i->first + k] : &none;
}

static unsigned width_of(const struct out *o, const struct flow_operand *x, unsigned otherwise)
{
	return x->kind == '%' ? obligation_width(&unit_of(o)->inst[x->id - 1]) : otherwise;
}

/* Globals of other units where these define them. */
static void variable(struct out *o, uint32_t id)
{
	const struct alias_object *at = alias_object(o->d->alias, alias_variable(o->d->alias, o->unit, id));
	if (at->kind == ALIAS_VARIABLE)
		fprintf(o->f, "v%u_%u", at->unit, at->id);
	else
		fprintf(o->f, "v%u_%u", o->unit, id);
}

void obligation_value(struct out *o, const struct flow_operand *x, unsigned width)
{
	switch (x->kind) {
	case '#': case '~':
		fprintf(o->f, "%lluULL", (unsigned long long)x->value & (width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX));
		break;
	case '%': fprintf(o->f, "r%u", x->id); break;
	case '^': fprintf(o->f, "CUT(%u, a%u)", width, x->id); break;
	case '&':
		fputs("((u64)", o->f);
		variable(o, x->id);
		fprintf(o->f, " + %lluULL)", (unsigned long long)x->value);
		break;
	case '$': fprintf(o->f, "((u64)d%u_%u + %lluULL)", o->unit, x->id, (unsigned long long)x->value); break;
	case '@': {
		const struct flow_unit *u;
		const struct flow_func *f = flow_find(o->flow, x->name, &u);
		if (!f)
			obligation_refuse(o, "the address of %s, which is not in the flow", x->name);
		else
			fprintf(o->f, "(u64)&f%td_%td", u - o->flow->unit, f - u->func + 1);
		if (f)
			o->called[alias_function(o->d->alias, (uint32_t)(u - o->flow->unit), (uint32_t)(f - u->func + 1))] = true;
		break;
	}
	case '-': fprintf(o->f, "nondet(%u)", width); break;
	default: obligation_refuse(o, "an operand `%c`", x->kind);
	}
}

static void v(struct out *o, const struct flow_inst *i, uint32_t k, unsigned width)
{
	obligation_value(o, operand(o, i, k), width);
}

/* What an operand points to; objects by their names, as no number. */
static void memory(struct out *o, const struct flow_operand *x, unsigned width)
{
	if (width > 64)
		obligation_refuse(o, "a value of %u bits", width);
	fprintf(o->f, "*(%s *)", width <= 8 ? "m8" : width <= 16 ? "m16" : width <= 32 ? "m32" : "m64");
	if (x->kind != '&') {
		obligation_value(o, x, 64);
		return;
	}
	fputc('(', o->f);
	variable(o, x->id);
	fprintf(o->f, x->value ? " + %lld)" : ")", (long long)x->value);
}

/* ---- the flag */

static void flag(struct out *o, const char *what, const struct flow_inst *i, uint32_t address, const char *size)
{
	fprintf(o->f, "%s((unsigned char *)", what);
	v(o, i, address, 64);
	fprintf(o->f, ", %s", size);
	if (strcmp(what, "written"))
		fprintf(o->f, ", %s", o->intra ? "me" : "0");
	fputc(')', o->f);
}

static bool is_at(const struct out *o, const struct defuse_access *a, uint32_t inst)
{
	return a->unit == o->unit && a->inst == inst;
}

/* Does it write a bit-field, and keep the rest of its unit? */
static bool is_partial(const struct flow_unit *u, uint32_t inst)
{
	for (size_t k = 0; k < u->accesses; k++)
		if (u->access[k].inst == inst && u->access[k].is_def && strchr(u->access[k].how, 'b'))
			return true;
	return false;
}

/* The object behind an address that names one: & and the variable's, or % and the alloca. */
static struct flow_operand base_of(const struct flow_unit *u, const struct flow_operand *x)
{
	bool made = x->kind == '%' && u->inst[x->id - 1].op == FLOW_ALLOCA;
	return (struct flow_operand){ .kind = x->kind == '&' || made ? x->kind : 0, .id = x->id };
}

/* Does the definition write an object by its name, and this instruction another? */
static bool is_apart(const struct out *o, const struct flow_operand *x)
{
	const struct flow_unit *u = &o->flow->unit[o->def->unit];
	const struct flow_inst *def = o->def->kind == DEFUSE_ACCESS ? &u->inst[o->def->inst - 1] : NULL;
	struct flow_operand a = base_of(unit_of(o), x), b = { 0 };
	if (def && (def->op == FLOW_STORE || def->op == FLOW_COPY || def->op == FLOW_FILL))
		b = base_of(u, &u->operand[def->first + (def->op == FLOW_STORE)]);
	return def && o->unit == o->def->unit && a.kind && b.kind && (a.kind != b.kind || a.id != b.id);
}

static void write_to(struct out *o, uint32_t inst, uint32_t address, const char *size)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	bool mine = is_at(o, o->def, inst);
	if (!mine && (is_partial(unit_of(o), inst) || is_apart(o, operand(o, i, address))))
		return;
	if (mine && strtoull(size, NULL, 10) > 64)
		obligation_refuse(o, "the definition writes more than 64 bytes");
	fputs("\t", o->f);
	flag(o, mine ? "defined" : "written", i, address, size);
	fputs(";\n", o->f);
}

static void read_from(struct out *o, uint32_t inst, uint32_t address, const char *size)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	if (!is_at(o, o->use, inst))
		return;
	fputs(o->pair->outcome == DEFUSE_C ? "\tif (" : "\thit = ", o->f);
	flag(o, "used", i, address, size);
	fputs(o->pair->outcome == DEFUSE_C ? ") reach_error();\n" : ";\n", o->f);
}

/* ---- operations */

static bool binary(struct out *o, const struct flow_inst *i, unsigned w)
{
	static const struct { const char *name, *op; } plain[] = {
		{ "add", "+" }, { "sub", "-" }, { "mul", "*" }, { "and", "&" }, { "or", "|" }, { "xor", "^" },
	};
	static const struct { const char *name, *function; char how; } calls[] = {
		{ "shl", "shifted", 'l' }, { "lshr", "shifted", 'r' }, { "ashr", "shifted", 'a' }, { "udiv", "divided", 'u' },
		{ "urem", "divided", 'm' }, { "sdiv", "divided", 's' }, { "srem", "divided", 't' },
	};
	for (size_t k = 0; k < sizeof plain / sizeof *plain; k++)
		if (!strcmp(i->name, plain[k].name)) {
			fprintf(o->f, "CUT(%u, ", w);
			v(o, i, 0, w);
			fprintf(o->f, " %s ", plain[k].op);
			v(o, i, 1, w);
			fputc(')', o->f);
			return true;
		}
	for (size_t k = 0; k < sizeof calls / sizeof *calls; k++)
		if (!strcmp(i->name, calls[k].name)) {
			fprintf(o->f, "%s('%c', %u, ", calls[k].function, calls[k].how, w);
			v(o, i, 0, w);
			fputs(", ", o->f);
			v(o, i, 1, w);
			fputc(')', o->f);
			return true;
		}
	return false;
}

/* With the sign, or without; so that a checker sees which value is compared. */
static void number(struct out *o, const struct flow_inst *i, uint32_t k, bool is_signed)
{
	const struct flow_operand *x = operand(o, i, k);
	const char *type = i->width == 8 ? "signed char" : i->width == 16 ? "short" : i->width == 32 ? "int" : "i64";
	bool plain = i->width == 8 || i->width == 16 || i->width == 32 || i->width == 64;
	if (is_signed && x->kind == '#' && x->value > INT64_MIN) {
		fprintf(o->f, "%lldLL", (long long)x->value);
		return;
	}
	if (is_signed && plain)
		fprintf(o->f, "(%s)", type);
	else if (is_signed)
		fprintf(o->f, "SIGN(%u, ", i->width);
	v(o, i, k, i->width);
	if (is_signed && !plain)
		fputc(')', o->f);
}

static void compared(struct out *o, const struct flow_inst *i, const char *op, bool is_signed)
{
	number(o, i, 0, is_signed);
	fprintf(o->f, " %s ", op);
	number(o, i, 1, is_signed);
}

static bool choice(struct out *o, const struct flow_inst *i)
{
	static const char *const all[][2] = { { "umin", "<" }, { "smin", "<" }, { "umax", ">" }, { "smax", ">" } };
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		if (!strcmp(i->name, all[k][0])) {
			fputc('(', o->f);
			compared(o, i, all[k][1], *i->name == 's');
			fputs(") ? ", o->f);
			v(o, i, 0, i->width);
			fputs(" : ", o->f);
			v(o, i, 1, i->width);
			return true;
		}
	if (strcmp(i->name, "abs"))
		return false;
	fprintf(o->f, "SIGN(%u, ", i->width);
	v(o, i, 0, i->width);
	fprintf(o->f, ") < 0 ? CUT(%u, -", i->width);
	v(o, i, 0, i->width);
	fputs(") : ", o->f);
	v(o, i, 0, i->width);
	return true;
}

static void cast(struct out *o, const struct flow_inst *i)
{
	const struct flow_operand *x = operand(o, i, 0);
	bool extends = !strcmp(i->name, "sext");
	if (strcmp(i->name, "zext") && strcmp(i->name, "trunc") && !extends)
		obligation_refuse(o, "operation %s", i->name);
	if (extends && x->kind != '%' && x->kind != '#')
		obligation_refuse(o, "a value of unknown width");
	if (!strcmp(i->name, "zext") && x->kind == '%') {
		obligation_value(o, x, 64);
		return;
	}
	fprintf(o->f, extends ? "CUT(%u, SIGN(%u, " : "CUT(%u, ", i->width, width_of(o, x, 64));
	obligation_value(o, x, 64);
	fputs(extends ? "))" : ")", o->f);
}

static void address(struct out *o, const struct flow_inst *i)
{
	v(o, i, 0, 64);
	fputs(" + ", o->f);
	v(o, i, 1, 64);
	for (uint32_t k = 2; k + 1 < i->operands; k += 2) {
		fprintf(o->f, " + (u64)SIGN(%u, ", width_of(o, operand(o, i, k), 64));
		v(o, i, k, 64);
		fputs(") * ", o->f);
		v(o, i, k + 1, 64);
	}
}

static void real(struct out *o, const struct flow_inst *i, uint32_t k, unsigned width)
{
	if (width != 32 && width != 64)
		obligation_refuse(o, "floating point of %u bits", width);
	fprintf(o->f, "real%u(", width);
	v(o, i, k, width);
	fputc(')', o->f);
}

static void float_test(struct out *o, const struct flow_inst *i, const char *op)
{
	fprintf(o->f, "%s((", i->name[1] == 'u' ? "!" : "");
	for (int k = 0; k < 4; k++) {                /* neither is NaN */
		real(o, i, (uint32_t)k / 2, i->width);
		fputs(k == 3 ? ")" : k == 1 ? " && " : " == ", o->f);
	}
	fprintf(o->f, i->name[1] == 'u' && *op ? " && !(" : *op ? " && (" : " && (1");
	if (*op) {
		real(o, i, 0, i->width);
		fprintf(o->f, " %s ", op);
		real(o, i, 1, i->width);
	}
	fputs("))", o->f);
}

/* Its result is the bits of the number. */
static void floating(struct out *o, const struct flow_inst *i)
{
	static const char *const names[] = { "fadd", "fsub", "fmul", "fdiv" };
	const char *test = float_relation(i->name);
	if (test) {
		float_test(o, i, test);
		return;
	}
	for (size_t k = 0; k < sizeof names / sizeof *names; k++)
		if (!strcmp(i->name, names[k])) {
			fprintf(o->f, "bits%u(", i->width);
			real(o, i, 0, i->width);
			fprintf(o->f, " %c ", "+-*/"[k]);
			real(o, i, 1, i->width);
			fputc(')', o->f);
			return;
		}
	if (!strcmp(i->name, "fneg")) {
		v(o, i, 0, i->width);
		fprintf(o->f, " ^ (u64)1 << %u", i->width - 1);
	} else if (!strcmp(i->name, "ftrunc") || !strcmp(i->name, "fext")) {
		fprintf(o->f, "bits%u(", i->width);
		real(o, i, 0, width_of(o, operand(o, i, 0), i->width == 32 ? 64 : 32));
		fputc(')', o->f);
	} else if (!strncmp(i->name, "fof.", 4)) {
		fprintf(o->f, i->name[4] == 's' ? "bits%u(SIGN(%u, " : "bits%u(CUT(%u, ", i->width,
		        width_of(o, operand(o, i, 0), 64));
		v(o, i, 0, 64);
		fputs("))", o->f);
	} else if (!strncmp(i->name, "fto.", 4)) {
		fprintf(o->f, "truncated('%c', %u, ", i->name[4], i->width);
		real(o, i, 0, width_of(o, operand(o, i, 0), 64));
		fputc(')', o->f);
	} else {
		obligation_refuse(o, "operation %s", i->name);
	}
}

static void computed(struct out *o, const struct flow_inst *i)
{
	const char *name = i->name ? i->name : "?";
	const char *relates = relation(strchr("us", *name) ? name + 1 : name);
	if (i->op == FLOW_COMPARE && relates)
		compared(o, i, relates, *name == 's');
	else if (i->op == FLOW_FLOAT)
		floating(o, i);
	else if (i->op == FLOW_CAST)
		cast(o, i);
	else if (i->op == FLOW_ADDR)
		address(o, i);
	else if (i->op == FLOW_SELECT) {
		v(o, i, 0, 1);
		fputs(" ? ", o->f);
		v(o, i, 1, i->width);
		fputs(" : ", o->f);
		v(o, i, 2, i->width);
	} else if (!binary(o, i, i->width) && !choice(o, i))
		obligation_refuse(o, "operation %s", name);
}

/* ---- control */

/* The values that the block's phis have from here, all before any is set. */
static void enter(struct out *o, uint32_t from, uint32_t block)
{
	const struct flow_unit *u = unit_of(o);
	fputs("{ ", o->f);
	for (int set = 0; set < 2; set++)
		for (uint32_t k = 1; k <= u->insts; k++) {
			const struct flow_inst *i = &u->inst[k - 1];
			if (i->op != FLOW_PHI || i->block != block)
				continue;
			for (uint32_t n = 0; n + 1 < i->operands && !set; n += 2)
				if (operand(o, i, n + 1)->id == from) {
					fprintf(o->f, "u64 p%u = ", k);
					v(o, i, n, i->width);
					fputs("; ", o->f);
					break;
				}
			if (set)
				fprintf(o->f, "r%u = p%u; ", k, k);
		}
	fprintf(o->f, "goto b%u; }\n", block);
}

/* The pair is exercised when its outcome is taken. */
static void taken(struct out *o, const struct flow_inst *i, size_t side)
{
	const struct flow_operand *last = operand(o, i, i->operands - 1);
	const struct flow_branch *b = last->kind == '?' ? &unit_of(o)->branch[last->id - 1] : NULL;
	if (b && o->use->unit == o->unit && o->use->func == o->number && o->pair->outcome == b->first + side)
		fputs("if (hit) reach_error(); ", o->f);
}

/* A comparison of this block is told here again: what is compared cannot have changed. */
static void condition(struct out *o, const struct flow_inst *i)
{
	const struct flow_operand *x = operand(o, i, 0);
	const struct flow_inst *by = x->kind == '%' ? &unit_of(o)->inst[x->id - 1] : NULL;
	if (by && by->op == FLOW_COMPARE && by->block == i->block)
		compared(o, by, relation(strchr("us", *by->name) ? by->name + 1 : by->name), *by->name == 's');
	else
		v(o, i, 0, 1);
}

static void branch(struct out *o, const struct flow_inst *i)
{
	if (i->operands < 3) {
		fputs("\t", o->f);
		enter(o, i->block, operand(o, i, 0)->id);
		return;
	}
	for (uint32_t side = 0; side < 2; side++) {
		fputs(side ? "\telse { " : "\tif (", o->f);
		if (!side) {
			condition(o, i);
			fputs(") { ", o->f);
		}
		taken(o, i, side);
		enter(o, i->block, operand(o, i, 1 + side)->id);
		fputs("\t}\n", o->f);
	}
}

static void switched(struct out *o, const struct flow_inst *i)
{
	unsigned w = width_of(o, operand(o, i, 0), i->width ? i->width : 64);
	size_t k = 0;
	for (uint32_t n = 2; n + 1 < i->operands && operand(o, i, n + 1)->kind == '!'; n += 2, k++) {
		fputs("\tif (", o->f);
		v(o, i, 0, w);
		fputs(" == ", o->f);
		v(o, i, n, w);
		fputs(") { ", o->f);
		taken(o, i, k);
		enter(o, i->block, operand(o, i, n + 1)->id);
		fputs("\t}\n", o->f);
	}
	fputs("\t{ ", o->f);
	taken(o, i, k);
	enter(o, i->block, operand(o, i, 1)->id);
	fputs("\t}\n", o->f);
}

static void returned(struct out *o, const struct flow_inst *i)
{
	fputs("\treturn ", o->f);
	if (i->operands)
		v(o, i, 0, i->width);
	else
		fputc('0', o->f);
	fputs(";\n", o->f);
}

/* ---- calls */

static bool is_one_of(const char *name, const char *list)
{
	const char *at = strstr(list, name);
	size_t n = strlen(name);
	return at && n && (at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]);
}

static void arguments(struct out *o, const struct flow_inst *i, size_t n)
{
	for (uint32_t k = 0; k < n; k++) {
		fputs(k ? ", " : "", o->f);
		if (k + 1 < i->operands)
			v(o, i, k + 1, 64);
		else
			fputs("nondet(64)", o->f);
	}
}

static void result(struct out *o, uint32_t inst, const char *text)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	if (i->width && text)
		fprintf(o->f, "\tr%u = %s;\n", inst, text);
	else if (i->width)
		fprintf(o->f, "\tr%u = nondet(%u);\n", inst, i->width);
}

/* Bytes of a scalar where the shape is of one kind, "N*S:kB" or "kB"; 0: bytes, of structures. */
static unsigned shape_of(const struct out *o, const struct flow_operand *x, bool *is_bool)
{
	const struct flow_unit *u = unit_of(o);
	for (size_t k = 0; x->kind == '$' && k < u->contents; k++) {
		const char *s = (const char *)u->bytes[k].bytes;
		if (u->bytes[k].kind != '$' || u->bytes[k].id != x->id || !u->bytes[k].size || s[u->bytes[k].size - 1])
			continue;
		s = strchr(s, ':') ? strchr(s, ':') + 1 : s;
		*is_bool = *s == 'b';
		return *s && strchr("1248", s[1]) && s[1] && !s[2] ? (unsigned)(s[1] - '0') : 0;
	}
	return 0;
}

static void input(struct out *o, const struct flow_inst *i)
{
	const struct flow_operand *size = operand(o, i, 2);
	bool is_bool = false;
	unsigned step = shape_of(o, operand(o, i, 4), &is_bool);
	if (size->kind != '#' || size->value < 1 || size->value > 4096 || (step && size->value % step))
		obligation_refuse(o, "inputs of a size that is not known");
	step = step ? step : 1;
	fputs("\t{ u64 to = ", o->f);
	v(o, i, 1, 64);
	fputs(";\n", o->f);
	for (int64_t at = 0; at < size->value; at += step)
		fprintf(o->f, "\t*(m%u *)(to + %lld) = nondet(%u);\n", step * 8, (long long)at, is_bool ? 1 : step * 8);
	fprintf(o->f, "\twritten((unsigned char *)to, %lld); }\n", (long long)size->value);
}

static void allocated(struct out *o, uint32_t inst, const struct flow_inst *i, bool zeros)
{
	const struct flow_operand *n = operand(o, i, 1), *m = operand(o, i, 2);
	uint64_t size = n->kind == '#' && (!zeros || m->kind == '#') ? (uint64_t)n->value * (zeros ? (uint64_t)m->value : 1) : 0;
	if (!o->func->is_harness || !size || size > 65536)
		obligation_refuse(o, "memory from malloc");
	fprintf(o->f, "\t{ static unsigned char memory[%llu] __attribute__((aligned(16))); r%u = (u64)memory; }\n",
	        (unsigned long long)size, inst);
}

static bool known(struct out *o, uint32_t inst, const struct flow_inst *i, const char *name)
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
	else if (is_one_of(name, "duct_rt_choice duct_rt_result putchar puts printf free fputc"))
		result(o, inst, NULL);
	else
		return false;
	return true;
}

static void follow(struct out *o, uint32_t inst, const struct flow_inst *i, uint32_t callee)
{
	uint32_t unit, id;
	const struct flow_func *f = alias_function_of(o->d->alias, callee, &unit, &id);
	if (f->is_variadic)
		obligation_refuse(o, "a call of %s, which takes any arguments", f->name);
	o->called[callee] = true;
	fputs("\t", o->f);
	if (i->width)
		fprintf(o->f, "r%u = CUT(%u, ", inst, i->width);
	fprintf(o->f, "f%u_%u(", unit, id);
	arguments(o, i, obligation_arguments(&o->flow->unit[unit], id));
	fputs(i->width ? "));\n" : ");\n", o->f);
}

static void call(struct out *o, uint32_t inst, const struct flow_inst *i)
{
	const struct flow_operand *to = operand(o, i, 0);
	const struct alias_call *c = NULL;
	for (size_t k = 0; k < alias_calls(o->d->alias) && !c; k++)
		if (alias_call(o->d->alias, k)->unit == o->unit && alias_call(o->d->alias, k)->inst == inst)
			c = alias_call(o->d->alias, k);
	if (to->kind == '@' && c && !c->callees && known(o, inst, i, to->name))
		return;
	if (!c || c->external || c->unknown || c->callees != 1 || to->kind != '@') {
		obligation_refuse(o, "a call of %s", to->kind == '@' ? to->name : "a pointer");
		return;
	}
	follow(o, inst, i, c->callee[0]);
}

/* ---- memory */

static void sized(struct out *o, const struct flow_inst *i, char size[24])
{
	const struct flow_operand *n = operand(o, i, 2);
	if (n->kind != '#' || n->value < 0)
		obligation_refuse(o, "a copy of a size that is not known");
	snprintf(size, 24, "%llu", (unsigned long long)n->value);
}

static void copy(struct out *o, uint32_t inst, const struct flow_inst *i)
{
	char size[24];
	sized(o, i, size);
	read_from(o, inst, 1, size);
	fputs("\tcopied((unsigned char *)", o->f);
	v(o, i, 0, 64);
	fputs(", (unsigned char *)", o->f);
	v(o, i, 1, 64);
	fprintf(o->f, ", %s);\n", size);
	write_to(o, inst, 0, size);
}

static void fill(struct out *o, uint32_t inst, const struct flow_inst *i)
{
	char size[24];
	sized(o, i, size);
	fputs("\tfilled((unsigned char *)", o->f);
	v(o, i, 0, 64);
	fputs(", (unsigned char)", o->f);
	v(o, i, 1, 8);
	fprintf(o->f, ", %s);\n", size);
	write_to(o, inst, 0, size);
}

void obligation_inst(struct out *o, uint32_t inst)
{
	const struct flow_inst *i = &unit_of(o)->inst[inst - 1];
	char size[24];
	snprintf(size, sizeof size, "%u", (i->width + 7) / 8);
	switch (i->op) {
	case FLOW_LOAD:
		read_from(o, inst, 0, size);
		fprintf(o->f, "\tr%u = ", inst);
		memory(o, operand(o, i, 0), i->width);
		fputs(";\n", o->f);
		if (i->width % 8 || !strchr("1248", *size) || size[1])
			fprintf(o->f, "\tr%u = CUT(%u, r%u);\n", inst, i->width, inst);
		break;
	case FLOW_STORE:
		fputc('\t', o->f);
		memory(o, operand(o, i, 1), i->width);
		fputs(" = ", o->f);
		v(o, i, 0, i->width);
		fputs(";\n", o->f);
		write_to(o, inst, 1, size);
		break;
	case FLOW_COPY: copy(o, inst, i); break;
	case FLOW_FILL: fill(o, inst, i); break;
	case FLOW_CALL: call(o, inst, i); break;
	case FLOW_BR: branch(o, i); break;
	case FLOW_SWITCH: switched(o, i); break;
	case FLOW_RET: returned(o, i); break;
	case FLOW_UNREACHABLE: fputs("\tabort(); return 0;\n", o->f); break;
	case FLOW_PHI: break;
	case FLOW_ALLOCA:
		if (operand(o, i, 0)->kind != '#')
			obligation_refuse(o, "an array of variable length");
		else
			fprintf(o->f, "\tr%u = (u64)t%u;\n", inst, inst);
		break;
	case FLOW_ASM: case FLOW_GOTO: case FLOW_OTHER:
		obligation_refuse(o, "%s", i->op == FLOW_ASM ? "inline assembly" : i->op == FLOW_GOTO ? "a computed goto"
		                  : "an operation that is not known");
		break;
	default:
		if (i->width > 64)
			obligation_refuse(o, "a value of %u bits", i->width);
		fprintf(o->f, "\tr%u = ", inst);
		computed(o, i);
		fputs(";\n", o->f);
	}
}
