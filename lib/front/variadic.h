// variadic: variable arguments by the System V ABI of x86-64, and reads beyond those passed.
#ifndef DUCT_FRONT_VARIADIC_H
#define DUCT_FRONT_VARIADIC_H

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace duct
{

// Locations of a call's variable arguments (System V ABI, x86-64): slots of general registers, then
// vector registers, then stack words.
struct VariadicLayout {
	static const unsigned registers = 6 + 8;
	unsigned general = 0, vector = 0, words = 0;

	// Slot of the next variable argument; false when it has no node.
	bool next(llvm::Type *t, bool byval, uint64_t bytes, uint64_t align, unsigned &at)
	{
		bool number = t->isFloatTy() || t->isDoubleTy(),
		     vec = number || t->isVectorTy() || t->isHalfTy();
		if (!byval && vec && vector < 8) {
			at = 6 + vector++;
			return number;
		}
		if (!byval && t->isIntOrPtrTy() && bytes <= 8 && general < 6) {
			at = general++;
			return true;
		}
		if (!byval && t->isIntOrPtrTy() && bytes > 8 && general + 1 < 6) {
			general += 2;
			return false;
		}
		if (align > 8 && words % 2)
			words++;
		at = registers + words;
		words += (bytes + 7) / 8;
		return !byval && ((t->isIntOrPtrTy() && bytes <= 8) || number || t->isX86_FP80Ty());
	}
};

// The va_list from which va_arg computed an address; nullptr: other address.
llvm::Value *va_list_of(llvm::Value *address);
// Informs functions how many variable arguments they got (lib/runtime/variadic.c).
void plant_variadic(llvm::Module &m);

} // namespace duct

#endif
