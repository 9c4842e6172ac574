/* Which targets a run came to. */
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
