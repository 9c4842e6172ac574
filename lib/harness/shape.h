/* shape: private to lib/harness: the layout of types. */
#ifndef DUCT_HARNESS_SHAPE_H
#define DUCT_HARNESS_SHAPE_H

#include "lib/flow/flow.h"

/* NULL for id 0 and rubbish. */
const struct flow_type *harness_type(const struct flow_unit *u, uint32_t id);
/* A pointer anywhere inside an object of that type, by value; level: 0. */
bool harness_holds_pointer(const struct flow_unit *u, uint32_t id, int level);
/* Marked shape of a type, or of `count` elements of it in a row; a type without scalars
 * (void) counts as bytes. Caller frees. */
char *harness_shape_marked(const struct flow_unit *u, uint32_t type, uint64_t count);
/* Does that shape leave out what a caller could give: members of a union that holds a pointer, or of types that are not
 * modelled? level: 0. */
bool harness_shape_fixes(const struct flow_unit *u, uint32_t type, int level);
/* Makes a marked shape one for the runtime, in place. */
void harness_shape_plain(char *shape);

#endif
