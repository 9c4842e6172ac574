// differ: what the standard leaves to the compiler and a unit depends on: other compilers may answer otherwise.
#ifndef DUCT_FRONT_DIFFER_H
#define DUCT_FRONT_DIFFER_H

#include "lib/front/mark.h"

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace clang { class CompilerInstance; }

namespace duct {

// Kinds of struct Limit:
//   order      operands whose order of evaluation is unspecified, one of which may write what the other reads or writes
//   compiler   a macro that tells compilers apart decides what is compiled there; bit-fields wider than int in
//              arithmetic; the value of isdigit and its kin; the sign of what may be NaN; a builtin that asks the
//              optimiser; an inline definition that may be another one
//   address    order of the addresses of distinct objects, identity of string literals, bits of addresses
//
// Collects them from the tree as it is parsed, before anything changes it; to stand before other consumers. They are in
// marks.limits when the unit ends. Code of system headers is not looked at.
std::unique_ptr<clang::ASTConsumer> make_differ(clang::CompilerInstance &ci, Marks &marks);

} // namespace duct

#endif
