/* asserts: failed assertions about values that a caller passes, not about values that the program
 * computed. assert(n > 0) on a parameter states a precondition, and so does assert(0) in the
 * default of a switch over one: callers pass no other value. */
#include "lib/base/grow.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

/* Has the plan a line KIND <TAB> NAME <TAB> ...? */
static bool has_line(const struct store *s, char kind, const char *name, size_t n)
{
	for (const char *at = s->plan; at && n; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (at[0] == kind && at[1] == '\t' && !strncmp(at + 2, name, n)
		    && at[2 + n] == '\t')
			return true;
	}
	return false;
}

bool store_is_stub_answer(const struct store *s, const char *input)
{
	size_t n = strcspn(input, "[.#?+(");

	return input[n] == '(' && has_line(s, 'q', input, n);
}

/* The plan has a line `i NAME ...` for each input that the caller of the entry passes, a line `y K
 * ...` for each type behind its pointers, and a line `q NAME ...` for each undefined function,
 * which has a stub. Results of functions that the caller passes, named NAME() or callbackK(),
 * belong to the caller; results of stubs belong to duct. Results of the environment belong to
 * neither. */
bool store_is_passed(const struct store *s, const char *input)
{
	static const char callback[] = "callback";
	size_t n = strcspn(input, "[.#?+("), word = sizeof callback - 1;

	return has_line(s, 'i', input, n) || store_is_stub_answer(s, input)
	    || (input[n] == '(' && n > word && !strncmp(input, callback, word)
	        && has_line(s, 'y', input + word, n - word));
}

size_t store_structure_of(const struct store *s, const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot && (!strchr(dot, '[') || store_is_bits(s, name)) ? (size_t)(dot - name) : 0;
}

bool store_is_member(const struct store *s, const char *input)
{
	return store_structure_of(s, input) != 0;
}

bool store_is_kept(const struct store *s, const char *input)
{
	size_t n = strcspn(input, "#"); /* the number of a call */

	return store_is_member(s, input)
	    || (n > 2 && !strncmp(input + n - 2, "()", 2) && store_is_passed(s, input));
}

/* Operations that compare values or select bits of them; shifts select the bits of bit-fields.
 * Arithmetic creates new values, for which the caller is not responsible. */
static bool keeps_values(enum op op)
{
	switch (op) {
	case OP_NOT:
	case OP_AND:
	case OP_OR:
	case OP_XOR:
	case OP_CONCAT:
	case OP_EXTRACT:
	case OP_ZEXT:
	case OP_SEXT:
	case OP_ITE:
	case OP_SHL:
	case OP_LSHR:
	case OP_EQ:
	case OP_ULT:
	case OP_ULE:
	case OP_SLT:
	case OP_SLE:
	case OP_FEQ:
	case OP_FLT:
	case OP_FLE: return true;
	default: return false;
	}
}

static bool makes_sum(enum op op)
{
	return op == OP_ADD || op == OP_SUB || op == OP_MUL || op == OP_NEG;
}

/* Facts about a value. all: it depends only on what the caller passed. choice: it depends on where
 * pointers lead. kept: it is a value that the caller passed, or a comparison of such values. sum:
 * it is a sum, difference or product of such values, or a comparison of those. */
struct passed {
	bool all, choice, kept, sum;
};

/* Is the result a value that the caller passed? For a choice between such values, and for contents
 * of memory, the condition or the address may be computed. */
static bool keeps(const struct channel_node *n, const struct passed *a, const struct passed *b,
    const struct passed *c)
{
	switch (n->op) {
	case OP_ITE: return a->all && b->kept && c->kept;
	case OP_STORE: return a->all && b->all && c->kept;
	case OP_READ: return a->kept && b->all;
	default: return keeps_values((enum op)n->op) && a->kept && b->kept && c->kept;
	}
}

/* By node; operands come before their nodes. */
static struct passed *passed_nodes(const struct store *s, const struct trace *t)
{
	struct passed *passed = zeroed(t->nodes + 1, sizeof *passed);

