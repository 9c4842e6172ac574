/* read: private to lib/flow: the state of a reader of flow(5). */
#ifndef DUCT_FLOW_READ_H
#define DUCT_FLOW_READ_H

#include "lib/base/grow.h"
#include "lib/flow/flow.h"

struct flow_in {
	struct rec_reader *r;
	const struct rec *rec;  /* the current record */
	struct flow_unit *u;    /* the current unit */
	uint32_t want_branches; /* from the unit record */
	uint32_t blocks;        /* block records so far */
	uint32_t inst;          /* the last instruction and its position */
	struct flow_pos inst_pos;
	size_t defs, uses;
	size_t sparse; /* if instructions other than calls were removed: size of
	                  the stream before that, else 0 */
};

/* Parse fields of the current record; false after rec_fail. */
bool flow_in_id(
    struct flow_in *in, size_t i, const char *what, size_t max, bool none, uint32_t *out);
bool flow_in_next_id(struct flow_in *in, size_t have); /* id must be `have` + 1 */
bool flow_in_number(struct flow_in *in, size_t i, const char *what, uint64_t max, uint64_t *out);
bool flow_in_small(struct flow_in *in, size_t i, const char *what, uint32_t *out);
bool flow_in_position(struct flow_in *in, size_t i, struct flow_pos *p);
bool flow_in_letter(struct flow_in *in, size_t i, const char *what, const char *set, char *out);
bool flow_in_text(struct flow_in *in, size_t i, char **out);

/* inst.c: records of instructions and what belongs to them */
bool flow_read_inst(struct flow_in *in);
bool flow_read_line(struct flow_in *in); /* replaces removed instructions */
bool flow_read_def(struct flow_in *in);
bool flow_read_use(struct flow_in *in);
bool flow_read_reloc(struct flow_in *in);
bool flow_read_home(struct flow_in *in);
bool flow_read_alias(struct flow_in *in);
bool flow_read_static(struct flow_in *in);
bool flow_read_weak(struct flow_in *in);
bool flow_read_qualified(struct flow_in *in);
bool flow_read_data(struct flow_in *in);
bool flow_read_init(struct flow_in *in);
bool flow_read_exact(struct flow_in *in);

/* False after rec_fail. */
bool flow_read_unit(struct flow_in *in);
bool flow_read_record(struct flow_in *in);
/* sound.c: checks a complete unit: counts, and relations between its records. */
bool flow_unit_is_sound(struct flow_in *in);
/* Adds the record to the hash of its function. */
void flow_hash_record(struct flow_in *in);
/* Reads the streams in f; `name` for messages; sparse: see flow_in. */
struct flow *flow_read_streams(FILE *f, const char *name, size_t sparse, char **error);

#endif
