/* goals: pairs(5) and goals(5) in memory, and goals made from pairs. A record's id is its index +
 * 1. */
#ifndef DUCT_GOALS_H
#define DUCT_GOALS_H

#include "lib/defuse/defuse.h"

struct goals_unit {
	uint64_t key;
	char *name;
};

struct pairs_func {
	uint32_t unit, id; /* id: in the unit's flow */
	char *name;
};
struct pairs_access {
	uint32_t func, inst, line, col;
	enum defuse_kind kind;
	char *file, *path;
};
/* kind: c, p:true, p:false, ... */
struct pairs_pair {
	uint32_t def, use, outcome;
	uint64_t key;
	char *kind, *name;
};
struct pairs {
	struct goals_unit *unit;
	size_t units;
	struct pairs_func *func;
	size_t funcs;
	struct pairs_access *def;
	size_t defs;
	struct pairs_access *use;
	size_t uses;
	struct pairs_pair *pair;
	size_t pairs;
	struct defuse_options options; /* of the analysis; owns its entry */
};

struct goals_kill {
	uint32_t place, unit, inst;
	bool must;
};
/* up: parent point, 0: none */
struct goals_point {
	uint32_t up, unit, inst;
	enum defuse_role role;
};
struct goals_goal {
	uint32_t pair, point; /* point: of the use */
	uint32_t place;       /* 0: none */
	uint32_t outcome;
	uint64_t key;
	char *kind, *name;
};
/* A goal without cut points, see goals(5): an outcome of a condition; a condition at an
 * instruction; to come to one of some blocks; outcomes that one evaluation of a decision takes one
 * after the other. */
enum goals_kind { GOALS_OUTCOME, GOALS_CONDITION, GOALS_BLOCKS, GOALS_EVALUATION };
/* Numbers are those of the unit's flow. branch: of an outcome; inst: where the condition `what`
 * (enum objective_kind) is; list: blocks, or outcomes. */
struct goals_outcome {
	enum goals_kind kind;
	uint32_t number, unit, branch, outcome, inst;
	unsigned what;
	uint32_t *list;
	size_t n;
};
struct goals {
	struct goals_unit *unit;
	size_t units;
	char **place;
	size_t places; /* names */
	struct goals_kill *kill;
	size_t kills; /* sorted by place */
	struct goals_point *point;
	size_t points;
	struct goals_goal *goal;
	size_t goals;
	struct goals_outcome *outcome;
	size_t outcomes;
	struct defuse_options options; /* as in pairs */
};

/* Reads f, which must contain a single stream, as ids are local to a stream. NULL with *error
 * ("name:line: message", caller frees). */
struct pairs *pairs_read(FILE *f, const char *name, char **error);
void pairs_free(struct pairs *p);
struct goals *goals_read(FILE *f, const char *name, char **error);
void goals_free(struct goals *g);
/* Removes the goals of pairs. */
void goals_drop_pairs(struct goals *g);

/* Goals beside pairs, of functions that can be reached from the entry: outcomes of conditions,
 * conditions at instructions (those that the flow has), evaluations of decisions. */
enum { GOALS_OF_OUTCOMES = 1, GOALS_OF_CONDITIONS = 2, GOALS_OF_DECISIONS = 4 };
/* Writes goals(5) for the pairs, which are found in d by their keys, or only for pair `only` (0:
 * all), and for these kinds. 0, or -1 with *error; *error NULL: write error. */
int goals_write(
    struct defuse *d, const struct pairs *p, uint32_t only, unsigned kinds, FILE *f, char **error);
/* The same for all pairs of d, without pairs(5) in between. -1: write error. */
int goals_write_all(struct defuse *d, unsigned kinds, FILE *f);

#endif
