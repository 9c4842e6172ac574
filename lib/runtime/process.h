/* process: processes of the program under test: those that it forks, the coverage that each
 * records, and one that serves many runs. */
#ifndef DUCT_RUNTIME_PROCESS_H
#define DUCT_RUNTIME_PROCESS_H

#include "lib/runtime/rt.h"

#pragma GCC visibility push(hidden)

/* ---- fork.c. After a fork the trace follows one of the two processes: the new one if the input
 * process.fork[i] is not 0 (inject.c). The other one no longer writes into the channel; if it is
 * the first process of the run, its coverage still counts. */
int duct_follows_new(void);

/* State on a page that the server shares with its runs. */
extern struct {
	uint32_t running;  /* a run has begun and its end was not reported */
	uint32_t served;   /* runs of the current child that ended */
	uint32_t cannot;   /* a child found that it cannot be rewound; it serves no further run */
	uint32_t followed; /* the process that the trace follows; 0: the first one of the run */
} duct_progress;

/* ---- reap.c, for the server. */
struct rusage;
uint64_t duct_microseconds(const struct rusage *r); /* user and system time */
/* Called when run `pid` has ended with done->status: waits for the process that the trace follows,
 * kills all other processes that the run left behind, and adds their time to *done. *aside: a
 * stopped child, which is kept; 0 when there is none, or it has ended, too. */
void duct_reap(int pid, int *aside, struct channel_answer *done);
/* Did a run leave System V shared memory, semaphores or message queues? The next run would find
 * them; so the server ends, and another one begins in a namespace without any. */
bool duct_leaves_objects(void);

/* ---- outset.c: what constructors opened, mapped or started, and all runs of a server would share:
 * such a server serves one run. Its runs lack the threads. */
enum duct_outset { OUTSET_PLAIN, OUTSET_SHARED, OUTSET_THREADS };
enum duct_outset duct_outset(const struct channel *ch, int control);

/* ---- record.c: coverage for `duct cover`, in the format of record.h */
bool duct_served(char **env);       /* does run-trace serve this process? */
bool duct_record_start(char **env); /* reads the environment; is coverage requested? */
bool duct_record_on(void);
/* Room for one more pair; NULL: not recording, or no room is left. */
struct channel_pair *duct_record_pair(void);
/* The number that stands for a unit in recorded pairs; UINT32_MAX: it is not recorded. */
uint32_t duct_record_unit(const struct duct_unit *u);
void duct_record_threads(void);
/* Starts to record these units: those of the program, or of a library that it loads. */
void duct_record(struct duct_unit *from, struct duct_unit *to, char **env, bool program);
void duct_record_forked(void); /* in the new process */
void duct_record_end(enum record_end how, int status);
/* recordmet.c: records that an objective at an instruction is met, once a process. */
void duct_record_objective(const struct duct_unit *u, uint32_t inst, uint32_t kind);
void duct_record_objectives_forget(void); /* for a new process, which has reached none */

/* ---- rewind.c: one process for many runs */
struct rewind {
	struct channel *channel;
	void (*ended)(int status, uint64_t cpu_us); /* a run has ended; its memory still exists */
	bool (*next)(void);                         /* waits for another; false: there is none */
};
/* Called where a run begins; returns once more for each further run, with memory as it was the
 * first time. False: this process can serve one run only. */
bool duct_rewind_here(const struct rewind *how);
/* Exit status of a process whose run has to be repeated in one that is not rewound. */
#define REWIND_GIVEN_UP 86
/* For mem.c: memory from `fresh`, or the zeroed memory of an earlier run. */
void *duct_rewind_reserve(size_t size, void *(*fresh)(size_t));

#pragma GCC visibility pop
#endif
