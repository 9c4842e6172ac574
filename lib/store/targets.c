/* targets: places that are objectives of their own because control may reach them: calls of error
 * functions, and labels. A run that reaches one has taken one of some outcomes of conditions before
 * it, which are the target's ways: if none of these is feasible, the target is infeasible. */
#include "lib/clib/clib.h"
#include "lib/store/db.h"
#include "lib/base/grow.h"
#include "lib/protocol/criterion.h"

#include <stdlib.h>
#include <string.h>

/* Error functions, and how runs that call them end. */
static const struct {
	const char *callee, *name;
	enum trace_end end;
} errors[] = {
	{ "abort", "abort", END_ABORT },
	{ "__assert_fail", "assert", END_ASSERT },
	{ "__assert", "assert", END_ASSERT },
	{ "reach_error", "reach_error", END_ERROR },
	{ "__VERIFIER_error", "__VERIFIER_error", END_ERROR },
};
enum { ERRORS = sizeof errors / sizeof *errors };

static bool is_looked_at(const struct flow_func *f)
{
	return !f->is_harness && !f->in_system;
}

struct target *store_target_new(
    struct store *s, uint32_t unit, uint32_t block, enum criterion criterion, const char *name)
{
	struct target *t = PUSH(s->target, s->targets);
	*t = (struct target){ .unit = unit,
		.block = block,
		.criterion = criterion,
		.name = copied(name),
		.end = END_COUNT,
		.pos = s->flow->unit[unit].block_pos[block - 1],
		.dirty = true };
	return t;
}

enum trace_end store_target_error(const char *callee)
{
	for (size_t i = 0; i < ERRORS; i++)
		if (!strcmp(errors[i].callee, callee))
			return errors[i].end;
	return END_COUNT;
}

/* If the program defines an error function itself, entering it is the error. */
bool store_target_defined(const struct flow *fl, const char *name)
{
	const struct flow_unit *u;

	return flow_find(fl, name, &u) != NULL;
}

/* Does the call follow one of an error function in its block? Runs end at that one. */
static bool follows_error(const struct flow_unit *u, size_t call)
{
	for (size_t i = 0; i < call; i++)
		if (u->call[i].block == u->call[call].block && u->call[i].callee
		    && store_target_error(u->call[i].callee) != END_COUNT)
			return true;
	return false;
}

static void find_error_calls(
    struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		if (!c->callee || !c->func || !mark[c->func - 1]
		    || !is_looked_at(&u->func[c->func - 1]))
			continue;
		for (size_t k = 0; k < ERRORS; k++)
			if (!strcmp(c->callee, errors[k].callee)
			    && !store_target_defined(s->flow, c->callee) && !follows_error(u, i)) {
				struct target *t =
				    store_target_new(s, unit, c->block, criterion, errors[k].name);
				t->end = errors[k].end;
				t->pos = c->pos;
			}
	}
}

static void find_error_functions(
    struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->funcs; i++)
		for (size_t k = 0; mark[i] && is_looked_at(&u->func[i]) && k < ERRORS; k++)
			if (!strcmp(u->func[i].name, errors[k].callee))
				store_target_new(
				    s, unit, u->func[i].first_block, criterion, errors[k].name)
				    ->pos = u->func[i].pos;
}

static void find_labels_that(
    struct store *s, uint32_t unit, const bool *mark, enum criterion criterion, bool error)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->labels; i++) {
		uint32_t func = u->block_func[u->label[i].block - 1];
		if (func && mark[func - 1] && is_looked_at(&u->func[func - 1])
		    && u->label[i].error == error)
			store_target_new(s, unit, u->label[i].block, criterion, u->label[i].name);
	}
}

static void find_errors(struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	find_error_calls(s, unit, mark, criterion);
	find_error_functions(s, unit, mark, criterion);
	find_labels_that(s, unit, mark, criterion, true);
}

static void find_labels(struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	find_labels_that(s, unit, mark, criterion, false);
}

static void find_entries(struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->funcs; i++)
		if (mark[i] && is_looked_at(&u->func[i]))
			store_target_new(
			    s, unit, u->func[i].first_block, criterion, u->func[i].name)
			    ->pos = u->func[i].pos;
}

