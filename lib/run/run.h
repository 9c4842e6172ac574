/* run: keeps an instrumented program in a fork server and runs inputs in it. Owns every
 * fault of the program: nothing that it does takes the session down. */
#ifndef DUCT_RUN_H
#define DUCT_RUN_H

#include "lib/trace/trace.h"

/* How much a program under test is confined: `some`: not its files. */
enum run_confine { CONFINE_FULL, CONFINE_SOME, CONFINE_NONE };

struct run_options {
	enum run_confine confine;
	const char *program;           /* path of the instrumented executable */
	char *const *argv;             /* its arguments without argv[0], NULL-terminated, or NULL */
	const char *scratch;           /* directory to run in; NULL: a new one, removed at close */
	double timeout;                /* seconds of wall clock a run; 0: 10 */
	uint64_t memory;               /* bytes of address space the run may add; 0: 1 GiB */
	uint64_t output;               /* bytes of output a run; 0: 1 MiB */
	unsigned stacks;               /* times the usual stack, of 8 MiB at most; 0: 1 */
	uint64_t max_depth, max_steps; /* 0: none */
	uint32_t flags;                /* CHANNEL_* */
	bool keeps_flows;              /* run_read_flows, run_write_flows are to be called */
	/* symbolic environment: sizes, 0 or NULL: none */
	uint64_t stdin_size;     /* bytes of standard input at most; inputs stdin[i], stdin.len */
	const char *const *file; /* "NAME=SIZE", NULL-terminated; inputs NAME[i], NAME.len */
	const char *const *arg;  /* "INDEX=SIZE": argument INDEX is symbolic, argv[I][j] */
	const char *const *env;  /* "NAME=SIZE" */
	const char *const
	    *ask; /* "environment=1", "grow:NAME=SIZE" (abi.h), "faults=COUNT", "input:GROUP=1"
	             (time, random, short), "aliases=1" (early), 2 (fix) */
};

struct runner;
/* NULL on failure, message in `error` (caller frees). */
struct runner *run_open(const struct run_options *o, char **error);
/* Runs one input; fills t (trace_clear it). 0, or -1 with *error when the server is beyond repair;
 * a dead server is started again first. */
int run_input(struct runner *r, const struct input *in, struct trace *t, char **error);
/* Runs from now on end after that many seconds, when `timeout` is longer, as those that a limit
 * ended; 0: never. */
void run_within(struct runner *r, double seconds);
void run_close(struct runner *r);

/* The flow map of earlier runs, flowmap(5), from a file that `name` names in messages; what these
 * and all later runs know. Exit status of filters: 0, or 2 to 4 with *error. */
int run_read_flows(struct runner *r, FILE *f, const char *name, char **error);
int run_write_flows(const struct runner *r, FILE *f);

/* The parts of the runs that are not confined, "network, files"; NULL: none. */
const char *run_unconfined(const struct runner *r);
/* The same for runs to come, which takes a process to find out. */
const char *run_confines(enum run_confine level);
/* "full", "some", "none"; false: no such. */
bool run_confine_level(const char *name, enum run_confine *level);

#endif
