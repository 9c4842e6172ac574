// converted: finds conversions of pointers to other types: of functions, and of larger structures.
#ifndef DUCT_FRONT_CONVERTED_H
#define DUCT_FRONT_CONVERTED_H

#include "lib/front/mark.h"

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace duct
{

// Adds to marks.converted and marks.derived; must run before consumers that change the tree.
std::unique_ptr<clang::ASTConsumer> make_converted(Marks &marks);

} // namespace duct

#endif
