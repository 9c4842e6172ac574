/* abi: the interface between woven code (lib/front/weave) and the runtime (lib/runtime).
 *
 * A *node* is the id of a symbolic expression, 0 for a concrete value. Every integer,
 * pointer, float, double or long double SSA value of a woven function has a shadow node;
 * that of a floating-point number describes its bits (32, 64 or 80). Woven code calls a builder
 * only when at least one operand's node is not 0 (one inlined test). The builder gets nodes and
 * concrete values of all operands, computes the node's own concrete value from them, and
 * may return 0 (nothing symbolic left) or an existing node (hash-consing, conditions known
 * from the path). Widths are in bits. Values up to 64 bits travel zero-extended in
 * uint64_t; wider ones (to 128) use the *_wide forms with pointers to two words, low first.
 * Values wider than 128 bits, vectors and other formats of numbers have no shadow: woven
 * code calls duct_rt_lost when it would compute one from a symbolic operand.
 */
#ifndef DUCT_ABI_H
#define DUCT_ABI_H

#include "lib/protocol/channel.h"
#include <stddef.h>
#include <stdint.h>

typedef uint32_t duct_node;

/* One descriptor a unit, in section "duct_units" (walked from __start_duct_units to
 * __stop_duct_units), kept by llvm.used. Woven code writes coverage as
 *   unit.cover[outcome index] = 1        (branch.first + outcome)
 *   unit.cover[outcomes + block - 1] = 1
 * cover points at `own` until the server moves it into the channel. */
struct duct_unit {
	uint64_t key;
	uint8_t *cover;
	uint8_t *own;                               /* outcomes + blocks bytes */
	uint32_t branches, outcomes, blocks, flags; /* flags: bit 0 as channel_unit; see below */
	const struct duct_branch *branch;           /* branches entries, id - 1 */
	const char *name;                           /* main file of the unit */
	const char *stamp; /* in the runtime, if that is of the same version (stamp.h) */
};

/* Section of a program that lists the instructions which write coverage. Each entry, not aligned,
 * is one or more distances (int32_t, never 0) from their own address to an instruction, then a
 * struct duct_mark. */
#define DUCT_MARKS "duct_marks"
struct duct_mark {
	uint32_t zero;  /* ends the distances */
	uint32_t index; /* in the unit's coverage */
	uint64_t key;   /* of the unit */
} __attribute__((packed));

#define DUCT_UNIT_FLOWS 2u /* flag: it reports flows of inputs */
#define DUCT_UNIT_CHECKS 8 /* from this bit on: faults to check for, 1 << enum check_kind */

/* A two-way branch: outcomes first (true: outcome 1 of the record) and first+1 (false).
 * So cover[first] is the true side, cover[first+1] the false side. A switch: first+i for
 * case i, first+cases for default. */
struct duct_branch {
	uint32_t first;
	uint32_t cases;        /* 0: two-way */
	const uint64_t *value; /* case values, zero-extended, in record order */
	const uint8_t *shared; /* of each case: does another one run the same code? NULL: none */
	uint8_t kind;          /* enum duct_branch_kind */
	uint8_t required;      /* ASSUME kinds: outcome that the assumption implies, + 1; 0 none */
};

enum duct_branch_kind { DUCT_BRANCH, DUCT_SWITCH, DUCT_SELECT, DUCT_ASSUME_BRANCH };

/* ---- shadow memory. One flag byte for 8 bytes of memory, read inline:
 *   flag = *(uint8_t *)((addr >> 3) + DUCT_FLAGS)
 * non-zero when any of the 8 bytes may carry a node. An access that may cross an 8-byte
 * line tests both. Only the runtime reads the nodes of the bytes. */
#define DUCT_FLAGS_SIZE ((size_t)1 << 44)
#define DUCT_FLAGS 0x100000010000ull /* 16 TiB reserved, MAP_NORESERVE; skewed by 64 KiB */

/* ---- calls. A caller with any symbolic argument stores the arguments' nodes in
 * duct_args (position = IR argument index, an aggregate takes one slot a scalar), and the
 * callee's address in duct_args_for; otherwise it leaves both alone. A woven function
 * first tests duct_args_for == its own address (one word): then reads its nodes and
 * stores 0 there; else all its parameters are concrete. Slots not symbolic hold 0.
 * On return a woven function with a symbolic result stores the node(s) in duct_ret and its
 * own address in duct_ret_from; with a concrete result it clears the values that its own calls left
 * there. The caller clears duct_ret_from before the call and reads duct_ret after it only when
 * duct_ret_from is the callee. Runtime functions that return symbolic values (__VERIFIER_nondet_*)
 * do the same. Runtime functions that a program may call (duct_*, __VERIFIER_*) need not clear the
 * token: their woven callers do.
 * A caller that cannot see its callee's definition sets the token duct_args_for and the nodes (0 or
 * not) whenever duct_live != 0: a token that is still set after the call shows that the callee is
 * not woven. A woven function that starts while the token is another function's was called back by
 * code that is not woven: duct_rt_callback saves that token in a table (duct_pending entries) and
 * clears it. After a call, if the token is still the callee's or duct_pending != 0, duct_rt_unwoven
 * clears the token and returns whether the callee was not woven; if so, woven code calls
 * duct_rt_external. These are in lib/runtime/token.c.
 * A struct passed by value in memory (byval) takes two slots: low and high half of the
 * address that it is copied from.
 * Variable arguments: after the fixed slots come 6 slots for the general registers and 8
 * for the vector registers (by register, those of fixed arguments unused), then one a stack
 * word of the overflow area, a long double's in its first word;
 * duct_args_count is the number of slots in all. The callee saves them at entry
 * (duct_rt_variadic), va_start gives them to the memory that va_arg reads. */
