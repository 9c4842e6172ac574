// padding: bytes of objects that belong to no value: between and behind the members of a structure,
// and of x86's long double. Passing an object by value need not copy them (C11 6.2.6.1).
#ifndef DUCT_FRONT_PADDING_H
#define DUCT_FRONT_PADDING_H

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/DebugInfoMetadata.h>

namespace duct
{

// Ranges [from, to) of such bytes in an object of the type. A union has none: another member may
// have a value there. Objects of more than 64 KiB are not looked at.
llvm::SmallVector<std::pair<uint64_t, uint64_t>, 4> padding(const llvm::DIType *t);

} // namespace duct

#endif
