/* run: keeps an instrumented program in a fork server and runs inputs in it. Owns every
 * fault of the program: nothing that it does takes the session down. */
#ifndef DUCT_RUN_H
#define DUCT_RUN_H

#include <signal.h>

#include "lib/trace/trace.h"

/* How much a program under test is confined; CONFINE_SOME: all but its access to files. */
enum run_confine { CONFINE_FULL, CONFINE_SOME, CONFINE_NONE };

struct run_options {
	enum run_confine confine;
	const char *program;           /* path of the instrumented executable */
	char *const *argv;             /* its arguments without argv[0], NULL-terminated, or NULL */
	const char *scratch;           /* directory to run in; NULL: a new one, removed at close */
	double timeout;                /* seconds a run, see run_took; 0: 10 */
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
	/* "environment=1", "grow:NAME=SIZE" (abi.h), "faults=COUNT", "input:GROUP=1" (time, random,
	 * short), "aliases=1" (early), "aliases=2" (fix) */
	const char *const *ask;
};

/* Checks the list of the option "file", "arg" or "env". -1 with a message in *error (caller frees)
 * that begins with the option. */
int run_check_sizes(const char *option, const char *const *list, char **error);

struct runner;
/* NULL on failure, message in `error` (caller frees). */
struct runner *run_open(const struct run_options *o, char **error);
/* Runs one input; fills t (trace_clear it). 0, or -1 with *error when the server is beyond repair;
 * a dead server is started again first. */
int run_input(struct runner *r, const struct input *in, struct trace *t, char **error);
/* Ends each later run after so many seconds, if that is less than `timeout`, as a limit (END_LIMIT)
 * does, and at the latest when `left` seconds of wall clock have passed; 0: no such limit. */
void run_within(struct runner *r, double seconds, double left);
/* Seconds that the last run took: of wall clock while all its processes slept, else of CPU time, so
 * that what else the machine does hardly matters. */
double run_took(const struct runner *r);
/* Did that end the run? */
bool run_is_cut(const struct trace *t);
void run_close(struct runner *r);

/* Reads the flow map of earlier runs, flowmap(5), from a file that messages call `name`; writes the
 * map of those and all runs since. Return the exit status of a filter: 0, or 2 to 4 with *error. */
int run_read_flows(struct runner *r, FILE *f, const char *name, char **error);
int run_write_flows(const struct runner *r, FILE *f);

/* A command that is confined as runs are; it may write in its folder only, where `output` has what
 * it prints. */
struct run_command {
	char *const *argv;  /* NULL-terminated; argv[0] is looked for in PATH */
	const char *folder; /* an absolute path */
	enum run_confine confine;
	double seconds;                    /* of wall clock; then it is killed */
	uint64_t memory;                   /* bytes of address space of each of its processes */
	const volatile sig_atomic_t *stop; /* it is killed when this is not 0; may be NULL */
};
enum { RUN_LATE = 1 };
/* 0 with its wait status, RUN_LATE when it was killed for its time or `stop`, or -1: it could not
 * be started (errno). */
int run_command(const struct run_command *c, int *status);

/* The parts of this runner's runs that the machine cannot confine, "network, files"; NULL: none. */
const char *run_unconfined(const struct runner *r);
/* The same without a runner; forks a process that tries. */
const char *run_confines(enum run_confine level);
/* The level of a name: "full", "some", "none"; false: unknown name. */
bool run_confine_level(const char *name, enum run_confine *level);

#endif
