/* abi: what woven code (lib/front/weave) and the runtime (lib/runtime) agree on.
 *
 * A *node* is the id of a symbolic expression, 0 for a concrete value. Every integer,
 * pointer, float, double or long double SSA value of a woven function has a shadow node;
 * a number's is of its bits (32, 64 or 80). Woven code calls a builder only
 * when at least one operand's node is not 0 (one inlined test). The builder gets nodes and
 * concrete values of all operands, computes the node's own concrete value from them, and
 * may return 0 (nothing symbolic left) or an existing node (hash-consing, conditions known
 * from the path). Widths are in bits. Values up to 64 bits travel zero-extended in
 * uint64_t; wider ones (to 128) use the *_wide forms with pointers to two words, low first.
 * Values wider than 128 bits, vectors and other formats of numbers have no shadow: weave
 * calls duct_rt_lost when one would be made from a symbolic operand.
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
};

/* Section of a program: where its code writes coverage. Entries, not aligned, of one or more
 * distances (int32_t, never 0) from where they stand to an instruction, then a struct duct_mark. */
#define DUCT_MARKS "duct_marks"
struct duct_mark {
	uint32_t zero;  /* ends the distances */
	uint32_t index; /* in the unit's coverage */
	uint64_t key;   /* of the unit */
} __attribute__((packed));

#define DUCT_UNIT_FLOWS 2u /* flag: it tells flows of inputs */
#define DUCT_UNIT_CHECKS 8 /* from this bit on: faults to look for, 1 << enum check_kind */

/* A two-way branch: outcomes first (true: outcome 1 of the record) and first+1 (false).
 * So cover[first] is the true side, cover[first+1] the false side. A switch: first+i for
 * case i, first+cases for default. */
struct duct_branch {
	uint32_t first;
	uint32_t cases;        /* 0: two-way */
	const uint64_t *value; /* case values, zero-extended, in record order */
	uint8_t kind;          /* enum duct_branch_kind */
	uint8_t required;      /* ASSUME kinds: outcome that the assumption implies, + 1; 0 none */
};

enum duct_branch_kind { DUCT_BRANCH, DUCT_SWITCH, DUCT_SELECT, DUCT_ASSUME_BRANCH };

/* ---- shadow memory. One flag byte for 8 bytes of memory, read inline:
 *   flag = *(uint8_t *)((addr >> 3) + DUCT_FLAGS)
 * non-zero when any of the 8 bytes may carry a node. An access that may cross an 8-byte
 * line tests both. Bytes' nodes are the runtime's own. */
#define DUCT_FLAGS 0x100000010000ull /* 16 TiB reserved, MAP_NORESERVE; skewed by 64 KiB */

/* ---- calls. A caller with any symbolic argument stores the arguments' nodes in
 * duct_args (position = IR argument index, an aggregate takes one slot a scalar), and the
 * callee's address in duct_args_for; otherwise it leaves both alone. A woven function
 * first tests duct_args_for == its own address (one word): then reads its nodes and
 * stores 0 there; else all its parameters are concrete. Slots not symbolic hold 0.
 * On return a woven function with a symbolic result stores the node(s) in duct_ret and its
 * own address in duct_ret_from (with a concrete one it clears what calls within left there); the
 * caller clears duct_ret_from before the call and after it reads duct_ret only when duct_ret_from
 * is the callee. Runtime functions that return symbolic values (__VERIFIER_nondet_*) do the same by
 * hand. Runtime functions that a program may call (duct_*, __VERIFIER_*) need not take the token
 * back: their woven callers do.
 * A caller that cannot see its callee's definition sets token and nodes (0 or not) whenever
 * duct_live != 0: a token that is still there afterwards tells that the callee is not woven.
 * A woven function that starts under another's token was called back by code that is not
 * woven: duct_rt_callback keeps that token in a table (duct_pending entries) and clears
 * it; duct_rt_unwoven, asked after a call when the token is still the callee's or
 * duct_pending != 0, clears the token and tells whether the callee was not woven; then
 * woven code calls duct_rt_external. These are in lib/runtime/token.c.
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
/* Set before a call through a pointer, or of a library function that has a model: does the caller
 * use what it returns? */
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
/* An operation on floating-point numbers but a comparison (that is binary): operands are `from`
 * bits wide, vb is NULL where there is one; values are two words each. The program computed
 * `result`, of which `bits` count: when it is another (rounding mode, a conversion out of
 * range), the node is 0 and precision lost; else it is that of the low `bits`. */
