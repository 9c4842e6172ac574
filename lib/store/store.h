/* store: results of sessions, in an SQLite file (store(5)): programs, functions, branches, tests,
 * coverage, verdicts, failures. No other module uses SQLite.
 *
 * A handle has at most one session of its own. Additions take effect at once in memory (new
 * coverage, verdicts) and are written in short transactions, at most 0.2 s apart, so that kill -9
 * loses no more than that and other processes can write too. A store at ":memory:" keeps nothing on
 * disk.
 */
#ifndef DUCT_STORE_H
#define DUCT_STORE_H

#include "lib/defuse/defuse.h"
#include "lib/flow/flow.h"
#include "lib/goals/goals.h"
#include "lib/trace/trace.h"

struct store;

enum store_mode { STORE_READ, STORE_WRITE }; /* STORE_READ: the file must exist */

/* path: a file, or a folder with a store.db. NULL with *error (caller frees): no such file, not a
 * store, another version, locked. */
struct store *store_open(const char *path, enum store_mode mode, char **error);
/* Writes pending additions and closes. 0, or -1 when something could not be written. */
int store_close(struct store *s);
/* Message of the last call that failed, or NULL. */
const char *store_error(const struct store *s);
/* Its absolute path; "" when it is in memory. */
const char *store_path(const struct store *s);

/* ---- a session */

struct store_start {
	const char *strategy, *search, *entry;
	uint64_t seed;
	const struct flow *flow;     /* of the program; kept by reference until store_close */
	const struct defuse *defuse; /* pairs to watch, of the same program, likewise; or NULL */
	const struct flow *records;  /* the flow with all records, when there is no defuse; only
	                      store_begin uses it */
	const char *const *file;     /* sources; the first holds the entry; NULL-terminated */
	const char *const *flag;     /* the compiler's flags, NULL-terminated */
	bool linked; /* the file is a linked program, which may contain code that the program model
	                lacks */
	const char *plan;      /* harness_plan's text: the input shape; NULL for main */
	const char *narrowing; /* lines that restrict the inputs: the user's assumptions, and duct's
	                          own limits as `limit KIND VALUE NAME` */
	const char *const
	    *environment;           /* "stdin=8", "file NAME=8", "arg 1=4", ...; NULL-terminated */
	const char *const *bound;   /* bounds and assumptions of the question: "depth=20" */
	const char *const *content; /* other files on whose contents verdicts depend, such as
	                               linked libraries; NULL-terminated */
	const char *const
	    *variable; /* environment variables that are read: "NAME=VALUE", "NAME" when not set */
	const char *const *parameter; /* "key=value": all other options */
	const char *const *target;    /* the only goals of the session: FILE:LINE or FUNC; with `?`
	                                 before it, one that has no code is no error */
};

/* The last session with exactly these options that ended and was not interrupted; 0: none, or an
 * error. */
int64_t store_answered(struct store *s, const struct store_start *start);
/* Begins a session: objectives are the outcomes of the branches (kinds b, s, q) of the
 * functions that can be reached from the entry, and the pairs. 0, or -1. */
int store_begin(struct store *s, const struct store_start *start);
/* Do the session's parameters say that one pair of each definition is enough (all-defs)? */
bool store_by_definition(const char *const *parameter);
int64_t store_session(const struct store *s);

enum store_verdict { VERDICT_UNKNOWN, VERDICT_COVERED, VERDICT_INFEASIBLE };

struct store_objective {
	uint32_t unit;            /* index in the flow */
	uint32_t branch, outcome; /* ids of the flow record; outcome = first + side */
	enum flow_side side;
	int64_t value;                      /* of a case */
	const char *function, *file, *text; /* text: the condition */
	uint32_t line, col;
	const char *region_file; /* place of the condition in llvm-cov's output, which is in the
	                    definition for a condition in a macro */
	uint32_t region_line, region_col;
};
size_t store_objectives(const struct store *s);
const struct store_objective *store_objective(const struct store *s, size_t i);
/* Objective of an outcome: unit by index in the flow or by key; SIZE_MAX if it is none. */
size_t store_find(const struct store *s, uint32_t unit, uint32_t outcome);
size_t store_find_key(const struct store *s, uint64_t key, uint32_t outcome);

