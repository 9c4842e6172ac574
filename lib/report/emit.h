/* emit: private to lib/report: the state while a test is written as C. */
#ifndef DUCT_REPORT_EMIT_H
#define DUCT_REPORT_EMIT_H

#include "lib/report/tests.h"

/* An object that the run created for a pointer. */
enum object_kind {
	OBJECT_ONE,    /* a variable */
	OBJECT_ARRAY,  /* an array */
	OBJECT_HEAP,   /* a pointer to allocated memory: bytes, an incomplete type,
	                  or memory that the call frees */
	OBJECT_STREAM, /* a FILE */
	OBJECT_TEXT    /* a string literal in place of the pointer */
};
struct test_object {
	enum object_kind kind;
	char *pointer;                   /* input for which it was created: "l[0].next" */
	char *name;                      /* its C name; OBJECT_TEXT: the literal */
	const struct harness_step *type; /* of an element; NULL: bytes */
	uint64_t target;                 /* K of the plan's type */
	uint64_t count;                  /* number of elements */
	char *length;                    /* C expression for the number of elements if inputs
	                                    determine it, or NULL */
	uint64_t number;                 /* in the choices of other pointers; 0 none */
	uint64_t before;                 /* elements whose inputs are named P[-1], P[-2], ... */
	uint64_t ahead;    /* these, and others before what its own pointer points to */
	bool is_parameter; /* declared as the parameter itself */
};
struct test_objects {
	struct test_object *v;
	size_t n;
};

struct emit {
	FILE *f, *declarations; /* statements; declarations, which precede them in C89 */
	FILE *scalars;          /* if set: for parameters that are no pointers */
	FILE *functions;        /* for text before the test's function */
	const struct session_tests *s;
	const struct view_test *t;
	struct input input; /* the test's, as emit_from_begin names them */
	struct values values;
	struct test_objects objects;
	char **stub;
	size_t stubs;         /* functions defined for the test */
	uint64_t calls, turn; /* number of calls of the entry; the current one, from 1 */
	uint64_t between;     /* choices of other functions that are written */
	bool is_old;          /* C89 */
	bool global;          /* the object had other contents before: zeros must be
	                         assigned */
	bool is_const;        /* the object is declared const */
	struct wrote *wrote;
	size_t wrotes; /* if `left` is set, comparisons are collected here */
	const struct values *left;
	bool watched; /* the object is no input: unchanged parts are unknown */
	bool copies;  /* unknown bytes, such as padding, may have been copied into objects */
};

/* Formats into newly allocated memory. */
/* The name of a root input in the current call: x, x#2. Caller frees. */
char *emit_input(const struct emit *e, const char *name);

/* before.c: the inputs with names in which the elements of each object are counted from its begin,
 * not from what its pointer points to: P[-1] and P[0] become P[0] and P[1]. of: the inputs that
 * tell how many there are. Caller clears. */
struct input emit_from_begin(const struct input *in, const struct input *of);

/* objects.c: the objects of the test's inputs, in order of their creation. */
void objects_open(struct emit *e);
void objects_close(struct emit *e);
/* 1 + the greatest index of `name[INDEX]` among the inputs; 0: there is none. */
uint64_t objects_met(const struct input *in, const char *name);
/* The object that a pointer's choice selects; NULL: none. */
const struct test_object *objects_of(const struct emit *e, const struct input_value *choice);
/* Element i as an lvalue; object_address: its address as an expression. Caller frees. */
char *object_element(const struct test_object *o, uint64_t i);
/* Does the function under test look at bits of addresses, so that its objects have to be aligned as
 * those of runs are? */
bool objects_aligned(const struct emit *e);
/* The shape of its elements, which is that of its type, with as many elements of a flexible array
 * member as it has; their number. Caller frees. */
char *object_shape(const struct test_object *o, const char *shape, uint64_t *elements);
/* Declarator of an element. */
const char *object_type(const struct test_object *o);
bool object_is_void(const struct harness_step *type); /* of `void *`, not of `void **` */
char *object_address(const struct test_object *o);
/* The pointer `name` of type p8@K (`shape`) as a C expression: NULL, an address or a function.
 * Caller frees. */
char *objects_pointer(struct emit *e, const char *name, const char *shape);

/* between.c: the calls of other functions before the current call of the entry. */
void emit_between(struct emit *e);

/* back.c: statements of the stub SELF of function type TYPE, which inputs call TOLD: its calls of
 * other functions. Caller frees. */
char *emit_back(struct emit *e, const char *told, const char *type, const char *self);

/* stubs.c: the name of the stub for function type K; its definition is written to e->functions.
 * Caller frees. */
char *stub_name(struct emit *e, uint64_t k);
void stubs_close(struct emit *e);
/* Statements that set the pointers which stubs return. */
void emit_given(struct emit *e);

/* initial.c: declares all objects, targets of pointers before objects that contain the pointers. */
void emit_objects(struct emit *e);
/* The initialiser of an object at `lvalue` with inputs `name`; NULL: none needed. Parts that
 * cannot be in it become statements. from: objects from this index on are already declared.
 * Caller frees. */
char *emit_initial(
    struct emit *e, const char *shape, const char *name, const char *lvalue, size_t from);

/* assign.c: assigns the inputs `name` to the object at lvalue, or compares it with what was left.
 * base + offset: address of its bytes if it has no lvalue. Returns the text after the shape. */
const char *emit_walk(struct emit *e, const char *shape, const char *name, const char *lvalue,
    const char *base, uint64_t offset, bool brief);
/* Assigns `count` characters at lvalue as one string. */
void emit_characters(struct emit *e, const char *name, const char *lvalue, uint64_t count);
/* Writes the value of a scalar; NULL: the value of an unknown one. */
void emit_scalar(struct emit *e, FILE *f, const char *shape, const struct input_value *v);

#endif
