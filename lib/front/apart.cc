// apart: keeps objects apart that the optimiser would merge although the program, or the tracking
// of definitions by address, can distinguish them.
#include "lib/front/unset.h"

#include "lib/front/weave.h"

#include <llvm/Analysis/CaptureTracking.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace llvm;

namespace duct
{

// The private constant from which a local variable is initialised.
static GlobalVariable *initial_value(const AllocaInst &a)
{
	for (const User *u : a.users()) {
		auto *copy = dyn_cast<AnyMemTransferInst>(u);
		auto *from = copy && copy->getRawDest() == &a
		    ? dyn_cast<GlobalVariable>(copy->getRawSource())
		    : nullptr;
		if (from && from->isConstant() && from->hasPrivateLinkage()
		    && from->hasGlobalUnnamedAddr())
			return from;
	}
	return nullptr;
}

// The optimiser replaces a local that is only read by its initial value, which merges several such
// locals or activations into one object. If addresses matter, makes the initial value appear not
// constant.
void keep_apart(Module &m, bool pairs)
{
	SmallVector<GlobalValue *, 8> list;
	for (Function &f : m) {
		if (!is_woven(f))
			continue;
		for (BasicBlock &b : f)
			for (Instruction &i : b)
				if (auto *a = dyn_cast<AllocaInst>(&i);
				    a && (pairs || PointerMayBeCaptured(a, true, true)))
					if (GlobalVariable *g = initial_value(*a)) {
						g->setConstant(false);
						list.push_back(g);
					}
	}
	appendToCompilerUsed(m, list);
}

} // namespace duct