/* Objectives of two kinds; pairs are numbered as in `defuse`. */
enum store_aim { STORE_BRANCHES, STORE_PAIRS, STORE_AIMS };
struct store_known {
	enum store_verdict verdict;
	const char *evidence; /* or NULL */
	uint64_t hits;        /* runs of this session that covered it */
};
struct store_known store_known(const struct store *s, enum store_aim aim, size_t i);
struct store_totals {
	size_t total, covered, infeasible, unknown;
	size_t suite;   /* of the covered, those that only tests of a recorded suite cover */
	size_t limited; /* of the unknown, those that are open because of limits */
};
struct store_totals store_totals(const struct store *s, enum store_aim aim);

/* The number of objectives at instructions (loops, boundaries, mutants) that no run has covered. */
size_t store_open_places(const struct store *s);

/* Inputs of tests that earlier sessions kept for the same entry and input shape; a session runs
 * them first, to cover what was covered. Caller frees with store_inputs_free. */
size_t store_replay(struct store *s, struct input **inputs);
void store_inputs_free(struct input *inputs, size_t n);
/* Imports `infeasible` verdicts of earlier sessions with the same question; returns how many. */
size_t store_inherit(struct store *s);

/* For each pair, by its number: does a test of a session with another question cover it? Caller
 * frees. */
bool *store_elsewhere(struct store *s);

/* Imports verdicts that other sessions with the same question wrote since the last call. 0, or -1.
 */
int store_learn(struct store *s);

/* Imports the coverage of recorded suites, for functions that did not change, in files that did not
 * change: verdict covered, evidence "suite: NAME". Returns how many objectives, pairs included. */
size_t store_suites(struct store *s);

/* Stores the invariants and proofs of a call of prove, a verdicts(5) stream. 0, or -1. */
int store_add_proof(struct store *s, const char *verdicts);
/* The same for proofs of an earlier session that were checked again for this program; n: the number
 * of verdicts that they confirm. */
int store_keep_proof(struct store *s, const char *verdicts, size_t n);
/* The verdicts(5) with proofs of the last session that asked another question about the entry, in
 * order; NULL-terminated, the caller's. They are not checked for the present program. */
char **store_earlier_proofs(struct store *s);
/* A copy of the whole store, which must not exist yet. 0, or -1. */
int store_copy(struct store *s, const char *path);

/* An objective that is neither a branch nor a pair, as in goals(5). */
struct store_goal {
	enum goals_kind kind;
	uint32_t unit;
	const uint32_t *list; /* of a condition, { instruction, kind }; of a target, its blocks; of
	                         an evaluation, its outcomes */
	size_t n;
};
/* Is it neither covered by a run nor proved infeasible? False if it is no objective of the session.
 */
bool store_goal_open(const struct store *s, const struct store_goal *g);
/* Records the verdict of a proof: infeasible, or the reason why it is unknown. 0, or -1. */
int store_goal_judge(
    struct store *s, const struct store_goal *g, enum store_verdict verdict, const char *evidence);
/* The blocks of the i-th target, as a goal; false: there is no i-th. *owned: g's list, which the
 * caller frees. It is NULL when the target itself is not to be proved unreachable: a run reached
 * it, there is a proof, store_target knows its ways, or its blocks are in several functions. */
bool store_goal_target(const struct store *s, size_t i, struct store_goal *g, uint32_t **owned);

/* A place that control may reach. way: every run that reaches the place covers one of these
 * objectives; NULL: not known. False: there is no i-th. */
struct store_target {
	bool asked, reached; /* reached: by a run, or proved unreachable */
	const uint32_t *way;
	size_t ways;
};
bool store_target(const struct store *s, size_t i, struct store_target *out);
/* The same for a block: *n objectives, one of which every run that enters the block covers. NULL:
 * not known. Caller frees. */
uint32_t *store_ways(const struct store *s, uint32_t unit, uint32_t block, size_t *n);

/* Combinations of outcomes are recorded for decisions with at most this many conditions. */
enum { STORE_VECTOR = 32 };

