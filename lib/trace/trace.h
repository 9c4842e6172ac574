/* trace: one run of a program under test, as run-trace tells it (man5 trace) and as the
 * strategies' tree, `solve` and `report` read it. Built by lib/run from the channel, or by
 * trace_read from records. Everything in a trace is checked: node operands precede their
 * node, widths fit, indices are in range.
 */
#ifndef DUCT_TRACE_H
#define DUCT_TRACE_H

#include "lib/rec/rec.h"
#include "lib/runtime/channel.h"

/* A value of up to 128 bits. */
struct value { uint64_t lo, hi; };

struct trace_var {
	char *name;
	uint8_t kind;                /* enum input_kind */
	uint16_t width;              /* bits */
	struct value value;          /* in this run */
};

struct trace_unit { uint64_t key; uint32_t branches, outcomes, blocks, flags; };

/* Outcome covered: index within the unit (flow branch record: first + outcome). */
struct trace_cover { uint32_t unit, outcome; };
struct trace_block { uint32_t unit, block; };

enum trace_end {                     /* text in records: names below */
	END_EXIT, END_SIGNAL, END_ABORT, END_ASSERT, END_DIVISION, END_NULL, END_SEGV,
	END_BOUNDS, END_ERROR, END_TIMEOUT, END_MEMORY, END_OUTPUT, END_LIMIT, END_REJECTED,
	END_CHECK, END_LOST_SERVER, END_COUNT
};

struct trace_lost { uint32_t unit, place; char *reason; };

struct trace {
	uint64_t id;                 /* of the input record that was run */
	struct channel_node *node;   size_t nodes;   /* node id i is node[i-1] */
	struct trace_var *var;       size_t vars;
	struct channel_event *event; size_t events;
	struct channel_address *address; size_t addresses;
	struct trace_unit *unit;     size_t units;
	struct trace_cover *cover;   size_t covers;  /* outcomes taken, sorted */
	struct trace_block *block;   size_t blocks;
	struct trace_lost *lost;     size_t losts;
	uint8_t *blob;               size_t blob_size; /* for TABLE nodes */
	enum trace_end end;
	int exit_status, signal;     /* for END_EXIT, END_SIGNAL */
	uint32_t fault_unit, fault_block, fault_line;  /* where it ended, 0 none */
	char *fault_file, *fault_message;              /* or NULL */
	bool has_result; int64_t result;               /* of the entry function */
	uint64_t steps, cpu_us, left_behind;
	char *output; size_t output_size;              /* standard output, at most 4 KiB kept */
};

void trace_clear(struct trace *t);               /* frees all that it owns, zeroes it */
const char *trace_end_name(enum trace_end end);
bool trace_end_failure(enum trace_end end);      /* a failure of the program under test? */

/* Reads one trace (up to its `done` record). REC_END at the end of the streams. */
enum rec_status trace_read(struct rec_reader *r, struct trace *t);
void trace_write(struct rec_writer *w, const struct trace *t);

/* An input record (man5 inputs): id and values by name. */
struct input_value { char *name; uint8_t kind; uint16_t width; struct value value; };
struct input { uint64_t id; struct input_value *v; size_t n; };
void input_clear(struct input *in);
enum rec_status input_read(struct rec_reader *r, struct input *in);
void input_write(struct rec_writer *w, const struct input *in);

#endif
