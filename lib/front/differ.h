// differ: finds unspecified behaviour that a unit depends on, where other compilers may differ.
#ifndef DUCT_FRONT_DIFFER_H
#define DUCT_FRONT_DIFFER_H

#include "lib/front/mark.h"

#include <clang/AST/ASTConsumer.h>

#include <memory>

namespace clang
{
class Preprocessor;
}

namespace duct
{

// Kinds of struct Limit:
//   order      operands with unspecified order of evaluation, one of which may write what the other
//              reads or writes
//   compiler   code that depends on a compiler-specific macro; arithmetic on bit-fields wider than
//              int; the value of isdigit and similar; the sign of a possible NaN; a builtin about
//              the optimiser's knowledge; an inline definition that another may replace
//   address    order of the addresses of distinct objects, identity of string literals, bits of
//              addresses
//   moved      whether a block is where one was that the function freed or reallocated
//
// Collects them from the AST while it is parsed, so it must run before consumers that change it.
// marks.limits is complete at the end of the unit. System headers are ignored.
std::unique_ptr<clang::ASTConsumer> make_differ(clang::Preprocessor &pp, Marks &marks);

} // namespace duct

#endif