struct store_run {
	const struct trace *trace;
	const uint32_t *pair;
	size_t pairs;       /* covered pairs, ascending */
	uint64_t parent;    /* id of the run that it was derived from, 0 none */
	const char *origin; /* "first", "solved", "random", "replay", ... */
	bool keep;          /* keep as a test even if it covers nothing new */
	bool mispredicted;
	bool partial;          /* some calls were abstract: the run covers nothing */
	const char *need, *of; /* the failure is a need of this kind and name; NULL: it is none */
};
struct store_added {
	size_t covered;     /* objectives covered for the first time, pairs and, where asked for,
	                       vectors included */
	size_t pairs;       /* pairs among them */
	bool entered;       /* the run reached the first statement of the entry */
	bool kept, failure; /* failure or fault: the first of its kind and place */
	bool target;        /* the run is the first to reach some error or label */
	uint64_t test;      /* its number in this session, from 1; 0: not kept */
};
/* Did the run end normally, without a failed check or a need? */
bool store_is_plain(const struct trace *t);
/* Adds a run: coverage, failure, lost records; kept as a test when asked, when it covers
 * something new or is a failure not met before. 0, or -1. */
int store_add(struct store *s, const struct store_run *run, struct store_added *out);
/* Iterates over the functions that may be called before the entry and change variables on which it
 * depends. Returns the name of the next one, which the caller frees, or NULL; *choice: the value of
 * the input `.between` that selects it, which is 0 for the first call and kept between calls. */
char *store_initialiser(const struct store *s, uint64_t *choice);
/* The name of the global that the input belongs to, if functions that the entry does not call set
 * it to other values than constants; else NULL. Caller frees. */
char *store_set_outside(const struct store *s, const char *input);
/* The name of a stub that the run `failed` called at a place that the run `again` did not reach;
 * NULL: there is none. The string belongs to the flow. */
const char *store_handler(struct store *s, const struct trace *failed, const struct trace *again);

/* Every feasible path was run: objective i becomes infeasible if it is unknown, evidence
 * "exhaustion". Two kinds of pairs stay unknown: those that depend on pointers or indices, if an
 * address depended on inputs, because one path then stands for several; and all pairs, if a run
 * called code through which definitions and uses are not followed. */
int store_exhaust(struct store *s, enum store_aim aim, size_t i);
/* Sets the verdict on objective i and its evidence: "exhaustion", "proof ...", or for unknown the
 * reason: "solver: timeout", "no path within 20". A covered objective stays covered; only store_add
 * makes one covered. */
int store_decide(
    struct store *s, enum store_aim aim, size_t i, enum store_verdict v, const char *evidence);

/* Prefix of the evidence of objectives that were not reached within limits. */
#define STORE_LIMITS "limits: "
/* Prefix of this piece of evidence: "closest test 4 stopped at FILE:LINE". */
#define STORE_CLOSEST "closest test "
/* The i-th limit: limits that runs reached, and those of the plan, whether runs reached them or not
 * (runs 0). False: there is no i-th. */
struct store_limit {
	const char *kind, *name;
	uint64_t value, runs;
};
bool store_limit(const struct store *s, size_t i, struct store_limit *out);
/* Called when the limits of runs were raised: forgets which limits earlier runs reached. */
void store_widen(struct store *s);
/* Called when the runs that reached a limit of this kind were repeated without reaching it. */
void store_unreach(struct store *s, const char *kind);
/* Removes the failures of a kind (NULL: all), because their runs will be repeated within wider
 * limits. 0, or -1. */
int store_drop_failures(struct store *s, const char *kind);
/* store_grow: sets a limit of the session's further runs (run-trace --grow). store_grown: the
 * highest value that sessions with that entry and plan had, 0: none. */
int store_grow(struct store *s, const char *name, uint64_t value);
uint64_t store_grown(struct store *s, const char *entry, const char *plan, const char *name);
/* Evidence: "limits: SENTENCE; SENTENCE"; "" when there are none. Caller frees. */
char *store_limits_text(const struct store *s);

/* Notes the kept test that comes closest to an objective, and where it stops, FILE:LINE. That is
 * part of the objective's evidence as long as it is unknown. */
void store_closest(struct store *s, enum store_aim aim, size_t i, uint64_t test, const char *place);

