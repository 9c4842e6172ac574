/* Variable arguments that a function was passed (--check bounds): va_arg beyond them reads
 * memory that no argument has. */
#include "lib/runtime/rt.h"

#define UNKNOWN UINT32_MAX
#define MOST 64u           /* functions that have begun to read theirs */
#define GENERAL_END 48u    /* of the area of saved registers */
#define OUTSIDE (1u << 31) /* of the numbers of arguments: the harness passed them */

static const void *callee, *entry;
static const char *entry_name;
static uint32_t given;

void duct_rt_va_outside(const void *to, const char *name)
{
	entry = to;
	entry_name = name;
}

void duct_rt_va_pass(const void *to, uint32_t passed)
{
	callee = to;
	given = passed;
}

uint32_t duct_rt_va_passed(const void *self)
{
	uint32_t n = callee == self ? given : UNKNOWN;

	callee = NULL;
	if (n == UNKNOWN || self != entry)
		return n;
	entry = NULL;
	return n | OUTSIDE;
}

/* By the area of saved registers, which is in the function's frame: those of callers lie above. */
static struct area {
	uintptr_t registers, overflow;
	uint32_t passed;
} area[MOST];
static uint32_t areas;

void duct_rt_va_begin(const void *list, uint32_t passed)
{
	const struct duct_va_tag *tag = list;

	while (areas && area[areas - 1].registers <= tag->registers)
		areas--;
	if (areas < MOST && passed != UNKNOWN)
		area[areas++] = (struct area){ tag->registers, tag->overflow, passed };
}

static const struct area *area_of(const struct duct_va_tag *tag)
{
	for (uint32_t i = areas; i-- > 0;)
		if (area[i].registers == tag->registers)
			return &area[i];
	return NULL;
}

static bool was_passed(const struct area *a, uintptr_t p, size_t bytes)
{
	uintptr_t at = p - a->registers;

	if (at < GENERAL_END)
		return at + bytes <= 8 * (a->passed & 0xff);
	if (at < 176)
		return at < GENERAL_END + 16 * (a->passed >> 8 & 0xff);
	if (p < a->overflow)
		return true; /* a structure that was put together from registers */
	return p - a->overflow + bytes <= 8 * (size_t)((a->passed & ~OUTSIDE) >> 16);
}

void duct_rt_va_access(uint32_t inst, const void *list, const void *p, size_t bytes)
{
	const struct area *a;

	if (!duct_channel || !bytes)
		return;
	a = area_of(list);
	if (!a)
		duct_lost(NULL, 0, "it is not known how many variable arguments there are", NULL);
	else if (!was_passed(a, (uintptr_t)p, bytes)) {
		duct_inst = inst;
		if (a->passed & OUTSIDE)
			duct_need("variadic", entry_name, 0);
		duct_end(FAULT_BOUNDS, "a variable argument is read that was not passed");
	}
}