	passed[0] = (struct passed){ true, true, true, true };
	for (uint32_t id = 1; id <= t->nodes; id++) {
		const struct channel_node *n = &t->node[id - 1];
		int arity = op_arity((enum op)n->op);
		const struct passed *a = &passed[arity > 0 ? n->a : 0],
		                    *b = &passed[arity > 1 ? n->b : 0],
		                    *c = &passed[arity > 2 ? n->c : 0];
		struct passed *p = &passed[id];
		bool input = n->op == OP_INPUT && store_is_passed(s, t->var[n->a].name);
		p->all = input || n->op == OP_CONST || n->op == OP_TABLE
		    || (arity && a->all && b->all && c->all);
		p->choice = (input && t->var[n->a].kind == INPUT_CHOICE) || n->op == OP_CONST
		    || (arity && a->choice && b->choice && c->choice);
		p->kept = input || p->choice || (arity && keeps(n, a, b, c));
		p->sum = p->kept
		    || (arity && a->sum && b->sum && c->sum
		        && (keeps_values((enum op)n->op) || makes_sum((enum op)n->op)));
	}
	return passed;
}

/* By node: does it depend, even partly, on a result of a stub? A variable that holds such a result
 * is the function's own only in name. */
static bool *stub_nodes(const struct store *s, const struct trace *t)
{
	bool *stub = zeroed(t->nodes + 1, sizeof *stub);

	for (uint32_t id = 1; id <= t->nodes; id++) {
		const struct channel_node *n = &t->node[id - 1];
		uint32_t operand[3] = { n->a, n->b, n->c };
		stub[id] = n->op == OP_INPUT && store_is_stub_answer(s, t->var[n->a].name);
		for (int i = 0; i < op_arity((enum op)n->op); i++)
			stub[id] |= stub[operand[i]];
	}
	return stub;
}

/* Does the condition depend only on what the caller passed, and not on the function? Values that
 * the function computes from members of a structure that the caller keeps, and from other inputs,
 * are part of the structure's state. An assertion that itself computes something makes a statement
 * about the computed value. */
static bool is_about_inputs(const struct store *s, const struct trace *t, uint32_t node,
    bool of_members, bool computing, bool of_local)
{
	struct passed *passed = passed_nodes(s, t);
	const struct passed *p = &passed[node];
	bool *stub = of_local ? stub_nodes(s, t) : NULL,
	     is = (of_members         ? p->all
	                  : computing ? p->sum
	                              : p->kept)
	    && (!stub || stub[node]);

	free(passed);
	free(stub);
	return is;
}

/* Is the condition only about members of structures that the caller keeps? A local variable that
 * the assertion names is then a copy of one. */
static bool is_about_members(
    const struct store *s, const struct trace *t, uint32_t node, bool *only)
{
	bool *member = zeroed(t->nodes + 1, sizeof *member),
	     *other = zeroed(t->nodes + 1, sizeof *other), is;

	for (uint32_t id = 1; id <= t->nodes; id++) {
		const struct channel_node *n = &t->node[id - 1];
		uint32_t operand[3] = { n->a, n->b, n->c };
		member[id] = n->op == OP_INPUT && store_is_member(s, t->var[n->a].name);
		other[id] = n->op == OP_INPUT && !member[id];
		for (int i = 0; i < op_arity((enum op)n->op); i++) {
			member[id] |= member[operand[i]];
			other[id] |= other[operand[i]];
		}
	}
	is = member[node];
	*only = !other[node];
	free(member);
	free(other);
	return is;
}

/* The last condition about inputs, which may have been decided before; NULL: there was none. */
static const struct channel_event *last_condition(const struct trace *t)
{
	for (size_t i = t->events; i-- > 0;)
		if (trace_is_condition(&t->event[i])
		    || (t->event[i].kind == EV_TAKEN && t->event[i].node))
			return &t->event[i];
	return NULL;
}

