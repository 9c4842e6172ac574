/* arguments: was the run such that more or longer arguments, or longer variables, than there may be could have made a
 * difference? Conditions on `args`, the number of arguments, are tried with each number that the conditions before them
 * leave and with one more than there may be: where that alone would take the other side, the limit decides. A text that
 * has as many characters as it may have could go on. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/expr/bits.h"
#include "lib/run/internal.h"

enum { MOST = 1024 };

/* What a node depends on: nothing, the number of arguments alone, or anything else. */
enum on { NOTHING, NUMBER, OTHERS };

struct numbers {
	const struct trace *t;
	uint8_t *on;                 /* by node */
	uint64_t *value;             /* by node, for one number of arguments */
	uint32_t var;                /* index of `args` */
	uint64_t most;
	bool left[MOST + 2];         /* numbers that the conditions so far leave; the last: one more than there may be */
};

static enum on
depends(const struct numbers *x, const struct channel_node *n)
{
	uint32_t operand[3] = { n->a, n->b, n->c };
	unsigned count = (unsigned)op_arity(n->op);
	enum on on = NOTHING;

	if (n->op == OP_INPUT)
		return n->a == x->var ? NUMBER : OTHERS;
	if (n->op == OP_TABLE || n->width == 0 || n->width > 64)
		return OTHERS;
	for (unsigned i = 0; i < count; i++)
		if (x->on[operand[i]] > on)
			on = x->on[operand[i]];
	return on;
}

