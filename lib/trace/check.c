/* check: validates traces from channels and from records. */
#include <string.h>
#include <stdio.h>

#include "lib/protocol/checks.h"
#include "lib/protocol/float.h"
#include "lib/trace/check.h"

/* Operand patterns of operations. */
enum operand_pattern {
	S_BAD,
	S_INPUT,
	S_CONST,
	S_SAME1,
	S_SAME2,
	S_COMPARE,
	S_ITE,
	S_CONCAT,
	S_EXTRACT,
	S_EXTEND,
	S_TABLE,
	S_STORE,
	S_READ,
	S_FLOAT
};

static const uint8_t shapes[OP_COUNT] = {
	[OP_INPUT] = S_INPUT,
	[OP_CONST] = S_CONST,
	[OP_ADD] = S_SAME2,
	[OP_SUB] = S_SAME2,
	[OP_MUL] = S_SAME2,
	[OP_UDIV] = S_SAME2,
	[OP_SDIV] = S_SAME2,
	[OP_UREM] = S_SAME2,
	[OP_SREM] = S_SAME2,
	[OP_AND] = S_SAME2,
	[OP_OR] = S_SAME2,
	[OP_XOR] = S_SAME2,
	[OP_SHL] = S_SAME2,
	[OP_LSHR] = S_SAME2,
	[OP_ASHR] = S_SAME2,
	[OP_NOT] = S_SAME1,
	[OP_NEG] = S_SAME1,
	[OP_EQ] = S_COMPARE,
	[OP_ULT] = S_COMPARE,
	[OP_ULE] = S_COMPARE,
	[OP_SLT] = S_COMPARE,
	[OP_SLE] = S_COMPARE,
	[OP_ITE] = S_ITE,
	[OP_CONCAT] = S_CONCAT,
	[OP_EXTRACT] = S_EXTRACT,
	[OP_ZEXT] = S_EXTEND,
	[OP_SEXT] = S_EXTEND,
	[OP_TABLE] = S_TABLE,
	[OP_STORE] = S_STORE,
	[OP_READ] = S_READ,
};

/* Width of an operand that precedes node i; -1 when it does not. */
static int width_of(const struct trace *t, size_t i, uint32_t node)
{
	return node && node <= i ? t->node[node - 1].width : -1;
}

static bool wide(int width)
{
	return width >= 1 && width <= 128;
}

static const char *check_widths(const struct trace *t, size_t i)
{
	const struct channel_node *n = &t->node[i];
	int w = n->width, a = width_of(t, i, n->a), b = width_of(t, i, n->b),
	    c = width_of(t, i, n->c);

	switch (op_is_float(n->op) ? S_FLOAT : (enum operand_pattern)shapes[n->op]) {
	case S_INPUT:
		return n->a < t->vars
		    ? t->var[n->a].width == w ? NULL : "width is not its variable's"
		    : "unknown variable";
	case S_CONST: return w <= 64 ? NULL : "constant wider than 64 bits";
	case S_SAME1: return a == w ? NULL : "operand";
	case S_SAME2: return a == w && b == w ? NULL : "operands";
	case S_COMPARE: return w == 1 && a == b && wide(a) ? NULL : "operands";
	case S_ITE: return a == 1 && b == w && c == w ? NULL : "operands";
	case S_CONCAT: return a > 0 && b > 0 && a + b == w ? NULL : "operands";
	case S_EXTRACT:
		return a > 0 && n->c < 128 && (int)n->c + w <= a ? NULL : "operand or low bit";
	case S_EXTEND: return a > 0 && a <= w ? NULL : "operand";
	case S_READ: return a == 0 && b == 64 && w % 8 == 0 ? NULL : "operands";
	case S_STORE: return a == 0 && b == 64 && wide(c) && c % 8 == 0 ? NULL : "operands";
	case S_TABLE:
		return n->b && n->a <= t->blob_size && n->b <= t->blob_size - n->a ? NULL : "bytes";
	case S_FLOAT:
		return a > 0
		        && duct_float_fits(n->op, (unsigned)w, (unsigned)a, b > 0 ? (unsigned)b : 0)
		    ? NULL
		    : "operands";
	default: return "unknown operation";
	}
}

const char *trace_check_node(const struct trace *t, size_t i)
{
	const struct channel_node *n = &t->node[i];
	bool array = n->op == OP_TABLE || n->op == OP_STORE;

	if (n->op >= OP_COUNT)
		return "unknown operation";
	if (array ? n->width != 0 : !wide(n->width))
		return "bad width";
	if (!array && n->width < 64 && n->value >> n->width)
		return "value does not fit its width";
	return check_widths(t, i);
}

static const char *check_condition(const struct trace *t, const struct channel_event *e)
{
	if (!e->node || e->node > t->nodes || t->node[e->node - 1].width != 1)
		return "bad condition";
	if (e->x > 1)
		return "bad outcome";
	return t->node[e->node - 1].value == e->x ? NULL : "outcome is not the condition's value";
}

static const char *check_switch(const struct trace *t, const struct channel_event *e)
{
	if (!e->node || e->node > t->nodes || !t->node[e->node - 1].width)
		return "bad node";
	if (e->x >= t->unit[e->unit].outcomes)
		return "bad outcome";
	return t->node[e->node - 1].value == e->y ? NULL : "value is not the node's";
}

