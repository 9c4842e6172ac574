/* library: what a woven shared library tells the runtime beside abi.h, through share/library.c. */
#ifndef DUCT_LIBRARY_H
#define DUCT_LIBRARY_H

#include "lib/protocol/abi.h"

/* The library whose descriptors of pairs begin there is about to be unloaded. */
void duct_rt_unload(struct duct_pairs *pairs);

#endif
