/* alias: points-to analysis. Inclusion-based (Andersen), insensitive to flow and context, sensitive
 * to fields: a place is an object with an offset and a stride, so a[*].next and a[*].value differ.
 * Unknown code (code that the flow does not contain) may read, write and call every object and
 * function that escapes to it. */
#ifndef DUCT_ALIAS_H
#define DUCT_ALIAS_H

#include "lib/flow/flow.h"

#define ALIAS_NONE UINT32_MAX
/* The number of the object of kind ALIAS_KNOWN: its place is any byte of any escaped object. */
#define ALIAS_OUTSIDE 1u

/* Bytes OFFSET + k * STRIDE for any k; stride 0: OFFSET alone. */
struct alias_place {
	uint32_t object, stride;
	int64_t offset;
};

enum alias_kind {
	ALIAS_EXTERNAL,  /* all memory that code outside the flow owns */
	ALIAS_VARIABLE,  /* id: the variable's */
	ALIAS_DATA,      /* id: of the $ operand */
	ALIAS_TEMPORARY, /* id: of the alloca */
	ALIAS_HEAP,      /* id: of the call */
	ALIAS_FUNCTION,
	ALIAS_POINTEE,  /* target of a pointer parameter of an entry; id: argument */
	ALIAS_BEYOND,   /* target of the pointers stored in ALIAS_POINTEE */
	ALIAS_VARIADIC, /* the variable arguments of a function */
	ALIAS_KNOWN,    /* any object that escaped */
	ALIAS_LIBRARY,  /* a function of the C library; id: its number in lib/clib */
	ALIAS_NAMED     /* an object of the C library that programs name, errno; id: the number of
	                   the function that returns its address */
};
struct alias_object {
	uint8_t kind;
	bool unique;              /* at most one instance exists at a time */
	bool escaped;             /* unknown code may know its address */
	uint32_t unit, id, owner; /* owner: function number; ALIAS_NONE: static storage */
	uint64_t size;            /* bytes, 0: unknown */
};
/* Functions are numbered over all units: base[unit] + id - 1; so are blocks and instructions. */
struct alias_call {
	uint32_t unit, inst, func, block; /* inst, block: ids in the unit; func: number */
	const char *name;                 /* of the callee; NULL: call through a pointer */
	uint32_t *callee;
	size_t callees; /* numbers of the flow's functions that it may
	                   call directly */
	bool external;  /* it may call code outside the flow */
	bool unknown;   /* unknown effects, may call back; false: library function */
};

struct alias;

struct alias_options {
	const char *entry; /* where execution starts; NULL: main, or if there is none every
	                      function that has no caller or is not static */
	bool may_alias;    /* pointer parameters of entries may point to the same object */
	bool any_caller;   /* pointer parameters of entries may also point to anything that
	                      outside code may know: globals and results of functions that are
	                      not static. Entries may be called repeatedly. */
};

/* Borrows the flow, which must outlive the result. */
struct alias *alias_new(const struct flow *fl, const struct alias_options *o);
void alias_free(struct alias *a);

const struct flow *alias_flow(const struct alias *a);
/* number of a function */
uint32_t alias_function(const struct alias *a, uint32_t unit, uint32_t func);
uint32_t alias_functions(const struct alias *a);
const struct flow_func *alias_function_of(
    const struct alias *a, uint32_t number, uint32_t *unit, uint32_t *id);
/* The function where execution starts: the harness if it calls the entry, else the function `entry`
 * (NULL: main). A harness that only supplies undefined functions does not count. ALIAS_NONE if
 * there is none. */
uint32_t alias_root(const struct alias *a, const char *entry);
bool alias_is_entry(const struct alias *a, uint32_t number);
bool alias_is_recursive(const struct alias *a, uint32_t number);

size_t alias_objects(const struct alias *a);
const struct alias_object *alias_object(const struct alias *a, uint32_t object);
/* number of its object */
uint32_t alias_variable(const struct alias *a, uint32_t unit, uint32_t var);
/* The places that an operand of an instruction of function `func` (a number) may point to. The
 * caller frees *out. */
size_t alias_points_to(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
    struct alias_place **out);
/* Likewise, but all escaped objects are one place in ALIAS_OUTSIDE. */
size_t alias_places(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
    struct alias_place **out);
size_t alias_calls(const struct alias *a);
/* ordered by unit, then instruction */
const struct alias_call *alias_call(const struct alias *a, size_t i);
/* Functions that unknown code may call. */
const uint32_t *alias_called_back(const struct alias *a, size_t *n);

/* The effect of a library call on the target of argument k: 'r' reads, 'w' writes, 'b' both, '-'
 * none. 'b' for unknown functions. */
char alias_effect(const struct alias_call *c, size_t argument);

#endif
