/* text: C-like text of expressions. */
#include "lib/expr/pool.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST 4096 /* bytes; a DAG can unfold to exponential length */

static const char *const infix[OP_COUNT] = {
	[OP_ADD] = "+",
	[OP_SUB] = "-",
	[OP_MUL] = "*",
	[OP_UDIV] = "/u",
	[OP_SDIV] = "/",
	[OP_UREM] = "%u",
	[OP_SREM] = "%",
	[OP_AND] = "&",
	[OP_OR] = "|",
	[OP_XOR] = "^",
	[OP_SHL] = "<<",
	[OP_LSHR] = ">>u",
	[OP_ASHR] = ">>",
	[OP_EQ] = "==",
	[OP_ULT] = "<u",
	[OP_ULE] = "<=u",
	[OP_SLT] = "<",
	[OP_SLE] = "<=",
	[OP_CONCAT] = "::",
	[OP_FADD] = "+.",
	[OP_FSUB] = "-.",
	[OP_FMUL] = "*.",
	[OP_FDIV] = "/.",
	[OP_FEQ] = "==.",
	[OP_FLT] = "<.",
	[OP_FLE] = "<=.",
};

static void put_const(FILE *f, u128 v, unsigned w)
{
	i128 s = bits_signed(v, w);
	if (w > 1 && s < 0 && s >= -100000)
		fprintf(f, "%lld", (long long)s);
	else if (v >> 64)
		fprintf(f, "0x%llx%016llx", (unsigned long long)(v >> 64), (unsigned long long)v);
	else
		fprintf(f, v > 100000 ? "0x%llx" : "%llu", (unsigned long long)v);
}

/* A float or double with enough digits to identify it. */
static void put_number(FILE *f, u128 v, unsigned w)
{
	uint32_t narrow = (uint32_t)v;
	uint64_t wide = (uint64_t)v;
	float s;
	double d;
	memcpy(&s, &narrow, sizeof s);
	memcpy(&d, &wide, sizeof d);
	fprintf(f, "%.*g", w == 32 ? 9 : 17, w == 32 ? (double)s : d);
}

static void put(const struct expr_pool *p, FILE *f, expr e, int depth);

/* Writes an operand of n; constants as numbers if n is a floating-point operation. */
static void put_operand(
    const struct expr_pool *p, FILE *f, const struct expr_node *n, expr e, int depth)
{
	const struct expr_node *x = pool_node(p, e);
	bool number = op_is_float(n->op) && n->op != OP_SITOF && n->op != OP_UITOF;
	if (number && x->op == OP_CONST && x->width <= 64)
		put_number(f, pool_const_value(p, x), x->width);
	else
		put(p, f, e, depth);
}

/* Writes a binary operation; comparisons of different kinds may print alike. */
static void put_infix(const struct expr_pool *p, FILE *f, const struct expr_node *n, int depth)
{
	if (depth)
		putc('(', f);
	put_operand(p, f, n, n->a, depth + 1);
	fprintf(f, " %s ", infix[n->op]);
	put_operand(p, f, n, n->b, depth + 1);
	if (depth)
		putc(')', f);
}

static void put_other(const struct expr_pool *p, FILE *f, const struct expr_node *n, int depth)
{
	fprintf(f, "%s", op_name(n->op));
	if (n->op >= OP_FCVT && op_is_float(n->op))
		fprintf(f, "%u", n->width);
	for (int i = 0; i < op_arity(n->op); i++) {
		fputs(i ? ", " : "(", f);
		put_operand(p, f, n, i == 0 ? n->a : i == 1 ? n->b : n->c, depth + 1);
	}
	fputs(")", f);
}

static void put(const struct expr_pool *p, FILE *f, expr e, int depth)
{
	const struct expr_node *n = pool_node(p, e);
	if (ftell(f) > LONGEST || depth > 64) {
		fputs("...", f);
		return;
	}
	switch (n->op) {
	case OP_INPUT: fputs(p->var[n->a].name, f); break;
	case OP_CONST: put_const(f, pool_const_value(p, n), n->width); break;
	case OP_TABLE: fprintf(f, "table[%u]", n->b); break;
	case OP_NOT:
	case OP_NEG:
		fputs(n->op == OP_NEG ? "-" : n->width == 1 ? "!" : "~", f);
		put(p, f, n->a, depth + 1);
		break;
	case OP_ZEXT:
	case OP_SEXT:
		fprintf(f, "%c%u(", n->op == OP_ZEXT ? 'u' : 'i', n->width);
		put(p, f, n->a, 0);
		putc(')', f);
		break;
	case OP_EXTRACT:
		put(p, f, n->a, depth + 1);
		fprintf(f, "[%u:%u]", n->c + n->width - 1, n->c);
		break;
	case OP_READ:
		put(p, f, n->a, depth + 1);
		putc('[', f);
		put(p, f, n->b, 0);
		fprintf(f, "]:%u", n->width);
		break;
	default: infix[n->op] ? put_infix(p, f, n, depth) : put_other(p, f, n, depth);
	}
}

char *expr_text(const struct expr_pool *p, expr e)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = text_stream(&text, &size);
	if (e)
		put(p, f, e, 0);
	else
		fputs("none", f);
	fclose(f);
	return text;
}
