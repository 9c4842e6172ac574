#include "lib/front/differ.h"

#include "lib/front/macros.h"
#include "lib/front/order.h"
#include "lib/front/place.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Sema/ParsedAttr.h>
#include <clang/Sema/Sema.h>

#include <algorithm>
#include <map>
#include <set>

using namespace clang;

namespace duct
{
namespace
{

// Rejects attributes that clang ignores but gcc implements: the program would differ.
struct StorageOrder : ParsedAttrInfo {
	StorageOrder()
	{
		static constexpr Spelling names[] = { { ParsedAttr::AS_GNU,
			                                  "scalar_storage_order" },
			{ ParsedAttr::AS_C23, "gnu::scalar_storage_order" } };
		Spellings = names;
		NumArgs = 1;
	}
	AttrHandling handleDeclAttribute(Sema &s, Decl *, const ParsedAttr &a) const override
	{
		DiagnosticsEngine &d = s.getDiagnostics();
		d.Report(a.getLoc(),
		    d.getCustomDiagID(DiagnosticsEngine::Error,
		        "attribute scalar_storage_order: Clang does not know it, and the program would be another one"));
		return AttributeNotApplied;
	}
};
ParsedAttrInfoRegistry::Add<StorageOrder> storage_order("scalar_storage_order", "refused");

class Differ : public ASTConsumer
{
      public:
	Differ(Preprocessor &pp, Marks &m) : marks(m)
	{
		auto callbacks = std::make_unique<Macros>(pp);
		macros = callbacks.get();
		pp.addPPCallbacks(std::move(callbacks));
	}
	void Initialize(ASTContext &c) override
	{
		ast = &c;
		order = std::make_unique<Order>(c);
	}
	bool HandleTopLevelDecl(DeclGroupRef group) override;
	void HandleTranslationUnit(ASTContext &) override;

      private:
	void function(const FunctionDecl *f);
	void look(const Stmt *s, bool truth);
	void look_expression(const Expr *e, bool truth);
	void look_call(const CallExpr *c, bool truth);
	void look_binary(const BinaryOperator *b);
	void look_wide(const Expr *operand);
	unsigned block_of(const void *variable) const;
	void look_kept(const BinaryOperator *b);
	void look_moved(const BinaryOperator *b);
	void add(const FunctionDecl *f, const char *kind, SourceLocation at);

