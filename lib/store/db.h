/* db: private to lib/store: the handle, and functions that run SQL statements. */
#ifndef DUCT_STORE_DB_H
#define DUCT_STORE_DB_H

#include "lib/base/map.h"
#include "lib/base/digest.h"
#include "lib/protocol/criterion.h"
#include "lib/store/store.h"

#include <sqlite3.h>

enum { STORE_APPLICATION = 0x64756374, STORE_VERSION = 11 };

/* Prefix of the evidence of verdicts of a share that ran all its paths. */
#define STORE_SHARE "share "
/* Prefix of the evidence of objectives that tests of a suite cover; the suite's name follows. */
#define STORE_SUITE "suite: "
/* Prefix of the reason of lost precision that is an error of duct. */
#define STORE_ERROR "error: "

enum { STORE_HASH_TEXT = DIGEST_TEXT };
struct store_hash {
	struct digest all;
};
struct suite;
struct passed;
struct decisions;

struct statement {
	const char *sql;
	sqlite3_stmt *st;
};

/* The state of an objective, a branch or a pair. */
struct objective_state {
	int64_t id; /* of its row */
	enum store_verdict verdict;
	uint64_t hits; /* runs that covered it */
	uint64_t test; /* the first that covers it */
	bool changed;  /* its verdict is not yet written */
	bool dirty;    /* `hits` may not be written yet */
	bool suite;    /* covered only by tests of a suite, or by another share */
	char *evidence;
	char *closest; /* a piece of evidence while it is unknown, or NULL */
};
struct known_set {
	struct objective_state *at;
	size_t n, covered, infeasible;
};

/* Objectives that a test covers. */
struct covers {
	uint32_t *at;
	size_t n;
};

struct execution {
	uint64_t run, parent, steps, cpu_us;
	char origin[16];
	enum trace_end end;
	bool mispredicted;
};

struct kept_test {
	uint64_t number, run;
	char origin[16];
	enum trace_end end;
	char *message, *file, *output, *inputs, *ub, *wrote;
	size_t output_size;
	uint32_t line;
	int status, signal;
	bool has_result, failure, fresh;
	int64_t result;
	struct covers covers[STORE_AIMS];
};

struct failure {
	const char *kind, *function;
	char *file, *message;
	uint32_t line;
	uint64_t test, count;
	bool dirty;
};

/* An instruction that may fail, or where an objective's condition may hold. */
struct check_place {
	uint32_t unit;
	const struct flow_check *check;
	uint64_t test, runs;
	bool safe, proved, dirty;
	bool needed; /* a run ended there with a need, or reached it outside of the question or
	                after a fault, so that it cannot be safe */
};

/* A place in the code that control may reach, as an objective. */
struct target {
	uint32_t unit, block;
	uint32_t *also;
	size_t alsos; /* further blocks of the place */
	enum criterion criterion;
	char *name;
	struct flow_pos pos;
	enum trace_end end; /* how runs that reach it end; END_COUNT: in any way */
	uint32_t *way;
	size_t ways;  /* objectives: every run that reaches it has taken one of these outcomes */
	bool open;    /* the ways are not known */
	bool of_line; /* it is a line: other code of the block may run before it */
	size_t call;  /* if it is a call, its number in the unit, from 1; else 0 */
	uint64_t test, runs;
	bool proved, dirty;
};

struct lost {
	char *reason;
	const char *file;
	uint32_t line;
	uint64_t count;
	bool dirty;
};

/* A limit. plan: it comes from the harness plan, before any run. */
struct reached_limit {
	char *kind, *name;
	uint64_t value, runs;
	bool plan;
};

/* A need of a function: a condition that its callers have to meet. test: the run that showed it, as
 * long as the need is not a finding; number: the number of that test once it is one. */
struct need {
	const char *kind, *name, *function, *file;
	uint32_t line, unit, func; /* unit from 1; func 0: not known */
	uint64_t value, count, number;
	struct kept_test test;
	bool alone;     /* a run without shared objects showed it */
	uint64_t run;   /* the number of the run in `test` */
	uint32_t block; /* in which that run ended */
	bool numbered;  /* a number may say whether the pointer is NULL: store_goes_with_number */
	bool finding, dirty;
};

