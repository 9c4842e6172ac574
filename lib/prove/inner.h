/* inner: private to lib/prove: building an encoding by walking over its locations, and deciding its
 * goals.
 */
#ifndef DUCT_PROVE_INNER_H
#define DUCT_PROVE_INNER_H

#include "lib/prove/encoding.h"

/* ---- walking over the locations */

struct pointee {
	uint32_t object;
	expr offset, cond; /* offset: of 64 bits */
};
struct symbolic_state {
	expr *v;
	expr guard;
	bool met;
};
struct walk {
	struct encoding *m;
	struct symbolic_state *state; /* by location */
	struct symbolic_state now;    /* of the location that is walked over */
	uint32_t frame, location;
	expr *reg;
	uint32_t *reg_at, at; /* values of this location, by instruction of its function */
	struct pointee *pointee;
	uint32_t pointees; /* objects that the last resolved address may point to */
	expr elsewhere;    /* ... the condition that it points to none of them */
	expr null;         /* ... in a harness: the condition that it is null, or near it */
	expr *arg;
	uint32_t args;
};

/* value.c: instructions that have no effect; operands */
expr prove_operand(struct walk *w, const struct flow_operand *o, unsigned width);
unsigned prove_width(const struct flow_inst *i); /* of the result; 0: not represented */
expr prove_value(struct walk *w, uint32_t inst, const struct flow_inst *i);
/* The result of the named operation on integers of this width; 0: it is not modelled. */
expr prove_binary(struct walk *w, const char *name, unsigned width, expr a, expr b);
bool prove_any_pointer(struct walk *w, const struct flow_inst *i); /* is an operand an address? */
void prove_set(struct walk *w, uint32_t inst, expr value);

/* float.c: the result of a floating-point instruction; 0: not represented. from: the width of the
 * first operand, 0: not known. */
expr prove_float(struct walk *w, const struct flow_inst *i, unsigned from);
/* The result of a call of a function of the C library. */
expr prove_float_call(struct walk *w, const char *name, const struct flow_inst *i);
/* Does the program change the rounding mode, or was it compiled with -ffast-math or the like? */
bool prove_is_loose(struct alias *a);

/* undefined.c: whether locals were written, where they may be read before */
void prove_note_written(struct walk *w, uint32_t inst);
expr prove_read_written(struct walk *w, uint32_t inst, expr value);

/* memory.c */
void prove_resolve(struct walk *w, const struct flow_operand *o, expr address);
uint64_t prove_sum_constant(struct encoding *m, expr address); /* the constant part of a sum */
expr prove_read(struct walk *w, unsigned bytes);               /* of the targets */
void prove_write(struct walk *w, unsigned bytes, expr value);
expr prove_bytes(struct walk *w, uint32_t object, int64_t offset, unsigned bytes);
void prove_put(
    struct walk *w, uint32_t object, int64_t offset, unsigned bytes, expr value, expr cond);
void prove_havoc(struct walk *w, uint32_t object, expr cond);
/* From where the target points on, so many bytes take any values; 0: all to the object's end. */
void prove_change(struct walk *w, const struct pointee *t, uint64_t bytes);
void prove_fill(struct walk *w, uint8_t byte, uint64_t size); /* the targets */
void prove_copy(struct walk *w, const struct pointee *to, uint32_t tos, const struct pointee *from,
    uint32_t froms, expr elsewhere, uint64_t size); /* elsewhere: the source is none of `from` */
expr prove_initial(struct encoding *m, const struct object *o, const struct cell *c);

/* watch.c: updates of ghosts: bits of the objects that the targets point to are written or read */
void prove_enter(struct walk *w);
/* arms the ghosts of definitions that code outside of the encoding may make */
void prove_arm(struct walk *w);
void prove_written(struct walk *w, uint32_t inst, uint64_t bit, uint64_t bits, bool exact);
void prove_used(struct walk *w, uint32_t inst, uint64_t bit, uint64_t bits);
void prove_called(struct walk *w, uint32_t inst, bool arms); /* arms: the call's definitions, else
                                                                its uses */
void prove_returned(
    struct walk *w, uint32_t inst); /* a call that was followed is over: uses of its result */
void prove_taken(struct walk *w, uint32_t outcome, expr cond);
void prove_bad(struct walk *w, uint32_t output, expr cond); /* the goal is reached here if cond */
uint32_t *prove_at(struct map *map, uint32_t frame, uint32_t inst);

