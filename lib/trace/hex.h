/* hex: values of up to 128 bits as lower-case hexadecimal text. */
#ifndef DUCT_TRACE_HEX_H
#define DUCT_TRACE_HEX_H

#include "lib/trace/trace.h"

void hex_put(struct rec_writer *w, struct value v);
/* Field i; false after rec_fail. `width` bounds the value. */
bool hex_get(struct rec_reader *r, const struct rec *rec, size_t i, const char *what,
             unsigned width, struct value *out);
/* A field of byte pairs into n bytes at out (n = half the field's length); false after rec_fail. */
bool hex_bytes(struct rec_reader *r, const struct rec *rec, size_t i, uint8_t *out);

#endif
