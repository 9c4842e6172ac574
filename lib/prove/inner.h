/* inner: private to lib/prove: a function and its callees as a transition system.
 *
 * Frames are activations, inlined; nodes are pieces of blocks without a call in them; a step of the
 * system leads from one cut (the entry, the head of a loop) to the next. State is held in slots:
 * cells of objects, values that live across nodes, ghosts. */
#ifndef DUCT_PROVE_INNER_H
#define DUCT_PROVE_INNER_H

#include "lib/base/clock.h"
#include "lib/base/grow.h"
#include "lib/base/map.h"
#include "lib/defuse/defuse.h"
#include "lib/graph/graph.h"
#include "lib/prove/prove.h"
#include "lib/summary/summary.h"
#include "lib/ts/ts.h"

#define NONE UINT32_MAX

/* ---- indexes into the flow records of a unit (index.c) */

struct span {
	uint32_t first, n;
}; /* ids */
struct unit_index {
	struct span *block, *func, *vars; /* instructions of each; variables of each function */
	bool *crosses;                    /* by instruction: its value is used in another node */
	bool *undefined;  /* by instruction: a load of a local that may not have been written */
	bool *taken;      /* by variable: its address is used other than to access it */
	int8_t *pointer;  /* by variable: may its value be an address? -1: not computed yet */
	uint32_t *access; /* by instruction: 1 + index of its first access */
	uint32_t *call;   /* by instruction: 1 + index of its call in alias */
};
struct unit_index *prove_index(const struct flow *fl, struct alias *a);
/* undefined.c */
void prove_find_undefined(const struct flow_unit *u, struct unit_index *x);
/* The local, of those that begin at `vars`, that a load reads, as an index; NONE. */
uint32_t prove_read_local(
    const struct flow_unit *u, const struct unit_index *x, struct span vars, uint32_t inst);
void prove_index_free(const struct flow *fl, struct unit_index *x);

/* ---- objects */

struct cell {
	uint32_t offset, size, slot;
	bool pointer;
}; /* bytes; up to 8 */
struct object {
	uint32_t alias, frame; /* frame: of a local, else NONE */
	uint64_t size;         /* bytes, 0 unknown */
	struct cell *cell;
	uint32_t cells;
	bool constant;       /* never changes; `unit` has its bytes */
	bool opaque;         /* too large: a read gives a fresh value */
	bool escaped, taken; /* unknown code, or any other function, may know its address */
	uint32_t unit;
	char kind;
	uint32_t id;             /* & or $, as in flow_bytes; 0: a temporary */
	uint32_t *ghost, ghosts; /* ghosts of pairs of this object */
};

/* Kinds of the state variables of the system. */
enum slot_kind { SLOT_CELL, SLOT_VALUE, SLOT_GHOST, SLOT_USE };
/* ---- the inlined program */

struct frame {
	uint32_t unit, func, number, up,
	    call;            /* func: id; number: in alias; up: frame that called it, by `call` */
	uint32_t back;       /* node where it returns to */
	uint32_t *node;      /* first node of each block */
	uint32_t *reg;       /* by instruction: 1 + slot */
	uint32_t *arg, args; /* slots */
	uint32_t *object;    /* by variable */
	uint32_t *defined;   /* by variable: 1 + slot that says whether it was written; 0: always */
	uint32_t result;     /* 1 + slot of the call's result, in `up` */
};
struct node {
	uint32_t frame, block, first, last, callee;
	bool starts;
}; /* callee: frame that it ends by calling */

/* ---- ghosts */

struct ghost {
	uint32_t def; /* access */
	struct defuse_place place;
	uint32_t object, frame; /* object NONE: not known; frame NONE: of any activation */
	uint32_t slot, at; /* at: 1 + slot with the offset of the last write; 0: no such slot */
	uint32_t bytes;    /* of the last write */
};
/* A change of ghosts at an instruction of a frame; a use: whether it reads what a ghost watches.
 * Links and slots are 1 + index, 0 none. */
struct event {
	uint32_t next;
	bool arms;
	uint32_t ghost, slot, goals;
};
/* At an outcome of a condition. event: the use; NONE: each time the outcome is taken. from, to: 1 +
 * slot, for a step of an evaluation: the step counts only after the step before it, and the last
 * one, whose `to` is 0, makes the goal. */
