/* channel: the shared memory between run-trace (lib/run) and a program under test
 * (lib/runtime). One mapping of a memfd, made by run-trace, inherited over exec as
 * descriptor DUCT_CHANNEL (environment variable, decimal). The program may be arbitrary
 * and may write anything here: the reader checks every index.
 *
 * Fork-server protocol. Environment: DUCT_CHANNEL=fd of the memfd, DUCT_CONTROL=fd of a
 * socket. At the start of main the runtime writes the units table, then sends
 * struct channel_hello. For each run, run-trace fills the `input` area and the parameters,
 * sets the used counters (node var event address blob) to 0, clears the cover area, and
 * sends struct channel_go. Answers are struct channel_answer. The server clears the
 * results, forks, answers ANSWER_STARTED with the child's pid, waits for the child, kills whatever
 * the child left behind (it is a subreaper; the child leads a process group), and answers
 * ANSWER_DONE. A child that can be rewound answers ANSWER_DONE itself and serves further runs,
 * which begin without ANSWER_STARTED: its pid is the one sent last. ANSWER_AGAIN: the child could
 * not be rewound; run-trace prepares the channel again and sends go. ANSWER_LAST is ANSWER_DONE of
 * a server that ends with it, because the next run would find something of this one. End of file on
 * the control socket ends the server.
 */
#ifndef DUCT_CHANNEL_H
#define DUCT_CHANNEL_H

#include <stdint.h>

#define CHANNEL_MAGIC 0x74637564u /* "duct" */
#define CHANNEL_VERSION 8
#define CHANNEL_LEFT 2

/* An area of the mapping; offsets and sizes in bytes from the start of the mapping. */
struct channel_area {
	uint64_t offset, capacity; /* set by run-trace */
	uint64_t used;             /* bytes used; set by the writer of the area */
};

/* A symbolic expression; node ids are 1 + index in the area, operands precede users.
 * Node 0 means concrete. Meaning of op, a, b, c: lib/protocol/op.h. `value` is the node's
 * concrete value in this run (low 64 bits), CONST: the constant. */
struct channel_node {
	uint8_t op, reserved; /* reserved: the runtime's own flags */
	uint16_t width;       /* bits; 0 for arrays */
	uint32_t a, b, c;
	uint64_t value;
};

/* An input variable met in this run, in order of first use; index from 0. Its node is an
 * INPUT. The value is little endian, size = (width + 7) / 8 bytes, at most 16. */
struct channel_var {
	uint64_t name; /* blob offset of the NUL-terminated name, e.g. "p[0].x" */
	uint8_t kind;  /* enum input_kind */
	uint8_t given; /* 1: the input record named it; 0: default (0) was taken */
	uint16_t width;
	uint32_t offset; /* bytes from the start of the object that was made an input */
	uint8_t value[16];
};

enum input_kind {        /* letter in records */
	INPUT_INT = 'i', /* signed */
	INPUT_UINT = 'u',
	INPUT_CHAR = 'c', /* plain char or byte of text */
	INPUT_BOOL = 'b', /* 0 or 1 only */
	INPUT_FLOAT = 'f',
	INPUT_CHOICE = 'n', /* a choice of the harness: 0 .. limit-1 */
	INPUT_OBJECT = 'o'  /* a fact about the run, no input. NAME.bytes: how many bytes of the
	                     object of NAME were accessed; NAME.before: how many elements before
	                     NAME[0]; NAME.freed: the program freed it; .calls: how often the entry
	                     was  called */
};

/* The events of the run, in order. */
struct channel_event {
	uint16_t kind; /* enum event_kind */
	uint16_t flags;
	uint32_t unit; /* index in the units table */
	uint32_t id;   /* id within the unit; meaning by kind */
	uint32_t node; /* condition or value; 0 if concrete */
	uint64_t x, y; /* by kind */
};

