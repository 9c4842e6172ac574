/* links: null pointers that are dereferenced in a loop which counts by a member of the caller's
 * structure, if that structure has pointers to others: a list may have fewer elements than its
 * count says. The caller is responsible for a correct count. */
#include "lib/base/grow.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

static bool is_number(const struct store *s, const struct trace_var *v)
{
	return v->kind != INPUT_CHOICE && store_is_member(s, v->name)
	    && store_is_passed(s, v->name);
}

/* Inputs that the run decides about, by input. The caller frees it. */
static bool *find_decided(const struct trace *t)
{
	bool *about = zeroed(t->nodes + 1, sizeof *about),
	     *decided = zeroed(t->vars + 1, sizeof *decided);

	for (size_t i = 0; i < t->events; i++)
		if (trace_is_condition(&t->event[i]))
			about[t->event[i].node] = true;
	for (uint32_t id = t->nodes; id > 0; id--) {
		const struct channel_node *n = &t->node[id - 1];
		uint32_t operand[3] = { n->a, n->b, n->c };
		if (about[id] && n->op == OP_INPUT)
			decided[n->a] = true;
		for (int i = 0; about[id] && i < op_arity((enum op)n->op); i++)
			about[operand[i]] = true;
	}
	free(about);
	return decided;
}

/* Does the structure with that member, which the caller passes, have pointers to others? */
static bool has_links(const struct trace *t, const char *member)
{
	size_t n = strcspn(member, "[.");

	for (size_t i = 0; i < t->vars; i++) {
		const char *name = t->var[i].name;
		if (t->var[i].kind == INPUT_CHOICE && !strncmp(name, member, n) && strchr(name, '.')
		    && name[strlen(name) - 1] == '?')
			return true;
	}
	return false;
}

/* Is it a condition by which the run leaves the cycle? */
static bool is_exit(
    const struct flow_unit *u, const struct flow_func *f, uint32_t branch, const bool *in)
{
	bool stays = false, leaves = false;

	for (size_t i = 0; i < u->edges; i++)
		if (u->edge[i].branch == branch && u->edge[i].to - f->first_block < f->blocks) {
			stays |= in[u->edge[i].to - f->first_block];
			leaves |= !in[u->edge[i].to - f->first_block];
		}
	return stays && leaves;
}

/* May a call in the cycle lead to the function? */
static bool may_call(struct store *s, const struct flow_unit *u, const struct flow_func *f,
    const bool *in, uint32_t unit, uint32_t func)
{
	bool may = false;

	for (size_t i = 0; i < u->calls && !may; i++) {
		const struct flow_call *c = &u->call[i];
		if (c->block - f->first_block >= f->blocks || !in[c->block - f->first_block])
			continue;
		bool **reached = c->callee ? flow_reachable(s->flow, c->callee) : NULL;
		may = !reached || reached[unit - 1][func - 1];
		if (reached)
			flow_marks_free(s->flow, reached);
	}
	return may;
}

/* Did the run end in a loop that this condition, of the k-th unit, ends? */
static bool ends_within(struct store *s, const struct trace *t, uint32_t k, uint32_t branch)
{
	const struct flow_unit *u = &s->flow->unit[k - 1];
	const struct flow_branch *b = &u->branch[branch - 1];
	const struct flow_func *f = &u->func[b->func - 1];
	uint32_t at = store_unit(s, t, t->fault_unit),
	         func = s->flow->unit[at - 1].block_func[t->fault_block - 1];
	bool *in = store_came_to(s, t, k, b->block) ? store_cycle_of(u, f, b->block) : NULL,
	     is = false;

	if (in && is_exit(u, f, branch, in))
		is = at == k && func == b->func ? in[t->fault_block - f->first_block]
		                                : may_call(s, u, f, in, at, func);
	free(in);
	return is;
}

/* Did it end in a loop that counts by this number? */
static bool counts_by(struct store *s, const struct trace *t, const char *member)
{
	for (uint32_t k = 1; k <= s->flow->units; k++) {
		const struct flow_unit *u = &s->flow->unit[k - 1];
		for (uint32_t i = 1; i <= u->branches; i++)
			if (!u->branch[i - 1].cases && u->branch[i - 1].text
			    && store_has_word(u->branch[i - 1].text, member, strlen(member))
			    && ends_within(s, t, k, i))
				return true;
	}
	return false;
}

bool store_links_need(struct store *s, const struct trace *t)
{
	uint32_t unit = t->end == END_NULL ? store_unit(s, t, t->fault_unit) : 0;
	const char *name = NULL;
	bool *decided;

	if (!unit || !t->fault_block || t->fault_block > s->flow->unit[unit - 1].blocks)
		return false;
	decided = find_decided(t);
	for (size_t i = 0; i < t->vars && !name; i++)
		if (decided[i] && is_number(s, &t->var[i]) && has_links(t, t->var[i].name)
		    && counts_by(s, t, t->var[i].name))
			name = t->var[i].name;
	free(decided);
	if (name)
		store_needs_note(
		    s, t, &(struct trace_limit){ .kind = "links", .name = (char *)name });
	return name;
}
