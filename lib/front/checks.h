// checks: instructions that may fail at run time. The program model lists them (`check` records);
// the marker pass plants conditions for their success.
#ifndef DUCT_FRONT_CHECKS_H
#define DUCT_FRONT_CHECKS_H

#include <llvm/IR/Module.h>

namespace duct
{

// The ways in which the instruction may fail, among the wanted ones; bits 1 << enum check_kind.
uint32_t faults_of(llvm::Instruction &i, uint32_t wanted);
// Attaches them to the instruction: !duct.check !{i32 inst, i32 kinds}.
void note_faults(llvm::Instruction &i, uint32_t inst, uint32_t kinds);
// Plants a marker for each; then makes integers wrap, as with -fwrapv.
void plant_checks(llvm::Module &m);
// Plants a marker before pointers that may lead into different objects are compared by <, <=, > or
// >=, or subtracted, while there is debug information.
void plant_compares(llvm::Module &m);

} // namespace duct

#endif
