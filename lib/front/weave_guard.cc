// weave_guard: an inline test that guards code in a cold block.
#include "lib/front/weave.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct
{

using namespace llvm;

Value *Weaver::any(B &b, ArrayRef<Value *> list)
{
	Value *sum = nullptr;
	for (Value *n : list)
		if (!is_zero(n))
			sum = sum ? b.CreateOr(sum, n) : n;
	return sum;
}

// Runs `build` in a cold block before `at` if `test` (i32) is not 0. Returns its results, or
// concrete nodes.
Nodes Weaver::guarded(Instruction *at, Value *test, Build build)
{
	B head(at);
	Value *cond = test->getType() == i1
	    ? test
	    : head.CreateICmpNE(test, ConstantInt::get(test->getType(), 0));
	BasicBlock *from = at->getParent();
	Instruction *term = SplitBlockAndInsertIfThen(cond, at->getIterator(), false, unlikely);
	B slow(term);
	Nodes made = build(slow), out;
	BasicBlock *end = term->getParent();
	for (Value *n : made) {
		if (is_zero(n)) {
			out.push_back(zero);
			continue;
		}
		PHINode *p = PHINode::Create(i32, 2, "", at->getParent()->getFirstNonPHIIt());
		p->addIncoming(zero, from);
		p->addIncoming(n, end);
		out.push_back(p);
	}
	return out;
}

// Likewise, if any node of the operands is not 0. Free for statically concrete operands.
Nodes Weaver::guarded_any(Instruction *at, ArrayRef<Value *> operands, size_t results, Build build)
{
	SmallVector<Value *, 4> list;
	for (Value *v : operands)
		for (Value *n : nodes(v))
			list.push_back(n);
	B head(at);
	Value *test = any(head, list);
	if (!test)
		return Nodes(results, zero);
	return guarded(at, test, [&](B &b) {
		for (Value *v : operands)
			check(b, v);
		return build(b);
	});
}

// Neighbouring instructions that only compute share one test. Their builders run together, so each
// must accept nodes that are 0.
void Weaver::defer(
    Instruction &i, ArrayRef<Value *> operands, size_t results, std::function<Nodes(B &)> build)
{
	bool symbolic = false;
	for (Value *v : operands) {
		symbolic |= in_group.contains(v);
		for (Value *n : nodes(v))
			symbolic |= !is_zero(n);
	}
	if (!symbolic)
		return set(i, Nodes(results, zero));
	group.push_back({ &i, std::move(build), SmallVector<Value *, 3>(operands) });
	in_group.insert(&i);
}

// Builds the pending group; before anything that uses a node of the group or changes what it read.
void Weaver::flush(Instruction *at)
{
	if (group.empty())
		return;
	SetVector<Value *> inputs;
	for (Pending &p : group)
		for (Value *v : p.operands)
			if (!in_group.contains(v))
				for (Value *n : nodes(v))
					if (!is_zero(n))
						inputs.insert(n);
	B head(at);
	Value *test = any(head, inputs.getArrayRef());
	SmallVector<size_t, 8> count;
	Nodes made = guarded(at, test, [&](B &b) {
		Nodes all;
		for (Pending &p : group) {
			for (Value *v : p.operands)
				check(b, v);
			Nodes n = p.build(b);
			set(*p.i, n);
			bool outside =
			    any_of(p.i->users(), [&](User *u) { return !in_group.contains(u); });
			count.push_back(outside ? n.size() : 0);
			if (outside)
				all.append(n);
		}
		return all;
	});
	size_t k = 0;
	for (size_t g = 0; g < group.size(); k += count[g++])
		set(*group[g].i,
		    count[g] ? Nodes(made.begin() + k, made.begin() + k + count[g])
		             : Nodes(leaf_count(group[g].i->getType()), zero));
	group.clear();
	in_group.clear();
}

// Inside library models, report the caller's location.
GlobalVariable *Weaver::block_word()
{
	return word(options.model ? "duct_model_block" : "duct_block", i32);
}

Value *Weaver::place(B &b)
{
	return b.CreateLoad(i32, block_word());
}

void Weaver::lost(B &b, const char *reason)
{
	b.CreateCall(rt("duct_rt_lost", b.getVoidTy(), { ptr, i32, ptr }),
	    { unit, place(b), text(b, reason) });
}

// Each text exists once per unit.
Constant *Weaver::text(B &b, const char *s)
{
	Constant *&known = texts[s];
	if (!known)
		known = b.CreateGlobalString(s, ".duct.text", 0, &m);
	return known;
}

void Weaver::lost_if(Instruction *at, ArrayRef<Value *> list, const char *reason)
{
	B head(at);
	if (Value *test = any(head, list))
		guarded(at, test, [&](B &b) {
			lost(b, reason);
			return Nodes();
		});
}

// Checking build: compares each operand's value with that of its expression.
void Weaver::check(B &b, Value *v)
{
	if (!options.check || !is_scalar(v->getType()) || v->getType()->isVectorTy())
		return;
	Value *n = node(v);
	unsigned width = dl.getTypeSizeInBits(v->getType());
	if (is_zero(n))
		return;
	b.CreateCall(rt("duct_rt_check", b.getVoidTy(), { ptr, i32, i32, i64, i32 }),
	    { unit, place(b), n, as_word(b, v), b.getInt32(width) });
}

} // namespace duct
