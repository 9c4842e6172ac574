/* token: calls between woven code and code that is not. See "calls" in abi.h. */
#include "lib/protocol/abi.h"
#include "lib/runtime/rt.h"

uint32_t duct_args_count;
uint32_t duct_pending;
uint32_t duct_result_used;

struct pending_token {
	const void *callee;
	uintptr_t frame;
};

static struct pending_token *pending;
static uint32_t max_pending;

static bool grow(void)
{
	uint32_t max = max_pending ? 2 * max_pending : 512;
	struct pending_token *more = duct_reserve(max * sizeof *more);
	if (!more)
		return false;
	for (uint32_t i = 0; i < duct_pending; i++)
		more[i] = pending[i];
	pending = more;
	max_pending = max;
	return true;
}

/* The stack grows down: whoever set the token has a frame above this one. */
void duct_rt_callback(void)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	while (duct_pending && pending[duct_pending - 1].frame < frame)
		duct_pending--;
	if (duct_pending < max_pending || grow())
		pending[duct_pending++] = (struct pending_token){ duct_args_for, frame };
	duct_args_for = NULL;
}

/* Entries of frames below the caller's are of calls that are over, by return or longjmp. */
uint32_t duct_rt_unwoven(const void *callee)
{
	uintptr_t frame = (uintptr_t)__builtin_frame_address(0);
	uint32_t unwoven = duct_args_for == callee;
	duct_args_for = NULL;
	while (duct_pending && pending[duct_pending - 1].frame < frame)
		unwoven |= pending[--duct_pending].callee == callee;
	return unwoven;
}

void duct_rt_variadic(duct_node *save, uint32_t fixed, uint32_t total)
{
	for (uint32_t i = fixed; i < total; i++)
		save[i - fixed] = duct_args[i];
}

static void give(uintptr_t to, duct_node n)
{
	uint32_t width = n ? duct_at(n)->width : 0;
	if (width && width % 8 == 0)
		duct_rt_store((void *)to, width / 8, width, n);
}

/* The registers' slots from number `at` on, `size` bytes each, behind `from` of their area. */
static void give_registers(
    uintptr_t area, uint32_t from, uint32_t end, uint32_t size, const duct_node *save)
{
	if (from < end)
		duct_shadow_clear(area + from, end - from);
	for (; from < end; from += size)
		give(area + from, *save++);
}

void duct_rt_va_start(void *va_list_tag, const duct_node *save, uint32_t n)
{
	struct duct_va_tag *tag = va_list_tag;
	duct_shadow_clear((uintptr_t)tag, sizeof *tag);
	if (n < 14) /* none are symbolic, or there are too many arguments to tell */
		return;
	give_registers(tag->registers, tag->general, 48, 8, save + tag->general / 8);
	give_registers(tag->registers, tag->vector, 176, 16, save + 6 + (tag->vector - 48) / 16);
	if (n > 14)
		duct_shadow_clear(tag->overflow, 8ul * (n - 14));
	for (uint32_t i = 14; i < n; i++)
		give(tag->overflow + 8 * (i - 14), save[i]);
}
