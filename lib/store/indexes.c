/* indexes: runs that end at an index that the caller passed and that the function does not check.
 * Only callers can bound such an index, as that of a table: the run shows a need. If the function
 * compares the index with anything but other inputs, before or after the access, the bound is the
 * function's own business, and the run is a failure. For members of a caller's structure (a state,
 * a number of elements), numbers in a caller's array and results of stubs, only order comparisons
 * with a constant count, and only those that bound the value on the side on which the access leaves
 * the object. The caller is responsible for members and parameters that fit together, and for
 * numbers of elements that are not negative; the function that a stub replaces, for the stub's
 * results. */
#include "lib/base/grow.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"
#include "lib/store/linear.h"

#include <stdlib.h>
#include <string.h>

/* The check that ended the run; NULL: the run ended otherwise. Its condition is no node if the path
 * determines the index. */
static const struct channel_event *last_check(const struct trace *t)
{
	const struct channel_event *e = t->events ? &t->event[t->events - 1] : NULL;

	for (size_t i = t->events; i-- > 0 && e->kind != EV_BOUNDS;)
		e = &t->event[i];
	return e && e->kind == EV_BOUNDS && !e->x && e->y && e->y <= t->addresses
	        && t->address[e->y - 1].node
	    ? e
	    : NULL;
}

/* Is it a check of a length? */
static bool is_length(const struct trace *t, uint32_t check)
{
	return t->node[check - 1].op == OP_NOT;
}

/* By node: does it depend on one of these inputs? */
static bool *find_dependent(const struct trace *t, const bool *input)
{
	bool *is = zeroed(t->nodes + 1, sizeof *is);

	for (uint32_t i = 1; i <= t->nodes; i++) {
		const struct channel_node *p = &t->node[i - 1];
		uint32_t operand[3] = { p->a, p->b, p->c };
		is[i] = p->op == OP_INPUT && input[p->a];
		for (int k = 0; k < op_arity((enum op)p->op); k++)
			is[i] |= is[operand[k]];
	}
	return is;
}

bool *store_inputs_of(const struct trace *t, uint32_t node)
{
	bool *input = zeroed(t->vars + 1, sizeof *input), *of = zeroed(t->nodes + 1, sizeof *of);

	of[node] = true;
	for (uint32_t i = node; i > 0; i--) {
		const struct channel_node *p = &t->node[i - 1];
		uint32_t operand[3] = { p->a, p->b, p->c };
		if (of[i] && p->op == OP_INPUT)
			input[p->a] = true;
		for (int k = 0; of[i] && k < op_arity((enum op)p->op); k++)
			of[operand[k]] = true;
	}
	free(of);
	return input;
}

/* By node: does it depend on another input than these? */
static bool *find_others(const struct trace *t, const bool *input)
{
	bool *other = zeroed(t->vars + 1, sizeof *other), *is;

	for (size_t k = 0; k < t->vars; k++)
		other[k] = !input[k];
	is = find_dependent(t, other);
	free(other);
	return is;
}

/* Does the run decide or assume anything that is only about these inputs, such as the size of an
 * object, other than at accesses? */
static bool is_compared(const struct trace *t, const bool *input)
{
	bool *about = find_dependent(t, input), *other = find_others(t, input), is = false;

	for (size_t i = 0; i < t->events && !is; i++) {
		const struct channel_event *e = &t->event[i];
		is = trace_is_condition(e) && about[e->node] && e->kind != EV_BOUNDS
		    && e->kind != EV_CHECK && !other[e->node];
	}
	free(other);
	free(about);
	return is;
}

/* The end of the index that begins here, such as that in `[i]`, or of a descriptor in FD_ISSET(fd,
 * &set) and select(fd + 1, ...); NULL: there is none. */
static const char *end_of_index(const char *text)
{
	static const char *const calls[] = { "FD_ISSET(", "select(" };
	size_t skip = 0;
	int depth = 0;

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (!strncmp(text, calls[i], strlen(calls[i])))
			skip = strlen(calls[i]) - 1;
	if (*text != '[' && !skip)
		return NULL;
	for (text += skip; *text; text++) {
		depth += *text == '[' || *text == '(';
		depth -= *text == ']' || *text == ')';
		if (!depth)
			return text + 1;
	}
	return text;
}

/* Does the text mention the name other than as an index? */
static bool names(const char *text, const char *name)
{
	char *bare = copied(text), *to = bare;
	const char *end;
	bool has;

	for (const char *c = text; *c;)
		if ((end = end_of_index(c)))
			c = end;
		else
			*to++ = *c++;
	*to = 0;
	has = store_has_word(bare, name, strlen(name));
	free(bare);
	return has;
}

