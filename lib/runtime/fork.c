/* Processes that a run makes: how many it may, and a channel of their own for them, so that what
 * they do is not taken for the run's. */
#include "lib/runtime/rt.h"
#include <sys/mman.h>

int duct_rt_may_fork(void)
{
	if (!duct_channel || !duct_channel->max_forks)
		return 1;
	return __atomic_add_fetch(&duct_channel->forks, 1, __ATOMIC_SEQ_CST)
	    <= duct_channel->max_forks;
}

/* The parts of the channel that are in use, in the order of the mapping. */
static size_t parts(const struct channel *ch, struct channel_area *out)
{
	const struct channel_area *all[] = {
		&ch->input,
		&ch->setup,
		&ch->unit,
		&ch->cover,
		&ch->var,
		&ch->event,
		&ch->address,
		&ch->node,
		&ch->blob,
	};
	size_t n = 1;

	out[0] = (struct channel_area){ 0, sizeof *ch, sizeof *ch };
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		out[n++] = *all[i];
	return n;
}

static void *anonymous(void *at, size_t size)
{
	long p = sys6(SYS_mmap, at, size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | (at ? MAP_FIXED : 0), -1, 0);

	return p < 0 && p > -4096 ? NULL : (void *)p;
}

/* In the new process: a private copy takes the place of the shared mapping. */
void duct_rt_forked(void)
{
	struct channel *ch = duct_channel;
	struct channel_area part[10];
	size_t n, size = 0, at = 0;
	uint64_t mapped;
	char *copy;

	duct_record_forked();
	if (!ch)
		return;
	mapped = ch->size;
	n = parts(ch, part);
	for (size_t i = 0; i < n; i++)
		size += part[i].used;
	if (!(copy = anonymous(NULL, size)))
		sys1(SYS_exit_group, 1);
	for (size_t i = 0; i < n; at += part[i++].used)
		for (size_t k = 0; k < part[i].used; k++)
			copy[at + k] = ((char *)ch)[part[i].offset + k];
	if (!anonymous(ch, mapped))
		sys1(SYS_exit_group, 1);
	at = 0;
	for (size_t i = 0; i < n; at += part[i++].used)
		for (size_t k = 0; k < part[i].used; k++)
			((char *)ch)[part[i].offset + k] = copy[at + k];
	sys2(SYS_munmap, copy, size);
}