#define DUCT_MAX_ARGS 256
extern void *duct_args_for;
extern duct_node duct_args[DUCT_MAX_ARGS];
extern void *duct_ret_from;
extern duct_node duct_ret[8];
extern uint32_t duct_args_count;
extern uint32_t duct_pending;
/* Bits, set before a call through a pointer or of a library function that has a model. 1: the
 * caller uses the result. 2, for library models that do no more than let a call fail: the
 * environment determines the result, or what the call writes. */
extern uint32_t duct_result_used;
void duct_rt_callback(void);
uint32_t duct_rt_unwoven(const void *callee);
/* Saves duct_args[fixed..total) at `save`. */
void duct_rt_variadic(duct_node *save, uint32_t fixed, uint32_t total);
/* After va_start: `n` saved slots (0: none known to be symbolic). */
void duct_rt_va_start(void *va_list_tag, const duct_node *save, uint32_t n);

/* ---- builders; op is an enum op. Within one instruction's code intermediate operands may
 * all be 0: then builders return 0. Comparisons get the operands' width. */
duct_node duct_rt_binary(
    uint32_t op, uint32_t width, duct_node a, uint64_t va, duct_node b, uint64_t vb);
duct_node duct_rt_binary_wide(
    uint32_t op, uint32_t width, duct_node a, const uint64_t *va, duct_node b, const uint64_t *vb);
/* op NOT NEG ZEXT SEXT, or EXTRACT at bit `low`; `width` is the result's, `from` the operand's. */
duct_node duct_rt_unary(uint32_t op, uint32_t width, uint32_t from, uint32_t low, duct_node a);
duct_node duct_rt_ite(
    uint32_t width, duct_node c, uint64_t vc, duct_node a, uint64_t va, duct_node b, uint64_t vb);
duct_node duct_rt_ite_wide(uint32_t width, duct_node c, uint64_t vc, duct_node a,
    const uint64_t *va, duct_node b, const uint64_t *vb);
/* The node of the value that a branch on c selected. The branch does nothing but select one of two
 * values. */
duct_node duct_rt_chosen(
    uint32_t width, duct_node c, uint64_t vc, duct_node a, uint64_t va, duct_node b, uint64_t vb);
/* An operation on floating-point numbers; comparisons are built by duct_rt_binary. Operands are
 * `from` bits wide, values two words each; vb is NULL where there is one operand. `result`, of
 * which the low `bits` count, is what the program computed. If the operation gives another value
 * (rounding mode, a conversion out of range), precision is lost and the node is 0. */
duct_node duct_rt_float(struct duct_unit *u, uint32_t op, uint32_t width, uint32_t from,
    duct_node a, const uint64_t *va, duct_node b, const uint64_t *vb, const uint64_t *result,
    uint32_t bits);
/* A pointer plus a byte offset (getelementptr with a symbolic part): as ADD of 64 bits, and
 * remembers base's object as the provenance of the result. */
duct_node duct_rt_pointer(duct_node base, uint64_t vbase, duct_node offset, uint64_t voffset);
/* LLVM's bit intrinsics on a symbolic operand; which: an enum duct_bits. */
enum duct_bits { DUCT_CTPOP, DUCT_CTTZ, DUCT_CTLZ, DUCT_BSWAP, DUCT_BITREVERSE };
duct_node duct_rt_bits(uint32_t which, uint32_t width, duct_node a);

/* ---- memory. `bytes` is the store size, `width` the value's bits. */
duct_node duct_rt_load(
    const void *p, uint32_t bytes, uint32_t width); /* concrete address, flag set */
void duct_rt_store(
    void *p, uint32_t bytes, uint32_t width, duct_node v); /* flag set or v != 0; v == 0 clears */
/* Symbolic address (node a != 0); called before the access. Emit EV_BOUNDS; `place` = block id.
 * A run whose address leaves its object ends here (FAULT_BOUNDS). */
duct_node duct_rt_load_at(struct duct_unit *u, uint32_t place, const void *p, duct_node a,
    uint32_t bytes, uint32_t width);
