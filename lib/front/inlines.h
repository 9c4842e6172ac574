// inlines: functions with a C99 inline definition and no external one in the unit are part of it.
#ifndef DUCT_FRONT_INLINES_H
#define DUCT_FRONT_INLINES_H

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Decl.h>
#include <llvm/IR/Module.h>

#include <memory>
#include <set>
#include <string>

namespace duct
{

// Is the definition one of them?
bool is_inline_only(const clang::FunctionDecl &f);
// Has their code generated, and adds their names to the set; must run before the code generator and
// after consumers that ask for attributes.
std::unique_ptr<clang::ASTConsumer> make_inlines(std::set<std::string> &names);
// An external definition in another unit replaces them.
void define_inlines(llvm::Module &m, const std::set<std::string> &names);

} // namespace duct

#endif