/* Figures that only the strategy knows. The store itself counts tests and failures. */
struct store_figures {
	double seconds, cpu_run, cpu_solve, cpu_prove, cpu_strategy;
	uint64_t runs, paths, mispredicted, cut, pending; /* cut: runs that a limit ended */
	uint64_t asked, cached, engine, sat, unsat, unknown, disagreed, confirmed;
	uint64_t conjuncts, conjuncts_max;                  /* as posed: sum and largest */
	uint64_t questions, infeasible, pruned, rounds_max; /* as struct solve_counts has them */
	uint64_t kept; /* verdicts that store_inherit took over; set by the store */
	/* of a session that explores one share of the paths */
	const char *share; /* "2/4", to which `exhausted` then refers; NULL: all paths */
	uint64_t tree;     /* identifies the division of the paths, below 2^48 */
	uint64_t common;   /* paths that every share runs */
	uint64_t given;    /* branches that other shares took over from this one */
	uint64_t adopted;  /* branches that this one took over from others */
	bool exhausted;
	bool within; /* every path within limits was run: unknown objectives are limited by them */
	bool judged; /* the strategy itself decided which objectives are infeasible */
	const char *ended; /* why it ended: "exhausted", "time", "runs", "interrupted", ...; NULL:
	                      it has not */
	const char *extra; /* JSON members for more ("\"layers\":{...}"), or NULL */
};
/* Figures so far; written with the next batch. */
void store_progress(struct store *s, const struct store_figures *f);
/* The final figures. With `exhausted`, uncovered objectives become infeasible, evidence
 * "exhaustion", unless `judged`; in a session that explored a share of the paths only their
 * evidence changes. Writes everything. 0, or -1. */
int store_finish(struct store *s, const struct store_figures *f);
/* Writes pending additions now. */
int store_flush(struct store *s);

/* Adds one session that joins all shares of a session in the store: one test for the same inputs,
 * the verdicts of all shares, and infeasible by exhaustion if all of them ran their paths. 0, or
 * -1, also when shares contradict each other. */
int store_join(struct store *s);

/* Makes a store at `path` of all sessions of the stores (NULL-terminated, in any order): of copies
 * of a session the longest; shares are joined. Fails for a file that is no store, and for stores of
 * one question that contradict each other (covered here, proved infeasible there); an existing file
 * then stays as it is. 0, else with *error (caller frees) STORE_CONTRADICTION, or -1. */
enum { STORE_CONTRADICTION = 1 };
int store_merge(const char *path, const char *const *source, char **error);

/* Compares the covered objectives of a session with clang's counts (the JSON of `llvm-cov export`)
 * for the session's tests on the untouched program. Objectives that clang counts 0 times (missed)
 * become unknown, evidence STORE_RECOUNT; those that it has no count for (unmeasured) stay. 0, or
 * -1. */
#define STORE_RECOUNT \
	"the untouched program does not take it: what the run did depends on more than its inputs"
struct store_recount {
	size_t taken[STORE_AIMS], missed[STORE_AIMS], unmeasured[STORE_AIMS];
};
int store_recount(struct store *s, int64_t session, const char *counts, struct store_recount *out);
/* The outcomes that the last recount missed, PLACE SIDE: CONDITION; NULL-terminated, the caller's.
 */
char **store_missed(struct store *s);
/* Did runs of the session do something that C leaves to implementations, so that other compilers
 * or machines may cover something else? */
bool store_is_doubtful(struct store *s, int64_t session);

/* ---- a recorded suite: a session of strategy `cover`, without a flow of its own */

struct store_suite {
	const char *command, *folder; /* names of files are relative to the folder */
	bool append;                  /* continues the latest suite of the store */
	uint32_t criteria; /* requested criteria, besides those that are always recorded */
};
int store_suite_begin(struct store *s, const struct store_suite *o);
/* Adds the branches of new units as objectives, of functions in files that are wanted. */
int store_suite_units(
    struct store *s, const struct flow *fl, bool (*wants)(void *, const char *file), void *data);

/* Adds the pairs of a program, whose units were added before, as objectives. Returns the row
 * of each, 0 for those that are not wanted; the caller frees the array. NULL after an error. */
int64_t *store_suite_pairs(
    struct store *s, const struct defuse *d, bool (*wants)(void *, const char *file), void *data);

/* A fact about a test in a unit is a number. Numbers below the unit's count of outcomes are the
 * outcomes that the test takes; then come, for each kind below, the blocks that it enters, passes
 * to their ends, or aborts in; the lines and calls that it reaches in blocks that it enters but
 * does not pass; and the objectives at instructions that it meets. */
