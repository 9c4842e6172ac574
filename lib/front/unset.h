// unset: variables that may be used uninitialised. The optimiser would choose such a value as it
// likes and fold branches; instead, the value becomes an input where it is used.
#ifndef DUCT_FRONT_UNSET_H
#define DUCT_FRONT_UNSET_H

#include "lib/front/front.h"

#include <llvm/IR/Module.h>

namespace duct
{

// Finds them while there is debug information: attaches !duct.unset to the variables, to the reads
// that may be too early, and to the instructions where a variable's lifetime begins. The result of
// a function that ends without a return statement is one, if this unit or a harness apart uses it.
void note_unset(llvm::Module &m, Part part);
// Plants code that provides the values; before the optimiser, after the markers.
void plant_unset(llvm::Module &m);

// apart.cc: runs before the optimiser. Keeps locals that are only read as separate objects.
void keep_apart(llvm::Module &m, bool pairs);

} // namespace duct

#endif
