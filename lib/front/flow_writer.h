// flow_writer: shared by the parts of the flow(5) writer (dump, inst, access, data).
#ifndef DUCT_FRONT_FLOW_WRITER_H
#define DUCT_FRONT_FLOW_WRITER_H

#include "lib/front/lower.h"
#include "lib/front/objectives.h"
#include "lib/front/out.h"
#include "lib/front/type.h"

#include <clang/AST/Decl.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace duct
{

struct Variable {
	uint32_t id = 0;
	const clang::VarDecl *decl = nullptr;
};

// An object and a place in it. `base`: C text of an lvalue, or of a pointer if `deref`.
struct Access {
	Variable var; // id 0: through a pointer, or unknown
	std::string base;
	bool deref = false;
	clang::QualType type; // of base or its target
	int64_t offset = 0;
	llvm::SmallVector<uint64_t, 2> scale; // strides of variable indices
	bool valid = false;
};

// The bits of a storage unit that a bit-field access uses; count 0: all.
struct Bits {
	unsigned first = 0, count = 0;
};

struct FlowWriter {
	FlowWriter(const clang::ASTContext &a, clang::CodeGenerator &g, const Marks &k,
	    const Numbers &n, llvm::Module &mod)
	    : ast(a), generator(g), marks(k), numbers(n), m(mod), layout(mod.getDataLayout()),
	      types(a, out)
	{
	}

	const clang::ASTContext &ast;
	clang::CodeGenerator &generator;
	const Marks &marks;
	const Numbers &numbers;
	llvm::Module &m;
	const llvm::DataLayout &layout;
	// checks: the `check` records, which come last
	Out out, checks;
	// the numbers in the woven code of all functions except the harness's; of this function
	std::string numbering, numbered;
	void number(uint32_t n)
	{
		numbered += std::to_string(n) + " ";
	}
	void number(const llvm::Function &f, uint32_t id)
	{
		for (uint32_t n :
		    { id, numbers.block.at(&f.getEntryBlock()), (uint32_t)f.size(), defs, insts })
			number(n);
		numbering += f.getName().str() + "\n" + numbered;
	}
	uint32_t checks_wanted = 0, wanted = 0; // requested in all; in the current function
	std::unique_ptr<Objectives> objectives; // at instructions; null: not requested
	// attach !duct.access for the weaver: requested in all; in the current function
	bool pairs_wanted = false, pairs = false;
	// only the harness is woven; whether the current function is woven
	bool harness_only = false, woven = true;
	Types types;

	std::map<std::string, uint32_t> files;      // by name as written
	std::map<std::string, std::string> spelled; // absolute path -> name in the AST
	llvm::DenseMap<const llvm::DIFile *, uint32_t> di_files;
	llvm::DenseMap<const llvm::Value *, Variable> var; // by alloca, argument or global
	llvm::DenseMap<const llvm::Value *, uint32_t> inst, data;
	std::map<std::string, std::vector<size_t>> dropped_of; // by function: unused conditions
	std::map<size_t, uint32_t> branch_of;                  // two-way branches by condition
	std::map<std::string, std::vector<std::vector<size_t>>>
	    decisions_of; // by function: operands of each, in order
	uint32_t vars = 0, insts = 0, defs = 0, uses = 0, funcs = 0;

	// dump.cc
	void unit();
	uint32_t file(const std::string &name);
	uint32_t file(const llvm::DIFile *f);
	Out &at(const Place &p);
	Out &at(const llvm::DebugLoc &loc)
	{
		return at(out, loc);
	}
	Out &at(Out &to, const llvm::DebugLoc &loc);
	std::string name_of(const llvm::GlobalValue *g);
	void globals();
	void qualified(const clang::VarDecl *d);
	void exact(const std::string &object, const llvm::Value &v);
	void function(llvm::Function &f);
	void static_locals(llvm::Function &f, const clang::FunctionDecl *decl, uint32_t id);
	void variables(llvm::Function &f, const clang::FunctionDecl *decl, uint32_t id);
	void variable(
	    const llvm::Value *v, const clang::VarDecl *d, uint32_t func, char kind, int defined);
	void blocks(llvm::Function &f, uint32_t id);
	void branches(llvm::Function &f, uint32_t id);
	void cases(uint32_t id, const llvm::SwitchInst *s, const Condition &c);
	void find_decisions();
	std::string after(size_t next);
	void decision(const std::vector<size_t> &operands, uint32_t number);
	void decisions(const std::string &func);
	void labels(llvm::Function &f);
	void edges(llvm::Function &f);
	void dropped(const std::string &func, uint32_t id);
	void limits(const std::string &func, uint32_t id);

	// data.cc
	void datum(const llvm::GlobalVariable *g);
	void initial(const llvm::GlobalVariable *g, const std::string &object);

	// inst.cc
	void number(llvm::Function &f);
	void instructions(llvm::Function &f);
	void instruction(llvm::Instruction &i, uint32_t block);
	void operands(llvm::Instruction &i, bool known);
	void exact(const llvm::Instruction &i);
	void check(llvm::Instruction &i);
	void objective(llvm::Instruction &i);
	std::string operand(const llvm::Value *v);
	std::string signature(const llvm::CallBase &call);
	bool skipped(const llvm::Instruction &i);
	bool writes_temporary(const llvm::Instruction &i);
	void note_inst(llvm::Instruction &i);
	bool is_brace(const llvm::DebugLoc &loc);
	llvm::DebugLoc position(const llvm::Instruction &i);

	// access.cc
	Access access(const llvm::Value *pointer, int depth = 0);
	std::string path(const Access &a, uint64_t size, Bits bits, clang::QualType *type);
	void effects(llvm::Instruction &i);
	void call_effects(llvm::CallBase &c);
	void effect(const char *tag, uint32_t &ids, llvm::Instruction &i,
	    const llvm::Value *pointer, uint64_t size, std::string how, Bits bits);
	void note(llvm::Instruction &i, const llvm::Value *pointer, bool def, uint32_t id,
	    bool entry, uint64_t size, Bits bits);
};

} // namespace duct

#endif
