#include "lib/flow/ends.h"

#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"
#include "lib/base/search.h"
#include "lib/clib/clib.h"

static int by_value(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

static bool is_among(const uint32_t *sorted, size_t n, uint32_t value)
{
	return n && bsearch(&value, sorted, n, sizeof value, by_value);
}

static void *room(size_t n, size_t size)
{
	return zeroed(n + 1, size);
}

/* ---- a unit */

/* Turns numbers of items into sums: first[b]..first[b + 1] are then the items of block b; `next`
 * takes the next free place. */
static void add_up(uint32_t *first, uint32_t blocks)
{
	for (uint32_t b = 1; b <= blocks + 1; b++)
		first[b] += first[b - 1];
}

static void take_edges(struct ends_unit *to, const struct flow_unit *u)
{
	uint32_t *out = room(u->blocks + 2, sizeof *out), *in = room(u->blocks + 2, sizeof *in);

	to->edge = room(u->edges, sizeof *to->edge);
	to->from = room(u->edges, sizeof *to->from);
	to->first_edge = room(u->blocks + 2, sizeof *to->first_edge);
	to->entered = room(u->blocks + 2, sizeof *to->entered);
	for (size_t i = 0; i < u->edges; i++) {
		to->first_edge[u->edge[i].from + 1]++;
		to->entered[u->edge[i].to + 1]++;
	}
	add_up(to->first_edge, u->blocks);
	add_up(to->entered, u->blocks);
	for (size_t i = 0; i < u->edges; i++) {
		const struct flow_edge *e = &u->edge[i];
		to->edge[to->first_edge[e->from] + out[e->from]++] =
		    (struct ends_edge){ e->to, e->branch ? e->outcome : UINT32_MAX };
		to->from[to->entered[e->to] + in[e->to]++] = e->from;
	}
	free(out);
	free(in);
}

/* The index of the first item of each block; for a block without items, that of the next block's.
 * Items are sorted by block. */
#define FIRST(first, item, n, blocks) \
	do { \
		size_t k_ = 0; \
		for (uint32_t b_ = 1; b_ <= (blocks) + 1; b_++) { \
			while (k_ < (n) && (item)[k_].block < b_) \
				k_++; \
			(first)[b_] = (uint32_t)k_; \
		} \
	} while (0)

static void take_calls(struct ends_unit *to, const struct flow_unit *u, struct texts *names)
{
	to->calls = u->calls;
	to->call = room(u->calls, sizeof *to->call);
	to->first_call = room(u->blocks + 2, sizeof *to->first_call);
	for (size_t i = 0; i < u->calls; i++) {
		const struct flow_call *c = &u->call[i];
		const struct clib *known = c->callee ? clib_find(c->callee) : NULL;
		to->call[i] = (struct ends_call){ c->block, c->pos.line,
			c->callee ? texts_number(names, c->callee) : 0,
			!known || clib_has(known, "c"), !known || clib_does(known, "j"),
			known && clib_does(known, "2") };
		to->jumps |= known && clib_does(known, "2");
		to->handles |= known && clib_does(known, "h");
	}
	FIRST(to->first_call, to->call, to->calls, u->blocks);
}

static void take_lines(struct ends_unit *to, const struct flow_unit *u)
{
	to->lines = u->lines;
	to->line = room(u->lines, sizeof *to->line);
	to->first_line = room(u->blocks + 2, sizeof *to->first_line);
	for (size_t i = 0; i < u->lines; i++)
		to->line[i] = (struct ends_line){ u->line[i].block, u->line[i].line };
	FIRST(to->first_line, to->line, to->lines, u->blocks);
}

static void take_functions(struct ends_unit *to, const struct flow_unit *u, struct texts *names)
{
	to->function = room(u->blocks + 1, sizeof *to->function);
	to->defined = room(u->funcs, sizeof *to->defined);
	to->taken = room(u->funcs + u->exts, sizeof *to->taken);
	for (uint32_t b = 1; b <= u->blocks; b++)
		if (u->block_func[b - 1])
			to->function[b] =
			    texts_number(names, u->func[u->block_func[b - 1] - 1].name);
	for (size_t i = 0; i < u->funcs; i++) {
		uint32_t name = texts_number(names, u->func[i].name);
		to->defined[to->funcs++] = name;
		if (u->func[i].address_taken)
			to->taken[to->takens++] = name;
	}
	for (size_t i = 0; i < u->exts; i++)
		if (u->ext[i].address_taken)
			to->taken[to->takens++] = texts_number(names, u->ext[i].name);
	if (to->funcs)
		qsort(to->defined, to->funcs, sizeof *to->defined, by_value);
}

struct ends_unit *ends_unit_new(const struct flow_unit *u, struct texts *names)
{
	struct ends_unit *to = room(1, sizeof *to);

	to->outcomes = u->outcomes;
	to->blocks = u->blocks;
	take_edges(to, u);
	take_calls(to, u, names);
	take_lines(to, u);
	to->checks = u->checks;
	to->check = room(u->checks, sizeof *to->check);
	for (size_t i = 0; i < u->checks; i++)
		to->check[i] = (struct ends_check){ u->check[i].inst,
			u->check[i].criterion ? u->check[i].kind : 0 };
	take_functions(to, u, names);
	return to;
}

void ends_unit_free(struct ends_unit *u)
{
	void *all[] = { u->edge, u->call, u->line, u->check, u->first_edge, u->first_call,
		u->first_line, u->entered, u->from, u->function, u->defined, u->taken, u };

	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		free(all[i]);
}

static int by_inst(const void *inst, const void *check)
{
	uint32_t i = *(const uint32_t *)inst, k = ((const struct ends_check *)check)->inst;

	return (i > k) - (i < k);
}

bool ends_find_check(const struct ends_unit *u, uint32_t inst, uint32_t kind, size_t *out)
{
	*out = lower_bound(&inst, u->check, u->checks, sizeof *u->check, by_inst);
	for (; *out < u->checks && u->check[*out].inst == inst; ++*out)
		if (u->check[*out].kind == kind)
			return kind != 0;
	return false;
}

/* ---- a process */

static bool add_name(uint32_t **list, size_t *n, uint32_t function)
{
	size_t at = *n;

	if (!function || is_among(*list, *n, function))
		return false;
	*list = grow_one(*list, *n, sizeof **list);
	for (; at && (*list)[at - 1] > function; at--)
		(*list)[at] = (*list)[at - 1];
	(*list)[at] = function;
	++*n;
	return true;
}

static bool add_active(struct ends *e, uint32_t function)
{
	return add_name(&e->active, &e->actives, function);
}

static bool is_defined(const struct ends *e, uint32_t function)
{
	for (size_t i = 0; i < e->units; i++)
		if (is_among(e->all[i]->defined, e->all[i]->funcs, function))
			return true;
	return false;
}

/* May the call have been active when the run ended, or have been left by a jump? */
static bool may_stay(const struct ends *e, const struct ends_call *c)
{
	if (!c->callee)
		return e->back;
	return (c->jumps && e->jumps && !is_defined(e, c->callee))
	    || is_among(e->active, e->actives, c->callee)
	    || (e->back && c->foreign && !is_defined(e, c->callee));
}

static bool any_taken(const struct ends *e)
{
	for (size_t i = 0; i < e->units; i++)
		for (size_t k = 0; k < e->all[i]->takens; k++)
			if (is_among(e->active, e->actives, e->all[i]->taken[k]))
				return true;
	return false;
}

static void add_callers(struct ends *e)
{
	bool more = true;

	while (more) {
		more = false;
		e->back = e->back || any_taken(e);
		for (size_t i = 0; i < e->units; i++)
			for (size_t k = 0; k < e->all[i]->calls; k++) {
				const struct ends_call *c = &e->all[i]->call[k];
				if (c->block && may_stay(e, c))
					more |= add_active(e, e->all[i]->function[c->block]);
			}
	}
}

/* ---- jumps: longjmp() leaves all calls that are active below the function that called setjmp() */

/* May the call lead to longjmp()? Calls of code outside of the program may. */
static bool may_jump(const struct ends *e, const struct ends_call *c)
{
	return !c->callee || is_among(e->jumping, e->jumpings, c->callee)
	    || (c->jumps && !is_defined(e, c->callee));
}

static bool may_be_left(const struct ends *e, const struct ends_unit *u, const struct ends_call *c)
{
	return may_stay(e, c)
	    || (is_among(e->behind, e->behinds, u->function[c->block]) && may_jump(e, c));
}

/* One round of propagation from callees to callers. */
static bool add_by_calls(struct ends *e, const struct ends_unit *u)
{
	bool more = false;

	for (size_t k = 0; k < u->calls; k++) {
		const struct ends_call *c = &u->call[k];
		uint32_t function = c->block ? u->function[c->block] : 0;
		if (function && may_jump(e, c))
			more |= add_name(&e->jumping, &e->jumpings, function);
		if (!is_among(e->behind, e->behinds, function))
			continue;
		more |= add_name(&e->behind, &e->behinds, c->callee);
		for (size_t i = 0; (!c->callee || c->foreign) && i < e->units; i++)
			for (size_t t = 0; t < e->all[i]->takens; t++)
				more |= add_name(&e->behind, &e->behinds, e->all[i]->taken[t]);
	}
	return more;
}

/* Collects the functions that may lead to longjmp(), and those that functions which called setjmp()
 * may call, directly or not. */
static void add_jumps(struct ends *e)
{
	bool more = true;

	for (size_t i = 0; i < e->units; i++)
		for (size_t k = 0; k < e->all[i]->calls; k++) {
			const struct ends_call *c = &e->all[i]->call[k];
			if (c->lands && c->block)
				add_name(&e->behind, &e->behinds, e->all[i]->function[c->block]);
		}
	while (more) {
		more = false;
		for (size_t i = 0; i < e->units; i++)
			more |= add_by_calls(e, e->all[i]);
	}
}

struct ends ends_new(struct ends_unit *const *unit, size_t n, enum ends_how how, bool threads,
    const struct ends_unit *last, uint32_t block, uint32_t line)
{
	struct ends e = { .all = unit, .units = n, .unit = last, .block = block, .line = line };
	bool jumps = false, handles = false;

	for (size_t i = 0; i < n; i++) {
		jumps |= unit[i]->jumps;
		handles |= unit[i]->handles;
	}
	e.surely = !jumps && !threads && how == ENDS_RETURN;
	e.within = how == ENDS_WITHIN;
	e.likely = threads || how == ENDS_UNKNOWN
	    || (how != ENDS_RETURN && (!last || !block || block > last->blocks));
	if (e.surely || e.likely)
		return e;
	if (jumps)
		add_jumps(&e);
	if (how != ENDS_RETURN)
		add_active(&e, last->function[block]);
	add_callers(&e);
	e.likely = handles && e.back;
	return e;
}

void ends_free(struct ends *e)
{
	free(e->active);
	free(e->jumping);
	free(e->behind);
}

static bool is_entered(const struct ends_unit *u, const uint8_t *cover, uint32_t block)
{
	return cover[u->outcomes + block - 1];
}

/* Did control continue from the block to a successor? surely: count only successors that were
 * entered from no other block. */
static bool went_on(const struct ends_unit *u, const uint8_t *cover, uint32_t block, bool surely)
{
	for (uint32_t i = u->first_edge[block]; i < u->first_edge[block + 1]; i++) {
		const struct ends_edge *e = &u->edge[i];
		uint32_t others = 0;
		if (e->outcome != UINT32_MAX) {
			if (cover[e->outcome])
				return true;
			continue;
		}
		for (uint32_t k = u->entered[e->to]; k < u->entered[e->to + 1]; k++)
			others += u->from[k] != block && is_entered(u, cover, u->from[k]);
		if (is_entered(u, cover, e->to) && (!surely || !others))
			return true;
	}
	return false;
}

bool ends_cuts(const struct ends *e, const struct ends_unit *u, uint32_t block)
{
	if (e->surely || e->likely)
		return e->likely;
	if (u == e->unit && block == e->block)
		return true;
	for (uint32_t i = u->first_call[block]; i < u->first_call[block + 1]; i++)
		if (may_be_left(e, u, &u->call[i]))
			return true;
	return false;
}

bool ends_passed(
    const struct ends *e, const struct ends_unit *u, const uint8_t *cover, uint32_t block)
{
	bool last = u->first_edge[block] == u->first_edge[block + 1];

	if (!ends_cuts(e, u, block))
		return true;
	if (e->likely)
		return last || went_on(u, cover, block, false);
	/* a call that does not return is the last one of its block */
	if (last && !e->within && u == e->unit && block == e->block)
		return true;
	return went_on(u, cover, block, true);
}

void ends_reached(const struct ends *e, const struct ends_unit *u, uint32_t block, uint32_t *lines,
    uint32_t *calls)
{
	uint32_t first = u->first_line[block], end = u->first_line[block + 1], k = first,
	         call = u->first_call[block], line = 0;

	*calls = 0;
	*lines = first < end;
	if (e->likely)
		return;
	while (call < u->first_call[block + 1] && !may_be_left(e, u, &u->call[call]))
		call++;
	if (u == e->unit && block == e->block) {
		line = e->within ? e->line : 0;
	} else if (call < u->first_call[block + 1]) {
		*calls = call - u->first_call[block] + 1;
		line = u->call[call].line;
	}
	while (k < end && u->line[k].line != line)
		k++;
	if (k < end)
		*lines = k - first + 1;
}
