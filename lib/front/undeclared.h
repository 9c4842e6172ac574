// undeclared: functions of the C library that a file calls without a declaration. C compilers know what they return.
#ifndef DUCT_FRONT_UNDECLARED_H
#define DUCT_FRONT_UNDECLARED_H

#include <string>

namespace duct {

// Declarations of those that the compiler's messages call undeclared; "" if there are none.
std::string declarations_of(const std::string &messages);

} // namespace duct

#endif
