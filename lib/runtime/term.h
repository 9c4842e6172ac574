/* term: the base of the runtime: its memory, expressions and terms, the shadow, and the objects of
 * the program; see rt.h. */
#ifndef DUCT_TERM_H
#define DUCT_TERM_H

#include "lib/protocol/op.h"
#include "lib/protocol/models.h"
#include "lib/protocol/channel.h"
#include "lib/protocol/record.h"
#include "lib/runtime/sys.h"
#include <stdbool.h>

#pragma GCC visibility push(hidden)

typedef unsigned __int128 duct_wide;

/* ---- mem.c: zeroed memory from an arena that is never freed. duct_arena ends the run when the
 * arena is full. */
void *duct_arena(size_t bytes);
/* Reserves the arena's address space. The server calls it before it limits address space
 * (setrlimit). False: the system refused. */
bool duct_arena_reserve(void);
/* A zeroed mapping of its own, or NULL; for tables that are reserved and used in part. */
void *duct_reserve(size_t bytes);
/* The same for memory that the program may write as well; only before the first run. */
void *duct_reserve_shared(size_t bytes);
/* Does any of these bytes lie in memory from duct_reserve? */
bool duct_is_reserved(uintptr_t p, size_t n);
void duct_unback(void *p, size_t bytes); /* gives the pages back; they read as zero */
/* The part of the arena that is in use. */
void duct_arena_at(uintptr_t *from, uintptr_t *to);
bool duct_same_text(const char *a, const char *b);
size_t duct_length(const char *s);
uint64_t duct_hash(const void *p, size_t n);
/* Decimal digits of v at `to` (20 bytes at most), not terminated; returns their number. */
size_t duct_digits(char *to, uint64_t v);

/* ---- node.c: expressions in the channel's node area. */
struct duct_nodes {
	struct channel_node *node; /* id i is node[i - 1] */
	uint32_t count, max;
	uint64_t *high;       /* bits 64 and up of the value, for widths over 64 */
	uint64_t *origin;     /* base address of the object that a pointer node points into */
	uint32_t *slot, mask; /* hash of ids, open addressing, 0 empty */
};
extern struct duct_nodes duct_nodes;

/* In channel_node.reserved: the path implies that the node has its concrete value. */
#define DUCT_FIXED 1u
/* Another bit there: the node depends on a result of an abstract call. */
#define DUCT_FRESH 2u
/* A counter in the same word: EV_TAKEN events that were written for the node. */
#define DUCT_TOLD 4u
#define DUCT_TOLD_MOST (DUCT_TOLD * 3)

/* Another bit: the node is a pointer in a union, in place of which there may be a number. */
#define DUCT_UNION 16u

void duct_nodes_start(struct channel *ch);
static inline struct channel_node *duct_at(duct_node n)
{
	return &duct_nodes.node[n - 1];
}
duct_wide duct_value(duct_node n);
/* The node with this operator and these operands: an existing one, or a new one with `value`. */
duct_node duct_node_get(
    enum op op, uint32_t width, uint32_t a, uint32_t b, uint32_t c, duct_wide value);

static inline duct_wide duct_mask(uint32_t width)
{
	return width >= 128 ? ~(duct_wide)0 : ((duct_wide)1 << width) - 1;
}

/* ---- eval.c: SMT-LIB's semantics (op.h) on values below 2^width. */
duct_wide duct_eval(enum op op, uint32_t width, duct_wide a, duct_wide b);
duct_wide duct_sign_extend(duct_wide v, uint32_t from, uint32_t to);

/* float.c: the operations of op_is_float, operands `from` bits wide. */
duct_wide duct_float(enum op op, uint32_t width, uint32_t from, duct_wide a, duct_wide b);

/* ---- simplify.c: expressions as terms: a node, or a constant when n is 0. Each
 * builder evaluates, simplifies and shares. */
struct duct_term {
	duct_wide v;
	duct_node n;
	uint32_t w;
};

/* float.c: restricts a new input of 80 bits to valid encodings. */
void duct_float_input(struct duct_term t);

