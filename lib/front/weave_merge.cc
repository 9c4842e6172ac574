// weave_merge: branches in loops on whose outcome nothing depends but which of two values locals
// get. What their sides compute is computed before the branch, and the values are chosen by
// selects: where runs merge such paths (setup: merge=1), the choice is part of the value's
// expression and no condition of the path.
#include "lib/front/weave.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>

namespace duct
{

using namespace llvm;

static const char merged[] = "duct.merge"; // metadata of the branch's marker and of the selects
static const size_t most_computed = 16;    // instructions on a side

bool is_merged(const Instruction &i)
{
	return i.getMetadata(merged);
}

// Is it a marker that says of a computation of the program which definitions it uses?
static bool is_pair_marker(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	return call && call->getCalledFunction()
	    && call->getCalledFunction()->getName().starts_with(marker_pair)
	    && call->getType()->isVoidTy();
}

// The number of an outcome, which only such markers use.
static bool is_outcome(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	StringRef name =
	    call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
	return name.consume_front(marker_pair) && name.starts_with(".outcome");
}

// A note of what the run executes, which stays where it is. With an outcome's number comes the
// first slot that it is added to.
static bool is_note(const Instruction &i)
{
	auto *sum = dyn_cast<BinaryOperator>(&i);
	auto *of = sum ? dyn_cast<Instruction>(sum->getOperand(1)) : nullptr;
	return is_block_marker(i) || is_pair_marker(i) || is_outcome(i) || (of && is_outcome(*of));
}

// Is it no value of the program, but the label of a definition?
static bool is_label(const PHINode &p)
{
	SmallVector<const Value *, 8> work = { &p };
	SmallPtrSet<const Value *, 8> seen = { &p };
	while (!work.empty())
		for (const User *u : work.pop_back_val()->users())
			if (auto *i = dyn_cast<Instruction>(u);
			    isa<PHINode>(u) && seen.insert(u).second)
				work.push_back(u);
			else if (!isa<PHINode>(u) && !(i && is_pair_marker(*i)))
				return false;
	return !p.use_empty();
}

// Can it be computed although the run takes the other side, with no effect but its value?
static bool is_pure(const Instruction &i)
{
	if (i.isShift() && !isa<ConstantInt>(i.getOperand(1)))
		return false;
	return !isa<PHINode>(i) && !i.mayReadOrWriteMemory() && !isa<CallBase>(i)
	    && isSafeToSpeculativelyExecute(&i);
}

// Does the side of a branch go to `join` alone, computing no more than values?
static bool is_side(const BasicBlock &side, const BasicBlock *from, const BasicBlock *join)
{
	size_t computed = 0;
	if (side.getSinglePredecessor() != from || side.getSingleSuccessor() != join
	    || !isa<BranchInst>(side.getTerminator()))
		return false;
	for (const Instruction &i : side)
		if (!i.isTerminator() && !is_note(i) && (!is_pure(i) || ++computed > most_computed))
			return false;
	return true;
}

static bool is_choosable(const PHINode &p)
{
	return is_label(p)
	    || (p.getType()->isIntegerTy() && p.getType()->getIntegerBitWidth() <= 64);
}

// The block where both sides meet again, perhaps with no value but what the condition itself
// became; nullptr: they do more.
static BasicBlock *join_of(const BranchInst &branch)
{
	const BasicBlock *from = branch.getParent();
	BasicBlock *yes = branch.getSuccessor(0), *no = branch.getSuccessor(1);
	BasicBlock *join = yes->getSingleSuccessor() == no ? no : no->getSingleSuccessor();
	if (!join || yes == no || join == from || !join->hasNPredecessors(2)
	    || (yes != join && !is_side(*yes, from, join))
	    || (no != join && !is_side(*no, from, join)))
		return nullptr;
	return all_of(join->phis(), is_choosable) ? join : nullptr;
}

// The marker of a branch of the program right before it, about its condition; nullptr: none.
CallInst *Weaver::marker_of(BranchInst &branch) const
{
	for (Instruction *i = branch.getPrevNode(); i; i = i->getPrevNode()) {
		auto *call = dyn_cast<CallInst>(i);
		if (!call || !is_marker_call(*i)) {
			if (i->mayReadOrWriteMemory() || call)
				return nullptr;
			continue;
		}
		if (is_pair_marker(*i) || is_outcome(*i))
			continue;
		if (call->getCalledFunction()->getName() != marker_branch)
			return nullptr;
		uint64_t id = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
		return id && branches[id - 1].kind == DUCT_BRANCH
		        && call->getArgOperand(1) == branch.getCondition()
		    ? call
		    : nullptr;
	}
	return nullptr;
}

static void hoist(BasicBlock &side, Instruction *to)
{
	for (Instruction &i : make_early_inc_range(side))
		if (!i.isTerminator() && !is_note(i))
			i.moveBefore(to);
}

// Replaces the values that meet in `join` by selects.
static void choose(BranchInst &branch, BasicBlock *join)
{
	BasicBlock *from = branch.getParent(), *yes = branch.getSuccessor(0),
	           *no = branch.getSuccessor(1);
	Instruction *at = &*join->getFirstInsertionPt();
	for (PHINode &p : make_early_inc_range(join->phis())) {
		if (is_label(p))
			continue;
		Value *x = p.getIncomingValueForBlock(yes == join ? from : yes),
		      *y = p.getIncomingValueForBlock(no == join ? from : no);
		auto *select =
		    SelectInst::Create(branch.getCondition(), x, y, "", at->getIterator());
		select->setMetadata(merged, MDNode::get(from->getContext(), {}));
		p.replaceAllUsesWith(select);
		p.eraseFromParent();
	}
}

bool Weaver::merge_paths()
{
	bool any = false;
	if (options.model || options.abstract || options.flows || options.debug)
		return false;
	DominatorTree tree(*f);
	LoopInfo loops(tree);
	for (BasicBlock &b : *f) {
		auto *branch = dyn_cast<BranchInst>(b.getTerminator());
		if (!branch || !branch->isConditional() || !loops.getLoopFor(&b))
			continue;
		BasicBlock *join = join_of(*branch);
		CallInst *marker = join ? marker_of(*branch) : nullptr;
		if (!marker)
			continue;
		for (BasicBlock *side : successors(&b))
			if (side != join)
				hoist(*side, branch);
		choose(*branch, join);
		marker->setMetadata(merged, MDNode::get(c, {}));
		any = true;
	}
	return any;
}

// The node of a value that a merged branch chooses.
Value *Weaver::chosen(B &b, Sym cond, Sym x, Sym y)
{
	if (is_zero(cond.n) || (is_zero(x.n) && is_zero(y.n) && x.v == y.v))
		return b.CreateSelect(cond.v, x.n, y.n);
	return b.CreateCall(rt("duct_rt_chosen", i32, { i32, i32, i64, i32, i64, i32, i64 }),
	    { b.getInt32(x.v->getType()->getIntegerBitWidth()), cond.n, as_word(b, cond.v), x.n,
	        as_word(b, x.v), y.n, as_word(b, y.v) });
}

} // namespace duct
