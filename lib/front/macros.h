// macros: code that depends on compiler-specific macros: `#ifdef __clang__`, and uses of what such
// a region defines.
#ifndef DUCT_FRONT_MACROS_H
#define DUCT_FRONT_MACROS_H

#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/PPCallbacks.h>
#include <llvm/ADT/StringSet.h>

#include <vector>

namespace clang
{
class Preprocessor;
}

namespace duct
{

// `defined __GNUC__` distinguishes nothing, since gcc and Clang both define it; its value does.
class Macros : public clang::PPCallbacks
{
      public:
	explicit Macros(clang::Preprocessor &p) : pp(p)
	{
	}

	// The first place within a range of a file that depends on such a macro, or in whose region
	// the range lies; invalid: none.
	clang::SourceLocation within(clang::SourceRange range) const;

	void If(clang::SourceLocation at, clang::SourceRange range, ConditionValueKind) override;
	void Elif(clang::SourceLocation at, clang::SourceRange range, ConditionValueKind,
	    clang::SourceLocation) override;
	void Ifdef(clang::SourceLocation at, const clang::Token &name,
	    const clang::MacroDefinition &) override;
	void Ifndef(clang::SourceLocation at, const clang::Token &name,
	    const clang::MacroDefinition &) override;
	void Endif(clang::SourceLocation at, clang::SourceLocation begin) override;
	void Defined(const clang::Token &name, const clang::MacroDefinition &,
	    clang::SourceRange range) override;
	void MacroExpands(const clang::Token &name, const clang::MacroDefinition &,
	    clang::SourceRange range, const clang::MacroArgs *) override;
	void MacroDefined(
	    const clang::Token &name, const clang::MacroDirective *directive) override;

      private:
	struct Region {
		clang::SourceLocation begin, end;
	};

	bool is_telling(llvm::StringRef name, bool value) const;
	bool seen(clang::SourceLocation at, clang::SourceRange range);
	void open(clang::SourceLocation at, bool telling);
	bool is_users(clang::SourceLocation at) const;

	clang::Preprocessor &pp;
	// for all open conditions; invalid begin: not compiler-specific
	std::vector<Region> open_regions;
	std::vector<Region> regions;
	// of macros that such a region defines, or of compiler-specific ones
	std::vector<clang::SourceLocation> uses;
	clang::SourceLocation last; // of the last compiler-specific macro
	llvm::StringSet<> tainted;
};

} // namespace duct

#endif