/* conditions.c: goals that are conditions at instructions, blocks, and evaluations of decisions */
void prove_watch_condition(struct encoding *m, const struct prove_outcome *o, uint32_t func,
    uint32_t output); /* of the function's activations */
/* Events of the walk: an instruction was computed; a store is about to write `stored`; a block
 * begins; control passes from one block to another where cond holds, in state s. */
void prove_computed(struct walk *w, uint32_t inst);
void prove_stores(struct walk *w, uint32_t inst, unsigned bytes, expr stored);
void prove_begun(struct walk *w, uint32_t block);
void prove_passes(struct walk *w, uint32_t to_block, expr cond, struct symbolic_state *s);

/* call.c: the effect of a call that is not followed */
void prove_call(struct walk *w, uint32_t inst, const struct flow_inst *i);
/* Argument k of a call as the callee sees it, 64 bits; *width: how many of them are passed. */
expr prove_argument(struct walk *w, const struct flow_inst *i, uint32_t k, unsigned *width);
/* `count` inputs of `bytes` each, from there on: P, or P[0], P[1] and so on. */
void prove_add_inputs(struct walk *w, const struct pointee *to, const char *name, char kind,
    unsigned count, unsigned bytes);

/* given.c: the result of a call of a library function, as far as it is known; 0: it may be anything
 */
expr prove_given(struct walk *w, const char *name, const struct flow_inst *i, unsigned width);
/* The value that a load reads from the table of character classes; 0: the load is of other memory.
 */
expr prove_table_read(struct walk *w, expr address, unsigned bytes);
/* call.c: the bytes of a string constant, in buf; NULL: it is none, or is too long */
const char *prove_text(struct walk *w, const struct flow_operand *o, char *buf, size_t size);

/* startup.c: arguments, environment variables and standard input, if m->startup is set */
void prove_startup_new(struct encoding *m); /* adds the objects */
void prove_startup_free(struct startup *s);
void prove_startup_begin(struct walk *w); /* main begins */
void prove_startup_cut(struct walk *w);   /* a step begins */
/* Is an access of so many bytes to one of these objects to be followed? */
bool prove_startup_fits(const struct startup *s, uint32_t object, unsigned bytes);
/* Is standard input at its end, when it is read where that holds? It is then ever after. */
expr prove_startup_end(struct walk *w, expr where);
/* The result of a call of a library function, whose effects were made; 0: it is none of these. */
expr prove_startup_call(
    struct walk *w, const char *name, const struct flow_inst *i, unsigned width);
/* Does the program get anything from outside? */
bool prove_has_startup(const struct flow *fl);

/* pointee.c: the bytes of a string constant, NULL if the operand is none or its bytes do not end
 * with 0 */
const char *prove_constant_text(const struct flow_unit *u, const struct flow_operand *o);
/* pointee.c: objects that pointers passed to the entry lead to, of the size that the harness gives
 * them, if the encoding has such objects */
uint64_t prove_pointee(const struct encoding *m, uint32_t alias, const struct flow_unit **u,
    uint32_t *type); /* bytes; of elements */
bool prove_pointee_input(
    struct walk *w, const struct pointee *to, const char *name); /* an input pointer */
bool prove_is_null(
    const struct encoding *m, expr cond); /* is it the condition that a passed pointer is null? */

/* witness.c: the inputs of a run: a value of each input, then the results of calls */
struct witness {
	struct encoding *m;
	struct prove_value *v;
	size_t n, calls, bytes;
	size_t length; /* 1 + the value that says how many bytes of standard input there are; 0 */
	bool at_end;   /* of standard input */
	struct prove_choice *choice; /* outcomes that the run takes, in order */
	size_t choices;
};
bool prove_is_nondet(const char *name);
bool prove_is_stdin(const struct walk *w, const struct flow_operand *o);
/* Does it read a byte of standard input? */
bool prove_reads_byte(const struct walk *w, const char *name, const struct flow_inst *i);
/* A byte of it, or of another stream, or -1. */
expr prove_any_byte(struct walk *w, bool is_stdin);
void prove_add_nondet(struct walk *w, const char *name, unsigned width, expr value);
void prove_witness_begin(
    struct witness *w, struct encoding *m); /* all inputs 0, pointers not null, no calls yet */
