// ways: cases of a switch that run the same code.
#ifndef DUCT_FRONT_WAYS_H
#define DUCT_FRONT_WAYS_H

#include <cstdint>
#include <vector>

#include <llvm/IR/Instructions.h>

namespace duct
{

// For each case the first one that leads to the same code.
std::vector<uint32_t> ways_of(const llvm::SwitchInst &s);

} // namespace duct

#endif
