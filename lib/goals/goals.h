/* goals: pairs(5) and goals(5) in memory, and goals of pairs. Ids are those of the records: element id - 1. */
#ifndef DUCT_GOALS_H
#define DUCT_GOALS_H

#include "lib/defuse/defuse.h"

struct goals_unit { uint64_t key; char *name; };

struct pairs_func { uint32_t unit, id; char *name; };       /* id: in the unit's flow */
struct pairs_access { uint32_t func, inst, line, col; enum defuse_kind kind; char *file, *path; };
struct pairs_pair { uint32_t def, use, outcome; uint64_t key; char *kind, *name; };   /* kind: c, p:true, ... */
struct pairs {
	struct goals_unit *unit; size_t units;
	struct pairs_func *func; size_t funcs;
	struct pairs_access *def; size_t defs;
	struct pairs_access *use; size_t uses;
	struct pairs_pair *pair; size_t pairs;
	struct defuse_options options;        /* those that made it; entry is its own */
};

struct goals_kill { uint32_t place, unit, inst; bool must; };
struct goals_point { uint32_t up, unit, inst; enum defuse_role role; };      /* up: the point before it, 0 none */
struct goals_goal { uint32_t pair, point, place, outcome; uint64_t key; char *kind, *name; };  /* point: the use; place: 0 none */
struct goals_outcome { uint32_t number, unit, branch, outcome; };   /* as in the unit's flow */
struct goals {
	struct goals_unit *unit; size_t units;
	char **place; size_t places;          /* names */
	struct goals_kill *kill; size_t kills;/* ordered by place */
	struct goals_point *point; size_t points;
	struct goals_goal *goal; size_t goals;
	struct goals_outcome *outcome; size_t outcomes;
	struct defuse_options options;        /* as in pairs */
};

/* The streams of f, which must be one only: ids are those of one stream. NULL with *error ("name:line: message", caller
 * frees). */
struct pairs *pairs_read(FILE *f, const char *name, char **error);
void pairs_free(struct pairs *p);
struct goals *goals_read(FILE *f, const char *name, char **error);
void goals_free(struct goals *g);

/* goals(5) of the pairs, which are found in d by their keys, or of the one pair with that id (0: all); `outcomes`: also
 * of the outcomes of all conditions that their entry can reach. 0, or -1 with *error, NULL when it could not be
 * written. */
int goals_write(struct defuse *d, const struct pairs *p, uint32_t only, bool outcomes, FILE *f, char **error);

#endif
