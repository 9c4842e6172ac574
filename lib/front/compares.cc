// compares: pointers whose order or distance the program asks for. Where they lead into different
// objects the answer is the compiler's and the linker's.
#include "lib/front/checks.h"
#include "lib/front/weave.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/Path.h>

using namespace llvm;

namespace duct
{
namespace
{

// The pointer that an operand is or was converted from; nullptr: it is not a pointer.
Value *pointer_of(Value *v)
{
	if (auto *cast = dyn_cast<PtrToIntOperator>(v))
		v = cast->getPointerOperand();
	return v->getType()->isPointerTy() && !isa<ConstantPointerNull>(v) ? v : nullptr;
}

bool asks_order(const Instruction &i)
{
	auto *compare = dyn_cast<ICmpInst>(&i);
	return compare ? compare->isRelational() : i.getOpcode() == Instruction::Sub;
}

// FILE:LINE.
std::string place_of(const Instruction &i)
{
	const DILocation *at = i.getDebugLoc();
	return at
	    ? sys::path::filename(at->getFilename()).str() + ":" + std::to_string(at->getLine())
	    : "";
}

void plant(Module &m, Instruction &i)
{
	Value *p = pointer_of(i.getOperand(0)), *q = pointer_of(i.getOperand(1));
	std::string place = place_of(i);
	if (!p || !q || place.empty() || getUnderlyingObject(p, 0) == getUnderlyingObject(q, 0))
		return;
	IRBuilder<> b(&i);
	Type *type = b.getPtrTy();
	b.CreateCall(marker(m, marker_compare, { type, type, type, b.getInt32Ty() }),
	    { p, q, b.CreateGlobalString(place, ".duct.text"), b.getInt32(!isa<ICmpInst>(i)) });
}

} // namespace

void plant_compares(Module &m)
{
	for (Function &f : m)
		for (Instruction &i : make_early_inc_range(instructions(f)))
			if (asks_order(i))
				plant(m, i);
}

} // namespace duct
