// mark: the AST side of mark.h.
#include "lib/front/mark.h"

#include "lib/front/place.h"

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <algorithm>
#include <map>

using namespace clang;

namespace duct
{
namespace
{

// The value that an enclosing assumption requires of an expression: see `required`.
enum Assume { None, Free, True, False };

Assume flip(Assume a)
{
	return a == True ? False : a == False ? True : a;
}

class Marker : public ASTConsumer
{
      public:
	explicit Marker(Marks &m) : marks(m)
	{
	}
	void Initialize(ASTContext &c) override
	{
		ast = &c;
	}
	bool HandleTopLevelDecl(DeclGroupRef group) override;

      private:
	void function(FunctionDecl *f);
	void walk(Stmt *s, Assume a);
	void walk_children(Stmt *s, Assume a);
	bool walk_decision(Stmt *s, Assume pass);
	void walk_call(CallExpr *call, Assume a);
	void walk_switch(SwitchStmt *s, Assume a);
	void logical(BinaryOperator *op, Assume a);
	size_t connect(const Expr *e, size_t if_true, size_t if_false);
	Expr *condition(Expr *e, Assume a);
	void replace(Stmt *parent, unsigned child, Assume a);
	std::string text_of(const Expr *e, const Place &within) const;
	Condition &add(const Expr *e, Assume a);
	Expr *wrap_condition(Expr *e, size_t mark);
	Expr *wrap(const std::string &name, size_t mark, Expr *e);
	FunctionDecl *marker(const std::string &name, QualType type);
	void chosen(Stmt *s, Stmt *taken, Assume a);
	void unevaluated(Stmt *s)
	{
		bool was = skipped;
		skipped = true;
		walk(s, None);
		skipped = was;
	}