/* The i-th call of the unit. */
struct target *store_target_call(
    struct store *s, uint32_t unit, size_t i, enum criterion criterion, const char *name)
{
	const struct flow_call *c = &s->flow->unit[unit].call[i];
	struct target *t = store_target_new(s, unit, c->block, criterion, name);

	t->pos = c->pos;
	t->call = i + 1;
	return t;
}

/* Adds calls of functions of the program and calls through pointers. */
static void find_calls(struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	const struct flow_unit *u = &s->flow->unit[unit];

	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		if (!c->func || !c->block || !mark[c->func - 1]
		    || !is_looked_at(&u->func[c->func - 1]))
			continue;
		if (!c->callee)
			store_target_call(s, unit, i, criterion, "through a pointer");
		else if (store_target_defined(s->flow, c->callee)
		    && strcmp(c->callee, u->func[c->func - 1].name))
			store_target_call(s, unit, i, criterion, c->callee);
	}
}

void store_target_block(struct target *t, uint32_t block)
{
	bool known = t->block == block;

	for (size_t i = 0; i < t->alsos; i++)
		known |= t->also[i] == block;
	if (known)
		return;
	*PUSH(t->also, t->alsos) = block;
}

/* Adds each line that has code of the function around it. */
static void find_lines(struct store *s, uint32_t unit, const bool *mark, enum criterion criterion)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	size_t first = s->targets, k;
	uint32_t last = 0;

	for (size_t i = 0; i < u->lines; i++) {
		const struct flow_line *l = &u->line[i];
		uint32_t func = u->block_func[l->block - 1];
		char name[16];
		if (!func || !mark[func - 1] || !is_looked_at(&u->func[func - 1])
		    || u->func[func - 1].pos.file != l->file)
			continue;
		first = func == last ? first : s->targets;
		last = func;
		for (k = first; k < s->targets && s->target[k].pos.line != l->line; k++)
			;
		if (k < s->targets) {
			store_target_block(&s->target[k], l->block);
			continue;
		}
		snprintf(name, sizeof name, "line %u", l->line);
		struct target *t = store_target_new(s, unit, l->block, criterion, name);
		t->pos = (struct flow_pos){ l->file, l->line, 1 };
		t->of_line = true;
	}
}

/* ---- ways */

struct way_finder {
	const struct store *s;
	struct target *to;
	bool **seen; /* blocks by unit, from 1; NULL: none of the unit */
	struct todo_block {
		uint32_t unit, block;
	} *todo;
	size_t todos;
};

/* Are all calls of the function calls by its name? Not if its address is taken, if it has an alias,
 * or if the environment calls it. */
static bool is_called_by_name(const struct store *s, uint32_t unit, uint32_t func)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	const struct flow_func *f = &u->func[func - 1];

	for (size_t i = 0; i < s->flow->units; i++) {
		const struct flow_unit *other = &s->flow->unit[i];
		for (size_t k = 0; k < other->aliases; k++)
			if (other->alias[k].target.name
			    && !strcmp(other->alias[k].target.name, f->name))
				return false;
		for (size_t k = 0; k < other->exts; k++)
			if (other->ext[k].address_taken && !strcmp(other->ext[k].name, f->name))
				return false;
	}
	return !f->address_taken && !f->is_weak && !f->constructor && !f->destructor
	    && !s->others_call && strcmp(f->name, "main")
	    && !(unit == s->entry_unit && f->first_block == s->entry_block);
}

static void meet_block(struct way_finder *w, uint32_t unit, uint32_t block)
{
	const struct flow_unit *u = &w->s->flow->unit[unit];

	if (!w->seen[unit])
		w->seen[unit] = zeroed(u->blocks + 1, sizeof **w->seen);
	if (w->seen[unit][block])
		return;
	w->seen[unit][block] = true;
	*PUSH(w->todo, w->todos) = (struct todo_block){ unit, block };
}

static void come_to_function(struct way_finder *w, uint32_t unit, uint32_t func)
{
	const struct flow *fl = w->s->flow;
	const struct flow_func *f = &fl->unit[unit].func[func - 1];

	if (!is_called_by_name(w->s, unit, func)) {
		w->to->open = true;
		return;
	}
	for (uint32_t i = 0; i < fl->units; i++)
		for (size_t k = 0; (i == unit || !f->is_static) && k < fl->unit[i].calls; k++) {
			const struct flow_call *c = &fl->unit[i].call[k];
			if (c->callee && c->block && !strcmp(c->callee, f->name))
				meet_block(w, i, c->block);
		}
}