duct_node duct_rt_float(struct duct_unit *u, uint32_t op, uint32_t width, uint32_t from,
    duct_node a, const uint64_t *va, duct_node b, const uint64_t *vb, const uint64_t *result,
    uint32_t bits);
/* A pointer plus a byte offset (getelementptr with a symbolic part): as ADD of 64 bits, and
 * remembers base's object as the provenance of the result. */
duct_node duct_rt_pointer(duct_node base, uint64_t vbase, duct_node offset, uint64_t voffset);
/* LLVM's bit intrinsics on a symbolic operand: which = "ctpop" "cttz" "ctlz" "bswap"
 * "bitreverse" as enum below. */
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
/* By a: load or load_at, store or store_at, at the current block (woven.c). */
duct_node duct_rt_load_any(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, uint32_t width);
void duct_rt_store_any(struct duct_unit *u, void *p, duct_node a, uint32_t bytes, uint32_t width,
    duct_node v, uint64_t value);
void duct_rt_store_any_wide(struct duct_unit *u, void *p, duct_node a, uint32_t bytes,
    uint32_t width, duct_node v, const uint64_t *value);
/* A load of what has no nodes (vectors): lost when its bytes have some. */
void duct_rt_lost_load(
    struct duct_unit *u, const void *p, duct_node a, uint32_t bytes, const char *reason);
/* memcpy/memmove/memset intrinsics: called before the operation itself; nodes of the
 * pointers and the length are for EV_LOST or concretisation (na, nb, nn may be 0). */
void duct_rt_copy(struct duct_unit *u, uint32_t place, void *d, const void *s, size_t n,
    duct_node nd, duct_node ns, duct_node nn);
void duct_rt_set(struct duct_unit *u, uint32_t place, void *d, size_t n, duct_node byte,
    duct_node nd, duct_node nn);
/* memset with the byte's value, too: lengths and addresses may be symbolic. */
void duct_rt_fill(struct duct_unit *u, uint32_t place, void *d, size_t n, uint32_t value,
    duct_node byte, duct_node nd, duct_node nn);

/* ---- stack objects: allocas that are indexed or whose address escapes. enter returns the
 * mark that leave takes; an alloca starts with no shadow. */
size_t duct_rt_frame(void);
void duct_rt_alloca(void *p, size_t bytes);
/* Before an alloca of `count` elements of `each` bytes, count symbolic (node n): how many to
 * allocate instead. The next duct_rt_alloca is its. */
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
/* A condition that the compiler made up, as in fpclassify: part of the path, no objective. */
void duct_rt_condition(struct duct_unit *u, uint32_t cond, duct_node n);
void duct_rt_switch(struct duct_unit *u, uint32_t id, uint64_t value, uint32_t width, duct_node n);
uint32_t duct_rt_switch_outcome(struct duct_unit *u, uint32_t id, uint64_t value);
/* Block marker: woven code writes coverage, stores the block id in duct_block (with the
 * unit in duct_block_unit) and counts down what was in duct_steps when the function began or a call
 * returned, and is there again before the next call and at the end; below zero it calls
 * duct_rt_steps, once in a round of a loop and where a function begins. */
extern struct duct_unit *duct_block_unit;
extern uint32_t duct_block,
    duct_model_block; /* the second: in models, whose place is that of their caller */
/* In blocks with several instructions that could meet a bad address: the one that comes. */
extern uint32_t duct_inst;
extern int64_t duct_steps;
void duct_rt_steps(void);

/* Entry and end of a function, by its id: events when run-trace asked for them
 * (CHANNEL_CALLS); woven code tests duct_calls inline. */
extern uint32_t duct_calls;
void duct_rt_call(struct duct_unit *u, uint32_t function);
void duct_rt_return(struct duct_unit *u, uint32_t function);

