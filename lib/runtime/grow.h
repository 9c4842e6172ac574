/* grow: what the files grow*.c share: objects that a caller would pass. */
#ifndef DUCT_GROW_INPUTS_H
#define DUCT_GROW_INPUTS_H

#include "lib/runtime/rt.h"

/* Bytes between objects, at least: a pointer to the end of one is not in the next. */
#define APART 64
/* Bytes after the end of such an object that are watched: their first access ends the run. */
#define GROW_BEHIND 16

/* Values of the limit `alias`: a pointer may also point to the first element of another's object,
 * or of a variable; to any element; to objects of other types. */
enum { ASK_FIRST = 1, ASK_ANY = 2, ASK_TYPES = 4 };

/* grow_rule.c. The user's statements about a pointer or number (duct_rt_rule). */
enum rule_kind {
	RULE_NONE,
	RULE_EXACT,
	RULE_MOST,
	RULE_STRING,
	RULE_DISTINCT,
	RULE_ALIAS,
	RULE_LOW,
	RULE_HIGH
};

struct rule {
	struct rule *next;
	const char *name;
	enum rule_kind kind;
	struct duct_term value;
};

/* The last statement of a kind from low to high about the lvalue; NULL: none. */
const struct rule *duct_grow_rule(const char *lvalue, enum rule_kind low, enum rule_kind high);

/* Does the user say that two pointers never lead to the same object? That no other one leads to the
 * object of this one? */
bool duct_grow_apart(const char *p, const char *q);
bool duct_grow_alone(const char *p);

/* grow_null.c. The name `P?` of the choice that the value of a pointer, or what is computed from
 * it, depends on, and its node; NULL: on none within this depth. */
const char *duct_grow_find_null(duct_node n, int depth, duct_node *choice);

/* grow_pointer.c. The k-th type of duct_rt_types; NULL: there is none. */
const struct duct_type *duct_grow_type(uint32_t k);
/* The distance or order of two addresses in the object matters. */
void duct_grow_measured(const struct duct_object_input *g);
/* May the pointers of these two objects, or of one of them, lead into the other's? */
bool duct_grow_may_share(const char *p, const char *q);

/* grow.c */
/* The highest value of `P?` that stands for another pointer's object. */
#define MOST_NUMBER (DUCT_CHOICE_VARIABLE - DUCT_CHOICE_VARIABLES)
/* The limit of this name that the run was given, else `first`. */
uint64_t duct_grow_limit(const char *name, uint64_t first);
/* The parameter that a pointer of a structure is reached from: messages and limits name that. */
char *duct_grow_root(const char *name);
/* Reserves address space for what P points to when it is an object of its own, and describes it. */
struct duct_object_input *duct_grow_plan(
    const char *name, const struct duct_type *type, uint32_t depth);
/* From now on the object is there: all of its bytes are inputs that are not made yet. Not for this
 * run, when its pointer is an alias that may be decided late: then accesses choose between the two.
 */
void duct_grow_make(struct duct_object_input *g, bool is_there);
/* The objects made so far, in order; valid until the next one. */
struct duct_object_input **duct_grow_made(uint32_t *n);
struct duct_term duct_grow_is(struct duct_term t, uint64_t v); /* t == v */
char *duct_grow_joined(const char *name, const char *end);     /* in the arena */
/* The run touches a limit of the parameter that the name begins with. */
void duct_grow_limit_of_root(const char *kind, const char *name, uint64_t value);
/* The object was accessed up to this many bytes. */
void duct_grow_extent(struct duct_object_input *g, uint64_t extent);
/* So many bytes before what its pointer points to. */
void duct_grow_before(struct duct_object_input *g, uint64_t bytes);

#endif
