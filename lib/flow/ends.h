/* ends: which of the blocks that a run entered it certainly passed to their ends. A call that ends
 * the run, or that longjmp() leaves, ends its block in the middle; so do the calls that were active
 * at that time. */
#ifndef DUCT_ENDS_H
#define DUCT_ENDS_H

#include "lib/base/texts.h"
#include "lib/flow/flow.h"

/* The part of a unit's model that is needed here; lines, calls and objectives are in the model's
 * order. */
struct ends_unit {
	uint32_t outcomes, blocks;
	size_t lines, calls, checks;
	struct ends_edge {
		uint32_t to, outcome; /* outcome: UINT32_MAX without a condition */
	} *edge;
	struct ends_call {
		uint32_t block, line;
		uint32_t callee; /* number of its name, 0: through a pointer */
		bool foreign;    /* unless the program defines it, it may call back */
		bool jumps;      /* longjmp(), or, unless the program defines it, perhaps */
		bool lands;      /* setjmp() */
	} *call;
	struct ends_line {
		uint32_t block, line;
	} *line;
	struct ends_check {
		uint32_t inst, kind;
	} *check; /* kind 0: no objective */
	uint32_t *first_edge, *first_call, *first_line,
	    *entered;              /* by block; entered: from where */
	uint32_t *from;            /* the blocks that `entered` has */
	uint32_t *function;        /* number of its name, by block */
	uint32_t *defined, *taken; /* of functions: all; those whose address is taken */
	size_t funcs, takens;
	bool jumps, handles; /* setjmp() is called; a function that installs a handler of signals */
};
/* names: of functions, the same for all units of a program. */
struct ends_unit *ends_unit_new(const struct flow_unit *u, struct texts *names);
void ends_unit_free(struct ends_unit *u);
/* The objective of that instruction and kind; false: there is none. */
bool ends_find_check(const struct ends_unit *u, uint32_t inst, uint32_t kind, size_t *out);

/* Where a run ended: main, or the entry, returned; a call of the program's own code that does not
 * return; within a block, at a fault or a limit; not known. */
enum ends_how { ENDS_RETURN, ENDS_CALL, ENDS_WITHIN, ENDS_UNKNOWN };
struct ends {
	bool surely; /* each entered block was passed, but for those of active calls */
	bool likely; /* it is not known where it ended */
	bool within;
	bool jumps;       /* setjmp() is called: calls may have been left before */
	uint32_t *active; /* functions of calls that may have been active, sorted; the last one's
	                     block is `block` of `unit` */
	size_t actives;
	/* Sorted, too, where setjmp() is called: functions that may lead to longjmp(); functions
	 * that call setjmp(), and those that they may call, directly or not. */
	uint32_t *jumping, *behind;
	size_t jumpings, behinds;
	bool back; /* the address of one of these is taken: other code may call it */
	struct ends_unit *const *all;
	size_t units;
	const struct ends_unit *unit;
	uint32_t block, line;
};
/* unit: all units of the program, n of them, which it borrows; last, block: where it ended, NULL:
 * not known; line: of that instruction, 0: not known; threads: others may have run then. */
struct ends ends_new(struct ends_unit *const *unit, size_t n, enum ends_how how, bool threads,
    const struct ends_unit *last, uint32_t block, uint32_t line);
void ends_free(struct ends *e);
/* May it have left the block in its middle, whatever it covered? */
bool ends_cuts(const struct ends *e, const struct ends_unit *u, uint32_t block);
/* Did it pass the whole block, which it entered? cover: a byte for each outcome of the unit, then
 * one for each block. */
bool ends_passed(
    const struct ends *e, const struct ends_unit *u, const uint8_t *cover, uint32_t block);
/* Of a block that it did not: how many lines and calls it reached, from first_line and first_call
 * on. */
void ends_reached(const struct ends *e, const struct ends_unit *u, uint32_t block, uint32_t *lines,
    uint32_t *calls);

#endif
