#include "lib/front/macros.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/MacroInfo.h>
#include <clang/Lex/Preprocessor.h>

using namespace clang;

namespace duct
{

bool Macros::is_users(SourceLocation at) const
{
	const SourceManager &sm = pp.getSourceManager();
	at = sm.getExpansionLoc(at);
	return at.isValid() && !sm.isInSystemHeader(at)
	    && sm.getFileID(at) != pp.getPredefinesFileID() && !sm.isWrittenInBuiltinFile(at)
	    && !sm.isWrittenInCommandLineFile(at);
}

bool Macros::is_telling(StringRef name, bool value) const
{
	static const llvm::StringSet<> always = {
		"__clang__",
		"__clang_major__",
		"__clang_minor__",
		"__clang_patchlevel__",
		"__clang_version__",
		"__llvm__",
		"__OPTIMIZE__",
		"__OPTIMIZE_SIZE__",
		"__NO_INLINE__",
		"__VERSION__",
		"__has_feature",
		"__has_extension",
		"__SANITIZE_ADDRESS__",
		"__INTEL_COMPILER",
	};
	static const llvm::StringSet<> by_value = {
		"__GNUC__",
		"__GNUC_MINOR__",
		"__GNUC_PATCHLEVEL__",
		"__has_builtin",
		"__has_attribute",
	};
	return always.contains(name) || tainted.contains(name)
	    || (value && by_value.contains(name));
}

// Does the condition that begins there use a compiler-specific macro?
bool Macros::seen(SourceLocation at, SourceRange range)
{
	const SourceManager &sm = pp.getSourceManager();
	SourceLocation end = sm.getExpansionLoc(range.getEnd());
	bool is = last.isValid() && sm.getFileID(last) == sm.getFileID(at)
	    && sm.getFileOffset(last) >= sm.getFileOffset(at)
	    && sm.getFileOffset(last) <= sm.getFileOffset(end);
	last = SourceLocation();
	return is;
}

void Macros::open(SourceLocation at, bool telling)
{
	open_regions.push_back(
	    { telling && is_users(at) ? at : SourceLocation(), SourceLocation() });
}

void Macros::If(SourceLocation at, SourceRange range, ConditionValueKind)
{
	open(at, seen(at, range));
}

void Macros::Elif(SourceLocation at, SourceRange range, ConditionValueKind, SourceLocation)
{
	if (seen(at, range) && is_users(at) && !open_regions.empty()
	    && open_regions.back().begin.isInvalid())
		open_regions.back().begin = at;
}

void Macros::Ifdef(SourceLocation at, const Token &name, const MacroDefinition &)
{
	open(at, is_telling(name.getIdentifierInfo()->getName(), false));
}

void Macros::Ifndef(SourceLocation at, const Token &name, const MacroDefinition &)
{
	open(at, is_telling(name.getIdentifierInfo()->getName(), false));
}

void Macros::Endif(SourceLocation at, SourceLocation)
{
	if (open_regions.empty())
		return;
	Region r = open_regions.back();
	open_regions.pop_back();
	r.end = at;
	if (r.begin.isValid())
		regions.push_back(r);
}

void Macros::Defined(const Token &name, const MacroDefinition &, SourceRange range)
{
	if (is_telling(name.getIdentifierInfo()->getName(), false))
		last = pp.getSourceManager().getExpansionLoc(range.getBegin());
}

void Macros::MacroExpands(
    const Token &name, const MacroDefinition &, SourceRange range, const MacroArgs *)
{
	if (!name.getIdentifierInfo() || !is_telling(name.getIdentifierInfo()->getName(), true))
		return;
	last = pp.getSourceManager().getExpansionLoc(range.getBegin());
	if (is_users(last))
		uses.push_back(last);
}

// Attributes, specifiers and hints alone do not change what is computed.
static bool is_harmless(const MacroInfo &m)
{
	static const llvm::StringSet<> words = {
		"__attribute__",
		"__attribute",
		"__declspec",
		"inline",
		"__inline",
		"__inline__",
		"static",
		"extern",
		"const",
		"restrict",
		"__restrict",
		"__restrict__",
		"__extension__",
		"_Noreturn",
		"__builtin_expect",
		"register",
	};
	if (m.getNumTokens() == 0)
		return true;
	const Token &first = m.getReplacementToken(0);
	if (!first.getIdentifierInfo())
		/* (x), as of likely(x) */
		return m.getNumTokens() <= 3 && m.isFunctionLike() && m.getNumParams() == 1;
	if (m.isFunctionLike() && m.getNumTokens() == 1)
		return true;
	return words.contains(first.getIdentifierInfo()->getName());
}

void Macros::MacroDefined(const Token &name, const MacroDirective *directive)
{
	bool within = false;
	for (const Region &r : open_regions)
		within |= r.begin.isValid();
	if (within && is_users(name.getLocation()) && !is_harmless(*directive->getMacroInfo()))
		tainted.insert(name.getIdentifierInfo()->getName());
}

SourceLocation Macros::within(SourceRange range) const
{
	const SourceManager &sm = pp.getSourceManager();
	SourceLocation begin = sm.getExpansionLoc(range.getBegin()),
	               end = sm.getExpansionLoc(range.getEnd());
	FileID file = sm.getFileID(begin);
	unsigned from = sm.getFileOffset(begin), to = sm.getFileOffset(end);
	for (SourceLocation use : uses)
		if (sm.getFileID(use) == file && sm.getFileOffset(use) >= from
		    && sm.getFileOffset(use) <= to)
			return use;
	for (const Region &r : regions)
		if (sm.getFileID(r.begin) == file && sm.getFileOffset(r.begin) <= to
		    && sm.getFileOffset(r.end) >= from)
			return r.begin;
	return {};
}

} // namespace duct