enum event_kind {
	/* A two-way condition. id = branch, node has width 1, x = outcome: 1 true 0 false, as
	 * the value of node. Only symbolic ones, and none whose node is already decided by
	 * the path. */
	EV_BRANCH = 1,
	/* A switch on a symbolic value. id = branch; node = value; x = outcome index (0 ..
	 * cases-1 in the order of the flow record, cases = default); y = the value. */
	EV_SWITCH,
	/* A condition that constrains: duct_assume(node), x = its value; id = last block marker.
	 * When x is 0 the run ends as rejected, and a search may flip it; when 1 it is a
	 * constraint, no branch. */
	EV_ASSUME,
	/* A condition inside an assumption's argument. flags bit 0: the outcome taken is
	 * implied by the assumption holding (then it is a constraint); else it may be flipped
	 * but makes no new path of the program. Otherwise as EV_BRANCH. */
	EV_ASSUME_BRANCH,
	/* duct_assert(node) or the like: x = value; id = last block marker; flipped to find a
	   failure. */
	EV_ASSERT,
	/* A condition decided inside a library model or the runtime (end of file, choice of
	 * the harness, ...): a path condition but no objective. id = 0 or branch of a unit of
	 * library models.
	 */
	EV_MODEL,
	/* A memory access at a symbolic address. node = the condition "within the object",
	 * width 1; x = its value; y = 1 + index of the EV_OBJECT-like description in
	 * the address area. May be flipped: the index leaves its object. Node 0 (and x 1):
	 * the access is always within; the event only places the address in the order. */
	EV_BOUNDS,
	/* Precision lost: id = place (inst id or 0), x = blob offset of the reason text. */
	EV_LOST,
	EV_CALL, /* id = function; when asked */
	EV_RETURN,
	/* A place where a fault could happen. id = instruction; node = the condition that it does
	 * not, 0 when concrete; x = its value; y = enum check_kind. flags bit 0: the run goes on
	 * after the fault, so that the condition constrains nothing that follows: it is asked for
	 * at this point of the path and is no part of it. Concrete ones only when x is 0, and then
	 * once a place and run. */
	EV_CHECK,
	/* EV_TAKEN: an outcome x of a condition, id = branch, that the path implies. The condition
	 * node compares with NULL a pointer that a caller passes. In programs built for abstract
	 * calls (instrument --abstract), if the run was asked for them: any outcome that is
	 * concrete or implied, node 0. EV_ASKED, of these programs, too: a call of a
	 * function that may be abstract, id = function; x = enum asked. One that is executed ends
	 * with EV_RETURN; flags bit 0: x = the integer that it returns, node its value, if it is
	 * symbolic. Before it, EV_EFFECT: what the call leaves in the y-th part, from 1, of the
	 * memory that an abstract call would have made inputs; x, node likewise. */
	EV_TAKEN,
	EV_ASKED,
	EV_EFFECT,
	/* The run touched a limit of duct's own: x = its value, y = blob offset of "KIND NAME"
	 * (lib/limits); once a run for each. */
	EV_LIMIT,
	/* The run ends (FAULT_NEED) because its caller violated a precondition of the function; x
	   and y as of EV_LIMIT. */
	EV_NEED,
	/* A pair that the run did not exercise, though it passed the definition and the use,
	 * because an address that depends on inputs had another value. id = the pair, counted from
	 * 1 among those of the pair area that are only possible; node = the condition that it is
	 * not exercised here, x = 1. Like a check whose fault the run survives, it constrains no
	 * later event. */
	EV_ALIAS,
	EV_KINDS
};

/* How a call that may be abstract was executed. */
enum asked {
	ASKED_REAL,     /* executed, as one of the first that the input asks to execute */
	ASKED_ABSTRACT, /* not executed: what it returns and writes are inputs */
	ASKED_CONCRETE  /* executed, because nothing that it may read is symbolic */
};

#define CHECK_ASIDE 1u /* flags of EV_CHECK */

/* Kinds of checks for faults; names in checks.c. */
enum check_kind {
	CHECK_NONE,
	CHECK_DIV,      /* division by zero, or of the least number by -1 */
	CHECK_BOUNDS,   /* an access that leaves its object */
	CHECK_NULL,     /* an access through a null pointer */
	CHECK_OVERFLOW, /* signed integer overflow */
	CHECK_SHIFT,    /* a shift by the width or more, or by less than 0 */
	CHECK_UNINIT,   /* a decision on bytes that were never written */
	CHECK_LEAK,     /* memory that nothing points to when the program ends */
	CHECK_KINDS,
	/* criteria whose objectives are conditions at instructions; not in events */
	CHECK_BOUNDARIES = 16,
	CHECK_LOOPS,
	CHECK_MUTANTS,
	CHECK_CALLS,
	CHECK_PATHS
};

/* Objectives of such criteria at one instruction, in EV_CHECK instead of a kind of fault: "the
 * fault happens" is "the objective's condition holds", and the run always goes on. Names in
 * checks.c. */