void duct_rt_store_at(struct duct_unit *u, uint32_t place, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, uint64_t value);
void duct_rt_store_at_wide(struct duct_unit *u, uint32_t place, void *p, duct_node a,
    uint32_t bytes, uint32_t width, duct_node v, const uint64_t *value);
/* duct_rt_load or duct_rt_store if a is 0, else duct_rt_load_at or duct_rt_store_at at the current
 * block (woven.c). */
duct_node duct_rt_load_any(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, uint32_t width);
void duct_rt_store_any(struct duct_unit *u, void *p, duct_node a, uint32_t bytes, uint32_t width,
    duct_node v, uint64_t value);
void duct_rt_store_any_wide(struct duct_unit *u, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, const uint64_t *value);
/* A load of a type that has no nodes (vectors): precision is lost if the bytes have nodes. */
void duct_rt_lost_load(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, const char *reason);
/* memcpy/memmove/memset intrinsics: called before the operation itself; nodes of the
 * pointers and the length are for EV_LOST or concretisation (na, nb, nn may be 0). */
void duct_rt_copy(struct duct_unit *u, uint32_t place, void *d, const void *s, size_t n,
    duct_node nd, duct_node ns, duct_node nn);
void duct_rt_set(struct duct_unit *u, uint32_t place, void *d, size_t n, duct_node byte,
    duct_node nd, duct_node nn);
/* As duct_rt_set, with the concrete value of the byte, so that lengths and addresses may be
 * symbolic. */
void duct_rt_fill(struct duct_unit *u, uint32_t place, void *d, size_t n, uint32_t value,
    duct_node byte, duct_node nd, duct_node nn);

/* ---- stack objects: allocas that are indexed or whose address escapes. enter returns the
 * mark that leave takes; an alloca starts with no shadow. */
size_t duct_rt_frame(void);
void duct_rt_alloca(void *p, size_t bytes);
/* Before an alloca of `count` elements of `each` bytes, count symbolic (node n): how many to
 * allocate instead. The next duct_rt_alloca belongs to it. */
size_t duct_rt_alloca_room(
    struct duct_unit *u, uint32_t place, size_t count, duct_node n, size_t each);
void duct_rt_leave(size_t mark);

/* Globals: the unit's constructor registers those that are arrays or structs. */
void duct_rt_global(const void *p, size_t bytes, uint32_t constant);

/* ---- control. Coverage is written inline by woven code for two-way branches; these are
 * called only with a non-zero node, except duct_rt_switch, which always computes the
 * outcome and writes coverage itself when node != 0; concrete switches are lowered inline
 * or through duct_rt_switch_outcome. */
void duct_rt_branch(struct duct_unit *u, uint32_t id, uint32_t cond, duct_node n);
/* A branch that only chooses values: no part of the path where runs merge (setup: merge=1). */
void duct_rt_branch_merged(struct duct_unit *u, uint32_t id, uint32_t cond, duct_node n);
/* A condition that the compiler inserted, as for fpclassify: part of the path, no objective. */
void duct_rt_condition(struct duct_unit *u, uint32_t cond, duct_node n);
void duct_rt_switch(struct duct_unit *u, uint32_t id, uint64_t value, uint32_t width, duct_node n);
uint32_t duct_rt_switch_outcome(struct duct_unit *u, uint32_t id, uint64_t value);
/* Block marker: woven code writes coverage, stores the block id in duct_block (with the
 * unit in duct_block_unit) and counts steps down in a copy of duct_steps, which it loads at
 * function entry and after calls, and stores before calls and at the end. Below zero it calls
 * duct_rt_steps, once in each iteration of a loop and at function entry. */
extern struct duct_unit *duct_block_unit;
extern uint32_t duct_block, duct_model_block; /* the second: in library models, for which the
                                                 caller's location is reported */
/* In blocks with several instructions that could fault: the next of them. */
extern uint32_t duct_inst;
extern int64_t duct_steps;
void duct_rt_steps(void);

/* Entry and end of a function, by its id: events if run-trace asked for them (CHANNEL_CALLS).
 * Woven code calls these only if duct_calls is not 0. */
extern uint32_t duct_calls;
void duct_rt_call(struct duct_unit *u, uint32_t function);
void duct_rt_return(struct duct_unit *u, uint32_t function);

/* ---- flows of inputs (lib/runtime/flow.c, instrument --flows). A *label* is a set of inputs, 0
 * for none; woven code keeps one for each value, the runtime those of memory. A caller sets
 * duct_flow_args (by argument; of a struct passed by value in memory: duct_flow_from, where it is
 * copied from), their number, the name of the new activation (duct_flow_context) and the callee
 * (duct_flow_for). The callee clears the latter: if it is still set after the call, the callee is
 * not woven. duct_flow_ret has the result's label. */
