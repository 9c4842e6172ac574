/* emit: private to lib/report: a test while its C text is written. */
#ifndef DUCT_REPORT_EMIT_H
#define DUCT_REPORT_EMIT_H

#include "lib/report/tests.h"

/* An object that the run made for a pointer. */
enum object_kind {
	OBJECT_ONE,                  /* a variable */
	OBJECT_ARRAY,                /* an array */
	OBJECT_HEAP,                 /* a pointer to memory of its own: bytes, an incomplete type, what the call frees */
	OBJECT_STREAM,               /* a FILE */
	OBJECT_TEXT                  /* a string literal, which stands where the pointer does */
};
struct object {
	enum object_kind kind;
	char *pointer;               /* the input that it was made for: "l[0].next" */
	char *name;                  /* what it is called in C; of OBJECT_TEXT: the literal */
	const struct harness_step *type;  /* of an element; NULL: bytes */
	uint64_t target;             /* K */
	uint64_t count;              /* elements */
	char *length;                /* C expression of the number of elements where the inputs tell it, or NULL */
	bool is_numbered;            /* choices of pointers count it */
	bool is_parameter;           /* it has the parameter's own name */
};
struct objects { struct object *v; size_t n; };

struct emit {
	FILE *f, *declarations;      /* statements, and what C89 has before them */
	FILE *scalars;               /* where set: parameters that are no pointers */
	FILE *functions;             /* what stands before the test's function */
	const struct suite *s;
	const struct view_test *t;
	struct values values;
	struct objects objects;
	char **stub; size_t stubs;   /* functions that are defined for it */
	uint64_t calls, turn;        /* of the entry; which, from 1 */
	bool is_old;                 /* C of 1989 */
	bool global;                 /* the object has old contents: zeros matter */
	bool is_const;               /* what is assigned to is declared const */
	struct wrote *wrote; size_t wrotes;  /* where `left` is set: what is walked is listed here */
	const struct values *left;
	bool watched;                /* the object is no input: what did not change is not known */
};

/* Printed into new memory. */
char *emit_format(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* The name of a root input in the current call: x, x#2. Caller frees. */
char *emit_input(const struct emit *e, const char *name);

/* objects.c: those of the test's inputs, in order of their creation. */
void objects_open(struct emit *e);
void objects_close(struct emit *e);
/* Object that a pointer's choice stands for; NULL: none. */
const struct object *objects_of(const struct emit *e, const struct input_value *choice);
/* Its element i as an lvalue; an expression of its address. Caller frees. */
char *object_element(const struct object *o, uint64_t i);
/* Declarator of an element. */
const char *object_type(const struct object *o);
char *object_address(const struct object *o);
/* The pointer `name` of type p8@K (`shape`) as a C expression: NULL, an address, a function. Caller frees. */
char *objects_pointer(struct emit *e, const char *name, const char *shape);

/* stubs.c: the function that stands for functions of type K; its definition goes to e->functions. Caller frees. */
char *stub_name(struct emit *e, uint64_t k);
void stubs_close(struct emit *e);
/* Statements that tell stubs what pointers they give. */
void emit_given(struct emit *e);

/* initial.c: declares all objects, those that others point to first. */
void emit_objects(struct emit *e);
/* The initialiser of an object at `lvalue` whose inputs are called `name`; NULL: none needed. What cannot stand in it
 * becomes statements. `from`: objects from there on are declared already. Caller frees. */
char *emit_initial(struct emit *e, const char *shape, const char *name, const char *lvalue, size_t from);

/* assign.c: the object at lvalue is assigned its inputs, called `name`, or is compared with what was left. `base` +
 * `offset` is where its bytes are when it has no lvalue. Returns the text behind the shape. */
const char *emit_walk(struct emit *e, const char *shape, const char *name, const char *lvalue, const char *base,
                      uint64_t offset, bool brief);
/* COUNT characters at lvalue as one string. */
void emit_characters(struct emit *e, const char *name, const char *lvalue, uint64_t count);
/* A value of a scalar, and one that nothing is known of. */
void emit_scalar(struct emit *e, FILE *f, const char *shape, const struct input_value *v);

#endif
