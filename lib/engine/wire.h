/* wire: what a worker process that holds a solver and its owner say to each other over a
 * socket. The owner sends each expression once: after that its number stands for it.
 * Private to lib/engine. */
#ifndef DUCT_WIRE_H
#define DUCT_WIRE_H

#include <stdint.h>

struct wire_node {
	uint32_t id;                 /* the expression's number */
	uint8_t op, width;
	uint16_t unused;
	uint32_t a, b, c;            /* operands' numbers; INPUT: a = variable; EXTRACT: c = bit */
	uint32_t pad;
	uint64_t lo, hi;             /* CONST */
};

/* Owner to worker: this, then `nodes` wire_nodes, operands first, `conds` expression numbers,
 * `vars` expression numbers of the INPUTs whose values are wanted. */
struct wire_check {
	uint32_t nodes, conds, vars, milliseconds;
	uint32_t floats;             /* are there operations on floating-point numbers? */
};

/* Worker to owner: this, then, when sat, `values` pairs of words; or `text` bytes of a message
 * when `answer` is WIRE_BROKEN. */
struct wire_answer {
	uint32_t answer;             /* enum engine_answer, or WIRE_BROKEN */
	uint32_t values, text, unused;
	double cpu;                  /* seconds used so far */
};
#define WIRE_BROKEN 99

/* Whole transfers. 0, or -1 at the end of the stream, an error, or past `deadline`
 * (process_clock; 0: none). */
int wire_send(int fd, const void *data, uint64_t size);
int wire_receive(int fd, void *data, uint64_t size, double deadline);

/* The worker's loop over fd, until end of file: never returns. */
void z3_worker(int fd) __attribute__((noreturn));

#endif
