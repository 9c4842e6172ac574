/* target_runs: finds the targets that a run reached. */
#include "lib/base/grow.h"
#include "lib/clib/clib.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

/* May a call end the run without a fault, or not return because of a jump? */
static bool leaves(const struct flow *fl, const struct flow_call *c, const char *how)
{
	const struct clib *known;

	if (!c->callee)
		return true;
	if (store_target_error(c->callee) != END_COUNT || store_target_defined(fl, c->callee)
	    || !strncmp(c->callee, "duct_", 5) || !strncmp(c->callee, "__VERIFIER_", 11))
		return false;
	known = clib_find(c->callee);
	return !known || clib_does(known, how);
}

static bool any_leaves(const struct flow *fl, const char *how)
{
	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].calls; k++)
			if (leaves(fl, &fl->unit[i].call[k], how))
				return true;
	return false;
}

/* Did every block that the run passed go on to its end? */
static bool is_complete(struct store *s, const struct trace *t)
{
	if (!s->leaves)
		s->leaves = any_leaves(s->flow, "j") ? 'j' : any_leaves(s->flow, "ej") ? 'e' : '-';
	return t->end == END_EXIT && (s->leaves == '-' || (s->leaves == 'e' && t->has_result));
}

/* Functions from which a marked one can be reached through calls by name only; NULL: other code,
 * such as a library, may call one of them. The caller frees it. */
static bool **reaching_by_name(const struct flow *fl, bool *const *goal)
{
	bool **from = flow_reaching(fl, goal), only = true;

	for (size_t i = 0; i < fl->units; i++)
		for (size_t k = 0; k < fl->unit[i].funcs; k++) {
			const struct flow_func *f = &fl->unit[i].func[k];
			only &=
			    !from[i][k] || (!f->address_taken && !f->constructor && !f->destructor);
		}
	if (only)
		return from;
	flow_marks_free(fl, from);
	return NULL;
}

/* Marks the functions in which the run may have reached a call that ends it. */
static void mark_ends(struct store *s, const struct trace *t, bool **mark)
{
	for (size_t i = 0; i < s->flow->units; i++)
		for (size_t k = 0; k < s->flow->unit[i].calls; k++) {
			const struct flow_call *c = &s->flow->unit[i].call[k];
			if (c->func && leaves(s->flow, c, "e")
			    && store_came_to(s, t, (uint32_t)i + 1, c->block))
				mark[i][c->func - 1] = true;
		}
}

static bool same_marks(const struct flow *fl, bool *const *a, bool *const *b)
{
	for (size_t i = 0; i < fl->units; i++)
		if (fl->unit[i].funcs && memcmp(a[i], b[i], fl->unit[i].funcs))
			return false;
	return true;
}

/* Functions that may call, directly or not, the one in which the run ended, or, if it exited, any
 * in which it may have done so; NULL: not known. Kept for the next run. */
static bool *const *leads_to_end(struct store *s, const struct trace *t)
{
	const struct flow *fl = s->flow;
	uint32_t unit = t->fault_block ? store_unit(s, t, t->fault_unit) : 0;
	uint32_t func = unit ? fl->unit[unit - 1].block_func[t->fault_block - 1] : 0;
	bool **goal;

	if (s->leaves == 'j' || (!func && (t->end != END_EXIT || t->fault_block)))
		return NULL;
	if (s->end.asked)
		return s->end.leads;
	s->end.asked = true;
	goal = zeroed(fl->units, sizeof *goal);
	for (size_t i = 0; i < fl->units; i++)
		goal[i] = zeroed(fl->unit[i].funcs, sizeof *goal[i]);
	if (func)
		goal[unit - 1][func - 1] = true;
	else
		mark_ends(s, t, goal);
	if (s->end.at && same_marks(fl, s->end.at, goal)) {
		flow_marks_free(fl, goal);
		return s->end.leads;
	}
	store_end_forget(s);
	s->end.at = goal;
	return s->end.leads = reaching_by_name(fl, goal);
}

