/* expr: a pool of hash-consed symbolic expressions over named input variables, simplified on
 * construction. An `expr` is an index, stable for the pool's lifetime; equal expressions have equal
 * indices. Conditions have width 1. Out of memory aborts. */
#ifndef DUCT_EXPR_H
#define DUCT_EXPR_H

#include "lib/protocol/op.h"
#include "lib/trace/trace.h"

typedef uint32_t expr; /* 0: none */
struct expr_pool;
struct assignment;

struct expr_pool *expr_pool_new(void);
void expr_pool_free(struct expr_pool *p);
size_t expr_count(const struct expr_pool *p);

/* Input variables, numbered from 0. The same name and width yield the same variable. */
uint32_t expr_var(struct expr_pool *p, const char *name, uint8_t kind, uint32_t width);
uint32_t expr_var_count(const struct expr_pool *p);
const char *expr_var_name(const struct expr_pool *p, uint32_t var);
uint8_t expr_var_kind(const struct expr_pool *p, uint32_t var);
uint32_t expr_var_width(const struct expr_pool *p, uint32_t var);
/* Number of the variable with this name, or UINT32_MAX. */
uint32_t expr_var_find(const struct expr_pool *p, const char *name);

expr expr_input(struct expr_pool *p, uint32_t var);
expr expr_const(struct expr_pool *p, uint32_t width, struct value v);
expr expr_bool(struct expr_pool *p, bool b);
/* c: third operand, or EXTRACT's lowest bit. */
expr expr_make(struct expr_pool *p, enum op op, uint32_t width, expr a, expr b, uint32_t c);
expr expr_table(struct expr_pool *p, const void *bytes, uint32_t size);
expr expr_not(struct expr_pool *p, expr cond); /* negation of a condition */
/* The condition `value == y`; of y the bits count that value has. */
expr expr_equals(struct expr_pool *p, expr value, uint64_t y);
/* The condition for outcome k of a switch on `value` with these case values; k == cases: the
 * default. */
expr expr_case(struct expr_pool *p, expr value, const uint64_t *y, size_t cases, size_t k);

enum op expr_op(const struct expr_pool *p, expr e);
uint32_t expr_width(const struct expr_pool *p, expr e);
expr expr_operand(const struct expr_pool *p, expr e, int i);
bool expr_is_const(const struct expr_pool *p, expr e, struct value *v);
const uint8_t *expr_table_bytes(const struct expr_pool *p, expr table, uint32_t *size);
uint32_t expr_extract_low(const struct expr_pool *p, expr e); /* EXTRACT: its lowest bit */
/* INPUT: its variable; else UINT32_MAX */
uint32_t expr_input_var(const struct expr_pool *p, expr e);
bool expr_has_array(const struct expr_pool *p, expr e); /* contains a READ? */
/* contains an operation of op_is_float? */
bool expr_has_float(const struct expr_pool *p, expr e);
/* is or contains a condition, i.e. a term of width 1? */
bool expr_has_truth(const struct expr_pool *p, expr e);
uint32_t expr_array_size(const struct expr_pool *p, expr array); /* bytes of its TABLE */
/* Variables that e depends on: ascending numbers, owned by the pool. */
const uint32_t *expr_vars(struct expr_pool *p, expr e, size_t *n);

/* Imports all nodes of a trace: map[i] for node i (map[0] = 0). The caller provides an array of
 * trace->nodes + 1. */
void expr_import(struct expr_pool *p, const struct trace *t, expr *map);
/* The same for nodes from + 1 to `to`, when those before are imported. */
void expr_import_some(
    struct expr_pool *p, const struct trace *t, expr *map, size_t from, size_t to);
/* Checks an import: the id of the first node whose expression evaluates differently under the
 * trace's inputs than in the run (low 64 bits), or could not be imported; 0: none. */
uint32_t expr_import_check(struct expr_pool *p, const struct trace *t, const expr *map);
/* Sets *a to the values of the trace's variables; clears it first. */
void expr_import_values(struct expr_pool *p, const struct trace *t, struct assignment *a);

/* An assignment of values to variables; variables not set are 0. */
struct assignment {
	struct value *v;
	bool *set;
	uint32_t n;
};
void assignment_set(struct assignment *a, uint32_t var, struct value v);
struct value assignment_get(const struct assignment *a, uint32_t var);
void assignment_copy(struct assignment *to, const struct assignment *from);
void assignment_clear(struct assignment *a);

/* Value of e under a. Each node is computed once per call. */
struct value expr_eval(struct expr_pool *p, expr e, const struct assignment *a);
/* Likewise for many expressions under one assignment: values are cached until the next
 * expr_eval_start. `a` must not change meanwhile. */
void expr_eval_start(struct expr_pool *p, const struct assignment *a);
struct value expr_eval_next(struct expr_pool *p, expr e);
/* Index of the first condition that is false under a; n when all hold. */
size_t expr_first_false(
    struct expr_pool *p, const expr *cond, size_t n, const struct assignment *a);

/* Rewrites expressions bottom-up; results are cached until the next rewrite_start. `leaf` is called
 * for every node without operands and, with `reads`, for every READ (its operands are not
 * rewritten). It returns the replacement, e itself, or 0 to abort the whole rewriting. `node`, if
 * not NULL, is called for the other nodes and returns the replacement, whose operands are not
 * rewritten, or 0: rewrite the operands. */
struct rewrite {
	struct expr_pool *p;
	bool reads;
	expr (*leaf)(struct rewrite *r, expr e, void *ctx);
	expr (*node)(struct rewrite *r, expr e, void *ctx);
	void *ctx;
	uint32_t *gen, *to, cap, now;
};
void rewrite_start(struct rewrite *r);
expr rewrite(struct rewrite *r, expr e); /* 0: aborted */
void rewrite_clear(struct rewrite *r);

/* C-like text for people: "(a + 3) < b". Caller frees. */
char *expr_text(const struct expr_pool *p, expr e);

#endif
