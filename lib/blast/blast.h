/* blast: bit-vectors as circuits. An and-inverter graph that keeps XOR, MUX and majority gates as they
 * are; the operations of lib/expr/op.h on vectors of its literals; expressions as such vectors; and
 * the graph as AIGER for model checkers or as clauses in a CaDiCaL.
 *
 * Errors: nothing here fails for want of memory (it aborts, as lib/expr does); what can fail says so
 * below. Nothing is shared between graphs: a literal belongs to its graph. */
#ifndef DUCT_BLAST_H
#define DUCT_BLAST_H

#include "lib/expr/expr.h"

/* ---- the graph */

/* Twice the number of a gate, plus 1 when negated. Gates are numbered in the order of their making,
 * operands before their users; gate 0 is the constant. */
typedef uint32_t lit;
#define LIT_FALSE 0u
#define LIT_TRUE  1u
static inline lit lit_not(lit a) { return a ^ 1; }

struct aig;
struct aig *aig_new(void);
void aig_free(struct aig *g);
size_t aig_size(const struct aig *g);            /* gates, the constant and inputs included */

/* Equal gates are made once; constants and operands alike are folded. */
lit aig_input(struct aig *g);                    /* a new leaf: an input, or a latch's output */
lit aig_and(struct aig *g, lit a, lit b);
lit aig_or(struct aig *g, lit a, lit b);
lit aig_xor(struct aig *g, lit a, lit b);
lit aig_mux(struct aig *g, lit c, lit then, lit other);
lit aig_majority(struct aig *g, lit a, lit b, lit c);

/* What 64 assignments at once make of all gates: by gate a bit each; those of the leaves are given. */
void aig_evaluate(const struct aig *g, uint64_t *word);

/* ---- vectors: w literals, the least significant first; 1 <= w <= 128 */

#define BLAST_MOST 128

/* The operation of lib/expr/op.h on vectors, as SMT-LIB has it: division is total. wa, wb are the widths
 * of the operands (b may be NULL for operations of one), w the result's; `low` is EXTRACT's. ITE's
 * condition is `a`, its choices are `b` and `c`. out must not overlap the operands. False for what is
 * no such operation: inputs, constants, arrays, floating point. */
bool blast_op(struct aig *g, enum op op, unsigned w, unsigned wa, unsigned wb, const lit *a, const lit *b,
              const lit *c, unsigned low, lit *out);
void blast_const(unsigned w, struct value v, lit *out);
void blast_inputs(struct aig *g, unsigned w, lit *out);

/* ---- expressions */

/* Remembers what each expression became. The pool and the graph stay the caller's and must outlive it. */
struct blast;
struct blast *blast_new(struct expr_pool *p, struct aig *g);
void blast_free(struct blast *b);
/* The literals that stand for a variable from now on: before anything with it is asked for. */
void blast_bind(struct blast *b, uint32_t var, const lit *l);
/* Those of a variable; NULL when nothing with it was asked for. Until the next call. */
const lit *blast_var(const struct blast *b, uint32_t var);
/* The literals of e, until the next call: inputs that are not bound become new leaves. NULL when something
 * below e cannot be blasted: an operation on floating-point numbers, or an array of more than
 * 4,096 bytes. Smaller arrays are read and stored byte by byte through choices. */
const lit *blast_expr(struct blast *b, expr e);

/* ---- AIGER 1.9, binary */

enum aiger_reset { AIGER_ZERO, AIGER_ONE, AIGER_FREE };
struct aiger_latch { lit at, next; enum aiger_reset reset; };
/* The caller's arrays. Every leaf below next, output, bad and constraint is one of `input` or a latch's
 * `at`; both are plain leaves and are numbered in the order given. */
struct aiger {
	const lit *input; size_t inputs;
	const struct aiger_latch *latch; size_t latches;
	const lit *output; size_t outputs;
	const lit *bad; size_t bads;
	const lit *constraint; size_t constraints;
};
/* Writes what is below them. NULL, or a static text that says what is wrong; an error of f is left to
 * the caller to see with ferror. */
const char *aiger_write(FILE *f, const struct aig *g, const struct aiger *m);

/* ---- clauses */

enum cnf_answer { CNF_UNKNOWN, CNF_SAT, CNF_UNSAT };

/* A CaDiCaL that knows parts of a graph, which must outlive it. */
struct cnf;
const char *cnf_solver(void);                    /* its name and version, static */
struct cnf *cnf_new(const struct aig *g);
void cnf_free(struct cnf *c);
/* Adds the clauses of what is below l, once. */
void cnf_know(struct cnf *c, lit l);
/* l is true from now on; knows it. */
void cnf_assert(struct cnf *c, lit l);
/* l is true in the next cnf_solve only; knows it. */
void cnf_assume(struct cnf *c, lit l);
/* Gives up after so many conflicts (negative: never) and at `deadline` (of CLOCK_MONOTONIC, in seconds;
 * 0: none). */
enum cnf_answer cnf_solve(struct cnf *c, int conflicts, double deadline);
/* After CNF_SAT, until the next call that is none of these: the value; false for what is not known. */
bool cnf_value(const struct cnf *c, lit l);
/* After CNF_UNSAT, so long: was the assumption l needed? */
bool cnf_failed(const struct cnf *c, lit l);
size_t cnf_clauses(const struct cnf *c);         /* added so far */
/* Number of clauses of what is below n literals; *added: of those, what it does not know yet. */
size_t cnf_cone(struct cnf *c, const lit *l, size_t n, size_t *added);

#endif
