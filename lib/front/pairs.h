// pairs: private to pairs*.cc.
#ifndef DUCT_FRONT_PAIRS_H
#define DUCT_FRONT_PAIRS_H

#include "lib/front/weave.h"

#include <llvm/ADT/DenseMap.h>

namespace duct
{

// A record of a definition or use that an instruction is (!duct.access).
struct Note {
	bool def, entry;
	uint32_t id, where, number, bit, bits;
	uint64_t size;
};

llvm::SmallVector<Note, 2> notes(const llvm::Instruction &i);
uint32_t inst_of(const llvm::Instruction &i); // its id in the program model; 0: none

// The operand of markers that represents a callee (pairs_calls.cc).
llvm::Value *pair_token(llvm::Module &m, llvm::Value *callee);

// Plants the markers of a unit's functions.
class Planter
{
      public:
	using B = llvm::IRBuilder<>;

	Planter(llvm::Module &mod, std::vector<PairSlot> &all)
	    : m(mod), c(mod.getContext()), dl(mod.getDataLayout()), slots(all),
	      i1(llvm::Type::getInt1Ty(c)), i32(llvm::Type::getInt32Ty(c)),
	      i64(llvm::Type::getInt64Ty(c)), ptr(llvm::PointerType::get(c, 0))
	{
	}
	void plant(llvm::Function &fn);

      private:
	llvm::Module &m;
	llvm::LLVMContext &c;
	const llvm::DataLayout &dl;
	std::vector<PairSlot> &slots;
	llvm::IntegerType *i1, *i32, *i64;
	llvm::PointerType *ptr;

	// state of the current function
	llvm::Function *f = nullptr;
	bool jumps = false; // it contains calls that return twice
	llvm::Value *serial = nullptr, *site = nullptr, *saved = nullptr;
	// by scalar whose address is never taken: its last definition
	llvm::DenseMap<const llvm::Value *, llvm::AllocaInst *> last;
	llvm::SmallVector<llvm::AllocaInst *, 8> objects; // other variables of fixed size
	// return slot and its last definition
	llvm::AllocaInst *result = nullptr, *result_last = nullptr;
	llvm::DenseMap<const llvm::Value *, unsigned> order;

	llvm::CallInst *call(
	    B &b, const llvm::Twine &name, llvm::Type *type, llvm::ArrayRef<llvm::Value *> args);
	llvm::Value *number(uint64_t v)
	{
		return llvm::ConstantInt::get(i32, v);
	}
	// The writer at entry: a harness creates the contents of memory.
	llvm::Value *nobody()
	{
		return number(
		    f->hasFnAttribute("duct.harness") ? DUCT_WRITER_NONE : DUCT_WRITER_DEAD);
	}
	bool is_scalar(llvm::AllocaInst &a);
	void find_result();
	void enter();
	void begin_object(B &b, llvm::AllocaInst &a);
	void leave(llvm::Instruction &ret);
	void keep(B &b, llvm::Value *label, llvm::AllocaInst *where);
	void define(llvm::Instruction &i);
	void define_note(B &b, llvm::Instruction &i, const Note &n);
	void forget(llvm::Instruction &i, llvm::Value *p, llvm::Value *size);
	llvm::Value *address(llvm::Instruction &i, const Note &n);
	llvm::Value *size_of(llvm::Instruction &i, const Note &n);
	void use(llvm::Instruction &i);
	void ask_library(B &b, llvm::CallBase &i, llvm::StringRef name);
	void around_call(llvm::CallBase &i);
	void around_asm(llvm::CallBase &i);
	uint32_t slot(char kind, uint32_t use, bool local, uint32_t outcome, uint32_t count = 1);
	void follow(
	    llvm::Instruction &from, llvm::Value *label, char kind, uint32_t id, bool local);
	void arrive(llvm::Instruction &i, llvm::Value *label, char kind, uint32_t id, bool local,
	    uint32_t &c_slot);
	void decide(llvm::Instruction &i, llvm::Value *label, char kind, uint32_t id, bool local);
	llvm::Value *pass(
	    llvm::Instruction &i, llvm::DenseMap<const llvm::Value *, llvm::Value *> &label);
	void pass_all(llvm::Instruction &from, llvm::Value *label,
	    llvm::ArrayRef<llvm::Instruction *> sorted,
	    llvm::DenseMap<const llvm::Value *, llvm::Value *> &labels);
};

} // namespace duct

#endif
