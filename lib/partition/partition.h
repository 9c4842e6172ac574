/* partition: groups inputs into blocks such that values of different blocks never flow into the
 * same decision (man5 blocks). A union-find over input names; the flows of traces unite classes,
 * and shared.c makes blocks of these. */
#ifndef DUCT_PARTITION_H
#define DUCT_PARTITION_H

#include "lib/base/map.h"
#include "lib/trace/trace.h"

/* Two blocks that were united or, if `keep`, would have to be: inputs a and b of them met in
 * FILE:LINE:COL. Without a line: `text` is not followed, so anything may meet there. */
struct partition_merge {
	uint32_t block, with, a, b, line, col;
	char *text;
};

/* width 0: not seen in a trace yet. block, next, size, guard: see partition_block and so on; valid
 * when the partition is settled. */
struct partition_input {
	char *name;
	uint32_t parent, block, next, size, guard;
	uint64_t key; /* of a block: tells those with other inputs apart */
	uint16_t width;
	uint8_t kind;
	bool given;
	uint32_t same; /* the next input whose name has the same hash; 0: none */
};
struct partition {
	struct partition_input *input;
	size_t inputs; /* input[number - 1] */
	struct partition_merge *merge;
	size_t merges;
	bool share; /* inputs that guard several blocks are shared by them, and no part of one; set
	               before anything else, else guards meet what they guard */
	struct partition_merge *edge; /* a guards b */
	size_t edges;
	struct map edge_at;            /* a << 32 | b: those that there are */
	struct partition_merge *unite; /* blocks that guards made one */
	size_t unites;
	uint64_t changes; /* of anything that the blocks depend on */
	bool settled;
	struct map by_name; /* hash -> the first input with it */
	bool keep;          /* check the given blocks instead of
	                       uniting them */
	bool unfollowed;    /* code was not followed: all inputs may
	                       meet */
};

struct partition *partition_new(void);
void partition_free(struct partition *p);
/* Reads initial blocks from a blocks(5) stream. False with *error "name:line: message" (caller
 * frees). */
bool partition_read(struct partition *p, FILE *f, const char *name, char **error);
/* Adds the inputs and flows of a trace. */
void partition_learn(struct partition *p, const struct trace *t);
/* The inputs of these names are one class, whatever met; those that are not known are added. */
void partition_unite(struct partition *p, const char *const *name, size_t names);
/* Number of an input; 0: unknown. */
uint32_t partition_find(const struct partition *p, const char *name);
/* The inputs whose values meet its own: the number of the least. */
uint32_t partition_class(const struct partition *p, uint32_t input);
/* How many inputs are of that class. */
size_t partition_class_size(const struct partition *p, uint32_t class);
/* Makes blocks of classes and what guards them; to be called before the following. */
void partition_settle(struct partition *p);
/* The block of an input: the number of its least input. */
uint32_t partition_block(const struct partition *p, uint32_t input);
/* The block that guards a block directly; 0: none does. */
uint32_t partition_guard(const struct partition *p, uint32_t block);
size_t partition_blocks(const struct partition *p);
/* Number of inputs in a block. */
uint32_t partition_size(const struct partition *p, uint32_t block);
/* The next input of the same block, cyclically. */
uint32_t partition_next(const struct partition *p, uint32_t input);

#endif