struct duct_term duct_term(duct_node n);
struct duct_term duct_constant(uint32_t width, duct_wide v);
/* The term as a node; a constant gets a CONST (or a CONCAT of two above 64 bits). */
duct_node duct_term_node(struct duct_term t);
struct duct_term duct_t_binary(enum op op, struct duct_term a, struct duct_term b);
struct duct_term duct_t_not(struct duct_term a);
struct duct_term duct_t_neg(struct duct_term a);
struct duct_term duct_t_extend(enum op op, uint32_t width, struct duct_term a);
struct duct_term duct_t_extract(uint32_t width, uint32_t low, struct duct_term a);
struct duct_term duct_t_concat(struct duct_term high, struct duct_term low);
struct duct_term duct_t_ite(struct duct_term c, struct duct_term a, struct duct_term b);
/* Largest value that the term can have, by its form alone. */
duct_wide duct_most(duct_node n, int depth);
/* simplify_cmp.c, called by duct_t_binary: true when *out is the answer. */
bool duct_compare(enum op op, struct duct_term a, struct duct_term b, struct duct_term *out);

/* ---- shadow.c: byte entries. An entry is node << 4 | byte, or one of these. */
#define DUCT_ENTRY_NONE 0u
#define DUCT_ENTRY_ARRAY 1u  /* byte of an object whose value is its array's (array.c) */
#define DUCT_ENTRY_UNINIT 2u /* never written (taint.c) */
#define DUCT_ENTRY_LATER 3u  /* becomes an input when it is read (grow.c) */
#define DUCT_ENTRY_NODE 16u  /* entries from here on are nodes */

extern uint64_t duct_shadow_changes; /* counts changes of entries */
bool duct_shadow_map(void);          /* maps the flags' region; false on failure */
uint32_t duct_entry(uintptr_t a);
/* The 8 entries from a on, a multiple of 8; NULL: they are all none. */
const uint32_t *duct_line(uintptr_t a);
void duct_entry_set(uintptr_t a, uint32_t entry);            /* and its line's flag */
void duct_entry_fill(uintptr_t a, size_t n, uint32_t entry); /* not none */
/* Are the 64 entries from a on, a multiple of 64, those of `then`, or all `otherwise` where it is
 * NULL? false: perhaps. */
bool duct_entries_are(uintptr_t a, const uint32_t *then, uint32_t otherwise);
void duct_shadow_watch(uintptr_t a);      /* sets its line's flag */
bool duct_flagged(uintptr_t a, size_t n); /* may some byte have an entry? */
void duct_shadow_clear(uintptr_t a, size_t n);
void duct_shadow_unset(uintptr_t a, size_t n); /* DUCT_ENTRY_UNINIT for all of them */
/* First address in [a, end) whose line is flagged, or end. */
uintptr_t duct_next_flag(uintptr_t a, uintptr_t end);
/* The value of the bytes; a constant if none of them has an entry. */
struct duct_term duct_load_term(uintptr_t a, uint32_t bytes);
/* The same without any effect; false when it is not known, or reading it would have one. */
bool duct_peek_term(uintptr_t a, uint32_t bytes, struct duct_term *t);
void duct_store_term(uintptr_t a, uint32_t bytes, duct_node v); /* v has 8 * bytes bits, or 0 */

/* ---- taint.c */
struct duct_term duct_unwritten(uintptr_t a); /* the byte, whose entry is DUCT_ENTRY_UNINIT */
/* A block that malloc has just returned: none of its bytes was written yet. */
void duct_unset_block(void *p, size_t n);
/* Bytes that are about to be read: those that were never written become inputs. */
void duct_unset_read(uintptr_t a, uint32_t bytes);
void duct_note_taint(duct_node n); /* of a new node */
bool duct_tainted(duct_node n);    /* does its value depend on such bytes? */
void duct_taint_used(duct_node n); /* something depends on n: reported if n is tainted */
extern const uint8_t duct_arity[OP_COUNT];

