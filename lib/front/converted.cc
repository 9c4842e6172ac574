#include "lib/front/converted.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <set>

using namespace clang;

namespace duct
{
namespace
{

// The function that a pointer leads to, through `levels` pointers and arrays; null: to none.
const FunctionType *function_behind(QualType t, unsigned *levels)
{
	for (*levels = 0;; ++*levels) {
		t = t.getCanonicalType();
		if (const auto *p = t->getAs<PointerType>())
			t = p->getPointeeType();
		else if (const auto *a = t->getAsArrayTypeUnsafe())
			t = a->getElementType();
		else
			return *levels ? t->getAs<FunctionType>() : nullptr;
	}
}

// Is it in the harness? Its tables of functions are arrays of `void *`: these conversions do not
// count.
bool is_of_harness(const ASTContext &ast, const Decl *d)
{
	PresumedLoc at = ast.getSourceManager().getPresumedLoc(d->getLocation());
	return at.isValid() && at.getFilename() == StringRef(harness_name);
}

class Converted : public ASTConsumer
{
      public:
	explicit Converted(Marks &m) : marks(m)
	{
	}
	void Initialize(ASTContext &c) override
	{
		ast = &c;
	}
	bool HandleTopLevelDecl(DeclGroupRef group) override;
	void HandleTagDeclDefinition(TagDecl *d) override;

      private:
	void look(const Stmt *s);
	void look_cast(const CastExpr *c);
	void look_derived(const CastExpr *c);
	void look_call(const CallExpr *c);
	void look_at(const std::string &name, const Stmt *body);
	void look_direct(const Expr *pointer);
	void look_device(const CastExpr *c, bool open);
	void add(const FunctionType *from, const FunctionType *to);