/* Is it a number of more than one byte within an array of the caller? Bytes are text, which may be
 * any data, and a comparison with one may be a check. */
static bool is_element(const struct trace_var *v)
{
	return v->width > 8 && strchr(v->name, '[');
}

static bool are_kept(const struct store *s, const struct trace *t, const bool *input)
{
	for (size_t k = 0; k < t->vars; k++)
		if (input[k] && !store_is_kept(s, t->var[k].name) && !is_element(&t->var[k]))
			return false;
	return true;
}

/* Does the node depend on two members of one structure? */
static bool relates_members(const struct store *s, const struct trace *t, uint32_t node)
{
	bool *of = store_inputs_of(t, node), relates = false;

	for (size_t a = 0; a < t->vars; a++)
		for (size_t b = a + 1; b < t->vars && of[a] && !relates; b++) {
			size_t n = store_structure_of(s, t->var[a].name);
			relates = of[b] && n && n == store_structure_of(s, t->var[b].name)
			    && !strncmp(t->var[a].name, t->var[b].name, n);
		}
	free(of);
	return relates;
}

/* Does the event say that an index left an array which is a part of an object, so that the run
 * continued, or that the length of a memory block did not fit into its object? Then *access
 * describes the array, or the range of lengths that fit, as an object with one byte for each. */
static bool leaves_part(const struct trace *t, size_t event, struct channel_address *access)
{
	static const uint64_t middle = UINT64_MAX / 2; /* indexes may be negative */
	const struct channel_event *e = &t->event[event];
	const struct channel_node *within, *index, *most;
	uint32_t node;
	struct linear l;
	bool length;

	if (e->kind != EV_CHECK || e->y != CHECK_BOUNDS || !e->node || e->x)
		return false;
	within = &t->node[e->node - 1];
	if ((length = within->op == OP_NOT)) /* not MOST < LENGTH */
		within = &t->node[within->a - 1];
	if (within->op != OP_ULT)
		return false;
	node = length ? within->b : within->a;
	index = &t->node[node - 1];
	most = &t->node[(length ? within->a : within->b) - 1];
	*access = (struct channel_address){ .node = node,
		.object = middle,
		.object_size = most->value + length,
		.address = middle
		    + (linear_find(t, node, &l) && l.is_signed ? (uint64_t)linear_signed(index)
		                                               : index->value),
		.bytes = 1 };
	return most->op == OP_CONST && index->op != OP_CONST;
}

/* Does it compare an input with a value computed from the same input, such as `n < n + 1`? */
static bool compares_with_itself(const struct trace *t, const struct channel_node *n)
{
	bool *left, *right, both = false;

	if (op_arity((enum op)n->op) != 2)
		return false;
	left = store_inputs_of(t, n->a);
	right = store_inputs_of(t, n->b);
	for (size_t k = 0; k < t->vars; k++)
		both |= left[k] && right[k];
	free(left);
	free(right);
	return both;
}

/* Is the unsigned comparison about the input itself? `x - 5 < 4u` is about values from 5 on, and
 * excludes no negative value. */
static bool begins_at_zero(const struct trace *t, const struct channel_node *n)
{
	bool falls;

	return !linear_solve(t, linear_is_constant(t, n->b) ? n->a : n->b, 0, &falls);
}

/* Can the comparison, on the side of the access, keep the index within the object? Not if its
 * number is less than half of the greatest index: it distinguishes kinds of indexes. Nor if the
 * number is less than the greatest index and the run took the side above it, nor if it bounds the
 * index on the other side of the object. */
static bool is_bound(const struct trace *t, uint32_t node, const struct channel_address *a)
{
	const struct channel_node *n;
	int64_t last, limit;
	bool is_signed, lower;

	while (t->node[node - 1].op == OP_NOT)
		node = t->node[node - 1].a;
	n = &t->node[node - 1];
	if ((n->op == OP_OR || n->op == OP_AND) && n->width == 1) /* several conditions */
		return is_bound(t, n->a, a) || is_bound(t, n->b, a);
	if (compares_with_itself(t, n))
		return false;
	is_signed = n->op == OP_SLT || n->op == OP_SLE;
	if (!is_signed && n->op != OP_ULT && n->op != OP_ULE)
		return n->op != OP_EQ;
	if (!linear_is_constant(t, n->a) && !linear_is_constant(t, n->b))
		return true;
	last = linear_last_below(t, n, &lower);
	if (!is_signed && a->address < a->object && last < 0)
		return false; /* x + k > c, such as a size to grow to, where x + k wraps */
	if (!is_signed && (last < 0 || a->address < a->object))
		return last < 0 || begins_at_zero(t, n);
	if (last <= 0)
		return a->address < a->object;
	if (a->address >= a->object)
		return !linear_limit(t, a, &limit) || last >= (lower ? limit / 2 : limit);
	return linear_limit(t, a, &limit) && last > limit && last <= 2 * limit + 16;
}

