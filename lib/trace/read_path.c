/* Reads the records of a run's path: expressions and events. */
#include <string.h>

#include "lib/protocol/checks.h"
#include "lib/protocol/op.h"
#include "lib/trace/hex.h"
#include "lib/trace/inner.h"

/* e ID table 0 BYTES */
static bool read_table(struct trace_in *d, struct channel_node *n)
{
	struct trace *t = d->t;
	size_t size, old = t->blob_size;
	uint8_t *blob;

	if (!trace_in_want(d, 5, 5))
		return false;
	size = d->rec.len[4] / 2;
	if (size > UINT32_MAX - old)
		return trace_in_sound(d, "more than 4 GiB of tables");
	if (size > d->room - old || !t->blob) {
		d->room = (old + size) * 2 + 1;
		blob = arena_alloc(t, d->room);
		if (old)
			memcpy(blob, t->blob, old);
		t->blob = blob;
	}
	if (!hex_bytes(d->r, &d->rec, 4, t->blob + old))
		return false;
	n->a = (uint32_t)old;
	n->b = (uint32_t)size;
	t->blob_size += size;
	return true;
}

/* Operands from field 4 on, then the value unless it is an array. */
static bool read_operands(struct trace_in *d, struct channel_node *n)
{
	size_t arity = n->op == OP_INPUT ? 1 : n->op == OP_EXTRACT ? 2 : (size_t)op_arity(n->op);
	size_t fields = 4 + arity + (n->op != OP_STORE);
	struct value v;

	if (!trace_in_want(d, fields, fields)
	    || (arity > 0 && !trace_in_num32(d, 4, "operand", &n->a))
	    || (arity > 1 && !trace_in_num32(d, 5, "operand", n->op == OP_EXTRACT ? &n->c : &n->b))
	    || (arity > 2 && !trace_in_num32(d, 6, "operand", &n->c)))
		return false;
	if (n->op == OP_INPUT && !n->a--)
		return trace_in_sound(d, "unknown variable");
	if (n->op == OP_STORE)
		return true;
	if (!hex_get(d->r, &d->rec, fields - 1, "value", 64, &v))
		return false;
	n->value = v.lo;
	return true;
}

/* e ID OP WIDTH OPERAND... VALUE */
bool trace_read_node(struct trace_in *d)
{
	struct channel_node n = { 0 };
	uint64_t width;

	if (!trace_in_want(d, 5, 8) || !trace_in_next_id(d, "expression id", d->t->nodes)
	    || !trace_in_num(d, 3, "width", 128, &width))
		return false;
	n.op = (uint8_t)op_find(d->rec.field[2]);
	n.width = (uint16_t)width;
	if (n.op == OP_NONE || n.op >= OP_COUNT)
		return trace_in_sound(d, "unknown operation");
	if (!(n.op == OP_TABLE ? read_table(d, &n) : read_operands(d, &n))
	    || !APPEND(d, node, nodes, n))
		return false;
	return trace_in_sound(d, trace_check_node(d->t, d->t->nodes - 1));
}

/* address ID OFFSET BEFORE AFTER VALUE OBJECT SIZE ADDRESS BYTES */
bool trace_read_address(struct trace_in *d)
{
	struct channel_address a = { 0 };
	struct value object, address;

	if (!trace_in_want(d, 10, 10) || !trace_in_next_id(d, "address id", d->t->addresses)
	    || !trace_in_num32(d, 2, "offset", &a.node)
	    || !trace_in_num32(d, 3, "array", &a.array_before)
	    || !trace_in_num32(d, 4, "array", &a.array_after)
	    || !trace_in_num32(d, 5, "value", &a.value)
	    || !hex_get(d->r, &d->rec, 6, "object", 64, &object)
	    || !trace_in_num(d, 7, "object's size", UINT64_MAX, &a.object_size)
	    || !hex_get(d->r, &d->rec, 8, "address", 64, &address)
	    || !trace_in_num32(d, 9, "bytes", &a.bytes))
		return false;
	a.object = object.lo;
	a.address = address.lo;
	return trace_in_sound(d, trace_check_address(d->t, &a)) && APPEND(d, address, addresses, a);
}

