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

bool value_fits(struct value v, unsigned width);     /* no bits above width (1..128) */
bool trace_kind_known(int kind);                     /* is it an enum input_kind? */

struct trace_var {
	char *name;
	uint8_t kind;                /* enum input_kind */
	uint16_t width;              /* bits */
	uint32_t offset;             /* bytes into the object that was made an input */
	struct value value;          /* in this run */
};

struct trace_unit { uint64_t key; uint32_t branches, outcomes, blocks, flags; };

/* Outcome covered: index within the unit (flow branch record: first + outcome). */
struct trace_cover { uint32_t unit, outcome; };
struct trace_block { uint32_t unit, block; };

enum trace_end {                     /* text in records: names below */
	END_EXIT, END_SIGNAL, END_ABORT, END_ASSERT, END_DIVISION, END_NULL, END_SEGV,
	END_BOUNDS, END_ERROR, END_TIMEOUT, END_MEMORY, END_OUTPUT, END_LIMIT, END_REJECTED,
	END_CHECK, END_LOST_SERVER, END_NEED, END_COUNT
};

/* A block that was entered after that many events; those that were passed often between two events are told
 * the first times and the last. With block 0, a definition of which no byte was left then: kind
 * DUCT_PAIR_RECORD or DUCT_PAIR_LIBRARY. */
struct trace_step { uint32_t events, unit, block, def; uint8_t kind; };

/* Inputs that flow into one decision, by number from 1; 0 and 0: `text` is not followed, all may meet. */
struct trace_meet { uint32_t a, b, line, col; char *text; };

struct trace_lost { uint32_t unit, place; char *reason; };

/* A limit of duct's own that the run touched, or what the function asks of its callers. */
struct trace_limit { char *kind, *name; uint64_t value; };

/* Was the path run that the input's `expect` record promised? */
enum trace_promise { PROMISE_NONE, PROMISE_KEPT, PROMISE_MISSED };

/* Fields that an operation or an event kind does not use are 0. The x of EV_LOST, EV_LIMIT and EV_NEED
 * events is their index in `lost`, `limit` and `need`; INPUT's a an index in `var`; TABLE's a an offset in `blob`. Units
 * of events are indices in `unit`. Everything but the struct itself lives in one arena. */
struct trace {
	uint64_t id;                 /* of the input record that was run */
	struct channel_node *node;   size_t nodes;   /* node id i is node[i-1] */
	struct trace_var *var;       size_t vars;
	struct channel_event *event; size_t events;
	struct channel_address *address; size_t addresses;
	struct trace_unit *unit;     size_t units;
	struct trace_cover *cover;   size_t covers;  /* outcomes taken, sorted */
	struct trace_block *block;   size_t blocks;
	struct trace_step *step;     size_t path;      /* blocks in order, of programs that watch pairs */
	struct trace_lost *lost;     size_t losts;
	struct trace_limit *limit;   size_t limits;
	struct trace_limit *need;    size_t needs;   /* one at most: it ends the run */
	struct channel_pair *pair;   size_t pairs;   /* of definitions and uses, that the run exercised */
	struct trace_lost *unpaired; size_t unpaireds;       /* place: instruction that calls what is not followed */
	struct trace_meet *meet;     size_t meets;
	bool flows;                  /* the program tells flows */
	uint32_t control, risk;      /* an input that the open scope, or what could end the run there, depends on; 0 none */
	uint64_t learned;            /* places known to be written within scopes */
	uint8_t *blob;               size_t blob_size; /* for TABLE nodes */
	enum trace_end end;
	int exit_status, signal;     /* for END_EXIT, END_SIGNAL */
	uint32_t fault_unit, fault_block, fault_line;  /* where it ended, 0 none */
	uint32_t fault_inst;         /* instruction noted last, perhaps in another block; 0 none */
	char *fault_file, *fault_message;              /* or NULL */
	bool has_result; int64_t result;               /* of the entry function */
	struct trace_var *wrote;     size_t wrotes;  /* inputs in memory with the values that it left there */
	uint64_t steps, cpu_us, left_behind;
	char *output; size_t output_size;              /* standard output, at most 4 KiB kept */
	enum trace_promise promise;
	struct trace_arena *arena;
};

/* Of enum duct_when, as records have it; NULL for another number. */
const char *trace_when_name(uint8_t when);
void trace_clear(struct trace *t);               /* frees all that it owns, zeroes it */
const char *trace_end_name(enum trace_end end);
bool trace_end_failure(enum trace_end end);      /* a failure of the program under test? */

/* Fills t (id, end, status, output excepted) from a channel that is mapped with `mapped` bytes
 * and that the program under test may have scribbled over: all is copied, then checked.
 * 0, or -1 with *error (caller frees) and t cleared. */
int trace_from_channel(const struct channel *c, size_t mapped, struct trace *t, char **error);

/* NULL when every node, event, address and index of t is sound, else a message in buf. */
const char *trace_check(const struct trace *t, char *buf, size_t size);

/* A check after whose fault the run goes on: its condition stands beside the path, not on it. */
bool trace_is_aside(const struct channel_event *e);
/* A limit of duct's own that the run touched, behind its last event; false when out of memory. */
bool trace_add_limit(struct trace *t, const char *kind, const char *name, uint64_t value);
/* EV_TAKEN or EV_ASKED: it has an outcome and no expression. */
bool trace_is_note(const struct channel_event *e);
/* Path conditions are the events that constrain inputs: all but EV_LOST, EV_CALL, EV_RETURN, EV_LIMIT,
 * EV_NEED, notes and checks aside. */
bool trace_is_condition(const struct channel_event *e);
/* What an input made by flipping event `event` to `outcome` promises: *conditions is the
 * number of path conditions up to and with it, the result a hash of their outcomes. A check
 * aside promises the path before it. */
uint64_t trace_expect(const struct trace *t, size_t event, uint64_t outcome, uint64_t *conditions);
/* Does t begin with these conditions? */
bool trace_kept(const struct trace *t, uint64_t conditions, uint64_t hash);

/* Reads one trace (up to its `done` record). REC_END at the end of the streams. */
enum rec_status trace_read(struct rec_reader *r, struct trace *t);
void trace_write(struct rec_writer *w, const struct trace *t);

/* An input record (man5 inputs): id and values by name. */
struct input_value {
	char *name;
	uint8_t kind;
	uint16_t width;
	uint32_t offset;                 /* where the run that met it found it, as in trace_var; not in records */
	struct value value;
	bool varies;                     /* where only part of the inputs is symbolic: it is */
};
struct input {
	uint64_t id;
	bool part;
	struct input_value *v; size_t n;
	uint64_t expect, expect_hash;    /* promised path as from trace_expect; expect 0: none */
};
/* Adds a value, the name copied; false when out of memory. */
bool input_add(struct input *in, const char *name, uint8_t kind, uint16_t width, struct value v);
void input_clear(struct input *in);
enum rec_status input_read(struct rec_reader *r, struct input *in);
void input_write(struct rec_writer *w, const struct input *in);

#endif
