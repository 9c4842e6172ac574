/* defuse: definitions, uses and def-use pairs of a program.
 *
 * A definition reaches a use when some path of the control flow leads from the one to the other and nothing on
 * it certainly overwrites all of what both mean: a store that only may write never ends a definition. What a
 * pointer reaches is what lib/alias says. See man1 defuse for what counts as definition and use. */
#ifndef DUCT_DEFUSE_H
#define DUCT_DEFUSE_H

#include "lib/alias/alias.h"
#include "lib/trace/trace.h"

enum defuse_criterion { DEFUSE_ALL_USES, DEFUSE_ALL_DEFS, DEFUSE_ALL_C_USES, DEFUSE_ALL_P_USES };
struct defuse_options {
	enum defuse_criterion criterion;
	bool paper;           /* the protocol of the paper */
	bool inter;           /* pairs that cross calls too */
	struct alias_options alias;
};

/* Bits OFFSET + k * STRIDE to OFFSET + SIZE + k * STRIDE of an object, for any k; stride 0: once. */
struct defuse_place { uint32_t object, stride; int64_t offset; uint64_t size; };

bool place_meets(const struct defuse_place *p, const struct defuse_place *q);
/* What both have in common, or the smaller of them. */
struct defuse_place place_common(const struct defuse_place *p, const struct defuse_place *q);

enum defuse_kind {
	DEFUSE_ACCESS,        /* a def or use record */
	DEFUSE_LIBRARY,       /* a library function does it */
	DEFUSE_INCOMING,      /* def: the value at the entry of a function */
	DEFUSE_ARGUMENT,      /* def: of a parameter, by a call */
	DEFUSE_RESULT         /* def: by a return; use: by the call that gets it */
};
struct defuse_access {
	uint8_t kind;
	bool is_def, must;    /* must: whenever it runs, it writes all of its only place */
	bool direct;          /* by the name of its variable */
	bool formal;          /* the value of a parameter at entry */
	bool computes;        /* use: a c-use, beside the outcomes */
	uint32_t unit, func, block, inst;       /* func: number; block, inst: ids in the unit, inst 0: the entry */
	uint32_t var;         /* id in the unit, 0 none */
	uint32_t record;      /* DEFUSE_ACCESS: number of its def or use record */
	uint32_t formal_of;   /* DEFUSE_ARGUMENT: the access that is the value of the parameter at entry */
	struct flow_pos pos;
	char *path;           /* as C lvalue */
	struct defuse_place *place; uint32_t places;
	uint32_t *outcome, outcomes;            /* of the unit, on which it is a p-use */
};
#define DEFUSE_C UINT32_MAX
struct defuse_pair {
	uint32_t def, use;    /* accesses */
	uint32_t outcome;     /* DEFUSE_C: c-use */
	uint64_t key;         /* the same for the same pair of an unchanged function */
	char *name;           /* of the variable */
	struct defuse_place place;              /* what both mean, one of it; object ALIAS_NONE for results */
};
struct defuse {
	const struct flow *flow;
	struct alias *alias;
	struct defuse_options options;
	struct defuse_access *access; size_t accesses;
	struct defuse_pair *pair; size_t pairs; /* in the order of their definitions, then uses */
	struct defuse_index *index;             /* private */
};

/* The flow, with all records, stays the caller's and must outlive it. NULL when out of memory. */
struct defuse *defuse_new(const struct flow *fl, const struct defuse_options *o);
void defuse_free(struct defuse *d);
/* pairs(5) to a file. 0, or -1 when not all was written. */
int defuse_write(const struct defuse *d, FILE *f);
/* The #meta lines that say what made them. */
void defuse_write_meta(struct rec_writer *w, const struct defuse_options *o);

/* Where every run that covers a pair has to pass, in order: cut points (Definition 4.2): blocks that it
 * enters, the definition and the use. The array is the caller's; NULL when out of memory. */
enum defuse_role { DEFUSE_CUT, DEFUSE_DEF, DEFUSE_USE };
struct defuse_point { uint32_t unit, inst; enum defuse_role role; };    /* cut: the block's first instruction */
struct defuse_point *defuse_points(struct defuse *d, uint32_t pair, size_t *n);
/* All definitions of what a pair means, its own included: the others are its redefinition points.
 * must: they end the pair wherever they run between its definition and its use; else they only may. */
struct defuse_kill { uint32_t access; bool must; };
struct defuse_kill *defuse_kills(const struct defuse *d, uint32_t pair, size_t *n);
/* A shortest way from the definition of a pair to its use within a function on which nothing certainly overwrites what
 * both mean: the lines of the definition's file that it passes, as "12 14-16 15", malloc'ed. NULL when there is none
 * (it leads through calls) or out of memory. The paths are of one analysis; NULL when out of memory. */
struct defuse_paths *defuse_paths_new(const struct defuse *d);
void defuse_paths_free(struct defuse_paths *p);
char *defuse_path(struct defuse_paths *p, uint32_t pair);
/* Does the path of a run alone tell whether it covers the pair? Not when it depends on where pointers and indices
 * lead, which may differ between inputs that take the same path. */
bool defuse_by_path(const struct defuse *d, uint32_t pair);
/* How many instructions lie at least between taking an outcome and an instruction, over calls and
 * returns; DEFUSE_FAR: there is no way. Recent targets are remembered; else linear in the program. */
#define DEFUSE_FAR UINT32_MAX
uint32_t defuse_distance(struct defuse *d, uint32_t unit, uint32_t outcome, uint32_t to_unit, uint32_t to_inst);
/* The same from the entry of a block. */
uint32_t defuse_block_distance(struct defuse *d, uint32_t unit, uint32_t block, uint32_t to_unit, uint32_t to_inst);

/* The pairs that a run of the program exercised, which was built with --pairs: indices, ascending, the
 * caller's. 0, or -1 when out of memory. */
int defuse_covered(struct defuse *d, const struct trace *t, uint32_t **pair, size_t *n);

/* Options by their names on the command line; false when there is none such. */
bool defuse_set_criterion(struct defuse_options *o, const char *name);
bool defuse_set_protocol(struct defuse_options *o, const char *name);
bool defuse_set_scope(struct defuse_options *o, const char *name);
const char *defuse_criterion_name(enum defuse_criterion c);

/* "c", "p:true", "p:false", "p:case 7", "p:default": to buf, which it returns. */
const char *defuse_kind_name(const struct defuse *d, const struct defuse_pair *p, char buf[32]);
/* The branch that the outcome of a p-use belongs to. */
const struct flow_branch *defuse_branch(const struct defuse *d, uint32_t unit, uint32_t outcome);

#endif