enum store_fact {
	FACT_ENTERED,
	FACT_PASSED,
	FACT_ABORTED,
	FACT_LINE,
	FACT_CALL,
	FACT_CHECK,
	FACTS
};
/* The number of a fact about the unit's i-th block, line, call or check, from 0. */
static inline uint32_t store_fact(const struct flow_unit *u, enum store_fact kind, size_t i)
{
	size_t n = u->outcomes + (size_t)u->blocks * (kind < FACT_LINE ? kind : FACT_LINE);

	n += kind > FACT_LINE ? u->lines : 0;
	n += kind > FACT_CALL ? u->calls : 0;
	return (uint32_t)(n + i);
}
/* How many numbers the facts of a unit have. */
static inline uint32_t store_facts(const struct flow_unit *u)
{
	return store_fact(u, FACT_CHECK, u->checks);
}

struct store_taken {
	uint64_t key; /* of the unit */
	uint32_t fact;
};
struct store_suite_test {
	const char *name, *ending;
	int status; /* exit status */
	bool failure;
	uint64_t processes;
	uint64_t number; /* 0: new; set then */
	const int64_t *pair;
	size_t pairs; /* rows of those that it covers */
	/* How many facts and pairs were stored before; set by store_suite_test. */
	size_t known, known_pairs;
};
/* Stores a test with all outcomes that it takes, in one transaction; called again when more become
 * known. */
int store_suite_test(
    struct store *s, struct store_suite_test *t, const struct store_taken *taken, size_t n);
int store_suite_end(struct store *s, double seconds, const char *ended);

/* Stores a person's reason why an objective need not be covered; an empty text removes it. 0, or
 * -1. store_justification: the text, which the caller frees, or NULL. */
int store_justify(struct store *s, const char *objective, const char *text);
char *store_justification(struct store *s, const char *objective);

/* Adds a loss of precision: at no place of the program, which is told at the entry; at a position
 * in a unit of the flow. */
void store_lose(struct store *s, const char *reason);
void store_lose_in(struct store *s, size_t unit, struct flow_pos at, const char *reason);
void store_lose_at(
    struct store *s, const struct trace *t, const char *reason); /* where the run ended */

struct store_counts {
	uint64_t runs, tests, failures, lost;
	uint64_t contradictions; /* verdicts infeasible that a run of this session refuted */
};
struct store_counts store_counts(const struct store *s);

/* ---- reading back: all of one session, for reports */

