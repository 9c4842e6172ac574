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

/* grow.c */
struct duct_term duct_grow_is(struct duct_term t, uint64_t v); /* t == v */
char *duct_grow_joined(const char *name, const char *end);     /* in the arena */
/* The run touches a limit of the parameter that the name begins with. */
void duct_grow_limit_of_root(const char *kind, const char *name, uint64_t value);
/* May the pointers of these two objects, or of one of them, lead into the other's? */
bool duct_grow_may_share(const char *p, const char *q);
/* The object was accessed up to this many bytes. */
void duct_grow_extent(struct duct_object_input *g, uint64_t extent);
/* The distance or order of two addresses in the object matters. */
void duct_grow_measured(const struct duct_object_input *g);
/* So many bytes before what its pointer points to. */
void duct_grow_before(struct duct_object_input *g, uint64_t bytes);

#endif
