// unset: variables that may be used before they have a value. The optimiser would give such a value whatever suits it,
// and fold branches on it; instead it becomes an input, where it is used.
#ifndef DUCT_FRONT_UNSET_H
#define DUCT_FRONT_UNSET_H

#include <llvm/IR/Module.h>

namespace duct {

// Finds them, while there is debug information: notes !duct.unset at variables, at the reads that may come too early, and
// at the instructions where a variable's life begins.
void note_unset(llvm::Module &m);
// Plants what gives them a value; before the optimiser, behind the markers.
void plant_unset(llvm::Module &m);

// apart.cc: before the optimiser. Locals that are only read stay objects of their own.
void keep_apart(llvm::Module &m, bool pairs);

} // namespace duct

#endif
