/* bytes: pointers that consist of bytes passed by the caller, for example through a `void *`. A run
 * that ends at such a pointer shows a need. */
#include "lib/protocol/op.h"
#include "lib/store/db.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096 }; /* the run's end is `null` where an address below is accessed */

/* The first of eight bytes that the caller passed, as 1 + input; 0: the node is something else.
 * low: an address next to NULL. */
static uint32_t passed_pointer(
    const struct store *s, const struct trace *t, uint32_t node, bool low)
{
	const struct channel_node *n = &t->node[node - 1];
	bool *input, passed = n->op == OP_CONCAT && n->width == 64 && (n->value < PAGE) == low;
	uint32_t first = 0;

	if (!passed)
		return 0;
	input = store_inputs_of(t, node);
	for (uint32_t i = 0; i < t->vars && passed; i++) {
		first = input[i] && !first ? i + 1 : first;
		passed = !input[i] || store_is_passed(s, t->var[i].name);
	}
	free(input);
	return passed ? first : 0;
}

/* Is it an address within an object that the run accessed through an input? */
static bool leads_to_object(const struct trace *t, uint64_t value)
{
	for (size_t i = 0; i < t->addresses; i++)
		if (value - t->address[i].object < t->address[i].object_size)
			return true;
	return false;
}

/* A run that does not end may follow such a pointer in a circle. */
bool store_bytes_need(struct store *s, const struct trace *t)
{
	bool strange = false, endless = t->end == END_TIMEOUT;
	uint32_t var = 0;
	uint64_t address = 0;

	for (size_t i = 0; i < t->losts && (t->end == END_NULL || t->end == END_SEGV); i++)
		strange |= !strcmp(t->lost[i].reason, "symbolic address of no known object");
	for (uint32_t i = t->nodes; (strange || endless) && i > 0 && !var; i--) {
		address = t->node[i - 1].value;
		if (strange || leads_to_object(t, address))
			var = passed_pointer(s, t, i, t->end == END_NULL);
	}
	if (var)
		store_needs_note(s, t,
		    &(struct trace_limit){
		        .kind = address ? "pointer" : "null", .name = t->var[var - 1].name });
	return var;
}
