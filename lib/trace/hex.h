/* hex: values of up to 128 bits as lower-case hexadecimal text. */
#ifndef DUCT_TRACE_HEX_H
#define DUCT_TRACE_HEX_H

#include "lib/trace/trace.h"

void hex_put(struct rec_writer *w, struct value v);
/* Reads field i, a value of at most `width` bits; false after rec_fail. */
bool hex_get(struct rec_reader *r, const struct rec *rec, size_t i, const char *what,
    unsigned width, struct value *out);
/* Reads a field of n byte pairs into out; false after rec_fail. */
bool hex_bytes(struct rec_reader *r, const struct rec *rec, size_t i, uint8_t *out);

#endif
