/* float: bit-exact results of floating-point operations (see op.h). Uses x86-64 hardware in the
 * default rounding mode; calls no library. */
#ifndef DUCT_FLOAT_H
#define DUCT_FLOAT_H

#include <stdbool.h>

#include "lib/protocol/op.h"

/* Result of width w of an operation on operands of width wa; b is 0 for unary operations. */
unsigned __int128 duct_float_eval(
    enum op op, unsigned w, unsigned wa, unsigned __int128 a, unsigned __int128 b);
/* Is v a NaN? w: 32, 64 or 80. */
bool duct_float_nan(unsigned w, unsigned __int128 v);
/* Are these widths of result and operands (wb 0: unary) valid for the operation? */
bool duct_float_fits(enum op op, unsigned w, unsigned wa, unsigned wb);

#endif
