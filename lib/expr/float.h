/* float: what floating-point operations compute, to the bit (see op.h). Uses the host's own
 * arithmetic, x86-64, in its default rounding mode; calls no library. */
#ifndef DUCT_FLOAT_H
#define DUCT_FLOAT_H

#include <stdbool.h>

#include "lib/expr/op.h"

/* Result of `w` bits of an operation on operands of `wa` bits; b is 0 where there is one. */
unsigned __int128 duct_float_eval(enum op op, unsigned w, unsigned wa, unsigned __int128 a,
                                  unsigned __int128 b);
/* Is v no number? `w` is 32, 64 or 80. */
bool duct_float_nan(unsigned w, unsigned __int128 v);
/* Do these widths of the result and of the operands (wb: 0 for none) go with the operation? */
bool duct_float_fits(enum op op, unsigned w, unsigned wa, unsigned wb);

#endif
