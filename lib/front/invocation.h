// invocation: how clang is called for a unit.
#ifndef DUCT_FRONT_INVOCATION_H
#define DUCT_FRONT_INVOCATION_H

#include "lib/front/front.h"

#include <clang/Frontend/CompilerInvocation.h>

#include <memory>
#include <string>

namespace duct
{

// The pragma that stands in place of a harness whose text is asked for, see LoadOptions.
const char *const ask_pragma = "duct_harness_is_here";

// The text of a harness, as it is compiled: under the name harness_name.
std::string named_harness(const std::string &text);

// Names of values stay: checks.cc tells casts by them, dump.cc labels.
bool needs_names(const LoadOptions &o);

// The invocation of clang for a unit, with its harness behind the file's text and declarations
// before it. nullptr after an error, with or without a message.
std::shared_ptr<clang::CompilerInvocation> invocation_of(
    const LoadOptions &o, const std::string &declarations, std::string &messages);

} // namespace duct

#endif