struct duct_flow_place {
	const char *file;
	uint32_t line, col;
};
extern void *duct_flow_for;
extern uint32_t duct_flow_args[DUCT_MAX_ARGS], duct_flow_count, duct_flow_ret;
extern uint64_t duct_flow_from[DUCT_MAX_ARGS], duct_flow_context;
extern uint32_t duct_flow_control; /* label of the open scope; 0: none is open */
uint32_t duct_rt_flow_join(uint32_t a, uint32_t b);
/* A decision: the inputs that flow into it become one class. Returns the label of that class. */
uint32_t duct_rt_flow_decide(uint32_t l, const struct duct_flow_place *place);
/* A condition of the program: its scope extends until duct_rt_flow_close(end). `name` identifies
 * the scope: the branch, the calls and the loop iterations around it. */
void duct_rt_flow_branch(
    uint32_t l, uint64_t name, uint64_t end, const struct duct_flow_place *place);
uint32_t duct_rt_flow_close(uint64_t end);
uint32_t duct_rt_flow_load(const void *p, size_t n);
void duct_rt_flow_store(void *p, size_t n, uint32_t l);
/* At an address with a label, which flows into the value that is read or written. */
uint32_t duct_rt_flow_load_at(const void *p, uint32_t address, const struct duct_flow_place *place);
void duct_rt_flow_store_at(
    void *p, uint32_t l, uint32_t address, const struct duct_flow_place *place);
void duct_rt_flow_copy(void *d, const void *s, size_t n);
/* After a call of code that is not woven: its result's label. duct_flow_from has the arguments that
 * are pointers, bits of `pointers`. */
uint32_t duct_rt_flow_external(
    const char *name, uint32_t n, uint64_t pointers, const struct duct_flow_place *place);
uint32_t duct_rt_flow_callback(void);
void duct_rt_flow_va_start(void *va_list_tag, uint32_t l, uint32_t count);
void duct_rt_flow_lost(const char *what); /* from here on any input may flow anywhere */
void duct_rt_flow_quiet(uint32_t more);   /* 1 before, -1 after a call that only prints */

/* ---- abstract calls (lib/runtime/abstract.c, instrument --abstract). A function that may be
 * abstract calls this at entry: `symbolic` is not 0 when an argument is symbolic; `pointer` has the
 * arguments that are pointers, `node` their nodes, `which` a bit for each argument that is one. Not
 * 0: the call is abstract, and slot has the result. */
uint32_t duct_rt_abstract(struct duct_unit *u, uint32_t function, uint32_t symbolic, void *slot,
    uint64_t size, uint32_t pointers, void *const *pointer, const duct_node *node, uint64_t which);
/* The integer that an executed call returns, and its node; before duct_rt_return. */
void duct_rt_answer(uint64_t value, duct_node n);
/* The address to load from instead of p, whose node n is not 0. */
void *duct_rt_reach(struct duct_unit *u, void *p, duct_node n, uint64_t bytes);
/* Not 0: conditions and ends of functions that may be abstract are reported, symbolic or not. */
extern uint32_t duct_tells;

/* A call or goto through a symbolic pointer: conditions of the path determine its target; if they
 * cannot, EV_LOST with the reason. */
void duct_rt_go(struct duct_unit *u, uint32_t place, duct_node n, const char *reason);
/* A call that leaves woven code with a symbolic argument or a pointer argument: `name` of the
 * callee (static string, "(pointer)" if indirect); nodes in duct_args as for a call,
 * values in `value` (low 64 bits), pointers: bit i of `pointers` says argument i is one.
 * Called before the call, only when any node is non-zero or symbolic memory exists at all
 * (duct_live != 0); where the callee is known only after the call, called then. Writes EV_LOST when
 * a symbolic value is passed; clears the shadow of objects reachable directly from pointer
 * arguments unless lib/clib says that the function only reads them. Output functions (printf, ...)
 * are no loss, unless bit 63 of `pointers` says that the call's result is used. */
extern uint32_t duct_live; /* non-zero once any input is symbolic in this run */
void duct_rt_external(struct duct_unit *u, uint32_t place, const char *name, uint32_t n,
    const uint64_t *value, uint64_t pointers);
/* Before a call of a library function without a model, while duct_live: memory that a caller
 * passes and the function may access becomes inputs. Does nothing if the program defines the
 * callee. */
void duct_rt_given(
    const void *callee, const char *name, uint32_t n, const uint64_t *value, uint64_t pointers);
/* After a call while duct_live, if its token is still set or duct_pending: duct_rt_external, if the
 * callee was not woven. */
void duct_rt_called(struct duct_unit *u, const void *callee, const char *name, uint32_t n,
    const uint64_t *value, const duct_node *node, uint64_t pointers);
/* Before a call of a library function that queries the environment and has no model: its answer is
 * concrete, which is a limit of that name. Does nothing if the program defines the callee. */