/* Does the run decide a condition before `end` that bounds these members? A check for overflow of
 * an object's size that is computed from them is no bound. */
static bool is_bounded(const struct store *s, const struct trace *t, const bool *input,
    const struct channel_address *a, size_t end)
{
	bool *about = find_dependent(t, input), *other = find_others(t, input), is = false;

	for (size_t i = 0; i < end && !is; i++) {
		const struct channel_event *e = &t->event[i];
		bool of_program = (e->kind == EV_BRANCH || e->kind == EV_TAKEN) && e->node
		    && e->unit < t->units && !(t->unit[e->unit].flags & 1);
		if (of_program)
			is = about[e->node] && is_bound(t, e->node, a) && !other[e->node]
			    && !relates_members(s, t, e->node);
	}
	free(other);
	free(about);
	return is;
}

/* The operator of a comparison of order in a text, or NULL. */
static const char *find_order(const char *text)
{
	for (const char *c = text; *(c += strcspn(c, "<>")); c++) {
		if (c[0] == c[1])
			c++;
		else if (*c == '<' || c == text || c[-1] != '-')
			return c;
	}
	return NULL;
}

static bool names_variable(const struct flow_unit *u, uint32_t func, const char *text)
{
	for (size_t i = 0; i < u->vars; i++)
		if (u->var[i].func == func && u->var[i].name
		    && store_has_word(text, u->var[i].name, strlen(u->var[i].name)))
			return true;
	return false;
}

/* Does the condition compare the order of the input with an expression without variables of the
 * function? */
static bool bounds(const struct flow_unit *u, const struct flow_branch *b, const char *input)
{
	const char *at = find_order(b->text);
	char *left;
	bool is;

	if (!at)
		return false;
	left = copied(b->text);
	left[at - b->text] = 0;
	is = (names(left, input) && !names_variable(u, b->func, at))
	    || (names(at, input) && !names_variable(u, b->func, left));
	free(left);
	return is;
}

static bool looks_at(const struct flow_unit *u, const struct flow_branch *b, const char *input)
{
	return find_order(b->text) ? bounds(u, b, input) : names(b->text, input);
}

/* The unit and block of the index: those of the given place, or, without one, those where the run
 * ended; NULL: not known. */
static const struct flow_unit *where(
    struct store *s, const struct trace *t, const struct check_place *at, uint32_t *block)
{
	uint32_t unit = at ? at->unit + 1 : store_unit(s, t, t->fault_unit);
	const struct flow_unit *u = unit ? &s->flow->unit[unit - 1] : NULL;

	*block = at ? at->check->block : t->fault_block;
	return u && *block && *block <= u->blocks ? u : NULL;
}

/* Does a condition of the function that has the access mention one of them? The run may have ended
 * before this condition. */
static bool is_named(
    struct store *s, const struct trace *t, const bool *input, const struct check_place *at)
{
	uint32_t block, func;
	const struct flow_unit *u = where(s, t, at, &block);

	if (!u)
		return true; /* not known */
	func = u->block_func[block - 1];
	for (size_t i = 0; i < u->branches; i++)
		for (size_t k = 0; u->branch[i].func == func && u->branch[i].text && k < t->vars;
		    k++)
			if (input[k] && looks_at(u, &u->branch[i], t->var[k].name))
				return true;
	return false;
}

/* The number that stands alone on the other side of the operator of order `at` than the name;
 * false: something else. *most: the greatest value of the name on the lower side of the comparison.
 */
static bool find_number(const char *text, const char *at, const char *name, int64_t *most)
{
	bool equal = at[1] == '=';
	char *left = copied_part(text, (size_t)(at - text)), *right = copied(at + 1 + equal), *end;
	bool first = names(left, name), less = (*at == '<') == first, is; /* name < number */
	const char *number = first ? right : left;

	*most = strtoll(number, &end, 0);
	while (*end == 'u' || *end == 'U' || *end == 'l' || *end == 'L' || *end == ' ')
		end++;
	is = end != number && !*end;
	*most -= less ? !equal : equal;
	free(left);
	free(right);
	return is;
}

/* Does the condition, behind an assignment to the member, compare it with a number that bounds it
 * on the side of the access, but leaves it values outside of the object? One that leaves it only
 * values inside keeps a promise that the caller has to keep, too, and the other side is the
 * caller's alone. */
