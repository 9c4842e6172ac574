// weave_markers: markers become coverage, steps and events once operands have their shadow.
#include "lib/front/weave.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct {

using namespace llvm;

// Counts the steps of a block once, tells the block's id where it may matter, and writes
// coverage. Branch markers wait for their operand's shadow.
void Weaver::lower_block_markers(BasicBlock &b)
{
	SmallVector<CallInst *, 4> found;
	for (Instruction &i : b)
		if (is_block_marker(i))
			found.push_back(cast<CallInst>(&i));
	if (found.empty())
		return;
	B first(found[0]);
	GlobalVariable *steps = word("duct_steps", i64);
	Value *left = first.CreateSub(first.CreateLoad(i64, steps), first.getInt64(found.size()));
	first.CreateStore(left, steps);
	for (CallInst *call : found) {
		B at(call);
		uint64_t id = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
		Value *byte = cover(at, at.getInt64(outcomes + id - 1));
		if (pairs)
			log(at, byte);
		at.CreateStore(at.getInt32(id), word("duct_block", i32));
		if (&b == &f->getEntryBlock())
			at.CreateStore(unit, word("duct_block_unit", ptr));
	}
	B at(found[0]);
	guarded(found[0], at.CreateICmpSLT(left, at.getInt64(0)), [&](B &s) {
		s.CreateCall(rt("duct_rt_steps", s.getVoidTy(), {}), {});
		return Nodes();
	});
	for (CallInst *call : found)
		call->eraseFromParent();
}

// The byte that it sets.
Value *Weaver::cover(B &b, Value *index)
{
	auto *type = cast<StructType>(unit->getValueType());
	Value *base = b.CreateLoad(ptr, b.CreateStructGEP(type, unit, 1));
	Value *byte = b.CreateGEP(i8, base, index);
	b.CreateStore(b.getInt8(1), byte);
	return byte;
}

// The block's byte goes to the ring of those entered last, see abi.h.
void Weaver::log(B &b, Value *byte)
{
	auto *ring = ArrayType::get(i32, DUCT_WAY);
	GlobalVariable *count = word("duct_way_count", i32);
	Value *n = b.CreateLoad(i32, count), *at = b.CreateAnd(n, b.getInt32(DUCT_WAY - 1));
	b.CreateStore(b.CreatePtrToInt(byte, i32), b.CreateGEP(ring, word("duct_way", ring), {b.getInt32(0), at}));
	b.CreateStore(b.CreateAdd(n, b.getInt32(1)), count);
}

// As guarded_any; where calls may be abstract, outcomes are also told when they are concrete.
void Weaver::guarded_told(Instruction *at, Value *v, Build build)
{
	if (!options.abstract) {
		guarded_any(at, {v}, 0, build);
		return;
	}
	B head(at);
	guarded(at, head.CreateOr(node(v), head.CreateLoad(i32, word("duct_tells", i32))), [&](B &b) {
		check(b, v);
		return build(b);
	});
}

void Weaver::lower_branch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *cond = call.getArgOperand(1), *n = node(cond);
	if (!id) {
		guarded_any(&call, {cond}, 0, [&](B &b) {
			b.CreateCall(rt("duct_rt_condition", b.getVoidTy(), {ptr, i32, i32}),
			             {unit, b.CreateZExt(cond, i32), n});
			return Nodes();
		});
		call.eraseFromParent();
		return;
	}
	B at(&call);
	Value *outcome = at.CreateSub(at.getInt64(branches[id - 1].first + 1), at.CreateZExt(cond, i64));
	cover(at, outcome);
	guarded_told(&call, cond, [&](B &b) {
		b.CreateCall(rt("duct_rt_branch", b.getVoidTy(), {ptr, i32, i32, i32}),
		             {unit, b.getInt32(id), b.CreateZExt(cond, i32), n});
		return Nodes();
	});
	call.eraseFromParent();
}

void Weaver::lower_call_event(CallInst &call)
{
	bool enters = call.getCalledFunction()->getName() == marker_enter;
	B head(&call);
	guarded(&call, head.CreateLoad(i32, word("duct_calls", i32)), [&](B &b) {
		b.CreateCall(rt(enters ? "duct_rt_call" : "duct_rt_return", b.getVoidTy(), {ptr, i32}),
		             {unit, call.getArgOperand(0)});
		return Nodes();
	});
	call.eraseFromParent();
}

// The outcome of a concrete switch is found by a switch of its own.
Value *Weaver::outcome_of(Instruction *at, Value *v, const BranchInfo &info)
{
	BasicBlock *from = at->getParent(), *to = SplitBlock(from, at);
	BasicBlock *other = BasicBlock::Create(c, "", f, to);
	BranchInst::Create(to, other);
	from->getTerminator()->eraseFromParent();
	auto *s = SwitchInst::Create(v, other, info.values.size(), from);
	auto *p = PHINode::Create(i64, info.values.size() + 1, "", to->begin());
	p->addIncoming(ConstantInt::get(i64, info.first + info.values.size()), other);
	for (size_t i = 0; i < info.values.size(); i++) {
		BasicBlock *one = BasicBlock::Create(c, "", f, to);
		BranchInst::Create(to, one);
		s->addCase(cast<ConstantInt>(ConstantInt::get(v->getType(), info.values[i])), one);
		p->addIncoming(ConstantInt::get(i64, info.first + i), one);
	}
	return p;
}

void Weaver::lower_switch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *v = call.getArgOperand(1), *n = node(v);
	if (!id) {
		lost_if(&call, {n}, "switch that is none of the source");
		call.eraseFromParent();
		return;
	}
	const BranchInfo &info = branches[id - 1];
	unsigned width = v->getType()->getIntegerBitWidth();
	if (!is_zero(n) || options.abstract)
		guarded_told(&call, v, [&](B &b) {
			b.CreateCall(rt("duct_rt_switch", b.getVoidTy(), {ptr, i32, i64, i32, i32}),
			             {unit, b.getInt32(id), as_word(b, v), b.getInt32(width), n});
			return Nodes();
		});
	Value *outcome = outcome_of(&call, v, info);
	B at(&call);
	cover(at, outcome);
	call.eraseFromParent();
}

} // namespace duct
