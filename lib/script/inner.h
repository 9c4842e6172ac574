/* Shared by the parts of lib/script. Each C object is a full userdata with its own metatable and
 * __gc; methods check that it is still open. */
#ifndef DUCT_SCRIPT_INNER_H
#define DUCT_SCRIPT_INNER_H

#include <signal.h>

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include "lib/base/map.h"
#include "lib/defuse/defuse.h"
#include "lib/flow/flow.h"
#include "lib/solve/solve.h"
#include "lib/tree/tree.h"

struct space_ways; /* ways.c */

/* Expressions and the execution tree over them. User value 1: the flow, for switch cases, or a list
 * of it and what ways.c asks; 2: events of runs, by what tells them apart, or nil. */
struct space {
	struct expr_pool *pool;
	struct tree *tree;
	const struct flow *flow;
	expr *map;
	size_t map_capacity;
	struct map classes;      /* of branches that runs came by, plus one */
	struct space_ways *ways; /* or NULL */
};

/* Values of inputs. User value 1: the space whose variables they are. */
struct model {
	struct space *space;
	struct assignment a;
};

struct trace_box {
	struct trace t;
	bool open;
};
struct defuse_box {
	struct flow *flow;
	struct defuse *d;
};

#define META_SPACE "duct.space"
#define META_MODEL "duct.model"
#define META_SOLVER "duct.solver"
#define META_RUNNER "duct.runner"
#define META_TRACE "duct.trace"
#define META_FLOW "duct.flow"
#define META_DISTANCE "duct.distance"
#define META_DEFUSE "duct.defuse"
#define META_GUIDE "duct.guide"
#define META_AIM "duct.aim"
#define META_WORKLIST "duct.worklist"
#define META_BRANCHES "duct.branches"
#define META_CLASSES "duct.classes"
#define META_PARTITION "duct.partition"
#define META_STORE "duct.store"
#define META_PROCESS "duct.process"
#define META_RANDOM "duct.random"
#define META_SEQUENCE "duct.sequence"
#define META_BANDIT "duct.bandit"
#define META_POOL "duct.pool"

extern volatile sig_atomic_t script_interrupted;
/* stuck.c: scripts that do not end. Adds to the table of core; the state's end; a script asked for
 * the time; seconds; sets the timer of the session's deadline, in a new process again; the
 * deadline, so many seconds from now. */
void script_add_stuck(lua_State *L);
void script_end_stuck(void);
void script_alive(void);
/* A path with so many open branches is given to the script: it may take longer before it counts as
 * stuck. */
void script_expect(size_t branches);
void script_arm(void);
void script_set_deadline(double seconds);

/* process.c: a process, on the stack, that was started with the end of a pipe, from which records
 * of this format are read. */
void script_push_process(lua_State *L, int pid, int from, const char *name, const char *format);
/* prove.c */
void script_add_prove(lua_State *L);

/* options.c */
void script_add_options(lua_State *L);

/* A new zeroed userdata of this kind, on the stack. */
void *script_box(lua_State *L, size_t size, const char *meta);
/* Of a userdata that is one `void *`: what it holds, at this index, or an error when it was closed;
 * and the end of the one at index 1: what it held is the caller's to free, NULL when it was closed
 * before. */
void *script_held(lua_State *L, int i, const char *meta);
void *script_taken(lua_State *L, const char *meta);
/* Makes the metatable: methods, and gc for both __gc and __close. */
void script_class(lua_State *L, const char *meta, const luaL_Reg *methods, lua_CFunction gc);
/* A Lua error from a message of ours, which is freed. */
int script_fail(lua_State *L, char *message);
/* Table fields with a default; the table is at index t. */
const char *script_get_string(lua_State *L, int t, const char *name, const char *otherwise);
lua_Integer script_get_integer(lua_State *L, int t, const char *name, lua_Integer otherwise);
double script_get_number(lua_State *L, int t, const char *name, double otherwise);
bool script_get_bool(lua_State *L, int t, const char *name);
/* The list t[name] as a NULL-terminated array that lives as long as the userdata pushed on the
 * stack; NULL pushed and returned when there is none. The strings are the table's. */
const char *const *script_get_list(lua_State *L, int t, const char *name);
void script_set_integer(lua_State *L, const char *name, lua_Integer v);
void script_set_string(lua_State *L, const char *name, const char *v);
void script_set_bool(lua_State *L, const char *name, bool v);
/* A list of the numbers that Lua has for these pairs, from 1 on. */
void script_push_pairs(lua_State *L, const uint32_t *pair, size_t n);

/* The values of a model as an input record; *v is a buffer that is kept and grown. Names are the
 * pool's. */
void script_input(const struct model *m, uint64_t id, struct input_value **v, size_t *capacity,
    struct input *out);
struct trace_box *script_new_trace(lua_State *L);
/* The open trace at this index, or an error. */
struct trace *script_trace(lua_State *L, int i);
/* The open space, or the pairs of a program, at this index, or an error. */
struct space *script_space(lua_State *L, int i);
struct defuse_box *script_defuse(lua_State *L, int i);
struct partition;
struct partition *script_partition(lua_State *L, int i);
/* With a partition at index i, only the inputs of its block at the next index are symbolic; none
 * where that is nil. */