struct goal {
	uint32_t output, event, next, from, to;
};
/* A goal at an instruction or at the beginning of a block. what: the condition to hold, an enum
 * objective_kind; 0: none, the goal is to come there. */
struct mark {
	uint32_t output, next;
	unsigned what;
};
/* A loop of an activation, for goals about the number of iterations. member: by block of the
 * function, is it in the loop? zero, once: slots: no iteration so far, one; left0, left1, again:
 * outputs for leaving the loop after none or one, and for a second iteration; NONE: no goal. */
struct loop_watch {
	uint32_t frame, header, body, next, zero, once, left0, left1, again;
	const bool *member;
};

/* value: an INPUT of the pool. Of kind n (does a pointer lead to an object?) it has one bit, 1: no.
 */
struct prove_input {
	char *name;
	char kind;
	uint16_t width;
	expr value;
	bool is_argc;
};

/* A call of __VERIFIER_nondet_*, or one that reads a byte of standard input (kind NONDET_BYTE: -1
 * at its end), in the order of the walk: in a step it is made where the guard holds. */
#define NONDET_BYTE 's'
struct nondet {
	expr guard, value;
	char kind;
	uint16_t width;
};

/* An outcome of a condition, taken where the guard holds; in the order of the walk. */
struct choice {
	expr guard;
	uint32_t unit, condition, outcome; /* condition: index */
};

struct output {
	expr bad;
	uint32_t goal, func, steps; /* func: the function of the use or condition; steps: every
	                       path to it has more than these */
	bool unfollowed; /* a use of the result of a call that is not followed everywhere */
	bool deep;       /* it may be reached below the depth to which recursion is followed */
	bool distant;    /* it is reached only after a counter comes near its limit (growth.c) */
};

struct model {
	const struct flow *flow;
	struct defuse *defuse;
	struct alias *alias;
	struct unit_index *index;
	const struct summary *summary;
	const struct prove_options *options;
	const struct prove_goals *asked;
	struct expr_pool *pool; /* that of ts */
	struct ts ts;

	struct frame *frame;
	uint32_t frames;
	struct node *node;
	uint32_t nodes;
	struct object *object;
	uint32_t objects;
	struct map object_of; /* alias object, frame -> 1 + object */
	struct ghost *ghost;
	uint32_t ghosts;
	struct event *event;
	uint32_t events;
	struct map events_at; /* frame, instruction -> 1 + event */
	struct goal *goal;
	uint32_t goals;
	struct map goals_at; /* frame, outcome -> 1 + goal */
	struct mark *mark;
	uint32_t marks;
	struct map marks_at; /* frame, instruction or block -> 1 + mark */
	struct loop_watch *loop;
	uint32_t loops;
	uint32_t *loop_of; /* by frame: 1 + its first loop; NULL: there are none */
	bool **members;    /* of loops */
	size_t member_lists;
	struct prove_input *input;
	uint32_t inputs;

	struct nondet *nondet;
	size_t nondets;
	struct choice *choice;
	size_t choices;
	char **name, **byte;
	size_t names, bytes; /* names of their values: nondet[0] and on, stdin[0] and on */

	uint32_t *order, ordered; /* the nodes in an order in which each backward edge leads to a
	                     cut */
	struct renewal {
		uint32_t cut, object;
	} *renewal;
	uint32_t renewals; /* objects whose lifetime begins anew when control comes to that cut */
	uint32_t *cut;     /* by node: 1 + number of the cut, 0 none; the entry is 1 */
	struct output *output;
	uint32_t outputs; /* by goal asked for */

	const struct prove_returns *returns; /* facts about results of calls; NULL: none */
	bool records;                        /* `result` is filled (returns.c) */
	struct prove_result *result;
	size_t results;