/* KIND UNIT ID NODE OUTCOME [EXTRA] */
static bool read_event(struct trace_in *d, enum event_kind kind)
{
	struct channel_event e = { .kind = (uint16_t)kind };
	size_t fields = kind == EV_SWITCH || kind == EV_BOUNDS || kind == EV_ASSUME_BRANCH ? 6 : 5;
	struct value v = { 0, 0 };
	uint64_t extra = 0;

	if (!trace_in_want(d, fields, fields) || !trace_in_unit_index(d, &e.unit)
	    || !trace_in_num32(d, 2, "id", &e.id) || !trace_in_num32(d, 3, "expression", &e.node)
	    || !trace_in_num(d, 4, "outcome", UINT32_MAX, &e.x))
		return false;
	if (kind == EV_SWITCH && !hex_get(d->r, &d->rec, 5, "value", 64, &v))
		return false;
	if (kind == EV_BOUNDS && !trace_in_num(d, 5, "address", d->t->addresses, &v.lo))
		return false;
	if (kind == EV_ASSUME_BRANCH && !trace_in_num(d, 5, "required", 1, &extra))
		return false;
	e.y = v.lo;
	e.flags = (uint16_t)extra;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

bool trace_read_branch(struct trace_in *d)
{
	return read_event(d, EV_BRANCH);
}

bool trace_read_switch(struct trace_in *d)
{
	return read_event(d, EV_SWITCH);
}

bool trace_read_assume(struct trace_in *d)
{
	return read_event(d, EV_ASSUME);
}

bool trace_read_assume_branch(struct trace_in *d)
{
	return read_event(d, EV_ASSUME_BRANCH);
}

bool trace_read_assert(struct trace_in *d)
{
	return read_event(d, EV_ASSERT);
}

bool trace_read_model(struct trace_in *d)
{
	return read_event(d, EV_MODEL);
}

bool trace_read_bounds(struct trace_in *d)
{
	return read_event(d, EV_BOUNDS);
}

/* check UNIT INST E VALUE KIND ASIDE */
bool trace_read_check(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_CHECK };
	uint64_t aside;

	if (!trace_in_want(d, 7, 7) || !trace_in_unit_index(d, &e.unit)
	    || !trace_in_num32(d, 2, "instruction", &e.id)
	    || !trace_in_num32(d, 3, "expression", &e.node)
	    || !trace_in_num(d, 4, "outcome", 1, &e.x) || !trace_in_num(d, 6, "aside", 1, &aside))
		return false;
	e.y = check_find(d->rec.field[5]);
	e.flags = (uint16_t)aside;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* call UNIT FUNCTION, return UNIT FUNCTION [RESULT [EXPRESSION]] */
bool trace_read_call(struct trace_in *d)
{
	struct channel_event e = { .kind = d->rec.field[0][0] == 'c' ? EV_CALL : EV_RETURN };

	e.flags = e.kind == EV_RETURN && d->rec.n > 3;
	if (!trace_in_want(d, 3, e.kind == EV_RETURN ? 5 : 3) || !trace_in_unit_index(d, &e.unit)
	    || !trace_in_num32(d, 2, "function", &e.id)
	    || (e.flags && !trace_in_num(d, 3, "result", UINT64_MAX, &e.x))
	    || (e.flags && d->rec.n == 5 && !trace_in_num32(d, 4, "expression", &e.node)))
		return false;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* taken UNIT BRANCH OUTCOME [NODE], asked UNIT FUNCTION HOW */
bool trace_read_note(struct trace_in *d)
{
	struct channel_event e = { .kind = d->rec.field[0][0] == 't' ? EV_TAKEN : EV_ASKED };

	if (!trace_in_want(d, 4, e.kind == EV_TAKEN ? 5 : 4)
	    || (d->rec.n == 5 && !trace_in_num32(d, 4, "expression", &e.node))
	    || !trace_in_unit_index(d, &e.unit)
	    || !trace_in_num32(d, 2, "branch or function", &e.id)
	    || !trace_in_num(d, 3, "outcome", UINT32_MAX, &e.x))
		return false;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* effect UNIT FUNCTION PART VALUE [EXPRESSION] */
bool trace_read_effect(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_EFFECT };

	if (!trace_in_want(d, 5, 6) || !trace_in_unit_index(d, &e.unit)
	    || !trace_in_num32(d, 2, "function", &e.id)
	    || !trace_in_num(d, 3, "part", UINT32_MAX, &e.y)
	    || !trace_in_num(d, 4, "value", UINT64_MAX, &e.x)
	    || (d->rec.n == 6 && !trace_in_num32(d, 5, "expression", &e.node)))
		return false;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* lost UNIT PLACE REASON */
bool trace_read_lost(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_LOST, .x = d->t->losts };
	struct trace_lost l;

	if (!trace_in_want(d, 4, 4) || !trace_in_unit_index(d, &l.unit)
	    || !trace_in_num32(d, 2, "place", &l.place))
		return false;
	if (!d->rec.len[3])
		return trace_in_sound(d, "no reason");
	if (!(l.reason = trace_in_text(d, 3)) || !APPEND(d, lost, losts, l))
		return false;
	e.unit = l.unit;
	e.id = l.place;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* TAG KIND NAME VALUE */
static bool read_named(struct trace_in *d, struct trace_limit *l)
{
	*l = (struct trace_limit){ 0 };
	if (!trace_in_want(d, 4, 4) || !trace_in_num(d, 3, "value", UINT64_MAX, &l->value))
		return false;
	if (!d->rec.len[1])
		return trace_in_sound(d, "no kind");
	return (l->kind = trace_in_text(d, 1)) && (l->name = trace_in_text(d, 2));
}

bool trace_read_limit(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_LIMIT, .x = d->t->limits };
	struct trace_limit l;

	return read_named(d, &l) && APPEND(d, limit, limits, l) && APPEND(d, event, events, e);
}

bool trace_read_need(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_NEED, .x = d->t->needs };
	struct trace_limit l;

	return read_named(d, &l) && APPEND(d, need, needs, l) && APPEND(d, event, events, e);
}
