// tables: the tables of characters' classes that the macros of <ctype.h> read. glibc's functions
// that return where their addresses stand are no calls in woven code, but the library models'
// tables themselves (share/libc/ctype.c).
#include "lib/front/weave.h"

namespace duct
{

using namespace llvm;

static const struct {
	const char *function, *table, *address; // the latter two: its variables
	unsigned width;
} tables[] = {
	{ "__ctype_b_loc", "duct_model_classes", "duct_model_classes_at", 16 },
	{ "__ctype_tolower_loc", "duct_model_lower", "duct_model_lower_at", 32 },
	{ "__ctype_toupper_loc", "duct_model_upper", "duct_model_upper_at", 32 },
};

static const unsigned entries = 384, first = 128; // the entry of character 0

bool is_table(const GlobalVariable &g)
{
	return any_of(tables,
	    [&](const auto &t) { return g.getName() == t.table || g.getName() == t.address; });
}

bool gives_table(const Function &f)
{
	return f.isDeclaration()
	    && any_of(tables, [&](const auto &t) { return f.getName() == t.function; });
}

static GlobalVariable *constant(Module &m, const char *name, Type *type)
{
	auto *g = cast<GlobalVariable>(m.getOrInsertGlobal(name, type));
	g->setConstant(true);
	g->setVisibility(GlobalValue::HiddenVisibility);
	return g;
}

// The call's result is the address of a constant pointer to the table's middle.
static void replace(CallInst &call, GlobalVariable *table, GlobalVariable *address)
{
	Constant *middle = ConstantExpr::getInBoundsGetElementPtr(table->getValueType(), table,
	    ArrayRef<Constant *>{ ConstantInt::get(Type::getInt64Ty(call.getContext()), 0),
	        ConstantInt::get(Type::getInt64Ty(call.getContext()), first) });
	for (User *u : make_early_inc_range(call.users()))
		if (auto *load = dyn_cast<LoadInst>(u); load && load->getType()->isPointerTy()) {
			load->replaceAllUsesWith(middle);
			load->eraseFromParent();
		}
	call.replaceAllUsesWith(address);
	call.eraseFromParent();
}

// Code for a shared library reaches variables of the program by exported names only, and the
// library models' tables have none.
static bool is_for_shared_library(const Module &m)
{
	return m.getPICLevel() != PICLevel::NotPIC && m.getPIELevel() == PIELevel::Default;
}

void plant_tables(Module &m)
{
	if (is_for_shared_library(m))
		return;
	LLVMContext &c = m.getContext();
	for (const auto &t : tables) {
		Function *f = m.getFunction(t.function);
		if (!f || !f->isDeclaration())
			continue;
		GlobalVariable *table =
		    constant(m, t.table, ArrayType::get(IntegerType::get(c, t.width), entries));
		GlobalVariable *address = constant(m, t.address, PointerType::get(c, 0));
		for (User *u : make_early_inc_range(f->users()))
			if (auto *call = dyn_cast<CallInst>(u); call
			    && call->getCalledOperand() == f && call->arg_empty()
			    && call->getType()->isPointerTy())
				replace(*call, table, address);
	}
}

} // namespace duct
