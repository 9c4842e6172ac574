/* flow: the program model in memory, read from flow(5): all units of a program; ids as in the
 * records, local to a unit. See flow(5) for the meaning of the records. */
#ifndef DUCT_FLOW_H
#define DUCT_FLOW_H

#include "lib/rec/rec.h"

struct flow_pos {
	uint32_t file; /* id of a file record; 0: none */
	uint32_t line, col;
};

/* Types: kinds as letters. i signed u unsigned c char b bool f float p pointer a array s struct
 * n union v void e function o other; an enumeration is i or u */
struct flow_member {
	char *name;
	uint32_t type;
	uint64_t offset;
	uint32_t bit, bits; /* bits 0: no bit-field; offset in bytes */
};
struct flow_enumerator {
	char *name;
	int64_t value;
};
struct flow_type {
	char kind;
	uint64_t size;  /* bytes */
	uint32_t of;    /* pointee or element type */
	uint64_t count; /* array elements */
	char *text;     /* C declarator with %s where the name goes: "int (*%s)[3]" */
	bool is_own;    /* the program defines it, although its name is reserved: struct _node */
	struct flow_member *member;
	size_t members;
	/* those visible at the end of the unit */
	struct flow_enumerator *enumerator;
	size_t enumerators;
};
struct flow_var {
	uint32_t func, type;
	char *name;
	char kind;       /* g global, s static local, l local, p parameter */
	uint8_t defined; /* 0: no, 1: here, 2: here and constant */
	bool is_static;  /* global not visible to other units */
	bool is_weak;    /* may be undefined, with address 0 */
	bool is_const;   /* it and the next two: as declared, if not defined here */
	bool is_volatile, is_thread;
	bool is_restrict; /* a parameter */
	struct flow_pos pos;
};
struct flow_func {
	char *name;
	struct flow_pos pos, end;
	uint32_t type; /* function type: of = result */
	uint32_t *param;
	size_t params; /* variables, in order */
	bool is_static, is_variadic, in_system, address_taken, is_harness, no_return;
	bool is_foreign;              /* the harness defines it, and only other units call it */
	bool constructor, destructor; /* runs before main, after it */
	bool is_weak;                 /* another definition may replace it */
	bool is_inline;               /* inline without an external definition (C99) */
	uint32_t first_block, blocks;
	uint64_t hash; /* of its conditions and calls, independent of ids and of
	                  its position in the file */
};
enum flow_side { FLOW_TRUE, FLOW_FALSE, FLOW_CASE, FLOW_DEFAULT };
struct flow_branch {
	uint32_t func, block;
	/* For a condition from a macro, pos is where the macro is used, or where its argument is;
	 * region is the condition in the macro's definition, as in llvm-cov. Otherwise they are
	 * equal. */
	struct flow_pos pos, region;
	char kind;      /* b two-way, s switch, q select, a inside an assumption */
	uint32_t first; /* first outcome index; order: true, false, or cases,
	                   default */
	int64_t *value;
	struct flow_pos *case_pos;
	size_t cases;
	uint32_t *way;               /* for each case the first one that runs the same code;
	                                NULL: they all differ */
	char *text;                  /* source text of the condition, one line */
	struct flow_pos default_pos; /* a switch's default label, or 0 */
	uint32_t width;              /* of a switch's operand, in bits */
	bool of_macro;               /* the condition comes from a macro */
	uint8_t required;            /* kind a: 1 true, 2 false, 0 either */
	/* Of a condition that is one of several of a decision (&&, ||): the decision's number in
	 * the function, else 0; and the branch that is evaluated next when the condition is true,
	 * and when it is false, or the value that the decision then has. */
	uint32_t decision, next[2];
};
#define FLOW_IS_TRUE UINT32_MAX
#define FLOW_IS_FALSE (UINT32_MAX - 1)
struct flow_label {
	uint32_t block;
	bool error; /* a label called ERROR; else one of duct_label() */
	char *name;
};
struct flow_extern {
	char *name;
	uint32_t type;
	bool address_taken, no_return;
	bool is_weak;    /* the name need not be defined */
	bool of_library; /* a system header declares it */
};
struct flow_edge {
	uint32_t from, to;
	uint32_t branch, outcome; /* branch 0: unconditional */
};
struct flow_call {
	uint32_t func, block, inst;
	char *callee;    /* NULL: through a pointer */
	char *signature; /* then: the function's type as the machine passes it; NULL: unknown */
	struct flow_pos pos;
};
/* The program converts pointers to functions of the type `from` to pointers to functions of the
 * type `to`; 0: to another type. */
