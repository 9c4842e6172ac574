// weave_checks: lowers markers of checks to calls of the runtime.
#include "lib/front/weave.h"

namespace duct
{

using namespace llvm;

// Does nothing if the condition is concrete and holds, or checks of this kind are not requested.
void Weaver::lower_check(CallInst &call)
{
	Value *safe = call.getArgOperand(2), *n = node(safe);
	B head(&call);
	if (cast<ConstantInt>(call.getArgOperand(1))->isZero()) {
		if (!is_zero(n))
			guarded(&call, n, [&](B &b) {
				b.CreateCall(
				    rt("duct_rt_condition", b.getVoidTy(), { ptr, i32, i32 }),
				    { unit, b.CreateZExt(safe, i32), n });
				return Nodes();
			});
		call.eraseFromParent();
		return;
	}
	Value *test = head.CreateNot(safe);
	if (!is_zero(n))
		test = head.CreateOr(test, head.CreateICmpNE(n, zero));
	if (auto *known = dyn_cast<Constant>(test); !known || !known->isNullValue())
		guarded(&call, test, [&](B &b) {
			check(b, safe);
			b.CreateCall(rt("duct_rt_safe", b.getVoidTy(), { ptr, i32, i32, i32, i32 }),
			    { unit, call.getArgOperand(0), call.getArgOperand(1),
			        b.CreateZExt(safe, i32), n });
			return Nodes();
		});
	call.eraseFromParent();
}

void Weaver::lower_uninit(CallInst &call)
{
	Value *n = node(call.getArgOperand(1));
	if (!is_zero(n))
		guarded(&call, n, [&](B &b) {
			b.CreateCall(rt("duct_rt_decides", b.getVoidTy(), { ptr, i32, i32 }),
			    { unit, call.getArgOperand(0), n });
			return Nodes();
		});
	call.eraseFromParent();
}

void Weaver::lower_alloc(CallInst &call)
{
	B b(&call);
	b.CreateStore(call.getArgOperand(0), word("duct_alloc_inst", i32));
	b.CreateStore(unit, word("duct_alloc_unit", ptr));
	call.eraseFromParent();
}

// Calls the runtime unless the last object that held two such pointers holds these, too.
void Weaver::lower_compare(CallInst &call)
{
	B head(&call);
	Value *p = call.getArgOperand(0), *q = call.getArgOperand(1),
	      *from = head.CreateLoad(i64, word("duct_near_from", i64)),
	      *room = head.CreateLoad(i64, word("duct_near_room", i64)), *test = nullptr;
	for (Value *v : { p, q }) {
		Value *out = head.CreateICmpUGT(head.CreateSub(as_word(head, v), from), room);
		test = test ? head.CreateOr(test, out) : out;
		if (!is_zero(node(v)))
			test = head.CreateOr(test, head.CreateICmpNE(node(v), zero));
	}
	guarded(&call, test, [&](B &b) {
		b.CreateCall(rt("duct_rt_order", b.getVoidTy(), { ptr, i32, ptr, i32, ptr, i32 }),
		    { p, node(p), q, node(q), call.getArgOperand(2), call.getArgOperand(3) });
		return Nodes();
	});
	call.eraseFromParent();
}

void Weaver::lower_at(CallInst &call)
{
	B b(&call);
	b.CreateStore(call.getArgOperand(0), word("duct_inst", i32));
	if (!placed.contains(&call))
		b.CreateStore(call.getArgOperand(1), word("duct_block", i32));
	call.eraseFromParent();
}

bool Weaver::lower_fault(CallBase &call, StringRef name)
{
	static const struct {
		const char *name;
		void (Weaver::*lower)(CallInst &);
	} all[] = {
		{ marker_check, &Weaver::lower_check },
		{ marker_access, &Weaver::lower_access },
		{ marker_uninit, &Weaver::lower_uninit },
		{ marker_alloc, &Weaver::lower_alloc },
		{ marker_compare, &Weaver::lower_compare },
		{ marker_at, &Weaver::lower_at },
	};
	for (auto &m : all)
		if (name == m.name) {
			(this->*m.lower)(cast<CallInst>(call));
			return true;
		}
	return false;
}

} // namespace duct
