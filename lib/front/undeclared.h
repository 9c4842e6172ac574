// undeclared: declares C library functions that a file calls without a declaration; compilers know
// their return types.
#ifndef DUCT_FRONT_UNDECLARED_H
#define DUCT_FRONT_UNDECLARED_H

#include <set>
#include <string>

namespace clang
{
class FunctionDecl;
}

namespace duct
{

// Declarations for those of these functions that return no int and are not defined; "" if there are
// none.
std::string declarations_of(const std::set<const clang::FunctionDecl *> &undeclared);

} // namespace duct

#endif
