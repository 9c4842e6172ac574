/* Hash-consing of expressions. The nodes lie in the channel, where run-trace reads them in
 * place; the hash is private to the run and grows with it, so that a short run touches one
 * page of it. */
#include "lib/runtime/rt.h"
#include <string.h>

#define FIRST_SLOTS 512u

static uint32_t first_slots[FIRST_SLOTS];
struct duct_nodes duct_nodes;

/* Entries of the shadow keep a node in 28 bits. */
#define MOST_NODES ((1u << 28) - 1)

void duct_nodes_start(struct channel *ch)
{
	uint64_t max = ch->node.capacity / sizeof(struct channel_node);

	if (duct_nodes.count) { /* a second run in this process: unit tests */
		memset(first_slots, 0, sizeof first_slots);
		if (duct_nodes.origin)
			memset(duct_nodes.origin, 0,
			    ((size_t)duct_nodes.count + 1) * sizeof *duct_nodes.origin);
	}
	duct_nodes.node = (struct channel_node *)((char *)ch + ch->node.offset);
	duct_nodes.count = 0;
	duct_nodes.max = max > MOST_NODES ? MOST_NODES : (uint32_t)max;
	duct_nodes.slot = first_slots;
	duct_nodes.mask = FIRST_SLOTS - 1;
}

duct_wide duct_value(duct_node n)
{
	const struct channel_node *p = duct_at(n);

	if (p->width > 64)
		return (duct_wide)duct_nodes.high[n] << 64 | p->value;
	return p->value;
}

static uint32_t hash(enum op op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, uint64_t value)
{
	uint64_t h =
	    (uint64_t)op << 16 ^ width ^ (op == OP_CONST ? value * 0x9e3779b97f4a7c15u : 0);

	h = (h ^ a) * 0xff51afd7ed558ccdu;
	h = (h ^ h >> 29 ^ b) * 0xc4ceb9fe1a85ec53u;
	h = (h ^ h >> 31 ^ c) * 0x9e3779b97f4a7c15u;
	return (uint32_t)(h >> 32);
}

static void grow(void)
{
	uint32_t slots = (duct_nodes.mask + 1) * 4;

	duct_nodes.slot = duct_arena(slots * sizeof *duct_nodes.slot);
	duct_nodes.mask = slots - 1;
	for (uint32_t n = 1; n <= duct_nodes.count; n++) {
		const struct channel_node *p = duct_at(n);
		uint32_t i = hash(p->op, p->width, p->a, p->b, p->c, p->value);

		while (duct_nodes.slot[i &= duct_nodes.mask])
			i++;
		duct_nodes.slot[i] = n;
	}
}

static duct_node append(
    enum op op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, duct_wide value)
{
	struct channel_node *p;

	if (duct_nodes.count >= duct_nodes.max)
		duct_end(FAULT_LIMIT, "too many expressions");
	p = &duct_nodes.node[duct_nodes.count++];
	p->op = (uint8_t)op;
	p->reserved = 0;
	p->width = (uint16_t)width;
	p->a = a;
	p->b = b;
	p->c = c;
	p->value = (uint64_t)value;
	if (width > 64) {
		if (!duct_nodes.high)
			duct_nodes.high = duct_arena(((size_t)duct_nodes.max + 1) * 8);
		duct_nodes.high[duct_nodes.count] = (uint64_t)(value >> 64);
	}
	duct_channel->node.used = (uint64_t)duct_nodes.count * sizeof *p;
	return duct_nodes.count;
}

duct_node duct_node_get(
    enum op op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, duct_wide value)
{
	uint32_t i = hash(op, width, a, b, c, (uint64_t)value);
	duct_node n;

	for (;; i++) {
		const struct channel_node *p;

		n = duct_nodes.slot[i &= duct_nodes.mask];
		if (!n)
			break;
		p = duct_at(n);
		if (p->a == a && p->b == b && p->op == op && p->width == width && p->c == c
		    && (op != OP_CONST || p->value == (uint64_t)value))
			return n;
	}
	n = append(op, width, a, b, c, value);
	duct_note_taint(n);
	if (duct_abstracts)
		duct_mark_abstract(n);
	duct_nodes.slot[i] = n;
	if (n > duct_nodes.mask / 2)
		grow();
	return n;
}
