#include "lib/front/order.h"

#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>

#include <map>

using namespace clang;

namespace duct
{

void Effects::add(const Effects &e)
{
	reads.insert(e.reads.begin(), e.reads.end());
	writes.insert(e.writes.begin(), e.writes.end());
	calls.insert(e.calls.begin(), e.calls.end());
	unknown |= e.unknown;
}

namespace
{

// Hidden state that library functions read and write: two such calls in one expression depend on
// their order.
const void *hidden_state(StringRef name)
{
	enum { Stream, Random, Random48, Token, Option, Locale, Environment, States };
	static const long place[States] = {};
	static const std::map<StringRef, int> states = {
		{ "getc", Stream },
		{ "fgetc", Stream },
		{ "getchar", Stream },
		{ "getc_unlocked", Stream },
		{ "fread", Stream },
		{ "getchar_unlocked", Stream },
		{ "fgets", Stream },
		{ "scanf", Stream },
		{ "fscanf", Stream },
		{ "ungetc", Stream },
		{ "read", Stream },
		{ "getline", Stream },
		{ "fgetwc", Stream },
		{ "getwchar", Stream },
		{ "fseek", Stream },
		{ "rand", Random },
		{ "srand", Random },
		{ "random", Random },
		{ "srandom", Random },
		{ "lrand48", Random48 },
		{ "drand48", Random48 },
		{ "mrand48", Random48 },
		{ "srand48", Random48 },
		{ "strtok", Token },
		{ "getopt", Option },
		{ "setlocale", Locale },
		{ "getenv", Environment },
		{ "setenv", Environment },
		{ "putenv", Environment },
	};
	auto found = states.find(name);
	return found == states.end() ? nullptr : &place[found->second];
}

bool is_local(const VarDecl *v)
{
	return v->hasLocalStorage();
}

// Tag bit: the place stands for any variable of a type that is not a local.
constexpr uintptr_t of_variable = 1;

const void *element(const ASTContext &ast, QualType t)
{
	t = ast.getCanonicalType(t);
	while (const auto *array = ast.getAsArrayType(t))
		t = array->getElementType();
	return ast.getCanonicalType(t).getUnqualifiedType().getTypePtr();
}

bool is_constant(QualType t)
{
	return t.isConstQualified() && !t.isVolatileQualified();
}

} // namespace

void Order::function(const FunctionDecl *f)
{
	current = f;
	Effects all = visit(f->getBody()), outside;
	auto keep = [&](const Effects::Set &from, Effects::Set &to) {
		for (const void *p : from) {
			auto v = variables.find(p);
			if (v == variables.end() || !is_local(v->second))
				to.insert(p);
		}
	};
	keep(all.reads, outside.reads);
	keep(all.writes, outside.writes);
	outside.calls = all.calls;
	outside.unknown = all.unknown;
	functions[f->getCanonicalDecl()] = outside;
}

Effects Order::visit(const Stmt *s)
{
	Effects all;
	if (const auto *e = dyn_cast_or_null<Expr>(s))
		return expression(e);
	if (const auto *d = dyn_cast_or_null<DeclStmt>(s)) {
		for (const Decl *one : d->decls())
			if (const auto *v = dyn_cast<VarDecl>(one))
				if (v->getInit() && !v->isStaticLocal())
					all.add(visit(v->getInit()));
		return all;
	}
	if (s)
		for (const Stmt *child : s->children())
			all.add(visit(child));
	return all;
}

// Writes of the operators of an expression that may come after its value is known: none
// that comes before the body of a call, a comma, `&&`, `||` or `?`.
Effects Order::pending(const Expr *e)
{
	Effects all;
	e = e->IgnoreParens();
	const auto *call = dyn_cast<CallExpr>(e);
	const auto *b = dyn_cast<BinaryOperator>(e);
	const auto *u = dyn_cast<UnaryOperator>(e);
	if (isa<UnaryExprOrTypeTraitExpr>(e)
	    || (call && call->getDirectCallee() && !call->getDirectCallee()->getBuiltinID()))
		return all;
	if (b && (b->isLogicalOp() || b->isCommaOp()))
		return pending(b->getRHS());
	if (const auto *c = dyn_cast<ConditionalOperator>(e)) {
		all = pending(c->getTrueExpr());
		all.add(pending(c->getFalseExpr()));
		return all;
	}
	if (u && u->isIncrementDecrementOp())
		all = lvalue(u->getSubExpr(), false, true);
	if (b && b->isAssignmentOp())
		all = lvalue(b->getLHS(), false, true);
	all.reads.clear();
	all.calls.clear();
	all.unknown = false;
	for (const Stmt *child : e->children())
		if (const auto *part = dyn_cast_or_null<Expr>(child))
			all.add(pending(part));
	return all;
}

// An element of an array is accessed when its index is known, as in `l[strcspn(l, "\n")] = 0`: only
// side effects of operators in the index are unsequenced with a store to it.
Effects Order::element_of(
    const Expr *at, const Expr *array, const Effects &index, bool reads, bool writes)
{
	test(at, lvalue(array, false, writes), index);
	return lvalue(array, reads, writes);
}

// The place of an lvalue, and what its computation reads.
Effects Order::lvalue(const Expr *e, bool reads, bool writes)
{
	Effects all;
	auto place = [&](const void *p) {
		if (reads)
			all.reads.insert(p);
		if (writes)
			all.writes.insert(p);
	};
	e = e->IgnoreParens();
	if (const auto *r = dyn_cast<DeclRefExpr>(e)) {
		const auto *v = dyn_cast<VarDecl>(r->getDecl());
		if (v && !is_constant(v->getType())) {
			v = v->getCanonicalDecl();
			variables[v] = v;
			place(v);
			if (!is_local(v))
				place((const void *)((uintptr_t)element(ast, v->getType())
				    | of_variable));
		}
		return all;
	}
	if (const auto *m = dyn_cast<MemberExpr>(e)) {
		if (m->isArrow()) {
			all = expression(m->getBase());
			place(m->getMemberDecl());
			return all;
		}
		return lvalue(m->getBase(), reads, writes);
	}
	if (const auto *s = dyn_cast<ArraySubscriptExpr>(e)) {
		const Expr *base = s->getBase()->IgnoreParenImpCasts();
		bool array = base->getType()->isArrayType();
		Effects parts[] = { array ? lvalue(base, false, false) : expression(s->getBase()),
			expression(s->getIdx()) };
		all = operands(s, parts);
		if (array)
			all.add(element_of(s, base, pending(s->getIdx()), reads, writes));
		else
			place(ast.getCanonicalType(s->getType()).getUnqualifiedType().getTypePtr());
		return all;
	}
	if (const auto *u = dyn_cast<UnaryOperator>(e); u && u->getOpcode() == UO_Deref) {
		all = expression(u->getSubExpr());
		place(ast.getCanonicalType(u->getType()).getUnqualifiedType().getTypePtr());
		return all;
	}
	if (const auto *c = dyn_cast<CastExpr>(e))
		return c->isLValue() ? lvalue(c->getSubExpr(), reads, writes) : expression(c);
	for (const Stmt *child : e->children())
		all.add(visit(child));
	return all;
}

Effects Order::operands(const Expr *at, ArrayRef<Effects> list)
{
	Effects all;
	for (const Effects &e : list) {
		test(at, all, e);
		all.add(e);
	}
	return all;
}

Effects Order::initializers(const InitListExpr *l)
{
	llvm::SmallVector<Effects, 8> list;
	for (const Expr *e : l->inits())
		list.push_back(visit(e));
	return operands(l, list);
}

// `a = b`: computes a's place and b; side effects of b's operators are unsequenced with the store.
Effects Order::assignment(const BinaryOperator *b)
{
	Effects left = lvalue(b->getLHS(), b->isCompoundAssignmentOp(), false),
	        right = expression(b->getRHS());
	Effects store = lvalue(b->getLHS(), false, true);
	test(b, left, right);
	store.reads.clear();
	// elements of an array are not distinguished
	if (isa<DeclRefExpr>(b->getLHS()->IgnoreParens()))
		test(b, store, pending(b->getRHS()));
	left.add(right);
	left.add(lvalue(b->getLHS(), false, true));
	return left;
}

Effects Order::call(const CallExpr *c)
{
	llvm::SmallVector<Effects, 8> list;
	const FunctionDecl *f = c->getDirectCallee();
	if (!f)
		list.push_back(expression(c->getCallee()));
	for (const Expr *argument : c->arguments())
		list.push_back(expression(argument));
	Effects all = operands(c, list);
	if (!f)
		all.unknown = true;
	else if (f->getBuiltinID() || ast.getSourceManager().isInSystemHeader(f->getLocation()))
		library(f, c, all);
	else if (!f->hasAttr<ConstAttr>()) {
		all.calls.insert(f->getCanonicalDecl());
		lent(f, c, all);
	}
	return all;
}

// Locals whose addresses are passed to a function of the program that may write them.
void Order::lent(const FunctionDecl *f, const CallExpr *c, Effects &all)
{
	for (unsigned i = 0; i < c->getNumArgs() && i < f->getNumParams(); i++) {
		const Expr *argument = c->getArg(i)->IgnoreParenCasts();
		QualType t = f->getParamDecl(i)->getType();
		if (!t->isPointerType() || t->getPointeeType().isConstQualified())
			continue;
		if (const auto *u = dyn_cast<UnaryOperator>(argument);
		    u && u->getOpcode() == UO_AddrOf)
			all.add(lvalue(u->getSubExpr(), true, true));
		else if (argument->getType()->isArrayType() && argument->isLValue())
			all.add(lvalue(argument, true, true));
	}
}

// A library function reads the targets of its arguments and writes those that are not const.
void Order::library(const FunctionDecl *f, const CallExpr *c, Effects &all)
{
	if (const void *state = hidden_state(f->getName()))
		(f->getName() == "getenv" ? all.reads : all.writes).insert(state);
	for (unsigned i = 0; i < c->getNumArgs(); i++) {
		const Expr *argument = c->getArg(i)->IgnoreParenCasts();
		bool writes = i >= f->getNumParams()
		    ? f->getName().contains("scanf")
		    : f->getParamDecl(i)->getType()->isPointerType()
		        && !f->getParamDecl(i)->getType()->getPointeeType().isConstQualified();
		QualType t = argument->getType();
		if (const auto *u = dyn_cast<UnaryOperator>(argument);
		    u && u->getOpcode() == UO_AddrOf)
			all.add(lvalue(u->getSubExpr(), true, writes));
		else if (t->isArrayType() && argument->isLValue())
			all.add(lvalue(argument, true, writes));
		else if (t->isPointerType() && !t->getPointeeType()->isRecordType()) {
			const void *place = ast.getCanonicalType(t->getPointeeType())
			                        .getUnqualifiedType()
			                        .getTypePtr();
			all.reads.insert(place);
			if (writes)
				all.writes.insert(place);
		}
	}
}

Effects Order::expression(const Expr *e)
{
	e = e->IgnoreParens();
	if (isa<UnaryExprOrTypeTraitExpr>(e))
		return {};
	if (const auto *c = dyn_cast<CallExpr>(e))
		return call(c);
	if (const auto *l = dyn_cast<InitListExpr>(e))
		return initializers(l);
	if (const auto *c = dyn_cast<CastExpr>(e)) {
		if (c->getCastKind() == CK_LValueToRValue)
			return lvalue(c->getSubExpr(), true, false);
		return c->getSubExpr()->isLValue() ? lvalue(c->getSubExpr(), false, false)
		                                   : expression(c->getSubExpr());
	}
	if (const auto *u = dyn_cast<UnaryOperator>(e)) {
		if (u->isIncrementDecrementOp())
			return lvalue(u->getSubExpr(), true, true);
		if (u->getOpcode() == UO_AddrOf) {
			Effects all = lvalue(u->getSubExpr(), false, false);
			return all;
		}
		return u->getOpcode() == UO_Deref ? lvalue(u, false, false)
		                                  : expression(u->getSubExpr());
	}
	if (const auto *b = dyn_cast<BinaryOperator>(e)) {
		if (b->isAssignmentOp())
			return assignment(b);
		Effects parts[] = { expression(b->getLHS()), expression(b->getRHS()) };
		if (!b->isLogicalOp() && !b->isCommaOp())
			return operands(b, parts);
		parts[0].add(parts[1]);
		return parts[0];
	}
	if (e->isLValue())
		return lvalue(e, false, false);
	Effects all;
	for (const Stmt *child : e->children())
		all.add(visit(child));
	return all;
}

void Order::test(const Expr *at, const Effects &a, const Effects &b)
{
	auto acts = [](const Effects &e) {
		return e.unknown || !e.writes.empty() || !e.calls.empty();
	};
	auto has = [&](const Effects &e) { return acts(e) || !e.reads.empty(); };
	if ((acts(a) && has(b)) || (acts(b) && has(a)))
		candidates.push_back({ current, at->getExprLoc(), isa<CallExpr>(at), a, b });
}

const Effects &Order::closed(const FunctionDecl *f)
{
	auto found = closures.find(f);
	if (found != closures.end())
		return found->second;
	Effects all;
	Effects::Set seen;
	std::vector<const void *> todo = { f };
	while (!todo.empty()) {
		const void *one = todo.back();
		todo.pop_back();
		if (!seen.insert(one))
			continue;
		auto known = functions.find(one);
		if (known == functions.end()) {
			all.unknown |= !((const FunctionDecl *)one)->hasAttr<PureAttr>();
			continue;
		}
		all.add(known->second);
		todo.insert(todo.end(), known->second.calls.begin(), known->second.calls.end());
	}
	all.calls.clear();
	return closures[f] = all;
}

// Does one write what the other reads or writes? Iterates over `small`.
bool Order::meet(const Effects &small, const Effects &other)
{
	auto in = [](const Effects::Set &set, const void *p) {
		if (set.count(p))
			return true;
		// the target of a pointer may be a variable, and vice versa
		uintptr_t bits = (uintptr_t)p;
		return bits & of_variable ? set.count((const void *)(bits & ~of_variable)) != 0
		                          : set.count((const void *)(bits | of_variable)) != 0;
	};
	auto plain = [](const void *p) { return !((uintptr_t)p & of_variable); };
	for (const void *w : small.writes)
		if (plain(w) ? in(other.writes, w) || in(other.reads, w)
		             : other.writes.count((const void *)((uintptr_t)w & ~of_variable))
		            || other.reads.count((const void *)((uintptr_t)w & ~of_variable)))
			return true;
	for (const void *r : small.reads)
		if (plain(r) ? in(other.writes, r)
		             : other.writes.count((const void *)((uintptr_t)r & ~of_variable)) != 0)
			return true;
	return (small.unknown && (other.unknown || touches_visible(other)))
	    || (other.unknown && touches_visible(small));
}

bool Order::meet(const FunctionDecl *f, const FunctionDecl *g)
{
	auto [at, fresh] = met.insert({ { f, g }, false });
	if (fresh) {
		const Effects a = closed(f), b = closed(g);
		met[{ f, g }] = a.reads.size() + a.writes.size() < b.reads.size() + b.writes.size()
		    ? meet(a, b)
		    : meet(b, a);
	}
	return met[{ f, g }];
}

// Compares effects including those of called functions.
bool Order::conflict(const Effects &a, const Effects &b)
{
	if (meet(a, b))
		return true;
	for (const void *f : a.calls) {
		if (meet(b, closed((const FunctionDecl *)f)))
			return true;
		for (const void *g : b.calls)
			if (meet((const FunctionDecl *)f, (const FunctionDecl *)g))
				return true;
	}
	return llvm::any_of(
	    b.calls, [&](const void *g) { return meet(a, closed((const FunctionDecl *)g)); });
}

// Does it access a variable that is visible to other units?
bool Order::touches_visible(const Effects &e)
{
	auto visible = [&](const void *p) {
		auto v = variables.find(p);
		return v != variables.end() && v->second->hasExternalFormalLinkage();
	};
	return llvm::any_of(e.reads, visible) || llvm::any_of(e.writes, visible);
}

std::vector<Order::Conflict> Order::conflicts()
{
	std::vector<Conflict> list;
	for (const Candidate &c : candidates)
		if (conflict(c.a, c.b))
			list.push_back({ c.function, c.at, c.arguments });
	return list;
}

} // namespace duct
