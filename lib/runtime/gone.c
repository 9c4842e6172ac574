/* gone: definitions of which no byte is left, because each was overwritten, under whatever name, or
 * its object ended. */
#include "lib/runtime/writers.h"

enum { LISTED = 1, KEPT = 2 };

uint32_t *duct_left;

static uint8_t *state; /* by writer */
static uint32_t writers, *changed,
    changes; /* changed: those whose count has changed since the last event */

void duct_gone_start(uint32_t n)
{
	if (!n || !(duct_left = duct_reserve((n + 1) * sizeof *duct_left)))
		return;
	state = duct_reserve(n + 1);
	changed = duct_reserve((n + 1) * sizeof *changed);
	writers = n;
	if (!state || !changed)
		duct_left = NULL;
}

static void list(uint32_t writer)
{
	if (state[writer] & LISTED)
		return;
	state[writer] |= LISTED;
	changed[changes++] = writer;
}

void duct_gone_more(uint32_t writer, size_t n)
{
	if (!writer || writer > writers)
		return;
	if (!duct_left[writer])
		list(writer);
	duct_left[writer] += (uint32_t)n;
	if (duct_left[writer] < n)
		state[writer] |= KEPT;
}

void duct_gone_less(uint32_t writer, size_t n)
{
	if (writer && writer <= writers && !(duct_left[writer] -= (uint32_t)n))
		list(writer);
}

void duct_gone_keep(uint32_t writer)
{
	if (duct_left && writer && writer <= writers)
		state[writer] |= KEPT;
}

void duct_gone_tell(void)
{
	for (uint32_t i = 0; i < changes; i++) {
		uint32_t w = changed[i];

		state[w] &= (uint8_t)~LISTED;
		if (duct_left && !duct_left[w]
		    && !state[w]) /* no longer counted: see duct_last_forget */
			duct_last_gone(w);
	}
	changes = 0;
}
