/* expr: a pool of hash-consed symbolic expressions over named input variables, simplified
 * when they are made. An `expr` is an index, stable for the pool's life; equal
 * expressions are equal numbers. Conditions have width 1. */
#ifndef DUCT_EXPR_H
#define DUCT_EXPR_H

#include "lib/expr/op.h"
#include "lib/trace/trace.h"

typedef uint32_t expr;               /* 0: none */
struct expr_pool;
struct assignment;

struct expr_pool *expr_pool_new(void);
void expr_pool_free(struct expr_pool *p);
size_t expr_count(const struct expr_pool *p);

/* Input variables, by name; number from 0. The same name and width give the same variable. */
uint32_t expr_var(struct expr_pool *p, const char *name, uint8_t kind, uint32_t width);
uint32_t expr_var_count(const struct expr_pool *p);
const char *expr_var_name(const struct expr_pool *p, uint32_t var);
uint8_t expr_var_kind(const struct expr_pool *p, uint32_t var);
uint32_t expr_var_width(const struct expr_pool *p, uint32_t var);
/* Number of the variable called so, or UINT32_MAX. */
uint32_t expr_var_find(const struct expr_pool *p, const char *name);

expr expr_input(struct expr_pool *p, uint32_t var);
expr expr_const(struct expr_pool *p, uint32_t width, struct value v);
expr expr_bool(struct expr_pool *p, bool b);
/* `c` is the low bit for EXTRACT. */
expr expr_make(struct expr_pool *p, enum op op, uint32_t width, expr a, expr b, uint32_t c);
expr expr_table(struct expr_pool *p, const void *bytes, uint32_t size);
expr expr_not(struct expr_pool *p, expr cond);       /* negation of a condition */

enum op expr_op(const struct expr_pool *p, expr e);
uint32_t expr_width(const struct expr_pool *p, expr e);
expr expr_operand(const struct expr_pool *p, expr e, int i);
bool expr_is_const(const struct expr_pool *p, expr e, struct value *v);
const uint8_t *expr_table_bytes(const struct expr_pool *p, expr table, uint32_t *size);
uint32_t expr_extract_low(const struct expr_pool *p, expr e); /* of an EXTRACT */
uint32_t expr_input_var(const struct expr_pool *p, expr e);   /* of an INPUT; else UINT32_MAX */
bool expr_has_array(const struct expr_pool *p, expr e);       /* a READ in it? */
bool expr_has_float(const struct expr_pool *p, expr e);       /* an operation of op_is_float in it? */
uint32_t expr_array_size(const struct expr_pool *p, expr array); /* bytes of its TABLE */
/* Variables that e depends on: sorted numbers, owned by the pool. */
const uint32_t *expr_vars(struct expr_pool *p, expr e, size_t *n);

/* All nodes of a trace in the pool: map[i] for node i (map[0] = 0); caller's array of
 * trace->nodes + 1. */
void expr_import(struct expr_pool *p, const struct trace *t, expr *map);
/* Checks an import: id of the first node whose expression has another value under the
 * trace's inputs than the run saw (low 64 bits), or could not be imported; 0 when none. */
uint32_t expr_import_check(struct expr_pool *p, const struct trace *t, const expr *map);
/* The values of the trace's variables, as an assignment (cleared first). */
void expr_import_values(struct expr_pool *p, const struct trace *t, struct assignment *a);

/* An assignment of values to variables; variables not set are 0. */
struct assignment { struct value *v; bool *set; uint32_t n; };
void assignment_set(struct assignment *a, uint32_t var, struct value v);
struct value assignment_get(const struct assignment *a, uint32_t var);
void assignment_copy(struct assignment *to, const struct assignment *from);
void assignment_clear(struct assignment *a);

/* Value of e under a; each node once a call (memoised by generation). */
struct value expr_eval(struct expr_pool *p, expr e, const struct assignment *a);
/* The same for many expressions under one assignment: values are kept between calls of
 * expr_eval_next until the next start. `a` must not change meanwhile. */
void expr_eval_start(struct expr_pool *p, const struct assignment *a);
struct value expr_eval_next(struct expr_pool *p, expr e);
/* Index of the first condition that is false under a; n when all hold. */
size_t expr_first_false(struct expr_pool *p, const expr *cond, size_t n, const struct assignment *a);

/* A rewriting: expressions replaced by others from the bottom up, remembered until the next
 * rewrite_start. `leaf` is asked for every node without operands and, with `reads`, for every READ
 * (its operands not rewritten); it returns the replacement, e itself, or 0 to give up the
 * whole rewriting. */
struct rewrite {
	struct expr_pool *p;
	bool reads;
	expr (*leaf)(struct rewrite *r, expr e, void *ctx);
	void *ctx;
	uint32_t *gen, *to, cap, now;
};
void rewrite_start(struct rewrite *r);
expr rewrite(struct rewrite *r, expr e);         /* 0: given up */
void rewrite_clear(struct rewrite *r);

/* Text for people, C-like: "(a + 3) < b". Caller frees. */
char *expr_text(const struct expr_pool *p, expr e);

#endif
