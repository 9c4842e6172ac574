/* trace: names of ends, hashes of paths. */
#include <string.h>

#include "lib/trace/arena.h"

static const struct {
	const char *name;
	bool failure;
} ends[END_COUNT] = {
	[END_EXIT] = { "exit", false },
	[END_SIGNAL] = { "signal", true },
	[END_ABORT] = { "abort", true },
	[END_ASSERT] = { "assert", true },
	[END_DIVISION] = { "division", true },
	[END_NULL] = { "null", true },
	[END_SEGV] = { "segv", true },
	[END_BOUNDS] = { "bounds", true },
	[END_ERROR] = { "error", true },
	[END_TIMEOUT] = { "timeout", true },
	[END_MEMORY] = { "memory", true },
	[END_OUTPUT] = { "output", true },
	[END_LIMIT] = { "limit", false },
	[END_REJECTED] = { "rejected", false },
	[END_CHECK] = { "check", false },
	[END_LOST_SERVER] = { "server", false },
	[END_NEED] = { "need", false },
};

const char *trace_end_name(enum trace_end end)
{
	return (unsigned)end < END_COUNT ? ends[end].name : "unknown";
}

const char *trace_when_name(uint8_t when)
{
	static const char *const names[] = {
		[DUCT_SAME] = "same", [DUCT_BEFORE] = "before", [DUCT_CALLEE] = "callee"
	};

	return when < sizeof names / sizeof *names ? names[when] : NULL;
}

bool trace_end_failure(enum trace_end end)
{
	return (unsigned)end < END_COUNT && ends[end].failure;
}

bool value_fits(struct value v, unsigned width)
{
	if (width >= 128)
		return true;
	if (width > 64)
		return !(v.hi >> (width - 64));
	return !v.hi && (width == 64 || !(v.lo >> width));
}

bool trace_kind_known(int kind)
{
	return kind && strchr("iucbfno", kind);
}

bool trace_is_aside(const struct channel_event *e)
{
	return e->kind == EV_ALIAS || (e->kind == EV_CHECK && e->flags & CHECK_ASIDE);
}

bool trace_is_note(const struct channel_event *e)
{
	return e->kind == EV_TAKEN || e->kind == EV_ASKED || e->kind == EV_EFFECT;
}

bool trace_is_condition(const struct channel_event *e)
{
	return e->node && e->kind != EV_LOST && e->kind != EV_CALL && e->kind != EV_RETURN
	    && e->kind != EV_LIMIT && e->kind != EV_NEED && !trace_is_note(e) && !trace_is_aside(e);
}

/* A copy of an array with one more element. */
static void *longer(struct trace *t, const void *array, size_t n, size_t size)
{
	void *p = arena_alloc(t, (n + 1) * size);

	if (n)
		memcpy(p, array, n * size);
	return p;
}

void trace_add_limit(struct trace *t, const char *kind, const char *name, uint64_t value)
{
	struct channel_event *event = longer(t, t->event, t->events, sizeof *event);
	struct trace_limit *limit = longer(t, t->limit, t->limits, sizeof *limit);
	struct trace_limit l = { arena_text(t, kind, strlen(kind)),
		arena_text(t, name, strlen(name)), value };

	limit[t->limits] = l;
	event[t->events++] = (struct channel_event){ .kind = EV_LIMIT, .x = t->limits++ };
	t->event = event;
	t->limit = limit;
}

void trace_add_lost(struct trace *t, const char *reason)
{
	struct channel_event *event = longer(t, t->event, t->events, sizeof *event);
	struct trace_lost *lost = longer(t, t->lost, t->losts, sizeof *lost);
	struct trace_lost l = { 0, 0, arena_text(t, reason, strlen(reason)) };

	lost[t->losts] = l;
	event[t->events++] = (struct channel_event){ .kind = EV_LOST, .x = t->losts++ };
	t->event = event;
	t->lost = lost;
}

/* Extends the hash of a path by one condition (finaliser of splitmix64). */
static uint64_t step(uint64_t h, const struct channel_event *e, uint64_t outcome)
{
	h ^= (uint64_t)e->kind << 56 ^ (uint64_t)e->unit << 32 ^ e->id;
	h = (h ^ h >> 30) * 0xbf58476d1ce4e5b9u;
	h = (h ^ h >> 27 ^ outcome) * 0x94d049bb133111ebu;
	return h ^ h >> 31;
}

uint64_t trace_expect(const struct trace *t, size_t event, uint64_t outcome, uint64_t *conditions)
{
	uint64_t h = 1;
	size_t i;

	*conditions = 0;
	for (i = 0; i <= event && i < t->events; i++) {
		if (!trace_is_condition(&t->event[i]))
			continue;
		h = step(h, &t->event[i], i == event ? outcome : t->event[i].x);
		++*conditions;
	}
	return h;
}

bool trace_kept(const struct trace *t, uint64_t conditions, uint64_t hash)
{
	uint64_t h = 1;
	size_t i;

	for (i = 0; conditions && i < t->events; i++)
		if (trace_is_condition(&t->event[i])) {
			h = step(h, &t->event[i], t->event[i].x);
			conditions--;
		}
	return !conditions && h == hash;
}