static bool lets_leave(const struct trace *t, const struct flow_branch *b, const char *name,
    const struct channel_address *a)
{
	const char *at = find_order(b->text);
	int64_t most, limit;

	if (!at || !find_number(b->text, at, name, &most))
		return false; /* such as a constant's name */
	if (a->address < a->object)
		return most <= 0;
	return most > 0 && (!linear_limit(t, a, &limit) || most > limit);
}

/* Does a condition that is always evaluated after the access bound one of the members? */
static bool is_bounded_behind(struct store *s, const struct trace *t, const bool *input,
    const struct channel_address *a, const struct check_place *at)
{
	uint32_t block;
	const struct flow_unit *u = where(s, t, at, &block);
	const struct flow_func *f;
	bool *behind, is = false;

	if (!u)
		return true; /* not known */
	f = &u->func[u->block_func[block - 1] - 1];
	behind = store_blocks_behind(u, f, block);
	for (size_t i = 0; i < u->branches && !is; i++) {
		const struct flow_branch *b = &u->branch[i];
		if (b->block - f->first_block >= f->blocks || !b->text || b->cases
		    || !behind[b->block - f->first_block])
			continue;
		for (size_t k = 0; k < t->vars && !is; k++)
			is = input[k] && bounds(u, b, t->var[k].name)
			    && (!store_assigns(s, u, b->func, t->var[k].name)
			        || lets_leave(t, b, t->var[k].name, a));
	}
	free(behind);
	return is;
}

/* ---- */

/* Records the bounds that the index must have: at least 0, or at most a number. at: the place, or
 * NULL for where the run ended. */
static void note(struct store *s, const struct trace *t, const struct channel_address *a,
    const struct check_place *at)
{
	struct trace_limit need = { .kind = "inside", .name = "" };
	bool *input = store_inputs_of(t, a->node);
	struct linear l;

	for (size_t i = t->vars; i-- > 0;)
		if (input[i])
			need.name = t->var[i].name;
	if (linear_find(t, a->node, &l) && l.scale > 0 && !l.offset && a->object_size >= a->bytes) {
		need.kind = l.is_signed ? "range" : "most";
		need.value = (a->object_size - a->bytes) / (uint64_t)l.scale;
		need.value = (need.value << l.shift) + ((uint64_t)1 << l.shift) - 1;
	}
	store_needs_index(s, t, &need, at);
	free(input);
}

/* Can only the caller keep the index within the object? check: the node of the bounds check; only
 * conditions that the run decided before `end` count. */
static bool asks(struct store *s, const struct trace *t, uint32_t check,
    const struct channel_address *a, const struct check_place *at, size_t end)
{
	bool *foreign = store_foreign_nodes(s, t), *input = store_inputs_of(t, a->node);
	bool kept = are_kept(s, t, input);
	bool is = !foreign[check] && !foreign[a->node] && (kept || check)
	    && (kept ? !is_bounded(s, t, input, a, end) && !is_bounded_behind(s, t, input, a, at)
	             : !is_compared(t, input) && !is_named(s, t, input, at));

	free(input);
	free(foreign);
	return is;
}

/* Is the index not a length that the function has to check itself, because it copies a number of
 * bytes given by a parameter into an object of its own? */
static bool may_ask(const struct store *s, const struct trace *t, uint32_t check)
{
	bool *input = store_inputs_of(t, check),
	     may = !is_length(t, check) || are_kept(s, t, input);

	free(input);
	return may;
}

bool store_part_asks(
    struct store *s, const struct trace *t, size_t event, const struct check_place *at)
{
	struct channel_address a;
	uint32_t check = t->event[event].node;

	return leaves_part(t, event, &a) && may_ask(s, t, check)
	    && asks(s, t, check, &a, at, event);
}

bool store_indexes_need(struct store *s, const struct trace *t)
{
	const struct channel_event *e = t->end == END_BOUNDS ? last_check(t) : NULL;
	struct channel_address a;
	bool is = false;

	if (e) {
		a = t->address[e->y - 1];
		if ((is = asks(s, t, e->node, &a, NULL, t->events)))
			note(s, t, &a, NULL);
	}
	for (size_t i = 0; i < t->events; i++) {
		bool leaves = leaves_part(t, i, &a);
		const struct check_place *p = leaves ? store_fault(s, t, i) : NULL;
		bool known = p || (leaves && is_length(t, t->event[i].node));
		if (!known || !store_part_asks(s, t, i, p))
			continue;
		note(s, t, &a, p);
		is = true;
	}
	return is;
}
