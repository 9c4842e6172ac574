#include "lib/front/type.h"

#include <clang/AST/Decl.h>
#include <clang/AST/RecordLayout.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace duct
{
namespace
{

char kind_of(const ASTContext &ast, QualType t)
{
	if (t->isVoidType())
		return 'v';
	if (t->isFunctionType())
		return 'e';
	if (t->isArrayType())
		return 'a';
	if (t->isPointerType() || t->isNullPtrType())
		return 'p';
	if (t->isBooleanType())
		return 'b';
	if (t->isSpecificBuiltinType(BuiltinType::Char_S)
	    || t->isSpecificBuiltinType(BuiltinType::Char_U))
		return 'c';
	if (t->isIntegerType())
		return t->isSignedIntegerOrEnumerationType() ? 'i' : 'u';
	if (t->isRealFloatingType()) // the size tells the formats that are modelled apart
		return t->isFloat128Type() || t->isBFloat16Type() ? 'o' : 'f';
	if (const auto *r = t->getAs<RecordType>())
		return r->getDecl()->isUnion() ? 'n' : 's';
	return 'o';
}

uint64_t size_of(const ASTContext &ast, QualType t)
{
	if (t->isIncompleteType() || t->isFunctionType() || t->isVariablyModifiedType()
	    || t->isVoidType())
		return t->isPointerType() ? ast.getTypeSizeInChars(t).getQuantity() : 0;
	return ast.getTypeSizeInChars(t).getQuantity();
}

QualType plain(const ASTContext &ast, QualType t)
{
	t = t.getCanonicalType();
	if (const auto *a = t->getAs<AtomicType>())
		t = a->getValueType().getCanonicalType();
	Qualifiers quals;
	return ast.getUnqualifiedArrayType(t, quals).getUnqualifiedType();
}

QualType inner(const ASTContext &ast, QualType t)
{
	if (t->isPointerType())
		return t->getPointeeType();
	if (const ArrayType *a = ast.getAsArrayType(t))
		return a->getElementType();
	if (const auto *f = t->getAs<FunctionType>())
		return f->getReturnType();
	return {};
}

} // namespace

// Variable sizes would print as expressions; such types become a plain pointer.
std::string Types::text(QualType t, const std::string &expr)
{
	std::string s = "%s";
	if (t->isVariablyModifiedType())
		return "void *%s";
	t.getAsStringInternal(s, policy);
	if (s.find("(unnamed") == std::string::npos && s.find("(anonymous") == std::string::npos)
		return s;
	if (const auto *e = t->getAs<EnumType>())
		return text(e->getDecl()->getIntegerType(), "");
	return expr.empty() ? "" : "__typeof__(" + expr + ") %s";
}

uint32_t Types::intern(QualType type, const std::string &expr)
{
	QualType t = plain(ast, type);
	auto at = known.find(t.getAsOpaquePtr());
	if (at != known.end())
		return at->second;
	QualType in = inner(ast, t);
	uint32_t of = 0;
	uint64_t count = 0;
	if (!in.isNull() && !in->isVariablyModifiedType()) {
		bool object = !expr.empty() && !t->isFunctionType();
		of = intern(in,
		    !object                  ? ""
		        : t->isPointerType() ? "*(" + expr + ")"
		                             : "(" + expr + ")[0]");
	}
	if (const auto *a = ast.getAsConstantArrayType(t))
		count = a->getSize().getZExtValue();
	else if (const auto *f = t->getAs<FunctionProtoType>())
		count = f->getNumParams();
	uint32_t number = ++last;
	known[t.getAsOpaquePtr()] = number;
	char kind[2] = { kind_of(ast, t), 0 };
	out.rec("type")
	    .num(number)
	    .raw(kind)
	    .num(size_of(ast, t))
	    .num(of)
	    .num(count)
	    .str(text(t, expr))
	    .end();
	if (const auto *r = t->getAs<RecordType>())
		if (const RecordDecl *d = r->getDecl()->getDefinition()) {
			pending.push_back({ d, number, expr });
			const SourceManager &sm = ast.getSourceManager();
			if (d->getName().starts_with("_")
			    && !sm.isInSystemHeader(sm.getExpansionLoc(d->getLocation())))
				out.rec("own").num(number).end();
		}
	if (const auto *e = t->getAs<EnumType>())
		enumerators(e->getDecl(), number);
	if (const auto *f = t->getAs<FunctionProtoType>())
		for (unsigned i = 0; i < f->getNumParams(); i++) {
			uint32_t param = intern(f->getParamType(i), "");
			out.rec("member").num(number).str("").num(param).num(i).num(0).num(0).end();
		}
	return number;
}

// Writes enumerators that are visible at the end of the unit.
void Types::enumerators(const EnumDecl *e, uint32_t type)
{
	if ((e = e->getDefinition()) && e->getDeclContext()->getRedeclContext()->isFileContext())
		for (const EnumConstantDecl *c : e->enumerators())
			if (!c->getIdentifier()->hasMacroDefinition())
				out.rec("enumerator")
				    .num(type)
				    .str(c->getName())
				    .sint(c->getInitVal().getExtValue())
				    .end();
}

void Types::members(const Pending &p)
{
	if (p.record->isInvalidDecl())
		return;
	const ASTRecordLayout &layout = ast.getASTRecordLayout(p.record);
	QualType self = ast.getRecordType(p.record);
	std::string base = p.expr;
	if (p.record->getIdentifier() || p.record->getTypedefNameForAnonDecl()) {
		std::string s = "*";
		self.getAsStringInternal(s, policy);
		base = "*(" + s + ")0";
	}
	for (const FieldDecl *f : p.record->fields()) {
		if (f->isUnnamedBitField())
			continue;
		std::string name = f->getNameAsString();
		uint32_t type = intern(
		    f->getType(), base.empty() || name.empty() ? "" : "(" + base + ")." + name);
		uint64_t bit = layout.getFieldOffset(f->getFieldIndex());
		unsigned bits = f->isBitField() ? f->getBitWidthValue(ast) : 0;
		out.rec("member")
		    .num(p.id)
		    .str(name)
		    .num(type)
		    .num(bit / 8)
		    .num(bits ? bit % 8 : 0)
		    .num(bits)
		    .end();
	}
}

uint32_t Types::id(QualType t, const std::string &expr)
{
	uint32_t n = intern(t, expr);
	while (!pending.empty()) {
		Pending p = pending.back();
		pending.pop_back();
		members(p);
	}
	return n;
}

} // namespace duct
