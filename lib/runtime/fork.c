/* Processes that a run creates: how many it may create, and a channel of its own for each that the
 * trace does not follow, so that its events are not taken for the run's. */
#include "lib/runtime/process.h"
#include <sys/mman.h>

int duct_rt_may_fork(void)
{
	if (!duct_channel || !duct_channel->max_forks)
		return 1;
	return __atomic_add_fetch(&duct_channel->forks, 1, __ATOMIC_SEQ_CST)
	    <= duct_channel->max_forks;
}

/* The areas of the channel other than coverage, in the order of the mapping. */
static size_t parts(const struct channel *ch, struct channel_area *out)
{
	const struct channel_area *all[] = {
		&ch->input,
		&ch->setup,
		&ch->unit,
		&ch->var,
		&ch->event,
		&ch->address,
		&ch->node,
		&ch->blob,
		&ch->pair,
		&ch->step,
		&ch->meet,
		&ch->wrote,
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

/* apart: this process is no longer the one that the trace follows, and what it does is not
 * recorded. is_new: it is not the one that the server waits for. */
static bool apart, is_new;

/* Replaces this part of the shared mapping by a private copy. */
static void make_private(void *from, size_t used, size_t room)
{
	char *copy = used ? anonymous(NULL, used) : NULL;

	if (used && !copy)
		sys1(SYS_exit_group, 1);
	for (size_t k = 0; k < used; k++)
		copy[k] = ((char *)from)[k];
	if (room && !anonymous(from, room))
		sys1(SYS_exit_group, 1);
	for (size_t k = 0; k < used; k++)
		((char *)from)[k] = copy[k];
	if (used)
		sys2(SYS_munmap, copy, used);
}

/* Only the coverage of the first process stays shared, because what it covers counts, too. Other
 * processes may be killed before they end, so their coverage would depend on chance. */
static void leave(void)
{
	struct channel *ch = duct_channel;
	struct channel_area part[13];
	size_t n;

	if (!ch || apart)
		return;
	apart = true;
	n = parts(ch, part);
	for (size_t i = n; i-- > 0;) /* the header comes last: it says where the areas are */
		make_private((char *)ch + part[i].offset, part[i].used, part[i].capacity);
	if (is_new)
		make_private((char *)ch + ch->cover.offset, ch->cover.used, ch->cover.capacity);
	make_private(&duct_block_unit, 4096, 4096);
}

int duct_rt_apart(void)
{
	return apart;
}

int duct_rt_follows(void)
{
	return !apart && duct_follows_new();
}

void duct_rt_forked(int pid, int new)
{
	if (pid == 0) {
		duct_record_forked();
		is_new = true;
	}
	if (pid < 0 || !duct_channel || apart)
		return;
	if (!new == !pid) {
		if (pid)
			duct_progress.followed = pid;
		leave();
	} else if (!pid) {
		duct_told_time = true; /* tests see what the first process returns and changes */
	}
}
