/* read: reads traces from records (man5 trace). Each record is checked at once, so that errors name
 * its line. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "lib/trace/hex.h"
#include "lib/trace/inner.h"

bool trace_in_append(struct trace_in *d, void **array, size_t *n, size_t size, const void *element)
{
	*array = arena_grow(d->t, *array, *n, size);
	memcpy((char *)*array + *n * size, element, size);
	++*n;
	return true;
}

bool trace_in_want(struct trace_in *d, size_t min, size_t max)
{
	return rec_want(d->r, &d->rec, min, max);
}

bool trace_in_num(struct trace_in *d, size_t i, const char *what, uint64_t max, uint64_t *out)
{
	return rec_u64(d->r, &d->rec, i, what, 0, max, out);
}

bool trace_in_num32(struct trace_in *d, size_t i, const char *what, uint32_t *out)
{
	uint64_t v;

	if (!trace_in_num(d, i, what, UINT32_MAX, &v))
		return false;
	*out = (uint32_t)v;
	return true;
}

bool trace_in_next_id(struct trace_in *d, const char *what, size_t n)
{
	uint64_t id;

	if (!trace_in_num(d, 1, what, UINT64_MAX, &id))
		return false;
	if (id == n + 1)
		return true;
	rec_fail(d->r, "%s is %llu, the next is %zu", what, (unsigned long long)id, n + 1);
	return false;
}

bool trace_in_sound(struct trace_in *d, const char *why)
{
	if (why)
		rec_fail(d->r, "`%.20s`: %s", d->rec.field[0], why);
	return !why;
}

char *trace_in_text(struct trace_in *d, size_t i)
{
	return arena_text(d->t, d->rec.field[i], d->rec.len[i]);
}

bool trace_in_unit_index(struct trace_in *d, uint32_t *unit)
{
	uint64_t id;

	if (!trace_in_num(d, 1, "unit", d->t->units, &id))
		return false;
	*unit = id ? (uint32_t)id - 1 : 0;
	return true;
}

/* unit ID KEY BRANCHES OUTCOMES BLOCKS FLAGS */
static bool read_unit(struct trace_in *d)
{
	struct trace_unit u;
	struct value key;

	if (!trace_in_want(d, 7, 7) || !trace_in_next_id(d, "unit id", d->t->units)
	    || !hex_get(d->r, &d->rec, 2, "key", 64, &key)
	    || !trace_in_num32(d, 3, "branches", &u.branches)
	    || !trace_in_num32(d, 4, "outcomes", &u.outcomes)
	    || !trace_in_num32(d, 5, "blocks", &u.blocks)
	    || !trace_in_num32(d, 6, "flags", &u.flags))
		return false;
	u.key = key.lo;
	return APPEND(d, unit, units, u);
}

/* TAG ID NAME KIND WIDTH VALUE [OFFSET] */
static bool read_value(struct trace_in *d, size_t n, struct trace_var *v)
{
	uint64_t width;

	*v = (struct trace_var){ 0 };
	if (!trace_in_want(d, 6, 7) || !trace_in_next_id(d, "variable id", n)
	    || !trace_in_num(d, 4, "width", 128, &width)
	    || !hex_get(d->r, &d->rec, 5, "value", width ? (unsigned)width : 1, &v->value)
	    || (d->rec.n == 7 && !trace_in_num32(d, 6, "offset", &v->offset)))
		return false;
	if (!d->rec.len[2] || strlen(d->rec.field[2]) != d->rec.len[2])
		return trace_in_sound(d, "no name");
	v->kind = d->rec.len[3] == 1 ? (uint8_t)d->rec.field[3][0] : 0;
	v->width = (uint16_t)width;
	return trace_in_sound(d, trace_check_var(v)) && (v->name = trace_in_text(d, 2));
}

static bool read_var(struct trace_in *d)
{
	struct trace_var v;

	return read_value(d, d->t->vars, &v) && APPEND(d, var, vars, v);
}

