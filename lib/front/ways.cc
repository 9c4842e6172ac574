#include "lib/front/ways.h"

#include "lib/front/weave.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace duct
{

// Clang gives each label a block of its own. The first block from b on that does more than to jump.
static const BasicBlock *first_code(const BasicBlock *b)
{
	SmallPtrSet<const BasicBlock *, 8> seen;
	while (seen.insert(b).second) {
		for (const Instruction &i : *b)
			if (!i.isTerminator() && !isa<DbgInfoIntrinsic>(i) && !is_marker_call(i))
				return b;
		auto *jump = dyn_cast<BranchInst>(b->getTerminator());
		if (!jump || jump->isConditional())
			return b;
		b = jump->getSuccessor(0);
	}
	return b;
}

std::vector<uint32_t> ways_of(const SwitchInst &s)
{
	std::vector<uint32_t> ways;
	DenseMap<const BasicBlock *, uint32_t> first;
	for (auto &k : s.cases()) {
		uint32_t i = (uint32_t)ways.size();
		ways.push_back(
		    first.try_emplace(first_code(k.getCaseSuccessor()), i).first->second);
	}
	return ways;
}

} // namespace duct
