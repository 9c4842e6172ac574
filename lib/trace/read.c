/* read: reads traces from records (man5 trace). Each record is checked at once, so that errors name
 * its line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/protocol/op.h"
#include "lib/protocol/checks.h"
#include "lib/trace/arena.h"
#include "lib/trace/check.h"
#include "lib/trace/hex.h"

/* A trace under construction. */
struct reader {
	struct rec_reader *r;
	struct rec rec;
	struct trace *t;
	size_t room; /* capacity of the blob */
	bool done;
};

#define NO_MEMORY(d) (rec_fail((d)->r, "out of memory"), false)

/* Appends an element of the array `field` of the trace, counted by `count`. */
#define APPEND(d, field, count, element) \
	append(d, (void **)&(d)->t->field, &(d)->t->count, sizeof *(d)->t->field, &(element))

static bool append(struct reader *d, void **array, size_t *n, size_t size, const void *element)
{
	void *p = arena_grow(d->t, *array, *n, size);

	if (!p)
		return NO_MEMORY(d);
	memcpy((char *)p + *n * size, element, size);
	*array = p;
	++*n;
	return true;
}

static bool want(struct reader *d, size_t min, size_t max)
{
	return rec_want(d->r, &d->rec, min, max);
}

static bool num(struct reader *d, size_t i, const char *what, uint64_t max, uint64_t *out)
{
	return rec_u64(d->r, &d->rec, i, what, 0, max, out);
}