void duct_rt_outside(const void *callee, const char *name);
/* Precision lost in woven code itself (vectors, inline assembly, too wide). */
void duct_rt_lost(struct duct_unit *u, uint32_t place, const char *reason);
/* For library models: the run touched a limit of duct's own, which is `value` now (trace(5),
 * limit). */
void duct_rt_limit(const char *kind, const char *name, uint64_t value);

/* ---- uninitialised values (lib/front/unset, taint.c). `name`: the variable, "" for the result of
 * a function that ends without a return statement, NULL if nothing uses that; `place`: where it is
 * declared. duct_rt_unset: the value of a variable that is not in memory, of `bits` bits;
 * duct_rt_unset_memory: bytes that become inputs when they are read before they are written. */
uint64_t duct_rt_unset(const char *name, const char *place, uint32_t bits);
void duct_rt_unset_memory(void *p, size_t n, const char *name, const char *place);

/* ---- checks for faults. Before an instruction that may fail: `safe` says that it does not, n is
 * its node. Woven code calls this when n is not 0 or `safe` is 0. */
void duct_rt_safe(struct duct_unit *u, uint32_t inst, uint32_t kind, uint32_t safe, duct_node n);

/* --check bounds: before an access to [p, p + bytes), np and nb their nodes; `base` is the pointer
 * that it is computed from. Ends the run when the access leaves its object. `how`: bits of enum
 * duct_access. */
enum duct_access {
	ACCESS_DIRECT = 1, /* base is the address of a variable */
	ACCESS_ALONE = 2,  /* the optimised code has no access there: nothing uses its value */
	ACCESS_WRITES = 4,
};
#define ACCESS_BITS 3 /* that `how` has */
void duct_rt_access(struct duct_unit *u, uint32_t inst, const void *base, const void *p,
    size_t bytes, uint32_t how, duct_node np, duct_node nb);
/* The extent of an object: an access of 1 << k bytes at base + d is within it when d < below[k].
 * All of below is 0 when the object's lifetime has ended, or when accesses need the full check. A
 * span is never freed, only reused for another object, so that woven code may keep its address: an
 * access is valid if the span contains it and its base pointer. */
#define DUCT_SPAN_SIZES 5
struct duct_span {
	uint64_t base;
	uint64_t below[DUCT_SPAN_SIZES];
};
extern struct duct_span duct_no_span; /* empty */
#define DUCT_LATELY 4096              /* spans that are found by address, a power of 2 */
/* The span of the object that base points into, or duct_no_span. *site: the last span at this place
 * of the program, as its distance from duct_no_span; 0 at first. site may be NULL. */
const struct duct_span *duct_rt_span(const void *base, int64_t *site);
/* duct_rt_access with `what`: inst << 32 | bytes << ACCESS_BITS | how, for an access that the
 * site's span does not contain; returns the span of base. */
const struct duct_span *duct_rt_touch(struct duct_unit *u, uint64_t what, const void *base,
    const void *p, duct_node np, int64_t *site);
/* Before p and q, of these nodes, are compared by <, <=, > or >=, or subtracted (distance), at
 * `place` (FILE:LINE). Not needed for concrete ones of which none is more than duct_near_room bytes
 * behind duct_near_from: then one object holds them. */
extern uint64_t duct_near_from, duct_near_room;
void duct_rt_order(
    const void *p, duct_node np, const void *q, duct_node nq, const char *place, uint32_t distance);
/* How many bytes from p on a function of the C library is about to read or write, from the texts at
 * p and q, and n; at most one more than the object of p has. 0: not known. (A library model that
 * leaves the object ends the run itself.) */
enum duct_touch {
	TOUCH_BYTES,  /* n; needs no call */
	TOUCH_TEXT,   /* to the end of the text at p */
	TOUCH_TEXT_N, /* at most n */
	TOUCH_UNTIL,  /* to the character n, or the end of the text */
	TOUCH_FIND,   /* to the character n, without regard to the end */
	TOUCH_FIND_N, /* to the character q, at most n */
	TOUCH_SAME,   /* while it is the same as the text at q */
	TOUCH_SAME_N, /* at most n */
	TOUCH_ALIKE,  /* the same, but upper and lower case are the same */
	TOUCH_ALIKE_N,
	TOUCH_SPAN,     /* to the first character that is not in the text at q */
	TOUCH_SPAN_NOT, /* to the first that is */
	TOUCH_SEARCH,   /* as far as a search for the text at q goes */
	TOUCH_SEARCH_ALIKE,
	TOUCH_COPY,          /* as many as the text at q has, with its end */
	TOUCH_APPEND,        /* the text at p, followed by that at q */
	TOUCH_APPEND_N,      /* of which at most n */
	TOUCH_MODELLED = 256 /* added to one of these: there is a library model of it */
};
size_t duct_rt_touches(uint32_t how, const void *p, const void *q, size_t n);
/* For library models, whose own accesses are not checked: they read or wrote n bytes from p on. */
void duct_rt_written(const void *p, size_t n);
/* The same for those that hand n bytes from p on to the C library, which only reads them. Objects
 * of callers grow by that. */