enum objective_kind {
	OBJECTIVE_FIRST = 32,
	OBJECTIVE_BELOW = OBJECTIVE_FIRST, /* the left operand is one less than the right one */
	OBJECTIVE_EQUAL,
	OBJECTIVE_ABOVE,    /* one more */
	OBJECTIVE_ZERO,     /* the loop is left before its body, */
	OBJECTIVE_ONE,      /* in or after the first time, */
	OBJECTIVE_MANY,     /* later */
	OBJECTIVE_IF_LESS,  /* mutants of a comparison differ where the left operand is less, */
	OBJECTIVE_IF_EQUAL, /* the operands are equal, */
	OBJECTIVE_IF_MORE,  /* the left operand is more */
	OBJECTIVE_OPERATOR, /* the result of another operator differs */
	OBJECTIVE_OPERATOR2,
	OBJECTIVE_CONSTANT, /* with the right operand one more, one less */
	OBJECTIVE_CONSTANT2,
	OBJECTIVE_DELETION, /* the assignment changes the variable */
	OBJECTIVE_END,
	OBJECTIVE_WAY = 64, /* control reached this place after a given call, or on a given path */
	OBJECTIVE_WAYS = 100
};

/* One symbolic address, in order of access; referred to by EV_BOUNDS.y. */
struct channel_address {
	uint32_t node;         /* the byte offset within the object, 64 bits */
	uint32_t array_before; /* TABLE/STORE node that was read or written */
	uint32_t array_after;  /* after a write; 0 for a read */
	uint32_t value;        /* node that was read or written (0: concrete) */
	uint64_t object;       /* concrete base address */
	uint64_t object_size;  /* bytes */
	uint64_t address;      /* concrete address of the access */
	uint32_t bytes;
	uint32_t reserved;
};

/* A unit of the program, in link order; written once by the server before hello. */
struct channel_unit {
	uint64_t key;      /* content key of the unit's flow records */
	uint32_t branches; /* ids 1..branches */
	uint32_t outcomes; /* bytes of outcome coverage */
	uint32_t blocks;   /* ids 1..blocks */
	uint32_t flags;    /* bit 0: library model, no objectives */
	uint64_t cover;    /* offset in the cover area: outcomes bytes, then blocks bytes */
};

/* A pair that the run exercised, reported once. Numbers are those of the units' flow. */
enum duct_pair_kind {
	DUCT_PAIR_NONE,            /* def: the value is the initial one of the run */
	DUCT_PAIR_RECORD = 'd',    /* def record */
	DUCT_PAIR_USE = 'u',       /* use record */
	DUCT_PAIR_LOST = 'x',      /* no pair: instruction `use` calls code that is not followed;
	                              outcome: blob offset of its name */
	DUCT_PAIR_UNALIASED = 'a', /* no pair: there are possible pairs without an EV_ALIAS */
	DUCT_PAIR_LIBRARY = 'l',   /* instruction that calls a library function */
	DUCT_PAIR_RESULT =
	    'r', /* def: instruction that returns a result; use: the call that gets it */
	DUCT_PAIR_OBJECTIVE = 'o' /* no pair: see record.h; use: its instruction */
};
/* The outcome of DUCT_PAIR_UNALIASED. */
enum unaliased {
	UNALIASED_ALL = 1,
	UNALIASED_READS = 2 /* only the extent that library functions read depends on inputs */
};
#define DUCT_PAIR_C UINT32_MAX                                        /* outcome of a c-use */
enum duct_when { DUCT_SEVERAL, DUCT_SAME, DUCT_BEFORE, DUCT_CALLEE }; /* DUCT_SEVERAL: see abi.h */
struct channel_pair {
	uint32_t def_unit, def;
	uint32_t use_unit, use;
	uint32_t outcome;
	uint32_t site_unit,
	    site; /* call that passed the value of a parameter; 0 not known, or none */
	uint8_t def_kind, use_kind, when,
	    possible; /* when: in the activation of the use, before it began, or in a callee;
	                 possible: not exercised; an alias event has the condition for it */
};

/* Two inputs whose values flow into one decision, reported once for each two classes of inputs. a
 * is 0 if the run called code that is not followed: any two inputs may meet in a decision there. */
enum channel_meet_kind {
	MEET_VALUES,
	MEET_GUARD,  /* a decision about a determines whether a decision about b is made, and which
	              */
	MEET_DECIDES /* a flows into a decision; b is the same */
};
struct channel_meet {
	uint32_t kind, unused; /* enum channel_meet_kind */
	uint32_t a, b;         /* 1 + index in the variables */
	uint32_t line, col;
	uint64_t text; /* blob offset of the file, or of the code that is not followed */
};

/* A block that was entered after that many events. Of a block that is entered often between two
 * events, the first entries and the last one are reported. After the blocks come the definitions
 * that have no byte left at that time: later ones overwrote them all. */
#define CHANNEL_STEP_INST 0x80000000u /* def: an instruction that calls a library function */
struct channel_step {
	uint32_t events;
	uint32_t cover; /* offset of its byte in the cover area; of a definition, its unit */
	uint32_t def;   /* number of the definition there, 0: a block */
};