/* ---- flows of inputs (lib/runtime/flow.c, instrument --flows). A *label* is a set of inputs, 0
 * for none; woven code keeps one for each value, the runtime those of memory. A caller sets
 * duct_flow_args (by argument; of a struct passed by value in memory: duct_flow_from, where it is
 * copied from), their number, the name of the activation that it makes (duct_flow_context) and the
 * callee (duct_flow_for), which clears the latter: where it is still there afterwards, the callee
 * is not woven. duct_flow_ret has the result's label. */
struct duct_flow_place {
	const char *file;
	uint32_t line, col;
};
extern void *duct_flow_for;
extern uint32_t duct_flow_args[DUCT_MAX_ARGS], duct_flow_count, duct_flow_ret;
extern uint64_t duct_flow_from[DUCT_MAX_ARGS], duct_flow_context;
extern uint32_t duct_flow_control; /* label of the open scope; 0: none is open */
uint32_t duct_rt_flow_join(uint32_t a, uint32_t b);
/* All that flows into a decision meets; the label of its class. */
uint32_t duct_rt_flow_decide(uint32_t l, const struct duct_flow_place *place);
/* A condition of the program: what follows is in its scope until duct_rt_flow_close(end). `name` is
 * that of the scope: of the branch, the calls and the rounds of loops that it is in. */
void duct_rt_flow_branch(
    uint32_t l, uint64_t name, uint64_t end, const struct duct_flow_place *place);
uint32_t duct_rt_flow_close(uint64_t end);
uint32_t duct_rt_flow_load(const void *p, size_t n);
void duct_rt_flow_store(void *p, size_t n, uint32_t l);
/* At an address with a label, which flows into what is read or written. */
uint32_t duct_rt_flow_load_at(const void *p, uint32_t address, const struct duct_flow_place *place);
void duct_rt_flow_store_at(
    void *p, uint32_t l, uint32_t address, const struct duct_flow_place *place);
void duct_rt_flow_copy(void *d, const void *s, size_t n);
/* After a call of what is not woven: its result's label. duct_flow_from has the arguments that are
 * pointers, bits of `pointers`. */
uint32_t duct_rt_flow_external(
    const char *name, uint32_t n, uint64_t pointers, const struct duct_flow_place *place);
uint32_t duct_rt_flow_callback(void);
void duct_rt_flow_va_start(void *va_list_tag, uint32_t l, uint32_t count);
void duct_rt_flow_lost(const char *what); /* all inputs may meet */
void duct_rt_flow_quiet(uint32_t more);   /* 1 before, -1 after what only prints */

/* ---- abstract calls (lib/runtime/abstract.c, instrument --abstract). A function that may be
 * abstract asks when it is entered: `symbolic` is not 0 when an argument is symbolic; `pointer` has
 * the arguments that are pointers, `node` their nodes. When it answers, slot has the result. */
uint32_t duct_rt_abstract(struct duct_unit *u, uint32_t function, uint32_t symbolic, void *slot,
    uint64_t size, uint32_t pointers, void *const *pointer, const duct_node *node);
/* The integer that the call returns where it was executed, and its node; before duct_rt_return. */
void duct_rt_answer(uint64_t value, duct_node n);
/* Where to load from instead of p, whose node n is not 0. */
void *duct_rt_reach(struct duct_unit *u, void *p, duct_node n, uint64_t bytes);
/* Conditions and the ends of such functions are told, symbolic or not. */
extern uint32_t duct_tells;

/* A call or goto through a symbolic pointer: conditions tell which of the things that it may
 * point to was taken; where they do not, EV_LOST with the reason. */
void duct_rt_go(struct duct_unit *u, uint32_t place, duct_node n, const char *reason);
/* A call that leaves woven code with a symbolic argument or a pointer argument: `name` of the
 * callee (static string, "(pointer)" if indirect); nodes in duct_args as for a call,
 * values in `value` (low 64 bits), pointers: bit i of `pointers` says argument i is one.
 * Called before the call, only when any node is non-zero or symbolic memory exists at all
 * (duct_live != 0); woven code learns only after a call that it left, and calls this then. Writes
 * EV_LOST when something symbolic goes in; clears the shadow of objects reachable directly from
 * pointer arguments unless the table of known functions says that they only read. Output functions
 * (printf, ...) are no loss, unless bit 63 of `pointers` says that the call's result is used. */
