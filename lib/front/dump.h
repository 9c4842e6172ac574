// dump: writes flow(5) of a lowered module.
#ifndef DUCT_FRONT_DUMP_H
#define DUCT_FRONT_DUMP_H

#include "lib/front/front.h"
#include "lib/front/lower.h"

namespace clang
{
class ASTContext;
class CodeGenerator;
} // namespace clang

namespace duct
{

// Fills unit.flow and unit.key. The generator maps symbols to declarations.
void dump(const clang::ASTContext &ast, clang::CodeGenerator &generator, const Marks &marks,
    const Numbers &numbers, const std::string &file, uint32_t checks, Unit &unit);

} // namespace duct

#endif
