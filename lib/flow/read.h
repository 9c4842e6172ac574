/* read: private to lib/flow: the state of a reader of flow(5). */
#ifndef DUCT_FLOW_READ_H
#define DUCT_FLOW_READ_H

#include "lib/flow/flow.h"

struct flow_in {
	struct rec_reader *r;
	const struct rec *rec;       /* the current record */
	struct flow_unit *u;         /* the current unit */
	uint32_t want_branches;      /* what the unit record promised */
	uint32_t blocks;             /* block records so far */
	uint32_t inst;               /* the last instruction and its position */
	struct flow_pos inst_pos;
	size_t defs, uses;
	bool sparse;                 /* instructions other than calls were left out */
	void *room;
};

/* False after rec_fail. */
bool flow_read_unit(struct flow_in *in);
bool flow_read_record(struct flow_in *in);
/* Adds the record to the hash of the function that it belongs to. */
void flow_hash_record(struct flow_in *in);
/* Streams of `name` in f; sparse: see flow_in. */
struct flow *flow_read_streams(FILE *f, const char *name, bool sparse, char **error);

#endif
