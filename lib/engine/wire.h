/* wire: protocol between an engine and its solver's worker process over a socket. Each expression
 * is sent once and then referred to by its number. Private to lib/engine. */
#ifndef DUCT_WIRE_H
#define DUCT_WIRE_H

#include <stdbool.h>
#include <stdint.h>

struct wire_node {
	uint32_t id; /* the expression's number */
	uint8_t op, width;
	uint16_t unused;
	uint32_t a, b, c; /* operands' numbers; INPUT: a = variable; EXTRACT: c =
	                     lowest bit */
	uint32_t pad;
	uint64_t lo, hi; /* CONST: value */
};

/* Owner to worker: this header, `nodes` wire_nodes (operands first), `conds` expression numbers,
 * and `vars` numbers of the INPUT nodes whose values are wanted. */
struct wire_check {
	uint32_t nodes, conds, vars, milliseconds;
	uint32_t floats; /* any floating-point operations? */
};

/* Worker to owner: this header, then, if sat, `values` pairs of words; if WIRE_BROKEN, `text` bytes
 * of a message. */
struct wire_answer {
	uint32_t answer; /* enum engine_answer, or WIRE_BROKEN */
	uint32_t values, text, unused;
	double cpu; /* CPU seconds used so far */
};
#define WIRE_BROKEN 99

#define WIRE_GRACE 0.5 /* seconds that the worker gets to give up by itself before it ends */

/* Transfer all `size` bytes. 0, or -1 on end of stream, error, or after `deadline` (clock_now;
 * 0: none). */
int wire_send(int fd, const void *data, uint64_t size);
int wire_receive(int fd, void *data, uint64_t size, double deadline);
/* Is there something to receive, be it the end of the stream, before `deadline`? Also false when
 * the process is to stop. */
bool wire_ready(int fd, double deadline);

/* The worker's main loop on fd until end of file. */
void z3_worker(int fd) __attribute__((noreturn));

#endif