void duct_rt_reads(const void *p, size_t n);
/* For library models that hand a text over to the C library without asking for its characters: does
 * it end within its object? Where only the first `most` bytes are read, that many suffice; -1: no
 * such limit. n is the node of `most`, or 0. */
void duct_rt_reads_text(const char *s, int64_t most, duct_node n);
/* The same for the texts that printf is given. */
void duct_rt_prints_texts(const char *format, const void *ap);
/* Before longjmp(): if no setjmp() has set the environment, the run ends with a need. */
void duct_rt_jumps(const void *environment);
/* Variable arguments (variadic.c). passed: the number of general registers (fixed arguments
 * included), of vector registers << 8, and of words on the stack << 16. duct_rt_va_pass: before a
 * call; duct_rt_va_passed: at function entry; duct_rt_va_begin: after va_start; duct_rt_va_access:
 * where va_arg reads. */
void duct_rt_va_pass(const void *callee, uint32_t passed);
uint32_t duct_rt_va_passed(const void *self);
void duct_rt_va_begin(const void *list, uint32_t passed);
void duct_rt_va_access(uint32_t inst, const void *list, const void *p, size_t bytes);
/* The harness is about to call the function without variable arguments. If the function reads
 * some, the run ends with a need of this name. */
void duct_rt_va_outside(const void *callee, const char *name);
/* --check uninit. duct_rt_uninit: the lifetime of an object begins. duct_rt_decides: the node n is
 * used in a decision or as an address. */
void duct_rt_uninit(void *p, size_t bytes);
void duct_rt_decides(struct duct_unit *u, uint32_t inst, duct_node n);
/* --check leak: unit and instruction of the next call of an allocator. */
extern struct duct_unit *duct_alloc_unit;
extern uint32_t duct_alloc_inst;

/* Programs that follow pairs also log the blocks that they enter, by the address of their coverage
 * byte, in a ring; each event reports the blocks since the previous event. */
#define DUCT_WAY 4096u
extern uint32_t duct_way[DUCT_WAY], duct_way_count;
extern uint32_t duct_way_read; /* code of `duct cc`, which few sessions run, calls this if set: */
void duct_rt_way(const void *byte);

/* ---- last definitions (instrument --pairs).  A *writer* is the last definition of a byte: a
 * number in the whole program; of each unit first its def records, then its instructions (library
 * calls, stores to return slots). A *label* accompanies the value of a use: writer (32 bits; 0
 * none), the call that passed a parameter's value (30 bits: its writer; 0 not known), and when the
 * definition was made: in this activation, before it, or in a callee. Label 0: no definition. A
 * label whose time is 0 stands for several, see lastdef.c.
 *
 * One descriptor a unit, in section "duct_pairs". `cache` has the last label that was reported
 * for each slot, which woven code looks at. */
#define DUCT_WRITER_NONE 0u
#define DUCT_WRITER_DEAD 0x3fffffffu /* not known, or never written: no definition */
#define DUCT_WRITER_ALIEN \
	0x20000000u        /* base of units that were not started: those of shared libraries */
#define DUCT_LABEL_SITE 32 /* bits */
#define DUCT_LABEL_WHEN 62
struct duct_slot {
	uint32_t use;     /* record, or instruction */
	uint32_t outcome; /* of the unit, or DUCT_PAIR_C */
	uint8_t kind;     /* enum duct_pair_kind */
	uint8_t local;    /* labels count writers from the unit's first, 1 */
	uint16_t unused;
	uint32_t of; /* the slot that it stands for at one place of the code, or itself */
};
struct duct_pairs {
	struct duct_unit *unit;
	const struct duct_slot *slot;
	uint64_t *cache;
	uint32_t slots, defs, insts;
	uint32_t base;       /* writers of units before it; set at start */
	uint32_t inst_base;  /* base + defs */
	uint32_t first_slot; /* slots of units before it */
};
/* Serial numbers of activations; of the next call: its writer, the callee and the activation; of
 * the last return: the definition of its value, and its function. */