/* A pointer that a function of a unit (from 1) compares with NULL in a block; run: the number of
 * the last run that did. */
struct tested {
	char *name;
	uint32_t unit, func, block;
	uint64_t run;
};

struct store {
	sqlite3 *db;
	char *error;
	struct statement *statement;
	size_t statements;
	bool write;
	/* the session of this handle */
	int64_t session, program, question;
	char *plan;
	const struct flow *flow;
	struct suite *suite;                        /* suite.c; NULL: a strategy's session */
	char *source, source_hash[STORE_HASH_TEXT]; /* the file that was hashed last */
	struct store_objective *objective;          /* of the branches */
	bool addressed; /* an address depended on inputs, so that the run may stand for further
	           pairs that no query asked for */
	bool read_on;   /* how far a library function reads depends on inputs */
	char *unpaired; /* a call of some run that may have covered further pairs, or NULL */
	const struct defuse *defuse; /* the watched pairs, or NULL */
	struct known_set known[STORE_AIMS];
	struct left *left;     /* left.c; NULL: no run left blocks in their middle yet */
	struct passed *passed; /* lines of code; NULL: none yet */
	uint32_t **by_outcome; /* by unit and outcome: 1 + objective, 0: none */
	uint32_t *unit_of;
	size_t units; /* by unit of traces: 1 + unit of the flow, 0: none */
	uint64_t *unit_key;
	struct failure *failure;
	size_t failures;
	struct lost *lost;
	size_t losts;
	size_t contradictions; /* runs that refuted a verdict infeasible */
	struct check_place *place;
	size_t places;
	struct target *target;
	size_t targets;
	char leaves; /* whether calls of the program may jump (j), may end the run (e), or always
	                return (-); 0: not yet determined */
	struct {
		bool asked;         /* `at` and `leads` are computed */
		bool **at, **leads; /* functions in which it may have ended, and functions that lead
		                       to them; NULL: not known */
	} end;                      /* of the run that is being added */
	struct decisions *vectors;  /* of decisions; NULL: no criterion asks for them */
	struct map assigned;        /* members that functions of the program assign (members.c) */
	bool others_call; /* code outside of the program model may call functions of the program by
	                     name */
	struct reached_limit *limit;
	size_t limits;
	bool limits_dirty;
	struct need *need;
	size_t needs;
	bool assume_needs; /* callers are assumed to meet all needs */
	struct tested *tested;
	size_t testeds;
	bool *seen[STORE_AIMS]; /* objectives taken by runs outside of the question; NULL: none */
	struct behind *behind;  /* blocks that runs did not reach because of a fault; NULL: none */
	uint32_t entry_unit, entry_block; /* first block of the entry; 0: not known */
	bool **reached;  /* functions that the entry may call; NULL: not asked yet */
	uint32_t doubts; /* a bit for each kind of fault that happened at an unknown place */
	uint64_t runs, tests, written_runs, kept;
	struct store_figures figures;
	char *ended, *extra, *share;
	bool figures_dirty;
	bool by_definition; /* all-defs: any pair of a definition decides it */
	int64_t
	    *function_row; /* rows of functions with definitions, by number; 0: not yet looked up */
	/* not yet written */
	struct execution *execution;
	size_t executions;
	struct kept_test *test;
	size_t pending_tests;
	double flushed, flushed_all; /* time of the last write, of the last with all counts */
	bool alone;                  /* the store is in memory: no other process uses it */
};

/* fresh.c: creates an empty store as a file that does not exist yet, or in an empty database in
 * memory. False: nothing was changed. */
bool store_fresh_file(const char *path);
bool store_fresh_memory(sqlite3 *db);

