/* ts: transition systems. Slots and a program counter hold the state; a step leads from one cut
 * point of the program to the next. Here are the parts of a system that a condition depends on, its
 * steps as clauses or as a circuit, simulated runs, and which of many facts are an invariant. */
#ifndef DUCT_TS_H
#define DUCT_TS_H

#include "lib/blast/blast.h"
#include "lib/expr/bits.h"

/* kind: as the maker of the system has it. latch: an input of the pool, its value before a step;
 * next: after it. */
struct ts_slot {
	uint8_t kind, width;
	expr latch, next;
};
struct ts {
	struct expr_pool *pool; /* the maker's */
	struct ts_slot *slot;
	uint32_t slots;
	uint32_t cuts;    /* cut points */
	expr pc, pc_next; /* 0 entry, 1 ended, 2 to `cuts` the cut points */
	uint32_t pc_width;
};

/* A new slot, which a step does not change; its number. */
uint32_t ts_slot(struct ts *t, uint8_t kind, unsigned width);
void ts_free(struct ts *t); /* but the pool */

/* The slots and variables that conditions depend on, now or in a later step. */
struct ts_cone {
	uint32_t *slot, slots;
	uint32_t *var, vars; /* other inputs than latches */
};
struct ts_cone ts_cone(const struct ts *t, const expr *bad, size_t n);
void ts_cone_free(struct ts_cone *c);

/* The system, step after step, as clauses; what t and c point to must outlive it. */
struct ts_unroll {
	const struct ts *t;
	const struct ts_cone *cone;
	struct aig *g;
	struct cnf *cnf;
	struct blast **step;
	size_t steps;
};
struct ts_unroll ts_unroll(const struct ts *t, const struct ts_cone *c, bool from_entry);
void ts_unroll_step(struct ts_unroll *u);
lit ts_unroll_lit(struct ts_unroll *u, size_t step, expr e); /* of width 1 */
void ts_unroll_free(struct ts_unroll *u);

/* The system as bits. */
struct ts_circuit {
	struct aig *g;
	struct blast *b;
	struct aiger_latch *latch;
	size_t latches; /* those of pc first, then the slots of the cone */
	lit *input;
	size_t inputs;
	lit *output;
	size_t outputs; /* one for each condition */
};
struct ts_circuit ts_circuit(
    const struct ts *t, const struct ts_cone *cone, const expr *bad, size_t n);
void ts_circuit_free(struct ts_circuit *c);

/* invariant.c: conditions on latches as text. The caller's to free; 0 when it is none of this
 * system. */
char *ts_clause_text(const struct ts *t, expr clause);
expr ts_clause_read(const struct ts *t, const char *text);

/* simulate.c: runs on drawn inputs: small numbers mostly, and what the program compares with. The
 * cone, which must outlive it, may change between runs. */
#define TS_MOST_CONSTANTS 24
struct ts_simulator {
	const struct ts *t;
	const struct ts_cone *cone;
	double deadline; /* of clock_now */
	uint64_t seed, constant[TS_MOST_CONSTANTS];
	unsigned constants;
	bool floats; /* the system computes with floating-point numbers */
	bool wide;   /* ts_draw_wide draws the inputs of steps */
	struct assignment a;
	struct value *state; /* by slot */
};
struct ts_simulator ts_simulator(const struct ts *t, const struct ts_cone *cone, double deadline);
void ts_simulator_free(struct ts_simulator *s);
struct value ts_draw(struct ts_simulator *s, unsigned width);
/* Likewise, but draws the least and the greatest number of the width more often. */
struct value ts_draw_wide(struct ts_simulator *s, unsigned width);
uint64_t ts_draw_any(struct ts_simulator *s);
/* Likewise, but draws only small numbers and the constants. */
struct value ts_draw_small(struct ts_simulator *s, unsigned width);
/* Makes one run. `step` is called before each step and may evaluate expressions in that state
 * (expr_eval_next); if it returns false, the run ends. */
void ts_simulate(struct ts_simulator *s, size_t steps,
    bool (*step)(void *ctx, const struct ts_simulator *s, size_t step, uint64_t pc), void *ctx);
/* Likewise, from the state that the simulator has, at this pc. */
void ts_simulate_from(struct ts_simulator *s, uint64_t pc, size_t steps,
    bool (*step)(void *ctx, const struct ts_simulator *s, size_t step, uint64_t pc), void *ctx);

/* ---- houdini.c: candidates for invariants, and what of them holds */

#define TS_MOST_STEP 4096 /* of a remainder: larger ones make hard questions */

/* A claim about all states in which `other` is false. A bound or a remainder that a state violates
 * is weakened, as by widening in abstract interpretation: a bound to the value of that state, after
 * a few times to the next number of the program; a remainder to a smaller divisor. Other facts are
 * dropped. */
enum ts_fact_kind {
	TS_PLAIN, /* term, of one bit, is true */
	TS_MOST,  /* term <= bound, both signed; before a value was seen: no such state */
	TS_LEAST, /* bound <= term */
	TS_REST   /* term % step == rest, unsigned; step 0: term == rest */
};
struct ts_fact {
	enum ts_fact_kind kind;
	expr other, term;
	bool seen; /* a bound or remainder was made from at least one value */
	int64_t bound;
	uint64_t step, rest;
	unsigned weakened;
};

/* Numbers of the program in ascending order, to which bounds are weakened. The caller frees `at`.
 */
struct ts_landmarks {
	int64_t *at;
	size_t n;
};
struct ts_landmarks ts_landmarks(const struct ts_simulator *s);

expr ts_fact(const struct ts *t, const struct ts_fact *f);
/* Weakens a fact that this value of its term violates. False: it has to be dropped. */
bool ts_weaken(struct ts_fact *f, i128 value, const struct ts_landmarks *l);

/* until: of clock_now. enough: asked now and then; true ends the search. */
struct ts_search {
	const struct ts *t;
	const struct ts_cone *cone;
	struct ts_simulator *sim;
	const struct ts_landmarks *landmark;
	double until;
	bool (*enough)(void *ctx);
	void *ctx;
};
/* Removes facts until the rest is inductive: after a step from any state in which all of them hold,
 * they hold again. The first `known` facts are inductive already and stay. Whether the facts hold
 * at the entry is not looked at. If time runs out, only the first `known` remain. */
void ts_houdini(const struct ts_search *search, struct ts_fact *fact, size_t known, size_t *n);

#endif