struct view_objective {
	int64_t id;
	char *function, *file, *text, *evidence;
	uint32_t line, col, branch, outcome, ordinal; /* ordinal: of the branch in its function */
	uint32_t func_line;
	enum flow_side side;
	int64_t value;
	enum store_verdict verdict;
	bool open;     /* a session searched for it and left it unknown */
	uint64_t test; /* first that covers it, 0 none */
	uint64_t hits;
	uint32_t decision; /* number in its function of the decision (&&, ||) that it is an operand
	                      of, 0 none */
	int32_t next; /* then: ordinal of the condition evaluated next; 0, -1: the decision is true,
	                 false */
};
/* A place that control may reach: an error or a label. */
struct view_target {
	char *criterion, *name, *function, *file, *evidence;
	uint32_t line, col;
	enum store_verdict verdict;
	uint64_t test, hits;
};
/* Outcomes that no evaluation of a decision takes together: indices of objectives, ascending. */
struct view_evaluation {
	size_t *outcome, n;
	char *evidence;
};
struct view_pair {
	int64_t id;
	char *function, *variable, *kind, *evidence;
	char *def_file, *use_file;
	char *path; /* lines of one path on which no definition kills it, "4 6-8", or NULL */
	uint32_t def_line, def_col, use_line, use_col;
	enum store_verdict verdict;
	bool open;     /* as above */
	uint64_t test; /* first that covers it, 0 none */
	uint64_t hits;
};
struct view_test {
	uint64_t number, run;
	int64_t session;
	char *origin, *end, *message, *file; /* of the fault, or NULL */
	char *name;         /* of a suite's test, or of any in a view of all sessions, else NULL */
	char *entry;        /* of its session */
	uint64_t processes; /* of a suite's test */
	char *ub;           /* undefined behaviour after which the run went on, or NULL */
	uint32_t line;
	int exit_status, signal;
	bool has_result, failure, fresh;
	int64_t result;
	char *output;
	size_t output_size;
	struct input input, wrote; /* wrote: final values of inputs and globals that the call
	                              changed */
	size_t *covers, n;         /* indices of objectives */
	size_t *order;             /* the same; of a test that shows a failure in the order in which
	                              it first took them (way.c) */
	size_t *pair, pairs;       /* of pairs */
};
struct view_failure {
	char *kind, *file, *function, *message;
	uint32_t line;
	uint64_t test, count;
};
struct view_place {
	char *kind, *function, *file, *verdict;
	uint32_t line, col;
	uint64_t test, runs;
};
struct view_limit {
	char *kind, *name, *text, *option;
	uint64_t value, runs;
};
struct view_need {
	char *kind, *name, *text, *function, *file;
	uint32_t line;
	uint64_t value, count;
};
struct view_lost {
	char *reason, *file;
	uint32_t line;
	uint64_t count;
};
struct view_line {
	uint32_t number;
	uint64_t hits;
};
struct view_function { /* those with conditions or lines */
	int64_t row;
	char *name, *file;
	uint32_t line, end;
	uint64_t hits;
	struct view_line *passed;
	size_t lines; /* that have code */
};
struct store_view {
	int64_t session;
	uint32_t criteria; /* set by the reader: criteria to report beside those of the session,
	                    * bits of lib/criteria */
	bool all;          /* results of several sessions */
	char **others;     /* a line each, NULL-terminated */
	char *strategy, *search, *entry, *plan, *narrowing, *question, *ended, *extra;
	char *folder; /* of a suite: where it was recorded, else NULL */
	char
	    *directory; /* of a session: where it ran, or NULL; names of files are relative to it */
	uint64_t seed;
	char **file, **flag, **environment, **bound, **parameter; /* NULL-terminated */
	char **proof;                 /* verdicts(5) of all sessions with that question, likewise */
	bool settled;                 /* one of these sessions executed all paths */
	struct store_figures figures; /* `ended` and `extra` as above */
	struct view_objective *objective;
	size_t objectives;
	struct view_pair *pair;
	size_t pairs;      /* in the order of pairs(5) */
	uint64_t unlisted; /* further pairs that no session looked at */
	struct view_test *test;
	size_t tests;
	struct view_failure *failure;
	size_t failures;
	struct view_place *place;
	size_t places; /* checks for faults */
	struct view_target *target;
	size_t targets;
	struct view_evaluation *evaluation; /* proved infeasible */
	size_t evaluations;
	struct view_lost *lost;
	size_t losts;
	struct view_limit *limit;
	size_t limits;
	struct view_need *need;
	size_t needs; /* those that are not findings */
	struct view_function *function;
	size_t functions;
};
/* Changes when another process writes the store; -1: this handle may write it itself. */
int64_t store_version(struct store *s);
/* The view of a session, 0: the latest. STORE_ALL: of the latest suite, or else the first session,
 * and of the last session of each later question, about the same functions. An objective is covered
 * when any of them covers it; infeasible when one of them has a proof of it (exhaustion of a
 * session's paths is none) and none left it unknown. NULL when there is none or on error
 * (store_error). */
enum { STORE_ALL = -1 };
struct store_view *store_view(struct store *s, int64_t session);
/* The argument of store_view that shows the whole store: STORE_ALL when it has several questions,
 * else 0. Here and in that view, sessions whose entry a later session has in another version of its
 * file do not count. */
int64_t store_everything(struct store *s);
/* Does the store have a session with this entry? */
bool store_was_entry(struct store *s, const char *entry);
/* Does the store have a recorded suite? */
bool store_has_suite(struct store *s);
/* Calls `each` for every function with objectives of some session, with the numbers of outcomes and
 * pairs that no session has decided, and that are decided; a function that belongs to several
 * programs counts once. False on error. */
bool store_each_open(struct store *s,
    void (*each)(void *, const char *name, int64_t open, int64_t decided), void *data);
/* The last session of each question, recorded suites aside, ascending; the caller's. */
int64_t *store_questions(struct store *s, size_t *n);
/* The entry of a session, the caller's; NULL: there is no such session. */
char *store_entry(struct store *s, int64_t session);
/* The number of the test that each test was derived from: the nearest one before it in the chain of
 * runs that its input comes from, 0 none. The caller's. */
uint64_t *store_view_parents(struct store *s, const struct store_view *v);
/* Removes the tests that are not kept from the view; as first test of an objective, one that is
 * kept takes the place of one that is not. */
void store_view_keep(struct store_view *v, const bool *kept);
void store_view_free(struct store_view *v);

#endif
