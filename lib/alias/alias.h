/* alias: which objects each pointer of a program may point to: inclusion-based (Andersen), insensitive to
 * flow and context, aware of fields: a place is an object with an offset and a stride, so that
 * a[*].next and a[*].value differ. Whatever unknown code gets hold of, it may read, write and call. */
#ifndef DUCT_ALIAS_H
#define DUCT_ALIAS_H

#include "lib/flow/flow.h"

#define ALIAS_NONE UINT32_MAX
#define ALIAS_OUTSIDE 1u      /* the object of kind ALIAS_KNOWN: a place in it is anywhere in what escaped */

/* Bytes OFFSET + k * STRIDE for any k; stride 0: OFFSET alone. */
struct alias_place { uint32_t object, stride; int64_t offset; };

enum alias_kind {
	ALIAS_EXTERNAL,       /* whatever code that is not in the flow owns */
	ALIAS_VARIABLE,       /* id: of the variable */
	ALIAS_DATA, ALIAS_TEMPORARY, ALIAS_HEAP,       /* id: $ operand, alloca, call */
	ALIAS_FUNCTION,
	ALIAS_POINTEE,        /* what a pointer parameter of an entry points to; id: argument */
	ALIAS_BEYOND,         /* what pointers in there point to */
	ALIAS_VARIADIC,       /* the variable arguments of a function */
	ALIAS_KNOWN,          /* stands for every object that escaped */
	ALIAS_LIBRARY         /* a function of the C library; id: its number there */
};
struct alias_object {
	uint8_t kind;
	bool unique;          /* there is at most one of it at a time */
	bool escaped;         /* unknown code may know its address */
	uint32_t unit, id, owner;       /* owner: number of its function, ALIAS_NONE for static storage */
	uint64_t size;        /* bytes, 0 unknown */
};
/* Functions are numbered through all units: base[unit] + id - 1; so are blocks and instructions. */
struct alias_call {
	uint32_t unit, inst, func, block;      /* inst, block: ids in the unit; func: number */
	const char *name;     /* of the callee, NULL through a pointer */
	uint32_t *callee; size_t callees;      /* numbers of functions of the flow that it may call itself */
	bool external;        /* it may call code outside the flow */
	bool unknown;         /* whose effects are not known and which may call back; else a library function */
};

struct alias;

struct alias_options {
	const char *entry;    /* the function where everything starts; NULL: main, or without one every function
	                         that has no caller or is not static */
	bool may_alias;       /* pointer parameters of entries may point to one object */
	bool any_caller;      /* and to whatever outside code may know, globals that are not static and what functions that
	                         are not static give among it; entries are called again, with what they gave before */
};

/* The flow stays the caller's and must outlive it. NULL when out of memory. */
struct alias *alias_new(const struct flow *fl, const struct alias_options *o);
void alias_free(struct alias *a);

const struct flow *alias_flow(const struct alias *a);
uint32_t alias_function(const struct alias *a, uint32_t unit, uint32_t func);    /* number of a function */
uint32_t alias_functions(const struct alias *a);
const struct flow_func *alias_function_of(const struct alias *a, uint32_t number, uint32_t *unit, uint32_t *id);
/* The function where everything starts: the harness's that calls the entry (not one that stands for what nobody defines),
 * else the entry, NULL for main; ALIAS_NONE. */
uint32_t alias_root(const struct alias *a, const char *entry);
bool alias_is_entry(const struct alias *a, uint32_t number);
bool alias_is_recursive(const struct alias *a, uint32_t number);

size_t alias_objects(const struct alias *a);
const struct alias_object *alias_object(const struct alias *a, uint32_t object);
uint32_t alias_variable(const struct alias *a, uint32_t unit, uint32_t var);     /* its object */
/* Where an operand of an instruction of function `func` (a number) may point to: places, the caller's. */
size_t alias_points_to(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
                       struct alias_place **out);
/* Likewise, but with one place in ALIAS_OUTSIDE for all that escaped. */
size_t alias_places(struct alias *a, uint32_t unit, uint32_t func, const struct flow_operand *o,
                    struct alias_place **out);
size_t alias_calls(const struct alias *a);
const struct alias_call *alias_call(const struct alias *a, size_t i);            /* by unit, then instruction */
/* Functions that unknown code may call. */
const uint32_t *alias_called_back(const struct alias *a, size_t *n);

/* What a call of a library function does with what argument k points to: 'r' reads, 'w' writes, 'b' both, '-' nothing;
 * of a function that is not known, 'b'. */
char alias_effect(const struct alias_call *c, size_t argument);

#endif
