/* woven: entry points that keep woven code small; each only chooses among others of abi.h. */
#include "lib/protocol/abi.h"

duct_node duct_rt_load_any(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, uint32_t width)
{
	if (a)
		return duct_rt_load_at(u, duct_block, p, a, bytes, width);
	return duct_rt_load(p, bytes, width);
}

void duct_rt_store_any(struct duct_unit *u, void *p, duct_node a, uint32_t bytes, uint32_t width,
    duct_node v, uint64_t value)
{
	if (a)
		duct_rt_store_at(u, duct_block, p, a, bytes, width, v, value);
	else
		duct_rt_store(p, bytes, width, v);
}

void duct_rt_store_any_wide(struct duct_unit *u, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, const uint64_t *value)
{
	if (a)
		duct_rt_store_at_wide(u, duct_block, p, a, bytes, width, v, value);
	else
		duct_rt_store(p, bytes, width, v);
}

void duct_rt_lost_load(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, const char *reason)
{
	if (duct_rt_load_any(u, p, a, bytes, 8 * bytes))
		duct_rt_lost(NULL, 0, reason);
}

void duct_rt_called(struct duct_unit *u, const void *callee, const char *name, uint32_t n,
    const uint64_t *value, const duct_node *node, uint64_t pointers)
{
	if (!duct_rt_unwoven(callee))
		return;
	for (uint32_t i = 0; i < n; i++)
		duct_args[i] = node[i];
	duct_rt_external(u, duct_block, name, n, value, pointers);
}
