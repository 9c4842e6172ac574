/* pool: hash-consed nodes, constants, tables and variables. */
#include "lib/expr/pool.h"
#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void *pool_grow(void *array, uint32_t *cap, uint32_t need, size_t item)
{
	if (need <= *cap)
		return array;
	uint32_t size = *cap ? *cap : 16;
	while (size < need)
		size += size / 2;
	array = resized(array, size, item);
	*cap = size;
	return array;
}

uint32_t *slots_find(
    struct slots *s, uint64_t hash, bool (*same)(const void *ctx, uint32_t n), const void *ctx)
{
	uint32_t mask = s->size - 1;
	for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask)
		if (!s->slot[i] || same(ctx, s->slot[i]))
			return &s->slot[i];
}

void slots_room(struct slots *s, uint64_t (*hash_of)(const void *ctx, uint32_t n), const void *ctx)
{
	s->used++;
	if (s->size && s->used <= s->size / 4 * 3)
		return;
	uint32_t size = s->size ? s->size * 2 : 64;
	uint32_t *old = s->slot, n = s->size;
	s->slot = zeroed(size, sizeof *s->slot);
	s->size = size;
	for (uint32_t i = 0; i < n; i++) {
		if (!old[i])
			continue;
		uint32_t j = (uint32_t)hash_of(ctx, old[i]) & (size - 1);
		while (s->slot[j])
			j = (j + 1) & (size - 1);
		s->slot[j] = old[i];
	}
	free(old);
}

enum { SIZED = 64 };

struct expr_pool *expr_pool_new(void)
{
	struct expr_pool *p = zeroed(1, sizeof *p);
	p->nodes = 1;
	p->wides = 1;
	p->sets = SET_EMPTY;
	p->node = pool_grow(NULL, &p->node_cap, 1024, sizeof *p->node);
	p->wide = pool_grow(NULL, &p->wide_cap, 1, sizeof *p->wide);
	p->set = pool_grow(NULL, &p->set_cap, SET_EMPTY + 1, sizeof *p->set);
	p->set[p->sets++] = (struct var_set){ NULL, 0 };
	p->sized = zeroed(SIZED, sizeof *p->sized);
	return p;
}

void expr_pool_free(struct expr_pool *p)
{
	if (!p)
		return;
	for (uint32_t i = 0; i < p->vars; i++)
		free(p->var[i].name);
	for (struct chunk *c = p->chunk, *next; c; c = next) {
		next = c->next;
		free(c);
	}
	free(p->node);
	free(p->by_node.slot);
	free(p->sized);
	free(p->wide);
	free(p->blob);
	free(p->by_table.slot);
	free(p->var);
	free(p->by_name.slot);
	free(p->set);
	free(p->by_set.slot);
	free(p->gen);
	free(p->lo);
	free(p->hi);
	free(p->stack);
	free(p);
}

size_t expr_count(const struct expr_pool *p)
{
	return p->nodes - 1;
}

/* ---- nodes */

static uint64_t node_hash(const struct expr_node *n)
{
	uint64_t h = pool_mix((uint64_t)n->op << 8 | n->width, (uint64_t)n->a << 32 | n->b);
	return pool_mix(h, n->c);
}

struct node_key {
	const struct expr_pool *p;
	struct expr_node n;
};

static bool node_same(const void *ctx, uint32_t e)
{
	const struct node_key *k = ctx;
	const struct expr_node *n = pool_node(k->p, e);
	return n->op == k->n.op && n->width == k->n.width && n->a == k->n.a && n->b == k->n.b
	    && n->c == k->n.c;
}

static uint64_t node_hash_of(const void *ctx, uint32_t e)
{
	return node_hash(pool_node(ctx, e));
}

static uint16_t flags_of(const struct expr_pool *p, const struct expr_node *n)
{
	int arity = op_arity(n->op);
	uint16_t f = n->op == OP_TABLE || n->op == OP_STORE || n->op == OP_READ ? NODE_ARRAY
	    : op_is_float(n->op)                                                ? NODE_FLOAT
	                                                                        : 0;
	if (n->width == 1 && n->op != OP_CONST)
		f |= NODE_TRUTH;
	if (arity > 0)
		f |= pool_node(p, n->a)->flags;
	if (arity > 1)
		f |= pool_node(p, n->b)->flags;
	if (arity > 2)
		f |= pool_node(p, n->c)->flags;
	return f;
}

