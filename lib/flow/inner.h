/* inner: private to lib/flow: of reach.c, closure.c and content.c. */
#ifndef DUCT_FLOW_INNER_H
#define DUCT_FLOW_INNER_H

#include "lib/flow/flow.h"

void flow_calls_free(struct flow_calls *c); /* reach.c */

enum entity { FUNCTION, VARIABLE, DATUM, TYPE, ENTITIES };
/* Records that belong to a function; from RELOCS on to an object: a variable or a datum. */
enum record_list {
	BRANCHES,
	INSTS,
	ACCESSES,
	EDGES,
	CHECKS,
	EXACTS,
	RELOCS,
	CONTENTS,
	INITIALS,
	HOMES,
	LISTS
};

/* The elements of owner i: at[first[i]] to at[first[i + 1] - 1]. */
struct index {
	uint32_t *first, *at;
};
struct entity_id {
	enum entity kind;
	uint32_t unit, id;
};
struct named_entity {
	const char *name;
	struct entity_id at;
	bool is_static, is_weak;
};

struct closure {
	const struct flow *fl;
	flow_put *put;
	void *arg;
	uint32_t **number[ENTITIES];  /* by unit and id - 1: index in the order, from 1;
	                                 0: not referenced yet */
	uint32_t *data;               /* by unit: number of data */
	struct index (*index)[LISTS]; /* by unit, created on demand */
	struct named_entity *name;
	size_t names; /* defined functions and globals, and their aliases,
	                 sorted */
	struct entity_id *order;
	size_t n;
	const struct flow_unit *u;
	uint32_t unit;                  /* unit being written */
	const struct flow_func *f;      /* function being written, or NULL */
	uint32_t inst, branch, outcome; /* first ids of the function */
	bool whole;                     /* write everything, not only what is referenced */
};

/* closure.c. The records of an owner in the current unit. */
const uint32_t *closure_list(struct closure *c, enum record_list kind, uint32_t of, size_t *n);
/* The number of a variable ('&') or datum ('$') as an owner of records: variables, then data. */
uint32_t closure_object(const struct flow_unit *u, char kind, uint32_t id);
size_t closure_entities(const struct closure *c, uint32_t unit, enum entity kind); /* how many */

/* content.c. Writes the index of an entity, which is added to the order if it is new. */
void closure_refer(struct closure *c, enum entity kind, uint32_t unit, uint32_t id);
void closure_number(struct closure *c, uint64_t v);
/* Writes the entity. */
void closure_write(struct closure *c, struct entity_id e);

#endif
