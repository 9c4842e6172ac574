/* bytes: pointers that consist of bytes passed by the caller, for example through a `void *`. A run
 * that ends at such a pointer shows a need. */
#include "lib/base/grow.h"
#include "lib/base/search.h"
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
	bool *input, passed = true;
	uint32_t first = 0;

	if ((n->value < PAGE) != low)
		return 0;
	input = store_inputs_of(t, node);
	for (uint32_t i = 0; i < t->vars && passed; i++) {
		first = input[i] && !first ? i + 1 : first;
		passed = !input[i] || store_is_passed(s, t->var[i].name);
	}
	free(input);
	return passed ? first : 0;
}

/* Addresses from `first` to `last`, both included. */
struct stretch {
	uint64_t first, last;
};

static int by_address(const void *a, const void *b)
{
	const struct stretch *x = a, *y = b;

	return x->first < y->first ? -1 : x->first > y->first;
}

/* The memory of all objects that the run accessed through inputs: stretches that are apart, by
 * address; caller frees. */
static struct stretch *objects(const struct trace *t, size_t *n)
{
	struct stretch *list = reserved(t->addresses + 1, sizeof *list);

	*n = 0;
	for (size_t i = 0; i < t->addresses; i++) {
		uint64_t from = t->address[i].object, size = t->address[i].object_size;
		if (size)
			list[(*n)++] = (struct stretch){ from, from + (size - 1) };
	}
	if (!*n)
		return list;
	qsort(list, *n, sizeof *list, by_address);
	size_t all = *n;
	*n = 1;
	for (size_t i = 1; i < all; i++) {
		struct stretch *before = &list[*n - 1];
		if (list[i].first > before->last)
			list[(*n)++] = list[i];
		else if (list[i].last > before->last)
			before->last = list[i].last;
	}
	return list;
}

/* Does the address, the key, come after the stretch? */
static int behind(const void *key, const void *stretch)
{
	return *(const uint64_t *)key > ((const struct stretch *)stretch)->last;
}

static bool leads_to_object(const struct stretch *list, size_t n, uint64_t address)
{
	size_t i = lower_bound(&address, list, n, sizeof *list, behind);

	return i < n && address >= list[i].first;
}

static bool is_pointer_of_bytes(const struct channel_node *n)
{
	return n->op == OP_CONCAT && n->width == 64;
}

/* A run that does not end may follow such a pointer in a circle. */
bool store_bytes_need(struct store *s, const struct trace *t)
{
	bool strange = false, endless = t->end == END_TIMEOUT;
	uint32_t var = 0;
	uint64_t address = 0;
	struct stretch *object = NULL;
	size_t n = 0;

	for (size_t i = 0; i < t->losts && (t->end == END_NULL || t->end == END_SEGV); i++)
		strange |= !strcmp(t->lost[i].reason, "symbolic address of no known object");
	if (endless && !strange)
		object = objects(t, &n);
	for (uint32_t i = t->nodes; (strange || endless) && i > 0 && !var; i--) {
		address = t->node[i - 1].value;
		if (is_pointer_of_bytes(&t->node[i - 1])
		    && (strange || leads_to_object(object, n, address)))
			var = passed_pointer(s, t, i, t->end == END_NULL);
	}
	free(object);
	if (var)
		store_needs_note(s, t,
		    &(struct trace_limit){
		        .kind = address ? "pointer" : "null", .name = t->var[var - 1].name });
	return var;
}
