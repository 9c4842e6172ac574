// place: positions, source text and shapes from clang's AST.
#ifndef DUCT_FRONT_PLACE_H
#define DUCT_FRONT_PLACE_H

#include "lib/front/mark.h"

#include <clang/AST/ASTContext.h>

namespace duct
{

// The start of a region as in clang's coverage mapping (CoverageMappingGen): for a macro argument,
// where the macro's body names it; for a macro's body, its definition, or its use if a system
// header defines it or the macro contains only the start.
Place coverage_place(const clang::ASTContext &ast, clang::SourceRange range);
// If loc is in a macro: its position in a file; else no file.
Place macro_place(const clang::ASTContext &ast, clang::SourceLocation loc);
// Position in the file, of the outermost macro's use.
Place file_place(const clang::ASTContext &ast, clang::SourceLocation loc);

// The source on one line, shortened to some hundred characters.
std::string source_text(const clang::ASTContext &ast, clang::SourceRange range);

// Shape (abi.h) of `bytes` bytes whose first element has type t; bytes 0: unknown size.
std::string shape_for(const clang::ASTContext &ast, clang::QualType t, uint64_t bytes);

} // namespace duct

#endif
