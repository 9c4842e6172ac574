/* blast: bit-vectors as circuits. An and-inverter graph that also has XOR, MUX and majority gates;
 * the operations of lib/protocol/op.h on vectors of its literals; expressions as such vectors; the
 * graph as AIGER for model checkers or as clauses in CaDiCaL.
 *
 * A literal belongs to its graph. */
#ifndef DUCT_BLAST_H
#define DUCT_BLAST_H

#include "lib/expr/expr.h"

/* ---- the graph */

/* Twice the gate's number, plus 1 if negated. Gates are numbered in creation order, operands before
 * users; gate 0 is the constant. */
typedef uint32_t lit;
#define LIT_FALSE 0u
#define LIT_TRUE 1u
static inline lit lit_not(lit a)
{
	return a ^ 1;
}

struct aig;
struct aig *aig_new(void);
void aig_free(struct aig *g);
size_t aig_size(const struct aig *g); /* gates, including the constant and inputs */

/* Equal gates are made once; constants and equal operands are folded. */
lit aig_input(struct aig *g); /* a new leaf: an input or a latch's output */
lit aig_and(struct aig *g, lit a, lit b);
lit aig_or(struct aig *g, lit a, lit b);
lit aig_xor(struct aig *g, lit a, lit b);
lit aig_mux(struct aig *g, lit c, lit then, lit other);
lit aig_majority(struct aig *g, lit a, lit b, lit c);

/* Simulates 64 assignments at once: word[gate] has one bit per assignment. The caller sets the
 * leaves' words. */
void aig_evaluate(const struct aig *g, uint64_t *word);

/* ---- vectors: w literals, least significant first; 1 <= w <= 128 */

#define BLAST_MOST 128

/* An operation of lib/protocol/op.h on vectors with SMT-LIB semantics (division is total). wa and
 * wb are the operands' widths (b is NULL for unary operations), w is the result's; `low` is
 * EXTRACT's. ITE: condition `a`, choices `b` and `c`. out must not overlap the operands. False for
 * other operations: inputs, constants, arrays, and floating point of other formats than 32 and 64
 * bits, of integers of more than 64, and FREM. */
bool blast_op(struct aig *g, enum op op, unsigned w, unsigned wa, unsigned wb, const lit *a,
    const lit *b, const lit *c, unsigned low, lit *out);
void blast_const(unsigned w, struct value v, lit *out);
void blast_inputs(struct aig *g, unsigned w, lit *out);

/* ---- expressions */

/* Caches the literals of each expression. Borrows the pool and the graph. */
struct blast;
struct blast *blast_new(struct expr_pool *p, struct aig *g);
void blast_free(struct blast *b);
/* Sets the literals of a variable; before any expression that contains it is blasted. */
void blast_bind(struct blast *b, uint32_t var, const lit *l);
/* The literals of a variable, valid until the next call; NULL when no blasted expression contains
 * it. */
const lit *blast_var(const struct blast *b, uint32_t var);
/* From now on blast_expr gives up, and says so, at `deadline` (of CLOCK_MONOTONIC, in seconds) or
 * when the graph has more gates; and when the process was told to stop. */
void blast_limit(struct blast *b, double deadline, size_t gates);
bool blast_gave_up(const struct blast *b);
/* The literals of e, valid until the next call. Unbound inputs become new leaves. NULL when a
 * subexpression cannot be blasted: floating point that blast_op does not know, or an array of more
 * than 4,096 bytes. Smaller arrays are read and stored byte by byte with multiplexers. */
const lit *blast_expr(struct blast *b, expr e);

/* ---- AIGER 1.9, binary */

enum aiger_reset { AIGER_ZERO, AIGER_ONE, AIGER_FREE };
struct aiger_latch {
	lit at, next;
	enum aiger_reset reset;
};
/* The arrays are the caller's. Every leaf below next, output, bad and constraint is one of `input`
 * or a latch's `at`; inputs and latches are numbered in array order. */
struct aiger {
	const lit *input;
	size_t inputs;
	const struct aiger_latch *latch;
	size_t latches;
	const lit *output;
	size_t outputs;
	const lit *bad;
	size_t bads;
	const lit *constraint;
	size_t constraints;
};
/* Writes the circuit. NULL, or a static error text; the caller checks ferror(f). */
const char *aiger_write(FILE *f, const struct aig *g, const struct aiger *m);

/* ---- clauses */

enum cnf_answer { CNF_UNKNOWN, CNF_SAT, CNF_UNSAT };

/* A CaDiCaL instance with the clauses of parts of a graph. Borrows the graph. */
struct cnf;
const char *cnf_solver(void); /* its name and version, static */
struct cnf *cnf_new(const struct aig *g);
void cnf_free(struct cnf *c);
/* Adds the clauses of the gates below l, each once. */
void cnf_know(struct cnf *c, lit l);
/* Asserts l permanently; adds its clauses. */
void cnf_assert(struct cnf *c, lit l);
/* Assumes l for the next cnf_solve only; adds its clauses. */
void cnf_assume(struct cnf *c, lit l);
/* Gives up after `conflicts` conflicts (negative: no limit) or at `deadline` (CLOCK_MONOTONIC in
 * seconds; 0: none). */
enum cnf_answer cnf_solve(struct cnf *c, int conflicts, double deadline);
/* The value of l after CNF_SAT, until the next call that changes the solver; false if l has no
 * clauses. */
bool cnf_value(const struct cnf *c, lit l);
/* After CNF_UNSAT, as long: was the assumption l part of the final conflict? */
bool cnf_failed(const struct cnf *c, lit l);
/* Before anything is known: what is learned is checked from now on (rup.h). */
void cnf_certify(struct cnf *c);
/* After CNF_UNSAT without assumptions: does the check say so, too? */
bool cnf_certified(const struct cnf *c);
size_t cnf_clauses(const struct cnf *c); /* added so far */
/* Number of clauses of the gates below n literals; *added: how many of them are new. */
size_t cnf_cone(struct cnf *c, const lit *l, size_t n, size_t *added);

#endif
