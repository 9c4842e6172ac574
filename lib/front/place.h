// place: positions, source text and shapes from clang's AST.
#ifndef DUCT_FRONT_PLACE_H
#define DUCT_FRONT_PLACE_H

#include "lib/front/mark.h"

#include <clang/AST/ASTContext.h>

namespace duct {

// Where clang's coverage mapping (CoverageMappingGen) says that a region begins: an argument
// of a macro is where the macro's body names it, the body of a macro where it is defined,
// that of a system header's macro where it is used; what a macro only begins, likewise.
Place coverage_place(const clang::ASTContext &ast, clang::SourceRange range);
// Where the text stands in a file, if loc is in a macro; else no file.
Place macro_place(const clang::ASTContext &ast, clang::SourceLocation loc);
// Place in the file: of the outermost macro's use.
Place file_place(const clang::ASTContext &ast, clang::SourceLocation loc);

// The source on one line, shortened to some hundred characters.
std::string source_text(const clang::ASTContext &ast, clang::SourceRange range);

// Shape (abi.h) of `bytes` bytes of which the first element has type t; bytes 0: not known.
std::string shape_for(const clang::ASTContext &ast, clang::QualType t, uint64_t bytes);

} // namespace duct

#endif
