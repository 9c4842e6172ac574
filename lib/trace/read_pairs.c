/* Reads the records of definitions and uses, and of inputs that flow together. */
#include <stdlib.h>
#include <string.h>

#include "lib/trace/inner.h"

/* EVENTS UNIT ... */
static bool read_step(struct trace_in *d, struct trace_step *s)
{
	struct trace *t = d->t;

	*s = (struct trace_step){ 0 };
	if (!trace_in_want(d, 4, SIZE_MAX) || !trace_in_num32(d, 1, "number of events", &s->events)
	    || !trace_in_num32(d, 2, "unit", &s->unit))
		return false;
	if (!s->unit || --s->unit >= t->units)
		return trace_in_sound(d, "unknown unit");
	return s->events > t->events || (t->path && s->events < t->step[t->path - 1].events)
	    ? trace_in_sound(d, "numbers of events do not ascend")
	    : true;
}

/* way EVENTS UNIT BLOCK ... */
bool trace_read_way(struct trace_in *d)
{
	struct trace *t = d->t;
	struct trace_step s;
	size_t i;

	if (!read_step(d, &s))
		return false;
	for (i = 3; i < d->rec.n; i++) {
		if (!trace_in_num32(d, i, "block", &s.block))
			return false;
		if (!s.block || s.block > t->unit[s.unit].blocks)
			return trace_in_sound(d, "unknown block");
		if (!APPEND(d, step, path, s))
			return false;
	}
	return true;
}

/* A letter and a number, or `-` for none. */
static bool read_number(struct trace_in *d, size_t i, uint8_t *kind, uint32_t *number)
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
		return trace_in_sound(d, "expected a letter and a number");
	*kind = (uint8_t)s[0];
	*number = (uint32_t)v;
	return true;
}

/* A unit id or 0, as an index; ids start at 1. */
static bool read_pair_unit(struct trace_in *d, size_t i, uint32_t *unit)
{
	if (!trace_in_num32(d, i, "unit", unit))
		return false;
	*unit -= *unit > 0;
	return true;
}

/* pair or possible UNIT DEF UNIT USE OUTCOME WHEN [UNIT CALL] */
bool trace_read_pair(struct trace_in *d)
{
	struct channel_pair p = { .outcome = DUCT_PAIR_C };

	if (!trace_in_want(d, 7, 9) || !read_pair_unit(d, 1, &p.def_unit)
	    || !read_number(d, 2, &p.def_kind, &p.def) || !read_pair_unit(d, 3, &p.use_unit)
	    || !read_number(d, 4, &p.use_kind, &p.use)
	    || (strcmp(d->rec.field[5], "c") && !trace_in_num32(d, 5, "outcome", &p.outcome)))
		return false;
	for (p.when = DUCT_SAME; p.when <= DUCT_CALLEE; p.when++)
		if (!strcmp(d->rec.field[6], trace_when_name(p.when)))
			break;
	if (d->rec.n == 9
	    && (!read_pair_unit(d, 7, &p.site_unit) || !trace_in_num32(d, 8, "call", &p.site)))
		return false;
	if (!trace_in_sound(
	        d, d->rec.n == 8 ? "a call without its number" : trace_check_pair(d->t, &p)))
		return false;
	p.possible = d->rec.field[0][1] == 'o';
	return p.possible ? APPEND(d, possible, possibles, p) : APPEND(d, pair, pairs, p);
}

/* alias PAIR E VALUE */
bool trace_read_alias(struct trace_in *d)
{
	struct channel_event e = { .kind = EV_ALIAS };

	if (!trace_in_want(d, 4, 4) || !trace_in_num32(d, 1, "pair", &e.id)
	    || !trace_in_num32(d, 2, "expression", &e.node)
	    || !trace_in_num(d, 3, "value", 1, &e.x))
		return false;
	return trace_in_sound(d, trace_check_event(d->t, &e)) && APPEND(d, event, events, e);
}

/* unaliased all or reads */
bool trace_read_unaliased(struct trace_in *d)
{
	if (!trace_in_want(d, 2, 2))
		return false;
	if (!strcmp(d->rec.field[1], "all"))
		d->t->unaliased |= UNALIASED_ALL;
	else if (!strcmp(d->rec.field[1], "reads"))
		d->t->unaliased |= UNALIASED_READS;
	else
		return trace_in_sound(d, "neither all nor reads");
	return true;
}

/* gone EVENTS UNIT DEF ... */
bool trace_read_gone(struct trace_in *d)
{
	struct trace_step s;
	size_t i;

	if (!read_step(d, &s))
		return false;
	for (i = 3; i < d->rec.n; i++) {
		if (!read_number(d, i, &s.kind, &s.def))
			return false;
		if (s.kind != DUCT_PAIR_RECORD && s.kind != DUCT_PAIR_LIBRARY)
			return trace_in_sound(d, "expected a definition");
		if (!APPEND(d, step, path, s))
			return false;
	}
	return true;
}

/* unpaired UNIT INST NAME */
bool trace_read_unpaired(struct trace_in *d)
{
	struct trace_lost l;

	if (!trace_in_want(d, 4, 4) || !read_pair_unit(d, 1, &l.unit)
	    || !trace_in_num32(d, 2, "instruction", &l.place) || !(l.reason = trace_in_text(d, 3)))
		return false;
	return trace_in_sound(d, l.unit >= d->t->units ? "no such unit" : NULL)
	    && APPEND(d, unpaired, unpaireds, l);
}

/* meet or guard V1 V2 LINE COL FILE */
bool trace_read_meet(struct trace_in *d)
{
	struct trace_meet m = { .kind = d->rec.field[0][0] == 'g' ? MEET_GUARD : MEET_VALUES };

	if (!trace_in_want(d, 6, 6) || !trace_in_num32(d, 1, "input", &m.a)
	    || !trace_in_num32(d, 2, "input", &m.b) || !trace_in_num32(d, 3, "line", &m.line)
	    || !trace_in_num32(d, 4, "column", &m.col) || !(m.text = trace_in_text(d, 5)))
		return false;
	return trace_in_sound(d, m.a ? trace_check_meet(d->t, &m) : "unknown input")
	    && APPEND(d, meet, meets, m);
}

/* decides VAR */
bool trace_read_decides(struct trace_in *d)
{
	struct trace_meet m = { .kind = MEET_DECIDES };

	if (!trace_in_want(d, 2, 2) || !trace_in_num32(d, 1, "input", &m.a))
		return false;
	m.b = m.a;
	return trace_in_sound(d, trace_check_meet(d->t, &m)) && (m.text = arena_text(d->t, "", 0))
	    && APPEND(d, meet, meets, m);
}

/* unfollowed WHAT */
bool trace_read_unfollowed(struct trace_in *d)
{
	struct trace_meet m = { 0 };

	return trace_in_want(d, 2, 2) && (m.text = trace_in_text(d, 1))
	    && APPEND(d, meet, meets, m);
}

/* flows CONTROL RISK LEARNED */
bool trace_read_flows(struct trace_in *d)
{
	struct trace *t = d->t;

	t->flows = true;
	return trace_in_want(d, 4, 4) && trace_in_num32(d, 1, "input", &t->control)
	    && trace_in_num32(d, 2, "input", &t->risk)
	    && trace_in_num(d, 3, "number", UINT64_MAX, &t->learned)
	    && trace_in_sound(
	        d, t->control > t->vars || t->risk > t->vars ? "unknown input" : NULL);
}
