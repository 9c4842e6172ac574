/* trace: one run of a program under test, as run-trace writes it (man5 trace). Read by the
 * strategies' tree, `solve` and `report`. Built by lib/run from the channel, or by trace_read from
 * records. A trace is always checked: operands precede their node, widths fit, indices are in
 * range. */
#ifndef DUCT_TRACE_H
#define DUCT_TRACE_H

#include "lib/rec/rec.h"
#include "lib/protocol/channel.h"

/* A value of up to 128 bits. */
struct value {
	uint64_t lo, hi;
};

bool value_fits(struct value v, unsigned width); /* no bits above width (1..128) */
bool trace_kind_known(int kind);                 /* is it an enum input_kind? */

struct trace_var {
	char *name;
	uint8_t kind;       /* enum input_kind */
	uint16_t width;     /* bits */
	uint32_t offset;    /* byte offset in the object that is an input */
	struct value value; /* in this run */
};

struct trace_unit {
	uint64_t key;
	uint32_t branches, outcomes, blocks, flags;
};

/* A covered outcome: index within the unit (flow's branch record: first + outcome). */
struct trace_cover {
	uint32_t unit, outcome;
};
struct trace_block {
	uint32_t unit, block;
};

enum trace_end { /* record texts: trace_end_name */
	END_EXIT,
	END_SIGNAL,
	END_ABORT,
	END_ASSERT,
	END_DIVISION,
	END_NULL,
	END_SEGV,
	END_BOUNDS,
	END_ERROR,
	END_TIMEOUT,
	END_MEMORY,
	END_OUTPUT,
	END_LIMIT,
	END_REJECTED,
	END_CHECK,
	END_LOST_SERVER,
	END_NEED,
	END_COUNT
};

/* A block entered after `events` events. Between two events, frequent blocks are listed for their
 * first visits and the last. With block 0: a definition of which no byte was left then; kind
 * DUCT_PAIR_RECORD or DUCT_PAIR_LIBRARY. */
struct trace_step {
	uint32_t events, unit, block, def;
	uint8_t kind;
};

/* Inputs a and b (numbers from 1) whose values flow into one decision; 0 and 0: `text` is not
 * followed, so all may. Or a decision about a guards one about b, or a decides something. */
struct trace_meet {
	uint32_t a, b, line, col;
	char *text;
	enum channel_meet_kind kind;
};

struct trace_lost {
	uint32_t unit, place;
	char *reason;
};

/* A limit of duct that the run hit, or a requirement of the function on its callers (`need`). */
struct trace_limit {
	char *kind, *name;
	uint64_t value;
};

/* Did the run take the path of the input's `expect` record? */
enum trace_promise { PROMISE_NONE, PROMISE_KEPT, PROMISE_MISSED };

/* Fields that an operation or event kind does not use are 0. x of EV_LOST, EV_LIMIT and EV_NEED
 * is an index in `lost`, `limit` and `need`; a of INPUT an index in `var`; a of TABLE an offset
 * in `blob`. Units of events are indices in `unit`. All memory but the struct itself is in one
 * arena. */
