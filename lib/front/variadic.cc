#include "lib/front/variadic.h"

extern "C" {
#include "lib/clib/clib.h"
}

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace duct
{
namespace
{

// Is it loaded from a va_list: the register save area or the stack arguments?
Value *list_of_area(Value *p)
{
	auto *load = dyn_cast<LoadInst>(getUnderlyingObject(p, 0));
	auto *gep = load ? dyn_cast<GetElementPtrInst>(load->getPointerOperand()) : nullptr;
	auto *type = gep ? dyn_cast<StructType>(gep->getSourceElementType()) : nullptr;
	if (!type || !type->hasName() || !type->getName().starts_with("struct.__va_list_tag")
	    || gep->getNumIndices() != 2)
		return nullptr;
	auto *member = dyn_cast<ConstantInt>(gep->getOperand(2));
	return member && member->getZExtValue() >= 2 ? gep->getPointerOperand() : nullptr;
}

bool is_library(const Function &f)
{
	return clib_find(f.getName().str().c_str()) || f.getName().starts_with("duct_");
}

FunctionCallee runtime(Module &m, const char *name, Type *result, ArrayRef<Type *> types)
{
	return m.getOrInsertFunction(name, FunctionType::get(result, types, false));
}

// Packed numbers of general registers, vector registers and stack words, for duct_rt_va_pass.
uint32_t passed(const CallBase &call)
{
	const DataLayout &dl = call.getModule()->getDataLayout();
	VariadicLayout l;
	unsigned at, fixed_words = 0;
	for (unsigned i = 0; i < call.arg_size(); i++) {
		bool byval = call.isByValArgument(i);
		Type *own = call.getArgOperand(i)->getType(),
		     *t = byval ? call.getParamByValType(i) : own;
		if (i == call.getFunctionType()->getNumParams())
			fixed_words = l.words;
		l.next(own, byval, dl.getTypeAllocSize(t),
		    std::max<uint64_t>(call.getParamAlign(i).valueOrOne().value(),
		        t->isX86_FP80Ty() || t->isIntegerTy(128) ? 16 : 1),
		    at);
	}
	if (call.arg_size() == call.getFunctionType()->getNumParams())
		fixed_words = l.words;
	return l.general | l.vector << 8 | std::min(l.words - fixed_words, 0xfffeu) << 16;
}

void plant_pass(Module &m, CallBase &call)
{
	IRBuilder<> b(&call);
	auto *f = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	if (!call.getFunctionType()->isVarArg() || call.isInlineAsm()
	    || (f && (f->isIntrinsic() || is_library(*f))))
		return;
	b.CreateCall(runtime(m, "duct_rt_va_pass", b.getVoidTy(), { b.getPtrTy(), b.getInt32Ty() }),
	    { call.getCalledOperand(), b.getInt32(passed(call)) });
}

constexpr uint64_t list_bytes = 24; // of a va_list on x86-64

// A va_list is a structure, of which copies are followed as of any other.
bool copy_list(Module &m, CallBase &call)
{
	auto *in = dyn_cast<IntrinsicInst>(&call);
	if (!in || in->getIntrinsicID() != Intrinsic::vacopy
	    || !StringRef(m.getTargetTriple()).starts_with("x86_64"))
		return false;
	IRBuilder<> b(&call);
	CallInst *copy = b.CreateMemCpy(
	    call.getArgOperand(0), Align(8), call.getArgOperand(1), Align(8), list_bytes);
	copy->copyMetadata(call);
	call.eraseFromParent();
	return true;
}

void plant_begin(Module &m, Function &f)
{
	SmallVector<CallBase *, 2> starts;
	for (BasicBlock &block : f)
		for (Instruction &i : block)
			if (auto *in = dyn_cast<IntrinsicInst>(&i);
			    in && in->getIntrinsicID() == Intrinsic::vastart)
				starts.push_back(in);
	if (starts.empty() || is_library(f))
		return;
	IRBuilder<> b(&*f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	b.SetCurrentDebugLocation(DebugLoc());
	Type *i32 = b.getInt32Ty(), *ptr = b.getPtrTy();
	Value *given = b.CreateCall(runtime(m, "duct_rt_va_passed", i32, { ptr }), { &f });
	for (CallBase *start : starts)
		IRBuilder<>(start->getNextNode())
		    .CreateCall(runtime(m, "duct_rt_va_begin", b.getVoidTy(), { ptr, i32 }),
		        { start->getArgOperand(0), given });
}

} // namespace

Value *va_list_of(Value *address)
{
	Value *list = list_of_area(address);
	auto *phi = dyn_cast<PHINode>(getUnderlyingObject(address, 0));
	for (unsigned i = 0; !list && phi && i < phi->getNumIncomingValues(); i++)
		list = list_of_area(phi->getIncomingValue(i));
	return list;
}

void plant_variadic(Module &m)
{
	SmallVector<CallBase *, 16> calls;
	for (Function &f : m) {
		for (BasicBlock &block : f)
			for (Instruction &i : block)
				if (auto *call = dyn_cast<CallBase>(&i))
					calls.push_back(call);
		if (!f.isDeclaration() && f.isVarArg())
			plant_begin(m, f);
	}
	for (CallBase *call : calls)
		if (!copy_list(m, *call))
			plant_pass(m, *call);
}

} // namespace duct
