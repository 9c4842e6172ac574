// undeclared: declares C library functions that a file calls without a declaration; compilers know
// their return types.
#ifndef DUCT_FRONT_UNDECLARED_H
#define DUCT_FRONT_UNDECLARED_H

#include <string>

namespace duct
{

// Declarations for the functions that the compiler's messages call undeclared; "" if there are
// none.
std::string declarations_of(const std::string &messages);

} // namespace duct

#endif
