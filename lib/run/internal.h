/* internal: what the sources of lib/run share. */
#ifndef DUCT_RUN_INTERNAL_H
#define DUCT_RUN_INTERNAL_H

#include <sys/types.h>

#include "lib/protocol/flowmap.h"
#include "lib/run/run.h"

/* Descriptors of the program under test: out of the way of those that it opens itself. */
#define SERVER_CHANNEL_FD 198
#define SERVER_CONTROL_FD 199
#define SERVER_FLOWS_FD 200

#define KEEP_OUTPUT 4096 /* bytes of standard output kept in a trace */
#define SHRINK_ABOVE \
	((uint64_t)256 << 20) /* bytes of the channel that may stay in memory between runs */
#define MAX_FORKS 64          /* processes that a run may make */

/* The channel as run-trace sees it. `head` is the header as every run begins with it: the
 * program may scribble over the mapping, never over this. */
struct shared_channel {
	int fd;
	size_t mapped;
	struct channel *map;
	struct channel head;
	void *units;    /* copy of the units table, made after hello */
	char *setup;    /* copy of the setup area */
	uint64_t cover; /* bytes of coverage in use */
};

/* Groups of the kernel's that the server and its runs are in, folders; NULL: none. Both may be one.
 */
struct cgroup {
	char *memory, *pids;
	bool unified, pids_unified; /* `memory`, `pids` are of the second version */
};

/* The keeper: a process between us and the server that ends the server and all that
 * descends from it when we end, however that happens. */
struct fork_server {
	pid_t keeper, pid;      /* 0: none */
	int keeper_fd, control; /* -1: none */
	double look;            /* seconds after which a read of `control` gives up */
	bool confined;          /* the keeper has told what is confined */
	struct cgroup group;
	uint64_t kernel; /* memory that the kernel had for the group when it began */
	uint64_t kills;  /* processes that the kernel killed for the group's memory */
};
#define NO_SERVER ((struct fork_server){ .keeper_fd = -1, .control = -1 })

/* Descriptors of directories that only the runs see: three of one tmpfs, and the message queues of
 * their namespace; and of its list of shared memory. -1: there are none, and the scratch directory
 * is an ordinary one. */
struct run_folders {
	int own, tmp, shm, queues, segments;
};
#define NO_VIEW ((struct run_folders){ -1, -1, -1, -1, -1 })

/* An option NAME=SIZE. */
struct spec {
	char *name;
	uint64_t size;
};
struct specs {
	struct spec *v;
	size_t n;
};

/* Instructions that the keeper watches for in a run. Addresses are those in the program's file. */
struct point { /* the instruction at `at` writes the byte of coverage `cover` */
	uint64_t at;
	uint32_t cover;
};
enum witness_state { WITNESS_NONE, WITNESS_WANTED, WITNESS_SEEN };
struct observation {     /* in memory that only we and the keeper share */
	uint64_t entry;  /* where the program begins */
	uint32_t wanted; /* states that are WITNESS_WANTED */
	bool whole;      /* the run goes on when all of them were seen */
	size_t points;
	struct point *point; /* by address */
	uint8_t *state;      /* by byte of coverage */
};

struct runner {
	struct run_options o;
	char *program; /* absolute path, or as given when PATH is to be searched */
	char *scratch;
	bool own_scratch;
	int place_fd; /* the scratch directory outside */
	int scratch_fd, in_fd, out_fd, err_fd;
	struct run_folders view; /* own: scratch_fd */
	uint64_t clean;          /* files of the view's tmpfs when nothing is in it */
	off_t no_queues;         /* the size of the directory of queues when nothing is in it */
	struct specs files;
	bool environment;    /* answers of the environment are inputs by default */
	uint64_t stdin_size; /* bytes at most, by option or by default */
	uint64_t most_arguments;
	uint8_t *bytes; /* room for the largest of stdin and files */
	struct shared_channel channel;
	struct {
		int fd; /* -1: the server has a flow map of its own */
		struct flowmap *map;
	} flows;
	struct fork_server server;
	uint32_t runs;
	double most; /* seconds a run, 0: no such limit but that of the options */
	double end;  /* of all runs, by the clock; 0: none */
	double used; /* seconds that a first part of the run has taken */
	double took; /* and the last run */
	enum late { LATE_NOT, LATE_TIMEOUT, LATE_MOST, LATE_SESSION } late; /* what ended it */
	unsigned open; /* OPEN_*: parts that are not confined */
	char open_names[100];
	bool swollen; /* the run was killed for the memory of all its processes, or its trace's size
	               */
	bool overfull; /* the run was killed for the size of its files in the scratch directory */
	char **error;  /* out parameter of the call in progress, for its message */
	struct {
		struct observation *shared; /* NULL: none */
		struct point *point;        /* all of the program */
		size_t points;
		uint8_t *known;   /* by byte of coverage: KNOWN_* */
		size_t unseen;    /* marked bytes that no watched run has covered yet */
		uint64_t last_us; /* CPU time of the last run */
	} witness;
};

