/* grow: declarations shared by grow*.c: objects that a caller would pass. */
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
	RULE_HIGH,
	RULE_RESTRICT
};

struct rule {
	struct rule *next;
	const char *name;
	enum rule_kind kind;
	struct duct_term value;
};

/* The last statement of a kind from low to high about the lvalue; NULL: none. */
const struct rule *duct_grow_rule(const char *lvalue, enum rule_kind low, enum rule_kind high);

/* Did the user state that the two pointers never lead to the same object, or that one leads to an
 * object of its own? */
bool duct_grow_apart(const char *p, const char *q);
bool duct_grow_alone(const char *p);
/* Of two pointers that are apart, the one because of whose declaration as restrict they are; NULL:
 * they are not, or the user stated it. */
const char *duct_grow_restrict(const char *p, const char *q);
bool duct_grow_has_restrict(void);

/* grow_null.c. The name `P?` of the choice that the value of a pointer, or what is computed from
 * it, depends on, and its node; NULL: on none within this depth. */
const char *duct_grow_find_null(duct_node n, int depth, duct_node *choice);

/* grow_pointer.c. The k-th type of duct_rt_types; NULL: there is none. */
const struct duct_type *duct_grow_type(uint32_t k);
/* Notes that the run depends on the distance or order of two addresses in the object. */
void duct_grow_measured(const struct duct_object_input *g);
/* May the pointers of these two objects, or of one of them, lead into the other's? */
bool duct_grow_may_share(const char *p, const char *q);

/* grow.c */
/* The highest value of `P?` that stands for another pointer's object. */
#define MOST_NUMBER (DUCT_CHOICE_VARIABLE - DUCT_CHOICE_VARIABLES)
/* The run's limit of this name; without one, `first`. */
uint64_t duct_grow_limit(const char *name, uint64_t first);
/* The parameter from which a pointer in a structure is reached, for messages and limits. */
char *duct_grow_root(const char *name);
/* Reserves address space for what P points to when it is an object of its own, and describes it. */
struct duct_object_input *duct_grow_plan(
    const char *name, const struct duct_type *type, uint32_t depth);
/* Creates the object: its bytes become inputs when they are first read. !is_there: the pointer is
 * an alias in this run, which may be decided late, so that accesses choose between the two objects.
 */
void duct_grow_make(struct duct_object_input *g, bool is_there);
/* The objects made so far, in order; valid until the next one. */
struct duct_object_input **duct_grow_made(uint32_t *n);
struct duct_term duct_grow_is(struct duct_term t, uint64_t v); /* t == v */
char *duct_grow_joined(const char *name, const char *end);     /* in the arena */
/* The run touches a limit of the parameter that the name begins with. */
void duct_grow_limit_of_root(const char *kind, const char *name, uint64_t value);
/* Notes that the object was accessed up to this many bytes. */
void duct_grow_extent(struct duct_object_input *g, uint64_t extent);
/* Notes that it was accessed this many bytes before its pointer's target. */
void duct_grow_before(struct duct_object_input *g, uint64_t bytes);

#endif
