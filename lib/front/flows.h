// flows: private to flows.cc and flows_calls.cc.
#ifndef DUCT_FRONT_FLOWS_H
#define DUCT_FRONT_FLOWS_H

#include "lib/front/weave.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>

#include <functional>
#include <map>

namespace duct
{

// The join point of each block's successors (post-dominator); calls that never return are ignored.
struct Joins {
	llvm::DenseMap<const llvm::BasicBlock *, uint32_t> number;
	llvm::SmallVector<llvm::BasicBlock *, 32> block;
	std::vector<uint32_t> idom; // by number; the exit's number is block.size()

	explicit Joins(llvm::Function &f);

	// The join point; null: at the end of the function, or never.
	llvm::BasicBlock *of(const llvm::BasicBlock *b) const
	{
		uint32_t n = idom[number.lookup(b)];
		return n < block.size() ? block[n] : nullptr;
	}
};

// Plants the labels of a unit's functions.
class Flows
{
      public:
	using B = llvm::IRBuilder<>;

	Flows(llvm::Module &module, uint64_t unit_key)
	    : m(module), c(module.getContext()), dl(module.getDataLayout()), key(unit_key)
	{
		i32 = llvm::Type::getInt32Ty(c);
		i64 = llvm::Type::getInt64Ty(c);
		ptr = llvm::PointerType::get(c, 0);
		none = llvm::ConstantInt::get(i32, 0);
	}
	void plant(llvm::Function &fn);

      private:
	llvm::Module &m;
	llvm::LLVMContext &c;
	const llvm::DataLayout &dl;
	uint64_t key;       // of the unit
	uint64_t sites = 0; // sites numbered so far in the unit
	llvm::Type *i32, *i64;
	llvm::PointerType *ptr;
	llvm::Value *none; // the empty label
	llvm::StructType *place_type = nullptr;
	llvm::DenseMap<const llvm::MDNode *, llvm::Constant *> places;
	std::map<std::string, llvm::Constant *> texts;

	llvm::Function *f = nullptr;
	llvm::Value *context = nullptr;        // identifies this activation
	llvm::Value *variable_label = nullptr; // label of the variable arguments
	llvm::Value *variable_count = nullptr;
	llvm::DenseMap<const llvm::Value *, llvm::Value *> labels;
	llvm::MapVector<const llvm::AllocaInst *, llvm::AllocaInst *> own; // label variables
	// by block: label variables stored to
	llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::AllocaInst *, 4>> stores;
	const Joins *joins = nullptr;
	llvm::SmallVector<llvm::PHINode *, 16> phis;
	// by block: iteration counters of its loops
	llvm::DenseMap<const llvm::BasicBlock *, llvm::SmallVector<llvm::Value *, 2>> rounds;
	llvm::SetVector<llvm::BasicBlock *> ends; // blocks where scopes close

	// Code that runs only for a nonempty label; built after the CFG is final.
	struct Cold {
		llvm::Instruction *at;
		llvm::Value *test;
		std::function<void(B &)> build;
	};
	std::vector<Cold> cold;

	llvm::FunctionCallee rt(
	    const char *name, llvm::Type *result, llvm::ArrayRef<llvm::Type *> args) const;
	llvm::Value *label(const llvm::Value *v) const;
	llvm::Value *join(B &b, llvm::Value *x, llvm::Value *y) const;
	llvm::Value *operands(B &b, const llvm::User &u) const;
	llvm::Value *load_word(B &b, const char *name, llvm::Type *t) const;
	void store_word(B &b, const char *name, llvm::Value *v) const;
	llvm::Value *element(B &b, const char *name, llvm::Type *t, unsigned i) const;
	llvm::Constant *place(const llvm::Instruction &i);
	llvm::Constant *text(llvm::StringRef s);
	llvm::Value *mix(B &b, llvm::Value *x, llvm::Value *y) const;
	llvm::Value *name_of(B &b, const llvm::BasicBlock &block, uint64_t site);
	// Where a scope closes: at a block; at the end of the function (null); or after a call, by
	// its site.
	static constexpr uint64_t after_call = 1ull << 32;
	uint64_t end_of(const llvm::BasicBlock *block) const;
	llvm::Value *named_end(B &b, uint64_t end) const;
	void find_variables();
	void count_rounds();
	void enter();
	void visit(llvm::Instruction &i);
	void visit_load(llvm::LoadInst &i);
	void visit_store(llvm::Instruction &at, llvm::Value *p, llvm::Value *v, llvm::Value *l);
	void visit_rmw(llvm::Instruction &i, llvm::Value *p, llvm::Value *with);
	void visit_call(llvm::CallBase &call);
	bool visit_intrinsic(llvm::IntrinsicInst &i);
	bool visit_library(llvm::CallBase &call, llvm::StringRef name);
	void pass_arguments(B &b, llvm::CallBase &call);
	llvm::Value *outside(B &b, llvm::CallBase &call, llvm::StringRef name);
	void decide(llvm::Instruction &at, llvm::Value *l);
	void visit_condition(llvm::Instruction &i, llvm::Value *cond, uint64_t end);
	llvm::AllocaInst *variable();
	llvm::Value *closes(
	    llvm::Instruction *at, uint64_t end, llvm::ArrayRef<llvm::AllocaInst *> list);
	void close(llvm::BasicBlock &b);
	void visit_return(llvm::ReturnInst &ret);
	void written(const llvm::BasicBlock *from, const llvm::BasicBlock *end,
	    llvm::SetVector<llvm::AllocaInst *> &out) const;
	void fill_phis();
	void build_cold();
};

} // namespace duct

#endif
