// weave_entry: a woven function takes its arguments' nodes and returns its result's; see "calls" in
// abi.h.
#include "lib/front/weave.h"

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct
{

using namespace llvm;

Value *Weaver::slot(B &b, GlobalVariable *array, unsigned i)
{
	return b.CreateConstGEP2_32(array->getValueType(), array, 0, i);
}

GlobalVariable *Weaver::args_array()
{
	return word("duct_args", ArrayType::get(i32, DUCT_MAX_ARGS));
}

unsigned Weaver::slots(Type *t, bool byval) const
{
	return byval ? 2 : leaf_count(t);
}

// Reads the parameters' nodes from the slots; valid if the token names this function.
Nodes Weaver::read_arguments(B &b)
{
	GlobalVariable *array = args_array();
	Nodes out;
	unsigned at = 0;
	for (Argument &a : f->args()) {
		unsigned n = slots(a.getType(), a.hasByValAttr());
		SmallVector<Type *, 2> types;
		leaves(a.getType(), types);
		for (unsigned k = 0; k < n && at + k < DUCT_MAX_ARGS && !a.hasByValAttr(); k++)
			out.push_back(
			    is_scalar(types[k]) ? b.CreateLoad(i32, slot(b, array, at + k)) : zero);
		if (a.hasByValAttr() && at + 1 < DUCT_MAX_ARGS) {
			Value *low = b.CreateZExt(b.CreateLoad(i32, slot(b, array, at)), i64);
			Value *high = b.CreateZExt(b.CreateLoad(i32, slot(b, array, at + 1)), i64);
			Value *from = b.CreateIntToPtr(b.CreateOr(low, b.CreateShl(high, 32)), ptr);
			b.CreateCall(rt("duct_rt_copy", b.getVoidTy(),
			                 { ptr, i32, ptr, ptr, i64, i32, i32, i32 }),
			    { unit, place(b), &a, from,
			        b.getInt64(dl.getTypeAllocSize(a.getParamByValType())), zero, zero,
			        zero });
		}
		at += n;
	}
	return out;
}

void Weaver::save_variadic(B &b)
{
	unsigned fixed = 0;
	for (Argument &a : f->args())
		fixed += slots(a.getType(), a.hasByValAttr());
	Value *total = b.CreateLoad(i32, word("duct_args_count", i32));
	Value *n = b.CreateSub(total, b.getInt32(fixed));
	AllocaInst *save = b.CreateAlloca(i32, n);
	b.CreateCall(rt("duct_rt_variadic", b.getVoidTy(), { ptr, i32, i32 }),
	    { save, b.getInt32(fixed), total });
	b.CreateStore(save, variadic);
	b.CreateStore(n, variadic_count);
}

// Is the function called only from visible call sites?
static bool is_local(const Function &f)
{
	return f.hasLocalLinkage() && !f.hasAddressTaken();
}

// Takes the arguments' nodes if the token is for this function; leaves another's token in place.
Nodes Weaver::read_token(Instruction *at)
{
	bool local = is_local(*f);
	B head(at);
	GlobalVariable *token = word("duct_args_for", ptr);
	Value *t = head.CreateLoad(ptr, token);
	return guarded(at, head.CreateIsNotNull(t), [&](B &b) {
		Instruction *yes, *no, *end = &*b.GetInsertPoint();
		SplitBlockAndInsertIfThenElse(b.CreateICmpEQ(t, f), end->getIterator(), &yes, &no);
		B mine(yes), other(no);
		Nodes in = read_arguments(mine), out;
		if (f->isVarArg())
			save_variadic(mine);
		mine.CreateStore(ConstantPointerNull::get(ptr), token);
		if (!local)
			other.CreateCall(rt("duct_rt_callback", b.getVoidTy(), {}), {});
		b.SetInsertPoint(end);
		for (Value *n : in) {
			PHINode *p =
			    PHINode::Create(i32, 2, "", end->getParent()->getFirstNonPHIIt());
			p->addIncoming(n, yes->getParent());
			p->addIncoming(zero, no->getParent());
			out.push_back(is_zero(n) ? zero : p);
			if (is_zero(n))
				p->eraseFromParent();
		}
		return out;
	});
}

void Weaver::enter()
{
	bool local = is_local(*f);
	bool needed = !local || f->isVarArg();
	BasicBlock &entry = f->getEntryBlock();
	auto first = entry.begin();
	while (isa<AllocaInst>(*first))
		++first;
	Instruction *at = &*first;
	if (f->isVarArg()) {
		B b(&entry, entry.begin());
		variadic = b.CreateAlloca(ptr);
		variadic_count = b.CreateAlloca(i32);
		b.SetInsertPoint(at);
		b.CreateStore(zero, variadic_count);
	}
	for (Argument &a : f->args()) {
		needed |= a.hasByValAttr() || is_shadowed(a.getType());
		if (!a.hasByValAttr())
			continue;
		B b(at);
		guarded(at, b.CreateLoad(i32, word("duct_live", i32)), [&](B &s) {
			s.CreateCall(
			    rt("duct_rt_set", s.getVoidTy(), { ptr, i32, ptr, i64, i32, i32, i32 }),
			    { unit, place(s), &a,
			        s.getInt64(dl.getTypeAllocSize(a.getParamByValType())), zero, zero,
			        zero });
			return Nodes();
		});
	}
	if (!entry_crossing && !needed)
		return;
	Instruction *reader =
	    entry_crossing ? entry_crossing->getSuccessor(0)->getTerminator() : at;
	Nodes got = needed ? read_token(reader) : Nodes();
	Given values;
	size_t k = 0;
	for (Argument &a : f->args()) {
		if (a.hasByValAttr())
			continue;
		size_t n = leaf_count(a.getType());
		if (k + n <= got.size())
			values[&a] = Nodes(got.begin() + k, got.begin() + k + n);
		k += n;
	}
	if (!entry_crossing) {
		for (auto &v : values)
			shadow[v.first] = v.second;
		return;
	}
	// the other copy reports calls
	B head(entry_crossing), over(reader);
	Value *told = head.CreateICmpNE(head.CreateLoad(i32, word("duct_calls", i32)), zero);
	if (needed)
		told = head.CreateOr(
		    told, head.CreateIsNotNull(head.CreateLoad(ptr, word("duct_args_for", ptr))));
	entry_crossing->setCondition(told);
	go_over(reader->getParent(), entry_crossing->getSuccessor(1), values,
	    over.CreateLoad(i32, word("duct_calls", i32)));
}

// May the function contain a call that left a result token, possibly of this function itself
// (recursion)?
static bool makes_calls(const Function &f)
{
	for (const BasicBlock &b : f)
		for (const Instruction &i : b) {
			auto *call = dyn_cast<CallBase>(&i);
			const Function *to = call ? call->getCalledFunction() : nullptr;
			if (call
			    && !(to
			        && (to->isIntrinsic() || is_marker(*to)
			            || to->getName().starts_with("duct_rt_"))))
				return true;
		}
	return false;
}

void Weaver::visit_return(ReturnInst &i)
{
	if (CallInst *tail = i.getParent()->getTerminatingMustTailCall())
		return leave_objects(tail);
	B end(&i);
	write_steps(end);
	Value *v = i.getReturnValue();
	if (v && is_shadowed(v->getType()) && leaf_count(v->getType()) <= max_results) {
		if (makes_calls(*f))
			B(&i).CreateStore(
			    ConstantPointerNull::get(ptr), word("duct_ret_from", ptr));
		guarded_any(&i, { v }, 0, [&](B &b) {
			GlobalVariable *array = word("duct_ret", ArrayType::get(i32, max_results));
			Nodes n = nodes(v);
			for (unsigned k = 0; k < n.size(); k++)
				b.CreateStore(n[k], slot(b, array, k));
			b.CreateStore(f, word("duct_ret_from", ptr));
			return Nodes();
		});
	}
	leave_objects(&i);
}

} // namespace duct
