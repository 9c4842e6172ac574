/* shapes: private to lib/report: the plan's information about an input, by its name. */
#ifndef DUCT_REPORT_SHAPES_H
#define DUCT_REPORT_SHAPES_H

#include "lib/harness/harness.h"

/* The text after a shape. */
const char *shape_skip(const char *shape);
/* The shape of a structure in an object of so many bytes: its flexible array member (*STRIDE:...)
 * is an array. Caller frees. */
char *shape_filled(const char *shape, uint64_t bytes);
/* Has it a flexible array member? */
bool shape_is_open(const char *shape);
/* K of a pointer shape p8@K; 0: unknown target. */
uint64_t shape_target(const char *shape);

/* Is it a pointer of another type at the place of the one before (p8@K/)? */
bool shape_is_other(const char *shape);
/* Has the record several fields, some of which are members of one union? One initialiser cannot set
 * these. */
bool shape_is_mixed(const char *record);

/* Iterates over the fields of a record. `at` starts as the record's shape; false at the end, then
 * `at` is after it. */
struct shape_field {
	const char *at, *name, *shape;
	size_t n;
	uint64_t offset;
};
bool shape_next(struct shape_field *f);

/* Type K of the plan, or NULL. */
const struct harness_step *plan_type(const struct harness_plan *p, uint64_t k);
/* Does a parameter have the name? */
bool plan_hides(const struct harness_plan *p, const char *name);
/* Is K a function type? */
bool plan_functions(const struct harness_plan *p, uint64_t k);
/* The i-th possible target of a pointer to type K; 0: the stub, whose result step follows. NULL:
 * none. */
const struct harness_step *plan_function(const struct harness_plan *p, uint64_t k, uint64_t i);
/* The i-th variable of the program, from 0, that pointers to type K may lead to; NULL: none. */
const struct harness_step *plan_variable(const struct harness_plan *p, uint64_t k, uint64_t i);
/* Prefix of the input names of the stub for type K: WORD(), WORD()#2. Caller frees. */
char *plan_stub(const struct harness_plan *p, uint64_t k);
/* The rule for the size of a pointer's object (kind exact or string), or NULL. */
const struct harness_step *plan_length(const struct harness_plan *p, const char *pointer);
/* The shape of the input named by the first `n` characters of `name`: an object, element or field.
 * NULL: no input. */
const char *plan_shape(const struct harness_plan *p, const char *name, size_t n);

#endif
