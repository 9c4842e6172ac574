// macros: code that macros of one compiler decide on: `#ifdef __clang__`, and what such a region defines.
#ifndef DUCT_FRONT_MACROS_H
#define DUCT_FRONT_MACROS_H

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringSet.h>

#include <vector>

namespace clang { class Preprocessor; }

namespace duct {

// `defined __GNUC__` tells nothing, because gcc and Clang define it; its value does.
class Macros : public clang::PPCallbacks {
public:
	explicit Macros(clang::Preprocessor &p) : pp(p) {}

	// The first place within that range of a file which such a macro decides on, or in which it lies; invalid: none.
	clang::SourceLocation within(clang::SourceRange range) const;

	void If(clang::SourceLocation at, clang::SourceRange range, ConditionValueKind) override;
	void Elif(clang::SourceLocation at, clang::SourceRange range, ConditionValueKind, clang::SourceLocation) override;
	void Ifdef(clang::SourceLocation at, const clang::Token &name, const clang::MacroDefinition &) override;
	void Ifndef(clang::SourceLocation at, const clang::Token &name, const clang::MacroDefinition &) override;
	void Endif(clang::SourceLocation at, clang::SourceLocation begin) override;
	void Defined(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange range) override;
	void MacroExpands(const clang::Token &name, const clang::MacroDefinition &, clang::SourceRange range,
	                  const clang::MacroArgs *) override;
	void MacroDefined(const clang::Token &name, const clang::MacroDirective *directive) override;

private:
	struct Region { clang::SourceLocation begin, end; };

	bool is_telling(llvm::StringRef name, bool value) const;
	bool seen(clang::SourceLocation at, clang::SourceRange range);
	void open(clang::SourceLocation at, bool telling);
	bool is_users(clang::SourceLocation at) const;

	clang::Preprocessor &pp;
	std::vector<Region> open_regions;        // of all conditions; invalid begin: a harmless one
	std::vector<Region> regions;
	std::vector<clang::SourceLocation> uses; // of macros that such a region defines, or of telling ones
	clang::SourceLocation last;              // of the last telling macro
	llvm::StringSet<> tainted;
};

} // namespace duct

#endif
