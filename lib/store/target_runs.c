/* Which targets a run came to. */
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

/* Functions from which a marked one can be reached by calls of their names alone; NULL: other code
 * may call one of them, such as the library. The caller frees it. */
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

/* The same of the function in which the run ended, kept for the next question. */
static bool *const *leads_to_end(struct store *s, const struct trace *t)
{
	uint32_t unit = t->fault_block ? store_unit(s, t, t->fault_unit) : 0;
	uint32_t func = unit ? s->flow->unit[unit - 1].block_func[t->fault_block - 1] : 0;
	bool **goal;

	if (!func)
		return NULL;
	if (s->end.unit == unit && s->end.func == func)
		return s->end.leads;
	goal = zeroed(s->flow->units, sizeof *goal);
	for (size_t i = 0; i < s->flow->units; i++)
		goal[i] = zeroed(s->flow->unit[i].funcs, sizeof *goal[i]);
	goal[unit - 1][func - 1] = true;
	flow_marks_free(s->flow, s->end.leads);
	s->end.unit = unit;
	s->end.func = func;
	s->end.leads = reaching_by_name(s->flow, goal);
	flow_marks_free(s->flow, goal);
	return s->end.leads;
}

/* May the call lead to a function of the program that is marked? */
static bool leads(const struct flow *fl, const struct flow_call *c, bool *const *mark)
{
	bool is = !c->callee;

	for (size_t i = 0; i < fl->units && !is; i++)
		for (size_t k = 0; k < fl->unit[i].funcs && !is; k++)
			is = mark[i][k] && !strcmp(fl->unit[i].func[k].name, c->callee);
	return is;
}

/* Did each call of the block that the run came to return? So it is where the run ended elsewhere,
 * in a function that no call of the block leads to. */
static bool returned(struct store *s, const struct trace *t, uint32_t unit, uint32_t block)
{
	const struct flow_unit *u = &s->flow->unit[unit];
	bool *const *mark = s->leaves == 'j' ? NULL : leads_to_end(s, t);

	if (!mark || (t->fault_block == block && store_unit(s, t, t->fault_unit) == unit + 1))
		return false;
	for (size_t i = 0; i < u->calls; i++)
		if (u->call[i].block == block && leads(s->flow, &u->call[i], mark))
			return false;
	return true;
}

/* A run that passes the block comes to the line or call: where the line begins the block, or
 * nothing before it ended the run there. */
static bool comes_to_part(
    struct store *s, const struct trace *t, const struct target *to, uint32_t block)
{
	const struct flow_unit *u = &s->flow->unit[to->unit];
	size_t before = to->call ? to->call - 1 : u->calls;

	const struct flow_pos *first = &u->block_pos[block - 1];
	bool begins = first->line == to->pos.line && first->col >= to->pos.col;

	if ((!to->of_line && !to->call) || (to->of_line && begins) || is_complete(s, t))
		return true;
	if (returned(s, t, to->unit, block))
		return true;
	if ((t->end != END_EXIT && !t->fault_block)
	    || (t->fault_block == block && store_unit(s, t, t->fault_unit) == to->unit + 1))
		return false;
	for (size_t i = 0; i < before; i++)
		if (u->call[i].block == block)
			return false;
	return true;
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

/* Rows of its ways, as JSON; the caller's. NULL: not known. */
static char *ways_text(const struct store *s, const struct target *t)
{
	char *text = NULL;
	size_t size;
	FILE *f;

	if (t->open)
		return NULL;
	f = open_memstream(&text, &size);
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
