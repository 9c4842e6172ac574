#include "lib/front/place.h"

#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

using namespace clang;

namespace duct
{
namespace
{

bool in_file_called(const SourceManager &sm, SourceLocation loc, StringRef name)
{
	return sm.getBufferName(sm.getSpellingLoc(loc)) == name;
}

Place physical(const SourceManager &sm, SourceLocation loc)
{
	PresumedLoc p = sm.getPresumedLoc(loc);
	if (p.isValid() && std::string(p.getFilename()) == harness_name)
		return { harness_name, p.getLine(), p.getColumn() };
	OptionalFileEntryRef file = sm.getFileEntryRefForID(sm.getFileID(loc));
	if (!file)
		return {};
	return { file->getName().str(), sm.getSpellingLineNumber(loc),
		sm.getSpellingColumnNumber(loc) };
}

} // namespace

// For a macro argument, the place in the macro's body that names it.
static SourceLocation out_of_argument(const SourceManager &sm, SourceLocation loc)
{
	while (loc.isMacroID()
	    && (sm.isMacroArgExpansion(loc) || in_file_called(sm, loc, "<built-in>")))
		loc = sm.getImmediateExpansionRange(loc).getBegin();
	return loc;
}

static SourceLocation outside(const SourceManager &sm, SourceLocation loc)
{
	return loc.isMacroID() ? sm.getImmediateExpansionRange(loc).getBegin()
	                       : sm.getIncludeLoc(sm.getFileID(loc));
}

static unsigned depth(const SourceManager &sm, SourceLocation loc)
{
	unsigned n = 0;
	for (; loc.isValid(); loc = outside(sm, loc))
		n++;
	return n;
}

// A region must be in one file or expansion: finds the smallest that contains both ends.
Place coverage_place(const ASTContext &ast, SourceRange range)
{
	const SourceManager &sm = ast.getSourceManager();
	SourceLocation loc = out_of_argument(sm, range.getBegin()),
	               end = out_of_argument(sm, range.getEnd());
	unsigned at = depth(sm, loc), to = depth(sm, end);
	while (loc.isValid() && end.isValid() && !sm.isWrittenInSameFile(loc, end)) {
		bool start_out = at >= to, end_out = to >= at;
		if (start_out)
			loc = outside(sm, loc), at--;
		if (end_out)
			end = outside(sm, end), to--;
	}
	if (!loc.isValid())
		return {};
	while (loc.isMacroID() && sm.isWrittenInScratchSpace(sm.getSpellingLoc(loc)))
		loc = sm.getImmediateExpansionRange(loc).getBegin();
	if (sm.isInSystemHeader(sm.getSpellingLoc(loc)))
		loc = sm.getFileLoc(loc);
	return physical(sm, sm.getSpellingLoc(loc));
}

Place file_place(const ASTContext &ast, SourceLocation loc)
{
	const SourceManager &sm = ast.getSourceManager();
	return loc.isValid() ? physical(sm, sm.getExpansionLoc(loc)) : Place();
}

Place macro_place(const ASTContext &ast, SourceLocation loc)
{
	const SourceManager &sm = ast.getSourceManager();
	return loc.isMacroID() ? physical(sm, sm.getFileLoc(loc)) : Place();
}

std::string source_text(const ASTContext &ast, SourceRange range)
{
	const SourceManager &sm = ast.getSourceManager();
	CharSourceRange chars =
	    Lexer::getAsCharRange(CharSourceRange::getTokenRange(range), sm, ast.getLangOpts());
	CharSourceRange file = Lexer::makeFileCharRange(chars, sm, ast.getLangOpts());
	if (file.isInvalid())
		file = sm.getExpansionRange(range),
		file = Lexer::getAsCharRange(file, sm, ast.getLangOpts());
	StringRef text = Lexer::getSourceText(file, sm, ast.getLangOpts());
	std::string line;
	for (char c : text) {
		bool blank = isspace((unsigned char)c);
		if (!(blank && (line.empty() || line.back() == ' ')))
			line += blank ? ' ' : c;
		if (line.size() == 200)
			return line + "...";
	}
	return line;
}

static std::string shape_of(const ASTContext &ast, QualType t);

static std::string bytes_shape(uint64_t n)
{
	return std::to_string(n) + "*1:u1";
}

static std::string record_shape(const ASTContext &ast, const RecordDecl *r)
{
	const ASTRecordLayout &layout = ast.getASTRecordLayout(r);
	uint64_t size = layout.getSize().getQuantity();
	if (r->isUnion())
		return bytes_shape(size);
	std::string out = "{";
	uint64_t done = 0;
	for (const FieldDecl *f : r->fields()) {
		uint64_t bit = layout.getFieldOffset(f->getFieldIndex()), at = bit / 8;
		if (f->isBitField()) {
			uint64_t end = (bit + f->getBitWidthValue(ast) + 7) / 8;
			at = std::max(at, done);
			for (; at < end; at++)
				out += std::to_string(at) + ".bits" + std::to_string(at) + "=u1;";
			done = std::max(done, end);
			continue;
		}
		std::string s = shape_of(ast, f->getType());
		if (s.empty())
			continue;
		std::string name = f->getNameAsString();
		if (name.empty())
			name = "anon" + std::to_string(at);
		out += std::to_string(at) + "." + name + "=" + s + ";";
		done = at + ast.getTypeSizeInChars(f->getType()).getQuantity();
	}
	return out == "{" ? "" : out + "}";
}

static std::string shape_of(const ASTContext &ast, QualType t)
{
	t = t.getCanonicalType().getUnqualifiedType();
	if (const auto *a = t->getAs<AtomicType>())
		t = a->getValueType().getCanonicalType();
	if (t->isIncompleteType() || t->isFunctionType())
		return "";
	uint64_t size = ast.getTypeSizeInChars(t).getQuantity();
	std::string n = std::to_string(size);
	if (const auto *a = ast.getAsConstantArrayType(t)) {
		std::string e = shape_of(ast, a->getElementType());
		uint64_t stride = ast.getTypeSizeInChars(a->getElementType()).getQuantity();
		return e.empty() || a->getSize() == 0 ? ""
		                                      : std::to_string(a->getSize().getZExtValue())
		        + "*" + std::to_string(stride) + ":" + e;
	}
	if (const auto *r = t->getAs<RecordType>())
		return record_shape(ast, r->getDecl());
	if (t->isBooleanType())
		return "b1";
	if (t->isSpecificBuiltinType(BuiltinType::Char_S)
	    || t->isSpecificBuiltinType(BuiltinType::Char_U))
		return "c1";
	if (t->isPointerType())
		return "p" + n;
	if (t->isIntegerType() && size <= 16)
		return (t->isSignedIntegerOrEnumerationType() ? "i" : "u") + n;
	if (t->isRealFloatingType())
		return "f" + n;
	return size ? bytes_shape(size) : "";
}

// A size other than the type's is a number of elements; bytes if it is not divisible.
std::string shape_for(const ASTContext &ast, QualType t, uint64_t bytes)
{
	std::string s = t->isVoidType() ? "" : shape_of(ast, t);
	uint64_t size = s.empty() ? 0 : ast.getTypeSizeInChars(t).getQuantity();
	if (size == bytes)
		return s;
	const ArrayType *array = ast.getAsArrayType(t);
	if (array && bytes % std::max<uint64_t>(size, 1))
		return shape_for(ast, array->getElementType(), bytes);
	if (!bytes && array)
		return shape_for(ast, array->getElementType(), 0);
	if (!bytes)
		return size ? "*" + std::to_string(size) + ":" + s : "";
	if (size && bytes % size == 0)
		return std::to_string(bytes / size) + "*" + std::to_string(size) + ":" + s;
	return bytes_shape(bytes);
}

} // namespace duct