extern uint32_t duct_live; /* non-zero once any input is symbolic in this run */
void duct_rt_external(struct duct_unit *u, uint32_t place, const char *name, uint32_t n,
    const uint64_t *value, uint64_t pointers);
/* After a call while duct_live whose token is still there, or with duct_pending: the same, if the
 * callee was not woven. */
void duct_rt_called(struct duct_unit *u, const void *callee, const char *name, uint32_t n,
    const uint64_t *value, const duct_node *node, uint64_t pointers);
/* Before a call of a library function that asks for something of the outside and has no model: what
 * it says is concrete, a limit of that name. Nothing, if the callee is the program's own. */
void duct_rt_outside(const void *callee, const char *name);
/* Precision lost in woven code itself (vectors, inline assembly, too wide). */
void duct_rt_lost(struct duct_unit *u, uint32_t place, const char *reason);
/* For models: the run touched a limit of duct's own, which is `value` now (trace(5), limit). */
void duct_rt_limit(const char *kind, const char *name, uint64_t value);

/* ---- values that nothing was written to (lib/front/unset, taint.c). `name`: the variable, "" for
 * what a function returns without saying so; `place`: where it is declared. The value of a variable
 * that is no object, of `bits` bits; bytes of one that are inputs when they are read before they
 * are written. */
uint64_t duct_rt_unset(const char *name, const char *place, uint32_t bits);
void duct_rt_unset_memory(void *p, size_t n, const char *name, const char *place);

/* ---- faults that are looked for. Before an instruction that could go wrong: `safe` says that it
 * does not, n is its node. Woven code calls this when n is not 0 or `safe` is 0. */
void duct_rt_safe(struct duct_unit *u, uint32_t inst, uint32_t kind, uint32_t safe, duct_node n);

/* --check bounds: before an access to [p, p + bytes), np and nb their nodes; `base` is the pointer
 * that it is computed from, `direct` says that this is the address of a variable. Ends the run when
 * the access leaves its object. */
void duct_rt_access(struct duct_unit *u, uint32_t inst, const void *base, const void *p,
    size_t bytes, uint32_t direct, duct_node np, duct_node nb);
/* Where an object lies: an access of 1 << k bytes at base + d is within it when d < below[k]. All
 * of below is 0 when the object is gone, or when more is to be asked of it. Spans stay where they
 * are, or become those of other objects, so that woven code may keep their addresses: an access in
 * a span that also holds the access's base pointer is good. */
#define DUCT_SPAN_SIZES 5
struct duct_span {
	uint64_t base;
	uint64_t below[DUCT_SPAN_SIZES];
};
extern struct duct_span duct_no_span; /* of nothing */
/* The span of the object that base points into, or duct_no_span. A site is what woven code keeps of
 * the last span that it met at a place: the distance to it from duct_no_span, 0 at first. It may be
 * NULL. */
const struct duct_span *duct_rt_span(const void *base, int64_t *site);
/* duct_rt_access of `what`: inst << 32 | bytes << 1 | direct, where the site's span did not say
 * that it is good; then the span of base. */
const struct duct_span *duct_rt_touch(struct duct_unit *u, uint64_t what, const void *base,
    const void *p, duct_node np, int64_t *site);
/* Bytes from p on that a function of the C library is about to read or write, whose end lies in the
 * text at p or q, or after n; never counted further than one beyond the object that p lies in. 0
 * when that is not known. A model that goes beyond ends the run there by itself. */