const char *trace_check_event(const struct trace *t, const struct channel_event *e)
{
	bool site = e->kind == EV_BRANCH || e->kind == EV_SWITCH || e->kind == EV_ASSUME_BRANCH
	    || trace_is_note(e);
	bool calls = e->kind == EV_ASKED || e->kind == EV_EFFECT;

	if (!e->kind || e->kind >= EV_KINDS)
		return "unknown kind";
	if (e->unit >= t->units && (e->id || e->unit || site))
		return "unknown unit";
	if (site && !calls && (!e->id || e->id > t->unit[e->unit].branches))
		return "unknown branch";
	switch (e->kind) {
	case EV_SWITCH: return check_switch(t, e);
	case EV_ASSUME:
	case EV_ASSERT:
		if (!e->node)
			return e->x <= 1 ? NULL : "bad outcome";
		return check_condition(t, e);
	case EV_BOUNDS:
		if (!e->y || e->y > t->addresses)
			return "unknown address";
		if (!e->node) /* inside or outside for all inputs */
			return e->x <= 1 ? NULL : "bad outcome";
		return check_condition(t, e);
	case EV_CHECK:
		if (!e->id || e->y > UINT8_MAX || !check_name((unsigned)e->y))
			return "unknown check";
		if (!e->node) /* recorded only if it fails */
			return e->x ? "bad outcome" : NULL;
		return check_condition(t, e);
	case EV_ALIAS:
		if (!e->id || e->id > t->possibles || !e->x)
			return "unknown pair";
		return check_condition(t, e);
	case EV_LOST: return e->x < t->losts ? NULL : "no reason";
	case EV_LIMIT: return e->x < t->limits ? NULL : "no limit";
	case EV_NEED: return e->x < t->needs ? NULL : "nothing is needed";
	case EV_TAKEN:
		if (e->node)
			return check_condition(t, e);
		return e->x < t->unit[e->unit].outcomes ? NULL : "bad outcome";
	case EV_ASKED:
		return e->id && e->x <= ASKED_CONCRETE ? NULL : "unknown function or way of a call";
	case EV_EFFECT:
	case EV_RETURN:
		if (e->node > t->nodes || (e->node && t->node[e->node - 1].value != e->x))
			return "result is not the expression's value";
		return e->id ? NULL : "no function";
	case EV_CALL: return e->id ? NULL : "no function";
	default: return check_condition(t, e);
	}
}

static bool is_array(const struct trace *t, uint32_t node)
{
	return node && node <= t->nodes && t->node[node - 1].width == 0;
}

const char *trace_check_address(const struct trace *t, const struct channel_address *a)
{
	if (!a->node || a->node > t->nodes || t->node[a->node - 1].width != 64)
		return "bad offset";
	if (a->array_before && !is_array(t, a->array_before))
		return "bad array";
	if (a->array_after && !is_array(t, a->array_after))
		return "bad array";
	return a->value <= t->nodes ? NULL : "bad value";
}

const char *trace_check_pair(const struct trace *t, const struct channel_pair *p)
{
	static const char defs[] = { DUCT_PAIR_RECORD, DUCT_PAIR_LIBRARY, DUCT_PAIR_RESULT, 0 };
	static const char uses[] = { DUCT_PAIR_USE, DUCT_PAIR_LIBRARY, DUCT_PAIR_RESULT, 0 };

	if (p->use_unit >= t->units || p->def_unit >= t->units || p->site_unit >= t->units)
		return "no such unit";
	if ((p->def_kind && (!strchr(defs, p->def_kind) || !p->def)) || !p->use_kind
	    || !strchr(uses, p->use_kind) || !p->use)
		return "no definition or use";
	if (p->outcome != DUCT_PAIR_C && p->outcome >= t->unit[p->use_unit].outcomes)
		return "no such outcome";
	return p->when >= DUCT_SAME && p->when <= DUCT_CALLEE
	    ? NULL
	    : "neither same nor before nor callee";
}

const char *trace_check_meet(const struct trace *t, const struct trace_meet *m)
{
	if (!m->a != !m->b || m->a > t->vars || m->b > t->vars || (m->kind != MEET_VALUES && !m->a))
		return "unknown input";
	return m->kind <= MEET_DECIDES ? NULL : "unknown kind";
}

const char *trace_check_var(const struct trace_var *v)
{
	if (!v->kind || v->kind > 127 || !trace_kind_known(v->kind))
		return "unknown kind";
	if (!wide(v->width))
		return "bad width";
	return value_fits(v->value, v->width) ? NULL : "value does not fit its width";
}

static const char *say(char *buf, size_t size, const char *what, size_t i, const char *why)
{
	snprintf(buf, size, "%s %zu: %s", what, i + 1, why);
	return buf;
}

const char *trace_check(const struct trace *t, char *buf, size_t size)
{
	const char *why;
	size_t i;

	for (i = 0; i < t->vars; i++)
		if ((why = trace_check_var(&t->var[i])))
			return say(buf, size, "variable", i, why);
	for (i = 0; i < t->wrotes; i++)
		if ((why = trace_check_var(&t->wrote[i])))
			return say(buf, size, "written variable", i, why);
	for (i = 0; i < t->nodes; i++)
		if ((why = trace_check_node(t, i)))
			return say(buf, size, "node", i, why);
	for (i = 0; i < t->addresses; i++)
		if ((why = trace_check_address(t, &t->address[i])))
			return say(buf, size, "address", i, why);
	for (i = 0; i < t->events; i++)
		if ((why = trace_check_event(t, &t->event[i])))
			return say(buf, size, "event", i, why);
	for (i = 0; i < t->pairs; i++)
		if ((why = trace_check_pair(t, &t->pair[i])))
			return say(buf, size, "pair", i, why);
	for (i = 0; i < t->possibles; i++)
		if ((why = trace_check_pair(t, &t->possible[i])))
			return say(buf, size, "possible pair", i, why);
	for (i = 0; i < t->meets; i++)
		if ((why = trace_check_meet(t, &t->meet[i])))
			return say(buf, size, "meeting", i, why);
	if (t->control > t->vars || t->risk > t->vars)
		return "flows of an unknown input";
	return NULL;
}