static const struct flow_branch *branch_of(const struct flow_unit *u, const struct channel_event *e)
{
	bool is_branch = e->kind == EV_BRANCH || e->kind == EV_SWITCH || e->kind == EV_TAKEN;

	return u && is_branch && e->id && e->id <= u->branches ? &u->branch[e->id - 1] : NULL;
}

static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
static const char more_letters[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";

/* The length of the constant's name at the start of a text; 0: there is none. */
static size_t constant_name(const char *text)
{
	static const char *const names[] = { "false", "true", "NULL" };
	size_t n = strspn(text, more_letters), found = 0;

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == n && !strncmp(text, names[i], n))
			found = n;
	return found;
}

/* Is the assertion a constant, with no name outside of string literals? */
static bool is_constant(const char *text)
{
	while (
	    *(text += strcspn(text, "\"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"))) {
		size_t n = constant_name(text);
		if (n) {
			text += n;
			continue;
		}
		if (*text != '"')
			return false;
		for (text++; *text && *text != '"'; text++)
			text += *text == '\\' && text[1];
		text += *text == '"';
	}
	return true;
}

/* Does the condition lead to an assertion that always fails? A switch over what the caller passed
 * states that there are no other values; a condition about a structure that the caller keeps states
 * that it is in no other state. */
static bool leads_to_constant(const struct flow_branch *b, const struct trace *t, bool of_members)
{
	return (b->cases || of_members) && is_constant(t->fault_message);
}

/* Is the condition a part of the assertion? Its text is then the use of the macro. */
static bool is_part(const struct flow_branch *b, const struct trace *t)
{
	return !b->cases && b->text && !is_constant(t->fault_message)
	    && strstr(b->text, t->fault_message);
}

/* Has the text an operator of arithmetic, not only `->`? */
static bool computes(const char *text)
{
	for (; *text; text++)
		if (strchr("+*%", *text) || (*text == '-' && text[1] != '>'))
			return true;
	return false;
}

static bool is_local(const struct flow_unit *u, uint32_t func, const char *name, size_t n)
{
	for (size_t i = 0; i < u->vars; i++) {
		const struct flow_var *v = &u->var[i];
		if (v->func == func && (v->kind == 'l' || v->kind == 's')
		    && !strncmp(v->name, name, n) && !v->name[n])
			return true;
	}
	return false;
}

/* Does the assertion name variables that the function has for itself? */
static bool names_local(const struct flow_unit *u, uint32_t func, const char *text)
{
	while (*(text += strcspn(text, letters))) {
		size_t n = strspn(text, more_letters);
		if (is_local(u, func, text, n))
			return true;
		text += n;
	}
	return false;
}

/* The condition that made the assertion fail, if it is about what the caller passed. */
static const struct flow_branch *deciding(struct store *s, const struct trace *t)
{
	const struct channel_event *e =
	    t->end == END_ASSERT && t->fault_message ? last_condition(t) : NULL;
	uint32_t unit = e ? store_unit(s, t, e->unit) : 0;
	const struct flow_unit *u = unit ? &s->flow->unit[unit - 1] : NULL;
	const struct flow_branch *b = e ? branch_of(u, e) : NULL;
	bool only = false, of_members = b && is_about_members(s, t, e->node, &only);
	bool asks = b && (leads_to_constant(b, t, of_members && only) || is_part(b, t))
	    && is_about_inputs(s, t, e->node, of_members, is_part(b, t) && computes(b->text),
	        !of_members && names_local(u, b->func, t->fault_message));

	return asks ? b : NULL;
}

bool store_asserts_need(struct store *s, const struct trace *t)
{
	const struct flow_branch *b = deciding(s, t);
	struct trace_limit need = { .name = t->fault_message };

	if (!b)
		return false;
	need.kind = is_part(b, t) ? "assert" : "value";
	if (!is_part(b, t))
		need.name = b->text ? b->text : "";
	store_needs_note(s, t, &need);
	return true;
}
