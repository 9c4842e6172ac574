/* inner: private to the files read*.c of lib/trace: the reader of records, and what each of its
 * parts reads. */
#ifndef DUCT_TRACE_INNER_H
#define DUCT_TRACE_INNER_H

#include "lib/trace/arena.h"
#include "lib/trace/check.h"

/* A trace under construction. */
struct trace_in {
	struct rec_reader *r;
	struct rec rec;
	struct trace *t;
	size_t room; /* capacity of the blob */
	bool done;
};

/* Appends an element of the array `field` of the trace, counted by `count`. */
#define APPEND(d, field, count, element) \
	trace_in_append( \
	    d, (void **)&(d)->t->field, &(d)->t->count, sizeof *(d)->t->field, &(element))

bool trace_in_append(struct trace_in *d, void **array, size_t *n, size_t size, const void *element);

/* Fields of the current record. Each returns false after an error message. */
bool trace_in_want(struct trace_in *d, size_t min, size_t max); /* its number of fields */
bool trace_in_num(struct trace_in *d, size_t i, const char *what, uint64_t max, uint64_t *out);
bool trace_in_num32(struct trace_in *d, size_t i, const char *what, uint32_t *out);
bool trace_in_next_id(struct trace_in *d, const char *what, size_t n); /* field 1 is n + 1 */
bool trace_in_unit_index(
    struct trace_in *d, uint32_t *unit);           /* field 1, a unit id or 0, as an index */
char *trace_in_text(struct trace_in *d, size_t i); /* a copy, which lives as long as the trace */
/* Fails with the reason, if there is one. */
bool trace_in_sound(struct trace_in *d, const char *why);

/* read_path.c: expressions and events. */
bool trace_read_node(struct trace_in *d);
bool trace_read_address(struct trace_in *d);
bool trace_read_branch(struct trace_in *d);
bool trace_read_switch(struct trace_in *d);
bool trace_read_assume(struct trace_in *d);
bool trace_read_assume_branch(struct trace_in *d);
bool trace_read_assert(struct trace_in *d);
bool trace_read_model(struct trace_in *d);
bool trace_read_bounds(struct trace_in *d);
bool trace_read_check(struct trace_in *d);
bool trace_read_call(struct trace_in *d); /* and return */
bool trace_read_note(struct trace_in *d); /* taken, asked */
bool trace_read_effect(struct trace_in *d);
bool trace_read_lost(struct trace_in *d);
bool trace_read_limit(struct trace_in *d);
bool trace_read_need(struct trace_in *d);

/* read_pairs.c: definitions and uses, and which inputs flow where. */
bool trace_read_pair(struct trace_in *d); /* and possible */
bool trace_read_alias(struct trace_in *d);
bool trace_read_unaliased(struct trace_in *d);
bool trace_read_unpaired(struct trace_in *d);
bool trace_read_way(struct trace_in *d);
bool trace_read_gone(struct trace_in *d);
bool trace_read_meet(struct trace_in *d); /* and guard */
bool trace_read_decides(struct trace_in *d);
bool trace_read_unfollowed(struct trace_in *d);
bool trace_read_flows(struct trace_in *d);

#endif