expr pool_intern(
    struct expr_pool *p, enum op op, unsigned width, uint32_t a, uint32_t b, uint32_t c)
{
	struct node_key k = { p,
		{ .op = (uint8_t)op, .width = (uint8_t)width, .a = a, .b = b, .c = c } };
	uint64_t h = node_hash(&k.n);
	if (p->by_node.size) {
		uint32_t *s = slots_find(&p->by_node, h, node_same, &k);
		if (*s)
			return *s;
	}
	slots_room(&p->by_node, node_hash_of, p);
	p->node = pool_grow(p->node, &p->node_cap, p->nodes + 1, sizeof *p->node);
	*slots_find(&p->by_node, h, node_same, &k) = p->nodes;
	k.n.flags = flags_of(p, &k.n);
	p->node[p->nodes] = k.n;
	return p->nodes++;
}

/* ---- constants */

/* Searches the last 256 high words, newest first; usually there are few. */
static uint32_t wide_index(struct expr_pool *p, uint64_t hi)
{
	for (uint32_t i = p->wides - 1; i > 0 && p->wides - i < 256; i--)
		if (p->wide[i] == hi)
			return i;
	p->wide = pool_grow(p->wide, &p->wide_cap, p->wides + 1, sizeof *p->wide);
	p->wide[p->wides] = hi;
	return p->wides++;
}

expr pool_const(struct expr_pool *p, unsigned width, u128 v)
{
	v = bits_cut(v, width);
	uint64_t hi = (uint64_t)(v >> 64);
	return pool_intern(
	    p, OP_CONST, width, (uint32_t)v, (uint32_t)(v >> 32), hi ? wide_index(p, hi) : 0);
}

u128 pool_const_value(const struct expr_pool *p, const struct expr_node *n)
{
	u128 hi = n->c ? p->wide[n->c] : 0;
	return hi << 64 | (uint64_t)n->b << 32 | n->a;
}

expr expr_const(struct expr_pool *p, uint32_t width, struct value v)
{
	return width && width <= 128 ? pool_const(p, width, bits_of(v)) : 0;
}

expr expr_bool(struct expr_pool *p, bool b)
{
	return pool_const(p, 1, b);
}

bool expr_is_const(const struct expr_pool *p, expr e, struct value *v)
{
	const struct expr_node *n = pool_node(p, e);
	if (!e || n->op != OP_CONST)
		return false;
	if (v)
		*v = bits_value(pool_const_value(p, n));
	return true;
}

/* ---- tables */

struct table_key {
	const struct expr_pool *p;
	const uint8_t *bytes;
	uint32_t size;
};

static uint64_t bytes_hash(const void *bytes, size_t n)
{
	const uint8_t *b = bytes;
	uint64_t h = n, w;
	for (; n >= 8; n -= 8, b += 8) {
		memcpy(&w, b, 8);
		h = pool_mix(h, w);
	}
	w = 0;
	if (n)
		memcpy(&w, b, n);
	return pool_mix(h, w);
}

static bool table_same(const void *ctx, uint32_t e)
{
	const struct table_key *k = ctx;
	const struct expr_node *n = pool_node(k->p, e);
	return n->b == k->size && memcmp(k->p->blob + n->a, k->bytes, k->size) == 0;
}

static uint64_t table_hash_of(const void *ctx, uint32_t e)
{
	const struct expr_pool *p = ctx;
	const struct expr_node *n = pool_node(p, e);
	return bytes_hash(p->blob + n->a, n->b);
}

expr expr_table(struct expr_pool *p, const void *bytes, uint32_t size)
{
	struct table_key k = { p, bytes, size };
	uint64_t h = bytes_hash(bytes, size);
	if (p->by_table.size) {
		uint32_t *s = slots_find(&p->by_table, h, table_same, &k);
		if (*s)
			return *s;
	}
	slots_room(&p->by_table, table_hash_of, p);
	p->blob = pool_grow(p->blob, &p->blob_cap, p->blob_used + size + 1, 1);
	memcpy(p->blob + p->blob_used, bytes, size);
	expr e = pool_intern(p, OP_TABLE, 0, p->blob_used, size, 0);
	p->blob_used += size + 1; /* + 1: even an empty table has an offset of its own */
	*slots_find(&p->by_table, h, table_same, &k) = e;
	return e;
}

