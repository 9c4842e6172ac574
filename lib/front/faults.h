// faults: in which ways an instruction may fail, and the memory that it accesses; private to
// faults.cc and checks.cc.
#ifndef DUCT_FRONT_FAULTS_H
#define DUCT_FRONT_FAULTS_H

#include "lib/front/checks.h"
#include "lib/front/weave.h"

#include <llvm/ADT/SmallVector.h>

namespace duct
{

// A memory access: `bytes` bytes from p on. For a library function `bytes` may be null: then `how`
// says in which way their number depends on p, q and n.
struct Touch {
	llvm::Value *p, *bytes;
	enum duct_touch how;
	llvm::Value *q, *n;
	bool modelled = false, writes = false;
};

// The shift amount before clang converted it to the left operand's type.
llvm::Value *shift_amount(const llvm::Instruction &i);
// Is it a name reserved for duct that the unit does not define?
bool is_reserved(const llvm::GlobalValue &v);
// Is the access always within a variable?
bool is_within(const llvm::Instruction &i, const Touch &a);
// An index into an array inside a larger object, whose overflow the access alone would not show.
// Arrays of at most one element, and the last in a structure, may be longer than declared.
const llvm::Value *part_index(const llvm::Instruction &i);
// Library models of these functions report what they read or wrote (duct_rt_written).
bool tells_bytes(const llvm::Instruction &i);
bool frees(const llvm::Instruction &i);
llvm::SmallVector<Touch, 2> accesses(llvm::Instruction &i);
// Divisions, overflows and shifts: bits as of faults_of.
uint32_t arithmetic_faults(const llvm::Instruction &i);
// The condition or address that an instruction depends on; nullptr: uninitialised memory cannot
// affect it.
llvm::Value *decision(llvm::Instruction &i);

} // namespace duct

#endif
