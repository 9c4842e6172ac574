/* defuse: definitions, uses and def-use pairs of a program (reaching definitions).
 *
 * A definition reaches a use if some control-flow path between them does not certainly overwrite
 * the part of memory that both access. A may-write never kills a definition. Targets of pointers
 * come from lib/alias. See defuse(1) for what counts as a definition and a use. */
#ifndef DUCT_DEFUSE_H
#define DUCT_DEFUSE_H

#include "lib/alias/alias.h"
#include "lib/trace/trace.h"

enum defuse_criterion { DEFUSE_ALL_USES, DEFUSE_ALL_DEFS, DEFUSE_ALL_C_USES, DEFUSE_ALL_P_USES };
struct defuse_options {
	enum defuse_criterion criterion;
	bool paper; /* the protocol of the paper (hybrid data-flow testing) */
	bool inter; /* interprocedural: also pairs that cross calls */
	struct alias_options alias;
};

/* Bits OFFSET + k * STRIDE to OFFSET + SIZE + k * STRIDE of an object for any k; stride 0: k = 0
 * only. */
struct defuse_place {
	uint32_t object, stride;
	int64_t offset;
	uint64_t size;
};

bool place_meets(const struct defuse_place *p, const struct defuse_place *q);
/* The intersection of two places; if it is not exact, the smaller of them. */
struct defuse_place place_common(const struct defuse_place *p, const struct defuse_place *q);

enum defuse_kind {
	DEFUSE_ACCESS,   /* a def or use record */
	DEFUSE_LIBRARY,  /* an access by a library function */
	DEFUSE_INCOMING, /* def: the value at function entry */
	DEFUSE_ARGUMENT, /* def: of a parameter, by a call's argument */
	DEFUSE_RESULT    /* def: by a return; use: by the call that receives it */
};
struct defuse_access {
	uint8_t kind;
	bool is_def, must;                /* certainly writes all of its only place */
	bool direct;                      /* accesses its variable by name */
	bool formal;                      /* the value of a parameter at function entry */
	bool computes;                    /* use: also a c-use */
	uint32_t unit, func, block, inst; /* func: number; block, inst: ids in the unit;
	                                     inst 0: function entry */
	uint32_t var;                     /* id in the unit, 0: none */
	uint32_t record;                  /* DEFUSE_ACCESS: number of its def or use record */
	uint32_t formal_of; /* DEFUSE_ARGUMENT: index of the access that is the parameter's
	                       value at entry */
	struct flow_pos pos;
	char *path; /* as a C lvalue */
	struct defuse_place *place;
	uint32_t places;
	uint32_t *outcome, outcomes; /* p-use on these outcomes of the unit */
};
#define DEFUSE_C UINT32_MAX
struct defuse_pair {
	uint32_t def, use;         /* indices of accesses */
	uint32_t outcome;          /* DEFUSE_C: c-use */
	uint64_t key;              /* stable for an unchanged function */
	char *name;                /* the variable's name */
	struct defuse_place place; /* a part that both access; object ALIAS_NONE:
	                              result of a call */
};
struct defuse {
	const struct flow *flow;
	struct alias *alias;
	struct defuse_options options;
	struct defuse_access *access;
	size_t accesses;
	struct defuse_pair *pair;
	size_t pairs;               /* ordered by definition, then use */
	struct defuse_index *index; /* private */
};

/* Borrows the flow, with all records, which must outlive the result. */
struct defuse *defuse_new(const struct flow *fl, const struct defuse_options *o);
void defuse_free(struct defuse *d);
/* Writes pairs(5). 0, or -1 on a write error. */
int defuse_write(const struct defuse *d, FILE *f);
/* Writes the #meta lines with the options. */
void defuse_write_meta(struct rec_writer *w, const struct defuse_options *o);

/* The cut points of a pair (Definition 4.2) in order: blocks that every covering run enters, the
 * definition and the use. The caller frees the array. */
enum defuse_role { DEFUSE_CUT, DEFUSE_DEF, DEFUSE_USE };
/* DEFUSE_CUT: the block's first instruction */
struct defuse_point {
	uint32_t unit, inst;
	enum defuse_role role;
};
struct defuse_point *defuse_points(struct defuse *d, uint32_t pair, size_t *n);
/* All definitions of what a pair accesses, including its own; the others are its redefinition
 * points. must: kills the pair's definition whenever executed between definition and use; else it
 * may. The caller frees the array. */
struct defuse_kill {
	uint32_t access;
	bool must;
};
struct defuse_kill *defuse_kills(const struct defuse *d, uint32_t pair, size_t *n);
/* Shortest paths that demonstrate a pair. defuse_path: the lines of the definition's file on a
 * shortest definition-clear path within one function, as "12 14-16 15"; the caller frees it. NULL
 * when there is none (the pair crosses calls). */
struct defuse_paths *defuse_paths_new(const struct defuse *d);
void defuse_paths_free(struct defuse_paths *p);
char *defuse_path(struct defuse_paths *p, uint32_t pair);
/* Does the execution path alone decide whether a run covers the pair? False if that depends on
 * pointers or indices, which can differ between inputs with the same path. */
bool defuse_by_path(const struct defuse *d, uint32_t pair);
/* Is its use what a library function reads? */
bool defuse_by_library(const struct defuse *d, uint32_t pair);
/* Lower bound on the instructions executed between an outcome and an instruction, over calls and
 * returns; DEFUSE_FAR: unreachable. Recent targets are cached; otherwise linear in the program. */
#define DEFUSE_FAR UINT32_MAX
uint32_t defuse_distance(
    struct defuse *d, uint32_t unit, uint32_t outcome, uint32_t to_unit, uint32_t to_inst);
/* Likewise, from the entry of a block. */
uint32_t defuse_block_distance(
    struct defuse *d, uint32_t unit, uint32_t block, uint32_t to_unit, uint32_t to_inst);

/* The pairs that a run exercised; the program must be built with --pairs. *pair: ascending indices,
 * freed by the caller. */
void defuse_covered(struct defuse *d, const struct trace *t, uint32_t **pair, size_t *n);

/* Sets an option by its name on the command line; false if unknown. */
bool defuse_set_criterion(struct defuse_options *o, const char *name);
bool defuse_set_protocol(struct defuse_options *o, const char *name);
bool defuse_set_scope(struct defuse_options *o, const char *name);
const char *defuse_criterion_name(enum defuse_criterion c);

/* "c", "p:true", "p:false", "p:case 7" or "p:default", written to buf; returns buf. */
const char *defuse_kind_name(const struct defuse *d, const struct defuse_pair *p, char buf[32]);
/* The branch that an outcome belongs to. */
const struct flow_branch *defuse_branch(const struct defuse *d, uint32_t unit, uint32_t outcome);

#endif