static void add_way(struct way_finder *w, uint32_t unit, uint32_t outcome)
{
	size_t i = store_find(w->s, unit, outcome);

	if (i == SIZE_MAX) {
		w->to->open = true;
		return;
	}
	for (size_t k = 0; k < w->to->ways; k++)
		if (w->to->way[k] == i)
			return;
	*PUSH(w->to->way, w->to->ways) = (uint32_t)i;
}

/* Adds the outcomes that runs take just before they reach the block, and, as blocks, those that
 * lead to it without an outcome. */
static void come_to(struct way_finder *w, uint32_t unit, uint32_t block)
{
	const struct flow_unit *u = &w->s->flow->unit[unit];
	uint32_t func = u->block_func[block - 1];

	if (!func || u->func[func - 1].first_block == block) {
		if (func)
			come_to_function(w, unit, func);
		w->to->open |= !func;
	}
	for (size_t i = 0; i < u->edges && !w->to->open; i++) {
		const struct flow_edge *e = &u->edge[i];
		if (e->to == block && e->branch)
			add_way(w, unit, e->outcome);
		else if (e->to == block)
			meet_block(w, unit, e->from);
	}
}

void store_target_ways(const struct store *s, struct target *t)
{
	struct way_finder w = {
		.s = s, .to = t, .seen = zeroed(s->flow->units + 1, sizeof *w.seen)
	};

	meet_block(&w, t->unit, t->block);
	for (size_t i = 0; i < t->alsos; i++)
		meet_block(&w, t->unit, t->also[i]);
	while (w.todos && !t->open) {
		struct todo_block b = w.todo[--w.todos];
		come_to(&w, b.unit, b.block);
	}
	for (size_t i = 0; i < s->flow->units; i++)
		free(w.seen[i]);
	free(w.seen);
	free(w.todo);
	t->open |= !t->ways;
}

uint32_t *store_ways(const struct store *s, uint32_t unit, uint32_t block, size_t *n)
{
	struct target t = { .unit = unit, .block = block };

	*n = 0;
	if (!s->flow || unit >= s->flow->units || !block || block > s->flow->unit[unit].blocks)
		return NULL;
	store_target_ways(s, &t);
	*n = t.ways;
	if (!t.open)
		return t.way;
	free(t.way);
	return NULL;
}

bool store_target(const struct store *s, size_t i, struct store_target *out)
{
	const struct target *t;

	if (i >= s->targets)
		return false;
	t = &s->target[i];
	*out = (struct store_target){ .asked = criterion_places(t->criterion) == PLACES_ASKED,
		.reached = t->runs > 0 || t->proved,
		.way = t->open ? NULL : t->way,
		.ways = t->open ? 0 : t->ways };
	return true;
}

void store_find_unit_targets(struct store *s, uint32_t unit, const bool *mark, uint32_t criteria)
{
	static void (*const find[])(
	    struct store *, uint32_t unit, const bool *mark, enum criterion) = {
		[PLACES_ENTRIES] = find_entries,
		[PLACES_LINES] = find_lines,
		[PLACES_CALLS] = find_calls,
		[PLACES_ERRORS] = find_errors,
		[PLACES_LABELS] = find_labels,
	};

	for (size_t k = PLACES_ENTRIES; k < sizeof find / sizeof *find; k++) {
		enum criterion c = criterion_with((enum criterion_places)k);
		if (criteria >> c & 1)
			find[k](s, unit, mark, c);
	}
}

void store_find_targets(struct store *s, bool *const *mark, const char *const *parameter)
{
	uint32_t set = criteria_among(parameter, "criteria") | criteria_with(CRITERION_ALWAYS);

	for (uint32_t i = 0; i < s->flow->units; i++)
		store_find_unit_targets(s, i, mark[i], set);
	for (size_t i = 0; i < s->targets; i++)
		store_target_ways(s, &s->target[i]);
}

void store_targets_free(struct store *s)
{
	for (size_t i = 0; i < s->targets; i++) {
		free(s->target[i].name);
		free(s->target[i].way);
		free(s->target[i].also);
	}
	free(s->target);
	store_end_forget(s);
}
