/* pool: representation of the expression pool. Private to lib/expr. */
#ifndef DUCT_POOL_H
#define DUCT_POOL_H

#include "lib/expr/bits.h"
#include "lib/expr/expr.h"

/* One expression, 20 bytes. INPUT: a = variable. CONST: a, b = low 64 bits, c = index of the
 * high 64 bits in `wide` (0: they are 0). TABLE: a = offset in `blob`, b = bytes. EXTRACT: c =
 * lowest bit. ITE, STORE: three operands. */
struct expr_node {
	uint8_t op, width;
	uint16_t flags; /* NODE_* */
	uint32_t a, b, c;
	uint32_t set; /* variables: 0 not computed, SET_LARGE, else set number */
};

#define NODE_ARRAY 1u /* is or contains a READ, STORE or TABLE */
#define NODE_FLOAT 2u /* is or contains a floating-point operation */
#define NODE_TRUTH 4u /* is or contains a condition: a term of width 1 */

struct var_set {
	const uint32_t *var;
	uint32_t n;
};
#define SET_EMPTY 1u
#define SET_LARGE UINT32_MAX

struct var {
	char *name;
	uint32_t width;
	uint8_t kind;
	expr input;
};

struct chunk {
	struct chunk *next;
	size_t used, size;
	uint32_t data[];
};

/* A hash index: slots hold numbers, 0 is free. The owner compares keys. */
struct slots {
	uint32_t *slot;
	uint32_t size, used;
};

struct expr_pool {
	struct expr_node *node; /* node[0] is unused */
	uint32_t nodes, node_cap;
	struct slots by_node;
	uint64_t *wide;
	uint32_t wides, wide_cap;
	uint8_t *blob;
	uint32_t blob_used, blob_cap;
	struct slots by_table;

	struct var *var;
	uint32_t vars, var_cap;
	struct slots by_name; /* var + 1 */

	struct var_set *set;
	uint32_t sets, set_cap;
	struct slots by_set;
	struct chunk *chunk;
	struct {
		uint32_t a, b, r;
	} united[1024]; /* cache of recent set unions */
	struct {
		expr array;
		uint32_t size;
	} *sized; /* cache of sizes of arrays: a run writes thousands of times to one */

	unsigned depth; /* of rules that use rules */
	struct extracted {
		expr a, r;
		uint32_t low, width;
	} extracted[4096]; /* cache of parts of computed values, which are made of the parts of
	                      their operands: without it, once for each way down to them */

	struct { /* what was imported: runs have most of their nodes in common, in the
		  * same order */
		struct recent_node {
			uint16_t op, width;
			uint32_t a, b, c, r;
		} node[1 << 13];           /* a ring; */
		uint16_t by_hash[1 << 13]; /* indices in it, of which some are others' by now */
		uint32_t n, next; /* entries ever made; the one behind the last that was used */
	} made;

	/* evaluation: a value is valid if its generation is `now` */
	uint32_t *gen;
	uint64_t *lo, *hi;
	uint32_t eval_cap, now;
	const struct assignment *under;
	uint32_t *stack;
	uint32_t stack_cap;
};

/* op_arity, inline for speed. */
static const uint8_t pool_arities[OP_COUNT] = {
#define OP(name, text, n) n,
	OP_LIST(OP)
#undef OP
};
#define op_arity(op) ((int)pool_arities[op])

static inline uint64_t pool_mix(uint64_t h, uint64_t v)
{
	h = (h ^ v) * 0x9e3779b97f4a7c15ull;
	return h ^ h >> 29;
}

static inline const struct expr_node *pool_node(const struct expr_pool *p, expr e)
{
	return &p->node[e];
}

/* Grows an array to at least `need` items. */
void *pool_grow(void *array, uint32_t *cap, uint32_t need, size_t item);
/* Finds or adds. `same` tells whether number n has the key. Returns the slot; *slot is 0 if new,
 * then the caller sets it. */
uint32_t *slots_find(
    struct slots *s, uint64_t hash, bool (*same)(const void *ctx, uint32_t n), const void *ctx);
/* Must be called before adding. Doubles the index when half full, with `hash_of` for its
 * numbers. */
void slots_room(struct slots *s, uint64_t (*hash_of)(const void *ctx, uint32_t n), const void *ctx);

/* The node with exactly these fields; does not simplify. */
expr pool_intern(
    struct expr_pool *p, enum op op, unsigned width, uint32_t a, uint32_t b, uint32_t c);
expr pool_const(struct expr_pool *p, unsigned width, u128 v);
u128 pool_const_value(const struct expr_pool *p, const struct expr_node *n);

/* Size in bytes of the TABLE of an array. */
uint32_t pool_array_size(const struct expr_pool *p, expr array);

#endif