struct flow_converted {
	uint32_t from, to;
};
/* The program converts pointers to structures of the type `from` to pointers to structures of the
 * type `to`, which are larger. */
struct flow_derived {
	uint32_t from, to;
};
/* Memory at an address that the source states, through a pointer to something volatile, as
 * registers of a device have one. */
struct flow_device {
	char *func; /* the function that has the address; "-": a variable's initialiser has it */
	uint64_t address;
	uint32_t type;
	bool open; /* it may be the first element of an array */
};
/* Instructions; only with all records. Operations that no analysis distinguishes are FLOW_VALUE. */
enum flow_op {
	FLOW_VALUE,
	FLOW_COMPARE,
	FLOW_FLOAT,
	FLOW_CAST,
	FLOW_ADD,
	FLOW_SUB,
	FLOW_ALLOCA,
	FLOW_LOAD,
	FLOW_STORE,
	FLOW_ADDR,
	FLOW_COPY,
	FLOW_FILL,
	FLOW_CALL,
	FLOW_SELECT,
	FLOW_PHI,
	FLOW_BR,
	FLOW_SWITCH,
	FLOW_GOTO,
	FLOW_RET,
	FLOW_UNREACHABLE,
	FLOW_ASM,
	FLOW_OTHER /* like FLOW_VALUE, but may access memory: atomic
	              operations */
};
/* kind: % & $ @ ^ ! ? as in flow(5), # integer, ~ floating point, - none */
struct flow_operand {
	char kind;
	uint32_t id;   /* % & $ ^ ! ?: number */
	int64_t value; /* #: the constant (low 64 bits); & $ @: bytes added; ~: up to 64 bits */
	char *name;    /* @; # and ~ of more than 64 bits: all of it, as text; else NULL */
};
/* An alias, visible to other units, of a function (@) or variable (&) of the unit. */
struct flow_alias {
	char *name;
	struct flow_operand target;
	bool is_weak;
};
struct flow_inst {
	uint32_t block;
	uint8_t op;
	uint32_t width;
	struct flow_pos pos;
	const char *name;         /* operation as in flow(5), static; NULL: unknown to this
	                             version */
	uint32_t first, operands; /* in flow_unit.operand */
};
struct flow_access { /* a def or use record */
	uint32_t inst, var;
	bool is_def;
	struct flow_pos pos;
	char how[8];           /* letters; "" for - */
	uint64_t offset, size; /* bytes */
	uint32_t bit, bits;    /* of a bit-field, counted from OFFSET; bits 0: none */
	char *path;
};
struct flow_reloc {
	struct flow_operand object, target;
	uint64_t offset;
};
struct flow_home {
	uint32_t var, argument;
};
struct flow_bytes {
	char kind; /* & or $ */
	uint32_t id;
	uint64_t size;
	uint8_t *bytes;
	uint64_t known; /* the first `known` bytes are initialised */
};

