/* compute: values of the flow as C expressions of type u64, truncated to their width;
 * floating-point numbers as their bits. */
#include "lib/obligation/inner.h"

#include <stdlib.h>
#include <string.h>

static const char *relation(const char *name)
{
	static const char *const all[][2] = {
		{ "eq", "==" },
		{ "ne", "!=" },
		{ "lt", "<" },
		{ "le", "<=" },
		{ "gt", ">" },
		{ "ge", ">=" },
	};
	for (size_t k = 0; k < sizeof all / sizeof *all; k++)
		if (!strcmp(name, all[k][0]))
			return all[k][1];
	return NULL;
}

/* The relation of foeq, fult and so on; "" for ford and funo; NULL: not a floating-point
 * comparison. */
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

unsigned obligation_operand_width(
    const struct obligation_writer *o, const struct flow_operand *x, unsigned otherwise)
{
	return x->kind == '%' ? obligation_width(&unit_of(o)->inst[x->id - 1]) : otherwise;
}

/* A variable's C name; a global that another unit defines is that of the unit that defines it. */
void obligation_variable(struct obligation_writer *o, uint32_t unit, uint32_t id)
{
	const struct alias_object *at =
	    alias_object(o->d->alias, alias_variable(o->d->alias, unit, id));
	if (at->kind == ALIAS_VARIABLE)
		fprintf(o->f, "v%u_%u", at->unit, at->id);
	else
		fprintf(o->f, "v%u_%u", unit, id);
}

/* The address of a function, if the name denotes exactly one. */
static void function(struct obligation_writer *o, const struct flow_operand *x)
{
	struct alias_place *place;
	uint32_t unit, id;
	size_t n = alias_places(o->d->alias, o->unit, o->number, x, &place);
	if (n == 1 && alias_object(o->d->alias, place->object)->kind == ALIAS_FUNCTION) {
		uint32_t number = alias_object(o->d->alias, place->object)->id;
		alias_function_of(o->d->alias, number, &unit, &id);
		fprintf(o->f, "(u64)&f%u_%u", unit, id);
		o->called[number] = true;
	} else {
		obligation_refuse(o, "the address of %s, which is not in the flow", x->name);
	}
	free(place);
}

void obligation_value(struct obligation_writer *o, const struct flow_operand *x, unsigned width)
{
	switch (x->kind) {
	case '#':
	case '~':
		fprintf(o->f, "%lluULL",
		    (unsigned long long)x->value
		        & (width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX));
		break;
	case '%': fprintf(o->f, "r%u", x->id); break;
	case '^': fprintf(o->f, "CUT(%u, a%u)", width, x->id); break;
	case '&':
		fputs("((u64)", o->f);
		obligation_variable(o, o->unit, x->id);
		fprintf(o->f, " + %lluULL)", (unsigned long long)x->value);
		break;
	case '$':
		fprintf(
		    o->f, "((u64)d%u_%u + %lluULL)", o->unit, x->id, (unsigned long long)x->value);
		break;
	case '@': function(o, x); break;
	case '-': fprintf(o->f, "nondet(%u)", width); break;
	default: obligation_refuse(o, "an operand `%c`", x->kind);
	}
}

static bool binary(struct obligation_writer *o, const struct flow_inst *i, unsigned w)
{
	static const struct {
		const char *name, *op;
	} plain[] = {
		{ "add", "+" },
		{ "sub", "-" },
		{ "mul", "*" },
		{ "and", "&" },
		{ "or", "|" },
		{ "xor", "^" },
	};
	static const struct {
		const char *name, *function;
		char how;
	} calls[] = {
		{ "shl", "shifted", 'l' },
		{ "lshr", "shifted", 'r' },
		{ "ashr", "shifted", 'a' },
		{ "udiv", "divided", 'u' },
		{ "urem", "divided", 'm' },
		{ "sdiv", "divided", 's' },
		{ "srem", "divided", 't' },
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

/* A signed or unsigned operand with its plain C type, so that checkers recognise what is
 * compared. */
static void number(
    struct obligation_writer *o, const struct flow_inst *i, uint32_t k, bool is_signed)
{
	const struct flow_operand *x = operand(o, i, k);
	const char *type = i->width == 8 ? "signed char"
	    : i->width == 16             ? "short"
	    : i->width == 32             ? "int"
	                                 : "i64";
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

static void compared(
    struct obligation_writer *o, const struct flow_inst *i, const char *op, bool is_signed)
{
	number(o, i, 0, is_signed);
	fprintf(o->f, " %s ", op);
	number(o, i, 1, is_signed);
}

void obligation_compare(struct obligation_writer *o, const struct flow_inst *i)
{
	compared(o, i, relation(strchr("us", *i->name) ? i->name + 1 : i->name), *i->name == 's');
}

static bool choice(struct obligation_writer *o, const struct flow_inst *i)
{
	static const char *const all[][2] = { { "umin", "<" }, { "smin", "<" }, { "umax", ">" },
		{ "smax", ">" } };
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

static void cast(struct obligation_writer *o, const struct flow_inst *i)
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
	fprintf(o->f, extends ? "CUT(%u, SIGN(%u, " : "CUT(%u, ", i->width,
	    obligation_operand_width(o, x, 64));
	obligation_value(o, x, 64);
	fputs(extends ? "))" : ")", o->f);
}

static void address(struct obligation_writer *o, const struct flow_inst *i)
{
	v(o, i, 0, 64);
	fputs(" + ", o->f);
	v(o, i, 1, 64);
	for (uint32_t k = 2; k + 1 < i->operands; k += 2) {
		fprintf(
		    o->f, " + (u64)SIGN(%u, ", obligation_operand_width(o, operand(o, i, k), 64));
		v(o, i, k, 64);
		fputs(") * ", o->f);
		v(o, i, k + 1, 64);
	}
}

static void real(struct obligation_writer *o, const struct flow_inst *i, uint32_t k, unsigned width)
{
	if (width != 32 && width != 64)
		obligation_refuse(o, "floating point of %u bits", width);
	fprintf(o->f, "real%u(", width);
	v(o, i, k, width);
	fputc(')', o->f);
}

static void float_test(struct obligation_writer *o, const struct flow_inst *i, const char *op)
{
	fprintf(o->f, "%s((", i->name[1] == 'u' ? "!" : "");
	for (int k = 0; k < 4; k++) { /* neither is NaN */
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

/* A floating-point operation; the result is the number's bits. */
static void floating(struct obligation_writer *o, const struct flow_inst *i)
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
		real(o, i, 0,
		    obligation_operand_width(o, operand(o, i, 0), i->width == 32 ? 64 : 32));
		fputc(')', o->f);
	} else if (!strncmp(i->name, "fof.", 4)) {
		fprintf(o->f, i->name[4] == 's' ? "bits%u(SIGN(%u, " : "bits%u(CUT(%u, ", i->width,
		    obligation_operand_width(o, operand(o, i, 0), 64));
		v(o, i, 0, 64);
		fputs("))", o->f);
	} else if (!strncmp(i->name, "fto.", 4)) {
		fprintf(o->f, "truncated('%c', %u, ", i->name[4], i->width);
		real(o, i, 0, obligation_operand_width(o, operand(o, i, 0), 64));
		fputc(')', o->f);
	} else {
		obligation_refuse(o, "operation %s", i->name);
	}
}

void obligation_compute(struct obligation_writer *o, const struct flow_inst *i)
{
	const char *name = i->name ? i->name : "?";
	if (i->op == FLOW_COMPARE)
		obligation_compare(o, i);
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