enum duct_touch {
	TOUCH_BYTES,  /* n: not asked */
	TOUCH_TEXT,   /* to the end of the text at p */
	TOUCH_TEXT_N, /* at most n */
	TOUCH_UNTIL,  /* to the character n, or the end of the text */
	TOUCH_FIND,   /* to the character n, which is there */
	TOUCH_FIND_N, /* to the character that q is, at most n */
	TOUCH_SAME,   /* while it is the same as the text at q */
	TOUCH_SAME_N, /* at most n */
	TOUCH_ALIKE,  /* the same, but upper and lower case are the same */
	TOUCH_ALIKE_N,
	TOUCH_SPAN,     /* to the first character that is not in the text at q */
	TOUCH_SPAN_NOT, /* to the first that is */
	TOUCH_SEARCH,   /* as far as a search for the text at q goes */
	TOUCH_SEARCH_ALIKE,
	TOUCH_COPY,          /* as the text at q is long, with its end */
	TOUCH_APPEND,        /* the text at p, and behind it that at q */
	TOUCH_APPEND_N,      /* of which at most n */
	TOUCH_MODELLED = 256 /* beside one of these: a model does it */
};
size_t duct_rt_touches(uint32_t how, const void *p, const void *q, size_t n);
/* The same for models, whose own accesses are not watched: they read or wrote n bytes from p on. */
void duct_rt_written(const void *p, size_t n);
/* Variable arguments (variadic.c): how many a call passes, as numbers of general registers (fixed
 * arguments included), of vector registers << 8, and of words on the stack << 16; what the function
 * that begins was passed; after va_start; at what va_arg reads. */
void duct_rt_va_pass(const void *callee, uint32_t passed);
uint32_t duct_rt_va_passed(const void *self);
void duct_rt_va_begin(const void *list, uint32_t passed);
void duct_rt_va_access(uint32_t inst, const void *list, const void *p, size_t bytes);
/* --check uninit: an object begins, and nothing is written there yet; a decision or an address
 * that has node n. */
void duct_rt_uninit(void *p, size_t bytes);
void duct_rt_decides(struct duct_unit *u, uint32_t inst, duct_node n);
/* --check leak: the call of an allocator that comes. */
extern struct duct_unit *duct_alloc_unit;
extern uint32_t duct_alloc_inst;

/* Programs that follow pairs also log the blocks that they enter, by the address of their coverage
 * byte: a ring, of which the events tell what came since the one before. */
#define DUCT_WAY 4096u
extern uint32_t duct_way[DUCT_WAY], duct_way_count;

/* ---- last definitions (instrument --pairs). A *writer* is who wrote a byte last: number of a
 * definition in the program, units one behind the other: a unit's def records come first, then its
 * instructions (library calls, stores to return slots). A *label* is what a use carries to where
 * its value goes: writer (32 bits; 0 none), the call that gave a parameter's value (30 bits: its
 * writer; 0 not known), and when the writer wrote: within this activation, before it began, or in a
 * callee. Label 0: nothing to tell. A label whose time is 0 is one of several, see lastdef.c.
 *
 * One descriptor a unit, in section "duct_pairs". Woven code keeps in `cache` what it told last of
 * each slot. */
#define DUCT_WRITER_NONE 0u
#define DUCT_WRITER_DEAD 0x3fffffffu /* not known, or never written: nothing to tell */
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
/* Serial numbers of activations; the call that is about to be made: as writer, whom it calls, its
 * activation; the return that was made last: who gave its value, whose it is. */
extern uint32_t duct_serial, duct_site, duct_site_serial, duct_result_writer;
extern void *duct_site_for, *duct_result_of;
void duct_rt_pair(struct duct_pairs *p, uint32_t slot, uint64_t label);
/* Bytes, or bits from `bit` on, that a writer wrote in activation `serial`; what they are last
 * written by. np, nn: the nodes of their address and number. */
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
/* The same of bytes that a slot's use reads as a whole, whoever wrote them: told at once. */
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
/* A function was called by such code, and p is a parameter. */
void duct_rt_last_back(const void *p);
/* Assembly is about to write what p points to; NULL: anything. */
void duct_rt_last_asm(struct duct_pairs *p, uint32_t inst, const void *to);

/* ---- start. Woven `main` (or the harness) calls this first: it serves runs when
 * DUCT_CHANNEL is set, and returns in each child. argc, argv may be replaced. */
void duct_rt_main(int *argc, char ***argv, char ***envp);
/* Which parameters main uses, set before the program starts: the others do not become inputs. */
#define DUCT_LOOKS_ARGC 1u
#define DUCT_LOOKS_ARGV 2u
#define DUCT_LOOKS_ENVP 4u
extern uint32_t duct_main_looks;
extern duct_node duct_argc_node; /* the expression of argc, which the call of main passes */
/* The harness calls this with the entry's result; main's own return does too. */
void duct_rt_result(int64_t value);
/* The entry is about to be called: what it leaves in [p, p+size), no input, is told as what it
 * leaves in inputs. */
