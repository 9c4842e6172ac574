// lower: the IR side of mark.h: removes marks and profile intrinsics from a module.
#ifndef DUCT_FRONT_LOWER_H
#define DUCT_FRONT_LOWER_H

#include "lib/front/mark.h"

#include <map>

namespace llvm
{
class BasicBlock;
class Function;
class Instruction;
class Module;
} // namespace llvm

namespace duct
{

// An IR branch made from a condition; its id - 1 is the index in Numbers::branch.
struct Branch {
	llvm::Instruction *inst = nullptr; // br, switch or select
	size_t condition = 0;              // index in Marks::condition
	// index of the case range that became a two-way branch; -1: none
	int range = -1;
	uint32_t first = 0; // first outcome
	unsigned kind = 0;  // enum duct_branch_kind
};

struct Numbers {
	std::vector<Branch> branch;
	std::vector<bool> used; // by condition: it has a branch
	std::map<const llvm::Instruction *, uint32_t> branch_of;
	std::map<const llvm::BasicBlock *, uint32_t> block;
	uint32_t outcomes = 0, blocks = 0;
};

// Removes all that served the marking only; leaves the metadata listed in front.h.
Numbers lower_marks(llvm::Module &m, const Marks &marks);

} // namespace duct

#endif