enum channel_fault { /* why the child stopped itself; struct channel.fault */
	FAULT_NONE,
	FAULT_ASSERT,   /* message: text; file, line */
	FAULT_REJECTED, /* an assumption failed */
	FAULT_ERROR,    /* reach_error() */
	FAULT_BOUNDS,   /* a symbolic address left its object */
	FAULT_LIMIT, /* depth, steps or size of an object, or an area is full: message says which */
	FAULT_CHECK, /* checking build: value and expression differ: our bug */
	FAULT_ABORT, /* abort() */
	FAULT_NEED   /* see EV_NEED */
};

struct channel {
	uint32_t magic, version;
	uint64_t size;
	struct channel_area input, node, var, event, address, blob, cover, unit;
	/* parameters of the next run, set by run-trace */
	uint64_t max_depth; /* symbolic branches; 0 none */
	uint64_t max_steps; /* block markers passed; 0 none */
	uint32_t flags;     /* CHANNEL_* */
	uint32_t reserved;
	/* results of the run, set by the child */
	uint32_t fault; /* enum channel_fault */
	uint32_t fault_unit,
	    fault_id; /* last block marker passed, id 0 none; set by the server after
	               * the child has ended, so also right when it was killed */
	uint32_t fault_line;
	uint64_t fault_message, fault_file; /* blob offsets, 0 none */
	uint64_t fault_address;             /* si_addr of SIGSEGV */
	uint64_t steps;                     /* block markers passed; by the server, as fault_unit */
	int64_t result; /* return value of the entry function, when has_result */
	uint32_t has_result;
	uint32_t finished;  /* 1: the entry function returned; CHANNEL_LEFT: the program called
	                       exit() */
	int32_t fault_code; /* si_code of the signal that the handler saw, 0 none seen or
	                       sent by kill: a null address needs SEGV_MAPERR or _ACCERR */
	uint32_t refused;   /* failed requests for memory in this run */
	uint32_t forks; /* processes made in this run; the library model of fork refuses beyond */
	uint32_t max_forks;        /* this many (set by run-trace) */
	uint32_t fault_at, unused; /* instruction that woven code noted last, of fault_unit; 0 none.
	                              By the server, as fault_unit */
	/* The symbolic environment, set by run-trace before the server starts: NUL-terminated texts
	 * "stdin=SIZE" "file:NAME=SIZE" "arg:INDEX=SIZE" "env:NAME=SIZE", "faults=COUNT",
	 * "input:GROUP=1", "abstract:..." (lib/runtime/abstract.c). Values come as inputs stdin[i]
	 * stdin.len NAME[i] NAME.len argv[I][j] env.NAME[j] fault.FUNCTION[i] GROUP.FUNCTION[i]. */
	struct channel_area setup;
	struct channel_area pair, step, meet;
	struct channel_area
	    wrote; /* channel_var: inputs in memory that the call under test changed */
	/* Programs that tell flows (instrument --flows). */
	uint32_t flows; /* 1: this one does */
	/* Inputs as 1 + index, 0 none. flow_control: the decision in whose scope the run is depends
	 * on it. flow_risk: the last operation that could end the run depends on it. */
	uint32_t flow_control, flow_risk;
	uint32_t flow_map; /* 1 + the descriptor of a flow map (flowmap.h); 0: the server's own */
	uint64_t flow_learned; /* places that runs so far have written within scopes */
	uint64_t cpu_began; /* CPU time that the run's process had used before, in microseconds */
};

#define CHANNEL_CALLS 1u /* record EV_CALL and EV_RETURN */
#define CHANNEL_FORK 2u  /* a process for each run, none rewound */
#define CHANNEL_PART 4u  /* only inputs marked CHANNEL_VARIES are symbolic */

/* Input area: values by name. entries until used: */
struct channel_input {
	uint16_t name_len; /* without NUL; the name follows, then `size` value bytes, */
	uint16_t size;     /* then padding to a multiple of 8 from the entry's start; and a mark: */
};
#define CHANNEL_VARIES 0x8000u

struct channel_hello {
	uint32_t magic, version, units, reserved;
};
struct channel_go {
	uint32_t run;
};
enum channel_word { ANSWER_STARTED = 1, ANSWER_DONE, ANSWER_AGAIN, ANSWER_LAST };
struct channel_answer {
	uint32_t word;
	int32_t pid;          /* ANSWER_STARTED */
	int32_t status;       /* ANSWER_DONE, ANSWER_LAST: wait status */
	uint32_t left_behind; /* processes */
	uint64_t cpu_us;
};

#endif
