/* indexes: runs that end at an index that the caller passed and that the function does not look at:
 * only callers can bound it, as that of a table. An index that the function compares with anything,
 * before or behind the access, is the function's own; the run is a failure then. */
#include "lib/base/grow.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

/* The check that ended the run; NULL: it was another one. */
static const struct channel_event *last_check(const struct trace *t)
{
	const struct channel_event *e = t->events ? &t->event[t->events - 1] : NULL;

	for (size_t i = t->events; i-- > 0 && e->kind != EV_BOUNDS;)
		e = &t->event[i];
	return e && e->kind == EV_BOUNDS && e->node && !e->x && e->y && e->y <= t->addresses
	        && t->address[e->y - 1].node
	    ? e
	    : NULL;
}

/* By node: does it depend on an input of those? */
static bool *find_dependent(const struct trace *t, const bool *input)
{
	bool *is = zeroed(t->nodes + 1, sizeof *is);

	for (uint32_t i = 1; i <= t->nodes; i++) {
		const struct channel_node *p = &t->node[i - 1];
		uint32_t operand[3] = { p->a, p->b, p->c };
		is[i] = p->op == OP_INPUT && input[p->a];
		for (int k = 0; k < op_arity((enum op)p->op); k++)
			is[i] |= is[operand[k]];
	}
	return is;
}

/* By input: does the node depend on it? */
static bool *find_inputs(const struct trace *t, uint32_t node)
{
	bool *input = zeroed(t->vars + 1, sizeof *input), *of = zeroed(t->nodes + 1, sizeof *of);

	of[node] = true;
	for (uint32_t i = node; i > 0; i--) {
		const struct channel_node *p = &t->node[i - 1];
		uint32_t operand[3] = { p->a, p->b, p->c };
		if (of[i] && p->op == OP_INPUT)
			input[p->a] = true;
		for (int k = 0; of[i] && k < op_arity((enum op)p->op); k++)
			of[operand[k]] = true;
	}
	free(of);
	return input;
}

/* Does the run decide or assume anything about these inputs, as for the size of an object, but
 * where accesses are? */
static bool is_compared(const struct trace *t, const bool *input)
{
	bool *about = find_dependent(t, input), is = false;

	for (size_t i = 0; i < t->events && !is; i++) {
		const struct channel_event *e = &t->event[i];
		is = trace_is_condition(e) && about[e->node] && e->kind != EV_BOUNDS
		    && e->kind != EV_CHECK;
	}
	free(about);
	return is;
}

/* Does the text name it, elsewhere than as an index? */
static bool names(const char *text, const char *name)
{
	char *bare = copied(text), *to = bare;
	int depth = 0;
	bool has;

	for (const char *c = text; *c; c++) {
		depth += *c == '[';
		if (!depth)
			*to++ = *c;
		depth -= depth && *c == ']';
	}
	*to = 0;
	has = store_has_word(bare, name, strlen(name));
	free(bare);
	return has;
}

/* Does a condition of the function that has the access name one of them? The run may have ended
 * before it. */
static bool is_named(struct store *s, const struct trace *t, const bool *input)
{
	uint32_t unit = store_unit(s, t, t->fault_unit);
	const struct flow_unit *u = unit ? &s->flow->unit[unit - 1] : NULL;
	uint32_t func;

	if (!u || !t->fault_block || t->fault_block > u->blocks)
		return true; /* not known */
	func = u->block_func[t->fault_block - 1];
	for (size_t i = 0; i < u->branches; i++)
		for (size_t k = 0; u->branch[i].func == func && u->branch[i].text && k < t->vars;
		    k++)
			if (input[k] && names(u->branch[i].text, t->var[k].name))
				return true;
	return false;
}

/* An index: scale * input + offset. */
struct linear {
	uint32_t var;
	int64_t scale, offset;
	bool is_signed;
};

static bool is_constant(const struct trace *t, uint32_t node)
{
	return t->node[node - 1].op == OP_CONST;
}

static int64_t constant(const struct trace *t, uint32_t node)
{
	return (int64_t)t->node[node - 1].value;
}

/* False: it is not of that form, or not of a size that an index has. */
static bool find_linear(const struct trace *t, uint32_t node, struct linear *l)
{
	const struct channel_node *n = &t->node[node - 1];

	switch (n->op) {
	case OP_INPUT:
		*l = (struct linear){ n->a, 1, 0, t->var[n->a].kind == INPUT_INT };
		return true;
	case OP_SEXT:
	case OP_ZEXT:
		if (t->node[n->a - 1].op != OP_INPUT || !find_linear(t, n->a, l))
			return false;
		l->is_signed = n->op == OP_SEXT;
		return true;
	case OP_ADD:
	case OP_MUL: {
		uint32_t k = is_constant(t, n->a) ? n->a : n->b, x = k == n->a ? n->b : n->a;
		if (n->width != 64 || !is_constant(t, k) || !find_linear(t, x, l))
			return false;
		if (n->op == OP_ADD)
			return !__builtin_add_overflow(l->offset, constant(t, k), &l->offset);
		return !__builtin_mul_overflow(l->offset, constant(t, k), &l->offset)
		    && !__builtin_mul_overflow(l->scale, constant(t, k), &l->scale);
	}
	case OP_SHL:
		if (n->width != 64 || !is_constant(t, n->b) || constant(t, n->b) > 32
		    || !find_linear(t, n->a, l))
			return false;
		return !__builtin_mul_overflow(
		           l->offset, (int64_t)1 << constant(t, n->b), &l->offset)
		    && !__builtin_mul_overflow(
		        l->scale, (int64_t)1 << constant(t, n->b), &l->scale);
	default: return false;
	}
}

/* Notes what the index must be: from 0, or at most, so much. */
static void note(
    struct store *s, const struct trace *t, const struct channel_address *a, const bool *input)
{
	struct trace_limit need = { .kind = "inside", .name = "" };
	struct linear l;

	for (size_t i = t->vars; i-- > 0;)
		if (input[i])
			need.name = t->var[i].name;
	if (find_linear(t, a->node, &l) && l.scale > 0 && !l.offset && a->object_size >= a->bytes) {
		need.kind = l.is_signed ? "range" : "most";
		need.value = (a->object_size - a->bytes) / (uint64_t)l.scale;
	}
	store_needs_index(s, t, &need);
}

bool store_indexes_need(struct store *s, const struct trace *t)
{
	const struct channel_event *e = t->end == END_BOUNDS ? last_check(t) : NULL;
	const struct channel_address *a = e ? &t->address[e->y - 1] : NULL;
	bool *foreign, *input, asks;

	if (!a)
		return false;
	foreign = store_foreign_nodes(s, t);
	input = find_inputs(t, a->node);
	asks = !foreign[e->node] && !foreign[a->node] && !is_compared(t, input)
	    && !is_named(s, t, input);
	if (asks)
		note(s, t, a, input);
	free(input);
	free(foreign);
	return asks;
}
