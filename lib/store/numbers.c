/* numbers: runs that end because of a divisor of 0 that the caller keeps in a structure or that a
 * stub returns, or because of an allocation whose size the caller passes and that is refused: these
 * are needs. If the divisor is a parameter of its own, or if the function compares it with 0, the
 * division is a failure. Also: runs that ended because they waited for other processes. */
#include "lib/base/grow.h"
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* If the node depends only on such numbers of the caller, the first of them as 1 + input; else 0.
 * sizes: parameters count, too. */
static uint32_t passed_number(
    const struct store *s, const struct trace *t, uint32_t node, bool sizes)
{
	bool *input = store_inputs_of(t, node), passed = true;
	uint32_t first = 0;

	for (uint32_t k = 0; k < t->vars && passed; k++) {
		const char *name = t->var[k].name;
		if (!input[k])
			continue;
		first = first ? first : k + 1;
		passed = store_is_passed(s, name) && (sizes || store_is_kept(s, name));
	}
	free(input);
	return passed ? first : 0;
}

/* Does the text compare something with 0, or ask for its truth? */
static bool is_about_zero(const char *text)
{
	for (const char *c = text; *c; c++)
		if (isdigit((unsigned char)*c) && (c == text || !isalnum((unsigned char)c[-1]))
		    && (c[0] != '0' || isalnum((unsigned char)c[1])))
			return false;
	return true;
}

/* Does a condition of the function compare the number with 0? */
static bool is_asked(const struct flow_unit *u, uint32_t func, const char *name)
{
	for (size_t i = 0; i < u->branches; i++) {
		const struct flow_branch *b = &u->branch[i];
		if (b->func == func && b->text && !strpbrk(b->text, "%/")
		    && store_has_word(b->text, name, strlen(name)) && is_about_zero(b->text))
			return true;
	}
	return false;
}

/* The node of the divisor that a division's condition compares with 0; 0: it is no such condition.
 */
static uint32_t zero(const struct trace *t, uint32_t node)
{
	const struct channel_node *n = &t->node[node - 1];
	uint32_t found;

	switch (n->op) {
	case OP_NOT: return zero(t, n->a);
	case OP_AND:
	case OP_OR: return (found = zero(t, n->a)) ? found : zero(t, n->b);
	case OP_EQ:
		return n->value && t->node[n->b - 1].op == OP_CONST && !t->node[n->b - 1].value
		    ? n->a
		    : 0;
	default: return 0;
	}
}

/* The caller's number that makes the divisor 0 in the division at which the program ends, as 1 +
 * input; 0: there is none. */
static uint32_t divisor(struct store *s, const struct trace *t, size_t event)
{
	const struct channel_event *e = &t->event[event];
	const struct check_place *p = store_fault(s, t, event);
	uint32_t by = p && e->y == CHECK_DIV && e->node ? zero(t, e->node) : 0,
	         var = by ? passed_number(s, t, by, false) : 0;
	const struct flow_unit *u = p ? &s->flow->unit[p->unit] : NULL;

	return var && !is_asked(u, u->block_func[p->check->block - 1], t->var[var - 1].name) ? var
	                                                                                     : 0;
}

bool store_division_asks(struct store *s, const struct trace *t, size_t event)
{
	return t->end == END_DIVISION && divisor(s, t, event);
}

bool store_division_need(struct store *s, const struct trace *t)
{
	uint32_t var = 0;

	for (size_t i = 0; i < t->events && t->end == END_DIVISION; i++)
		var = store_fault(s, t, i) ? divisor(s, t, i) : var;
	if (var)
		store_needs_note(
		    s, t, &(struct trace_limit){ .kind = "divisor", .name = t->var[var - 1].name });
	return var;
}

/* The node of the size with which an allocation was refused; 0: the event is no such condition. */
static uint32_t refused_size(const struct trace *t, const struct channel_event *e)
{
	const struct channel_node *n = e->node ? &t->node[e->node - 1] : NULL, *most;

	if (!n || !trace_is_condition(e) || n->op != OP_NOT || n->value)
		return 0;
	n = &t->node[n->a - 1]; /* MOST < SIZE */
	most = n->op == OP_ULT ? &t->node[n->a - 1] : NULL;
	return most && most->op == OP_CONST && most->value == PTRDIFF_MAX ? n->b : 0;
}

bool store_memory_need(struct store *s, const struct trace *t)
{
	uint32_t var = 0;

	if (t->end != END_MEMORY && t->end != END_NULL)
		return false;
	for (size_t i = t->events; i-- > 0 && !var;) {
		uint32_t size = refused_size(t, &t->event[i]);
		var = size ? passed_number(s, t, size, true) : 0;
	}
	if (var)
		store_needs_note(
		    s, t, &(struct trace_limit){ .kind = "memory", .name = t->var[var - 1].name });
	return var;
}

/* The runtime's message (lib/runtime/variadic.c) for a read of a va_list that the program did not
 * make. */
static const char list_is_read[] = "it is not known how many variable arguments there are";

bool store_list_need(struct store *s, const struct trace *t)
{
	static const char member[] = ".gp_offset";
	bool read = false, asks = false;

	for (size_t i = 0; i < t->losts && (t->end == END_NULL || t->end == END_SEGV); i++)
		read |= !strcmp(t->lost[i].reason, list_is_read);
	for (size_t k = 0; k < t->vars && read && !asks; k++) {
		size_t n = strlen(t->var[k].name), end = sizeof member - 1;
		char *name = copied(t->var[k].name);
		asks = n > end && !strcmp(name + n - end, member)
		    && store_is_passed(s, t->var[k].name);
		if (asks) { /* AP[0].gp_offset */
			name[n - end] = 0;
			name[strcspn(name, "[")] = 0;
			store_needs_note(
			    s, t, &(struct trace_limit){ .kind = "arguments", .name = name });
		}
		free(name);
	}
	return asks;
}

bool store_waits(const struct trace *t)
{
	bool asked = false;
	uint64_t ms = 0;

	for (size_t i = 0; i < t->limits && t->end == END_TIMEOUT; i++) {
		asked |= !strcmp(t->limit[i].kind, "concrete");
		if (!strcmp(t->limit[i].kind, "time"))
			ms = t->limit[i].value;
	}
	return asked && t->cpu_us < ms * 1000 / 10;
}
