/* shapes: private to lib/report: what the plan says of an input by its name. */
#ifndef DUCT_REPORT_SHAPES_H
#define DUCT_REPORT_SHAPES_H

#include "lib/harness/harness.h"

/* The text behind a shape. */
const char *shape_skip(const char *shape);
/* K of the pointer shape p8@K, 0: to nothing known. */
uint64_t shape_target(const char *shape);

/* Fields of a record, in order. `at` begins as the record's shape; false at its end, which `at` is behind then. */
struct shape_field { const char *at, *name, *shape; size_t n; uint64_t offset; };
bool shape_next(struct shape_field *f);

/* Type K of the plan, or NULL. */
const struct harness_step *plan_type(const struct harness_plan *p, uint64_t k);
/* Is K a type of functions? */
bool plan_functions(const struct harness_plan *p, uint64_t k);
/* The i-th function that a pointer to type K may point to, 0: the stub, whose step with its result follows. NULL: none. */
const struct harness_step *plan_function(const struct harness_plan *p, uint64_t k, uint64_t i);
/* What the inputs of the stub for type K are called: WORD(), WORD()#2. Caller frees. */
char *plan_stub(const struct harness_plan *p, uint64_t k);
/* What was asked of the size of a pointer's object (kind exact or string), or NULL. */
const struct harness_step *plan_length(const struct harness_plan *p, const char *pointer);
/* The shape of the input that the first `n` characters of `name` name: an object, an element, a field. NULL: no input. */
const char *plan_shape(const struct harness_plan *p, const char *name, size_t n);

#endif
