// lower: the IR side of mark.h: takes marks and profile intrinsics out of a module again.
#ifndef DUCT_FRONT_LOWER_H
#define DUCT_FRONT_LOWER_H

#include "lib/front/mark.h"

#include <map>

namespace llvm { class BasicBlock; class Function; class Instruction; class Module; }

namespace duct {

// A branch of the IR that a condition became; id - 1 is its place in Numbers::branch.
struct Branch {
	llvm::Instruction *inst = nullptr;       // br, switch or select
	size_t condition = 0;                    // index in Marks::condition
	int range = -1;                          // case label of a range that became a two-way branch
	uint32_t first = 0;                      // first outcome
	unsigned kind = 0;                       // enum duct_branch_kind
};

struct Numbers {
	std::vector<Branch> branch;
	std::vector<bool> used;                  // by condition: some branch came of it
	std::map<const llvm::Instruction *, uint32_t> branch_of;
	std::map<const llvm::BasicBlock *, uint32_t> block;
	uint32_t outcomes = 0, blocks = 0;
};

// Removes what only served the marking and leaves the metadata of front.h.
Numbers lower_marks(llvm::Module &m, const Marks &marks);

} // namespace duct

#endif