const uint8_t *expr_table_bytes(const struct expr_pool *p, expr table, uint32_t *size)
{
	const struct expr_node *n = pool_node(p, table);
	if (n->op != OP_TABLE)
		return NULL;
	*size = n->b;
	return p->blob + n->a;
}

uint32_t pool_array_size(const struct expr_pool *p, expr array)
{
	uint32_t size, slots = SIZED;
	expr e = array;

	while (pool_node(p, e)->op == OP_STORE && p->sized[e % slots].array != e)
		e = pool_node(p, e)->a;
	size = pool_node(p, e)->op == OP_STORE ? p->sized[e % slots].size : pool_node(p, e)->b;
	p->sized[array % slots].array = array;
	p->sized[array % slots].size = size;
	return size;
}

/* ---- variables */

struct name_key {
	const struct expr_pool *p;
	const char *name;
	uint32_t width;
};

/* width 0: matches any */
static bool name_same(const void *ctx, uint32_t i)
{
	const struct name_key *k = ctx;
	const struct var *v = &k->p->var[i - 1];
	return (!k->width || v->width == k->width) && strcmp(v->name, k->name) == 0;
}

static uint64_t name_hash_of(const void *ctx, uint32_t i)
{
	const char *name = ((const struct expr_pool *)ctx)->var[i - 1].name;
	return bytes_hash(name, strlen(name));
}

uint32_t expr_var(struct expr_pool *p, const char *name, uint8_t kind, uint32_t width)
{
	struct name_key k = { p, name, width };
	uint64_t h = bytes_hash(name, strlen(name));
	if (p->by_name.size) {
		uint32_t *s = slots_find(&p->by_name, h, name_same, &k);
		if (*s)
			return *s - 1;
	}
	slots_room(&p->by_name, name_hash_of, p);
	uint32_t *s = slots_find(&p->by_name, h, name_same, &k);
	p->var = pool_grow(p->var, &p->var_cap, p->vars + 1, sizeof *p->var);
	char *copy = copied(name);
	p->var[p->vars] = (struct var){ .name = copy, .width = width, .kind = kind };
	*s = ++p->vars;
	return p->vars - 1;
}

uint32_t expr_var_find(const struct expr_pool *p, const char *name)
{
	if (!p->by_name.size)
		return UINT32_MAX;
	struct name_key k = { p, name, 0 };
	struct slots s = p->by_name;
	return *slots_find(&s, bytes_hash(name, strlen(name)), name_same, &k) - 1;
}

uint32_t expr_var_count(const struct expr_pool *p)
{
	return p->vars;
}
const char *expr_var_name(const struct expr_pool *p, uint32_t v)
{
	return p->var[v].name;
}
uint8_t expr_var_kind(const struct expr_pool *p, uint32_t v)
{
	return p->var[v].kind;
}
uint32_t expr_var_width(const struct expr_pool *p, uint32_t v)
{
	return p->var[v].width;
}

expr expr_input(struct expr_pool *p, uint32_t var)
{
	struct var *v = &p->var[var];
	if (!v->input && v->width && v->width <= 128)
		v->input = pool_intern(p, OP_INPUT, v->width, var, 0, 0);
	return p->var[var].input;
}

/* ---- reading */

enum op expr_op(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->op;
}
uint32_t expr_width(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->width;
}

expr expr_operand(const struct expr_pool *p, expr e, int i)
{
	const struct expr_node *n = pool_node(p, e);
	if (i >= op_arity(n->op))
		return 0;
	return i == 0 ? n->a : i == 1 ? n->b : n->c;
}

uint32_t expr_extract_low(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->op == OP_EXTRACT ? pool_node(p, e)->c : 0;
}

uint32_t expr_input_var(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->op == OP_INPUT ? pool_node(p, e)->a : UINT32_MAX;
}

bool expr_has_float(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->flags & NODE_FLOAT;
}

bool expr_has_truth(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->flags & NODE_TRUTH;
}

bool expr_has_array(const struct expr_pool *p, expr e)
{
	return pool_node(p, e)->flags & NODE_ARRAY;
}

uint32_t expr_array_size(const struct expr_pool *p, expr array)
{
	return pool_array_size(p, array);
}