void store_end_forget(struct store *s)
{
	flow_marks_free(s->flow, s->end.at);
	flow_marks_free(s->flow, s->end.leads);
	s->end.at = s->end.leads = NULL;
}

/* May the run have ended within the call? This is so if the call may lead to a marked function of
 * the program, or end the run itself. */
static bool may_end(const struct flow *fl, const struct flow_call *c, bool *const *mark)
{
	bool is = leaves(fl, c, "e");

	for (size_t i = 0; i < fl->units && !is; i++)
		for (size_t k = 0; k < fl->unit[i].funcs && !is; k++)
			is = mark[i][k] && !strcmp(fl->unit[i].func[k].name, c->callee);
	return is;
}

/* Does nothing of the block follow the call? */
static bool ends_block(const struct flow *fl, const struct flow_unit *u, size_t call)
{
	const struct flow_call *c = &u->call[call];
	const struct clib *known = c->callee ? clib_find(c->callee) : NULL;
	const struct flow_func *f;
	const struct flow_unit *w;

	for (size_t i = call + 1; i < u->calls; i++)
		if (u->call[i].block == c->block)
			return false;
	for (size_t i = 0; i < u->edges; i++)
		if (u->edge[i].from == c->block)
			return false;
	f = c->callee ? flow_find(fl, c->callee, &w) : NULL;
	return f ? f->no_return : known && clib_does(known, "e") && !clib_does(known, "Pr");
}

/* Is the line's first instruction in the block of the call the call, or before it? Lines are in the
 * order of instructions. */
static bool begins_before(
    const struct flow_unit *u, const struct target *to, const struct flow_call *c)
{
	for (size_t i = 0; i < u->lines; i++) {
		const struct flow_line *l = &u->line[i];
		if (l->block != c->block)
			continue;
		if (l->file == to->pos.file && l->line == to->pos.line)
			return to->pos.col
			    <= 1; /* else it is a part of the line, which may follow the call */
		if (l->file == c->pos.file && l->line == c->pos.line)
			return false;
	}
	return false;
}

/* Did the run decide the condition at the end of the block? */
static bool decides(struct store *s, const struct trace *t, uint32_t unit, uint32_t block)
{
	for (size_t i = 0; i < t->covers; i++) {
		enum flow_side side;
		size_t which;
		const struct flow_branch *b = store_unit(s, t, t->cover[i].unit) == unit + 1
		    ? flow_outcome(&s->flow->unit[unit], t->cover[i].outcome, &side, &which)
		    : NULL;
		if (b && b->block == block && b->kind != 'q')
			return true;
	}
	return false;
}

/* Did the run, which entered the block, reach the line or call in it? Calls in which it cannot have
 * ended returned; so it reached the first other call, and everything before that. */
static bool came_to_part(
    struct store *s, const struct trace *t, const struct target *to, uint32_t block)
{
	const struct flow_unit *u = &s->flow->unit[to->unit];
	bool *const *mark = leads_to_end(s, t);
	size_t last = to->call ? to->call - 1 : u->calls;
	bool here = t->fault_block == block && store_unit(s, t, t->fault_unit) == to->unit + 1;

	if (!mark || (here && t->end != END_EXIT))
		return false;
	for (size_t i = 0; i < last; i++)
		if (u->call[i].block == block && may_end(s->flow, &u->call[i], mark))
			return (to->of_line && begins_before(u, to, &u->call[i]))
			    || ends_block(s->flow, u, i);
	return true;
}

/* Does every run that enters the block reach the line or call? This is so if the line begins the
 * block, or if nothing before it can end the run. */
static bool comes_to_part(
    struct store *s, const struct trace *t, const struct target *to, uint32_t block)
{
	const struct flow_unit *u = &s->flow->unit[to->unit];
	size_t before = to->call ? to->call - 1 : u->calls;

	const struct flow_pos *first = &u->block_pos[block - 1];
	bool begins = first->line == to->pos.line && first->col >= to->pos.col;

