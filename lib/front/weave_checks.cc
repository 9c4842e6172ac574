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