	Marks &marks;
	ASTContext *ast = nullptr;
	std::string func;
	bool skipped = false; // in an operand that is not evaluated
	bool joined = false;  // in an operand of a decision that has begun
	size_t decisions = 0;
	std::map<const Expr *, size_t>
	    mark_of; // of conditions, as they were before they were wrapped
	std::map<const BinaryOperator *, std::pair<const Expr *, const Expr *>> operand_of;
	std::map<std::string, FunctionDecl *> made;
};

bool is_logical(const Expr *e)
{
	const auto *op = dyn_cast<BinaryOperator>(e);
	return op && op->isLogicalOp();
}

// As clang's isInstrumentedCondition: strips parentheses and `!`.
bool is_leaf(const Expr *e)
{
	e = e->IgnoreParens();
	while (const auto *op = dyn_cast<UnaryOperator>(e)) {
		if (op->getOpcode() != UO_LNot)
			break;
		e = op->getSubExpr()->IgnoreParens();
	}
	return !is_logical(e);
}

bool can_wrap(const Expr *e)
{
	QualType t = e->getType();
	return e->isPRValue() && !t->isDependentType() && t->isScalarType() && !t->isVectorType();
}

CastKind to_bool(QualType t)
{
	if (const auto *c = t->getAs<ComplexType>())
		return c->getElementType()->isFloatingType() ? CK_FloatingComplexToBoolean
		                                             : CK_IntegralComplexToBoolean;
	if (t->isFloatingType())
		return CK_FloatingToBoolean;
	return t->isPointerType() || t->isNullPtrType() || t->isBlockPointerType()
	    ? CK_PointerToBoolean
	    : CK_IntegralToBoolean;
}

FunctionDecl *Marker::marker(const std::string &name, QualType type)
{
	FunctionDecl *&f = made[name];
	if (f)
		return f;
	TranslationUnitDecl *unit = ast->getTranslationUnitDecl();
	QualType fn = ast->getFunctionType(type, { ast->UnsignedIntTy, type }, {});
	f = FunctionDecl::Create(*ast, unit, SourceLocation(), SourceLocation(),
	    &ast->Idents.get(name), fn, nullptr, SC_Extern);
	SmallVector<ParmVarDecl *, 2> params;
	for (QualType t : { ast->UnsignedIntTy.withConst(), type.withConst() })
		params.push_back(ParmVarDecl::Create(*ast, f, SourceLocation(), SourceLocation(),
		    nullptr, t.getUnqualifiedType(), nullptr, SC_None, nullptr));
	f->setParams(params);
	return f;
}

Expr *Marker::wrap(const std::string &name, size_t mark, Expr *e)
{
	SourceLocation loc = e->getBeginLoc();
	FunctionDecl *f = marker(name, e->getType());
	Expr *ref = DeclRefExpr::Create(*ast, NestedNameSpecifierLoc(), SourceLocation(), f, false,
	    loc, f->getType(), VK_LValue);
	Expr *callee = ImplicitCastExpr::Create(*ast, ast->getPointerType(f->getType()),
	    CK_FunctionToPointerDecay, ref, nullptr, VK_PRValue, FPOptionsOverride());
	unsigned width = ast->getIntWidth(ast->UnsignedIntTy);
	Expr *number =
	    IntegerLiteral::Create(*ast, llvm::APInt(width, mark), ast->UnsignedIntTy, loc);
	return CallExpr::Create(*ast, callee, { number, e }, e->getType(), VK_PRValue,
	    e->getEndLoc(), FPOptionsOverride());
}

Expr *Marker::wrap_condition(Expr *e, size_t mark)
{
	if (!e->getType()->isBooleanType())
		e = ImplicitCastExpr::Create(*ast, ast->BoolTy, to_bool(e->getType()), e, nullptr,
		    VK_PRValue, FPOptionsOverride());
	return wrap(mark_cond, mark, e);
}

static bool is_same(const Place &a, const Place &b)
{
	return a.line == b.line && a.col == b.col && a.file == b.file;
}

// The text of a condition. Several conditions from one use of a macro have the same text, the use;
// all but the first have their own text added.
std::string Marker::text_of(const Expr *e, const Place &within) const
{
	std::string text = source_text(*ast, e->getSourceRange()), own;
	if (within.file.empty())
		return text;
	for (size_t i = marks.condition.size(); i-- > 0 && marks.condition[i].func == func;) {
		const Condition &c = marks.condition[i];
		if (!is_same(c.within, within) || c.text != text)
			continue;
		llvm::raw_string_ostream out(own);
		e->printPretty(out, nullptr, PrintingPolicy(ast->getLangOpts()));
		return own.size() > 200 || own.find('\n') != own.npos ? text : text + ": " + own;
	}
	return text;
}

Condition &Marker::add(const Expr *e, Assume a)
{
	Place within = macro_place(*ast, e->getBeginLoc());
	std::string text = text_of(e, within);
	marks.condition.emplace_back();
	Condition &c = marks.condition.back();
	c.func = func;
	c.place = coverage_place(*ast, e->getSourceRange());
	c.within = within;
	c.text = text;
	c.assume = a != None;
	c.required = a == True ? 1 : a == False ? 2 : 0;
	if (skipped)
		c.folded = 'c';
	return c;
}

// Returns the replacement for a condition.
Expr *Marker::condition(Expr *e, Assume a)
{
	if (!is_leaf(e)) {
		walk(e, a);
		return e;
	}
	Condition &c = add(e, a);
	size_t mark = marks.condition.size();
	Expr::EvalResult value;
	if (e->EvaluateAsInt(value, *ast))
		c.folded = value.Val.getInt().getBoolValue() ? 't' : 'f';
	bool keep = c.folded || !can_wrap(e), was = joined;
	mark_of[e] = mark;
	joined = false;
	walk(e, a == None ? None : Free);
	joined = was;
	return keep ? e : wrap_condition(e, mark);
}

void Marker::replace(Stmt *parent, unsigned child, Assume a)
{
	auto at = parent->child_begin();
	std::advance(at, child);
	if (*at)
		*at = condition(cast<Expr>(*at), a);
}

// Sets `next` of the operands: the marks that are evaluated after them. Returns the mark that is
// evaluated first; 0: not known.
size_t Marker::connect(const Expr *e, size_t if_true, size_t if_false)
{
	auto leaf = mark_of.find(e);
	if (leaf != mark_of.end()) {
		Condition &c = marks.condition[leaf->second - 1];
		c.decision = decisions;
		c.next[0] = if_true;
		c.next[1] = if_false;
		return leaf->second;
	}
	e = e->IgnoreParens();
	if (const auto *negation = dyn_cast<UnaryOperator>(e))
		return connect(negation->getSubExpr(), if_false, if_true);
	const auto *op = dyn_cast<BinaryOperator>(e);
	auto operands = operand_of.find(op);
	if (operands == operand_of.end())
		return 0;
	bool both = op->getOpcode() == BO_LAnd;
	size_t second = connect(operands->second.second, if_true, if_false);
	return connect(operands->second.first, both ? second : if_true, both ? if_false : second);
}

void Marker::logical(BinaryOperator *op, Assume a)
{
	Assume pass = a == None ? None : Free;
	bool first = !joined;
	if ((a == True && op->getOpcode() == BO_LAnd) || (a == False && op->getOpcode() == BO_LOr))
		pass = a;
	operand_of[op] = { op->getLHS(), op->getRHS() };
	joined = true;
	op->setLHS(condition(op->getLHS(), pass));
	op->setRHS(condition(op->getRHS(), pass));
	joined = !first;
	if (!first)
		return;
	decisions++;
	connect(op, Condition::is_true, Condition::is_false);
}

void Marker::walk_switch(SwitchStmt *s, Assume a)
{
	Expr *e = s->getCond();
	Condition &c = add(e, a);
	size_t mark = marks.condition.size();
	c.kind = Condition::Switch;
	for (SwitchCase *l = s->getSwitchCaseList(); l; l = l->getNextSwitchCase()) {
		Place place = coverage_place(*ast, { l->getBeginLoc(), l->getColonLoc() });
		if (auto *label = dyn_cast<CaseStmt>(l)) {
			llvm::APSInt low = label->getLHS()->EvaluateKnownConstInt(*ast), high = low;
			if (label->getRHS())
				high = label->getRHS()->EvaluateKnownConstInt(*ast);
			if (low.getSignificantBits() <= 64 && high.getSignificantBits() <= 64)
				c.cases.push_back(
				    { low.getSExtValue(), high.getSExtValue(), place });
			else
				c.cases.push_back({ (long long)low.getZExtValue(),
				    (long long)high.getZExtValue(), place });
		} else {
			c.has_default = true;
			c.default_place = place;
		}
	}
	std::reverse(c.cases.begin(), c.cases.end());
	Expr::EvalResult value;
	if (!skipped && e->EvaluateAsInt(value, *ast))
		c.folded = 't';
	unsigned width = ast->getTypeSize(e->getType());
	bool keep = c.folded || width > 64 || e->getType()->isBitIntType();
	walk(e, a == None ? None : Free);
	if (!keep)
		s->setCond(wrap(mark_switch + std::to_string(width)
		        + (e->getType()->isSignedIntegerType() ? "s" : "u"),
		    mark, e));
	walk(s->getBody(), a);
}

bool is_call_to(const CallExpr *call, std::initializer_list<const char *> names)
{
	const FunctionDecl *f = call->getDirectCallee();
	if (!f || !f->getIdentifier())
		return false;
	for (const char *n : names)
		if (f->getName() == n)
			return true;
	return false;
}

void Marker::walk_call(CallExpr *call, Assume a)
{
	if (const FunctionDecl *f = call->getDirectCallee(); f && f->isImplicit())
		marks.undeclared.insert(f);
	if (is_call_to(call, { "duct_assume", "__VERIFIER_assume" }) && call->getNumArgs() == 1) {
		walk(call->getArg(0), True);
		return;
	}
	if (is_call_to(call, { "__builtin_constant_p", "__builtin_object_size" })) {
		unevaluated(call->getArg(0));
		return;
	}
	walk_children(call, a);
	if (is_call_to(call, { "duct_symbolic" }) && call->getNumArgs() >= 2) {
		QualType t = call->getArg(0)->IgnoreParenCasts()->getType();
		if (t->isPointerType())
			t = t->getPointeeType();
		Expr::EvalResult size;
		uint64_t bytes = 0;
		if (call->getArg(1)->EvaluateAsInt(size, *ast))
			bytes = size.Val.getInt().getZExtValue();
		std::string shape = shape_for(*ast, t, bytes);
		if (shape.empty() || skipped)
			return;
		marks.shape.push_back(shape);
		call->setArg(0, wrap(mark_shape, marks.shape.size(), call->getArg(0)));
	}
}

void Marker::walk_children(Stmt *s, Assume a)
{
	Assume pass = a == None ? None : Free;
	for (Stmt *child : s->children())
		if (child)
			walk(child, pass);
}

// Walks the children, of which only `taken` is compiled.
void Marker::chosen(Stmt *s, Stmt *taken, Assume a)
{
	for (Stmt *child : s->children())
		if (child && child == taken)
			walk(child, a);
		else if (child)
			unevaluated(child);
}

// Handles statements and operators with a condition; false for others.
bool Marker::walk_decision(Stmt *s, Assume pass)
{
	switch (s->getStmtClass()) {
	case Stmt::IfStmtClass: {
		auto *i = cast<IfStmt>(s);
		i->setCond(condition(i->getCond(), pass));
		walk(i->getThen(), pass);
		walk(i->getElse(), pass);
		return true;
	}
	case Stmt::WhileStmtClass: {
		auto *w = cast<WhileStmt>(s);
		w->setCond(condition(w->getCond(), pass));
		walk(w->getBody(), pass);
		return true;
	}
	case Stmt::DoStmtClass: {
		auto *d = cast<DoStmt>(s);
		walk(d->getBody(), pass);
		d->setCond(condition(d->getCond(), pass));
		return true;
	}
	case Stmt::ForStmtClass: {
		auto *f = cast<ForStmt>(s);
		walk(f->getInit(), pass);
		if (f->getCond())
			f->setCond(condition(f->getCond(), pass));
		walk(f->getInc(), pass);
		walk(f->getBody(), pass);
		return true;
	}
	case Stmt::ConditionalOperatorClass: {
		auto *c = cast<ConditionalOperator>(s);
		replace(c, 0, pass);
		walk(c->getTrueExpr(), pass);
		walk(c->getFalseExpr(), pass);
		return true;
	}
	case Stmt::BinaryConditionalOperatorClass: {
		auto *c = cast<BinaryConditionalOperator>(s);
		walk(c->getCommon(), pass);
		replace(c, 1, pass);
		walk(c->getFalseExpr(), pass);
		return true;
	}
	default: return false;
	}
}

void Marker::walk(Stmt *s, Assume a)
{
	if (!s || isa<ConstantExpr>(s))
		return;
	Assume pass = a == None ? None : Free;
	if (walk_decision(s, pass))
		return;
	switch (s->getStmtClass()) {
	case Stmt::ParenExprClass: walk(cast<ParenExpr>(s)->getSubExpr(), a); return;
	case Stmt::ImplicitCastExprClass:
	case Stmt::CStyleCastExprClass: walk(cast<CastExpr>(s)->getSubExpr(), a); return;
	case Stmt::UnaryOperatorClass: {
		auto *op = cast<UnaryOperator>(s);
		walk(op->getSubExpr(), op->getOpcode() == UO_LNot ? flip(a) : pass);
		return;
	}
	case Stmt::BinaryOperatorClass:
		if (is_logical(cast<Expr>(s))) {
			logical(cast<BinaryOperator>(s), a);
			return;
		}
		break;
	case Stmt::SwitchStmtClass: walk_switch(cast<SwitchStmt>(s), pass); return;
	case Stmt::CaseStmtClass: walk(cast<CaseStmt>(s)->getSubStmt(), pass); return;
	case Stmt::CallExprClass: walk_call(cast<CallExpr>(s), pass); return;
	case Stmt::DeclStmtClass:
		for (Decl *d : cast<DeclStmt>(s)->decls())
			if (auto *v = dyn_cast<VarDecl>(d); v && v->isStaticLocal())
				return;
		break;
	case Stmt::UnaryExprOrTypeTraitExprClass: {
		auto *u = cast<UnaryExprOrTypeTraitExpr>(s);
		if (!u->getTypeOfArgument()->isVariablyModifiedType())
			unevaluated(u->isArgumentType() ? nullptr : u->getArgumentExpr());
		else
			walk_children(u, None);
		return;
	}
	case Stmt::GenericSelectionExprClass:
		chosen(s, cast<GenericSelectionExpr>(s)->getResultExpr(), pass);
		return;
	case Stmt::ChooseExprClass:
		chosen(s, cast<ChooseExpr>(s)->getChosenSubExpr(), pass);
		return;
	case Stmt::OffsetOfExprClass:
	case Stmt::OpaqueValueExprClass: return;
	default: break;
	}
	walk_children(s, a);
}

// Forces the emission of functions that the compiler would omit, so that the program model has
// every function of the unit. load.cc removes unreferenced ones.
void Marker::function(FunctionDecl *f)
{
	func = f->getNameAsString();
	f->dropAttr<NoProfileFunctionAttr>();
	walk(f->getBody(), None);
	marks.functions.push_back(f);
	bool system = ast->getSourceManager().isInSystemHeader(f->getLocation());
	if (marks.force && f->getStorageClass() == SC_Static && !f->hasAttr<UsedAttr>()
	    && !system) {
		f->addAttr(UsedAttr::CreateImplicit(*ast));
		marks.forced.push_back(func);
	}
}

/* After an error the tree has expressions without a type. */
bool Marker::HandleTopLevelDecl(DeclGroupRef group)
{
	if (ast->getDiagnostics().hasErrorOccurred())
		return true;
	for (Decl *d : group)
		if (auto *f = dyn_cast<FunctionDecl>(d); f && f->doesThisDeclarationHaveABody())
			function(f);
	return true;
}

} // namespace

std::unique_ptr<ASTConsumer> make_marker(Marks &marks)
{
	return std::make_unique<Marker>(marks);
}

} // namespace duct
