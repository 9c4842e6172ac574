/* harness: C text that calls an entry function with inputs, and the plan behind it, from
 * which tests are written too. Both are derived from flow(5): types, parameters, globals.
 */
#ifndef DUCT_HARNESS_H
#define DUCT_HARNESS_H

#include "lib/flow/flow.h"
#include "lib/trace/trace.h"

struct harness_options {
	const char *entry;
	const char *const *len;       /* "p=N", "p=2*n+1": elements of a pointer, exactly; "p=0..N": at most. NULL-terminated
	                                 or NULL, as all lists */
	const char *const *string;    /* "p=N": NUL-terminated, up to N characters */
	const char *const *may_alias; /* "p,q": p may be q, in every run */
	const char *const *distinct;  /* "p,q", "all": no two of these are the same object */
	const char *const *global;    /* globals that are inputs */
	const char *const *init;      /* functions called before inputs are made, in this order */
	const char *const *assume;    /* C expressions over parameters and globals that hold at the call; "@FILE:LINE EXPR"
	                                 says where one stands, for the compiler's messages */
	const char *const *range;     /* "p=0..9", "p[*]=..9": the same, for a number or each element */
	const char *const *stub;      /* functions defined elsewhere that give any value and write nothing */
};

/* The harness for an entry: defines `int duct_harness(void)`. NULL with *error ("no function ...",
 * suggestion). Lists in *narrowing what was stated about the inputs and, as
 * `limit KIND VALUE NAME`, what limits them: lines, each ended by \n. */
char *harness_text(const struct flow *f, const struct harness_options *o, char **narrowing,
                   char **error);

/* The plan behind the harness as text: what is built, in order. The store keeps it, so that
 * a report can write tests without the program. Same errors. For an entry `main` the plan
 * says only that the program is run as it is, and the harness's text is empty. */
char *harness_plan_text(const struct flow *f, const struct harness_options *o, char **narrowing,
                        char **error);

/* A step of a plan. Names are C lvalues, and names of inputs. */
enum harness_step_kind {
	HARNESS_ENTRY = 'e',   /* name: function; type: of the result; shape: kind of the result
	                          (i u c b f p s v), #N of an enumeration; count: 1 static, 2 variadic,
	                          4 the program's own main */
	HARNESS_MAIN = 'm',    /* name: main, which the entry's file defines too; type: declarator
	                          with %s; count: number of its parameters */
	HARNESS_PARAM = 'p',   /* name, type: declarator with %s; a local of the harness */
	HARNESS_GLOBAL = 'g',  /* name: an existing global */
	HARNESS_INPUT = 'i',   /* name: lvalue whose scalars are inputs, laid out by shape; a pointer p8@K in it points to
	                          elements of type K, which the run makes (lib/runtime/grow.c) */
	HARNESS_TYPE = 'y',    /* name: K, from 1; type: declarator of an element; shape of one; count: its bytes, 0 of an
	                          incomplete type; for functions the candidates are the HARNESS_FUNCTIONs that follow */
	HARNESS_FUNCTION = 'h', /* a function that a pointer may point to: name, "" for a stub, which comes first; type:
	                          declarator; the stub's HARNESS_RESULT follows */
	HARNESS_RULE = 'j',    /* name: a pointer or scalar, [*] for any index; type: C expression; shape: exact most string
	                          distinct alias low high, as duct_rt_rule in lib/runtime/abi.h; count: 1 a parameter stands in
	                          the expression */
	HARNESS_LIMIT = 'q',   /* type: kind of a limit (lib/limits), name: of what, count: its value */
	HARNESS_INIT = 'b',    /* name: a function that is called; type: its declarator when the unit has none */
	HARNESS_ASSUME = 'a',  /* name: an expression; type: for people, "" when the one before tells;
	                          shape: "FILE:LINE" where it stands */
	HARNESS_STUB = 'f',    /* name: a function defined here; type: its declarator */
	HARNESS_RESULT = 'r',  /* of the stub before; type: declarator; shape: v none, or of inputs; count: 1 variable
	                          arguments follow those told, 2 those are not known */
	HARNESS_ARGUMENT = 'v', /* of the same: name: its number, from 1; type: declarator; shape: of an element of what it points
	                          to and the stub may write, "": none; count: bytes of an element */
	HARNESS_WATCH = 'w',   /* name: a global, no input, that the call may write; shape: of what is looked at; "":
	                          tests do not see it, type says why */
	HARNESS_ENUM = 'l',    /* #N in a shape is the Nth of these: name: NAME=VALUE;NAME=VALUE...; type: declarator */
	HARNESS_CALL = 'x'     /* the call itself; always last */
};
struct harness_step { char kind; char *name, *type, *shape; uint64_t count; };
struct harness_plan { struct harness_step *step; size_t n; };

/* The plan of an option set, or from text. NULL with *error. */
struct harness_plan *harness_plan(const struct flow *f, const struct harness_options *o,
                                  char **narrowing, char **error);
struct harness_plan *harness_plan_parse(const char *text, char **error);
char *harness_plan_print(const struct harness_plan *p);
void harness_plan_free(struct harness_plan *p);

/* Globals that the entry may write and that are no inputs, for flow_unit.watched of all units: "" when there are none.
 * The flow needs all records. Caller frees. */
char *harness_watched(const struct flow *f, const struct harness_options *o);

/* What a person asked for beside the shape of the inputs, and verdicts rest on: "a > 0; stub f"; NULL: nothing.
 * Caller frees. */
char *harness_assumptions(const struct harness_plan *p);

/* A type's declarator with the name put in. Caller frees. */
char *harness_declare(const char *type, const char *name);
/* Shape string (lib/runtime/abi.h) of a type. Caller frees. */
char *harness_shape(const struct flow_unit *u, uint32_t type);

#endif