uint64_t prove_input_value(const struct prove_input *in, uint64_t bits); /* as inputs(5) has it */
void prove_witness_call(struct witness *w, const struct nondet *call, uint64_t value);
/* Drops bytes of arguments that there are not, of variables that are not set, and behind the end of
 * a text. */
void prove_witness_trim(struct witness *w);
void prove_witness_free(struct witness *w);

/* choices.c: the outcome of the frame's unit is taken here where cond holds */
void prove_choose(struct walk *w, const struct flow_branch *b, uint32_t outcome, expr cond);
void prove_witness_choice(struct witness *w, const struct choice *c);
/* Is there enough memory for a bit of each choice, in so many steps of 64 runs? */
bool prove_fits(size_t choices, size_t steps);

/* outside.c: when the frames are known: finds functions that may run outside of them, and the
 * objects that functions which may run at any time write */
void prove_outside(struct encoding *m);

/* walk.c: builds the transition system: next values of slots and pc, bad conditions of outputs */
void prove_walk(struct encoding *m);
/* returns.c: bits of a function's result; 0: it is no integer. */
unsigned prove_result_width(const struct flow_unit *u, uint32_t func);
/* Records the result of the root, with the arguments of its call. */
void prove_note_result(struct walk *w, const struct flow_inst *i);
/* renew.c: memory that is new in each iteration of a loop may hold any value. */
void prove_renew_object(struct walk *w, uint32_t object);

/* ---- deciding */

struct prover;
/* The witness of a run of so many steps from the entry, from the solver's answer. */
struct witness prove_witness(struct prover *r, struct ts_unroll *u, size_t steps);
/* The reason of goals that are left open because time ran out. */
#define PROVE_LATE "time limit reached"

