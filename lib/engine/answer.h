/* answer: values in the text that a solver writes. Private to lib/engine. */
#ifndef DUCT_ANSWER_H
#define DUCT_ANSWER_H

#include "lib/expr/expr.h"

/* The value of variable `var` in the model, lines `vNUMBER BITS` behind the first line, with x for
 * "any"; false when it has none. */
bool answer_value(const char *model, uint32_t var, struct value *v);

#endif