void duct_rt_watch(const void *p, size_t size, const char *name, const char *shape);
/* The harness has returned: inputs in memory, and what is watched, that have other values now are
 * told. */
void duct_rt_returned(void);
/* Library models may define it: called in each child before the program goes on, to replace
 * arguments and environment. Looked for as a weak symbol: the link must name it (-u) for an
 * archive to bring it in. */
void duct_model_start(int *argc, char ***argv, char ***envp);

/* Each woven shared library calls this with its own descriptors as it is loaded (share/library.c).
 */
void duct_rt_library(struct duct_unit *from, struct duct_unit *to, struct duct_pairs *pairs,
    struct duct_pairs *end, char **envp);

/* ---- inputs. Marks [p, p+size) as inputs called `name`, laid out by `shape`, and writes
 * their values there. Grammar of shapes (no blanks):
 *   leaf   i1 i2 i4 i8 i16 u1.. (integers by bytes) c1 (char) b1 (bool) f4 f8 f16 (floats)
 *          p8 (pointer: left alone) p8@K (pointer to type K of duct_rt_types)
 *   array  COUNT*STRIDE:SHAPE          elements are called name[0], name[1], ...
 *          *STRIDE:SHAPE               outermost only: as many elements as `size` holds
 *   record {OFFSET.FIELD=SHAPE;...}    members are called name.FIELD; a union or bit-field
 *          group is an array of u1 at its bytes
 * NULL shape: one unsigned leaf of 1, 2, 4 or 8 bytes, else bytes. A name met before in this run
 * gets
 * "#2", "#3", ... appended. */
void duct_rt_input(void *p, size_t size, const char *name, const char *shape);
/* What pointers among the inputs point to: `p8@K` in a shape is a pointer to types[K - 1] of this
 * list, which stays (lib/runtime/grow.c). size 0: an incomplete type, whose objects have no bytes.
 * Of a function: the candidates, the first of which is a stub. */
struct duct_type {
	const char *shape;
	uint64_t size;
	const void *const *function;
	uint64_t functions;
};
void duct_rt_types(const struct duct_type *types, uint32_t n);
/* The array at p, whose length the program does not declare, is an input: elements of type
 * types[k - 1], as many as the run asks for, within `room` bytes. */
void duct_rt_array(void *p, size_t room, const char *name, uint32_t k);
/* A statement about the pointer or scalar NAME, in which [*] is any index. Of kind exact, most:
 * elements; string: characters at most; distinct, alias: it is no, may be another object; low,
 * high: bounds of a number. */
void duct_rt_rule(const char *name, const char *kind, uint64_t value);
/* A stub may have written what `p` points to, up to the end of its object: that becomes inputs,
 * elements of `each` bytes. */
void duct_rt_stubbed(void *p, const char *name, const char *shape, size_t each);
/* How often the entry is called in one run. */
uint32_t duct_rt_calls(void);
/* Before each of them: calls some of these n functions, as inputs say, if there is a setup entry
 * `grow:between`. */
void duct_rt_between(void (*const *other)(void), uint32_t n);
/* A choice of the harness, 0 .. limit-1, symbolic; default value 0. */
uint32_t duct_rt_choice(const char *name, uint32_t limit);

/* ---- the checking build (instrument --check-shadows): called for the operands of every
 * instruction with a symbolic one, the low 64 bits of wider ones; does nothing for node 0; aborts
 * the run with FAULT_CHECK when node's value is not `value`. */
void duct_rt_check(
    struct duct_unit *u, uint32_t place, duct_node n, uint64_t value, uint32_t width);

/* ---- for library models in share/libc, which are woven too (unit flag 1). */
void *duct_rt_real(const char *name); /* the C library's own function */
/* Symbolic environment (lib/runtime/setup.c): the size set for PREFIX NAME ("" "stdin", "file:"
 * "a.txt"), 0 when it is concrete; byte INDEX as the input NAME[INDEX]; length as NAME.len. */
uint64_t duct_rt_setup(const char *prefix, const char *name);
void duct_rt_input_byte(void *p, const char *name, uint64_t index);
void duct_rt_input_length(uint32_t *p, const char *name);
/* Is what a program asks of the outside an input by default? How far NAME (args, text, stdin, file)
 * goes by now. */
