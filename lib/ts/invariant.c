/* invariant: conditions on the states of a system as one line of words, and back. Prefix notation:
 * pc; sN, slot N; HEX/WIDTH, a constant; OPERATION/WIDTH and its operands, extract/WIDTH/LOW. */
#include "lib/ts/ts.h"

#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

#define DEEPEST 10000

static uint32_t *slots_by_var(const struct ts *t)
{
	uint32_t vars = expr_var_count(t->pool), *slot = zeroed(vars + 1, sizeof *slot);
	memset(slot, -1, vars * sizeof *slot);
	for (uint32_t i = 0; i < t->slots; i++)
		slot[expr_input_var(t->pool, t->slot[i].latch)] = i;
	return slot;
}

static void put(const struct ts *t, const uint32_t *slot, FILE *f, expr e)
{
	enum op op = expr_op(t->pool, e);
	struct value v;
	if (op == OP_INPUT && e == t->pc)
		fputs(" pc", f);
	else if (op == OP_INPUT)
		fprintf(f, " s%u", slot[expr_input_var(t->pool, e)]);
	else if (expr_is_const(t->pool, e, &v))
		fprintf(f, " %llx/%u", (unsigned long long)v.lo, expr_width(t->pool, e));
	else if (op == OP_EXTRACT)
		fprintf(f, " extract/%u/%u", expr_width(t->pool, e), expr_extract_low(t->pool, e));
	else
		fprintf(f, " %s/%u", op_name(op), expr_width(t->pool, e));
	for (int i = 0; i < op_arity(op); i++)
		put(t, slot, f, expr_operand(t->pool, e, i));
}

char *ts_clause_text(const struct ts *t, expr clause)
{
	uint32_t *slot = slots_by_var(t);
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);
	put(t, slot, f, clause);
	fclose(f);
	free(slot);
	memmove(text, text + 1, strlen(text));
	return text;
}

struct invariant_reader {
	const struct ts *t;
	const char *at;
	unsigned depth;
};

static bool number(const char **s, int base, uint64_t most, uint64_t *n)
{
	char *end;
	if (!strchr("0123456789abcdef", **s) || !**s)
		return false;
	*n = strtoull(*s, &end, base);
	*s = end;
	return *n <= most;
}

/* Do the operands fit together, and the width to them? */
static bool fits(const struct ts *t, enum op op, unsigned width, uint64_t low, const expr *a)
{
	unsigned w[3] = { 0 };
	for (int i = 0; i < op_arity(op); i++)
		w[i] = expr_width(t->pool, a[i]);
	switch (op) {
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE: return width == 1 && w[0] == w[1];
	case OP_ITE: return w[0] == 1 && w[1] == width && w[2] == width;
	case OP_CONCAT: return w[0] + w[1] == width;
	case OP_EXTRACT: return low + width <= w[0];
	case OP_ZEXT:
	case OP_SEXT: return width >= w[0];
	default:
		return (op == OP_NOT || op == OP_NEG
		           || (op >= OP_ADD && op <= OP_ASHR && w[1] == width))
		    && w[0] == width;
	}
}

static expr leaf(struct invariant_reader *r, const char *word)
{
	uint64_t n, width;
	if (!strcmp(word, "pc"))
		return r->t->pc;
	if (*word == 's') {
		word++;
		return number(&word, 10, UINT32_MAX, &n) && !*word && n < r->t->slots
		    ? r->t->slot[n].latch
		    : 0;
	}
	return number(&word, 16, UINT64_MAX, &n) && *word++ == '/' && number(&word, 10, 64, &width)
	        && !*word && width
	    ? expr_const(r->t->pool, (unsigned)width, bits_value(bits_cut(n, (unsigned)width)))
	    : 0;
}

/* 0: not understood */
static expr get(struct invariant_reader *r)
{
	char word[40], *slash;
	size_t n = strcspn(r->at, " ");
	uint64_t width, low = 0;
	expr a[3] = { 0 };
	enum op op = OP_NONE;
	if (!n || n >= sizeof word || ++r->depth > DEEPEST)
		return 0;
	memcpy(word, r->at, n);
	word[n] = 0;
	r->at += n + (r->at[n] == ' ');
	if ((slash = strchr(word, '/'))) {
		const char *rest = slash + 1;
		*slash = 0;
		op = op_find(word);
		*slash = '/';
		if (op != OP_NONE
		    && (!number(&rest, 10, BLAST_MOST, &width) || !width
		        || (op == OP_EXTRACT
		            && (*rest++ != '/' || !number(&rest, 10, BLAST_MOST, &low)))
		        || *rest))
			return 0;
	}
	if (op == OP_NONE)
		return leaf(r, word);
	for (int i = 0; i < op_arity(op); i++)
		if (!(a[i] = get(r)))
			return 0;
	if (!op_arity(op) || !fits(r->t, op, (unsigned)width, low, a))
		return 0;
	return expr_make(
	    r->t->pool, op, (uint32_t)width, a[0], a[1], op == OP_EXTRACT ? (uint32_t)low : a[2]);
}

expr ts_clause_read(const struct ts *t, const char *text)
{
	struct invariant_reader r = { t, text, 0 };
	expr e = get(&r);
	return e && !*r.at && expr_width(t->pool, e) == 1 ? e : 0;
}
