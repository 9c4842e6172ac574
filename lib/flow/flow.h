/* flow: the program model in memory, read from flow(5): all units of a program, ids as in
 * the records (local to a unit). See man5 flow for meanings. */
#ifndef DUCT_FLOW_H
#define DUCT_FLOW_H

#include "lib/rec/rec.h"

struct flow_pos { uint32_t file, line, col; };        /* file: id of a file record; 0 none */

/* Types: kinds as letters. i signed u unsigned c char b bool f float p pointer a array s struct
 * n union v void e function o other; an enumeration is i or u */
struct flow_member { char *name; uint32_t type; uint64_t offset; uint32_t bit, bits; /* bits 0: no bit-field; offset in bytes */ };
struct flow_enumerator { char *name; int64_t value; };
struct flow_type {
	char kind;
	uint64_t size;                /* bytes */
	uint32_t of;                  /* pointee or element type */
	uint64_t count;               /* array elements */
	char *text;                   /* C declarator with %s where the name goes: "int (*%s)[3]" */
	struct flow_member *member; size_t members;
	struct flow_enumerator *enumerator; size_t enumerators;  /* that the end of the unit can name */
};
struct flow_var {
	uint32_t func, type; char *name; char kind;   /* g global, s static local, l local, p parameter */
	uint8_t defined;              /* 0 elsewhere, 1 here, 2 here and constant */
	bool is_static;               /* a global that other units do not see */
	bool is_weak;                 /* it may be nowhere: its address is null then */
	struct flow_pos pos;
};
struct flow_func {
	char *name; struct flow_pos pos, end;
	uint32_t type;                /* function type: of = result */
	uint32_t *param; size_t params;               /* variables, in order */
	bool is_static, is_variadic, in_system, address_taken, is_harness, no_return;
	bool constructor, destructor;                /* runs before main, after it, by itself */
	bool is_weak;                 /* another definition may stand for it */
	uint32_t first_block, blocks;
	uint64_t hash;                /* of its conditions and calls, free of ids and of its place in the file */
};
enum flow_side { FLOW_TRUE, FLOW_FALSE, FLOW_CASE, FLOW_DEFAULT };
struct flow_branch {
	uint32_t func, block; struct flow_pos pos;
	char kind;                    /* b two-way, s switch, q select, a inside an assumption */
	uint32_t first;               /* first outcome index; true, false or cases, default */
	int64_t *value; struct flow_pos *case_pos; size_t cases;
	char *text;                   /* source text of the condition, one line */
	struct flow_pos within;       /* use of the macro that it comes from, or 0 */
	struct flow_pos default_pos;  /* of a switch's default label, or 0 */
	uint32_t width;               /* of a switch's operand */
	uint8_t required;             /* kind a: 1 true, 2 false, 0 either */
};
struct flow_extern { char *name; uint32_t type; bool address_taken; };
struct flow_edge { uint32_t from, to, branch, outcome; };   /* branch 0: unconditional */
struct flow_call { uint32_t func, block; char *callee; /* NULL: through a pointer */ struct flow_pos pos; };
/* Instructions, with all records only. What no analysis tells apart is FLOW_VALUE: a result made of operands. */
enum flow_op {
	FLOW_VALUE, FLOW_COMPARE, FLOW_FLOAT, FLOW_CAST, FLOW_ADD, FLOW_SUB, FLOW_ALLOCA, FLOW_LOAD, FLOW_STORE, FLOW_ADDR, FLOW_COPY, FLOW_FILL, FLOW_CALL,
	FLOW_SELECT, FLOW_PHI, FLOW_BR, FLOW_SWITCH, FLOW_GOTO, FLOW_RET, FLOW_UNREACHABLE, FLOW_ASM,
	FLOW_OTHER                    /* as FLOW_VALUE, but it may access memory: atomic operations */
};
/* kind: % & $ @ ^ ! ? as in flow(5), # integer, ~ floating point, - none */
struct flow_operand {
	char kind; uint32_t id;       /* % & $ ^ ! ?: number */
	int64_t value;                /* #: the constant (low 64 bits); & $ @: bytes added; ~: up to 64 bits */
	char *name;                   /* @; # and ~ of more than 64 bits: all of it, as text; else NULL */
};
/* Another name, which other units see, of a function (@) or variable (&) of the unit. */
struct flow_alias { char *name; struct flow_operand target; bool is_weak; };
struct flow_inst {
	uint32_t block; uint8_t op; uint32_t width; struct flow_pos pos;
	const char *name;             /* the operation as in flow(5), static; NULL: one that the reader does not know */
	uint32_t first, operands;     /* in flow_unit.operand */
};
struct flow_access {                  /* a def or use record */
	uint32_t inst, var; bool is_def; struct flow_pos pos;
	char how[8];                  /* letters, none for - */
	uint64_t offset, size;        /* bytes */
	uint32_t bit, bits;           /* of a bit-field, counted from OFFSET; bits 0: none */
	char *path;
};
struct flow_reloc { struct flow_operand object, target; uint64_t offset; };
struct flow_home { uint32_t var, argument; };
struct flow_bytes { char kind; uint32_t id; uint64_t size; uint8_t *bytes; uint64_t known; };   /* of & or $; the first KNOWN are given */

