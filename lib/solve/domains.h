/* domains: what conditions and terms on one input of at most 8 bits say about its values. Computed
 * once for each condition and term. Private to lib/solve. */
#ifndef DUCT_DOMAINS_H
#define DUCT_DOMAINS_H

#include "lib/expr/expr.h"

#define DOMAIN_BITS 8
#define DOMAIN_VALUES (1 << DOMAIN_BITS)

/* A set of values. */
struct domain {
	uint64_t bit[DOMAIN_VALUES / 64];
};

struct domains;
struct domains *domains_new(struct expr_pool *p);
void domains_free(struct domains *d);
/* Drops what was computed when it takes much memory; pointers into it are invalid then. */
void domains_trim(struct domains *d);

/* The only input that e depends on, if it has at most 8 bits; else UINT32_MAX. */
uint32_t domains_input(struct expr_pool *p, expr e);
/* The values of that input which satisfy cond. False: cond cannot be evaluated. */
bool domains_of(struct domains *d, expr cond, struct domain *to);
/* By value of that input: a number for e's value, below *n. NULL: each value is told apart, or e
 * cannot be evaluated. */
const uint8_t *domains_classes(struct domains *d, expr e, unsigned *n);
/* The largest terms of cond that depend on one input of at most 8 bits. */
const expr *domains_terms(struct domains *d, expr cond, size_t *n);

/* Classes of values of an input. */
struct value_classes {
	uint8_t number[DOMAIN_VALUES]; /* by value: that of its class, below n; in the order of the
	                                  least values */
	unsigned n;
};
void value_classes_start(struct value_classes *s); /* one class */
/* Also tells apart what e, a term on the input, does; only values of `among` are numbered. */
void value_classes_refine(
    struct value_classes *s, struct domains *d, expr e, const struct domain *among, unsigned width);

void domain_all(struct domain *s, unsigned width);
/* Is anything left? */
bool domain_keep(struct domain *s, const struct domain *other);
bool domain_has(const struct domain *s, unsigned value);

#endif
