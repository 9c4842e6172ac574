/* smtlib: conditions of width 1 are written as bit-vectors; comparisons are converted by ite. */
#include "lib/engine/smtlib.h"

static const char *const name[OP_COUNT] = {
	[OP_ADD] = "bvadd",
	[OP_SUB] = "bvsub",
	[OP_MUL] = "bvmul",
	[OP_UDIV] = "bvudiv",
	[OP_SDIV] = "bvsdiv",
	[OP_UREM] = "bvurem",
	[OP_SREM] = "bvsrem",
	[OP_AND] = "bvand",
	[OP_OR] = "bvor",
	[OP_XOR] = "bvxor",
	[OP_SHL] = "bvshl",
	[OP_LSHR] = "bvlshr",
	[OP_ASHR] = "bvashr",
	[OP_NOT] = "bvnot",
	[OP_NEG] = "bvneg",
	[OP_EQ] = "=",
	[OP_ULT] = "bvult",
	[OP_ULE] = "bvule",
	[OP_SLT] = "bvslt",
	[OP_SLE] = "bvsle",
	[OP_CONCAT] = "concat",
};

static void put_const(FILE *f, struct value v, uint32_t w)
{
	fputs("#b", f);
	for (uint32_t i = w; i-- > 0;)
		putc('0' + (int)((i < 64 ? v.lo >> i : v.hi >> (i - 64)) & 1), f);
}

static void put_node(FILE *f, struct expr_pool *p, expr e, bool whole);

static void put_operands(FILE *f, struct expr_pool *p, expr e)
{
	for (int i = 0; i < op_arity(expr_op(p, e)); i++) {
		putc(' ', f);
		put_node(f, p, expr_operand(p, e, i), false);
	}
	putc(')', f);
}

/* Is the node bound by a let? All except leaves, so terms nest at most two deep. */
static bool bound(struct expr_pool *p, expr e)
{
	return op_arity(expr_op(p, e)) > 0;
}

static void put_node(FILE *f, struct expr_pool *p, expr e, bool whole)
{
	enum op op = expr_op(p, e);
	uint32_t w = expr_width(p, e);
	struct value v;
	if (!whole && bound(p, e)) {
		fprintf(f, "n%u", e);
		return;
	}
	switch (op) {
	case OP_INPUT: fprintf(f, "v%u", expr_input_var(p, e)); return;
	case OP_CONST:
		expr_is_const(p, e, &v);
		put_const(f, v, w);
		return;
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE:
		fprintf(f, "(ite (%s", name[op]);
		put_operands(f, p, e);
		fputs(" #b1 #b0)", f);
		return;
	case OP_ITE:
		fputs("(ite (= #b1 ", f);
		put_node(f, p, expr_operand(p, e, 0), false);
		fputs(") ", f);
		put_node(f, p, expr_operand(p, e, 1), false);
		putc(' ', f);
		put_node(f, p, expr_operand(p, e, 2), false);
		putc(')', f);
		return;
	case OP_ZEXT:
	case OP_SEXT:
		fprintf(f, "((_ %s_extend %u)", op == OP_ZEXT ? "zero" : "sign",
		    w - expr_width(p, expr_operand(p, e, 0)));
		break;
	case OP_EXTRACT:
		fprintf(f, "((_ extract %u %u)", expr_extract_low(p, e) + w - 1,
		    expr_extract_low(p, e));
		break;
	default: fprintf(f, "(%s", name[op]); break;
	}
	put_operands(f, p, e);
}

void smtlib_write(FILE *f, struct expr_pool *p, struct dag *d, const expr *cond, size_t n)
{
	size_t open = 0;
	dag_start(d, p);
	for (size_t i = 0; i < n; i++)
		dag_add(d, p, cond[i]);
	fputs("(set-logic QF_BV)\n", f);
	for (size_t i = 0; i < d->n; i++)
		if (expr_op(p, d->node[i]) == OP_INPUT)
			fprintf(f, "(declare-fun v%u () (_ BitVec %u))\n",
			    expr_input_var(p, d->node[i]), expr_width(p, d->node[i]));
	fputs("(assert ", f);
	for (size_t i = 0; i < d->n; i++) {
		if (!bound(p, d->node[i]))
			continue;
		fprintf(f, "(let ((n%u ", d->node[i]);
		put_node(f, p, d->node[i], true);
		fputs("))\n", f);
		open++;
	}
	fputs("(and true", f); /* `and` needs at least two arguments */
	for (size_t i = 0; i < n; i++) {
		fputs("\n(= #b1 ", f);
		put_node(f, p, cond[i], false);
		putc(')', f);
	}
	putc(')', f);
	while (open--)
		putc(')', f);
	fputs(")\n(check-sat)\n(exit)\n", f);
}
