/* The slots of a transition system. */
#include "lib/ts/ts.h"

#include "lib/base/grow.h"

#include <stdlib.h>

uint32_t ts_slot(struct ts *t, uint8_t kind, unsigned width)
{
	char name[32];
	expr latch;
	snprintf(name, sizeof name, "s%u", t->slots);
	latch = expr_input(t->pool, expr_var(t->pool, name, INPUT_UINT, width));
	*PUSH(t->slot, t->slots) = (struct ts_slot){ kind, (uint8_t)width, latch, latch };
	return t->slots - 1;
}

void ts_free(struct ts *t)
{
	free(t->slot);
	*t = (struct ts){ 0 };
}