struct flow_exact {
	struct flow_operand object; /* kind % & $, or - for the unit */
	char *text;
};
struct flow_line {
	uint32_t block, file, line;
};
struct flow_check {
	uint32_t inst, func, block;
	uint8_t kind; /* enum check_kind or objective_kind */
	struct flow_pos pos;
	char *criterion, *text; /* of an objective; NULL: a fault */
};
/* behaviour on which compilers may differ */
struct flow_limit {
	uint32_t func;
	char *kind;
	struct flow_pos pos;
};
struct flow_unit {
	uint64_t key;
	char *name;
	char *folder;            /* base of relative file names; NULL: unknown */
	char *entry, *narrowing; /* of a program with a harness: the function that it calls; lines,
	                            each a restriction of its inputs; else NULL */
	bool tells_pairs;        /* its code records which definitions reach which
	                            uses */
	bool merges;             /* its runs can merge paths that differ only in values */
	bool asks_calls;         /* built with --abstract: inputs may answer its calls */
	char *stubs;             /* undefined functions that the harness replaces,
	                            one a line */
	char *watched;           /* globals that `entry` may write: lines "NAME", or
	                            "NAME (WHY)" if tests do not observe it */
	char *setters;           /* functions that may change what calls of `entry` depend on,
	                            one a line, with the variable whose address it returns,
	                            as NAME VARIABLE */
	char *libraries;         /* variables of libraries that the entry may use, one a line */
	char *locale;            /* library functions whose answers depend on the locale and that
	                            the entry may call, one a line */
	char *shared;            /* variables that pointers of callers may lead to where that makes
	                            a difference, one a line: NAME if the unit compares its
	                            address, =NAME if the entry uses it by name, too, "*": also
	                            others, which code behind the unit cannot name */
	char *casts;             /* the types to which the entry converts `void *`: of parameters,
	                            lines "NUMBER TYPE", and of results of functions, "NAME TYPE" */
	char **file;
	size_t files; /* id - 1 */
	struct flow_type *type;
	size_t types;
	struct flow_var *var;
	size_t vars;
	struct flow_func *func;
	size_t funcs;
	struct flow_branch *branch;
	size_t branches;
	struct flow_edge *edge;
	size_t edges;
	struct flow_call *call;
	size_t calls; /* in the order of functions */
	struct flow_converted *converted;
	size_t conversions;
	struct flow_derived *derived;
	struct flow_device *device;
	size_t devices;
	size_t derivations;
	struct flow_label *label;
	size_t labels;
	struct flow_extern *ext;
	size_t exts;
	struct flow_alias *alias;
	size_t aliases;
	struct flow_check *check;
	size_t checks; /* possible run-time faults, and objectives at instructions */
	struct flow_limit *limit;
	size_t limits;
	uint32_t *inst_block;
	size_t insts; /* block of inst id - 1; 0 where flow_read_program skipped it */
	struct flow_line *line;
	size_t lines; /* positions of code in the order of instructions,
	                 without repetitions */
	uint32_t blocks, outcomes;
	uint32_t *block_func;       /* function of block id - 1 */
	struct flow_pos *block_pos; /* first position in the block */
	/* the following only with all records */
	struct flow_inst *inst; /* index id - 1, `insts` of them */
	struct flow_operand *operand;
	size_t operands;
	struct flow_access *access;
	size_t accesses; /* ordered by instruction */
	struct flow_reloc *reloc;
	size_t relocs;
	struct flow_home *home;
	size_t homes; /* variables whose memory an argument points to */
	struct flow_bytes *bytes;
	size_t contents; /* data and init records */
	struct flow_exact *exact;
	size_t exacts; /* details that other records omit */
};
struct flow {
	struct flow_unit *unit;
	size_t units;
	struct flow_calls *calls; /* reach.c's index of calls; NULL until it is asked for */
};

/* Reads all streams of f. NULL with *error ("name:line: message", caller frees). */
struct flow *flow_read(FILE *f, const char *name, char **error);
/* Reads the program model in an instrumented executable or object file, without instructions,
 * definitions and uses. Errors as above; a file without a program model is an error. */
struct flow *flow_read_program(const char *path, char **error);
/* Likewise, with all records. */
struct flow *flow_read_whole(const char *path, char **error);
/* Reads all files (`-`, or no file: standard input) as one program, with all records. NULL with
 * *error and the exit status in *status: 3 malformed input, 4 system error. */
struct flow *flow_read_files(char **files, int *status, char **error);
void flow_free(struct flow *fl);
/* Unit by key, or NULL. */
const struct flow_unit *flow_unit_by_key(const struct flow *fl, uint64_t key);
/* Function by name: the first definition; sets *unit. */
const struct flow_func *flow_find(
    const struct flow *fl, const char *name, const struct flow_unit **unit);
/* Resolves function names as the linker does: a static function of the unit, else the strong
 * definition of any unit, else the first weak one, which code outside the flow may replace. func:
 * from 0. */
struct flow_meaning {
	uint32_t unit, func;
	bool weak;
};
struct flow_names *flow_names_new(const struct flow *fl);
bool flow_names_find(
    const struct flow_names *l, uint32_t unit, const char *name, struct flow_meaning *m);
void flow_names_free(struct flow_names *l);
/* The branch of an outcome index, and its side. */
const struct flow_branch *flow_outcome(
    const struct flow_unit *u, uint32_t outcome, enum flow_side *side, size_t *which_case);
/* The kind of parameter list of a function type, by its text, such as `int (%s)(int, ...)`. */
enum flow_prototype { FLOW_NO_PROTOTYPE, FLOW_VARIADIC, FLOW_PROTOTYPE };
enum flow_prototype flow_prototype(const struct flow_type *t);
/* Which of the functions whose address is taken a call through a pointer may reach: those of the
 * call's type. A call of unknown type may reach all of them; and any call may reach a function
 * whose type is not certain, because it takes or returns structures, has no prototype, or pointers
 * to functions of its type are converted. */
struct flow_pointed;
struct flow_pointed *flow_pointed_new(const struct flow *fl); /* borrows fl */
void flow_pointed_free(struct flow_pointed *p);
/* A number for the type of a function or of a call; 0: not certain. A call may reach a function if
 * the numbers are equal, or one is 0. */
