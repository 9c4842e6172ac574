// objectives: which of them an instruction has, from the operator of the source that it computes.
#include "lib/front/objectives.h"

#include "lib/front/place.h"

extern "C" {
#include "lib/protocol/checks.h"
}

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace duct
{
namespace
{

enum Role { Compares, Computes, Assigns };

// Operators of the source by the place that code has which computes them.
class Collector
{
      public:
	using Map =
	    std::map<std::pair<unsigned, unsigned>, std::vector<const clang::BinaryOperator *>>;
	Collector(const clang::ASTContext &a, Map *m) : ast(a), maps(m)
	{
	}
	// In the order of the source; a work list, because expressions may be deep.
	void collect(const clang::Stmt *body)
	{
		std::vector<const clang::Stmt *> rest = { body };
		while (!rest.empty()) {
			const clang::Stmt *s = rest.back();
			rest.pop_back();
			if (!s)
				continue;
			if (auto *op = dyn_cast<clang::BinaryOperator>(s))
				add(op);
			size_t first = rest.size();
			rest.insert(rest.end(), s->child_begin(), s->child_end());
			std::reverse(rest.begin() + first, rest.end());
		}
	}

      private:
	void add(const clang::BinaryOperator *op)
	{
		std::pair<unsigned, unsigned> at = place(op->getOperatorLoc());
		if (!at.first)
			return;
		if (op->isComparisonOp())
			maps[Compares][at].push_back(op);
		if (op->isMultiplicativeOp() || op->isAdditiveOp() || op->isShiftOp()
		    || op->isBitwiseOp() || op->isCompoundAssignmentOp())
			maps[Computes][at].push_back(op);
		if (op->isAssignmentOp())
			maps[Assigns][at].push_back(op);
	}
	// As debug information has it; 0, 0: none.
	std::pair<unsigned, unsigned> place(clang::SourceLocation loc)
	{
		const clang::SourceManager &sm = ast.getSourceManager();
		clang::PresumedLoc p = sm.getPresumedLoc(sm.getExpansionLoc(loc));
		if (p.isInvalid())
			return { 0, 0 };
		return { p.getLine(), p.getColumn() };
	}
	const clang::ASTContext &ast;
	Map *maps;
};

unsigned opcode_of(clang::BinaryOperatorKind k)
{
	using namespace clang;
	switch (k) {
	case BO_Add:
	case BO_AddAssign: return Instruction::Add;
	case BO_Sub:
	case BO_SubAssign: return Instruction::Sub;
	case BO_Mul:
	case BO_MulAssign: return Instruction::Mul;
	case BO_And:
	case BO_AndAssign: return Instruction::And;
	case BO_Or:
	case BO_OrAssign: return Instruction::Or;
	case BO_Xor:
	case BO_XorAssign: return Instruction::Xor;
	case BO_Shl:
	case BO_ShlAssign: return Instruction::Shl;
	default: return 0;
	}
}

bool computes(const clang::BinaryOperator *op, const Instruction &i)
{
	clang::BinaryOperatorKind k = op->getOpcode();
	switch (i.getOpcode()) {
	case Instruction::SDiv:
	case Instruction::UDiv: return k == clang::BO_Div || k == clang::BO_DivAssign;
	case Instruction::SRem:
	case Instruction::URem: return k == clang::BO_Rem || k == clang::BO_RemAssign;
	case Instruction::AShr:
	case Instruction::LShr: return k == clang::BO_Shr || k == clang::BO_ShrAssign;
	default: return opcode_of(k) == i.getOpcode();
	}
}

bool compares(const clang::BinaryOperator *op, const ICmpInst &i)
{
	switch (op->getOpcode()) {
	case clang::BO_LT: return ICmpInst::isLT(i.getPredicate());
	case clang::BO_GT: return ICmpInst::isGT(i.getPredicate());
	case clang::BO_LE: return ICmpInst::isLE(i.getPredicate());
	case clang::BO_GE: return ICmpInst::isGE(i.getPredicate());
	case clang::BO_EQ: return i.getPredicate() == ICmpInst::ICMP_EQ;
	case clang::BO_NE: return i.getPredicate() == ICmpInst::ICMP_NE;
	default: return false;
	}
}

bool is_number(const Value *v)
{
	return v->getType()->isIntegerTy() && v->getType()->getIntegerBitWidth() > 1;
}

// Is a value stored in the variable on every way to the instruction? Else it may have none before.
bool is_set_before(StoreInst &store)
{
	auto *to = dyn_cast<AllocaInst>(store.getPointerOperand());
	if (!to)
		return true;
	DominatorTree tree(*store.getFunction());
	for (User *u : to->users())
		if (auto *other = dyn_cast<StoreInst>(u))
			if (other != &store && other->getPointerOperand() == to
			    && other->getValueOperand()->getType()
			        == store.getValueOperand()->getType()
			    && tree.dominates(other, &store))
				return true;
	return false;
}

// The operator of C that a mutant has instead; nullptr: there is no such mutant.
const char *replacement(unsigned opcode, unsigned kind)
{
	static const std::map<StringRef, const char *> operators = { { "add", "+" }, { "sub", "-" },
		{ "mul", "*" }, { "and", "&" }, { "or", "|" }, { "xor", "^" }, { "shl", "<<" },
		{ "shr", ">>" } };
	const char *other = objective_mutant(Instruction::getOpcodeName(opcode), kind);
	return other ? operators.at(other) : nullptr;
}

// The mutants of a comparison: each differs from it in one case only, where the left operand is
// less than, equal to or more than the right one.
struct Relations {
	const char *less, *equal, *more;
};
Relations relations(clang::BinaryOperatorKind k)
{
	switch (k) {
	case clang::BO_LT: return { "0", "<=", "!=" };
	case clang::BO_GT: return { "!=", ">=", "0" };
	case clang::BO_LE: return { "==", "<", "1" };
	case clang::BO_GE: return { "1", ">", "==" };
	case clang::BO_EQ: return { "<=", "0", ">=" };
	default: return { ">", "1", "<" };
	}
}

// An operator as the source has it; in the body of a macro only the macro's use is there.
struct Texts {
	std::string whole, left, right, op;
	bool in_macro;
	std::string mutant(const std::string &other, bool assigns) const
	{
		std::string instead = assigns ? other + "=" : other;
		if (in_macro)
			return "`" + whole + "`: `" + instead + "` for the macro's `" + op + "`";
		bool constant = other == "0" || other == "1";
		return "`" + whole + "` as `"
		    + (constant ? other : left + " " + instead + " " + right) + "`";
	}
	std::string edge(const std::string &by) const
	{
		return "`" + whole + "`: "
		    + (in_macro ? "the macro's operands of `" + op + "`, left == right"
		                : left + " == " + right)
		    + by;
	}
	std::string constant(const std::string &by) const
	{
		return in_macro ? "`" + whole + "`: the macro's right operand of `" + op + "`" + by
		                : "`" + whole + "` with " + right + by;
	}
	std::string deletion() const
	{
		return in_macro ? "`" + whole + "`: the macro's `" + op + "` left out"
		                : "`" + whole + "` left out";
	}
};

// Text in the argument of a macro as the macro's use has it.
std::string text_of(const clang::ASTContext &ast, clang::SourceRange range)
{
	clang::CharSourceRange tokens = clang::CharSourceRange::getTokenRange(range);
	clang::CharSourceRange file =
	    clang::Lexer::makeFileCharRange(tokens, ast.getSourceManager(), ast.getLangOpts());
	if (range.getBegin().isMacroID() && file.isValid())
		range = { file.getBegin(), file.getEnd().getLocWithOffset(-1) };
	return source_text(ast, range);
}

Texts texts_of(const clang::ASTContext &ast, const clang::BinaryOperator *op)
{
	return { text_of(ast, op->getSourceRange()), text_of(ast, op->getLHS()->getSourceRange()),
		text_of(ast, op->getRHS()->getSourceRange()), op->getOpcodeStr().str(),
		ast.getSourceManager().isMacroBodyExpansion(op->getOperatorLoc()) };
}

void add_edges(std::vector<Objective> &list, const clang::BinaryOperator *op, const Texts &t)
{
	clang::BinaryOperatorKind k = op->getOpcode();
	bool below = k != clang::BO_LE && k != clang::BO_GT,
	     above = k != clang::BO_LT && k != clang::BO_GE;
	auto add = [&](unsigned kind, const char *by) {
		list.push_back({ kind, CHECK_BOUNDARIES, t.edge(by) });
	};
	if (below)
		add(OBJECTIVE_BELOW, " - 1");
	add(OBJECTIVE_EQUAL, "");
	if (above)
		add(OBJECTIVE_ABOVE, " + 1");
}

void add_relations(std::vector<Objective> &list, const clang::BinaryOperator *op, const Texts &t)
{
	Relations r = relations(op->getOpcode());
	list.push_back({ OBJECTIVE_IF_LESS, CHECK_MUTANTS, t.mutant(r.less, false) });
	list.push_back({ OBJECTIVE_IF_EQUAL, CHECK_MUTANTS, t.mutant(r.equal, false) });
	list.push_back({ OBJECTIVE_IF_MORE, CHECK_MUTANTS, t.mutant(r.more, false) });
}

void add_operators(std::vector<Objective> &list, const Instruction &i, const Texts &t, bool assigns)
{
	for (unsigned kind : { OBJECTIVE_OPERATOR, OBJECTIVE_OPERATOR2 })
		if (const char *other = replacement(i.getOpcode(), kind))
			list.push_back({ kind, CHECK_MUTANTS, t.mutant(other, assigns) });
}

// May the right operand be one more or less? Not a divisor of 0 or -1, nor a shift beyond the
// width.
bool can_be(const Instruction &i, const APInt &v)
{
	switch (i.getOpcode()) {
	case Instruction::SDiv:
	case Instruction::UDiv:
	case Instruction::SRem:
	case Instruction::URem: return !v.isZero() && !v.isAllOnes();
	case Instruction::Shl:
	case Instruction::LShr:
	case Instruction::AShr: return v.ult(v.getBitWidth());
	default: return true;
	}
}

void add_constants(std::vector<Objective> &list, const Instruction &i, const Texts &t)
{
	auto *c = dyn_cast<ConstantInt>(i.getOperand(1));
	if (!c || c->getBitWidth() > 64)
		return;
	for (int by : { 1, -1 })
		if (can_be(i, c->getValue() + (uint64_t)(int64_t)by))
			list.push_back({ by > 0 ? OBJECTIVE_CONSTANT : OBJECTIVE_CONSTANT2,
			    CHECK_MUTANTS, t.constant(by > 0 ? " + 1" : " - 1") });
}

void add_loop(std::vector<Objective> &list, bool may_be_zero)
{
	if (may_be_zero)
		list.push_back({ OBJECTIVE_ZERO, CHECK_LOOPS, "the loop is left before its body" });
	list.push_back({ OBJECTIVE_ONE, CHECK_LOOPS, "the loop is left when its body ran once" });
	list.push_back({ OBJECTIVE_MANY, CHECK_LOOPS, "its body begins a second time" });
}

// The first block of the body of the loop with that header, by the names that clang gives blocks;
// nullptr: it is no loop of a statement.
BasicBlock *body_of(Function &f, const LoopInfo &info, const Loop &l)
{
	StringRef header = l.getHeader()->getName(), name;
	// of `do`, where the profile's counter is left out the first time
	for (BasicBlock *from : predecessors(l.getHeader()))
		if (header.starts_with("skipcount") && from->getName().starts_with("do.body"))
			return l.getHeader();
	for (StringRef kind : { "for", "while", "do" })
		if (header.starts_with((kind + ".body").str()))
			return l.getHeader();
		else if (header.starts_with((kind + ".cond").str()))
			name = kind;
	for (BasicBlock &b : f)
		if (!name.empty() && b.getName().starts_with((name + ".body").str())
		    && info.getLoopFor(&b) == &l)
			return &b;
	return nullptr;
}

void note_loop(const Loop &l, BasicBlock *body)
{
	Instruction *end = l.getHeader()->getTerminator();
	LLVMContext &c = end->getContext();
	bool only = end->getNumSuccessors() == 1 && end->getSuccessor(0) == body;
	bool may_skip = body != l.getHeader() && !only;
	MDNode *loop =
	    MDNode::getDistinct(c, { ConstantAsMetadata::get(ConstantInt::getBool(c, may_skip)) });
	end->setMetadata("duct.loop", loop);
	body->getTerminator()->setMetadata("duct.body", loop);
}

} // namespace

void note_loops(Module &m)
{
	for (Function &f : m) {
		if (f.isDeclaration())
			continue;
		DominatorTree tree(f);
		LoopInfo info(tree);
		for (Loop *l : info.getLoopsInPreorder())
			if (BasicBlock *body = body_of(f, info, *l))
				note_loop(*l, body);
	}
}

Objectives::Objectives(const clang::ASTContext &a, uint32_t w) : ast(a), wanted(w)
{
	Collector collector(ast, operators);
	for (const clang::Decl *d : ast.getTranslationUnitDecl()->decls())
		if (auto *f = dyn_cast<clang::FunctionDecl>(d);
		    f && f->doesThisDeclarationHaveABody())
			collector.collect(f->getBody());
}

Objectives::~Objectives() = default;

// The operator that the instruction computes; each is taken once, as macros put several at one
// place.
const clang::BinaryOperator *Objectives::take(Instruction &i)
{
	const DebugLoc &loc = i.getDebugLoc();
	auto *compare = dyn_cast<ICmpInst>(&i);
	Role role = compare ? Compares : isa<StoreInst>(i) ? Assigns : Computes;
	if (!loc)
		return nullptr;
	auto found = operators[role].find({ loc.getLine(), loc.getCol() });
	if (found == operators[role].end())
		return nullptr;
	Operators &list = found->second;
	for (size_t k = 0; k < list.size(); k++) {
		const clang::BinaryOperator *op = list[k];
		if (compare ? !compares(op, *compare) : role == Computes && !computes(op, i))
			continue;
		list.erase(list.begin() + k);
		return op;
	}
	return nullptr;
}

std::vector<Objective> Objectives::at(Instruction &i)
{
	std::vector<Objective> list;
	bool mutants = wanted >> CHECK_MUTANTS & 1;
	if (const MDNode *loop = i.getMetadata("duct.loop"); loop && wanted >> CHECK_LOOPS & 1) {
		add_loop(list, mdconst::extract<ConstantInt>(loop->getOperand(0))->isOne());
		return list;
	}
	add_sequences(list, i);
	auto *store = dyn_cast<StoreInst>(&i);
	if (!isa<ICmpInst>(i) && !isa<BinaryOperator>(i) && !store)
		return list;
	if (!is_number(i.getOperand(0)))
		return list;
	const clang::BinaryOperator *op = take(i);
	if (!op)
		return list;
	Texts t = texts_of(ast, op);
	if (isa<ICmpInst>(i) && wanted >> CHECK_BOUNDARIES & 1)
		add_edges(list, op, t);
	if (isa<ICmpInst>(i) && mutants)
		add_relations(list, op, t);
	if (isa<BinaryOperator>(i) && mutants)
		add_operators(list, i, t, op->isCompoundAssignmentOp());
	if (!store && mutants)
		add_constants(list, i, t);
	if (store && mutants && !store->isVolatile() && is_set_before(*store))
		list.push_back({ OBJECTIVE_DELETION, CHECK_MUTANTS, t.deletion() });
	bool of_argument = ast.getSourceManager().isMacroArgExpansion(op->getOperatorLoc());
	for (Objective &o : list)
		o.place = of_argument ? macro_place(ast, op->getOperatorLoc()) : Place();
	for (Objective &o : list)
		o.is_signed = op->getLHS()->getType()->isSignedIntegerOrEnumerationType();
	return list;
}

void Objectives::note(Instruction &i, uint32_t inst, const std::vector<Objective> &objectives)
{
	LLVMContext &c = i.getContext();
	auto number = [&](uint32_t v) {
		return ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(c), v));
	};
	SmallVector<Metadata *, 8> list = { number(inst), number(objectives[0].is_signed) };
	for (const Objective &o : objectives)
		list.push_back(number(o.kind));
	i.setMetadata("duct.objective", MDNode::get(c, list));
}

} // namespace duct
