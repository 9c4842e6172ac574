/* partition: inputs in blocks that do not flow into one decision (man5 blocks). A union-find over the inputs'
 * names; what flows of traces meet makes blocks one. */
#ifndef DUCT_PARTITION_H
#define DUCT_PARTITION_H

#include "lib/trace/trace.h"

/* Two blocks became one, or, where blocks are given and kept, should have: inputs of them, by number, that met
 * in FILE:LINE:COL; or, without a line, because the text is not followed. */
struct partition_merge { uint32_t block, with, a, b, line, col; char *text; };

struct partition_input { char *name; uint32_t parent, next, size; uint16_t width; uint8_t kind; bool given; };    /* width 0: not met yet */
struct partition {
	struct partition_input *input; size_t inputs;    /* numbers from 1: [number - 1] */
	struct partition_merge *merge; size_t merges;
	uint32_t *slot; size_t mask;                     /* hash of names: numbers */
	bool keep;                                       /* given blocks are checked, and not made one */
	bool unfollowed;                                 /* all inputs may meet */
};

/* NULL when out of memory. */
struct partition *partition_new(void);
void partition_free(struct partition *p);
/* A blocks(5) stream: blocks to start from. False with *error "name:line: message" (caller frees; NULL: out of
 * memory). */
bool partition_read(struct partition *p, FILE *f, const char *name, char **error);
/* The inputs of a trace, and what met in it. False when out of memory. */
bool partition_learn(struct partition *p, const struct trace *t);
/* Number of an input, 0 when it is not known. */
uint32_t partition_find(const struct partition *p, const char *name);
/* The block of an input, by number: its least input. */
uint32_t partition_block(const struct partition *p, uint32_t input);
size_t partition_blocks(const struct partition *p);
/* How many inputs a block has. */
uint32_t partition_size(const struct partition *p, uint32_t block);
/* The next input of the same block, in a circle. */
uint32_t partition_next(const struct partition *p, uint32_t input);

#endif