/* The stages; each leaves what it cannot decide. */
struct prover {
	struct encoding *m;
	const struct prove_sink *sink;
	uint32_t *open;
	size_t opens;    /* outputs */
	double deadline; /* of the stage at work */
	size_t reached;  /* so far */
	size_t longest;  /* steps of the longest run on drawn inputs; 0: none was drawn */
	struct ts_cone cone;
	char trouble[80]; /* why the model checker failed; empty: it did not */
	bool proofs_only; /* report only infeasible verdicts: other goals are asked again */
	bool proposes;    /* report only counterexamples */
	bool alone;       /* the encoding is one function: use only stages that take little time */
	const char *limits; /* assumptions of proofs that the user did not state; NULL: none */
	bool cut;           /* there was too little time for a proof without these assumptions */
	size_t left;        /* goals that no stage decided */
	struct pdr *pdr;    /* the model checker at work; NULL: none yet */
	double began,
	    patience; /* of the stage at work: seconds until pdr starts in parallel, 0: never */
	void (*announce)(struct prover *r); /* call before the first verdict; NULL: was called */
	uint32_t *proved;
	size_t proofs; /* outputs that are infeasible, so far; if it proposes: that are reached */
	uint32_t
	    *choice; /* choices of the encoding that the cone decides; chosen: they are computed */
	size_t choices, choosing; /* choosing: how many were evaluated */
	bool chosen;
};
/* choices.c: indices in m->choice; none if counterexamples are not reported. */
const uint32_t *prove_choices(struct prover *r, size_t *n);
void prove_forget_choices(struct prover *r); /* the cone changes */
/* Adds the choices of the step whose expressions are being evaluated. */
void prove_evaluate_choices(struct prover *r, struct witness *w);
/* The conditions of the open outputs. The caller frees it. */
expr *prove_open_conditions(const struct prover *r);
/* Sets r->cone to the cone of influence of the conditions of the open outputs. */
void prove_cut_cone(struct prover *r);
void prove_announce(struct prover *r);
void prove_decide(struct prover *r, uint32_t output, enum prove_answer a, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports the goal as infeasible, with its proof. */
void prove_proved(struct prover *r, uint32_t output, const struct prove_proof *why, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
/* Reports the invariant that the proofs after it rest on. */
void prove_tell_invariant(struct prover *r, const expr *clause, size_t n);
/* Reports the goal as reached by these inputs. */
void prove_reached_by(
    struct prover *r, uint32_t output, struct witness *w, size_t steps, const char *stage);
/* The same, by the inputs in the SAT solver's answer. */
void prove_reached(
    struct prover *r, uint32_t output, struct ts_unroll *u, size_t steps, const char *stage);
void prove_stage_trivial(struct prover *r);
void prove_stage_query(struct prover *r);
void prove_stage_bmc(struct prover *r);
void prove_stage_short(struct prover *r);
void prove_stage_bounded(struct prover *r);
void prove_stage_runs(struct prover *r);
/* Calls `see` with the states of 64 simulated runs on random inputs: a word for each bit of pc and
 * of the slots of the cone, with a bit for each run. `from`: such words for the states that they
 * begin in; NULL: at the entry. */
struct lanes *prove_lanes(
    struct prover *r, void (*see)(void *ctx, const uint64_t *latch), void *ctx);
void prove_lanes_run(struct lanes *l, const uint64_t *from);
void prove_lanes_free(struct lanes *l);
void prove_stage_states(struct prover *r);
void prove_stage_facts(struct prover *r);
void prove_stage_growth(struct prover *r);
/* Decides the goals that are not reached in any state within these facts. The facts are inductive
 * together and do not constrain the entry. */
void prove_conclude(struct prover *r, const char *stage, const expr *fact, size_t n);
void prove_stage_induction(struct prover *r);
void prove_stage_pdr(struct prover *r);
/* The model checker, which runs beside other stages. prove_pdr_begin starts it, unless it runs
 * already; it ends at `until`. */
void prove_pdr_begin(struct prover *r, double until);
bool prove_pdr_decided(struct prover *r);
size_t prove_pdr_goals(const struct prover *r); /* that it was given */
void prove_pdr_end(struct prover *r);
/* Should the stage at work end: its deadline has passed, or pdr has decided all goals? */
bool prove_enough(void *run);

/* prove.c: reports the assumptions under which an encoding's goals are asked, before its first
 * verdict
 */
void prove_announce_question(struct prover *r);
/* Runs all stages until `end`; each has its share of the time that is left. Goals that no stage
 * decides are unknown. */
void prove_run_stages(struct prover *r, double end);
/* Instead of the stages: re-verifies these claims, and reports only their goals. */
void prove_check_claims(struct prover *r, const struct prove_claim *claim, size_t n, double end);

/* facts.c: conditions on the slots of the cone that hold whenever control comes to the head of a
 * loop. The caller frees them. */
size_t prove_find_facts(struct prover *r, expr **fact);

/* check.c: are the clauses together inductive? Verified in the same way as stored proofs. */
bool prove_is_invariant(struct prover *r, const expr *clause, size_t n);
/* Instead of the stages. */
void prove_claims(struct prover *r, const struct prove_claim *claim, size_t n);

/* ---- shorthands */

static inline expr prove_const(struct encoding *m, unsigned width, uint64_t v)
{
	return expr_const(m->pool, width, bits_value(bits_cut(v, width)));
}
static inline expr prove_and(struct encoding *m, expr a, expr b)
{
	return expr_make(m->pool, OP_AND, 1, a, b, 0);
}
static inline expr prove_or(struct encoding *m, expr a, expr b)
{
	return expr_make(m->pool, OP_OR, 1, a, b, 0);
}
static inline expr prove_equal(struct encoding *m, expr a, expr b)
{
	return expr_make(m->pool, OP_EQ, 1, a, b, 0);
}
static inline expr prove_ite(struct encoding *m, expr c, expr a, expr b)
{
	return a == b ? a : expr_make(m->pool, OP_ITE, expr_width(m->pool, a), c, a, b);
}
static inline expr prove_bool(struct encoding *m, bool b)
{
	return expr_bool(m->pool, b);
}
static inline expr prove_extract(struct encoding *m, unsigned low, unsigned width, expr e)
{
	return expr_width(m->pool, e) == width && !low
	    ? e
	    : expr_make(m->pool, OP_EXTRACT, width, e, 0, low);
}
/* Is it the constant false? */
static inline bool prove_never(struct encoding *m, expr e)
{
	struct value v;
	return expr_is_const(m->pool, e, &v) && !v.lo;
}
static inline bool prove_always(struct encoding *m, expr e)
{
	struct value v;
	return expr_is_const(m->pool, e, &v) && v.lo;
}
static inline const struct flow_unit *prove_unit(const struct encoding *m, uint32_t frame)
{
	return &m->flow->unit[m->frame[frame].unit];
}

#endif
