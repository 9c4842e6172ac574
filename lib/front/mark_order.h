// mark_order: see mark_order.cc.
#ifndef DUCT_MARK_ORDER_H
#define DUCT_MARK_ORDER_H

#include <llvm/ADT/ArrayRef.h>

namespace duct
{

// An object file that was just made: its marks get an order that depends on its code alone.
void order_marks(llvm::MutableArrayRef<char> object);

} // namespace duct

#endif
