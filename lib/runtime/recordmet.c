/* Objectives at instructions that a recorded process reaches, each recorded once (record.h). */
#include "lib/runtime/process.h"
#include <sys/mman.h>

static struct {
	uint64_t *slot;
	uint32_t mask, used;
	bool busy;
} met;

/* Doubles the room. False: no memory. */
static bool grow_met(void)
{
	uint32_t bigger = met.slot ? met.mask * 2 + 1 : 1023;
	uint64_t *to = duct_reserve(((size_t)bigger + 1) * sizeof *to);

	if (!to)
		return false;
	for (uint32_t k = 0; met.slot && k <= met.mask; k++)
		if (met.slot[k]) {
			uint32_t i = (uint32_t)met.slot[k];

			while (to[i &= bigger])
				i++;
			to[i] = met.slot[k];
		}
	if (met.slot)
		sys2(SYS_munmap, met.slot, ((size_t)met.mask + 1) * sizeof *met.slot);
	met.slot = to;
	met.mask = bigger;
	return true;
}

/* A new process has records of its own. */
void duct_record_objectives_forget(void)
{
	for (uint32_t k = 0; met.slot && k <= met.mask; k++)
		met.slot[k] = 0;
	met.used = 0;
	met.busy = false;
}

static bool add_met(uint64_t key)
{
	uint32_t i = (uint32_t)key;

	if ((!met.slot || met.used >= met.mask / 2) && !grow_met())
		return true;
	while (met.slot[i &= met.mask]) {
		if (met.slot[i] == key)
			return false;
		i++;
	}
	met.slot[i] = key;
	met.used++;
	return true;
}

/* If another thread, or code that a signal interrupted, holds the table, the objective is recorded,
 * perhaps twice. */
static bool first_met(uint64_t key)
{
	bool first;

	if (__atomic_exchange_n(&met.busy, true, __ATOMIC_ACQUIRE))
		return true;
	first = add_met(key);
	__atomic_store_n(&met.busy, false, __ATOMIC_RELEASE);
	return first;
}

void duct_record_objective(const struct duct_unit *u, uint32_t inst, uint32_t kind)
{
	uint64_t key =
	    ((uint64_t)(uintptr_t)u << 24 ^ (uint64_t)inst << 8 ^ kind) * 0x9e3779b97f4a7c15u;
	struct channel_pair *to;
	uint32_t unit;

	if (!duct_record_on() || !first_met(key ^ key >> 31 ^ 1u << 31))
		return;
	if ((unit = duct_record_unit(u)) == UINT32_MAX || !(to = duct_record_pair()))
		return;
	to->use_unit = unit;
	to->use = inst;
	to->outcome = kind;
	__atomic_store_n(&to->use_kind, DUCT_PAIR_OBJECTIVE, __ATOMIC_RELEASE);
}