int duct_rt_environment(void);
int duct_rt_describes(void); /* is anything said of files and the like? */
uint64_t duct_rt_grown(const char *name);
/* A text of SIZE characters at most, of inputs NAME[i]; never freed. */
char *duct_rt_text(const char *name, uint64_t size);
/* Is NAME there? The input "NAME?", decided here; OTHERWISE where the input record says nothing. */
int duct_rt_present(const char *name, uint32_t otherwise);
/* Files of a run (lib/runtime/files.c). Makes PATH from the inputs NAME[i] (SIZE at most) and
 * NAME.len, and the folders above it; 0 where it cannot. A path that follows from inputs is told as
 * NAME.path[i]. */
int duct_rt_make_file(const char *path, const char *name, uint64_t size);
void duct_rt_tell_path(const char *name, const char *path);
int duct_rt_file_exists(const char *path);
void duct_rt_environ(void); /* woven code looks at all variables of the environment */
/* Something asked of the outside was answered with what the machine says: FUNCTION, or
 * FUNCTION(TEXT). */
void duct_rt_concrete(const char *function, const char *text);
/* Answers that are inputs (lib/runtime/inject.c). Does this call of a function fail, with this
 * errno? As long as failures are left and no model calls it on its own behalf (duct_inner). */
extern uint32_t duct_faults_left, duct_inner;
int duct_rt_fails(const char *function, int error);
/* The same call, which succeeds: 0. */
int duct_rt_passes(const char *function);
/* That calls of the function can fail is a limit of this run, which has none left that may. */
void duct_rt_may_fail(const char *function);
/* An answer of a group that run-trace was told to make inputs: GROUP.FUNCTION[i] at p. Is it? */
int duct_rt_asked(void *p, size_t size, const char *group, const char *function, const char *shape);
/* An operation of op_is_float whose operands and result have one format (32, 64 or 80 bits), on
 * numbers in memory with their nodes; b is NULL where there is one operand. */
void duct_rt_math(uint32_t op, uint32_t width, void *to, const void *a, const void *b);
/* Is the number in memory the result of such an operation, whatever the inputs? */
int duct_rt_computed(const void *p, uint32_t width);
/* A FILE whose bytes are inputs: functions without a model that get it lose. */
void duct_rt_stream(const void *file);
/* May the run make another process? In a process that it made: leave the run's channel. */
int duct_rt_may_fork(void);
void duct_rt_forked(void);
/* Before a model hands over to the C library though inputs are symbolic (native.c): is no argument
 * symbolic, what is behind n included, and no byte of [p, p + n)? Of all that is printed by a
 * format and a va_list, or read from s and stored by them? Not 0 only where that is certain. */
int duct_rt_native(const void *p, size_t n, ...);
int duct_rt_native_number(const char *s, const char *stop, ...); /* which is a number up to stop */
int duct_rt_native_print(const char *format, const void *ap, const void *to, size_t room);
int duct_rt_native_scan(const char *s, const char *format, const void *ap);
/* The number in a text that has symbolic bytes, as one expression (number.c): as strtol and strtoul
 * find it. Decided are only the base, and that the text ends within what is known of it. 0: cannot
 * be had. */
struct duct_number {
	uint64_t value;         /* with its sign; of no use when it is `over` */
	uint64_t length;        /* of what it was made of, with blanks and sign; 0: there is none */
	uint8_t over, negative; /* there is no such long */
};
int duct_rt_number(struct duct_number *to, const char *s, int base, int is_signed);
/* The result of strcmp and similar functions as one expression: of texts, or of n bytes (text.c).
 * The path has one condition only: the first 64 bytes decide. 0: there is no such expression. */
enum duct_compare {
	COMPARE_TEXT,
	COMPARE_BYTES,
	COMPARE_ALIKE, /* texts, upper and lower case alike */
};
int duct_rt_compare(int *to, const void *a, const void *b, size_t n, uint32_t how);
int duct_rt_symbolic(const void *p, size_t n);            /* is a byte not decided by the path? */
duct_node duct_rt_node_at(const void *p, uint32_t bytes); /* node of bytes at p, 0 if concrete */

#endif