static bool num32(struct reader *d, size_t i, const char *what, uint32_t *out)
{
	uint64_t v;

	if (!num(d, i, what, UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

/* Checks that the id is the next of its kind. */
static bool next_id(struct reader *d, const char *what, size_t n)
{
	uint64_t id;

	if (!num(d, 1, what, UINT64_MAX, &id))
		return false;
	if (id == n + 1)
		return true;
	rec_fail(d->r, "%s is %llu, the next is %zu", what, (unsigned long long)id, n + 1);
	return false;
}

static bool sound(struct reader *d, const char *why)
{
	if (why)
		rec_fail(d->r, "`%.20s`: %s", d->rec.field[0], why);
	return !why;
}

static char *text(struct reader *d, size_t i)
{
	char *s = arena_text(d->t, d->rec.field[i], d->rec.len[i]);

	if (!s)
		rec_fail(d->r, "out of memory");
	return s;
}

/* unit ID KEY BRANCHES OUTCOMES BLOCKS FLAGS */
static bool read_unit(struct reader *d)
{
	struct trace_unit u;
	struct value key;

	if (!want(d, 7, 7) || !next_id(d, "unit id", d->t->units)
	    || !hex_get(d->r, &d->rec, 2, "key", 64, &key) || !num32(d, 3, "branches", &u.branches)
	    || !num32(d, 4, "outcomes", &u.outcomes) || !num32(d, 5, "blocks", &u.blocks)
	    || !num32(d, 6, "flags", &u.flags))
		return false;
	u.key = key.lo;
	return APPEND(d, unit, units, u);
}

/* TAG ID NAME KIND WIDTH VALUE [OFFSET] */
static bool read_value(struct reader *d, size_t n, struct trace_var *v)
{
	uint64_t width;

	*v = (struct trace_var){ 0 };
	if (!want(d, 6, 7) || !next_id(d, "variable id", n) || !num(d, 4, "width", 128, &width)
	    || !hex_get(d->r, &d->rec, 5, "value", width ? (unsigned)width : 1, &v->value)
	    || (d->rec.n == 7 && !num32(d, 6, "offset", &v->offset)))
		return false;
	if (!d->rec.len[2] || strlen(d->rec.field[2]) != d->rec.len[2])
		return sound(d, "no name");
	v->kind = d->rec.len[3] == 1 ? (uint8_t)d->rec.field[3][0] : 0;
	v->width = (uint16_t)width;
	return sound(d, trace_check_var(v)) && (v->name = text(d, 2));
}

static bool read_var(struct reader *d)
{
	struct trace_var v;

	return read_value(d, d->t->vars, &v) && APPEND(d, var, vars, v);
}

static bool read_wrote(struct reader *d)
{
	struct trace_var v;

	return read_value(d, d->t->wrotes, &v) && APPEND(d, wrote, wrotes, v);
}

/* e ID table 0 BYTES */
static bool read_table(struct reader *d, struct channel_node *n)
{
	struct trace *t = d->t;
	size_t size, old = t->blob_size;
	uint8_t *blob;

	if (!want(d, 5, 5))
		return false;
	size = d->rec.len[4] / 2;
	if (size > UINT32_MAX - old)
		return sound(d, "more than 4 GiB of tables");
	if (size > d->room - old || !t->blob) {
		d->room = (old + size) * 2 + 1;
		if (!(blob = arena_alloc(t, d->room)))
			return NO_MEMORY(d);
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
static bool read_operands(struct reader *d, struct channel_node *n)
{
	size_t arity = n->op == OP_INPUT ? 1 : n->op == OP_EXTRACT ? 2 : (size_t)op_arity(n->op);
	size_t fields = 4 + arity + (n->op != OP_STORE);
	struct value v;

	if (!want(d, fields, fields) || (arity > 0 && !num32(d, 4, "operand", &n->a))
	    || (arity > 1 && !num32(d, 5, "operand", n->op == OP_EXTRACT ? &n->c : &n->b))
	    || (arity > 2 && !num32(d, 6, "operand", &n->c)))
		return false;
	if (n->op == OP_INPUT && !n->a--)
		return sound(d, "unknown variable");
	if (n->op == OP_STORE)
		return true;
	if (!hex_get(d->r, &d->rec, fields - 1, "value", 64, &v))
		return false;
	n->value = v.lo;
	return true;
}

/* e ID OP WIDTH OPERAND... VALUE */
static bool read_node(struct reader *d)
{
	struct channel_node n = { 0 };
	uint64_t width;

	if (!want(d, 5, 8) || !next_id(d, "expression id", d->t->nodes)
	    || !num(d, 3, "width", 128, &width))
		return false;
	n.op = (uint8_t)op_find(d->rec.field[2]);
	n.width = (uint16_t)width;
	if (n.op == OP_NONE || n.op >= OP_COUNT)
		return sound(d, "unknown operation");
	if (!(n.op == OP_TABLE ? read_table(d, &n) : read_operands(d, &n))
	    || !APPEND(d, node, nodes, n))
		return false;
	return sound(d, trace_check_node(d->t, d->t->nodes - 1));
}

/* address ID OFFSET BEFORE AFTER VALUE OBJECT SIZE ADDRESS BYTES */
static bool read_address(struct reader *d)
{
	struct channel_address a = { 0 };
	struct value object, address;

	if (!want(d, 10, 10) || !next_id(d, "address id", d->t->addresses)
	    || !num32(d, 2, "offset", &a.node) || !num32(d, 3, "array", &a.array_before)
	    || !num32(d, 4, "array", &a.array_after) || !num32(d, 5, "value", &a.value)
	    || !hex_get(d->r, &d->rec, 6, "object", 64, &object)
	    || !num(d, 7, "object's size", UINT64_MAX, &a.object_size)
	    || !hex_get(d->r, &d->rec, 8, "address", 64, &address)
	    || !num32(d, 9, "bytes", &a.bytes))
		return false;
	a.object = object.lo;
	a.address = address.lo;
	return sound(d, trace_check_address(d->t, &a)) && APPEND(d, address, addresses, a);
}

/* Field 1, a unit id or 0, as an index. */
static bool unit_index(struct reader *d, uint32_t *unit)
{
	uint64_t id;

	if (!num(d, 1, "unit", d->t->units, &id))
		return false;
	*unit = id ? (uint32_t)id - 1 : 0;
	return true;
}

/* KIND UNIT ID NODE OUTCOME [EXTRA] */
static bool read_event(struct reader *d, enum event_kind kind)
{
	struct channel_event e = { .kind = (uint16_t)kind };
	size_t fields = kind == EV_SWITCH || kind == EV_BOUNDS || kind == EV_ASSUME_BRANCH ? 6 : 5;
	struct value v = { 0, 0 };
	uint64_t extra = 0;

	if (!want(d, fields, fields) || !unit_index(d, &e.unit) || !num32(d, 2, "id", &e.id)
	    || !num32(d, 3, "expression", &e.node) || !num(d, 4, "outcome", UINT32_MAX, &e.x))
		return false;
	if (kind == EV_SWITCH && !hex_get(d->r, &d->rec, 5, "value", 64, &v))
		return false;
	if (kind == EV_BOUNDS && !num(d, 5, "address", d->t->addresses, &v.lo))
		return false;
	if (kind == EV_ASSUME_BRANCH && !num(d, 5, "required", 1, &extra))
		return false;
	e.y = v.lo;
	e.flags = (uint16_t)extra;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

static bool read_branch(struct reader *d)
{
	return read_event(d, EV_BRANCH);
}
static bool read_switch(struct reader *d)
{
	return read_event(d, EV_SWITCH);
}
static bool read_assume(struct reader *d)
{
	return read_event(d, EV_ASSUME);
}
static bool read_assume_branch(struct reader *d)
{
	return read_event(d, EV_ASSUME_BRANCH);
}
static bool read_assert(struct reader *d)
{
	return read_event(d, EV_ASSERT);
}
static bool read_model(struct reader *d)
{
	return read_event(d, EV_MODEL);
}
static bool read_bounds(struct reader *d)
{
	return read_event(d, EV_BOUNDS);
}

/* check UNIT INST E VALUE KIND ASIDE */
static bool read_check(struct reader *d)
{
	struct channel_event e = { .kind = EV_CHECK };
	uint64_t aside;

	if (!want(d, 7, 7) || !unit_index(d, &e.unit) || !num32(d, 2, "instruction", &e.id)
	    || !num32(d, 3, "expression", &e.node) || !num(d, 4, "outcome", 1, &e.x)
	    || !num(d, 6, "aside", 1, &aside))
		return false;
	e.y = check_find(d->rec.field[5]);
	e.flags = (uint16_t)aside;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* call UNIT FUNCTION, return UNIT FUNCTION [RESULT [EXPRESSION]] */
static bool read_call(struct reader *d)
{
	struct channel_event e = { .kind = d->rec.field[0][0] == 'c' ? EV_CALL : EV_RETURN };

	e.flags = e.kind == EV_RETURN && d->rec.n > 3;
	if (!want(d, 3, e.kind == EV_RETURN ? 5 : 3) || !unit_index(d, &e.unit)
	    || !num32(d, 2, "function", &e.id)
	    || (e.flags && !num(d, 3, "result", UINT64_MAX, &e.x))
	    || (e.flags && d->rec.n == 5 && !num32(d, 4, "expression", &e.node)))
		return false;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* taken UNIT BRANCH OUTCOME [NODE], asked UNIT FUNCTION HOW */
static bool read_note(struct reader *d)
{
	struct channel_event e = { .kind = d->rec.field[0][0] == 't' ? EV_TAKEN : EV_ASKED };

	if (!want(d, 4, e.kind == EV_TAKEN ? 5 : 4)
	    || (d->rec.n == 5 && !num32(d, 4, "expression", &e.node)) || !unit_index(d, &e.unit)
	    || !num32(d, 2, "branch or function", &e.id) || !num(d, 3, "outcome", UINT32_MAX, &e.x))
		return false;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* effect UNIT FUNCTION PART VALUE [EXPRESSION] */
static bool read_effect(struct reader *d)
{
	struct channel_event e = { .kind = EV_EFFECT };

	if (!want(d, 5, 6) || !unit_index(d, &e.unit) || !num32(d, 2, "function", &e.id)
	    || !num(d, 3, "part", UINT32_MAX, &e.y) || !num(d, 4, "value", UINT64_MAX, &e.x)
	    || (d->rec.n == 6 && !num32(d, 5, "expression", &e.node)))
		return false;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* lost UNIT PLACE REASON */
static bool read_lost(struct reader *d)
{
	struct channel_event e = { .kind = EV_LOST, .x = d->t->losts };
	struct trace_lost l;

	if (!want(d, 4, 4) || !unit_index(d, &l.unit) || !num32(d, 2, "place", &l.place))
		return false;
	if (!d->rec.len[3])
		return sound(d, "no reason");
	if (!(l.reason = text(d, 3)) || !APPEND(d, lost, losts, l))
		return false;
	e.unit = l.unit;
	e.id = l.place;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* TAG KIND NAME VALUE */
static bool read_named(struct reader *d, struct trace_limit *l)
{
	*l = (struct trace_limit){ 0 };
	if (!want(d, 4, 4) || !num(d, 3, "value", UINT64_MAX, &l->value))
		return false;
	if (!d->rec.len[1])
		return sound(d, "no kind");
	return (l->kind = text(d, 1)) && (l->name = text(d, 2));
}

static bool read_limit(struct reader *d)
{
	struct channel_event e = { .kind = EV_LIMIT, .x = d->t->limits };
	struct trace_limit l;

	return read_named(d, &l) && APPEND(d, limit, limits, l) && APPEND(d, event, events, e);
}

static bool read_need(struct reader *d)
{
	struct channel_event e = { .kind = EV_NEED, .x = d->t->needs };
	struct trace_limit l;

	return read_named(d, &l) && APPEND(d, need, needs, l) && APPEND(d, event, events, e);
}

/* Is (unit, number) greater than the last element of the list? */
static bool ascends(const struct trace_cover *last, uint32_t unit, uint32_t number)
{
	return !last || last->unit < unit || (last->unit == unit && last->outcome < number);
}

/* cover UNIT OUTCOME... */
static bool read_cover(struct reader *d)
{
	struct trace *t = d->t;
	struct trace_cover c;
	size_t i;

	if (!want(d, 3, SIZE_MAX) || !unit_index(d, &c.unit))
		return false;
	if (c.unit >= t->units)
		return sound(d, "unknown unit");
	for (i = 2; i < d->rec.n; i++) {
		if (!num32(d, i, "outcome", &c.outcome))
			return false;
		if (c.outcome >= t->unit[c.unit].outcomes)
			return sound(d, "unknown outcome");
		if (!ascends(t->covers ? &t->cover[t->covers - 1] : NULL, c.unit, c.outcome))
			return sound(d, "outcomes do not ascend");
		if (!APPEND(d, cover, covers, c))
			return false;
	}
	return true;
}

/* block UNIT BLOCK... */
static bool read_block(struct reader *d)
{
	struct trace *t = d->t;
	struct trace_block b;
	size_t i;

	if (!want(d, 3, SIZE_MAX) || !unit_index(d, &b.unit))
		return false;
	if (b.unit >= t->units)
		return sound(d, "unknown unit");
	for (i = 2; i < d->rec.n; i++) {
		if (!num32(d, i, "block", &b.block))
			return false;
		if (!b.block || b.block > t->unit[b.unit].blocks)
			return sound(d, "unknown block");
		if (!APPEND(d, block, blocks, b))
			return false;
	}
	return true;
}

/* EVENTS UNIT ... */
static bool read_step(struct reader *d, struct trace_step *s)
{
	struct trace *t = d->t;

	*s = (struct trace_step){ 0 };
	if (!want(d, 4, SIZE_MAX) || !num32(d, 1, "number of events", &s->events)
	    || !num32(d, 2, "unit", &s->unit))
		return false;
	if (!s->unit || --s->unit >= t->units)
		return sound(d, "unknown unit");
	return s->events > t->events || (t->path && s->events < t->step[t->path - 1].events)
	    ? sound(d, "numbers of events do not ascend")
	    : true;
}

/* way EVENTS UNIT BLOCK ... */
static bool read_way(struct reader *d)
{
	struct trace *t = d->t;
	struct trace_step s;
	size_t i;

	if (!read_step(d, &s))
		return false;
	for (i = 3; i < d->rec.n; i++) {
		if (!num32(d, i, "block", &s.block))
			return false;
		if (!s.block || s.block > t->unit[s.unit].blocks)
			return sound(d, "unknown block");
		if (!APPEND(d, step, path, s))
			return false;
	}
	return true;
}

/* fault UNIT BLOCK LINE FILE MESSAGE */
static bool read_fault(struct reader *d)
{
	struct trace *t = d->t;

	if (!want(d, 6, 6) || !unit_index(d, &t->fault_unit)
	    || !num32(d, 2, "block", &t->fault_block) || !num32(d, 3, "line", &t->fault_line))
		return false;
	if (t->fault_block
	    && (t->fault_unit >= t->units || t->fault_block > t->unit[t->fault_unit].blocks))
		return sound(d, "unknown block");
	if (d->rec.len[4] && !(t->fault_file = text(d, 4)))
		return false;
	return !d->rec.len[5] || (t->fault_message = text(d, 5));
}

/* at INST */
static bool read_at(struct reader *d)
{
	return want(d, 2, 2) && num32(d, 1, "instruction", &d->t->fault_inst);
}

static bool read_result(struct reader *d)
{
	d->t->has_result = true;
	return want(d, 2, 2) && rec_i64(d->r, &d->rec, 1, "result", &d->t->result);
}

/* A letter and a number, or `-` for none. */
static bool read_number(struct reader *d, size_t i, uint8_t *kind, uint32_t *number)
{
	const char *s = d->rec.field[i];
	char *end;
	unsigned long v;

	*kind = 0;
	*number = 0;
	if (!strcmp(s, "-"))
		return true;
	v = s[0] && s[1] >= '0' && s[1] <= '9' ? strtoul(s + 1, &end, 10) : 0;
	if (!v || *end || v > UINT32_MAX)
		return sound(d, "expected a letter and a number");
	*kind = (uint8_t)s[0];
	*number = (uint32_t)v;
	return true;
}

/* A unit id or 0, as an index; ids start at 1. */
static bool read_pair_unit(struct reader *d, size_t i, uint32_t *unit)
{
	if (!num32(d, i, "unit", unit))
		return false;
	*unit -= *unit > 0;
	return true;
}

/* pair or possible UNIT DEF UNIT USE OUTCOME WHEN [UNIT CALL] */
static bool read_pair(struct reader *d)
{
	struct channel_pair p = { .outcome = DUCT_PAIR_C };

	if (!want(d, 7, 9) || !read_pair_unit(d, 1, &p.def_unit)
	    || !read_number(d, 2, &p.def_kind, &p.def) || !read_pair_unit(d, 3, &p.use_unit)
	    || !read_number(d, 4, &p.use_kind, &p.use)
	    || (strcmp(d->rec.field[5], "c") && !num32(d, 5, "outcome", &p.outcome)))
		return false;
	for (p.when = DUCT_SAME; p.when <= DUCT_CALLEE; p.when++)
		if (!strcmp(d->rec.field[6], trace_when_name(p.when)))
			break;
	if (d->rec.n == 9 && (!read_pair_unit(d, 7, &p.site_unit) || !num32(d, 8, "call", &p.site)))
		return false;
	if (!sound(d, d->rec.n == 8 ? "a call without its number" : trace_check_pair(d->t, &p)))
		return false;
	p.possible = d->rec.field[0][1] == 'o';
	return p.possible ? APPEND(d, possible, possibles, p) : APPEND(d, pair, pairs, p);
}

/* alias PAIR E VALUE */
static bool read_alias(struct reader *d)
{
	struct channel_event e = { .kind = EV_ALIAS };

	if (!want(d, 4, 4) || !num32(d, 1, "pair", &e.id) || !num32(d, 2, "expression", &e.node)
	    || !num(d, 3, "value", 1, &e.x))
		return false;
	return sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* unaliased all or reads */
static bool read_unaliased(struct reader *d)
{
	if (!want(d, 2, 2))
		return false;
	if (!strcmp(d->rec.field[1], "all"))
		d->t->unaliased |= UNALIASED_ALL;
	else if (!strcmp(d->rec.field[1], "reads"))
		d->t->unaliased |= UNALIASED_READS;
	else
		return sound(d, "neither all nor reads");
	return true;
}

/* gone EVENTS UNIT DEF ... */
static bool read_gone(struct reader *d)
{
	struct trace_step s;
	size_t i;

	if (!read_step(d, &s))
		return false;
	for (i = 3; i < d->rec.n; i++) {
		if (!read_number(d, i, &s.kind, &s.def))
			return false;
		if (s.kind != DUCT_PAIR_RECORD && s.kind != DUCT_PAIR_LIBRARY)
			return sound(d, "expected a definition");
		if (!APPEND(d, step, path, s))
			return false;
	}
	return true;
}

/* unpaired UNIT INST NAME */
static bool read_unpaired(struct reader *d)
{
	struct trace_lost l;

	if (!want(d, 4, 4) || !read_pair_unit(d, 1, &l.unit)
	    || !num32(d, 2, "instruction", &l.place) || !(l.reason = text(d, 3)))
		return false;
	return sound(d, l.unit >= d->t->units ? "no such unit" : NULL)
	    && APPEND(d, unpaired, unpaireds, l);
}

/* meet or guard V1 V2 LINE COL FILE */
static bool read_meet(struct reader *d)
{
	struct trace_meet m = { .kind = d->rec.field[0][0] == 'g' ? MEET_GUARD : MEET_VALUES };

	if (!want(d, 6, 6) || !num32(d, 1, "input", &m.a) || !num32(d, 2, "input", &m.b)
	    || !num32(d, 3, "line", &m.line) || !num32(d, 4, "column", &m.col)
	    || !(m.text = text(d, 5)))
		return false;
	return sound(d, m.a ? trace_check_meet(d->t, &m) : "unknown input")
	    && APPEND(d, meet, meets, m);
}

/* decides VAR */
static bool read_decides(struct reader *d)
{
	struct trace_meet m = { .kind = MEET_DECIDES };

	if (!want(d, 2, 2) || !num32(d, 1, "input", &m.a))
		return false;
	m.b = m.a;
	return sound(d, trace_check_meet(d->t, &m)) && (m.text = arena_text(d->t, "", 0))
	    && APPEND(d, meet, meets, m);
}

/* unfollowed WHAT */
static bool read_unfollowed(struct reader *d)
{
	struct trace_meet m = { 0 };

	return want(d, 2, 2) && (m.text = text(d, 1)) && APPEND(d, meet, meets, m);
}

/* flows CONTROL RISK LEARNED */
static bool read_flows(struct reader *d)
{
	struct trace *t = d->t;

	t->flows = true;
	return want(d, 4, 4) && num32(d, 1, "input", &t->control) && num32(d, 2, "input", &t->risk)
	    && num(d, 3, "number", UINT64_MAX, &t->learned)
	    && sound(d, t->control > t->vars || t->risk > t->vars ? "unknown input" : NULL);
}

static bool read_output(struct reader *d)
{
	if (!want(d, 2, 2) || !(d->t->output = text(d, 1)))
		return false;
	d->t->output_size = d->rec.len[1];
	return true;
}

static bool read_promise(struct reader *d)
{
	if (!want(d, 3, 3) || !num(d, 2, "number", UINT64_MAX, &d->t->promised))
		return false;
	d->t->promise = !strcmp(d->rec.field[1], "kept") ? PROMISE_KEPT
	    : !strcmp(d->rec.field[1], "missed")         ? PROMISE_MISSED
	                                                 : PROMISE_NONE;
	return sound(d, d->t->promise == PROMISE_NONE ? "neither kept nor missed" : NULL);
}

/* done END CODE STEPS CPU LEFT */
static bool read_done(struct reader *d)
{
	struct trace *t = d->t;
	uint64_t code;
	unsigned end;

	if (!want(d, 6, 6) || !num(d, 2, "code", INT_MAX, &code)
	    || !num(d, 3, "steps", UINT64_MAX, &t->steps)
	    || !num(d, 4, "time", UINT64_MAX, &t->cpu_us)
	    || !num(d, 5, "processes left", UINT64_MAX, &t->left_behind))
		return false;
	for (end = 0; end < END_COUNT; end++)
		if (!strcmp(d->rec.field[1], trace_end_name(end)))
			break;
	if (end == END_COUNT)
		return sound(d, "unknown end");
	t->end = end;
	*(end == END_EXIT ? &t->exit_status : &t->signal) = (int)code;
	return d->done = true;
}

static const struct {
	const char *tag;
	bool (*read)(struct reader *);
} tags[] = {
	{ "e", read_node },
	{ "branch", read_branch },
	{ "cover", read_cover },
	{ "block", read_block },
	{ "var", read_var },
	{ "unit", read_unit },
	{ "model", read_model },
	{ "switch", read_switch },
	{ "bounds", read_bounds },
	{ "address", read_address },
	{ "assume", read_assume },
	{ "assume-branch", read_assume_branch },
	{ "assert", read_assert },
	{ "lost", read_lost },
	{ "limit", read_limit },
	{ "need", read_need },
	{ "check", read_check },
	{ "at", read_at },
	{ "call", read_call },
	{ "return", read_call },
	{ "taken", read_note },
	{ "asked", read_note },
	{ "effect", read_effect },
	{ "fault", read_fault },
	{ "pair", read_pair },
	{ "possible", read_pair },
	{ "alias", read_alias },
	{ "unaliased", read_unaliased },
	{ "unpaired", read_unpaired },
	{ "way", read_way },
	{ "gone", read_gone },
	{ "meet", read_meet },
	{ "guard", read_meet },
	{ "decides", read_decides },
	{ "unfollowed", read_unfollowed },
	{ "flows", read_flows },
	{ "result", read_result },
	{ "wrote", read_wrote },
	{ "output", read_output },
	{ "promise", read_promise },
	{ "done", read_done },
};

/* Index in tags; if unknown, the number of tags. */
static size_t find_tag(const char *tag)
{
	size_t i;

	for (i = 0; i < sizeof tags / sizeof *tags; i++)
		if (!strcmp(tag, tags[i].tag))
			break;
	return i;
}

static bool read_record(struct reader *d)
{
	size_t i;

	if (!strcmp(d->rec.field[0], "trace"))
		return sound(d, "the trace before it has no `done`");
	i = find_tag(d->rec.field[0]);
	return i == sizeof tags / sizeof *tags || tags[i].read(d);
}

static enum rec_status read_body(struct reader *d)
{
	enum rec_status status;

	while (!d->done) {
		if ((status = rec_next(d->r, &d->rec)) == REC_ERROR)
			return status;
		if (status == REC_END || rec_first(d->r))
			return rec_fail(d->r, "the last trace has no `done`");
		if (!read_record(d))
			return REC_ERROR;
	}
	return REC_OK;
}

/* Reads the `trace` record that starts a trace. */
static enum rec_status read_head(struct reader *d)
{
	enum rec_status status;

	while ((status = rec_next(d->r, &d->rec)) == REC_OK && strcmp(d->rec.field[0], "trace"))
		if (find_tag(d->rec.field[0]) < sizeof tags / sizeof *tags)
			return rec_fail(d->r, "`%s` stands before any `trace`", d->rec.field[0]);
	if (status == REC_OK
	    && (!want(d, 2, 2) || !rec_u64(d->r, &d->rec, 1, "id", 1, UINT64_MAX, &d->t->id)))
		return REC_ERROR;
	return status;
}

/* t is overwritten. The caller clears it after REC_OK only. */
enum rec_status trace_read(struct rec_reader *r, struct trace *t)
{
	struct reader d = { .r = r, .t = t };
	enum rec_status status;

	memset(t, 0, sizeof *t);
	if ((status = read_head(&d)) == REC_OK && (status = read_body(&d)) != REC_OK)
		trace_clear(t);
	return status;
}
