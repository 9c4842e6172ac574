/* value: private to lib/report: a test's inputs by name, as C text. */
#ifndef DUCT_REPORT_VALUE_H
#define DUCT_REPORT_VALUE_H

#include "lib/store/store.h"

/* A test's inputs sorted by name; `used` marks those that were looked up. */
struct values {
	const struct input *in;
	size_t *order; /* indices in in->v, sorted by name */
	bool *used;    /* by index in in->v */
};
void values_open(struct values *v, const struct input *in);
void values_close(struct values *v);
/* NULL if there is none. */
const struct input_value *values_find(struct values *v, const char *name);
const struct input_value *values_find_f(struct values *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* The value as a C expression of its kind: 5, 7u, 'a', 1.5f. Floating-point numbers read back
 * exactly. */
void value_print(FILE *f, const struct input_value *v);
/* The value sign-extended from `width` bits. */
int64_t value_signed(const struct input_value *v);
/* Bytes as a C string literal. */
void value_print_bytes(FILE *f, const char *bytes, size_t n);
/* All inputs of a test on one line, consecutive characters as strings; at most about `most`
 * bytes. */
void values_line(FILE *f, const struct input *in, size_t most);
/* At most so many of them, each whole; returns how many are left out. */
size_t values_first(FILE *f, const struct input *in, size_t most);

#endif
