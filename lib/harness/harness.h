/* harness: C text that calls an entry function with inputs, and the plan behind it, from which
 * tests are written too. Both are derived from flow(5): types, parameters, globals. */
#ifndef DUCT_HARNESS_H
#define DUCT_HARNESS_H

#include "lib/flow/flow.h"
#include "lib/trace/trace.h"

struct harness_options {
	const char *entry;
	const char *const *len;       /* "p=N", "p=2*n+1": exact number of elements of a pointer;
	                                 "p=0..N": at most N. All lists are NULL-terminated, or
	                                 NULL */
	const char *const *string;    /* "p=N": NUL-terminated string of up to N characters */
	const char *const *may_alias; /* "p,q": in any run p may equal q */
	const char *const *distinct;  /* "p,q", "all": no two of these point to the same object */
	const char *const *global;    /* globals that are inputs */
	const char *const *init;      /* functions to call before inputs are made, in this order */
	const char *const *assume;    /* C expressions over parameters and globals that hold at
	                                 the call; "@FILE:LINE EXPR": where it stands, for
	                                 compiler messages */
	const char *const *range;     /* "p=0..9", "p[*]=..9": likewise, for a number or for each
	                                 element */
	const char *const *stub;      /* functions to replace: return any value and write nothing */
};

/* The C text of the harness for an entry; it defines `int duct_harness(void)`. NULL with *error
 * ("no function ...", with a suggestion). *narrowing: lists what the options state about the
 * inputs and, as `limit KIND VALUE NAME`, what limits them; one per line. The caller frees both
 * strings. */
char *harness_text(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error);

/* The plan as text: the steps in order. The store keeps it, so that a report can write tests
 * without the program. Same errors. For the entry `main`, the plan says that the program is run as
 * it is, and the harness's text is empty. */
char *harness_plan_text(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error);

/* A step of a plan. Names are C lvalues and also the names of inputs. */
enum harness_step_kind {
	HARNESS_ENTRY = 'e',    /* name: function; type: of the result; shape: kind of the result
	                           (i u c b f p s v), #N for an enumeration; count: bits 1 static,
	                           2 variadic, 4 the program's own main */
	HARNESS_MAIN = 'm',     /* name: main, which the entry's file also defines; type:
	                           declarator with %s; count: number of its parameters */
	HARNESS_PARAM = 'p',    /* name; type: declarator with %s; a local of the harness */
	HARNESS_GLOBAL = 'g',   /* name: an existing global */
	HARNESS_EXTERN = 'd',   /* name: a global to define, because nothing else does; its
	                           HARNESS_INPUT, if any, has the same name; type: declarator; shape:
	                           letters, - not used by the entry, c const, v volatile, t
	                           thread-local, a an array of unknown length, b bytes, of a type
	                           that the entry's unit does not know, m@ADDRESS memory at an
	                           address that the source states, to which pointers may lead where
	                           there is an o (devices.c); count: its bytes, or
	                           those of an element */
	HARNESS_INPUT = 'i',    /* name: lvalue whose scalars are inputs, laid out by shape; a
	                           pointer p8@K in it points to elements of type K, which are
	                           created during the run (lib/runtime/grow.c) */
	HARNESS_TYPE = 'y',     /* name: K, from 1; type: declarator of an element; shape: of one
	                           element; count: its bytes, 0 for an incomplete type. For
	                           function types, the candidates are the HARNESS_FUNCTION steps
	                           that follow; for others, the HARNESS_VARIABLE steps */
	HARNESS_FUNCTION = 'h', /* a possible target of a function pointer: name, "" for the
	                           stub, which comes first; type: declarator; the stub's
	                           HARNESS_RESULT follows */
	HARNESS_VARIABLE = 'z', /* of the preceding HARNESS_TYPE: a variable of the program that
	                           pointers may lead to; name; type: declarator. "": others,
	                           which runs do not try */
	HARNESS_RULE = 'j',     /* name: a pointer or scalar, [*] for any index; type: C
	                           expression; shape: exact most string distinct alias low high
	                           restrict, as duct_rt_rule in lib/protocol/abi.h; count: 1 if the
	                           expression uses parameters */
	HARNESS_LIMIT = 'q',    /* type: kind of a limit (lib/limits); name: what it limits;
	                           count: its value */
	HARNESS_INIT = 'b',     /* name: a function to call first; type: its declarator if the
	                           unit has none */
	HARNESS_ASSUME = 'a',   /* name: an expression; type: text for people, "" if the preceding
	                           step has it; shape: "FILE:LINE" where it stands */
	HARNESS_STUB = 'f',     /* name: a function to define; type: its declarator; count: bits
	                           of enum harness_stub_bit */
	HARNESS_RESULT = 'r',   /* of the preceding stub; type: declarator; shape: v for none, or
	                           of the inputs; count: 1 variadic, 2 parameters unknown */
	HARNESS_ARGUMENT = 'v', /* of the same stub; name: number of the argument, from 1; type:
	                           declarator; shape: of an element of its target that the stub
	                           may write, "": none; count: bytes of an element */
	HARNESS_WATCH = 'w',    /* name: a global, not an input, that the call may write; shape:
	                           what to observe; "": tests do not observe it, type: the reason */
	HARNESS_STATE = 'u',    /* name: a global that other functions set, such as main by its
	                           options: where sessions widen (lib/limits, state), the
	                           HARNESS_INPUT that follows is an input of the first call; type:
	                           what holds of it then, C; count: 1 if it is an input of some
	                           runs only, as its first value is none that inputs have */
	HARNESS_OTHER = 'o',    /* what may happen before the entry is called, several times and
	                           others too, and may change what it depends on. name: a function
	                           that is called; with type "=", a global that is written */
	HARNESS_PASSED = 'k',   /* of the preceding step, a parameter, or what is written. name: of
	                           its input, FUNC_PARAM or the global's; type: declarator; shape:
	                           of a scalar or pointer, or of the global */
	HARNESS_RETURNED = 't', /* of the same HARNESS_OTHER, after its parameters: callers may
	                           write to what its result points to. name: of the input,
	                           FUNC_return; type: declarator of the result; shape: of what it
	                           points to; count: bytes of that */
	HARNESS_ENUM = 'l',     /* the Nth of these steps is #N in shapes; name:
	                           NAME=VALUE;NAME=VALUE...; type: declarator */
	HARNESS_INLINE = 'n', /* name: a function of the entry's file that has an inline definition
	                         alone: tests have to define it */
	HARNESS_CALL = 'x'    /* the call of the entry; always last */
};

