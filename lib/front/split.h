// split: separates a unit's code from the descriptors that each program has (Part in front.h).
#ifndef DUCT_FRONT_SPLIT_H
#define DUCT_FRONT_SPLIT_H

#include "lib/front/front.h"

#include <llvm/IR/Module.h>

namespace duct
{

// Outcomes that a unit has in reserve for the conditions of a harness.
constexpr uint32_t spare_outcomes = 64;

// Before weaving. share_statics, for a Code object: makes the file's static functions and variables
// visible to harnesses in other objects. Returns false and changes nothing if the unit's assembly
// may name one of them. leave_harness, for an Own object: removes everything but the harness and
// its assembly. Returns false if that is impossible: the harness refers to a function of the unit
// with the name of a library function, which weaving treats specially where it is only declared; or
// the unit has ifuncs or thread-local aliases.
bool share_statics(llvm::Module &m, const std::string &tag, const std::string &assembly);
bool leave_harness(llvm::Module &m, const std::string &tag, const std::string &assembly);

// Variables that the parts of a unit share under a hidden external name. declare_shared: declares
// one that another part defines. define_shared: gives the variable defined here its shared name.
// undefine_shared: turns its definition here into a declaration.
llvm::GlobalVariable *declare_shared(
    llvm::Module &m, llvm::Type *type, const std::string &name, const std::string &tag);
void define_shared(llvm::GlobalVariable &g, const std::string &name, const std::string &tag);
void undefine_shared(llvm::GlobalVariable &g, const std::string &name, const std::string &tag);
// An empty module in the context of the unit's, with the same target.
std::unique_ptr<llvm::Module> module_beside(const llvm::Module &m);

} // namespace duct

#endif