static uint64_t
mask(unsigned width)
{
	return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t
sign(uint64_t v, unsigned width)
{
	return width >= 64 ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}

/* False: an operation that conditions on a number of arguments hardly have. */
static bool
compute(const struct numbers *x, const struct channel_node *n, uint64_t *v)
{
	const struct channel_node *of = n->a ? &x->t->node[n->a - 1] : n;
	uint64_t a = x->value[n->a], b = x->value[n->b];
	unsigned w = of->width;

	switch (n->op) {
	case OP_CONST: *v = n->value; break;
	case OP_ADD: *v = a + b; break;
	case OP_SUB: *v = a - b; break;
	case OP_MUL: *v = a * b; break;
	case OP_AND: *v = a & b; break;
	case OP_OR: *v = a | b; break;
	case OP_XOR: *v = a ^ b; break;
	case OP_NOT: *v = ~a; break;
	case OP_NEG: *v = -a; break;
	case OP_EQ: *v = a == b; break;
	case OP_ULT: *v = a < b; break;
	case OP_ULE: *v = a <= b; break;
	case OP_SLT: *v = sign(a, w) < sign(b, w); break;
	case OP_SLE: *v = sign(a, w) <= sign(b, w); break;
	case OP_ZEXT: *v = a; break;
	case OP_SEXT: *v = (uint64_t)sign(a, w); break;
	case OP_EXTRACT: *v = a >> n->c; break;
	case OP_ITE: *v = a ? b : x->value[n->c]; break;
	default: return false;
	}
	*v &= mask(n->width);
	return true;
}

/* The nodes' values with so many arguments, up to node `last`. */
static bool
evaluate(struct numbers *x, uint32_t last, uint64_t args)
{
	for (uint32_t i = 1; i <= last; i++) {
		const struct channel_node *n = &x->t->node[i - 1];

		if (x->on[i] == OTHERS)
			continue;
		if (n->op == OP_INPUT)
			x->value[i] = args;
		else if (!compute(x, n, &x->value[i]))
			x->on[i] = OTHERS;
		if (x->on[i] == OTHERS && i == last)
			return false;
	}
	return x->on[last] != OTHERS;
}

static bool
uses_number(const struct numbers *x, uint32_t node, unsigned depth)
{
	const struct channel_node *n = &x->t->node[node - 1];
	uint32_t operand[3] = { n->a, n->b, n->c };

	if (n->op == OP_INPUT)
		return n->a == x->var;
	for (unsigned i = 0; n->op != OP_CONST && n->op != OP_TABLE && depth && i < (unsigned)op_arity(n->op); i++)
		if (operand[i] && uses_number(x, operand[i], depth - 1))
			return true;
	return false;
}

/* Does only the limit keep this condition from having another outcome? */
static bool
decides(struct numbers *x, const struct channel_event *e)
{
	bool taken[MOST + 2], other = false;

	if (x->on[e->node] == OTHERS)
		return x->left[x->most + 1] && uses_number(x, e->node, 12);
	for (uint64_t k = 0; k <= x->most + 1; k++) {
		if (!x->left[k])
			continue;
		if (!evaluate(x, e->node, k))
			return x->left[x->most + 1];
		taken[k] = x->value[e->node] == x->t->node[e->node - 1].value;
		other |= k <= x->most && !taken[k];
	}
	if (x->left[x->most + 1] && !taken[x->most + 1] && !other)
		return true;
	for (uint64_t k = 0; k <= x->most + 1; k++)
		x->left[k] = x->left[k] && taken[k];
	return false;
}

/* After the assumption that there are no more than there may be. */
static bool
numbers_limit(struct numbers *x)
{
	bool assumed = false;

	for (uint32_t i = 1; i <= x->t->nodes; i++)
		x->on[i] = depends(x, &x->t->node[i - 1]);
	for (uint64_t k = 0; k <= x->most + 1; k++)
		x->left[k] = true;
	for (size_t i = 0; i < x->t->events; i++) {
		const struct channel_event *e = &x->t->event[i];

		if (!trace_is_condition(e) || !e->node || x->on[e->node] == NOTHING)
			continue;
		if (e->kind == EV_ASSUME && !assumed && uses_number(x, e->node, 4))
			assumed = true;
		else if (decides(x, e))
			return true;
	}
	return false;
}

static bool
check_number(const struct runner *r, struct trace *t)
{
	struct numbers x = { .t = t, .most = r->most_arguments };
	bool good = true;

	while (x.var < t->vars && strcmp(t->var[x.var].name, "args"))
		x.var++;
	if (x.var == t->vars)
		return true;
	x.on = calloc(t->nodes + 1, sizeof *x.on);
	x.value = calloc(t->nodes + 1, sizeof *x.value);
	if (!x.on || !x.value)
		good = false;
	else if (x.most > MOST || numbers_limit(&x))
		good = trace_add_limit(t, "args", "", x.most);
	free(x.on);
	free(x.value);
	return good;
}

/* The name's text ends where its inputs do. */
static bool
text_limit(struct trace *t, size_t first, size_t n)
{
	const char *name = t->var[first].name, *end = strrchr(name, '[');
	char *text;
	bool good;

	for (size_t i = first; i < first + n; i++)
		if (!t->var[i].value.lo)
			return true;
	if (!strncmp(name, "argv[", 5))
		text = strndup(name + 5, strspn(name + 5, "0123456789"));
	else
		text = strndup(name + 4, (size_t)(end - name - 4));
	good = text && trace_add_limit(t, *name == 'a' ? "arg" : "env", text, n);
	free(text);
	return good;
}

/* Texts of arguments that there are, and of variables: their bytes are made one after the other. */
static bool
check_texts(struct trace *t)
{
	uint64_t args = UINT64_MAX;

	for (size_t i = 0, n; i < t->vars; i += n) {
		const char *name = t->var[i].name, *end = strrchr(name, '[');
		size_t length = end ? (size_t)(end - name) : 0;

		n = 1;
		if (!strcmp(name, "args"))
			args = t->var[i].value.lo;
		if (!end || strcmp(end, "[0]") || (strncmp(name, "argv[", 5) && strncmp(name, "env.", 4)))
			continue;
		while (i + n < t->vars && !strncmp(t->var[i + n].name, name, length + 1))
			n++;
		if ((*name != 'a' || strtoull(name + 5, NULL, 10) <= args) && !text_limit(t, i, n))
			return false;
	}
	return true;
}

bool
arguments_limits(const struct runner *r, struct trace *t)
{
	return !r->environment || (check_number(r, t) && check_texts(t));
}