uint32_t flow_pointed_function(const struct flow_pointed *p, uint32_t unit, uint32_t func);
uint32_t flow_pointed_call(const struct flow_pointed *p, uint32_t unit, size_t call);
/* Finds a function that the entry never calls and that sets the global pointer which the
 * instruction `inst` of the block dereferences; with inst 0, or an instruction of another block,
 * the pointer that any instruction of the block dereferences. Its name, or NULL. Needs all records.
 * Caller frees. */
char *flow_setter(const struct flow *f, const char *entry, const struct flow_unit *u,
    uint32_t block, uint32_t inst);
/* Is the variable of one unit (from 1) that of another one? Static ones are their unit's own. */
bool flow_same_variable(
    const struct flow_unit *u, uint32_t var, const struct flow_unit *w, uint32_t other);
/* The blocks that define variables on which a condition depends, units from 0, blocks from 1; *n:
 * their number. Needs all records. Caller frees. */
struct flow_place {
	uint32_t unit, block;
};
struct flow_place *flow_causes(const struct flow *f, uint32_t unit, uint32_t branch, size_t *n);
/* Marks functions reachable from `entry` in the call graph, where a call through a pointer leads to
 * all functions of its type whose address is taken: mark[unit][func-1]. Free with flow_marks_free.
 */
bool **flow_reachable(const struct flow *fl, const char *entry);
/* The same from n entries. */
bool **flow_reachable_from(const struct flow *fl, const char *const *entry, size_t n);
/* Marks functions from which a marked one can be reached, by the same rule, and the marked ones. */
bool **flow_reaching(const struct flow *fl, bool *const *goal);
void flow_marks_free(const struct flow *fl, bool **mark);
/* The functions that the program calls by name, and the global variables that it uses, which no
 * unit defines and which are not weak: libraries or missing units define them. One a line, some of
 * them several times. Caller frees. */
char *flow_outside(const struct flow *fl);
/* The units that have to be linked so that runs from `entry` (also through a harness) are as in the
 * whole program: a flag for each unit. If one of them has a main that is not the entry, all units
 * are needed: with some of them only, flow_is_whole would take the program for a whole one. Needs
 * all records. Caller frees. */
bool *flow_needed(const struct flow *fl, const char *entry);
/* A set of blocks that control may reach from the blocks added to it, these included: within
 * functions, in callees, and in callers after returns. Units from 0, blocks from 1. */
struct behind;
struct behind *flow_behind_new(const struct flow *fl); /* borrows fl */
void flow_behind_add(struct behind *b, uint32_t unit, uint32_t block);
bool flow_is_behind(const struct behind *b, uint32_t unit, uint32_t block);
void flow_behind_free(struct behind *b);
/* Does it call a function by name that no unit defines, and that is not of the C library? */
bool flow_misses_code(const struct flow *fl);
/* Is the program complete: does it have a main and all that it calls (flow_misses_code)? Otherwise
 * code of other units may write globals that are not static. */
bool flow_is_whole(const struct flow *fl);
/* Does the program model have all records? Program models in the sections of programs lack the
 * operands of instructions. */
bool flow_has_code(const struct flow *fl);
/* Globals and static locals whose value at a call of the entry depends on what ran before, and that
 * the entry may read, one a line: "calls NAME" if the program may write it, "global NAME" if only
 * code of missing units may. Needs all records. Caller frees. */
char *flow_state(const struct flow *fl, const char *entry);
/* Lines about how the variables that flow_state names may change between calls of the entry, in
 * this order: NAME: a function of the entry's unit, visible to other units, that may change one;
 * NAME VARIABLE: a function that returns the address of one, so that callers may change it (at most
 * 8 functions); =NAME: a variable that code of other units may write (at most 8); *NAME: a variable
 * that functions other than these and the entry write (at most 24), followed by ` &` if its
 * initialiser has addresses, and by all the constants that the program writes to it, if it writes
 * nothing else. Needs all records. Caller frees. */
char *flow_setters(const struct flow *fl, const char *entry);
/* The global variables, defined in the entry's unit, whose addresses the unit compares with
 * pointers, one a line. Needs all records. Caller frees. */
char *flow_compared(const struct flow *fl, const char *entry);
/* The pointer types to which the entry converts its parameters of type `void *`, if their objects
 * contain pointers: lines "NUMBER TYPE", parameters from 1 on. Needs all records. Caller frees. */
char *flow_casts(const struct flow *fl, const char *entry);
/* May control return to the block within its function? */
bool flow_in_loop(const struct flow_unit *u, uint32_t block);

typedef void flow_put(void *arg, const void *data, size_t n);
/* Serialises everything that a run from `entry` may depend on, including harness, constructors and
 * destructors, independent of ids and positions in the file, and passes it to `put`. Needs all
 * records. */
void flow_closure(const struct flow *fl, const char *entry, flow_put *put, void *arg);

#endif