struct flow_exact { struct flow_operand object; char *text; };   /* of % & $, or - for the unit */
struct flow_line { uint32_t block, file, line; };
struct flow_check { uint32_t inst, func, block; uint8_t kind; struct flow_pos pos; };   /* kind: enum check_kind */
struct flow_limit { uint32_t func; char *kind; struct flow_pos pos; };   /* what compilers may do in another way */
struct flow_unit {
	uint64_t key; char *name;
	char *folder;                         /* that names of files are relative to; NULL not told */
	char *entry, *narrowing;              /* of a program with a harness: what that calls, lines that say what narrows its
	                                         inputs; else NULL */
	bool tells_pairs;                     /* its code tells which definitions reach which uses */
	char *stubs;                          /* functions that nobody defines, for which the harness stands, a line each */
	char *watched;                        /* globals that this may write: lines "NAME", or "NAME (WHY)" when tests do not see it */
	char **file; size_t files;            /* id - 1 */
	struct flow_type *type; size_t types;
	struct flow_var *var; size_t vars;
	struct flow_func *func; size_t funcs;
	struct flow_branch *branch; size_t branches;
	struct flow_edge *edge; size_t edges;
	struct flow_call *call; size_t calls;  /* in the order of functions */
	struct flow_extern *ext; size_t exts;
	struct flow_alias *alias; size_t aliases;
	struct flow_check *check; size_t checks;  /* what may fail at run time */
	struct flow_limit *limit; size_t limits;
	uint32_t *inst_block; size_t insts;   /* block of inst id - 1; 0 where flow_read_program skipped it */
	struct flow_line *line; size_t lines;  /* where code is, in the order of instructions; each once in a row */
	uint32_t blocks, outcomes;
	uint32_t *block_func;                 /* function of block id - 1 */
	struct flow_pos *block_pos;           /* first position in the block */
	/* these with all records only */
	struct flow_inst *inst;               /* of id - 1, `insts` of them */
	struct flow_operand *operand; size_t operands;
	struct flow_access *access; size_t accesses;   /* in the order of instructions */
	struct flow_reloc *reloc; size_t relocs;
	struct flow_home *home; size_t homes; /* variables whose memory an argument points to */
	struct flow_bytes *bytes; size_t contents;    /* data and init records */
	struct flow_exact *exact; size_t exacts;      /* what other records leave out */
};
struct flow { struct flow_unit *unit; size_t units; };

/* Reads all streams of f. NULL with *error ("name:line: message", caller frees). */
struct flow *flow_read(FILE *f, const char *name, char **error);
/* The model that an instrumented executable (or object file) carries. As above; a file without a model is an
 * error too. Records of instructions, definitions and uses are skipped. */
struct flow *flow_read_program(const char *path, char **error);
/* As flow_read_program, with all records. */
struct flow *flow_read_model(const char *path, char **error);
/* All of these (`-` and no file at all: standard input) as one program, with all records. NULL with *error,
 * and the exit status in *status: 3 malformed input, 4 a system error. */
struct flow *flow_read_files(char **files, int *status, char **error);
void flow_free(struct flow *fl);
/* Unit by key, or NULL. */
const struct flow_unit *flow_unit_by_key(const struct flow *fl, uint64_t key);
/* Function by name: the first that is defined; sets *unit. */
const struct flow_func *flow_find(const struct flow *fl, const char *name, const struct flow_unit **unit);
/* What functions' names mean in a unit: a static function of its own, else the strong definition of any unit, else the
 * first weak one, for which code that is not in the flow may have another. func: counted from 0. NULL when out of memory. */
struct flow_meaning { uint32_t unit, func; bool weak; };
struct flow_names *flow_names_new(const struct flow *fl);
bool flow_names_find(const struct flow_names *l, uint32_t unit, const char *name, struct flow_meaning *m);
void flow_names_free(struct flow_names *l);
/* The branch and side of an outcome index. */
const struct flow_branch *flow_outcome(const struct flow_unit *u, uint32_t outcome, enum flow_side *side, size_t *which_case);
/* Marks functions reachable from `entry` by the call graph (address-taken ones too once an indirect call
 * is reachable): mark[unit][func-1]. Caller frees with flow_marks_free. */
bool **flow_reachable(const struct flow *fl, const char *entry);
void flow_marks_free(const struct flow *fl, bool **mark);
/* Blocks that control may come to after some others, these included: within their functions, in what is called from there,
 * and where all that returns to. Units and blocks as in records: units from 0, blocks from 1. */
struct behind;
struct behind *flow_behind_new(const struct flow *fl);       /* keeps fl by reference */
void flow_behind_add(struct behind *b, uint32_t unit, uint32_t block);
bool flow_is_behind(const struct behind *b, uint32_t unit, uint32_t block);
void flow_behind_free(struct behind *b);
/* Globals and static locals that the program may write and that a call of the entry may read, a line each. The flow needs
 * all records. Caller frees. */
char *flow_state(const struct flow *fl, const char *entry);
/* May control come back to the block within its function? */
bool flow_in_loop(const struct flow_unit *u, uint32_t block);

typedef void flow_put(void *arg, const void *data, size_t n);
/* All that a run from `entry` may depend on, harness, constructors and destructors included, whatever ids it has and
 * wherever in its file it stands, piece by piece. The flow needs all records. 0, or -1 when out of memory. */
int flow_closure(const struct flow *fl, const char *entry, flow_put *put, void *arg);

/* An array of n elements with room for one more, grown by doubling; NULL when out of memory. */
void *flow_more(void *array, size_t n, size_t size);

#endif
