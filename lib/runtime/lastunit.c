/* The units that follow definitions, and the numbers that their writers and slots get. */
#include "lib/runtime/last.h"
#include "lib/runtime/library.h"

extern struct duct_pairs __start_duct_pairs[] __attribute__((weak));
extern struct duct_pairs __stop_duct_pairs[] __attribute__((weak));

static struct last_units program; /* then those of the libraries that it loads */
static uint64_t writers, slots;

static bool number(struct last_units *r)
{
	for (struct duct_pairs *p = r->from; p < r->to; p++) {
		p->base = (uint32_t)writers;
		p->inst_base = p->base + p->defs;
		p->first_slot = (uint32_t)slots;
		writers += (uint64_t)p->defs + p->insts;
		slots += p->slots;
	}
	return writers < DUCT_WRITER_ALIEN && slots < USE_LIBRARY;
}

bool duct_last_units_start(uint32_t *count)
{
	program = (struct last_units){ __start_duct_pairs, __stop_duct_pairs, NULL };
	if (!__start_duct_pairs || !number(&program))
		return false;
	*count = (uint32_t)writers;
	return true;
}

bool duct_last_units_add(struct duct_pairs *from, struct duct_pairs *to)
{
	struct last_units *r = duct_arena(sizeof *r);

	*r = (struct last_units){ from, to, program.next };
	program.next = r;
	return number(r);
}

/* The unit's definitions stay, but are no longer identified. */
void duct_rt_unload(struct duct_pairs *pairs)
{
	duct_effects_unload();
	for (struct last_units *r = &program; r->next; r = r->next)
		if (r->next->from == pairs) {
			r->next = r->next->next;
			return;
		}
}

const struct last_units *duct_last_units(void)
{
	return &program;
}