	Marks &marks;
	Macros *macros;
	ASTContext *ast = nullptr;
	std::unique_ptr<Order> order;
	const FunctionDecl *current = nullptr;
	unsigned depth = 0;                      // of blocks within each other, 1: the function's
	std::map<const void *, unsigned> blocks; // of locals of the function: the depth
	// what the function passed to free() or realloc(), or to functions with such names
	std::vector<llvm::FoldingSetNodeID> freed;
	std::vector<const FunctionDecl *> functions;
	// references to variables of the file
	std::vector<std::pair<const FunctionDecl *, const VarDecl *>> references;
	// (function, kind) already reported
	std::set<std::pair<std::string, std::string>> there;
};

void Differ::add(const FunctionDecl *f, const char *kind, SourceLocation at)
{
	Place p = file_place(*ast, at);
	std::string what = kind; // of arguments all places: a test depends on them
	if (what == "arguments" || what == "moved")
		what += std::to_string(p.line);
	if (p.file != harness_name && there.insert({ f->getNameAsString(), what }).second)
		marks.limits.push_back({ f->getNameAsString(), kind, p });
}

/* After an error the tree has expressions without a type. */
bool Differ::HandleTopLevelDecl(DeclGroupRef group)
{
	if (ast->getDiagnostics().hasErrorOccurred())
		return true;
	for (Decl *d : group)
		if (auto *f = dyn_cast<FunctionDecl>(d))
			if (f->doesThisDeclarationHaveABody()
			    && !ast->getSourceManager().isInSystemHeader(f->getLocation()))
				function(f);
	return true;
}

void Differ::function(const FunctionDecl *f)
{
	current = f;
	depth = 0;
	blocks.clear();
	freed.clear();
	functions.push_back(f);
	order->function(f);
	look(f->getBody(), false);
}

void Differ::look(const Stmt *s, bool truth)
{
	if (!s)
		return;
	if (const auto *e = dyn_cast<Expr>(s))
		return look_expression(e, truth);
	if (const auto *d = dyn_cast<DeclStmt>(s))
		for (const Decl *x : d->decls())
			if (const auto *v = dyn_cast<VarDecl>(x); v && v->hasLocalStorage())
				blocks[v->getCanonicalDecl()] = depth;
	const Stmt *condition = nullptr;
	if (const auto *i = dyn_cast<IfStmt>(s))
		condition = i->getCond();
	else if (const auto *w = dyn_cast<WhileStmt>(s))
		condition = w->getCond();
	else if (const auto *d = dyn_cast<DoStmt>(s))
		condition = d->getCond();
	else if (const auto *f = dyn_cast<ForStmt>(s))
		condition = f->getCond();
	depth += isa<CompoundStmt>(s);
	for (const Stmt *child : s->children())
		look(child, child && child == condition);
	depth -= isa<CompoundStmt>(s);
}

bool is_zero(const Expr *e)
{
	const auto *n = dyn_cast<IntegerLiteral>(e->IgnoreParenImpCasts());
	return n && n->getValue() == 0;
}

// Equal for expressions of equal text, casts aside.
llvm::FoldingSetNodeID profile(const Expr *e, const ASTContext &c)
{
	llvm::FoldingSetNodeID id;
	e->IgnoreParenCasts()->Profile(id, c, true);
	return id;
}

// truth: only whether the value is zero matters.
void Differ::look_expression(const Expr *e, bool truth)
{
	if (isa<UnaryExprOrTypeTraitExpr>(e))
		return;
	if (const auto *c = dyn_cast<CallExpr>(e))
		look_call(c, truth);
	else if (const auto *r = dyn_cast<DeclRefExpr>(e)) {
		const auto *v = dyn_cast<VarDecl>(r->getDecl());
		if (v && v->isFileVarDecl())
			references.push_back({ current, v->getCanonicalDecl() });
	} else if (const auto *b = dyn_cast<BinaryOperator>(e)) {
		look_binary(b);
		bool compared = b->isEqualityOp() && (is_zero(b->getLHS()) || is_zero(b->getRHS()));
		look(b->getLHS(), b->isLogicalOp() || compared);
		look(b->getRHS(), b->isLogicalOp() || compared || (b->isCommaOp() && truth));
		return;
	} else if (const auto *u = dyn_cast<UnaryOperator>(e)) {
		if (u->getOpcode() == UO_Not || u->getOpcode() == UO_Minus)
			look_wide(u->getSubExpr());
		return look(u->getSubExpr(), u->getOpcode() == UO_LNot);
	} else if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
		look(c->getCond(), true);
		look(c->getTrueExpr(), truth);
		return look(c->getFalseExpr(), truth);
	} else if (isa<ParenExpr>(e) || isa<CastExpr>(e)) {
		const auto *c = dyn_cast<CastExpr>(e);
		bool boolean =
		    e->getType()->isBooleanType() || (c && c->getCastKind() == CK_ToVoid);
		for (const Stmt *child : e->children())
			look(child, truth || boolean);
		return;
	}
	for (const Stmt *child : e->children())
		look(child, false);
}

bool reallocates(const Expr *e)
{
	const auto *c = dyn_cast<CallExpr>(e->IgnoreParenCasts());
	const FunctionDecl *f = c ? c->getDirectCallee() : nullptr;
	return f && f->getName().contains("realloc");
}

// Whether a block has the address of one that was freed before, or moved, is up to the allocator.
void Differ::look_moved(const BinaryOperator *b)
{
	if (freed.empty())
		return;
	if (b->getOpcode() == BO_Assign && !reallocates(b->getRHS()))
		llvm::erase(freed, profile(b->getLHS(), *ast));
	if (!b->isEqualityOp() || !b->getLHS()->getType()->isPointerType()
	    || !b->getRHS()->getType()->isPointerType())
		return;
	for (const Expr *side : { b->getLHS(), b->getRHS() })
		if (side->isNullPointerConstant(*ast, Expr::NPC_ValueDependentIsNotNull))
			return;
	for (const Expr *side : { b->getLHS(), b->getRHS() })
		if (llvm::is_contained(freed, profile(side, *ast)))
			add(current, "moved", b->getExprLoc());
}

// Calls whose value differs between C libraries or compilers: isdigit and its kind beyond
// zero/nonzero, builtins about the optimiser's knowledge, the sign of NaN.
void Differ::look_call(const CallExpr *c, bool truth)
{
	static const llvm::StringSet<> classes = {
		"isalnum",
		"isalpha",
		"isblank",
		"iscntrl",
		"isdigit",
		"isgraph",
		"islower",
		"isprint",
		"ispunct",
		"isspace",
		"isupper",
		"isxdigit",
	};
	static const llvm::StringSet<> asks = {
		"__builtin_constant_p",
		"__builtin_object_size",
		"__builtin_dynamic_object_size",
		"__builtin_frame_address",
		"__builtin_return_address",
		"signbit",
		"__signbit",
		"__builtin_signbit",
		"copysign",
		"copysignf",
		"__builtin_copysign",
		"__builtin_signbitf",
		"__builtin_signbitl",
		"__signbitf",
		"__signbitl",
	};
	const FunctionDecl *f = c->getDirectCallee();
	if (!f)
		return;
	StringRef name = f->getName();
	if (name.contains("free") || name.contains("realloc"))
		for (const Expr *a : c->arguments())
			if (a->getType()->isPointerType())
				freed.push_back(profile(a, *ast));
	SourceLocation at = c->getExprLoc();
	bool own =
	    !ast->getSourceManager().isInSystemHeader(ast->getSourceManager().getSpellingLoc(at));
	if ((classes.contains(name) && !truth)
	    || (asks.contains(name) && (own || name.contains("signbit"))))
		add(current, "compiler", at);
	if (f->isInlined() && f->getDefinition() && f->hasExternalFormalLinkage()
	    && !f->hasAttr<GNUInlineAttr>() && !f->hasAttr<AlwaysInlineAttr>()
	    && !f->getDefinition()->isInlineDefinitionExternallyVisible())
		add(current, "compiler", at);
}

// A bit-field wider than int: gcc computes in its width, clang in its declared type.
void Differ::look_wide(const Expr *operand)
{
	const FieldDecl *field = operand->IgnoreParenImpCasts()->getSourceBitField();
	if (field && field->getBitWidthValue(*ast) > ast->getIntWidth(ast->IntTy)
	    && field->getBitWidthValue(*ast) < ast->getIntWidth(field->getType()))
		add(current, "compiler", operand->getExprLoc());
}

// The object whose address an expression is, directly or by the only initial value of a local.
const void *object(const Expr *e, bool *literal, int depth = 0)
{
	e = e->IgnoreParenCasts();
	if (isa<StringLiteral>(e)) {
		*literal = true;
		return e;
	}
	if (const auto *b = dyn_cast<BinaryOperator>(e);
	    b && b->isAdditiveOp() && b->getType()->isPointerType())
		return object(b->getLHS()->getType()->isPointerType() ? b->getLHS() : b->getRHS(),
		    literal, depth);
	if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->getOpcode() == UO_AddrOf) {
		const Expr *x = u->getSubExpr()->IgnoreParens();
		while (true) {
			if (const auto *m = dyn_cast<MemberExpr>(x); m && !m->isArrow())
				x = m->getBase()->IgnoreParens();
			else if (const auto *s = dyn_cast<ArraySubscriptExpr>(x);
			    s && s->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
				x = s->getBase()->IgnoreParenImpCasts();
			else
				break;
		}
		const auto *r = dyn_cast<DeclRefExpr>(x);
		return r ? r->getDecl()->getCanonicalDecl() : nullptr;
	}
	const auto *r = dyn_cast<DeclRefExpr>(e);
	const auto *v = r ? dyn_cast<VarDecl>(r->getDecl()) : nullptr;
	if (!v)
		return nullptr;
	if (v->getType()->isArrayType())
		return v->getCanonicalDecl();
	return v->getInit() && !isa<ParmVarDecl>(v) && depth < 4
	    ? object(v->getInit(), literal, depth + 1)
	    : nullptr;
}

bool is_address(const Expr *e)
{
	e = e->IgnoreParens();
	if (const auto *c = dyn_cast<CastExpr>(e))
		return c->getCastKind() == CK_PointerToIntegral
		    || (c->getCastKind() == CK_IntegralCast && is_address(c->getSubExpr()));
	return false;
}

// The nesting depth of the block at whose end the variable's lifetime ends; 0: it is no local.
unsigned Differ::block_of(const void *variable) const
{
	auto found = blocks.find(variable);
	return found == blocks.end() ? 0 : found->second;
}

// An assignment that keeps the address of a local longer than the local lives.
void Differ::look_kept(const BinaryOperator *b)
{
	if (b->getOpcode() != BO_Assign || !b->getType()->isPointerType())
		return;
	bool literal = false;
	const Expr *to = b->getLHS()->IgnoreParens();
	while (const auto *m = dyn_cast<MemberExpr>(to)) {
		if (m->isArrow())
			break;
		to = m->getBase()->IgnoreParens();
	}
	const auto *r = dyn_cast<DeclRefExpr>(to);
	unsigned of = block_of(object(b->getRHS(), &literal)),
	         until = r ? block_of(r->getDecl()->getCanonicalDecl()) : 0;
	if (of > (r && isa<ParmVarDecl>(r->getDecl()) ? 1 : until))
		add(current, "kept", b->getExprLoc());
}

void Differ::look_binary(const BinaryOperator *b)
{
	look_kept(b);
	look_moved(b);
	if (b->isAdditiveOp() || b->isMultiplicativeOp() || b->isShiftOp()) {
		look_wide(b->getLHS());
		if (!b->isShiftOp())
			look_wide(b->getRHS());
	}
	bool left = false, right = false;
	if (b->isComparisonOp() && b->getLHS()->getType()->isPointerType()
	    && b->getRHS()->getType()->isPointerType()) {
		const void *x = object(b->getLHS(), &left), *y = object(b->getRHS(), &right);
		if (b->isRelationalOp() ? x && y && x != y
		                        : (left || right)
		            && !b->getRHS()->isNullPointerConstant(
		                *ast, Expr::NPC_ValueDependentIsNotNull))
			add(current, "address", b->getExprLoc());
	}
	if (!b->isAssignmentOp() && !b->isCommaOp() && !b->isLogicalOp() && b->getOpcode() != BO_Sub
	    && (is_address(b->getLHS()) || is_address(b->getRHS())) && !is_zero(b->getRHS()))
		add(current, "address", b->getExprLoc());
}

void Differ::HandleTranslationUnit(ASTContext &)
{
	if (ast->getDiagnostics().hasErrorOccurred())
		return;
	for (const Order::Conflict &c : order->conflicts())
		add(c.function, c.arguments ? "arguments" : "order", c.at);
	for (const FunctionDecl *f : functions) {
		SourceLocation at = macros->within(f->getSourceRange());
		if (at.isValid())
			add(f, "compiler", at);
	}
	for (auto &r : references) {
		SourceLocation at = macros->within(r.second->getSourceRange());
		for (const VarDecl *again : r.second->redecls())
			if (at.isInvalid() && again->getInit())
				at = macros->within(again->getSourceRange());
		if (at.isValid())
			add(r.first, "compiler", at);
	}
}

} // namespace

std::unique_ptr<ASTConsumer> make_differ(Preprocessor &pp, Marks &marks)
{
	return std::make_unique<Differ>(pp, marks);
}

} // namespace duct