	if ((!to->of_line && !to->call) || (to->of_line && begins) || is_complete(s, t)
	    || decides(s, t, to->unit, block) || came_to_part(s, t, to, block))
		return true;
	if ((t->end != END_EXIT && !t->fault_block)
	    || (t->fault_block == block && store_unit(s, t, t->fault_unit) == to->unit + 1))
		return false;
	for (size_t i = 0; i < before; i++)
		if (u->call[i].block == block)
			return false;
	return true;
}

void store_ends_note(struct store *s, const struct trace *t)
{
	if (t->end != END_EXIT || t->has_result)
		return;
	for (size_t i = 0; i < s->flow->units; i++)
		for (size_t k = 0; k < s->flow->unit[i].calls; k++) {
			const struct flow_call *c = &s->flow->unit[i].call[k];
			const struct clib *known = c->callee ? clib_find(c->callee) : NULL;
			if (known && clib_does(known, "r")
			    && !store_target_defined(s->flow, c->callee)
			    && store_came_to(s, t, (uint32_t)i + 1, c->block)) {
				char *reason = formatted(
				    "%s may end the run, depending on its arguments", c->callee);
				store_lose_in(s, i, c->pos, reason);
				free(reason);
			}
		}
}

static bool passes(struct store *s, const struct trace *t, const struct target *to)
{
	for (size_t i = 0; i < t->blocks; i++) {
		bool is_it = t->block[i].block == to->block;
		for (size_t k = 0; k < to->alsos; k++)
			is_it |= t->block[i].block == to->also[k];
		if (is_it && store_unit(s, t, t->block[i].unit) == to->unit + 1
		    && comes_to_part(s, t, to, t->block[i].block))
			return true;
	}
	return false;
}

static bool comes_to(struct store *s, const struct trace *t, const struct target *to)
{
	if (to->end == END_COUNT)
		return passes(s, t, to);
	return t->end == to->end && t->fault_block == to->block
	    && store_unit(s, t, t->fault_unit) == to->unit + 1;
}

bool store_targets_add(struct store *s, const struct trace *t)
{
	bool fresh = false;

	s->end.asked = false;
	for (size_t i = 0; i < s->targets; i++) {
		struct target *to = &s->target[i];
		if (!comes_to(s, t, to))
			continue;
		if (!to->runs && to->proved)
			store_contradict_target(s, to);
		fresh |= !to->runs++;
		to->dirty = true;
	}
	return fresh;
}

void store_targets_credit(struct store *s, uint64_t test)
{
	for (size_t i = 0; i < s->targets; i++)
		if (s->target[i].runs && !s->target[i].test)
			s->target[i].test = test;
}

/* The rows of its ways, as JSON; the caller frees it. NULL: not known. */
static char *ways_text(const struct store *s, const struct target *t)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (t->open)
		return NULL;
	f = text_stream(&text, &size);
	for (size_t i = 0; i < t->ways; i++)
		fprintf(f, "%c%lld", i ? ',' : '[',
		    (long long)s->known[STORE_BRANCHES].at[t->way[i]].id);
	fputs("]", f);
	fclose(f);
	return text;
}

int store_write_targets(struct store *s)
{
	for (size_t i = 0; i < s->targets; i++) {
		const struct target *t = &s->target[i];
		const struct flow_unit *u = &s->flow->unit[t->unit];
		if (!t->dirty)
			continue;
		char *ways = ways_text(s, t);
		int rc = store_do(s,
		    "INSERT OR REPLACE INTO target VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
		    "intttt"
		    "nntuu",
		    s->session, (int)i + 1, criterion_target(t->criterion), t->name,
		    u->func[u->block_func[t->block - 1] - 1].name,
		    t->pos.file ? u->file[t->pos.file - 1] : u->name, (int)t->pos.line,
		    (int)t->pos.col, ways, t->test, t->runs);
		free(ways);
		if (rc)
			return -1;
	}
	return 0;
}

void store_targets_written(struct store *s)
{
	for (size_t i = 0; i < s->targets; i++)
		s->target[i].dirty = false;
}