/* ---- object.c: the objects in memory. */
enum duct_object_kind {
	DUCT_OBJECT_GLOBAL,
	DUCT_OBJECT_STACK,
	DUCT_OBJECT_HEAP,
	DUCT_OBJECT_INPUT,
	DUCT_OBJECT_FREED /* not reused while bounds are checked */
};
struct duct_object {
	union { /* span: read by woven code (access.c) */
		uintptr_t base;
		struct duct_span span;
	};
	size_t size;    /* as the program requested */
	size_t room;    /* bytes that it has, at least size; more when its size is symbolic */
	uint32_t limit; /* node of its size, 64 bits; 0: size */
	uint8_t kind, constant;
	uint8_t array_mode; /* entries may be DUCT_ENTRY_ARRAY */
	uint8_t reached;    /* leak.c: something points to it */
	uint8_t unset;      /* some of it was not written when `array` was made (taint.c) */
	uint8_t copied;     /* `bytes` or `entry` is set */
	uint8_t gone;       /* treap.c */
	uint32_t waiting;   /* treap.c */
	uint32_t inst;      /* call that allocated it, in `unit`; 0 not known */
	uint32_t array;     /* TABLE or STORE that describes `bytes` and `entry`; 0 none yet */
	struct duct_unit *unit;
	uint8_t *fresh; /* by byte: still unwritten in this run? NULL: any byte may be unwritten */
	uint64_t flow_name;              /* name of a heap block in flow.c; 0 none */
	struct duct_track *track;        /* alias.c; NULL: none */
	struct duct_object_input *input; /* passed by a caller; NULL: the program's own */
	/* up to here, what a block of the heap sets and clears: two lines of the cache */
	uint8_t *bytes;   /* content when `array` was brought up to date */
	uint32_t *entry;  /* its shadow entries at that time; NULL: all none */
	uint64_t changes; /* duct_shadow_changes at that time */
};
/* The object that [a, a] lies in, or that ends at a; NULL if none. */
struct duct_object *duct_object_at(uintptr_t a);
struct duct_object *duct_object_add(
    uintptr_t a, size_t n, enum duct_object_kind kind, bool constant);
/* With room for more than n bytes. */
struct duct_object *duct_object_add_room(
    uintptr_t a, size_t n, size_t room, enum duct_object_kind kind, bool constant);
void duct_object_room(struct duct_object *o, size_t n); /* sets o->room */
void duct_object_remove(uintptr_t a);
void duct_object_end(struct duct_object *o); /* the same for one that is not the stack's */
/* The object ends or changes: accesses to it need the full check. */
static inline void duct_span_end(struct duct_object *o)
{
	duct_near_room = duct_near_from = 0;
	for (int k = 0; k < DUCT_SPAN_SIZES; k++)
		o->span.below[k] = 0;
}
extern const struct duct_span *duct_lately[DUCT_LATELY]; /* access.c */
static inline const struct duct_span **duct_seen_lately(uintptr_t a)
{
	return &duct_lately[(a >> 4 ^ a >> 14) % DUCT_LATELY];
}
/* access.c. duct_span_made: the object is new and its size is known. duct_object_lately: as
 * duct_object_at, but faster for objects that were accessed recently. */
void duct_span_made(struct duct_object *o);
struct duct_object *duct_object_lately(uintptr_t a);
/* As duct_object_at, but faster for the two objects that it was last asked for. */
struct duct_object *duct_object_again(uintptr_t a);
/* treap.c: objects other than the stack's, by base. */
struct duct_object *duct_treap_base(uintptr_t a);  /* whose base it is; NULL: none */
struct duct_object *duct_treap_floor(uintptr_t a); /* whose base is the next below; NULL: none */
struct duct_object *duct_treap_insert(uintptr_t a);
/* The removed object, valid until the next insertion; or NULL. */
struct duct_object *duct_treap_remove(uintptr_t a);
void duct_treap_end(struct duct_object *o); /* the same for an object that is there */

/* The System V va_list of x86-64. */
struct duct_va_tag {
	/* Offsets of the next arguments in `registers`; they end at 48 and 176. */
	uint32_t general, vector;
	uintptr_t overflow, registers;
};

#pragma GCC visibility pop

#endif