static bool read_wrote(struct trace_in *d)
{
	struct trace_var v;

	return read_value(d, d->t->wrotes, &v) && APPEND(d, wrote, wrotes, v);
}

/* Is (unit, number) greater than the last element of the list? */
static bool ascends(const struct trace_cover *last, uint32_t unit, uint32_t number)
{
	return !last || last->unit < unit || (last->unit == unit && last->outcome < number);
}

/* cover UNIT OUTCOME... */
static bool read_cover(struct trace_in *d)
{
	struct trace *t = d->t;
	struct trace_cover c;
	size_t i;

	if (!trace_in_want(d, 3, SIZE_MAX) || !trace_in_unit_index(d, &c.unit))
		return false;
	if (c.unit >= t->units)
		return trace_in_sound(d, "unknown unit");
	for (i = 2; i < d->rec.n; i++) {
		if (!trace_in_num32(d, i, "outcome", &c.outcome))
			return false;
		if (c.outcome >= t->unit[c.unit].outcomes)
			return trace_in_sound(d, "unknown outcome");
		if (!ascends(t->covers ? &t->cover[t->covers - 1] : NULL, c.unit, c.outcome))
			return trace_in_sound(d, "outcomes do not ascend");
		if (!APPEND(d, cover, covers, c))
			return false;
	}
	return true;
}

/* block UNIT BLOCK... */
static bool read_block(struct trace_in *d)
{
	struct trace *t = d->t;
	struct trace_block b;
	size_t i;

	if (!trace_in_want(d, 3, SIZE_MAX) || !trace_in_unit_index(d, &b.unit))
		return false;
	if (b.unit >= t->units)
		return trace_in_sound(d, "unknown unit");
	for (i = 2; i < d->rec.n; i++) {
		if (!trace_in_num32(d, i, "block", &b.block))
			return false;
		if (!b.block || b.block > t->unit[b.unit].blocks)
			return trace_in_sound(d, "unknown block");
		if (!APPEND(d, block, blocks, b))
			return false;
	}
	return true;
}

/* fault UNIT BLOCK LINE FILE MESSAGE */
static bool read_fault(struct trace_in *d)
{
	struct trace *t = d->t;

	if (!trace_in_want(d, 6, 6) || !trace_in_unit_index(d, &t->fault_unit)
	    || !trace_in_num32(d, 2, "block", &t->fault_block)
	    || !trace_in_num32(d, 3, "line", &t->fault_line))
		return false;
	if (t->fault_block
	    && (t->fault_unit >= t->units || t->fault_block > t->unit[t->fault_unit].blocks))
		return trace_in_sound(d, "unknown block");
	if (d->rec.len[4] && !(t->fault_file = trace_in_text(d, 4)))
		return false;
	return !d->rec.len[5] || (t->fault_message = trace_in_text(d, 5));
}

/* at INST */
static bool read_at(struct trace_in *d)
{
	return trace_in_want(d, 2, 2) && trace_in_num32(d, 1, "instruction", &d->t->fault_inst);
}

static bool read_result(struct trace_in *d)
{
	d->t->has_result = true;
	return trace_in_want(d, 2, 2) && rec_i64(d->r, &d->rec, 1, "result", &d->t->result);
}

static bool read_output(struct trace_in *d)
{
	if (!trace_in_want(d, 2, 2) || !(d->t->output = trace_in_text(d, 1)))
		return false;
	d->t->output_size = d->rec.len[1];
	return true;
}

static bool read_promise(struct trace_in *d)
{
	if (!trace_in_want(d, 3, 3) || !trace_in_num(d, 2, "number", UINT64_MAX, &d->t->promised))
		return false;
	d->t->promise = !strcmp(d->rec.field[1], "kept") ? PROMISE_KEPT
	    : !strcmp(d->rec.field[1], "missed")         ? PROMISE_MISSED
	                                                 : PROMISE_NONE;
	return trace_in_sound(d, d->t->promise == PROMISE_NONE ? "neither kept nor missed" : NULL);
}

