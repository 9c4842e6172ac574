#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/base/grow.h"
#include "lib/guide/guide.h"
#include "lib/partition/partition.h"
#include "lib/run/run.h"
#include "lib/script/inner.h"

/* core.runner{program = ...}: the program under test in its fork server; traces. */

struct runner_box {
	struct runner *runner;
	struct input_value *v;
	size_t capacity;
	double own, runs; /* seconds of CPU: our part of running, the runs themselves */
};

static double thread_cpu(void)
{
	struct timespec t;
	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int new_runner(lua_State *L)
{
	struct run_options o = { 0 };
	struct runner_box *b;
	char *error = NULL;
	luaL_checktype(L, 1, LUA_TTABLE);
	luaL_checkstack(L, 20, NULL);
	o.program = script_get_string(L, 1, "program", NULL);
	luaL_argcheck(L, o.program, 1, "`program` is missing");
	o.scratch = script_get_string(L, 1, "scratch", NULL);
	luaL_argcheck(L, run_confine_level(script_get_string(L, 1, "confine", "full"), &o.confine),
	    1, "`confine` is not full, some or none");
	o.timeout = script_get_number(L, 1, "timeout", 0);
	o.memory = (uint64_t)script_get_integer(L, 1, "memory", 0);
	o.output = (uint64_t)script_get_integer(L, 1, "output", 0);
	o.stacks = (unsigned)script_get_integer(L, 1, "stacks", 0);
	o.max_depth = (uint64_t)script_get_integer(L, 1, "depth", 0);
	o.max_steps = (uint64_t)script_get_integer(L, 1, "steps", 0);
	o.stdin_size = (uint64_t)script_get_integer(L, 1, "stdin", 0);
	o.argv = (char *const *)script_get_list(L, 1, "argv");
	o.file = script_get_list(L, 1, "file");
	o.arg = script_get_list(L, 1, "arg");
	o.env = script_get_list(L, 1, "env");
	o.ask = script_get_list(L, 1, "ask");
	b = script_box(L, sizeof *b, META_RUNNER);
	if (!(b->runner = run_open(&o, &error)))
		return script_fail(L, error);
	return 1;
}

static int close_runner(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	if (b->runner)
		run_close(b->runner);
	free(b->v);
	b->runner = NULL;
	b->v = NULL;
	return 0;
}

void script_vary(lua_State *L, int i, struct input *in)
{
	struct partition *p = lua_isnoneornil(L, i) ? NULL : script_partition(L, i);
	uint32_t block = p ? (uint32_t)luaL_optinteger(L, i + 1, 0) : 0;
	in->part = p != NULL;
	if (p)
		partition_settle(p);
	for (size_t k = 0; block && k < in->n; k++) {
		uint32_t n = partition_find(p, in->v[k].name);
		in->v[k].varies = n && partition_block(p, n) == block;
	}
}

/* runner:run(id, model or nil, partition or nil, block or nil) -> trace; without a block of the
 * partition no input is symbolic */
static int run(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	uint64_t id = (uint64_t)luaL_checkinteger(L, 2);
	struct model *m = lua_isnoneornil(L, 3) ? NULL : luaL_checkudata(L, 3, META_MODEL);
	struct trace_box *t;
	struct input in;
	double start = thread_cpu();
	char *error = NULL;
	luaL_argcheck(L, b->runner, 1, "closed");
	script_input(m, id, &b->v, &b->capacity, &in);
	script_vary(L, 4, &in);
	t = script_new_trace(L);
	if (run_input(b->runner, &in, &t->t, &error))
		return script_fail(L, error);
	b->own += thread_cpu() - start;
	b->runs += (double)t->t.cpu_us * 1e-6;
	return 1;
}

/* runner:within(seconds, left): runs end after that many seconds each, and when `left` seconds of
 * wall clock have passed */
static int within(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	luaL_argcheck(L, b->runner, 1, "closed");
	run_within(b->runner, luaL_checknumber(L, 2), luaL_checknumber(L, 3));
	return 0;
}

/* runner:took() -> seconds that the last run took, as it is judged by its limit */
static int took(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	luaL_argcheck(L, b->runner, 1, "closed");
	lua_pushnumber(L, run_took(b->runner));
	return 1;
}

/* runner:unconfined() -> what of the runs is not confined, or nil */
static int unconfined(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	lua_pushstring(L, b->runner ? run_unconfined(b->runner) : NULL);
	return 1;
}

/* runner:cpu() -> seconds of our own for running, of the runs themselves */
static int cpu(lua_State *L)
{
	struct runner_box *b = luaL_checkudata(L, 1, META_RUNNER);
	lua_pushnumber(L, b->own);
	lua_pushnumber(L, b->runs);
	return 2;
}

/* ---- traces */

struct trace_box *script_new_trace(lua_State *L)
{
	struct trace_box *t = script_box(L, sizeof *t, META_TRACE);
	t->open = true;
	return t;
}

struct trace *script_trace(lua_State *L, int i)
{
	struct trace_box *t = luaL_checkudata(L, i, META_TRACE);
	luaL_argcheck(L, t->open, i, "the trace is closed");
	return &t->t;
}

static int close_trace(lua_State *L)
{
	struct trace_box *t = luaL_checkudata(L, 1, META_TRACE);
	if (t->open)
		trace_clear(&t->t);
	t->open = false;
	return 0;
}

/* trace:ended() -> name, is it a failure of the program?, message */
static int ended(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_pushstring(L, trace_end_name(t->end));
	lua_pushboolean(L, trace_end_failure(t->end));
	lua_pushstring(L, t->fault_message);
	return 3;
}

/* trace:is_cut() -> did runner:within() end it? */
static int is_cut(lua_State *L)
{
	lua_pushboolean(L, run_is_cut(script_trace(L, 1)));
	return 1;
}

/* trace:place() -> where the run ended, as a text to compare; the same of the line alone */
static int place(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_pushfstring(L, "%d:%d:%d", (int)t->fault_unit, (int)t->fault_block, (int)t->fault_inst);
	lua_pushfstring(L, "%d:%d", (int)t->fault_unit, (int)t->fault_line);
	return 2;
}

/* trace:passes(failed): it came to the block in which the other run failed, and did not fail */
static int passes(lua_State *L)
{
	struct trace *t = script_trace(L, 1), *failed = script_trace(L, 2);
	bool is = false;

	for (size_t i = 0; i < t->blocks && !trace_end_failure(t->end) && !is; i++)
		is = t->block[i].unit == failed->fault_unit
		    && t->block[i].block == failed->fault_block;
	lua_pushboolean(L, is);
	return 1;
}

/* trace:result() -> the entry's result or nil, exit status, signal */
static int result(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	if (t->has_result)
		lua_pushinteger(L, t->result);
	else
		lua_pushnil(L);
	lua_pushinteger(L, t->exit_status);
	lua_pushinteger(L, t->signal);
	return 3;
}

/* trace:sizes() -> nodes, events, variables, lost records, steps */
static int sizes(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_pushinteger(L, (lua_Integer)t->nodes);
	lua_pushinteger(L, (lua_Integer)t->events);
	lua_pushinteger(L, (lua_Integer)t->vars);
	lua_pushinteger(L, (lua_Integer)t->losts);
	lua_pushinteger(L, (lua_Integer)t->steps);
	return 5;
}

/* trace:cpu() -> seconds of CPU that the run took */
static int trace_cpu(lua_State *L)
{
	lua_pushnumber(L, (double)script_trace(L, 1)->cpu_us * 1e-6);
	return 1;
}

/* trace:unpaired() -> { { unit, inst, name }, ... }: calls whose definitions and uses are not
 * followed, so that the run may have exercised more pairs than it reports */
static int unpaired(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_createtable(L, (int)t->unpaireds, 0);
	for (size_t i = 0; i < t->unpaireds; i++) {
		lua_createtable(L, 0, 3);
		script_set_integer(L, "unit", t->unpaired[i].unit);
		script_set_integer(L, "inst", t->unpaired[i].place);
		script_set_string(L, "name", t->unpaired[i].reason);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* trace:taken(flow) -> { unit << 32 | outcome, ... }: the outcomes of the flow's conditions that
 * the run took */
static int taken(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	const struct flow *flow = script_held(L, 2, META_FLOW);
	lua_createtable(L, (int)t->covers, 0);
	for (size_t i = 0, n = 0; i < t->covers; i++) {
		const struct flow_unit *u = flow_unit_by_key(flow, t->unit[t->cover[i].unit].key);
		if (!u)
			continue;
		lua_pushinteger(L, (lua_Integer)(u - flow->unit) << 32 | t->cover[i].outcome);
		lua_rawseti(L, -2, (lua_Integer)++n);
	}
	return 1;
}

/* trace:inputs() -> { { name, kind, width, value, high }, ... } as the run used them: low and high
 * 64 bits */
static int inputs(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_createtable(L, (int)t->vars, 0);
	for (size_t i = 0; i < t->vars; i++) {
		char kind[2] = { (char)t->var[i].kind, 0 };
		lua_createtable(L, 0, 5);
		script_set_integer(L, "high", (lua_Integer)t->var[i].value.hi);
		script_set_string(L, "name", t->var[i].name);
		script_set_string(L, "kind", kind);
		script_set_integer(L, "width", t->var[i].width);
		script_set_integer(L, "value", (lua_Integer)t->var[i].value.lo);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

/* The choices of a path record of verdicts(5); false: malformed, or not of this flow. */
static bool read_choices(
    const char *text, const struct flow *fl, struct guide_choice **list, size_t *n)
{
	unsigned unit, outcome;
	int length;
	for (; *text; text += length, text += *text == ' ') {
		size_t outcomes = 0;
		if (sscanf(text, "%u:%u%n", &unit, &outcome, &length) != 2 || !unit
		    || unit > fl->units)
			return false;
		const struct flow_unit *u = &fl->unit[unit - 1];
		if (u->branches)
			outcomes = u->branch[u->branches - 1].first
			    + (u->branch[u->branches - 1].kind == 's'
			            ? u->branch[u->branches - 1].cases + 1
			            : 2);
		if (outcome >= outcomes)
			return false;
		*PUSH(*list, *n) = (struct guide_choice){ unit - 1, outcome };
	}
	return true;
}

static int push_choice(lua_State *L, const struct flow *fl, const struct guide_choice *c)
{
	const struct flow_unit *u = &fl->unit[c->unit];
	enum flow_side side;
	size_t which;
	const struct flow_branch *b = flow_outcome(u, c->outcome, &side, &which);
	lua_pushinteger(L, c->unit);
	lua_pushinteger(L, b - u->branch + 1);
	lua_pushinteger(L, b->kind == 's' ? c->outcome - b->first : 1 - (c->outcome - b->first));
	return 3;
}

/* trace:left(defuse, path) -> how the run leaves a path of verdicts(5): "follows", "takes" another
 * outcome than this one, "misses" the condition, "unsure" after this one; its unit, branch, and
 * outcome as in events */
static int left(lua_State *L)
{
	static const char *const words[] = { "follows", "takes", "misses", "unsure" };
	struct trace *t = script_trace(L, 1);
	const struct flow *fl = script_defuse(L, 2)->d->flow;
	struct guide_choice *list = NULL;
	size_t n = 0, at = 0;
	int pushed = 1;
	if (!read_choices(luaL_checkstring(L, 3), fl, &list, &n)) {
		free(list);
		return luaL_argerror(L, 3, "no path of this flow");
	}
	enum guide_left how = guide_left(fl, t, list, n, &at);
	lua_pushstring(L, words[how]);
	at -= how == GUIDE_UNSURE && at > 0;
	if (at < n && how != GUIDE_FOLLOWS)
		pushed += push_choice(L, fl, &list[at]);
	free(list);
	return pushed;
}

/* trace:event(i) -> kind, unit, id, x, y, node; nil past the last */
static int event(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_Integer i = luaL_checkinteger(L, 2);
	const struct channel_event *e;
	if (i < 1 || (size_t)i > t->events)
		return 0;
	e = &t->event[i - 1];
	lua_pushinteger(L, e->kind);
	lua_pushinteger(L, e->unit);
	lua_pushinteger(L, e->id);
	lua_pushinteger(L, (lua_Integer)e->x);
	lua_pushinteger(L, (lua_Integer)e->y);
	lua_pushinteger(L, e->node);
	return 6;
}

static int lost(lua_State *L)
{
	struct trace *t = script_trace(L, 1);
	lua_createtable(L, (int)t->losts, 0);
	for (size_t i = 0; i < t->losts; i++) {
		lua_pushstring(L, t->lost[i].reason);
		lua_rawseti(L, -2, (lua_Integer)i + 1);
	}
	return 1;
}

static const luaL_Reg runner_methods[] = {
	{ "run", run },
	{ "within", within },
	{ "took", took },
	{ "cpu", cpu },
	{ "unconfined", unconfined },
	{ "close", close_runner },
	{ NULL, NULL },
};
static const luaL_Reg trace_methods[] = {
	{ "ended", ended },
	{ "is_cut", is_cut },
	{ "place", place },
	{ "passes", passes },
	{ "result", result },
	{ "sizes", sizes },
	{ "cpu", trace_cpu },
	{ "inputs", inputs },
	{ "unpaired", unpaired },
	{ "taken", taken },
	{ "left", left },
	{ "event", event },
	{ "lost", lost },
	{ "close", close_trace },
	{ NULL, NULL },
};

void script_add_runner(lua_State *L)
{
	script_class(L, META_RUNNER, runner_methods, close_runner);
	script_class(L, META_TRACE, trace_methods, close_trace);
	lua_pushcfunction(L, new_runner);
	lua_setfield(L, -2, "runner");
}
