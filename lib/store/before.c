/* before: what a run did before it called the entry, as chosen by inputs `.between`: calls of other
 * functions, and writes to globals as other files may make them. A failure there is no finding
 * about the entry, and neither is one after the return of a stub that may end the program instead.
 */
#include "lib/protocol/op.h"
#include "lib/base/grow.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

/* The k-th line `o NAME TYPE ...` of the plan, or NULL. */
static const char *other(const char *plan, uint64_t k)
{
	const char *line = store_plan_line(plan, 'o');

	while (line && --k)
		line = store_plan_line(line, 'o');
	return line;
}

static bool is_choice(const struct trace_var *v)
{
	static const char name[] = ".between";
	size_t n = sizeof name - 1;

	return !strncmp(v->name, name, n) && (!v->name[n] || v->name[n] == '#') && v->value.lo;
}

static bool is_global(const char *line)
{
	const char *type = strchr(line, '\t');

	return !type || type[1] == '=';
}

char *store_initialiser(const struct store *s, uint64_t *choice)
{
	const char *line;

	while ((line = other(s->plan, ++*choice)))
		if (!is_global(line))
			return copied_part(line, strcspn(line, "\t"));
	return NULL;
}

bool store_any_before(const struct trace *t)
{
	for (size_t i = 0; i < t->vars; i++)
		if (is_choice(&t->var[i]))
			return true;
	return false;
}

/* The name of the first global to which the run gave a value, as other files may; NULL: none. The
 * caller frees it. */
static char *written_global(const struct store *s, const struct trace *t)
{
	for (size_t i = 0; i < t->vars; i++) {
		const char *line =
		    is_choice(&t->var[i]) ? other(s->plan, t->var[i].value.lo) : NULL;
		size_t n = line ? strcspn(line, "\t\n") : 0;
		if (n && !strncmp(line + n, "\t=\t", 3))
			return copied_part(line, n);
	}
	return NULL;
}

/* Can the entry reach the place where the run ended? */
static bool ended_in_entry(struct store *s, const struct trace *t)
{
	uint32_t unit = store_unit(s, t, t->fault_unit);
	const struct flow_unit *u =
	    s->entry_unit < s->flow->units ? &s->flow->unit[s->entry_unit] : NULL;
	uint32_t block = t->fault_block;

	if (!unit || !block || block > s->flow->unit[unit - 1].blocks || !u || !s->entry_block)
		return false;
	if (!s->reached)
		s->reached =
		    flow_reachable(s->flow, u->func[u->block_func[s->entry_block - 1] - 1].name);
	return s->reached[unit - 1][s->flow->unit[unit - 1].block_func[block - 1] - 1];
}

bool store_went_wrong_before(struct store *s, const struct trace *t)
{
	char *global;

	if (!trace_end_failure(t->end) || !store_any_before(t))
		return false;
	if (!store_entered(s, t) || !ended_in_entry(s, t))
		return true;
	if (!(global = written_global(s, t)))
		return false;
	store_needs_note(s, t, &(struct trace_limit){ .kind = "global", .name = global });
	free(global);
	return true;
}

/* ---- globals that are set outside of the entry */

char *store_set_outside(const struct store *s, const char *input)
{
	static const char set[] = ".set.";
	size_t skip = strncmp(input, set, sizeof set - 1) ? 0 : sizeof set - 1,
	       n = strcspn(input += skip, "[.#?+-");
	const char *type = store_plan_named(s->plan, 'u', input, n);

	return type && *type == '\t' ? copied_part(input, n) : NULL;
}

/* ---- stubs */

static bool is_stub(const struct store *s, const char *name)
{
	return store_plan_named(s->plan, 'q', name, strlen(name));
}

bool store_came_to(struct store *s, const struct trace *t, uint32_t unit, uint32_t block)
{
	for (size_t i = 0; i < t->blocks; i++)
		if (t->block[i].block == block && store_unit(s, t, t->block[i].unit) == unit)
			return true;
	return false;
}

const char *store_handler(struct store *s, const struct trace *failed, const struct trace *again)
{
	for (uint32_t unit = 1; unit <= s->flow->units; unit++) {
		const struct flow_unit *u = &s->flow->unit[unit - 1];
		for (size_t i = 0; i < u->calls; i++) {
			const struct flow_call *c = &u->call[i];
			if (c->callee && is_stub(s, c->callee)
			    && store_came_to(s, failed, unit, c->block)
			    && !store_came_to(s, again, unit, c->block))
				return c->callee;
		}
	}
	return NULL;
}
