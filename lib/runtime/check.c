/* Checks for faults: each check with a symbolic condition is reported in its place on the path; a
 * fault that happens is reported once for each place. */
#include "lib/runtime/process.h"

#include <setjmp.h>

extern struct duct_unit __start_duct_units[] __attribute__((weak));
extern struct duct_unit __stop_duct_units[] __attribute__((weak));

/* Is it a kind of fault that ends the run? After other kinds the run continues. */
static bool ends_run(uint32_t kind)
{
	return kind == CHECK_DIV || kind == CHECK_NULL;
}

static uint64_t key_of(const struct duct_unit *u, uint32_t inst, uint32_t kind, duct_node n)
{
	uint64_t key = ((uint64_t)duct_unit_index(u) << 32 | inst) * 0x9e3779b97f4a7c15u;

	key = (key ^ kind << 3 ^ (uint64_t)n << 32) * 0xbf58476d1ce4e5b9u;
	return key ^ key >> 31 ^ 1u << 31;
}

uint32_t duct_watched = 1u << CHECK_NONE;

void duct_watches_what(void)
{
	duct_watched = 0;
	for (struct duct_unit *u = __start_duct_units; u < __stop_duct_units; u++)
		duct_watched |= u->flags >> DUCT_UNIT_CHECKS;
}

void duct_fault(struct duct_unit *u, uint32_t inst, enum check_kind kind)
{
	if (duct_first(key_of(u, inst, kind, 0)))
		duct_event(EV_CHECK, CHECK_ASIDE, u, inst, 0, 0, kind);
}

void duct_rt_safe(struct duct_unit *u, uint32_t inst, uint32_t kind, uint32_t safe, duct_node n)
{
	bool end = ends_run(kind);

	safe &= 1;
	if (!duct_channel && !safe && kind >= OBJECTIVE_FIRST)
		duct_record_objective(u, inst, kind);
	if (!duct_channel)
		return;
	if (n && duct_at(n)->value != safe) {
		duct_lost(NULL, 0, "value and expression of a check differ", NULL);
		n = 0;
	}
	/* whose index it is that leaves an array, the store asks of the condition */
	if (n && (safe || kind != CHECK_BOUNDS) && duct_implied(n, 4))
		n = 0;
	if ((!n && safe) || !duct_first(key_of(u, inst, kind, safe ? n : 0)))
		return;
	if (n && kind == CHECK_NULL && duct_grow_given(n)) {
		duct_input_assume(duct_term(n), "NULL has no elements");
		return;
	}
	duct_event(EV_CHECK, end ? 0 : CHECK_ASIDE, u, inst, n, safe, kind);
	if (n && end)
		duct_fix(n);
	if (!safe && kind == CHECK_DIV)
		duct_divide_badly();
	if (n && !safe && kind == CHECK_NULL)
		duct_grow_need_object(u, 0, n);
}

void duct_rt_jumps(const void *environment)
{
	const struct duct_object *o = duct_channel ? duct_object_at((uintptr_t)environment) : NULL;
	const uint64_t *word = environment;
	bool set = false;

	if (!o || (uintptr_t)environment - o->base + sizeof(__jmp_buf) > o->size)
		return;
	for (size_t i = 0; i < sizeof(__jmp_buf) / sizeof *word; i++)
		set |= word[i] != 0;
	if (!set)
		duct_need_earlier("setjmp");
}