extern uint32_t duct_serial, duct_site, duct_site_serial, duct_result_writer;
extern void *duct_site_for, *duct_result_of;
void duct_rt_pair(struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Uses that are reported together, each with a label that `label`, the group's, decides, and an
 * outcome: `chosen` modulo their number. The group's own slots hold only its last labels, by
 * `chosen`: by outcome, and by some bits of the label. */
enum duct_member_how {
	DUCT_MEMBER_CHOSEN = 1, /* slot is that of the first outcome */
	DUCT_MEMBER_FIXED =
	    2, /* label is the use's; else, what distinguishes it from the group's */
};
struct duct_group {
	uint32_t slot, members, outcomes, unused;
	struct duct_member {
		uint32_t slot, how;
		uint64_t label;
	} member[];
};
void duct_rt_pairs(
    struct duct_pairs *p, const struct duct_group *g, uint64_t label, uint32_t chosen);
/* Bytes, or bits from `bit` on, that a writer wrote in activation `serial` (def), or whose label is
 * asked for (use). np, nn: the nodes of their address and number. */
void duct_rt_last_def(void *p, size_t n, uint32_t writer, uint32_t serial);
void duct_rt_last_def_at(
    void *p, size_t n, uint32_t writer, uint32_t serial, duct_node np, duct_node nn);
void duct_rt_last_formal(void *p, size_t n, uint32_t writer, uint32_t serial, uint32_t site);
void duct_rt_last_bits(void *p, uint32_t bit, uint32_t bits, uint32_t writer, uint32_t serial);
void duct_rt_last_bits_at(
    void *p, uint32_t bit, uint32_t bits, uint32_t writer, uint32_t serial, duct_node np);
uint64_t duct_rt_last_use(const void *p, size_t n, uint32_t serial);
uint64_t duct_rt_last_use_at(const void *p, size_t n, uint32_t serial, duct_node np);
uint64_t duct_rt_last_use_bits(const void *p, uint32_t bit, uint32_t bits, uint32_t serial);
uint64_t duct_rt_last_use_bits_at(
    const void *p, uint32_t bit, uint32_t bits, uint32_t serial, duct_node np);
/* A use of these bytes whose label only one slot looks at: duct_rt_pair of what duct_rt_last_use_at
 * returns. */
uint64_t duct_rt_pair_read(const void *p, size_t n, uint32_t serial, duct_node np,
    struct duct_pairs *pairs, uint64_t slot);
/* A use of all these bytes: reports its pairs at once. */
void duct_rt_last_range(struct duct_pairs *p, uint32_t slot, const void *from, size_t n,
    uint32_t serial, duct_node np, duct_node nn);
/* After instruction `inst` called a function without probes: its arguments and result as words; bit
 * i of `pointers` says that argument i is one. */
void duct_rt_last_library(struct duct_pairs *p, const char *name, uint32_t inst, uint32_t serial,
    uint64_t result, uint32_t n, const uint64_t *arg, uint64_t pointers);
extern uint64_t duct_pair_args[DUCT_MAX_ARGS];
extern uint32_t duct_pair_nodes[DUCT_MAX_ARGS]; /* of the arguments of the call */
/* A longjmp is about to be made; a setjmp returned. */
void duct_rt_last_jump(void);
void duct_rt_last_landed(void);
/* A function was called by code that is not woven, and p is a parameter. */
void duct_rt_last_back(const void *p);
/* Assembly is about to write the target of p; NULL: any memory. */
void duct_rt_last_asm(struct duct_pairs *p, uint32_t inst, const void *to);

/* ---- start. Woven `main` (or the harness) calls this first: it serves runs when
 * DUCT_CHANNEL is set, and returns in each child. argc, argv may be replaced. */
void duct_rt_main(int *argc, char ***argv, char ***envp);
/* Which parameters main uses, set before the program starts: the others do not become inputs. */
#define DUCT_LOOKS_ARGC 1u
#define DUCT_LOOKS_ARGV 2u
extern uint32_t duct_main_looks;
extern duct_node duct_argc_node; /* the expression of argc, which the call of main passes */
/* The harness calls this with the entry's result; main's own return does too. */
void duct_rt_result(int64_t value);
/* Before the entry is called: if it changes [p, p+size), which is no input, the final value is
 * reported like that of inputs. */
void duct_rt_watch(const void *p, size_t size, const char *name, const char *shape);
/* The harness has returned: reports inputs in memory and watched objects whose values changed. */
void duct_rt_returned(void);
/* Library models may define it: called in each child before the program goes on, to replace
 * arguments and environment. It is a weak symbol: the link must name it (-u), so that it is taken
 * from an archive. */
void duct_model_start(int *argc, char ***argv, char ***envp);

/* Each woven shared library calls this with its own descriptors as it is loaded (share/library.c).
 */
void duct_rt_library(struct duct_unit *from, struct duct_unit *to, struct duct_pairs *pairs,
    struct duct_pairs *end, char **envp);

/* ---- inputs. Marks [p, p+size) as inputs called `name`, laid out by `shape`, and writes
 * their values there. Grammar of shapes (no blanks):
 *   leaf   i1 i2 i4 i8 i16 u1.. (integers by bytes) c1 (char) b1 (bool) f4 f8 f16 (floats)
 *          p8 (pointer: left alone) p8@K (pointer to type K of duct_rt_types)
 *          p8@K| (the same, or a number that shares a union with it)
 *          p8@K/ (another type for the pointer before, at its place; NULL leaves that)
 *   array  COUNT*STRIDE:SHAPE          elements are called name[0], name[1], ...
 *          *STRIDE:SHAPE               outermost only: as many elements as `size` holds; also the
 *                                      last field of an outermost record, its flexible array member
 *   record {OFFSET.FIELD=SHAPE;...}    members are called name.FIELD; a union or bit-field
 *          group is an array of u1 at its bytes; a FIELD with ~ is padding
 * NULL shape: one unsigned leaf of 1, 2, 4 or 8 bytes, else bytes. A name met before in this run
 * gets
 * "#2", "#3", ... appended. */
void duct_rt_input(void *p, size_t size, const char *name, const char *shape);
/* Value of an input `P?` when the place holds a number instead of a pointer; the number is the
 * input `P=`. */
#define DUCT_CHOICE_NUMBER 65535u
/* Its value when the pointer leads to the first variable in the list of its type; one less for each
 * further variable. */
#define DUCT_CHOICE_VARIABLE 65534u
#define DUCT_CHOICE_VARIABLES 16u
/* The types that pointers among the inputs point to: `p8@K` in a shape is a pointer to types[K - 1]
 * of this list, which has to stay in memory (lib/runtime/grow_pointer.c). size 0: an incomplete
 * type, whose objects have no bytes. `function`: of a function type, the functions that such a
 * pointer may lead to, the first of which is a stub; of other types, variables of the program (0:
 * others, which are not tried). */
struct duct_type {
	const char *shape;
	uint64_t size;
	const void *const *function;
	uint64_t functions;
};
void duct_rt_types(const struct duct_type *types, uint32_t n);

/* A bit for each class of scalars, by letter and size in bytes: objects without a common class do
 * not overlap. Characters may be anything's bytes. */
static inline uint32_t duct_scalar_class(char kind, uint64_t bytes)
{
	uint32_t size = bytes <= 1 ? 0 : bytes <= 2 ? 1 : bytes <= 4 ? 2 : bytes <= 8 ? 3 : 4;

	switch (kind) {
	case 'i':
	case 'u':
	case 'c': return bytes <= 1 ? UINT32_MAX : 1u << size;
	case 'f': return 1u << (8 + size);
	case 'p': return 1u << 16;
	case 'b': return 1u << 17;
	default: return 0;
	}
}

/* The array at p, whose length the program does not declare, is an input: elements of type
 * types[k - 1], as many as the run accesses, within `room` bytes. */
void duct_rt_array(void *p, size_t room, const char *name, uint32_t k);
/* Memory at an address that the source states, `size` bytes, which stand in the section
 * duct_devices, too (struct duct_device): the run has an object there. */
struct duct_device {
	uint64_t address, size;
	uint64_t missing; /* 0; 1, by the runtime: the machine gave no memory for all of it */
	char name[24];    /* the address, with a NUL behind */
};
void duct_rt_device(void *p, size_t size);
/* A statement of the user about the pointer or scalar NAME, in which [*] is any index. Kinds:
 *   exact, most    the number of elements that it leads to, or at most so many
 *   string         the largest number of characters
 *   distinct       no other pointer with the same value here leads to its object; 0: none at all
 *   alias          other pointers may lead to its object
 *   low, high      bounds of a number
 *   restrict       as distinct with 0, by the parameter's declaration */
void duct_rt_rule(const char *name, const char *kind, uint64_t value);
/* A stub may have written the object of `p`, from p on: these bytes become inputs, in elements of
 * `each` bytes. */
void duct_rt_stubbed(void *p, const char *name, const char *shape, size_t each);
/* How often the entry is called in one run. */
uint32_t duct_rt_calls(void);
/* Before each call of the entry: which of n other functions is called next, from 1 on, chosen by an
 * input; 0: none, the entry is next. Always 0 unless the setup area has an entry `grow:between`. */
uint32_t duct_rt_between(uint32_t n);
/* Is the global an input of this run, by the entry `grow:state` of the setup area? Then the next
 * duct_rt_input makes it one; without a given value it keeps the global's. asks: an input of the
 * run decides. */
int duct_rt_state(const char *name, int asks);
/* In the stub of the callback NAME: calls one of these n functions, chosen by the input
 * `NAME().back`, if the setup area has an entry `grow:between`. */
void duct_rt_back(void (*const *back)(void), uint32_t n, const char *name);
/* A choice of the harness, 0 .. limit-1, symbolic; default value 0. */
uint32_t duct_rt_choice(const char *name, uint32_t limit);

/* ---- the checking build (instrument --check-shadows): called for all operands of an
 * instruction that has a symbolic one, with the low 64 bits of wider ones; does nothing for node 0;
 * ends the run with FAULT_CHECK when the node's value is not `value`. */
void duct_rt_check(
    struct duct_unit *u, uint32_t place, duct_node n, uint64_t value, uint32_t width);

#endif