void script_vary(lua_State *L, int i, struct input *in);
/* A new model of the space at index i, on the stack. */
struct model *script_new_model(lua_State *L, int i);

/* The open model at index i, or an error. */
struct model *script_model(lua_State *L, int i);
/* The list of conditions at index t as an array, on the stack as long as it is used. */
expr *script_conditions(lua_State *L, const struct space *s, int t, size_t *n);

/* The expressions of a trace in the space, in its map. */
void script_import(struct space *s, const struct trace *t);
int script_events(lua_State *L);  /* path.c */
int script_replace(lua_State *L); /* replace.c */

/* ways.c */
int script_ways(lua_State *L);
void script_free_ways(struct space_ways *w);

/* model.c: methods of spaces, and the class of models. */
int script_adopt(lua_State *L);
int script_unmet(lua_State *L);
int script_space_model(lua_State *L);
int script_space_model_of(lua_State *L);
void script_class_model(lua_State *L);

/* store.c: the store at index 1; raises an error if it is closed. */
struct store;
struct store *script_store(lua_State *L);
/* The view that was read last from the store at index 1. report.c uses it again until the store
 * changes. */
struct script_view {
	struct store_view *view; /* NULL: none */
	int64_t number, version; /* the session that it shows, and the store's version then */
	bool explained;
};
struct script_view *script_store_view(lua_State *L);
/* Raises the store's last error. */
int script_store_fail(lua_State *L, struct store *s);
/* Where the userdata at index i keeps its store: NULL is there once the store is closed. */
struct store *const *script_store_held(lua_State *L, int i);
/* Methods of stores: aims.c, limits.c, report.c, store_figures.c. */
int script_store_progress(lua_State *L);
int script_store_finish(lua_State *L);
int script_store_counts(lua_State *L);
int script_store_missing(lua_State *L);
int script_store_unknown(lua_State *L);
int script_store_objectives(lua_State *L);
int script_store_objective(lua_State *L);
int script_store_wanted(lua_State *L);
int script_store_targets(lua_State *L);
int script_store_ways(lua_State *L);
int script_store_known(lua_State *L);
int script_store_closest(lua_State *L);
int script_store_exhaust(lua_State *L);
int script_store_decide(lua_State *L);
int script_store_goal_open(lua_State *L);
int script_store_goal_judge(lua_State *L);
int script_store_blocks(lua_State *L);
int script_store_report(lua_State *L);
int script_store_holds(lua_State *L);
int script_store_limits(lua_State *L);
int script_store_widen(lua_State *L);
int script_store_unreach(lua_State *L);
int script_store_grown(lua_State *L);
/* core.limit: limits.c. */
int script_limit(lua_State *L);
int script_colour(lua_State *L);
/* recount.c */
int script_confined(lua_State *L);
int script_store_questions(lua_State *L);
int script_store_recount(lua_State *L);

struct store_view;
/* A table that says what the view does. */
void script_push_view(lua_State *L, const struct store_view *v);

/* Each adds its functions to the table on top of the stack. */
void script_add_space(lua_State *L);
void script_add_solver(lua_State *L);
void script_add_runner(lua_State *L);
void script_add_flow(lua_State *L);
const struct flow *script_whole_flow(lua_State *L, int i); /* one that has all records */
int script_flow_amounts(lua_State *L), script_flow_texts(lua_State *L);
void script_add_defuse(lua_State *L);
void script_add_guide(lua_State *L);
void script_add_worklist(lua_State *L);
void script_add_branches(lua_State *L);
void script_add_classes(lua_State *L);
void script_add_effects(lua_State *L);
void script_add_partition(lua_State *L);
void script_add_store(lua_State *L);
void script_add_process(lua_State *L);
void script_add_system(lua_State *L);
void script_add_pool(lua_State *L);

/* Of a pending branch: equal for the same outcome of the same condition in about the same iteration
 * of a loop; 0: it is gone. */
uint64_t script_class_of(const struct space *s, pending b);
/* The index in the flow of a unit of the traces; -1 when it is not there. */
lua_Integer script_flow_unit(const struct space *s, uint32_t unit);
/* The branches of a core.branches at index i, of which some may be closed. */
const pending *script_branches(lua_State *L, int i, size_t *n);
/* random.c. Of a generator's state (META_RANDOM): a random number below n; a random value for an
 * input of this kind (enum input_kind) and width. */
void script_add_random(lua_State *L);
uint64_t script_below(uint64_t *state, uint64_t n);
int64_t script_random_value(uint64_t *state, char kind, unsigned width);
/* sequence.c: values of the inputs NAME[0], NAME[1], ... */
struct sequence {
	size_t n;
	int64_t v[];
};
void script_add_sequence(lua_State *L);
const struct sequence *script_sequence(lua_State *L, int i);
/* bandit.c */
void script_add_bandit(lua_State *L);

#endif
