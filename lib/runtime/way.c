/* way: reports the blocks that a run enters, and the definitions that were overwritten completely,
 * in order among its events. */
#include "lib/runtime/writers.h"

enum { FEW = 8, FIRST = 2 };

/* Of a block's byte in the coverage, in the part of the way at hand. */
struct passes {
	uint32_t times, last;
};

uint32_t duct_way[DUCT_WAY], duct_way_count, duct_way_read;

static uint32_t told;

static void tell(uint32_t cover, uint32_t def)
{
	struct channel_area *a = &duct_channel->step;
	struct channel_step *s = (struct channel_step *)((char *)duct_area(a) + a->used);

	if (a->used + sizeof *s > a->capacity)
		return;
	*s = (struct channel_step){
		(uint32_t)(duct_channel->event.used / sizeof(struct channel_event)), cover, def
	};
	duct_area_grow(a, sizeof *s);
}

void duct_way_gone(uint32_t unit, uint32_t def, bool inst)
{
	tell(unit, inst ? def | CHANNEL_STEP_INST : def);
}

void duct_rt_way(const void *byte)
{
	duct_way[duct_way_count++ % DUCT_WAY] = (uint32_t)(uintptr_t)byte;
}

static uint32_t cover_of(uint32_t k)
{
	const struct channel_area *a = &duct_channel->cover;

	return duct_way[k % DUCT_WAY] - (uint32_t)(uintptr_t)duct_area(a);
}

/* Of each block the first times and the last. */
static void tell_some(uint32_t from, uint32_t to)
{
	static struct passes *met;
	uint64_t limit = duct_channel->cover.used;

	if (!met && !(met = duct_reserve(limit * sizeof *met)))
		return;
	for (uint32_t k = from; k != to; k++)
		if (cover_of(k) < limit)
			met[cover_of(k)] = (struct passes){ 0, k };
	for (uint32_t k = from; k != to; k++) {
		uint32_t c = cover_of(k);
		if (c < limit && (met[c].times++ < FIRST || met[c].last == k))
			tell(c, 0);
	}
}

void duct_way_tell(void)
{
	uint32_t to = duct_way_count, from;

	if ((int32_t)(to - told) < 0) /* where a signal's handler came in between */
		told = to;
	from = to - told > DUCT_WAY ? to - DUCT_WAY : told;

	if (!duct_channel)
		return;
	if (to - from > FEW)
		tell_some(from, to);
	else
		while (from != to)
			tell(cover_of(from++), 0);
	told = to;
	duct_gone_tell();
}
