// plant_objectives: plants the conditions of objectives at instructions as markers of checks: the
// objective is reached when the check fails.
#include "lib/front/objectives.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/protocol/checks.h"
}

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace duct
{
namespace
{

bool has(const MDNode *md, unsigned kind)
{
	for (unsigned k = 2; k < md->getNumOperands(); k++)
		if (operand(md, k) == kind)
			return true;
	return false;
}

void plant(IRBuilder<> &b, const MDNode *md, unsigned kind, Value *condition)
{
	Module &m = *b.GetInsertBlock()->getModule();
	Function *f = marker(m, marker_check, { b.getInt32Ty(), b.getInt32Ty(), b.getInt1Ty() });
	b.CreateCall(f, { b.getInt32(operand(md, 0)), b.getInt32(kind), b.CreateNot(condition) });
}

// ---- comparisons and computations

Value *less(IRBuilder<> &b, Value *x, Value *y, bool is_signed)
{
	return is_signed ? b.CreateICmpSLT(x, y) : b.CreateICmpULT(x, y);
}

// x is one less than y.
Value *one_less(IRBuilder<> &b, Value *x, Value *y, bool is_signed)
{
	Value *next = b.CreateAdd(x, ConstantInt::get(x->getType(), 1));
	return b.CreateAnd(b.CreateICmpEQ(next, y), less(b, x, y, is_signed));
}

Value *other_operator(IRBuilder<> &b, Instruction &i, unsigned kind, bool is_signed)
{
	std::string name = objective_mutant(Instruction::getOpcodeName(i.getOpcode()), kind);
	if (name == "shr")
		name = is_signed ? "ashr" : "lshr";
	for (unsigned op = Instruction::BinaryOpsBegin; op < Instruction::BinaryOpsEnd; op++)
		if (name == Instruction::getOpcodeName(op))
			return b.CreateBinOp(
			    (Instruction::BinaryOps)op, i.getOperand(0), i.getOperand(1));
	llvm_unreachable("a mutant without an operation");
}

// The instruction with a constant operand that is one more or less.
Value *other_constant(IRBuilder<> &b, Instruction &i, int by)
{
	Instruction *copy = i.clone();
	auto *c = cast<ConstantInt>(i.getOperand(1));
	for (unsigned kind : { LLVMContext::MD_dbg })
		copy->setMetadata(kind, nullptr);
	copy->dropUnknownNonDebugMetadata();
	copy->dropPoisonGeneratingFlags();
	copy->setOperand(1, ConstantInt::get(c->getType(), c->getValue() + (uint64_t)(int64_t)by));
	return b.Insert(copy);
}

// The condition of a comparison's or computation's objective; nullptr: another kind.
Value *condition(IRBuilder<> &b, Instruction &i, unsigned kind, bool is_signed)
{
	Value *x = i.getOperand(0), *y = i.getNumOperands() > 1 ? i.getOperand(1) : nullptr;
	switch (kind) {
	case OBJECTIVE_BELOW: return one_less(b, x, y, is_signed);
	case OBJECTIVE_ABOVE: return one_less(b, y, x, is_signed);
	case OBJECTIVE_EQUAL:
	case OBJECTIVE_IF_EQUAL: return b.CreateICmpEQ(x, y);
	case OBJECTIVE_IF_LESS: return less(b, x, y, is_signed);
	case OBJECTIVE_IF_MORE: return less(b, y, x, is_signed);
	case OBJECTIVE_OPERATOR:
	case OBJECTIVE_OPERATOR2: return b.CreateICmpNE(&i, other_operator(b, i, kind, is_signed));
	case OBJECTIVE_CONSTANT: return b.CreateICmpNE(&i, other_constant(b, i, 1));
	case OBJECTIVE_CONSTANT2: return b.CreateICmpNE(&i, other_constant(b, i, -1));
	case OBJECTIVE_DELETION: return b.CreateICmpNE(x, b.CreateLoad(x->getType(), y));
	default: return nullptr;
	}
}

void plant_at(Instruction &i, const MDNode *md)
{
	IRBuilder<> b(isa<StoreInst>(i) ? &i : i.getNextNode());
	for (unsigned k = 2; k < md->getNumOperands(); k++)
		if (Value *c = condition(b, i, operand(md, k), operand(md, 1)))
			plant(b, md, operand(md, k), c);
}

// ---- loops

// The condition under which control leaves the loop there; nullptr: not known.
Value *leaves(IRBuilder<> &b, const Loop &l, Instruction *end)
{
	auto *br = dyn_cast<BranchInst>(end);
	if (br && br->isConditional())
		return l.contains(br->getSuccessor(1)) ? br->getCondition()
		    : l.contains(br->getSuccessor(0))  ? b.CreateNot(br->getCondition())
		                                       : (Value *)b.getTrue();
	auto *s = dyn_cast<SwitchInst>(end);
	if (!s)
		return nullptr;
	bool otherwise = !l.contains(s->getDefaultDest());
	Value *any = b.getFalse();
	for (auto &k : s->cases())
		if (l.contains(k.getCaseSuccessor()) == otherwise)
			any = b.CreateOr(any, b.CreateICmpEQ(s->getCondition(), k.getCaseValue()));
	return otherwise ? b.CreateNot(any) : any;
}

// Counts how often the body begins since the loop was entered.
AllocaInst *plant_counter(const Loop &l, BasicBlock *body)
{
	BasicBlock *header = l.getHeader();
	BasicBlock &entry = header->getParent()->getEntryBlock();
	IRBuilder<> first(&entry, entry.begin());
	AllocaInst *count = first.CreateAlloca(first.getInt64Ty());
	for (BasicBlock *from : predecessors(header))
		if (!l.contains(from)) {
			IRBuilder<> b(from->getTerminator());
			b.CreateStore(b.getInt64(0), count);
		}
	IRBuilder<> b(body, body->getFirstInsertionPt());
	b.CreateStore(b.CreateAdd(b.CreateLoad(b.getInt64Ty(), count), b.getInt64(1)), count);
	return count;
}

Value *is_count(IRBuilder<> &b, AllocaInst *count, uint64_t n)
{
	return b.CreateICmpEQ(b.CreateLoad(b.getInt64Ty(), count), b.getInt64(n));
}

void plant_loop(const Loop &l, BasicBlock *body, const MDNode *md)
{
	AllocaInst *count = plant_counter(l, body);
	IRBuilder<> again(body->getTerminator());
	plant(again, md, OBJECTIVE_MANY, is_count(again, count, 2));
	for (BasicBlock *block : l.blocks()) {
		IRBuilder<> b(block->getTerminator());
		Value *out =
		    l.isLoopExiting(block) ? leaves(b, l, block->getTerminator()) : nullptr;
		if (!out)
			continue;
		plant(b, md, OBJECTIVE_ONE, b.CreateAnd(out, is_count(b, count, 1)));
		if (has(md, OBJECTIVE_ZERO))
			plant(b, md, OBJECTIVE_ZERO, b.CreateAnd(out, is_count(b, count, 0)));
	}
}

// The first block of the loop's body.
BasicBlock *body_of(const Loop &l)
{
	const MDNode *loop = l.getHeader()->getTerminator()->getMetadata("duct.loop");
	for (BasicBlock *b : l.blocks())
		if (b->getTerminator()->getMetadata("duct.body") == loop)
			return b;
	return nullptr;
}

void plant_loops(Function &f)
{
	DominatorTree tree(f);
	LoopInfo info(tree);
	for (Loop *l : info.getLoopsInPreorder()) {
		MDNode *md = l->getHeader()->getTerminator()->getMetadata("duct.objective");
		BasicBlock *body = md ? body_of(*l) : nullptr;
		if (body)
			plant_loop(*l, body, md);
	}
}

} // namespace

void plant_objectives(Module &m)
{
	for (Function &f : m) {
		bool loops = false;
		SmallVector<std::pair<Instruction *, MDNode *>, 32> list;
		for (Instruction &i : instructions(f))
			if (MDNode *md = i.getMetadata("duct.objective")) {
				loops |= i.isTerminator();
				if (!i.isTerminator())
					list.push_back({ &i, md });
			}
		for (auto [i, md] : list)
			plant_at(*i, md);
		if (loops)
			plant_loops(f);
		plant_sequences(f, plant);
	}
}

} // namespace duct