struct trace {
	uint64_t id; /* of the input record */
	struct channel_node *node;
	size_t nodes; /* node id i is node[i-1] */
	struct trace_var *var;
	size_t vars;
	struct channel_event *event;
	size_t events;
	struct channel_address *address;
	size_t addresses;
	struct trace_unit *unit;
	size_t units;
	struct trace_cover *cover;
	size_t covers; /* outcomes taken, sorted */
	struct trace_block *block;
	size_t blocks;
	struct trace_step *step;
	size_t path; /* sequence of blocks, if the program was
	                built with --pairs */
	struct trace_lost *lost;
	size_t losts;
	struct trace_limit *limit;
	size_t limits;
	struct trace_limit *need;
	size_t needs; /* at most one: it ends the run */
	struct channel_pair *pair;
	size_t pairs; /* def-use pairs that the run exercised */
	struct channel_pair *possible;
	size_t possibles;  /* pairs that EV_ALIAS events ask for */
	uint8_t unaliased; /* they do not ask for all pairs: a set of enum unaliased */
	struct trace_lost *unpaired;
	size_t unpaireds; /* place: instruction of a call that
	                     is not followed */
	struct trace_meet *meet;
	size_t meets;
	bool flows;             /* the program records flows between inputs */
	uint32_t control, risk; /* input on which the open scope (control), or a possible
	                           fault in it (risk), depends; 0: none */
	uint64_t learned;       /* number of places known to be written within scopes */
	uint8_t *blob;
	size_t blob_size; /* bytes of TABLE nodes */
	enum trace_end end;
	int exit_status, signal;                      /* for END_EXIT, END_SIGNAL */
	uint32_t fault_unit, fault_block, fault_line; /* where the run ended; 0: unknown */
	uint32_t left_unit, left_block; /* of the call of exit() that ended it, which trace(5) does
	                                   not tell; 0: none, not known */
	uint32_t fault_inst;            /* last recorded instruction, possibly in another block; 0:
	                                   none */
	char *fault_file, *fault_message; /* or NULL */
	bool has_result;
	int64_t result; /* result of the entry function */
	struct trace_var *wrote;
	size_t wrotes; /* memory inputs with their final values */
	uint64_t steps, cpu_us, left_behind;
	char *output;
	size_t output_size; /* standard output, at most 4 KiB kept */
	enum trace_promise promise;
	uint64_t promised; /* so many conditions, 0 none */
	struct trace_arena *arena;
};

/* Record name of an enum duct_when; NULL for other numbers. */
const char *trace_when_name(uint8_t when);
void trace_clear(struct trace *t); /* frees everything it owns, zeroes it */
const char *trace_end_name(enum trace_end end);
bool trace_end_failure(enum trace_end end); /* failure of the program under test? */

/* Fills t (except id, end, status, output) from a channel of `mapped` bytes that the program under
 * test may have corrupted: everything is copied, then checked. 0, or -1 with *error (caller frees)
 * and t cleared. */
int trace_from_channel(const struct channel *c, size_t mapped, struct trace *t, char **error);

/* NULL when all nodes, events, addresses and indices of t are valid, else a message in buf. */
const char *trace_check(const struct trace *t, char *buf, size_t size);

/* Is it a check after whose failure the run continues, or a pair that is possible? Its condition is
 * not part of the path. */
bool trace_is_aside(const struct channel_event *e);
/* Appends an EV_LIMIT event with its limit. */
void trace_add_limit(struct trace *t, const char *kind, const char *name, uint64_t value);
/* The same for precision that was lost at no place of the program. */
void trace_add_lost(struct trace *t, const char *reason);
/* Is it EV_TAKEN, EV_ASKED or EV_EFFECT? What they tell constrains no input. */
bool trace_is_note(const struct channel_event *e);
/* Does the event constrain inputs, i.e. belong to the path condition? All but EV_LOST, EV_CALL,
 * EV_RETURN, EV_LIMIT, EV_NEED, notes and checks aside. */
bool trace_is_condition(const struct channel_event *e);
/* The path expected of an input that negates event `event` to `outcome`: *conditions: number of
 * path conditions including it; returns a hash of their outcomes. For a check aside: the path
 * before it. */
uint64_t trace_expect(const struct trace *t, size_t event, uint64_t outcome, uint64_t *conditions);
/* Does t start with this path? */
bool trace_kept(const struct trace *t, uint64_t conditions, uint64_t hash);

/* Reads one trace, up to its `done` record. REC_END at the end of the streams. */
enum rec_status trace_read(struct rec_reader *r, struct trace *t);
void trace_write(struct rec_writer *w, const struct trace *t);

/* An input record (man5 inputs): id and named values. */
struct input_value {
	char *name;
	uint8_t kind;
	uint16_t width;  /* 0: it has no value, and only varies */
	uint32_t offset; /* as in trace_var, from the run that created the input;
	                    not in records */
	struct value value;
	bool varies; /* symbolic, if `part` of the inputs are */
};
struct input {
	uint64_t id;
	bool part;
	struct input_value *v;
	size_t n;
	uint64_t expect, expect_hash; /* expected path, see trace_expect; expect 0: none */
};
/* Adds a value; copies the name. */
void input_add(struct input *in, const char *name, uint8_t kind, uint16_t width, struct value v);
void input_clear(struct input *in);
enum rec_status input_read(struct rec_reader *r, struct input *in);
void input_write(struct rec_writer *w, const struct input *in);

#endif
