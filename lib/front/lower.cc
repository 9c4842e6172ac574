#include "lib/front/lower.h"

#include "lib/protocol/abi.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Local.h>

using namespace llvm;

namespace duct
{
namespace
{

struct Mark {
	CallInst *call;
	size_t condition;
};

void erase_with_operands(Instruction *i)
{
	SmallVector<WeakTrackingVH, 4> operands(i->operand_values());
	i->eraseFromParent();
	for (WeakTrackingVH &v : operands)
		if (v)
			if (auto *o = dyn_cast<Instruction>(v))
				RecursivelyDeleteTriviallyDeadInstructions(o);
}

// Removes profile counters; they were only requested to get a branch for each condition.
void erase_profile(Module &m)
{
	for (Function &f : make_early_inc_range(m)) {
		if (!f.getName().starts_with("llvm.instrprof."))
			continue;
		for (User *u : make_early_inc_range(f.users()))
			erase_with_operands(cast<Instruction>(u));
		f.eraseFromParent();
	}
	for (GlobalVariable &g : make_early_inc_range(m.globals()))
		if (g.getName().starts_with("__profn_") || g.getName().starts_with("__llvm_profile")
		    || g.getName().starts_with("__llvm_coverage")) {
			g.removeDeadConstantUsers();
			if (g.use_empty())
				g.eraseFromParent();
		}
}

// Where a block's code begins.
DebugLoc begin_of(const BasicBlock &b)
{
	for (const Instruction &i : b)
		if (i.getDebugLoc() && i.getDebugLoc().getLine())
			return i.getDebugLoc();
	return DebugLoc();
}

// Blocks for the counter of a label that is fallen through to have only a branch, with the position
// of the code before the label: they are where the label's code is. Last ones first, as such blocks
// may follow each other.
void place_counters(Function &f)
{
	for (BasicBlock &b : reverse(f)) {
		auto *br = dyn_cast<BranchInst>(&b.front());
		const BasicBlock *before = b.getPrevNode();
		if (!br || br->isConditional() || !before || !br->getDebugLoc()
		    || br->getDebugLoc() != before->getTerminator()->getDebugLoc())
			continue;
		if (DebugLoc to = begin_of(*br->getSuccessor(0)))
			br->setDebugLoc(to);
	}
}

std::vector<Mark> find_marks(Function &f, StringRef prefix)
{
	std::vector<Mark> out;
	for (Instruction &i : instructions(f))
		if (auto *c = dyn_cast<CallInst>(&i))
			if (Function *callee = c->getCalledFunction())
				if (callee->isDeclaration()
				    && callee->getName().starts_with(prefix))
					out.push_back({ c,
					    cast<ConstantInt>(c->getArgOperand(0))->getZExtValue()
					        - 1 });
	return out;
}

// The value of `cond` on the edge from `from` to `to`: 1, 0, or -1: unknown.
int known(const Value *cond, const BasicBlock *from, const BasicBlock *to)
{
	for (int steps = 0; steps < 4 && from; steps++) {
		auto *br = dyn_cast<BranchInst>(from->getTerminator());
		if (br && br->isConditional() && br->getCondition() == cond
		    && br->getSuccessor(0) != br->getSuccessor(1))
			return br->getSuccessor(0) == to;
		to = from;
		from = from->getSinglePredecessor();
	}
	return -1;
}

// `a && b` as a value: replaces phi operands that equal `cond` by the constant known on their edge.
void settle_phis(Value *cond)
{
	for (User *u : cond->users()) {
		auto *phi = dyn_cast<PHINode>(u);
		for (unsigned i = 0; phi && i < phi->getNumIncomingValues(); i++) {
			if (phi->getIncomingValue(i) != cond)
				continue;
			int k = known(cond, phi->getIncomingBlock(i), phi->getParent());
			if (k >= 0)
				phi->setIncomingValue(i, ConstantInt::get(cond->getType(), k));
		}
	}
}

// Gives a condition that the compiler only computes a branch whose sides join at once.
Instruction *make_branch(CallInst *call)
{
	BasicBlock *head = call->getParent();
	BasicBlock *tail = SplitBlock(head, call->getNextNode());
	LLVMContext &c = head->getContext();
	BasicBlock *side[2];
	for (BasicBlock *&b : side) {
		b = BasicBlock::Create(c, "", head->getParent(), tail);
		BranchInst::Create(tail, b)->setDebugLoc(call->getDebugLoc());
	}
	head->getTerminator()->eraseFromParent();
	auto *br = BranchInst::Create(side[0], side[1], call, head);
	br->setDebugLoc(call->getDebugLoc());
	return br;
}

class Lower
{
      public:
	Lower(Module &mod, const Marks &all, Numbers &out) : m(mod), marks(all), n(out)
	{
	}
	void run();

