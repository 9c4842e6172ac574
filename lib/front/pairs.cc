// pairs: plants markers of definitions and uses, before the optimiser. Each use has a label: the
// definition that it read. Labels are passed along with values to the computations and decisions
// that use them.
//
// A scalar whose address is never taken has a variable for its last definition, which the optimiser
// keeps in a register; the runtime tracks the last definitions of all other memory, per byte.
#include "lib/front/pairs.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>

namespace duct
{

using namespace llvm;

const char marker_pair[] = "duct.pair";

// Like marker(), but it does not access the targets of its pointer arguments.
Function *pair_marker(Module &m, const Twine &name, Type *result, ArrayRef<Type *> args)
{
	LLVMContext &c = m.getContext();
	FunctionCallee callee =
	    m.getOrInsertFunction(name.str(), FunctionType::get(result, args, false));
	auto *f = cast<Function>(callee.getCallee());
	for (auto kind : { Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
	         Attribute::NoCallback, Attribute::NoMerge, Attribute::NoFree })
		f->addFnAttr(kind);
	f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
	f->addFnAttr("call-inline-cost", "0"); // as without pairs
	for (unsigned i = 0; i < args.size(); i++)
		if (args[i]->isPointerTy()) {
			f->addParamAttr(i, Attribute::get(c, Attribute::NoCapture));
			f->addParamAttr(i, Attribute::get(c, Attribute::ReadNone));
		}
	return f;
}

SmallVector<Note, 2> notes(const Instruction &i)
{
	SmallVector<Note, 2> out;
	if (MDNode *all = i.getMetadata("duct.access"))
		for (const MDOperand &o : all->operands()) {
			auto *n = cast<MDNode>(o.get());
			out.push_back(
			    { operand(n, 0) != 0, operand(n, 6) != 0, (uint32_t)operand(n, 1),
			        (uint32_t)operand(n, 2), (uint32_t)operand(n, 3),
			        (uint32_t)operand(n, 4), (uint32_t)operand(n, 5), operand(n, 7) });
		}
	return out;
}

uint32_t inst_of(const Instruction &i)
{
	MDNode *n = i.getMetadata("duct.inst");
	return n ? operand(n, 0) : 0;
}

CallInst *Planter::call(B &b, const Twine &name, Type *type, ArrayRef<Value *> args)
{
	SmallVector<Type *, 6> types;
	for (Value *v : args)
		types.push_back(v->getType());
	b.SetCurrentDebugLocation(DebugLoc());
	return b.CreateCall(pair_marker(m, marker_pair + name, type, types), args);
}

// Is the variable only loaded and stored as a whole, with records?
bool Planter::is_scalar(AllocaInst &a)
{
	std::optional<TypeSize> size = a.getAllocationSize(dl);
	bool met = false;
	for (const User *u : a.users()) {
		auto *load = dyn_cast<LoadInst>(u);
		auto *store = dyn_cast<StoreInst>(u);
		auto *note = dyn_cast<IntrinsicInst>(u);
		if (note && note->isAssumeLikeIntrinsic())
			continue;
		if (!size || (!load && !store) || (store && store->getValueOperand() == &a))
			return false;
		Type *t = load ? load->getType() : store->getValueOperand()->getType();
		SmallVector<Note, 2> all = notes(*cast<Instruction>(u));
		if (dl.getTypeStoreSize(t) != *size || all.size() != 1 || all[0].bits
		    || all[0].where)
			return false;
		met = true;
	}
	return met;
}

// Finds the slot from which the only return loads its value.
void Planter::find_result()
{
	result = nullptr;
	for (BasicBlock &b : *f)
		if (auto *ret = dyn_cast<ReturnInst>(b.getTerminator()))
			if (auto *load = dyn_cast_or_null<LoadInst>(ret->getReturnValue()))
				if (auto *a = dyn_cast<AllocaInst>(load->getPointerOperand());
				    a && notes(*load).empty())
					result = a;
}

namespace
{

// Is it a temporary that only this function's instructions access?
bool is_inner(const Value *p)
{
	for (const User *u : p->users()) {
		auto *store = dyn_cast<StoreInst>(u);
		auto *in = dyn_cast<IntrinsicInst>(u);
		auto *gep = dyn_cast<GetElementPtrInst>(u);
		if (isa<LoadInst>(u) || (store && store->getValueOperand() != p)
		    || (in && (in->isAssumeLikeIntrinsic() || isa<MemIntrinsic>(in)))
		    || (gep && is_inner(gep)))
			continue;
		if (!isa<Instruction>(u) || !is_marker_call(*cast<Instruction>(u)))
			return false;
	}
	return true;
}

bool is_noted(const Value *p)
{
	for (const User *u : p->users()) {
		auto *i = dyn_cast<Instruction>(u);
		if (i && (!notes(*i).empty() || (isa<GetElementPtrInst>(i) && is_noted(i))))
			return true;
	}
	return false;
}

} // namespace

// Marks an object of this activation as undefined.
void Planter::begin_object(B &b, AllocaInst &a)
{
	Value *size = b.CreateMul(b.CreateZExtOrTrunc(a.getArraySize(), i64),
	    b.getInt64(dl.getTypeAllocSize(a.getAllocatedType())));
	call(b, ".def", b.getVoidTy(), { &a, size, nobody(), serial });
}

void Planter::enter()
{
	B b(&*f->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	bool local = f->hasLocalLinkage() && !f->hasAddressTaken();
	Value *self = pair_token(m, f);
	saved = local ? nullptr : call(b, ".saved", i64, { self });
	site = call(b, ".enter", i32, { self });
	serial = call(b, ".serial", i32, {});
	for (Argument &a : f->args())
		if (saved && a.getType()->isPointerTy())
			call(b, ".back", b.getVoidTy(), { saved, &a });
	SmallVector<AllocaInst *, 16> all;
	for (Instruction &i : instructions(*f))
		if (auto *a = dyn_cast<AllocaInst>(&i))
			all.push_back(a);
	B first(&f->getEntryBlock(), f->getEntryBlock().begin());
	objects.clear();
	result_last = result ? first.CreateAlloca(i32) : nullptr;
	if (result_last)
		b.CreateStore(number(0), result_last);
	for (AllocaInst *a : all) {
		if (is_scalar(*a)) {
			last[a] = first.CreateAlloca(i64);
			keep(b, b.getInt64(0), last[a]);
		} else if (!is_inner(a) || is_noted(a)) {
			bool there = a->isStaticAlloca() && a->comesBefore(&*b.GetInsertPoint());
			B at(there ? &*b.GetInsertPoint() : a->getNextNode());
			begin_object(at, *a);
			if (a->isStaticAlloca() && !is_inner(a))
				objects.push_back(a);
		}
	}
}

void Planter::leave(Instruction &ret)
{
	CallInst *tail = ret.getParent()->getTerminatingMustTailCall();
	B b(tail ? (Instruction *)tail : &ret);
	if (!f->getReturnType()->isVoidTy()) {
		Value *who =
		    result_last ? (Value *)b.CreateLoad(i32, result_last) : number(inst_of(ret));
		call(b, ".returns", b.getVoidTy(), { pair_token(m, f), who });
	}
	for (AllocaInst *a : objects)
		begin_object(b, *a); // undefined for the next owner of the memory
	if (saved)
		call(b, ".leave", b.getVoidTy(), { saved });
}

void Planter::keep(B &b, Value *label, AllocaInst *where)
{
	b.CreateStore(label, where, jumps);
}

Value *Planter::address(Instruction &i, const Note &n)
{
	if (n.where == 2)
		return f->getArg(n.number);
	if (n.where == 1)
		return cast<CallBase>(i).getArgOperand(n.number);
	if (auto *load = dyn_cast<LoadInst>(&i))
		return load->getPointerOperand();
	if (auto *store = dyn_cast<StoreInst>(&i))
		return store->getPointerOperand();
	if (auto *copy = dyn_cast<AnyMemTransferInst>(&i))
		return n.def ? copy->getRawDest() : copy->getRawSource();
	return cast<AnyMemIntrinsic>(i).getRawDest();
}

Value *Planter::size_of(Instruction &i, const Note &n)
{
	B b(&i);
	if (auto *copy = dyn_cast<AnyMemIntrinsic>(&i); copy && !n.where)
		return b.CreateZExtOrTrunc(copy->getLength(), i64);
	return b.getInt64(n.size);
}

void Planter::define_note(B &b, Instruction &i, const Note &n)
{
	Value *p = address(i, n);
	if (auto it = last.find(p); it != last.end()) {
		Value *label = b.getInt64((uint64_t)DUCT_SAME << DUCT_LABEL_WHEN | n.id);
		if (n.entry)
			label = b.CreateOr(
			    label, b.CreateShl(b.CreateZExt(site, i64), DUCT_LABEL_SITE));
		return keep(b, label, it->second);
	}
	if (n.bits)
		call(b, ".bits", b.getVoidTy(),
		    { p, number(n.bit), number(n.bits), number(n.id), serial });
	else if (n.entry)
		call(b, ".formal", b.getVoidTy(), { p, size_of(i, n), number(n.id), serial, site });
	else
		call(b, ".def", b.getVoidTy(), { p, size_of(i, n), number(n.id), serial });
}

// Memory is written without a record: its definition is unknown from here on.
void Planter::forget(Instruction &i, Value *p, Value *size)
{
	B b(i.getNextNode());
	auto *a = dyn_cast<AllocaInst>(p->stripInBoundsOffsets());
	if (a && is_inner(a) && !is_noted(a))
		return;
	call(b, ".def", b.getVoidTy(), { p, b.CreateZExtOrTrunc(size, i64), nobody(), serial });
}

void Planter::define(Instruction &i)
{
	bool wrote = false;
	for (const Note &n : notes(i)) {
		if (!n.def)
			continue;
		bool entry = n.where == 2;
		wrote |= !entry;
		B b(entry ? &*f->getEntryBlock().getFirstNonPHIOrDbgOrAlloca() : i.getNextNode());
		if (entry) // after the serial
			b.SetInsertPoint(cast<Instruction>(serial)->getNextNode());
		define_note(b, i, n);
	}
	auto *store = dyn_cast<StoreInst>(&i);
	Value *to = store                ? store->getPointerOperand()
	    : isa<AnyMemTransferInst>(i) ? cast<AnyMemTransferInst>(i).getRawDest()
	                                 : nullptr;
	if (to && to == result) {
		B b(i.getNextNode());
		b.CreateStore(number(inst_of(i)), result_last);
	}
	if (wrote)
		return;
	if (store)
		forget(i, to,
		    ConstantInt::get(
		        i64, dl.getTypeStoreSize(store->getValueOperand()->getType())));
	else if (auto *memory = dyn_cast<AnyMemIntrinsic>(&i))
		forget(i, memory->getRawDest(), memory->getLength());
	else if (auto *rmw = dyn_cast<AtomicRMWInst>(&i))
		forget(i, rmw->getPointerOperand(),
		    ConstantInt::get(i64, dl.getTypeStoreSize(rmw->getType())));
	else if (auto *x = dyn_cast<AtomicCmpXchgInst>(&i))
		forget(i, x->getPointerOperand(),
		    ConstantInt::get(i64, dl.getTypeStoreSize(x->getNewValOperand()->getType())));
}

namespace
{

bool is_api(const Function *fn)
{
	StringRef n = fn ? fn->getName() : "";
	return fn && fn->isDeclaration() && n != "duct_symbolic"
	    && (n.starts_with("duct_") || n.starts_with("__VERIFIER_"));
}

} // namespace

// Describes the call and its arguments, in case the function turns out not to be instrumented.
void Planter::ask_library(B &b, CallBase &i, StringRef name)
{
	std::string types;
	SmallVector<Value *, 10> args = { pair_token(m, i.getCalledOperand()),
		b.CreateGlobalString(name, ".duct.text", 0, &m), number(inst_of(i)), serial };
	auto add = [&](Value *v) {
		bool has = v->getType()->isPointerTy()
		    || (v->getType()->isIntegerTy() && v->getType()->getIntegerBitWidth() <= 64);
		args.push_back(has ? v : b.getInt64(0));
		types += v->getType()->isPointerTy()
		    ? "p"
		    : "i" + std::to_string(args.back()->getType()->getIntegerBitWidth());
	};
	add(&i);
	for (Value *v : i.args())
		add(v);
	call(b, ".library." + types, b.getVoidTy(), args);
}

void Planter::around_call(CallBase &i)
{
	uint32_t id = inst_of(i);
	auto *fn = dyn_cast<Function>(i.getCalledOperand()->stripPointerCasts());
	if (!id || isa<IntrinsicInst>(i) || is_api(fn) || i.isInlineAsm() || i.isTerminator())
		return;
	B before(&i);
	Value *callee = pair_token(m, i.getCalledOperand());
	call(before, ".call", before.getVoidTy(), { callee, number(id), serial });
	if (is_contained(
	        { "longjmp", "_longjmp", "siglongjmp", "__longjmp_chk" }, fn ? fn->getName() : ""))
		call(before, ".jump", before.getVoidTy(), {});
	if (i.isMustTailCall())
		return;
	B b(i.getNextNode());
	if (i.hasFnAttr(Attribute::ReturnsTwice))
		call(b, ".landed", b.getVoidTy(), {});
	bool known = fn && is_woven(*fn) && !fn->isInterposable();
	if (!known)
		ask_library(b, i, fn ? fn->getName() : "(pointer)");
	if (i.getType()->isVoidTy() || (fn && !known && fn->isIntrinsic()))
		return;
	Value *label = call(b, ".result", i64, { callee });
	follow(i, label, DUCT_PAIR_RESULT, id, false);
}

// Reports what inline assembly may write: the targets of its pointers, or any memory if it has a
// memory clobber.
void Planter::around_asm(CallBase &i)
{
	auto *code = cast<InlineAsm>(i.getCalledOperand());
	B b(&i);
	auto tell = [&](Value *p) { call(b, ".asm", b.getVoidTy(), { number(inst_of(i)), p }); };
	if (code->getAsmString().empty()) // a compiler barrier
		return;
	for (Value *v : i.args())
		if (v->getType()->isPointerTy())
			tell(v);
	if (StringRef(code->getConstraintString()).contains("~{memory}"))
		tell(ConstantPointerNull::get(ptr));
}

void Planter::plant(Function &fn)
{
	f = &fn;
	last.clear();
	order.clear();
	jumps = fn.callsFunctionThatReturnsTwice();
	find_result();
	SmallVector<Instruction *, 128> all;
	unsigned n = 0;
	for (BasicBlock *b : ReversePostOrderTraversal<Function *>(f))
		for (Instruction &i : *b) {
			order[&i] = ++n;
			all.push_back(&i);
		}
	enter();
	for (Instruction *i : all) {
		use(*i);
		define(*i);
		auto *to = dyn_cast<CallBase>(i);
		if (to && to->isInlineAsm())
			around_asm(*to);
		else if (to)
			around_call(*to);
		else if (isa<ReturnInst>(i))
			leave(*i);
	}
}

void plant_pairs(Module &m, std::vector<PairSlot> &slots)
{
	Planter p(m, slots);
	for (Function &f : m)
		if (is_woven(f))
			p.plant(f);
}

} // namespace duct