	/* Things that the model leaves out or assumes, for the verdicts; see prove_note. */
	struct note {
		char *text;
		bool narrows;
	} *note;
	uint32_t notes;
	bool arbitrary, harness; /* the root starts in any state; the root is a harness */
	bool loose;              /* the model is of any call of the entry: see limits.c */
	bool *written; /* loose: by object of alias: the program may have written it before */
	bool placed;   /* objects that incoming pointers lead to are in the model */
	bool once;     /* the harness calls the entry once, and nothing before */
	bool primed;   /* the harness calls other functions before its loop of calls (--init) */
	bool steady;   /* see prove_is_closed: any number of calls is made */
	bool *closed; /* loose: by object of alias: see prove_find_closed; NULL: one call is made */
	uint32_t calls; /* block of the harness where its loop of calls begins; 0 */
	bool *outside;  /* by function: it may run outside of the frames */
	bool *below;    /* by function: it may run below the depth to which recursion is followed */
	uint32_t *depth; /* by function: its activations that are followed; 1: no recursion */
	bool *led;       /* by function: its calls are followed; NULL: calls of all functions are */
	expr beyond;     /* a call goes below that depth; 0: no such call was met yet */
	bool *beside;    /* by function: it may run at any time, as a signal handler or a thread */
	bool *shared;    /* by object of alias: such a function may write it */
	bool buffered;   /* an object may be the buffer of a stream */
	bool loose_numbers;       /* floating-point results are any value: see prove_is_loose */
	bool early;               /* constructors have run before the root */
	const char *broken;       /* why nothing can be proved with this model */
	double deadline;          /* for building the model and all stages; clock_now */
	uint32_t fresh;           /* inputs made up so far */
	size_t insts, most_insts; /* inlined; at most */
	const char *late;         /* the limit that stopped building it; NULL: none */
	uint64_t spare;           /* bytes of memory to leave free */
};

/* Adds a note once. narrows: verdicts hold only under this assumption; else the model is imprecise
 * but safe. */
