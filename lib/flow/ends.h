/* ends: decides which of the blocks that a run entered it certainly executed to their ends. A run
 * executes only the first part of a block if a call in it ends the run or is left by longjmp(), or
 * if that happens while the call is active. */
#ifndef DUCT_ENDS_H
#define DUCT_ENDS_H

#include "lib/base/texts.h"
#include "lib/flow/flow.h"

/* The part of a unit's program model that this analysis needs; lines, calls and objectives are in
 * the order of the program model. */
struct ends_unit {
	uint32_t outcomes, blocks;
	size_t lines, calls, checks;
	struct ends_edge {
		uint32_t to, outcome; /* outcome: UINT32_MAX without a condition */
	} *edge;
	struct ends_call {
		uint32_t block, line;
		uint32_t callee; /* number of its name, 0: through a pointer */
		bool foreign;    /* it may call back functions of the program unless the program
		                    defines it */
		bool jumps;      /* it is longjmp(), or may call it unless the program defines it */
		bool lands;      /* setjmp() */
	} *call;
	struct ends_line {
		uint32_t block, line;
	} *line;
	struct ends_check {
		uint32_t inst, kind; /* kind 0: no objective */
	} *check;
	uint32_t *first_edge, *first_call, *first_line,
	    *entered;              /* by block; entered: index into `from` */
	uint32_t *from;            /* predecessors of blocks */
	uint32_t *function;        /* number of its name, by block */
	uint32_t *defined, *taken; /* functions: all of the unit; those whose address is taken */
	size_t funcs, takens;
	bool jumps,
	    handles; /* the unit calls setjmp(); a function that installs a signal handler */
};
/* names: the numbers of function names, shared by all units of a program. */
struct ends_unit *ends_unit_new(const struct flow_unit *u, struct texts *names);
void ends_unit_free(struct ends_unit *u);
/* The objective of that instruction and kind; false: there is none. */
bool ends_find_check(const struct ends_unit *u, uint32_t inst, uint32_t kind, size_t *out);

/* How a run ended: main, or the entry, returned; in a call that does not return; within a block, at
 * a fault or a limit; not known. */
enum ends_how { ENDS_RETURN, ENDS_CALL, ENDS_WITHIN, ENDS_UNKNOWN };
struct ends {
	bool surely; /* all entered blocks were executed to their ends, except those of active calls
	              */
	bool likely; /* where the run ended is not known */
	bool within;
	bool jumps;       /* the program calls setjmp(): jumps may have left calls earlier */
	uint32_t *active; /* functions that may have been active at the end, sorted; the run ended
	                     in `block` of `unit` */
	size_t actives;
	/* If the program calls setjmp(), sorted: functions that may call longjmp(), directly or
	 * not; functions that call setjmp(), and those that they may call, directly or not. */
	uint32_t *jumping, *behind;
	size_t jumpings, behinds;
	bool back; /* the address of an active function is taken: library code may call it */
	struct ends_unit *const *all;
	size_t units;
	const struct ends_unit *unit;
	uint32_t block, line;
};
/* unit: the n units of the program, borrowed; last, block: where the run ended, last NULL: not
 * known; line: line of that instruction, 0: not known; threads: other threads may have run then. */
struct ends ends_new(struct ends_unit *const *unit, size_t n, enum ends_how how, bool threads,
    const struct ends_unit *last, uint32_t block, uint32_t line);
void ends_free(struct ends *e);
/* May the run have left the block in its middle, whichever blocks it entered next? */
bool ends_cuts(const struct ends *e, const struct ends_unit *u, uint32_t block);
/* Did the run certainly execute the whole of a block that it entered? cover: a byte for each
 * outcome of the unit, then one for each block. */
bool ends_passed(
    const struct ends *e, const struct ends_unit *u, const uint8_t *cover, uint32_t block);
/* For a block that it may not have executed to the end: the number of lines and calls that it
 * reached, counted from first_line and first_call. */
void ends_reached(const struct ends *e, const struct ends_unit *u, uint32_t block, uint32_t *lines,
    uint32_t *calls);

#endif