      private:
	void conditions(Function &f);
	void switches(Function &f);
	void ranges(SwitchInst *s, size_t condition);
	void shapes(Function &f);
	void number(Function &f);
	void annotate(Branch &b, uint32_t id);

	Module &m;
	const Marks &marks;
	Numbers &n;
	DenseMap<Instruction *, std::pair<size_t, int>> found; // condition and range index
};

// The instruction that decides a condition. `1 && c ? a : b` tests c twice: for its own counter,
// then to choose.
Instruction *decider(CallInst *call)
{
	Instruction *best = nullptr;
	for (User *u : call->users()) {
		auto *br = dyn_cast<BranchInst>(u);
		auto *sel = dyn_cast<SelectInst>(u);
		if (br && (br->getParent() == call->getParent() || !best || isa<SelectInst>(best)))
			best = br;
		else if (sel && sel->getCondition() == call && !best)
			best = sel;
	}
	return best;
}

void Lower::conditions(Function &f)
{
	for (Mark &k : find_marks(f, mark_cond)) {
		Instruction *i = decider(k.call);
		found[i ? i : make_branch(k.call)] = { k.condition, -1 };
		settle_phis(k.call);
		k.call->replaceAllUsesWith(k.call->getArgOperand(1));
		k.call->eraseFromParent();
	}
}

// The branch that clang makes of a long range of case labels, (operand - LOW) <= N, and its LOW.
BranchInst *range_of(BasicBlock *b, const Value *operand, APInt &low)
{
	auto *br = dyn_cast<BranchInst>(b->getTerminator());
	auto *cmp = br && br->isConditional() ? dyn_cast<ICmpInst>(br->getCondition()) : nullptr;
	if (!cmp || cmp->getPredicate() != ICmpInst::ICMP_ULE || cmp->getParent() != b)
		return nullptr;
	low = APInt(operand->getType()->getIntegerBitWidth(), 0);
	if (cmp->getOperand(0) == operand)
		return br;
	auto *sub = dyn_cast<BinaryOperator>(cmp->getOperand(0));
	auto *c = sub && sub->getOpcode() == Instruction::Sub && sub->getOperand(0) == operand
	    ? dyn_cast<ConstantInt>(sub->getOperand(1))
	    : nullptr;
	if (!c)
		return nullptr;
	low = c->getValue();
	return br;
}

// Clang tests long ranges in the default of the switch. Moves them before it, so that the switch's
// default is the source's and a range is false if not taken.
void Lower::ranges(SwitchInst *s, size_t condition)
{
	const Condition &c = marks.condition[condition];
	BasicBlock *first = s->getDefaultDest();
	BranchInst *last = nullptr;
	APInt low;
	for (BasicBlock *b = first; BranchInst *br = range_of(b, s->getCondition(), low);
	    b = br->getSuccessor(1)) {
		int label = -1;
		for (size_t i = 0; i < c.cases.size(); i++)
			if (APInt(low.getBitWidth(), c.cases[i].low, true) == low)
				label = i;
		if (label < 0)
			break;
		found[br] = { condition, label };
		last = br;
	}
	if (!last)
		return;
	BasicBlock *head = s->getParent(), *tail = SplitBlock(head, s->getIterator());
	BasicBlock *other = last->getSuccessor(1);
	head->getTerminator()->setSuccessor(0, first);
	last->setSuccessor(1, tail);
	s->setDefaultDest(other);
	other->replacePhiUsesWith(last->getParent(), tail);
}

void Lower::switches(Function &f)
{
	for (Mark &k : find_marks(f, mark_switch)) {
		SwitchInst *s = nullptr;
		for (User *u : k.call->users())
			if (auto *x = dyn_cast<SwitchInst>(u))
				s = x;
		if (s) {
			found[s] = { k.condition, -1 };
			ranges(s, k.condition);
		}
		k.call->replaceAllUsesWith(k.call->getArgOperand(1));
		k.call->eraseFromParent();
	}
}

void Lower::shapes(Function &f)
{
	LLVMContext &c = m.getContext();
	for (Mark &k : find_marks(f, mark_shape)) {
		for (User *u : k.call->users())
			if (auto *call = dyn_cast<CallInst>(u))
				call->setMetadata("duct.shape",
				    MDNode::get(c, MDString::get(c, marks.shape[k.condition])));
		k.call->replaceAllUsesWith(k.call->getArgOperand(1));
		k.call->eraseFromParent();
	}
}

void Lower::annotate(Branch &b, uint32_t id)
{
	const Condition &c = marks.condition[b.condition];
	auto *sw = dyn_cast<SwitchInst>(b.inst);
	b.kind = sw                   ? DUCT_SWITCH
	    : c.assume                ? DUCT_ASSUME_BRANCH
	    : isa<SelectInst>(b.inst) ? DUCT_SELECT
	                              : DUCT_BRANCH;
	b.first = n.outcomes;
	n.outcomes += sw ? sw->getNumCases() + 1 : 2;
	LLVMContext &x = m.getContext();
	auto number = [&](unsigned width, uint64_t v) {
		return ConstantAsMetadata::get(ConstantInt::get(IntegerType::get(x, width), v));
	};
	b.inst->setMetadata("duct.branch",
	    MDNode::get(x,
	        { number(32, id), number(1, 0), number(32, b.kind), number(32, c.required),
	            number(32, b.first) }));
}

void Lower::number(Function &f)
{
	LLVMContext &x = m.getContext();
	for (BasicBlock &b : f) {
		n.block[&b] = ++n.blocks;
		auto *id = ConstantAsMetadata::get(ConstantInt::get(Type::getInt32Ty(x), n.blocks));
		b.getTerminator()->setMetadata("duct.block", MDNode::get(x, id));
		for (Instruction &i : b) {
			auto at = found.find(&i);
			if (at == found.end())
				continue;
			Branch k;
			k.inst = &i;
			k.condition = at->second.first;
			k.range = at->second.second;
			n.used[k.condition] = true;
			n.branch.push_back(k);
			n.branch_of[&i] = n.branch.size();
			annotate(n.branch.back(), n.branch.size());
		}
	}
}

// Is all that inline assembly without instructions does known? Not, if an output is not an input,
// too. result: the operand that its result is.
bool is_known(const CallInst &call, const InlineAsm &code, Value *&result)
{
	const InlineAsm::ConstraintInfoVector constraint = code.ParseConstraints();
	SmallVector<Value *, 4> written, read;
	unsigned argument = 0;
	for (const InlineAsm::ConstraintInfo &c : constraint) {
		if (c.Type == InlineAsm::isClobber)
			continue;
		if (c.Type == InlineAsm::isLabel)
			return false;
		if (c.Type == InlineAsm::isOutput && !c.isIndirect)
			continue;
		Value *v = call.getArgOperand(argument++);
		if (c.isIndirect)
			(c.Type == InlineAsm::isOutput ? written : read).push_back(v);
		else if (!c.Codes.empty() && c.Codes[0] == "0")
			result = v;
	}
	for (Value *v : written)
		if (!is_contained(read, v))
			return false;
	return call.getType()->isVoidTy() || (result && result->getType() == call.getType());
}

// Removes barriers: asm("" : "+r"(x) : : "memory") changes nothing.
void erase_barriers(Function &f)
{
	for (Instruction &i : make_early_inc_range(instructions(f))) {
		auto *call = dyn_cast<CallInst>(&i);
		auto *code = call ? dyn_cast<InlineAsm>(call->getCalledOperand()) : nullptr;
		if (!code || StringRef(code->getAsmString()).trim() != "")
			continue;
		Value *result = nullptr;
		if (!is_known(*call, *code, result))
			continue;
		if (!call->getType()->isVoidTy())
			call->replaceAllUsesWith(result);
		call->eraseFromParent();
	}
}

void Lower::run()
{
	n.used.resize(marks.condition.size());
	erase_profile(m);
	for (Function &f : m)
		f.setMetadata("PGOFuncName", nullptr);
	for (Function &f : m) {
		if (f.isDeclaration())
			continue;
		shapes(f);
		conditions(f);
		switches(f);
		place_counters(f);
		erase_barriers(f);
		number(f);
	}
	for (Function &f : make_early_inc_range(m))
		if (f.isDeclaration() && f.use_empty() && f.getName().starts_with("__duct_"))
			f.eraseFromParent();
}

// Replaces aliases by what they name, unless another unit may override them.
void resolve_aliases(Module &m)
{
	for (GlobalAlias &a : m.aliases())
		if (!a.isInterposable() && isa<GlobalObject>(a.getAliasee()))
			a.replaceAllUsesWith(a.getAliasee());
}

} // namespace

Numbers lower_marks(Module &m, const Marks &marks)
{
	Numbers n;
	resolve_aliases(m);
	Lower(m, marks, n).run();
	return n;
}

} // namespace duct