void prove_note(struct model *m, bool narrows, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

expr prove_fresh(struct model *m, unsigned width);

/* build.c: frames and nodes */
bool prove_build(struct model *m, uint32_t root);
void prove_model_free(struct model *m);
/* renew.c: finds m->renewal. */
void prove_renew(
    struct model *m, const struct graph_edge *edge, size_t edges, const uint32_t *place);
/* Calls f for each node that control may pass to from `node`. */
void prove_edges(
    const struct model *m, uint32_t node, void (*f)(void *ctx, uint32_t to), void *ctx);
/* Does this edge of the harness lead back to the call of the entry, of which there is only one? */
bool prove_calls_again(
    const struct model *m, uint32_t frame, uint32_t from_block, uint32_t to_block);

/* By function: this one and its callers, or those that it calls; at any distance. The caller's. */
bool *prove_calling(struct alias *a, uint32_t function, bool callers);
/* By function: does it lead to this one by calls, or this one to it? The caller's. */
bool *prove_led(struct alias *a, uint32_t toward);
/* Does a call enter one function of the flow, which is followed here, and no other code? */
bool prove_enters(const struct model *m, const struct alias_call *c);
/* Is a call from this frame not followed only because recursion is too deep? */
bool prove_too_deep(const struct model *m, uint32_t frame, const struct alias_call *c);

/* object.c: objects and their cells */
uint32_t prove_object(struct model *m, uint32_t alias, uint32_t frame); /* made when it is new */
uint32_t prove_object_find(const struct model *m, uint32_t alias, uint32_t frame);
uint64_t prove_address(uint32_t object);
bool prove_address_of(uint64_t address, uint32_t *object, int64_t *offset);

/* limits.c: what a call of the entry assumes */

/* The pairs of a program as one alias analysis has them, and what depends on that. */
struct view {
	struct defuse *d;
	struct unit_index *index;
	struct summary *summary;
	uint32_t *goal; /* by goal as given: in d; NONE: it has no such pair */
	bool own;       /* d is the view's */
};
struct view *prove_view(struct defuse *d, const struct prove_goals *g, bool any_caller);
void prove_view_free(struct view *v);
/* By object of alias: the program may write it, before the call or within. The caller's. */
bool *prove_find_written(const struct view *v);
/* closed.c: by object of alias: is it a variable that the program writes, but only in calls by the
 * harness? The caller frees it. */
bool *prove_find_closed(const struct view *v, const bool *written);
/* Does the harness itself call other functions than the entry? */
bool prove_is_primed(struct alias *a, const char *entry);
/* Are all variables that the program writes of this kind, and does the entry get no pointers? */
bool prove_is_closed(const struct view *v);
/* The function that the model starts in: the harness where there is one, else the entry; NONE.
 * *is_main: it is main. */
uint32_t prove_root_of(const struct defuse *d, bool *is_main);

/* Bytes of memory that can still be allocated (ask.c); UINT64_MAX: no limit. */
uint64_t prove_memory_left(void);
/* ask.c: the number of the function that has the use of a pair, or the condition of an outcome */
uint32_t prove_function_of(const struct defuse *d, const struct prove_goals *g, uint32_t goal);

/* watch.c: adds ghosts for the pairs, and watches for the conditions, that are goals */
/* The access that writes: def, or the parameter that an argument defines. */
const struct defuse_access *prove_written_by(const struct model *m, uint32_t def);
void prove_watch(struct model *m, const uint32_t *goal, size_t n);

/* ---- walking over the nodes */

struct target {
	uint32_t object;
	expr offset, cond;
}; /* offset: 64 bits */
struct state {
	expr *v;
	expr guard;
	bool met;
};
struct walk {
	struct model *m;
	struct state *state; /* by node */
	struct state now;    /* of the node that is walked over */
	uint32_t frame, node;
	expr *reg;
	uint32_t *reg_at, at; /* values of this node, by instruction of its function */
	struct target *target;
	uint32_t targets; /* objects that the last resolved address may point to */
	expr elsewhere;   /* ... the condition that it points to none of them */
	expr null;        /* ... in a harness: the condition that it is null, or near it */
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
uint64_t prove_sum_constant(struct model *m, expr address); /* the constant part of a sum */
expr prove_read(struct walk *w, unsigned bytes);            /* of the targets */
void prove_write(struct walk *w, unsigned bytes, expr value);
expr prove_bytes(struct walk *w, uint32_t object, int64_t offset, unsigned bytes);
void prove_put(
    struct walk *w, uint32_t object, int64_t offset, unsigned bytes, expr value, expr cond);
void prove_havoc(struct walk *w, uint32_t object, expr cond);
void prove_fill(struct walk *w, uint8_t byte, uint64_t size); /* the targets */
void prove_copy(struct walk *w, const struct target *to, uint32_t tos, const struct target *from,
    uint32_t froms, expr elsewhere, uint64_t size); /* elsewhere: the source is none of `from` */
expr prove_initial(struct model *m, const struct object *o, const struct cell *c);

/* watch.c: updates of ghosts: bits of the objects that the targets point to are written or read */
void prove_enter(struct walk *w);
/* arms the ghosts of definitions that code outside of the model may make */
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
void prove_watch_condition(struct model *m, const struct prove_outcome *o, uint32_t func,
    uint32_t output); /* of the function's activations */
/* Events of the walk: an instruction was computed; a store is about to write `stored`; a block
 * begins; control passes from one block to another where cond holds, in state s. */
void prove_computed(struct walk *w, uint32_t inst);
void prove_stores(struct walk *w, uint32_t inst, unsigned bytes, expr stored);
void prove_begun(struct walk *w, uint32_t block);
void prove_passes(struct walk *w, uint32_t to_block, expr cond, struct state *s);

/* call.c: the effect of a call that is not followed */
void prove_call(struct walk *w, uint32_t inst, const struct flow_inst *i);
/* Argument k of a call as the callee sees it, 64 bits; *width: how many of them are passed. */
expr prove_argument(struct walk *w, const struct flow_inst *i, uint32_t k, unsigned *width);
/* `count` inputs of `bytes` each, from there on: P, or P[0], P[1] and so on. */
void prove_add_inputs(struct walk *w, const struct target *to, const char *name, char kind,
    unsigned count, unsigned bytes);

/* given.c: the result of a call of a library function, as far as it is known; 0: it may be anything
 */
expr prove_given(struct walk *w, const char *name, const struct flow_inst *i, unsigned width);
/* The value that a load reads from the table of character classes; 0: the load is of other memory.
 */
expr prove_table_read(struct walk *w, expr address, unsigned bytes);
/* call.c: the bytes of a string constant, in buf; NULL: it is none, or is too long */
const char *prove_text(struct walk *w, const struct flow_operand *o, char *buf, size_t size);

/* pointee.c: objects that pointers passed to the entry lead to, of the size that the harness gives
 * them, if the model has such objects */
uint64_t prove_pointee(const struct model *m, uint32_t alias, const struct flow_unit **u,
    uint32_t *type); /* bytes; of elements */
bool prove_pointee_input(
    struct walk *w, const struct target *to, const char *name); /* a pointer that comes in */
bool prove_is_null(
    const struct model *m, expr cond); /* is it the condition that a passed pointer is null? */

/* witness.c: the inputs of a run: a value of each input, then the results of calls */
struct witness {
	struct model *m;
	struct prove_value *v;
	size_t n, calls, bytes;
	size_t length; /* 1 + the value that says how many bytes of standard input there are; 0 */
	bool at_end;   /* of standard input */
	struct prove_choice *choice; /* outcomes that the run takes, in order */
	size_t choices;
};
bool prove_is_nondet(const char *name);
/* Does it read a byte of standard input? */
bool prove_reads_byte(const struct walk *w, const char *name, const struct flow_inst *i);
/* A byte of it, or -1. */
expr prove_any_byte(struct walk *w);
void prove_add_nondet(struct walk *w, const char *name, unsigned width, expr value);
void prove_witness_begin(
    struct witness *w, struct model *m); /* all inputs 0, pointers not null, no calls yet */
uint64_t prove_input_value(const struct prove_input *in, uint64_t bits); /* as inputs(5) has it */
void prove_witness_call(struct witness *w, const struct nondet *call, uint64_t value);
void prove_witness_free(struct witness *w);

/* choices.c: the outcome of the frame's unit is taken here where cond holds */
void prove_choose(struct walk *w, const struct flow_branch *b, uint32_t outcome, expr cond);
void prove_witness_choice(struct witness *w, const struct choice *c);
/* Is there enough memory for a bit of each choice, in so many steps of 64 runs? */
bool prove_fits(size_t choices, size_t steps);

/* outside.c: when the frames are known: finds functions that may run outside of them, and the
 * objects that functions which may run at any time write */
void prove_outside(struct model *m);

/* walk.c: builds the transition system: next values of slots and pc, bad conditions of outputs */
void prove_walk(struct model *m);
/* Bits of a function's result; 0: it is no integer. */
unsigned prove_result_width(const struct flow_unit *u, uint32_t func);

/* ---- deciding */

struct run;
/* The witness of a run of so many steps from the entry, from the solver's answer. */
struct witness prove_witness(struct run *r, struct ts_unroll *u, size_t steps);
/* The reason of goals that are left open because time ran out. */
#define PROVE_LATE "time limit reached"

/* The stages; each leaves what it cannot decide. */
struct run {
	struct model *m;
	const struct prove_sink *sink;
	uint32_t *open;
	size_t opens;    /* outputs */
	double deadline; /* of the stage at work */
	size_t reached;  /* so far */
	size_t longest;  /* steps of the longest run on drawn inputs; 0: none was drawn */
	struct ts_cone cone;
	char trouble[80];   /* why the model checker failed; empty: it did not */
	bool proofs_only;   /* report only infeasible verdicts: other goals are asked again */
	bool alone;         /* the model is one function: use only stages that take little time */
	const char *limits; /* assumptions of proofs that the user did not state; NULL: none */
	bool cut;           /* there was too little time for a proof without these assumptions */
	size_t left;        /* goals that no stage decided */
	struct pdr *pdr;    /* the model checker at work; NULL: none yet */
	double began,
	    patience; /* of the stage at work: seconds until pdr starts in parallel, 0: never */
	void (*announce)(struct run *r); /* call before the first verdict; NULL: was called */
	uint32_t *proved;
	size_t proofs; /* outputs that are infeasible, so far */
	uint32_t
	    *choice; /* choices of the model that the cone decides; chosen: they are computed */
	size_t choices, choosing; /* choosing: how many were evaluated */
	bool chosen;
};
/* choices.c: indices in m->choice; none if counterexamples are not reported. */
const uint32_t *prove_choices(struct run *r, size_t *n);
void prove_forget_choices(struct run *r); /* the cone changes */
/* Adds the choices of the step whose expressions are being evaluated. */
void prove_evaluate_choices(struct run *r, struct witness *w);
/* The conditions of the open outputs. The caller frees it. */
expr *prove_open_conditions(const struct run *r);
/* Sets r->cone to the cone of influence of the conditions of the open outputs. */
void prove_cut_cone(struct run *r);
void prove_announce(struct run *r);
void prove_decide(struct run *r, uint32_t output, enum prove_answer a, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Reports the goal as infeasible, with its proof. */
void prove_proved(struct run *r, uint32_t output, const struct prove_proof *why, const char *fmt,
    ...) __attribute__((format(printf, 4, 5)));
/* Reports the invariant that the proofs after it rest on. */
void prove_tell_invariant(struct run *r, const expr *clause, size_t n);
/* Reports the goal as reached by these inputs. */
void prove_reached_by(
    struct run *r, uint32_t output, const struct witness *w, size_t steps, const char *stage);
/* The same, by the inputs in the SAT solver's answer. */
void prove_reached(
    struct run *r, uint32_t output, struct ts_unroll *u, size_t steps, const char *stage);
void prove_stage_trivial(struct run *r);
void prove_stage_query(struct run *r);
void prove_stage_bmc(struct run *r);
void prove_stage_short(struct run *r);
void prove_stage_bounded(struct run *r);
void prove_stage_runs(struct run *r);
/* Calls `see` with the states of 64 simulated runs on random inputs: a word for each bit of pc and
 * of the slots of the cone, with a bit for each run. `from`: such words for the states that they
 * begin in; NULL: at the entry. */
struct lanes *prove_lanes(struct run *r, void (*see)(void *ctx, const uint64_t *latch), void *ctx);
void prove_lanes_run(struct lanes *l, const uint64_t *from);
void prove_lanes_free(struct lanes *l);
void prove_stage_states(struct run *r);
void prove_stage_facts(struct run *r);
void prove_stage_growth(struct run *r);
/* Decides the goals that are not reached in any state within these facts. The facts are inductive
 * together and do not constrain the entry. */
void prove_conclude(struct run *r, const char *stage, const expr *fact, size_t n);
void prove_stage_induction(struct run *r);
void prove_stage_pdr(struct run *r);
/* The model checker, which runs beside other stages. prove_pdr_begin starts it, unless it runs
 * already; it ends at `until`. */
void prove_pdr_begin(struct run *r, double until);
bool prove_pdr_decided(struct run *r);
size_t prove_pdr_goals(const struct run *r); /* that it was given */
void prove_pdr_end(struct run *r);
/* Should the stage at work end: its deadline has passed, or pdr has decided all goals? */
bool prove_enough(void *run);

/* prove.c: reports the assumptions under which a model's goals are asked, before its first verdict
 */
void prove_announce_question(struct run *r);
/* Runs all stages until `end`; each has its share of the time that is left. Goals that no stage
 * decides are unknown. */
void prove_run_stages(struct run *r, double end);
/* Instead of the stages: re-verifies these claims, and reports only their goals. */
void prove_check_claims(struct run *r, const struct prove_claim *claim, size_t n, double end);

/* facts.c: conditions on the slots of the cone that hold whenever control comes to the head of a
 * loop. The caller frees them. */
size_t prove_find_facts(struct run *r, expr **fact);

/* check.c: are the clauses together inductive? Verified in the same way as stored proofs. */
bool prove_is_invariant(struct run *r, const expr *clause, size_t n);
/* Instead of the stages. */
void prove_claims(struct run *r, const struct prove_claim *claim, size_t n);

/* ---- shorthands */

static inline expr prove_const(struct model *m, unsigned width, uint64_t v)
{
	return expr_const(m->pool, width, bits_value(bits_cut(v, width)));
}
static inline expr prove_and(struct model *m, expr a, expr b)
{
	return expr_make(m->pool, OP_AND, 1, a, b, 0);
}
static inline expr prove_or(struct model *m, expr a, expr b)
{
	return expr_make(m->pool, OP_OR, 1, a, b, 0);
}
static inline expr prove_equal(struct model *m, expr a, expr b)
{
	return expr_make(m->pool, OP_EQ, 1, a, b, 0);
}
static inline expr prove_ite(struct model *m, expr c, expr a, expr b)
{
	return a == b ? a : expr_make(m->pool, OP_ITE, expr_width(m->pool, a), c, a, b);
}
static inline expr prove_bool(struct model *m, bool b)
{
	return expr_bool(m->pool, b);
}
static inline expr prove_extract(struct model *m, unsigned low, unsigned width, expr e)
{
	return expr_width(m->pool, e) == width && !low
	    ? e
	    : expr_make(m->pool, OP_EXTRACT, width, e, 0, low);
}
/* Is it the constant false? */
static inline bool prove_never(struct model *m, expr e)
{
	struct value v;
	return expr_is_const(m->pool, e, &v) && !v.lo;
}
static inline bool prove_always(struct model *m, expr e)
{
	struct value v;
	return expr_is_const(m->pool, e, &v) && v.lo;
}
static inline const struct flow_unit *prove_unit(const struct model *m, uint32_t frame)
{
	return &m->flow->unit[m->frame[frame].unit];
}

#endif
