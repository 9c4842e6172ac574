// variadic: variable arguments of calls, by the System V rules of x86-64, and their reading beyond what was passed.
#ifndef DUCT_FRONT_VARIADIC_H
#define DUCT_FRONT_VARIADIC_H

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace duct {

// Where the variable arguments of a call lie, by the System V rules of x86-64: slots of the
// general registers, of the vector registers, then stack words.
struct VariadicLayout {
	static const unsigned registers = 6 + 8;
	unsigned general = 0, vector = 0, words = 0;

	// Slot of an argument among the variable ones; false when it has no node to give.
	bool next(llvm::Type *t, bool byval, uint64_t bytes, uint64_t align, unsigned &at)
	{
		bool number = t->isFloatTy() || t->isDoubleTy(), vec = number || t->isVectorTy() || t->isHalfTy();
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

// The va_list that an address was taken from, by va_arg; nullptr: the address is another one.
llvm::Value *va_list_of(llvm::Value *address);
// Functions learn how many variable arguments they were passed (lib/runtime/variadic.c).
void plant_variadic(llvm::Module &m);

} // namespace duct

#endif
