// split: a unit's code apart from what each program tells of it (Part in front.h).
#ifndef DUCT_FRONT_SPLIT_H
#define DUCT_FRONT_SPLIT_H

#include "lib/front/front.h"

#include <llvm/IR/Module.h>

namespace duct
{

// Outcomes that a unit has in reserve for the conditions of a harness.
constexpr uint32_t spare_outcomes = 64;

// Before weaving. Code: functions and variables of the file are there for harnesses in other
// objects; false, and all is as it was, where the assembly of the unit may name one of them. Own:
// nothing but the harness is left, with this assembly of its own; false: it calls something that
// has a meaning of its own where it is not defined.
bool share_statics(llvm::Module &m, const std::string &tag, const std::string &assembly);
bool leave_harness(llvm::Module &m, const std::string &tag, const std::string &assembly);

// A variable that the parts share is defined in another one.
llvm::GlobalVariable *declare_shared(
    llvm::Module &m, llvm::Type *type, const std::string &name, const std::string &tag);
// Its definition.
void define_shared(llvm::GlobalVariable &g, const std::string &name, const std::string &tag);
// It was defined here, and is defined in another part.
void undefine_shared(llvm::GlobalVariable &g, const std::string &name, const std::string &tag);
// An empty module beside that of the unit.
std::unique_ptr<llvm::Module> module_beside(const llvm::Module &m);

} // namespace duct

#endif