/* Sets the message, unless there is one already; returns -1. */
int store_fail(struct store *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Prepares a statement, once, and binds its parameters; `types` has a letter for each: i int64_t, u
 * uint64_t, n int, d double, t text (or NULL), b bytes and size_t. NULL after store_fail. */
sqlite3_stmt *store_sql(struct store *s, const char *sql, const char *types, ...);
/* Runs a statement to its end. 0, or -1. */
int store_do(struct store *s, const char *sql, const char *types, ...);
/* Runs a statement with at most one row; *out: its first column as an integer, or `none` without a
 * row. 0, or -1. */
int store_get(struct store *s, int64_t *out, int64_t none, const char *sql, const char *types, ...);
/* Steps to the next row; false at the end or on error (then s->error is set). */
bool store_row(struct store *s, sqlite3_stmt *st);
/* Checks the whole file: -1 with the store's error when it is damaged. */
int store_check_pages(struct store *s);
/* The text of a column, "" for NULL; valid until the next row. */
const char *store_string(sqlite3_stmt *st, int col);
/* Runs n statements to their ends. 0, or -1. */
int store_do_all(struct store *s, const char *const *sql, size_t n);
/* Finalises all prepared statements, so that a database that they read can be detached. */
void store_forget_statements(struct store *s);

/* SQL condition on a row of `session`: no later session has the same entry in another version of
 * its file. */
#define STORE_CURRENT \
	"NOT EXISTS (SELECT 1 FROM session AS later JOIN function AS new ON new.program = later.program" \
	" AND new.name = later.entry JOIN function AS old ON old.program = session.program AND old.name = session.entry" \
	" AND old.file = new.file WHERE later.id > session.id AND later.entry = session.entry AND later.strategy <> 'cover'" \
	" AND old.source <> new.source)"

/* SQL condition on a row of `session`: it ended, or has at least as many tests as an earlier
 * session of the same question that ended. A session first repeats those tests, and may be killed
 * before it has done so. */
#define STORE_WHOLE \
	"(session.ended IS NOT NULL OR (SELECT count(*) FROM test WHERE test.session = session.id) >=" \
	" (SELECT coalesce(max(n), 0) FROM (SELECT count(*) AS n FROM session AS whole JOIN test ON test.session = whole.id" \
	" WHERE whole.question = session.question AND whole.id < session.id AND whole.ended IS NOT NULL GROUP BY whole.id)))"

/* add.c: 1 + unit of the flow for a unit of the trace, 0 for units without a program model. */
uint32_t store_unit(struct store *s, const struct trace *t, uint32_t unit);

/* add.c: adds a loss of precision in a line of a file, whose name is the flow's. */
void store_lose_line(struct store *s, const char *file, uint32_t line, const char *reason);
/* contradict.c: a run covers an objective that is infeasible by this evidence, or by a proof:
 * counts the contradiction, and records it as an error of duct. */
void store_contradict(struct store *s, enum store_aim aim, size_t i, const char *evidence);
void store_contradict_place(struct store *s, const struct check_place *p);
/* The same for an evaluation of the decision that this objective belongs to. */
void store_contradict_evaluation(struct store *s, size_t objective);
void store_contradict_target(struct store *s, const struct target *t);

/* known.c: adds an objective with the verdict unknown. */
void known_add(struct known_set *k);
/* A run covers objective i: is it the first? */
bool known_cover(struct store *s, enum store_aim aim, size_t i);
/* Records that a suite's test covers the objective with that row. True if no test was known to
 * cover it. */
bool known_take_over(
    struct known_set *k, struct objective_state *const *sorted, int64_t id, const char *evidence);
/* The objectives sorted by row; the caller frees the list. */
struct objective_state **known_sorted(struct known_set *k);
void known_credit(struct known_set *k, const struct covers *c, uint64_t test);
int known_write(struct store *s, enum store_aim aim, bool all);
void known_written(struct known_set *k, bool all);
void known_free(struct known_set *k);

/* passed.c: adds the lines of the marked functions of a unit of the flow, within a transaction;
 * units are numbered from 0 in the order of these calls. */
int passed_unit(struct store *s, uint32_t unit, const bool *mark);
/* Notes that a run begins, and that it executes a block; !count: it was counted already. */
void passed_run(struct store *s);
void passed_block(struct store *s, size_t unit, uint32_t block, bool count);
/* Notes that a run executes one line of a block, by its number in the program model. */
void passed_line(struct store *s, size_t unit, uint32_t line, bool count);
int passed_write(struct store *s);
/* Makes sure that everything written so far is in the store. */
void passed_written(struct store *s);
void passed_free(struct store *s);

/* left.c: adds the lines that a run executed. */
void store_passed_add(struct store *s, const struct trace *t);
void store_left_free(struct left *l);

/* session.c: the row of a function, which is added if it is new; *fresh tells. */
int store_function_row(struct store *s, uint32_t unit, uint32_t func, int64_t *row, bool *fresh);
/* The same, for the function of branch `first`, with rows for all its branches. */
int store_function_branches(struct store *s, uint32_t unit, uint32_t first, int64_t *row);
/* identity.c: hashes a file's name and content; `key` stands for content that cannot be read. */
void store_hash_file(struct store_hash *h, const char *name, uint64_t key);
bool store_hash_content(struct store_hash *h, const char *name); /* false: cannot be read */
/* The hash of sources and flags, without the harness: equal for all entries. */
void store_program_hash(const struct store_start *st, char text[STORE_HASH_TEXT]);
int store_add_program(struct store *s, const struct store_start *st, const char *hash);
int store_add_question(struct store *s, const struct store_start *st);
/* Do the flags link code, other than the C library, that may look up functions of the program by
 * name? */
bool store_calls_back(const char *const *flag);
void store_suite_free(struct suite *suite);
/* pairs.c: adds rows for the watched pairs, or only for those with known results if they are many
 * (store_has_many). store_new_pairs: for pairs with results since then. */
int store_add_pairs(struct store *s);
/* Adds the paths of pairs that are open or infeasible, for reports. */
int store_add_paths(struct store *s);
int store_new_pairs(struct store *s);
/* Are the pairs so many that only those with known results have rows? */
bool store_has_many(const struct store *s);
/* Called after a failed transaction: forgets the rows of pairs that it would have added. */
void store_forget_pairs(struct store *s);
/* Shortest paths for the rows of pairs; NULL when there are too many pairs to search them. */
struct defuse_paths *store_paths(const struct defuse *d);
/* Rows of pairs in their order, that of the functions with their definitions. */
struct store_pair_turn {
	int64_t function; /* row of the function that has the definition of the pair */
	int64_t before;   /* the same of the pair before, 0 none */
	bool fresh;       /* had it no pairs yet? */
};
/* The row of pair i, in its turn. */
int store_pair_row(struct store *s, const struct defuse *d, struct defuse_paths *paths, uint32_t i,
    struct store_pair_turn *turn, int64_t *row);

/* limits.c: do runs of the session make globals inputs that other functions of the program set?
 * These inputs may be values that the program never sets, so that such a run does not contradict a
 * proof. */
bool store_gives_state(struct store *s);
/* places.c: file and line of a block of the flow (unit: its index), or of its function if the block
 * has no line; in the harness: of the entry, which it calls or which has called its stub. */
const char *store_block_place(
    const struct store *s, uint32_t unit, uint32_t block, uint32_t *line, const char **function);
/* The same of a block of a trace; NULL when unknown. */
const char *store_place_of(struct store *s, const struct trace *t, uint32_t unit, uint32_t block,
    uint32_t *line, const char **function);
/* Makes a test of a run and what it covers, without its number. */
void store_fill_test(
    struct store *s, const struct store_run *run, const struct covers *covers, struct kept_test *k);
/* Adds a failure: the test dereferences a null pointer. */
void store_fail_null(struct store *s, const char *file, uint32_t line, const char *function,
    const char *message, uint64_t test);

/* way.c: sorts the outcomes that the run covers by the order in which it first took them; those of
 * functions that no visible call leads to come first. */
void store_order(struct store *s, const struct trace *t, struct covers *c);

/* needs.c: adds the need with which a run ended, and the pointers that it compared with NULL. The
 * first need of a place takes over `covers`. */
void store_needs_add(struct store *s, const struct store_run *run, struct covers *covers);
/* Records that a run which ended with a failure shows this need. */
void store_needs_note(struct store *s, const struct trace *t, const struct trace_limit *need);
/* Adds the need that callers pass values with which the loop of this condition ends. */
void store_needs_loop(struct store *s, const struct flow_unit *u, const struct flow_branch *b);
/* Adds a need about an index (kinds "range", "most", "inside"); without a number if objects of
 * several sizes are accessed. */
void store_needs_index(struct store *s, const struct trace *t, const struct trace_limit *need,
    const struct check_place *at);
/* Does the text contain the last word of the name? */
/* members.c: notes which members of structures the functions of a program model with all records
 * assign. */
void store_members_begin(struct store *s, const struct store_start *st);
/* Does the function assign the member in which the name ends, also in the object of another
 * pointer? */
bool store_assigns(
    const struct store *s, const struct flow_unit *u, uint32_t func, const char *name);
bool store_has_word(const char *text, const char *name, size_t n);
int store_write_needs(struct store *s);
void store_needs_widened(struct store *s); /* called after the limits of runs were widened */
void store_needs_written(struct store *s);
void store_needs_free(struct store *s);

/* plan.c: the text after the letter in the next line of the plan, from `at` on, that begins with
 * this letter; NULL: none. */
const char *store_plan_line(const char *at, char letter);
/* The text after the name in the first line with this letter and name; NULL: none. */
const char *store_plan_named(const char *plan, char letter, const char *name, size_t n);

/* before.c: did the run call a setter, chosen by the session, before it called the entry? */
bool store_any_before(const struct trace *t);
/* Did the run fail in such a call? Then it says nothing about the entry. A need that it shows is
 * noted. */
bool store_went_wrong_before(struct store *s, const struct trace *t);

/* asserts.c: did the run end in an assertion about arguments of the entry? Then that is a need. */
bool store_asserts_need(struct store *s, const struct trace *t);
/* Does the caller of the entry pass that input? */
bool store_is_passed(const struct store *s, const char *input);
/* Is it the result of a stub of an undefined function? */
bool store_is_stub_answer(const struct store *s, const char *input);
/* Length of the prefix of an input's name that names the structure which it is a member of; 0: it
 * is no member. */
size_t store_structure_of(const struct store *s, const char *name);
/* Is the input a member, but no array element, of a structure? */
bool store_is_member(const struct store *s, const char *input);
/* Is it such a member, or a number that a stub or a function of the caller returns, which the
 * function need not check? */
bool store_is_kept(const struct store *s, const char *input);

/* loops.c: did time run out in a loop whose end depends on arguments of the entry? Then that is a
 * need. */
bool store_loops_need(struct store *s, const struct trace *t);
/* The edges between the blocks of a function, counted from 0; *n: their number. The caller frees
 * them. */
struct graph_edge;
struct graph_edge *store_edges_of(const struct flow_unit *u, const struct flow_func *f, size_t *n);
/* By block of the function: is it in a cycle with this one? NULL: this one is in none. The caller
 * frees it. */
bool *store_cycle_of(const struct flow_unit *u, const struct flow_func *f, uint32_t block);
/* numbered.c: is the access where the run ended control-dependent on a number that may tell whether
 * the pointer is NULL, such as a number of elements? */
bool store_goes_with_number(struct store *s, const struct trace *t, const char *pointer);
/* By block of the function: is it dominated by the given block? The caller frees it. */
bool *store_blocks_behind(const struct flow_unit *u, const struct flow_func *f, uint32_t block);
/* Are both blocks of one function, and does the first dominate the other? */
bool store_dominates(const struct flow_unit *u, uint32_t block, uint32_t other);
/* indexes.c: by input: does the node depend on it? The caller frees it. */
bool *store_inputs_of(const struct trace *t, uint32_t node);
/* before.c: did the run enter the block? */
bool store_came_to(struct store *s, const struct trace *t, uint32_t unit, uint32_t block);
/* links.c: did the run dereference a null pointer of the program's own data in a loop that counts
 * by a member of the caller's structure, which has pointers to others? Then that is a need. */
bool store_links_need(struct store *s, const struct trace *t);
/* By node of the run: does it depend on an input that the caller does not pass, or on a byte of an
 * array? The caller frees it. */
bool *store_foreign_nodes(const struct store *s, const struct trace *t);
/* bytes.c: did the run end at a pointer, NULL or invalid, that consists of bytes which the caller
 * passed, or follow such pointers until its time limit? Then that is a need. */
bool store_bytes_need(struct store *s, const struct trace *t);
/* Is the input a byte of bit-fields, or of a union? */
bool store_is_bits(const struct store *s, const char *input);

/* indexes.c: did the run end at an index that the caller passed and that the function does not
 * check? Then that is a need. */
bool store_indexes_need(struct store *s, const struct trace *t);
/* Is the event, at that place, a check of an index into a part of an object that only callers can
 * bound? */
bool store_part_asks(
    struct store *s, const struct trace *t, size_t event, const struct check_place *at);

/* numbers.c. store_division_need, store_memory_need: did the run end because of a divisor of 0, or
 * of an allocation's size, that only callers can rule out? Then that is a need.
 * store_division_asks: is the event such a division? */
bool store_division_need(struct store *s, const struct trace *t);
bool store_division_asks(struct store *s, const struct trace *t, size_t event);
bool store_memory_need(struct store *s, const struct trace *t);
/* Did a run that read a va_list passed by the caller end at an invalid address? Then the address is
 * from that list, which is a need. */
bool store_list_need(struct store *s, const struct trace *t);
/* Did the run spend its time waiting for other processes, as in select(), rather than computing?
 * Then its time limit is no failure. */
bool store_waits(const struct trace *t);

/* limits.c. store_limits_begin: adds the limits of the plan; store_limits_add: those that a run
 * touched. store_assumptions: the text without the lines that are limits; the caller frees it. */
void store_limits_begin(struct store *s, const struct store_start *st);
void store_limits_add(struct store *s, const struct trace *t);
char *store_assumptions(const char *narrowing);
/* store_see: records the outcomes of a run that is not part of the question. store_fault_at:
 * records the place of a fault. store_entered: did the run reach the first statement of the entry?
 * store_blame: records a run that failed by an error of duct. */
void store_see(struct store *s, const struct store_run *run);
void store_fault_at(struct store *s, const struct trace *t, const struct check_place *p);
bool store_entered(struct store *s, const struct trace *t);
void store_blame(struct store *s, const struct store_run *run);
/* Is the behaviour undefined after a run ended so? */
bool store_undefined_end(enum trace_end end);
/* store_open_end: the reason why objective i stays unknown although all paths were run; NULL: it is
 * infeasible. store_place_open: does a place stay unknown then? */
const char *store_open_end(const struct store *s, enum store_aim aim, size_t i);
bool store_place_open(const struct store *s, const struct check_place *p);
int store_write_limits(struct store *s);
void store_limits_free(struct store *s);

/* places.c: finds the places in functions that can be reached; mark as from flow_reachable. */
void store_find_places(struct store *s, bool *const *mark);
/* The place of the fault that an event of a run reports, or NULL. */
struct check_place *store_fault(struct store *s, const struct trace *t, size_t event);
/* Did the run go on after that fault? It does after a division whose result is unused. */
bool store_went_on(const struct trace *t, size_t event);
/* The place of the address that a run ended at, or NULL. */
struct check_place *store_fault_end(struct store *s, const struct trace *t);
/* Where the check is at which a run ended because of a need; NULL: it was none. */
const struct flow_pos *store_need_pos(struct store *s, const struct trace *t);
void store_need_place(struct store *s, const struct trace *t);
const char *store_place_file(const struct store *s, const struct check_place *p);
const char *store_place_function(const struct store *s, const struct check_place *p);
/* The faults after which the run continued, for its test; malloc'ed, NULL when there are none. */
char *store_undefined(struct store *s, const struct trace *t);
/* Called when every feasible path was run and every possible fault on it was queried: places
 * without a fault are safe. */
void store_prove_places(struct store *s);
int store_write_places(struct store *s);
/* Imports proofs about places, targets and evaluations of earlier sessions with the same program
 * and question. */
int store_inherit_proved(struct store *s);
/* Marks objectives at instructions that a run outside of the question reached. */
void store_see_places(struct store *s, const struct trace *t);

/* targets.c: finds the targets in functions that can be reached; called when the objectives are
 * known. */
void store_find_targets(struct store *s, bool *const *mark, const char *const *parameter);
/* Finds the targets of one unit for these criteria, without their ways. */
void store_find_unit_targets(struct store *s, uint32_t unit, const bool *mark, uint32_t criteria);
/* Adds a target: a block; the i-th call of the unit. */
struct target *store_target_new(
    struct store *s, uint32_t unit, uint32_t block, enum criterion criterion, const char *name);
struct target *store_target_call(
    struct store *s, uint32_t unit, size_t i, enum criterion criterion, const char *name);
/* Adds one more block to the target: a run reaches it by any of its blocks. */
void store_target_block(struct target *t, uint32_t block);
/* Finds the outcomes that lead to the target. */
void store_target_ways(const struct store *s, struct target *t);
/* Does the program define the function? store_target_error: how a run ends in a call of an error
 * function with that name; END_COUNT: it is none. */
bool store_target_defined(const struct flow *fl, const char *name);
enum trace_end store_target_error(const char *callee);
/* asked.c: adds the targets that the user names: FILE:LINE, FILE:LINE:COL, FUNC. 0, or -1 when one
 * has no code, unless its name begins with `?`. */
int store_ask_targets(struct store *s, const char *entry, const char *const *name);
/* target_runs.c: adds the targets that a run reached; is one of them reached for the first time? */
bool store_targets_add(struct store *s, const struct trace *t);
/* Sets the first test of all targets that were reached and have no test yet. */
void store_targets_credit(struct store *s, uint64_t test);
int store_write_targets(struct store *s);
void store_targets_written(struct store *s);
void store_targets_free(struct store *s);
/* target_runs.c: notes lost precision where a run may have ended in a library function that,
 * depending on its arguments, returns or ends the program. */
void store_ends_note(struct store *s, const struct trace *t);
/* Frees what is known about where the last run ended. */
void store_end_forget(struct store *s);

/* vectors.c: the combinations of outcomes of each decision that runs took, for criteria of
 * evaluations such as MC/DC. store_vectors_add returns the number of decisions for which the run
 * takes a new combination. */
void store_vectors_begin(struct store *s, const char *const *parameter);
size_t store_vectors_add(struct store *s, const struct covers *c);
/* Records a proof that no evaluation takes exactly these outcomes, given by their objectives. An
 * earlier or later run that does contradicts it. */
void store_vectors_rule_out(struct store *s, const uint32_t *objective, size_t n);
void store_vectors_free(struct decisions *v);

const char *store_verdict_name(enum store_verdict v);
enum store_verdict store_verdict_find(const char *name);
const char *store_side_name(enum flow_side side);
void store_session_free(struct store *s);
/* Writes pending additions; `all`: also how often each objective was covered. */
int store_write(struct store *s, bool all);
void store_test_free(struct kept_test *t);

/* A hash of a sequence of byte strings: any number of updates, then the text. The length of each
 * update is hashed, too. */
void store_hash_begin(struct store_hash *h);
void store_hash_add(struct store_hash *h, const void *data, size_t n);
void store_hash_text(struct store_hash *h, const char *s); /* its NUL included */
void store_hash_print(const struct store_hash *h, char text[STORE_HASH_TEXT]);

char *store_put_decimal(char *to, uint64_t v); /* returns the end of the digits */

/* Inputs as JSON and back; malloc'ed. */
char *store_inputs_print(const struct trace_var *var, size_t n);
bool store_inputs_parse(const char *json, struct input *in);

#endif
