/* arguments: did the run reach the limits on the number of arguments, or on the length of arguments
 * and environment variables, or could an argc of 0 have made a difference? A condition on `args`,
 * the number of arguments, is evaluated for each number that the conditions before it leave: if
 * only numbers beyond the limit give it the other outcome, the run has reached the limit. A text
 * reaches its limit if it is as long as allowed. */
#include <stdlib.h>
#include <string.h>

#include "lib/protocol/op.h"
#include "lib/base/grow.h"
#include "lib/run/internal.h"

/* After TRIES attempts, the limit is reported without a reason. */
enum { MOST = 1024, DEPTH = 12, TRIES = 1 << 20 };

struct argument_counts {
	const struct trace *t;
	bool *uses;
	uint32_t var; /* index of `args` */
	uint64_t most, tries;
	bool left[MOST + 1]; /* numbers of arguments that the conditions so far leave */
	bool none, alone;    /* they leave argc == 0, too; one decided only for that */
};

#define NO_NAME UINT32_MAX /* the number of arguments when argc is 0 */

static uint64_t mask(unsigned width)
{
	return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static int64_t sign(uint64_t v, unsigned width)
{
	return width >= 64 ? (int64_t)v : (int64_t)(v << (64 - width)) >> (64 - width);
}

/* False: an operation that conditions on a number of arguments hardly have. */
static bool compute(const struct channel_node *n, const uint64_t v[3], unsigned w, uint64_t *out)
{
	uint64_t a = v[0], b = v[1];

	switch (n->op) {
	case OP_ADD: *out = a + b; break;
	case OP_SUB: *out = a - b; break;
	case OP_MUL: *out = a * b; break;
	case OP_AND: *out = a & b; break;
	case OP_OR: *out = a | b; break;
	case OP_XOR: *out = a ^ b; break;
	case OP_NOT: *out = ~a; break;
	case OP_NEG: *out = -a; break;
	case OP_EQ: *out = a == b; break;
	case OP_ULT: *out = a < b; break;
	case OP_ULE: *out = a <= b; break;
	case OP_SLT: *out = sign(a, w) < sign(b, w); break;
	case OP_SLE: *out = sign(a, w) <= sign(b, w); break;
	case OP_ZEXT: *out = a; break;
	case OP_SEXT: *out = (uint64_t)sign(a, w); break;
	case OP_EXTRACT: *out = a >> n->c; break;
	case OP_ITE: *out = a ? b : v[2]; break;
	default: return false;
	}
	*out &= mask(n->width);
	return true;
}

/* The value of the expression for a number of arguments. False: it depends on something else, too,
 * or compares with more numbers than are tried. */
static bool evaluate(
    const struct argument_counts *x, uint32_t node, uint64_t args, unsigned depth, uint64_t *out)
{
	const struct channel_node *n = &x->t->node[node - 1];
	uint32_t operand[3] = { n->a, n->b, n->c };
	uint64_t v[3] = { 0 };

	if (n->op == OP_INPUT || n->op == OP_CONST) {
		*out = n->op == OP_CONST ? n->value : args;
		return n->op == OP_CONST ? *out <= MOST || *out > INT32_MAX : n->a == x->var;
	}
	if (!depth || !n->width || n->width > 64)
		return false;
	for (unsigned i = 0; i < (unsigned)op_arity(n->op); i++)
		if (!evaluate(x, operand[i], args, depth - 1, &v[i]))
			return false;
	return compute(n, v, x->t->node[n->a - 1].width, out);
}

/* By node: does it depend on the number of arguments? */
static void mark(struct argument_counts *x)
{
	for (uint32_t i = 1; i <= x->t->nodes; i++) {
		const struct channel_node *n = &x->t->node[i - 1];
		uint32_t operand[3] = { n->a, n->b, n->c };

		x->uses[i] = n->op == OP_INPUT && n->a == x->var;
		for (unsigned k = 0; k < (unsigned)op_arity(n->op); k++)
			x->uses[i] |= x->uses[operand[k]];
	}
}

/* Is the limit the only reason why this condition has no other outcome? */
static bool decides(struct argument_counts *x, const struct channel_event *e)
{
	uint64_t value, taken = x->t->node[e->node - 1].value;
	bool within = false, beyond = false, left_beyond = false;
	bool cases = e->kind == EV_SWITCH; /* which values have one is not known here */

	for (uint64_t k = 0; k <= MOST; k++) {
		if (!x->left[k])
			continue;
		left_beyond |= k > x->most;
		x->tries++;
		if (!evaluate(x, e->node, k, DEPTH, &value))
			return x->left[MOST];
		if (value != taken) {
			within |= k <= x->most;
			beyond |= k > x->most;
			x->left[k] = false;
		}
	}
	if (x->none && evaluate(x, e->node, NO_NAME, DEPTH, &value) && value != taken) {
		x->none = false;
		x->alone |= cases || (!within && !beyond);
	}
	return left_beyond && beyond && (cases || !within);
}

/* After the assumption that there are no more than there may be. */
static bool numbers_limit(struct argument_counts *x)
{
	bool assumed = false;

	mark(x);
	memset(x->left, true, sizeof x->left);
	x->none = true;
	for (size_t i = 0; i < x->t->events; i++) {
		const struct channel_event *e = &x->t->event[i];

		if (!trace_is_condition(e) || !e->node || !x->uses[e->node])
			continue;
		if (e->kind == EV_ASSUME && !assumed)
			assumed = true;
		else if (decides(x, e) || x->tries > TRIES)
			return true;
	}
	return false;
}

static void check_number(const struct runner *r, struct trace *t)
{
	struct argument_counts x = { .t = t, .most = r->most_arguments };
	bool touched;

	while (x.var < t->vars && strcmp(t->var[x.var].name, "args"))
		x.var++;
	if (x.var == t->vars)
		return;
	x.uses = zeroed(t->nodes + 1, sizeof *x.uses);
	touched = x.most > MOST || numbers_limit(&x);
	free(x.uses);
	if (touched)
		trace_add_limit(t, "args", "", x.most);
	if (x.alone)
		trace_add_limit(t, "argc", "", 1);
}

/* The name's text ends where its inputs do. */
static void text_limit(struct trace *t, size_t first, size_t n)
{
	const char *name = t->var[first].name, *end = strrchr(name, '[');
	char *text;

	for (size_t i = first; i < first + n; i++)
		if (!t->var[i].value.lo)
			return;
	if (!strncmp(name, "argv[", 5))
		text = copied_part(name + 5, strspn(name + 5, "0123456789"));
	else
		text = copied_part(name + 4, (size_t)(end - name - 4));
	if (strncmp(name, "argv[0]", 7))
		trace_add_limit(t, *name == 'a' ? "arg" : "env", text, n);
	else
		trace_add_limit(t, "arg0", "", n);
	free(text);
}

/* Is it the name of a variable, env.N.path[i]? It is reported, and is no text of an input. */
static bool is_path(const char *name)
{
	size_t n = strncmp(name, "env.", 4) ? 0 : strspn(name + 4, "0123456789");

	return n && !strncmp(name + 4 + n, ".path[", 6);
}

/* Checks the texts of arguments and of variables: the bytes of each are created one after the
 * other. */
static void check_texts(struct trace *t)
{
	uint64_t args = UINT64_MAX;

	for (size_t i = 0, n; i < t->vars; i += n) {
		const char *name = t->var[i].name, *end = strrchr(name, '[');
		size_t length = end ? (size_t)(end - name) : 0;

		n = 1;
		if (!strcmp(name, "args"))
			args = t->var[i].value.lo;
		if (!end || strcmp(end, "[0]") || is_path(name)
		    || (strncmp(name, "argv[", 5) && strncmp(name, "env.", 4)))
			continue;
		while (i + n < t->vars && !strncmp(t->var[i + n].name, name, length + 1))
			n++;
		if (*name != 'a' || strtoull(name + 5, NULL, 10) <= args)
			text_limit(t, i, n);
	}
}

void arguments_limits(const struct runner *r, struct trace *t)
{
	if (!r->environment)
		return;
	check_number(r, t);
	check_texts(t);
}
