/* shape: private to lib/harness: layout of types. */
#ifndef DUCT_HARNESS_SHAPE_H
#define DUCT_HARNESS_SHAPE_H

#include "lib/flow/flow.h"

/* NULL for id 0 and invalid ids. */
const struct flow_type *harness_type(const struct flow_unit *u, uint32_t id);
/* Does an object of the type contain a pointer? level: pass 0. */
bool harness_holds_pointer(const struct flow_unit *u, uint32_t id, int level);
/* The classes of its scalars (duct_scalar_class); all of them for bit-fields. level: pass 0. */
uint32_t harness_classes(const struct flow_unit *u, uint32_t id, int level);
/* Marked shape of a type or of `count` consecutive elements; a type without scalars (void) is
 * bytes. Caller frees. */
char *harness_shape_marked(const struct flow_unit *u, uint32_t type, uint64_t count);
/* The same for a global variable: padding is bytes, too, as fields padding~OFFSET, which are inputs
 * as others may have written there, but which tests do not look at after the call. */
char *harness_shape_padded(const struct flow_unit *u, uint32_t type);
/* The same for an object that pointers lead to: a flexible array member is *STRIDE:SHAPE, the last
 * field. */
char *harness_shape_whole(const struct flow_unit *u, uint32_t type);
/* Writes the marked shape of a type that is not leafless. */
void harness_shape_value(FILE *f, const struct flow_unit *u, uint32_t type);
/* Writes OFFSET.NAME=SHAPE of a part that begins `base` bytes behind the record. */
struct shared_part;
void harness_shape_part(
    FILE *f, const struct flow_unit *u, const struct shared_part *part, uint64_t base);
/* Does that shape omit possible inputs: members of a union with a pointer, or of types that are not
 * modelled? level: pass 0. */
bool harness_shape_fixes(const struct flow_unit *u, uint32_t type, int level);
/* Converts a marked shape in place to one for the runtime. */
void harness_shape_plain(char *shape);

#endif
