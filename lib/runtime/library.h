/* library: calls from woven shared libraries to the runtime besides abi.h, made by share/library.c.
 */
#ifndef DUCT_LIBRARY_H
#define DUCT_LIBRARY_H

#include "lib/protocol/abi.h"

/* Called before the library whose pair descriptors begin there is unloaded. */
void duct_rt_unload(struct duct_pairs *pairs);

#endif
