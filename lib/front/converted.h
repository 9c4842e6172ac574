// converted: finds conversions of pointers to functions to other types.
#ifndef DUCT_FRONT_CONVERTED_H
#define DUCT_FRONT_CONVERTED_H

#include "lib/front/mark.h"

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace duct
{

// Adds to marks.converted; must run before consumers that change the tree.
std::unique_ptr<clang::ASTConsumer> make_converted(Marks &marks);

} // namespace duct

#endif
