// checks: instructions that could go wrong at run time. The model says which and where
// (`check` records), the marker pass plants the condition that they do not.
#ifndef DUCT_FRONT_CHECKS_H
#define DUCT_FRONT_CHECKS_H

#include <llvm/IR/Module.h>

namespace duct {

// Could this instruction fail in one of the wanted ways? Bits 1 << enum check_kind.
uint32_t faults_of(llvm::Instruction &i, uint32_t wanted);
// Notes them at the instruction: !duct.check !{i32 inst, i32 kinds}.
void note_faults(llvm::Instruction &i, uint32_t inst, uint32_t kinds);
// Plants a marker for each noted fault; then integers wrap, as with -fwrapv.
void plant_checks(llvm::Module &m);

} // namespace duct

#endif
