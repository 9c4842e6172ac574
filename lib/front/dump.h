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

// Fills unit.flow, unit.key and unit.code.layout. The generator maps symbols to declarations. code:
// where the key is known, or null.
void dump(const clang::ASTContext &ast, clang::CodeGenerator &generator, const Marks &marks,
    const Numbers &numbers, const std::string &file, uint32_t checks, const SharedCode *code,
    Unit &unit);

} // namespace duct

#endif