/* done END CODE STEPS CPU LEFT */
static bool read_done(struct trace_in *d)
{
	struct trace *t = d->t;
	uint64_t code;
	unsigned end;

	if (!trace_in_want(d, 6, 6) || !trace_in_num(d, 2, "code", INT_MAX, &code)
	    || !trace_in_num(d, 3, "steps", UINT64_MAX, &t->steps)
	    || !trace_in_num(d, 4, "time", UINT64_MAX, &t->cpu_us)
	    || !trace_in_num(d, 5, "processes left", UINT64_MAX, &t->left_behind))
		return false;
	for (end = 0; end < END_COUNT; end++)
		if (!strcmp(d->rec.field[1], trace_end_name(end)))
			break;
	if (end == END_COUNT)
		return trace_in_sound(d, "unknown end");
	t->end = end;
	*(end == END_EXIT ? &t->exit_status : &t->signal) = (int)code;
	return d->done = true;
}

static const struct {
	const char *tag;
	bool (*read)(struct trace_in *);
} tags[] = {
	{ "e", trace_read_node },
	{ "branch", trace_read_branch },
	{ "cover", read_cover },
	{ "block", read_block },
	{ "var", read_var },
	{ "unit", read_unit },
	{ "model", trace_read_model },
	{ "switch", trace_read_switch },
	{ "bounds", trace_read_bounds },
	{ "address", trace_read_address },
	{ "assume", trace_read_assume },
	{ "assume-branch", trace_read_assume_branch },
	{ "assert", trace_read_assert },
	{ "lost", trace_read_lost },
	{ "limit", trace_read_limit },
	{ "need", trace_read_need },
	{ "check", trace_read_check },
	{ "at", read_at },
	{ "call", trace_read_call },
	{ "return", trace_read_call },
	{ "taken", trace_read_note },
	{ "asked", trace_read_note },
	{ "effect", trace_read_effect },
	{ "fault", read_fault },
	{ "pair", trace_read_pair },
	{ "possible", trace_read_pair },
	{ "alias", trace_read_alias },
	{ "unaliased", trace_read_unaliased },
	{ "unpaired", trace_read_unpaired },
	{ "way", trace_read_way },
	{ "gone", trace_read_gone },
	{ "meet", trace_read_meet },
	{ "guard", trace_read_meet },
	{ "decides", trace_read_decides },
	{ "unfollowed", trace_read_unfollowed },
	{ "flows", trace_read_flows },
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

static bool read_record(struct trace_in *d)
{
	size_t i;

	if (!strcmp(d->rec.field[0], "trace"))
		return trace_in_sound(d, "the trace before it has no `done`");
	i = find_tag(d->rec.field[0]);
	return i == sizeof tags / sizeof *tags || tags[i].read(d);
}

static enum rec_status read_body(struct trace_in *d)
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
static enum rec_status read_head(struct trace_in *d)
{
	enum rec_status status;

	while ((status = rec_next(d->r, &d->rec)) == REC_OK && strcmp(d->rec.field[0], "trace"))
		if (find_tag(d->rec.field[0]) < sizeof tags / sizeof *tags)
			return rec_fail(d->r, "`%s` stands before any `trace`", d->rec.field[0]);
	if (status == REC_OK
	    && (!trace_in_want(d, 2, 2)
	        || !rec_u64(d->r, &d->rec, 1, "id", 1, UINT64_MAX, &d->t->id)))
		return REC_ERROR;
	return status;
}

/* t is overwritten. The caller clears it after REC_OK only. */
enum rec_status trace_read(struct rec_reader *r, struct trace *t)
{
	struct trace_in d = { .r = r, .t = t };
	enum rec_status status;

	memset(t, 0, sizeof *t);
	if ((status = read_head(&d)) == REC_OK && (status = read_body(&d)) != REC_OK)
		trace_clear(t);
	return status;
}