/* *error becomes the message; returns -1. */
int run_fail(char **error, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* shared.c */
int shared_open(struct shared_channel *s, uint64_t memory, char **error);
/* The limit of this process's address space in MiB; 0: none. */
uint64_t shared_few_addresses(void);
void shared_close(struct shared_channel *s);
/* Writes the symbolic environment's texts; before the server starts. */
int shared_setup(struct shared_channel *s, const struct run_options *o, char **error);
/* After hello: keeps the units table; that of a later server must be the same. */
int shared_units(struct shared_channel *s, uint32_t units, char **error);
/* Makes the channel ready for a run with this input. */
int shared_reset(
    struct shared_channel *s, const struct input *in, char **error); /* in may be NULL */
/* Restores the parts of the channel that a run must not change; before a trace is made from it. */
void shared_restore(struct shared_channel *s);
/* Has the trace the program's units? A process of it that still runs could have written others
 * after shared_restore. */
bool shared_fits(const struct shared_channel *s, const struct trace *t);
/* Bytes of the trace that a run has written. */
uint64_t shared_used(const struct shared_channel *s);
/* Discards the trace that a run has written. */
void shared_drop(struct shared_channel *s);
/* Returns memory to the system when a run used a lot. */
void shared_shrink(struct shared_channel *s);

/* flows.c: a flow map that outlives the server, when the options ask for it. */
int flows_open(struct runner *r, char **error);
void flows_close(struct runner *r);

/* keeper.c: runs in a process of its own, forked by server_start. */
struct launch {
	const char *program;
	char *const *argv, *const *envp;
	const char *scratch_path;
	bool own_scratch; /* the keeper removes it when this process dies */
	enum run_confine confine;
	int scratch_fd, in_fd, out_fd, err_fd, channel_fd, control_fd, flows_fd;
	uint64_t output, memory;
	uint64_t processes; /* of the user, 0: no limit */
	unsigned stacks;
	struct observation *witness;
	const struct cgroup *group;
};
enum keeper_word { WORD_END = 'q', WORD_TRACE = 't', WORD_LET_GO = 'l' };
enum note_kind { NOTE_STARTED = 1, NOTE_NO_EXEC, NOTE_ENDED, NOTE_CONFINED, NOTE_TRACED };
/* A message of the keeper. */
struct keeper_note {
	int32_t kind;   /* enum note_kind */
	int32_t value;  /* pid, errno, wait status, or OPEN_* with the descriptors of the view */
	uint64_t files; /* with OPEN_*: the number of files in the view */
};
_Noreturn void keeper_main(const struct launch *l, int fd);

/* tracer.c: in the keeper. False: not allowed. */
struct tracer;
bool tracer_allowed(void); /* on this machine? */
bool tracer_begin(struct tracer **t, struct observation *w, pid_t server);
/* Handles a stop of a process; true when it was the server, which is then no longer traced. */
bool tracer_stopped(struct tracer *t, pid_t pid, int status);
void tracer_end(struct tracer *t); /* has the server stop */
void tracer_free(struct tracer *t);

/* Kills the children of a process, as many as the kernel lists at once, with their groups; how
 * many. */
int kill_children(pid_t parent);

/* The parts of runs that are not confined. */
enum {
	OPEN_NETWORK = 1,
	OPEN_PROCESSES = 2,
	OPEN_FILES = 4,
	OPEN_CALLS = 8,
	OPEN_NUMBER = 16,
	OPEN_CLAIMS = 32,
	OPEN_MEMORY = 64 /* of the kernel's */
};
#define OPEN_ALL \
	(OPEN_NETWORK | OPEN_PROCESSES | OPEN_FILES | OPEN_CALLS | OPEN_CLAIMS | OPEN_MEMORY)

/* confine.c */
/* A fork into as many new namespaces (CLONE_*, *got) as are allowed, its first process there, and
 * into a group of the second version (*entered), where the kernel can do that at once. */
pid_t confine_fork(
    enum run_confine level, const struct cgroup *g, unsigned long *got, bool *entered);
/* In the new process: gives up privileges, and filters system calls. Returns OPEN_*. */
unsigned confine_rights(enum run_confine level, unsigned long got);
/* Limits what objects of interprocess communication may take, in a namespace of their own. */
void confine_objects(uint64_t memory, unsigned long got);
/* OPEN_* with what groups leave open: the number of processes has a limit when one of both sets it.
 */
unsigned confine_add(unsigned open, unsigned groups);
void confine_names(unsigned open, char *text, size_t size);

/* cgroup.c: makes groups with a limit of memory in bytes, and of processes, where that is allowed.
 */
void cgroup_make(struct cgroup *g, uint64_t memory);
/* Moves this process there; `entered`: it is in `memory` already. OPEN_MEMORY and OPEN_NUMBER where
 * it cannot be. */
unsigned cgroup_enter(const struct cgroup *g, bool entered);
void cgroup_drop(char **folder);
void cgroup_remove(struct cgroup *g); /* when its processes have ended */
/* Bytes that the kernel has for it beside the memory of processes and files; gives back of that
 * what it can; processes that it killed, since the limit was reached. */
uint64_t cgroup_kernel(const struct cgroup *g);
void cgroup_reclaim(const struct cgroup *g, uint64_t bytes);
uint64_t cgroup_kills(const struct cgroup *g);

/* calls.c: installs the filter of system calls for this process and its children; false: it could
 * not. */
bool calls_filter(void);

/* view.c: makes the view; in the server's process, before confine_rights. Returns OPEN_FILES and
 * OPEN_NUMBER. */
unsigned view_make(const struct launch *l, unsigned long got, struct run_folders *v);

/* Names in /tmp, or in another directory that the view covers, that stay visible. */
enum { KEPT_MOST = 16 };
struct kept_names {
	char *name[KEPT_MOST];
	size_t n;
};
void kept_below(struct kept_names *k, const char *place, const char *program, const char *scratch);
bool kept_name(const struct kept_names *k, const char *name); /* k may be NULL */
void kept_free(struct kept_names *k);

/* pace.c */
enum { PACE_DEATH = 5 }; /* seconds for a killed run to be reported */
struct pace {
	double most;    /* seconds that the run may take */
	double counted; /* of which it took so many up to the last look, at `looked` */
	double looked, end;
	double cpu;   /* that its processes had used then */
	double began; /* CPU time of its process at the start, as told; < 0: not asked yet */
	bool killed;
};
void pace_begin(struct pace *p, const struct runner *r);
double pace_look(const struct pace *p);             /* seconds to wait until then */
bool pace_over(struct pace *p, struct runner *r);   /* looks; is the run too long (r->late)? */
void pace_killed(struct pace *p);                   /* it has only the time to die */
double pace_took(const struct pace *p, double cpu); /* seconds, when it ended */

/* server.c */
int server_start(struct runner *r, char **error);
void server_stop(struct fork_server *s);
enum server_result {
	SERVER_RAN,
	SERVER_AGAIN, /* the channel is to be made ready again, then the run repeated */
	SERVER_IDLE,  /* the server died before the run began */
	SERVER_LOST   /* the server died during the run */
};
/* Runs once; *timed_out when it had to be killed. */
enum server_result server_run(struct runner *r, struct channel_answer *done, bool *timed_out);

/* Has the next run watched for the wanted bytes of r->witness.shared; false: it cannot be. */
bool server_trace(struct runner *r);
void server_let_go(struct runner *r);

/* run.c: runs the input once more in a process of its own, watched. */
int run_watched(struct runner *r, const struct input *in, bool *timed_out, char **error);

/* witness.c: coverage that a program reports counts only after a run that was watched from outside
 * showed it. */
void witness_open(struct runner *r);
/* Once the server runs: can this program be watched on this machine? */
void witness_ready(struct runner *r);
void witness_close(struct runner *r);
/* Before a run: is this run to be watched? If so, witness_end has to follow it. */
bool witness_begin(struct runner *r, bool first);
void witness_end(struct runner *r);
/* Runs the input again, watched, when the trace reports bytes that no watched run has covered, and
 * removes from the trace those that the watched run does not cover. */
int witness_check(struct runner *r, const struct input *in, struct trace *t, char **error);

/* room.c: do the processes of a run take more memory together than it may? */
bool room_is_over(const struct runner *r);

/* scratch.c */
int scratch_open(struct runner *r, char **error);
void scratch_clean(struct runner *r); /* after a run */
void scratch_close(struct runner *r);
/* Do the files of a run take more room than 64 times what it may write into one? */
bool scratch_is_overfull(const struct runner *r);
/* Removes all that is in a directory but what is kept (NULL: nothing); was there anything? */
bool scratch_empty(int fd, const struct kept_names *k);
void scratch_view(struct runner *r, const struct run_folders *v,
    uint64_t files);                             /* runs happen there from now on */
uint64_t scratch_files(int fd, uint64_t *bytes); /* of a file system of limited size */

/* environ.c: standard input, output and files of a run. */
int environ_open(struct runner *r, char **error);
void environ_close(struct runner *r);
int environ_prepare(struct runner *r, const struct input *in, char **error);
/* First bytes of standard output into the trace; a message from standard error where a
 * failure has none. True when the run wrote too much. */
bool environ_collect(struct runner *r, struct trace *t);

/* arguments.c: adds limit records to the trace where the run met the limits on the number and
 * lengths of arguments. */
void arguments_limits(const struct runner *r, struct trace *t);

/* classify.c */
void classify(struct trace *t, const struct channel *c, int status, bool timed_out, bool flooded);

#endif