	Marks &marks;
	ASTContext *ast = nullptr;
	std::string func;                  // the function being visited; "-": none
	std::set<const CastExpr *> direct; // casts whose result is dereferenced at once
	std::set<std::pair<const FunctionType *, const FunctionType *>> there;
	std::set<std::pair<const Type *, const Type *>> derived;
};

void Converted::add(const FunctionType *from, const FunctionType *to)
{
	if (there.insert({ from, to }).second)
		marks.converted.push_back({ QualType(from, 0), QualType(to, 0) });
}

void Converted::look_cast(const CastExpr *c)
{
	unsigned before, after;
	if (c->getCastKind() != CK_BitCast && c->getCastKind() != CK_PointerToIntegral)
		return;
	const auto *from = function_behind(c->getSubExpr()->getType(), &before);
	const auto *to = function_behind(c->getType(), &after);
	if (from)
		add(from, to && before == after ? to : nullptr);
}

// The object that a pointer is computed from: container_of() takes the offset of a member, here the
// first one, away from the pointer to it.
const Expr *origin(const ASTContext &ast, const Expr *e)
{
	Expr::EvalResult offset;

	e = e->IgnoreParenCasts();
	const auto *sum = dyn_cast<BinaryOperator>(e);
	return sum && sum->isAdditiveOp() && sum->getLHS()->getType()->isPointerType()
	        && sum->getRHS()->EvaluateAsInt(offset, ast) && !offset.Val.getInt()
	    ? origin(ast, sum->getLHS())
	    : e;
}

// The structure that a pointer leads to, with its size known, and a name that tests know.
const RecordType *structure_behind(QualType t)
{
	const auto *p = t.getCanonicalType()->getAs<PointerType>();
	const auto *r = p ? p->getPointeeType()->getAs<RecordType>() : nullptr;

	return r && r->getDecl()->isStruct() && r->getDecl()->isCompleteDefinition()
	        && !r->getDecl()->getParentFunctionOrMethod()
	    ? r
	    : nullptr;
}

// `(struct larger *)p` of a `struct part *p`: objects that p leads to are taken for larger ones.
void Converted::look_derived(const CastExpr *c)
{
	if (c->getCastKind() != CK_BitCast)
		return;
	const auto *from = structure_behind(origin(*ast, c->getSubExpr())->getType()),
	           *to = structure_behind(c->getType());
	if (from && to && from != to && ast->getTypeSizeInChars(to) > ast->getTypeSizeInChars(from)
	    && derived.insert({ from, to }).second)
		marks.derived.push_back({ QualType(from, 0), QualType(to, 0) });
}

// Is it, or a member of it, volatile?
bool is_volatile(QualType t)
{
	t = t.getCanonicalType();
	if (const auto *a = t->getAsArrayTypeUnsafe())
		return is_volatile(a->getElementType());
	const auto *r = t->getAs<RecordType>();
	if (t.isVolatileQualified() || !r)
		return t.isVolatileQualified();
	for (const FieldDecl *f : r->getDecl()->fields())
		if (is_volatile(f->getType()))
			return true;
	return false;
}

bool is_local(QualType t)
{
	const auto *tag = t.getCanonicalType()->getAs<TagType>();
	return tag && tag->getDecl()->getParentFunctionOrMethod();
}

// The least address taken for a device register; a program that writes to a lower one does so to
// crash.
constexpr uint64_t least_device = 0x20;

// `(volatile uint32_t *)0x40011000`. open: the pointer may be used as one to an array.
void Converted::look_device(const CastExpr *c, bool open)
{
	Expr::EvalResult address;
	if (c->getCastKind() != CK_IntegralToPointer)
		return;
	QualType t = c->getType()->getPointeeType();
	if (t->isIncompleteType() || t->isFunctionType() || !is_volatile(t) || is_local(t)
	    || !c->getSubExpr()->EvaluateAsInt(address, *ast))
		return;
	uint64_t at = address.Val.getInt().getLimitedValue(UINT64_MAX);
	for (Device &d : marks.devices) {
		if (d.func == func && d.address == at && d.type == t) {
			d.open |= open;
			return;
		}
	}
	if (at >= least_device && at <= INT64_MAX)
		marks.devices.push_back({ func, at, t, open });
}

void Converted::look_direct(const Expr *pointer)
{
	const auto *c = dyn_cast<CastExpr>(pointer->IgnoreParenImpCasts());
	if (c && direct.insert(c).second)
		look_device(c, false);
}

// Arguments without a parameter in a prototype, which are passed unconverted.
void Converted::look_call(const CallExpr *c)
{
	unsigned levels;
	const auto *type = function_behind(c->getCallee()->getType(), &levels);
	const auto *known = dyn_cast_or_null<FunctionProtoType>(type);
	for (unsigned i = known ? known->getNumParams() : 0; i < c->getNumArgs(); i++)
		if (const auto *from = function_behind(c->getArg(i)->getType(), &levels))
			add(from, nullptr);
}

void Converted::look(const Stmt *s)
{
	if (!s)
		return;
	if (const auto *c = dyn_cast<CastExpr>(s)) {
		look_cast(c);
		look_derived(c);
		if (!direct.count(c))
			look_device(c, true);
	} else if (const auto *d = dyn_cast<UnaryOperator>(s); d && d->getOpcode() == UO_Deref) {
		look_direct(d->getSubExpr());
	} else if (const auto *m = dyn_cast<MemberExpr>(s); m && m->isArrow()) {
		look_direct(m->getBase());
	} else if (const auto *call = dyn_cast<CallExpr>(s)) {
		look_call(call);
	}
	for (const Stmt *child : s->children())
		look(child);
}

void Converted::look_at(const std::string &name, const Stmt *body)
{
	func = name;
	look(body);
}

// After an error the tree has expressions without a type.
bool Converted::HandleTopLevelDecl(DeclGroupRef group)
{
	if (ast->getDiagnostics().hasErrorOccurred())
		return true;
	for (Decl *d : group)
		if (is_of_harness(*ast, d))
			continue;
		else if (auto *f = dyn_cast<FunctionDecl>(d))
			look_at(f->getName().str(),
			    f->doesThisDeclarationHaveABody() ? f->getBody() : nullptr);
		else if (auto *v = dyn_cast<VarDecl>(d))
			look_at("-", v->getInit());
	return true;
}

// Members of a union convert pointers without a cast.
void Converted::HandleTagDeclDefinition(TagDecl *d)
{
	const auto *r = dyn_cast<RecordDecl>(d);
	unsigned levels;
	if (!r || !r->isUnion() || ast->getSourceManager().isInSystemHeader(r->getLocation()))
		return;
	for (const FieldDecl *f : r->fields())
		for (const FieldDecl *other : r->fields())
			if (const auto *from = function_behind(f->getType(), &levels); from
			    && f->getType().getCanonicalType()
			        != other->getType().getCanonicalType())
				add(from, nullptr);
}

} // namespace

std::unique_ptr<ASTConsumer> make_converted(Marks &marks)
{
	return std::make_unique<Converted>(marks);
}

} // namespace duct
