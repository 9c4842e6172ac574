/* inner: private to lib/guide. */
#ifndef DUCT_GUIDE_INNER_H
#define DUCT_GUIDE_INNER_H

#include "lib/guide/guide.h"
#include "lib/base/map.h"

/* A range of guide.block. */
struct block_range {
	size_t first;
	uint32_t n;
};

/* A condition in the tree. */
struct guide_node {
	uint32_t up;               /* the condition before it, 0: none */
	uint32_t segment;          /* the blocks between the two */
	uint32_t since;            /* instructions executed since the last newly covered one */
	uint32_t at;               /* 1 + the last block before it, 0: none */
	uint32_t gone, gones : 31; /* range of guide.gone: definitions of which no byte is left
	                              here */
	uint32_t unsure : 1;       /* inputs with the same path may write to other addresses */
	uint32_t unit, branch;     /* 1 + index in the flow, id; 0: no condition of the program */
	uint32_t test;             /* the first kept test that passes it, 0: none */
};

/* A definition as runs record it. library: number is an instruction that calls a library function;
 * else a record. */
static inline uint64_t guide_definition(uint32_t unit, bool library, uint32_t number)
{
	return (uint64_t)unit << 33 | (uint64_t)library << 32 | number;
}

/* Blocks are numbered over all units: base[unit] + id - 1. */
struct guide {
	struct defuse *d;
	const struct tree *t;
	uint32_t *base, *insts, *first; /* base: by unit; insts, first:
	                                   instruction count and first
	                                   instruction, by block */
	bool *covered;                  /* by block */
	uint32_t *block;
	size_t blocks, block_room;
	struct block_range *segment;
	uint32_t segments;
	size_t segment_room;
	struct map by_hash;
	struct guide_node *node;
	uint32_t nodes;
	size_t node_room;
	uint32_t *unit_of;
	size_t units, unit_room; /* by unit of the traces: 1 + index in
	                            the flow */
	uint32_t *way;
	size_t ways, way_room; /* the segment being built */
	uint64_t *gone;
	uint32_t gones;
	size_t gone_room;
};

#endif