/* Properties of a stub. FOREIGN: its type is that of another unit, so that the entry's unit may
 * declare the function with types that are unknown here. FOUND: no option asked for it, but nothing
 * defines the function. MORE: the function may do more than the stub does. ENDS: it does not
 * return; the stub calls exit(1). */
enum harness_stub_bit {
	HARNESS_FOREIGN = 1,
	HARNESS_FOUND = 2,
	HARNESS_MORE = 4,
	HARNESS_ENDS = 8
};
struct harness_step {
	char kind;
	char *name, *type, *shape;
	uint64_t count;
};
struct harness_plan {
	struct harness_step *step;
	size_t n;
};

/* The plan for options, or parsed from text. NULL with *error. */
struct harness_plan *harness_plan(
    const struct flow *f, const struct harness_options *o, char **narrowing, char **error);
struct harness_plan *harness_plan_parse(const char *text, char **error);
char *harness_plan_print(const struct harness_plan *p);
void harness_plan_free(struct harness_plan *p);

/* The input of this name; NULL: none. */
const struct harness_step *harness_input(const struct harness_plan *p, const char *name);
/* The k-th function, from 1, that a callback of function type TYPE may call back: a HARNESS_OTHER,
 * or the HARNESS_ENTRY, which gets this callback. Their other arguments are numbers. NULL: no more.
 */
const struct harness_step *harness_back(const struct harness_plan *p, const char *type, size_t k);
/* Globals that the entry may write and that are no inputs, as text for flow_unit.watched: "" if
 * there are none. The flow must have all records. Caller frees. */
char *harness_watched(const struct flow *f, const struct harness_options *o);

/* Of names that nothing defines, is this one a variable? */
bool harness_is_variable(const struct flow *f, const char *name);
/* Names that nothing defines, one a line, as text for flow_unit.stubs: `-NAME` is a variable that
 * the entry does not come to. The flow must have all records. Caller frees. */
char *harness_undefined(const struct flow *f, const char *entry, const char *names);
/* The variables that no unit defines and the entry may come to, a line each. Caller frees. */
char *harness_absent(const struct flow *f, const char *entry);
/* The step that defines the global of this name; NULL: none. */
const struct harness_step *harness_extern(const struct harness_plan *p, const char *name);

/* The address of the memory, if the step is a HARNESS_EXTERN with an address that the source
 * states; else 0. */
uint64_t harness_device(const struct harness_step *s);
/* The bytes of that memory. */
uint64_t harness_device_room(const struct harness_plan *p, const struct harness_step *s);
/* Writes the macro that gives it the step's name. */
void harness_put_device(FILE *f, const struct harness_step *s);

/* The functions of the C library whose answers depend on the locale and that the entry comes to
 * call, one a line, some several times. Needs all records. Caller frees. */
char *harness_locale(const struct flow *f, const char *entry);
/* The variables of libraries that the entry comes to use, one a line, but those in `undefined`,
 * which nothing defines. Needs all records. Caller frees. */
char *harness_libraries(const struct flow *f, const char *entry, const char *undefined);
/* The assumptions beyond the inputs' shape that verdicts depend on: "a > 0; stub f"; NULL: none.
 * Caller frees. */
char *harness_assumptions(const struct harness_plan *p);

/* Writes the names of the entry's parameters, separated by commas. */
void harness_put_arguments(FILE *f, const struct harness_plan *p);
/* Does a parameter with the entry's name hide the function? Then it is called through a pointer. */
bool harness_is_hidden(const struct harness_plan *p);
/* A type's declarator with %s replaced by the name. Caller frees. */
char *harness_declare(const char *type, const char *name);
/* NAME(T1 PARAMETER1, T2 PARAMETER2, ...) inside the declarator of the stub's result. A function
 * without prototype has its own declarator. Caller frees. */
char *harness_stub_head(const struct harness_step *s, const char *name, const char *parameter);
/* The name by which C text defines a HARNESS_STUB. Where the entry's unit may declare the function
 * otherwise, it is another name; its declaration, which says what it is for the linker, is written.
 * Caller frees. */
char *harness_stub_name(FILE *f, const struct harness_step *s, const char *parameter);
/* Shape string (lib/protocol/abi.h) of a type. Caller frees. */
char *harness_shape(const struct flow_unit *u, uint32_t type);

#endif
