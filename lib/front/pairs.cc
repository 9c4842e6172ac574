// pairs: plants markers of definitions and uses, before the optimiser. Each use has a label: the
// definition that it read. Labels are passed along with values to the computations and decisions
// that use them.
//
// A scalar whose address is never taken has a variable for its last definition, which the optimiser
// keeps in a register; the runtime tracks the last definitions of all other memory, per byte.
#include "lib/front/weave.h"

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
	for (unsigned i = 0; i < args.size(); i++)
		if (args[i]->isPointerTy()) {
			f->addParamAttr(i, Attribute::get(c, Attribute::NoCapture));
			f->addParamAttr(i, Attribute::get(c, Attribute::ReadNone));
		}
	return f;
}

namespace
{

struct Note {
	bool def, entry;
	uint32_t id, where, number, bit, bits;
	uint64_t size;
};

uint64_t operand(const MDNode *n, unsigned i)
{
	return mdconst::extract<ConstantInt>(n->getOperand(i))->getZExtValue();
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

// The branch that an instruction decides, if it is an objective; else null.
MDNode *decided(const Instruction &i)
{
	MDNode *n = i.getMetadata("duct.branch");
	return n && operand(n, 2) != DUCT_ASSUME_BRANCH ? n : nullptr;
}

enum Fate { Ignores, Passes, Computes, Decides };

// The effect of operand k on the result of instruction i, as in lib/defuse/sinks.
Fate fate(const Instruction &i, unsigned k)
{
	if (auto *call = dyn_cast<CallBase>(&i)) {
		if (is_marker_call(i))
			return Ignores;
		if (inst_of(i) || isa<AnyMemIntrinsic>(i) || call->isInlineAsm())
			return Computes;
		auto *in = dyn_cast<IntrinsicInst>(&i);
		return !in || in->isAssumeLikeIntrinsic() ? Ignores : Passes;
	}
	switch (i.getOpcode()) {
	case Instruction::Store:
	case Instruction::Ret:
	case Instruction::IndirectBr:
	case Instruction::Alloca: return Computes;
	case Instruction::Br:
	case Instruction::Switch: return decided(i) ? Decides : Computes;
	case Instruction::Select:
		return k                           ? Passes
		    : decided(i)                   ? Decides
		    : i.getMetadata("duct.branch") ? Computes
		                                   : Passes;
	default: return Passes;
	}
}

class Planter
{
      public:
	Planter(Module &mod, std::vector<PairSlot> &all)
	    : m(mod), c(mod.getContext()), dl(mod.getDataLayout()), slots(all),
	      i1(Type::getInt1Ty(c)), i32(Type::getInt32Ty(c)), i64(Type::getInt64Ty(c)),
	      ptr(PointerType::get(c, 0))
	{
	}
	void plant(Function &fn);

      private:
	using B = IRBuilder<>;

	Module &m;
	LLVMContext &c;
	const DataLayout &dl;
	std::vector<PairSlot> &slots;
	IntegerType *i1, *i32, *i64;
	PointerType *ptr;

	// state of the current function
	Function *f = nullptr;
	bool jumps = false; // it contains calls that return twice
	Value *serial = nullptr, *site = nullptr, *saved = nullptr;
	// by scalar whose address is never taken: its last definition
	DenseMap<const Value *, AllocaInst *> last;
	SmallVector<AllocaInst *, 8> objects; // other variables of fixed size
	// return slot and its last definition
	AllocaInst *result = nullptr, *result_last = nullptr;
	DenseMap<const Value *, unsigned> order;

	CallInst *call(B &b, const Twine &name, Type *type, ArrayRef<Value *> args);
	Value *number(uint64_t v)
	{
		return ConstantInt::get(i32, v);
	}
	// The writer at entry: a harness creates the contents of memory.
	Value *nobody()
	{
		return number(
		    f->hasFnAttribute("duct.harness") ? DUCT_WRITER_NONE : DUCT_WRITER_DEAD);
	}
	bool is_scalar(AllocaInst &a);
	void find_result();
	void enter();
	void begin_object(B &b, AllocaInst &a);
	void leave(Instruction &ret);
	void keep(B &b, Value *label, AllocaInst *where);
	void define(Instruction &i);
	void define_note(B &b, Instruction &i, const Note &n);
	void forget(Instruction &i, Value *p, Value *size);
	Value *address(Instruction &i, const Note &n);
	Value *size_of(Instruction &i, const Note &n);
	void use(Instruction &i);
	void ask_library(B &b, CallBase &i, StringRef name);
	void around_call(CallBase &i);
	void around_asm(CallBase &i);
	uint32_t slot(char kind, uint32_t use, bool local, uint32_t outcome, uint32_t count = 1);
	void follow(Instruction &from, Value *label, char kind, uint32_t id, bool local);
	void arrive(
	    Instruction &i, Value *label, char kind, uint32_t id, bool local, uint32_t &c_slot);
	void decide(Instruction &i, Value *label, char kind, uint32_t id, bool local);
	Value *pass(Instruction &i, DenseMap<const Value *, Value *> &label);
};

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
	saved = local ? nullptr : call(b, ".saved", i64, { f });
	site = call(b, ".enter", i32, { f });
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
			B at(a->isStaticAlloca() ? &*b.GetInsertPoint() : a->getNextNode());
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
		call(b, ".returns", b.getVoidTy(), { f, who });
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

uint32_t Planter::slot(char kind, uint32_t use, bool local, uint32_t outcome, uint32_t count)
{
	uint32_t first = slots.size();
	for (uint32_t k = 0; k < count; k++) {
		PairSlot s;
		s.kind = kind;
		s.use = use;
		s.local = local;
		s.outcome = outcome == DUCT_PAIR_C ? outcome : outcome + k;
		slots.push_back(s);
	}
	return first;
}

void Planter::use(Instruction &i)
{
	for (const Note &n : notes(i)) {
		if (n.def)
			continue;
		Value *p = address(i, n);
		auto it = last.find(p);
		B b(&i);
		Value *label = nullptr;
		if (it != last.end())
			label = b.CreateLoad(i64, it->second, jumps);
		else if (n.bits)
			label =
			    call(b, ".usebits", i64, { p, number(n.bit), number(n.bits), serial });
		else if (isa<LoadInst>(i))
			label = call(b, ".use", i64, { p, size_of(i, n), serial });
		if (!isa<LoadInst>(i))
			call(b, ".range", b.getVoidTy(),
			    { number(slot(DUCT_PAIR_USE, n.id, false, DUCT_PAIR_C)), p,
			        size_of(i, n), serial });
		else
			follow(i, label, DUCT_PAIR_USE, n.id, it != last.end());
	}
}

// The label of the result of an instruction that passes a label on; null: it does not.
Value *Planter::pass(Instruction &i, DenseMap<const Value *, Value *> &label)
{
	B b(&i);
	if (auto *s = dyn_cast<SelectInst>(&i)) {
		Value *yes = label.lookup(s->getTrueValue()),
		      *no = label.lookup(s->getFalseValue());
		Value *cond = fate(i, 0) == Passes ? label.lookup(s->getCondition()) : nullptr;
		if (cond || (!yes && !no))
			return cond;
		return call(b, ".choose", i64,
		    { s->getCondition(), yes ? yes : b.getInt64(0), no ? no : b.getInt64(0) });
	}
	Value *sum = nullptr;
	for (const Use &u : i.operands())
		if (Value *l =
		        fate(i, u.getOperandNo()) == Passes ? label.lookup(u.get()) : nullptr)
			sum = sum && sum != l ? b.CreateOr(sum, l) : l;
	return sum;
}

// Passes a label along all uses of `from` and reports where it arrives.
void Planter::follow(Instruction &from, Value *label, char kind, uint32_t id, bool local)
{
	SetVector<Instruction *> met;
	SetVector<Instruction *> ends;
	SmallPtrSet<Instruction *, 4> unused;
	met.insert(&from);
	for (unsigned k = 0; k < met.size(); k++) {
		bool used = false;
		for (Use &u : met[k]->uses()) {
			auto *to = cast<Instruction>(u.getUser());
			Fate what = fate(*to, u.getOperandNo());
			used |= what != Ignores;
			if (what == Passes)
				met.insert(to);
			else if (what != Ignores)
				ends.insert(to);
		}
		if (!used)
			unused.insert(met[k]);
	}
	DenseMap<const Value *, Value *> labels;
	SmallVector<Instruction *, 8> sorted(met.begin(), met.end());
	llvm::sort(sorted,
	    [&](Instruction *a, Instruction *b) { return order.lookup(a) < order.lookup(b); });
	for (Instruction *i : sorted)
		if (auto *p = dyn_cast<PHINode>(i); p && p != &from)
			labels[p] =
			    PHINode::Create(i64, p->getNumIncomingValues(), "", p->getIterator());
	labels[&from] = label;
	for (Instruction *i : sorted)
		if (i != &from && !isa<PHINode>(i))
			if (Value *l = pass(*i, labels))
				labels[i] = l;
	for (Instruction *i : sorted)
		if (auto *p = dyn_cast<PHINode>(i); p && p != &from)
			for (unsigned k = 0; k < p->getNumIncomingValues(); k++) {
				Value *l = labels.lookup(p->getIncomingValue(k));
				cast<PHINode>(labels[p])->addIncoming(
				    l ? l : ConstantInt::get(i64, 0), p->getIncomingBlock(k));
			}
	uint32_t c_slot = UINT32_MAX;
	for (Instruction *i : ends) {
		Value *l = nullptr;
		B b(i);
		for (const Use &u : i->operands())
			if (Value *more = fate(*i, u.getOperandNo()) > Passes
			        ? labels.lookup(u.get())
			        : nullptr)
				l = l && l != more ? b.CreateOr(l, more) : more;
		if (l)
			arrive(*i, l, kind, id, local, c_slot);
	}
	for (Instruction *i : sorted)
		if (unused.contains(i) && labels.lookup(i)) {
			auto *made = dyn_cast<Instruction>(labels.lookup(i));
			bool behind = i == &from && made && made->getParent() == i->getParent()
			    && i->comesBefore(made);
			Instruction *at = isa<PHINode>(i) ? &*i->getParent()->getFirstInsertionPt()
			    : behind                      ? made->getNextNode()
			                                  : i->getNextNode();
			if (c_slot == UINT32_MAX)
				c_slot = slot(kind, id, local, DUCT_PAIR_C);
			B b(at);
			call(b, ".c", b.getVoidTy(), { number(c_slot), labels.lookup(i) });
		}
}

void Planter::arrive(
    Instruction &i, Value *label, char kind, uint32_t id, bool local, uint32_t &c_slot)
{
	if (decided(i))
		return decide(i, label, kind, id, local);
	if (c_slot == UINT32_MAX)
		c_slot = slot(kind, id, local, DUCT_PAIR_C);
	B b(&i);
	call(b, ".c", b.getVoidTy(), { number(c_slot), label });
}

void Planter::decide(Instruction &i, Value *label, char kind, uint32_t id, bool local)
{
	MDNode *md = decided(i);
	B b(&i);
	if (auto *s = dyn_cast<SwitchInst>(&i)) {
		uint32_t first = slot(kind, id, local, operand(md, 4), s->getNumCases() + 1);
		call(b, ".case.i" + Twine(s->getCondition()->getType()->getIntegerBitWidth()),
		    b.getVoidTy(),
		    { number(first), label, number(operand(md, 0)), s->getCondition() });
		return;
	}
	uint32_t first = slot(kind, id, local, operand(md, 4), 2);
	auto *br = dyn_cast<BranchInst>(&i);
	Value *cond = br ? br->getCondition() : cast<SelectInst>(i).getCondition();
	if (operand(md, 1))
		cond = b.CreateNot(cond);
	call(b, ".side", b.getVoidTy(), { number(first), label, cond });
}

bool is_api(const Function *fn)
{
	StringRef n = fn ? fn->getName() : "";
	return fn && fn->isDeclaration() && n != "duct_symbolic"
	    && (n.starts_with("duct_") || n.starts_with("__VERIFIER_"));
}

// Describes the call and its arguments, in case the function turns out not to be instrumented.
void Planter::ask_library(B &b, CallBase &i, StringRef name)
{
	std::string types;
	SmallVector<Value *, 10> args = { i.getCalledOperand(),
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
	Value *callee = i.getCalledOperand();
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

} // namespace

void plant_pairs(Module &m, std::vector<PairSlot> &slots)
{
	Planter p(m, slots);
	for (Function &f : m)
		if (is_woven(f))
			p.plant(f);
}

} // namespace duct
