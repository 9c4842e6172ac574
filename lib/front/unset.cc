#include "lib/front/unset.h"

#include "lib/front/padding.h"
#include "lib/front/weave.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/Path.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace duct
{
namespace
{

// larger variables are analysed as a whole
const uint64_t most_bytes = 512;

const char unset_note[] = "duct.unset", begins[] = "duct.begins", padding_note[] = "duct.padding",
           padded[] = "duct.padded";

// An instruction's access to bytes [from, to) of a variable.
struct Effect {
	Instruction *i;
	uint64_t from, to;
	bool writes;
};

struct Local {
	AllocaInst *a = nullptr;
	std::string name, file;
	unsigned line = 0;
	uint64_t size = 0;
	bool scalar = true;  // only read and written as a whole
	bool result = false; // holds the function's result
	std::string asked;   // symbol that exists if a harness in another object uses it, or ""
	SmallVector<Effect, 8> effects;
	SmallVector<Instruction *, 1> begins; // first instructions after its declarations
};

bool is_scalar_type(const Type *t)
{
	return (t->isIntegerTy() && t->getIntegerBitWidth() <= 64) || t->isPointerTy()
	    || t->isFloatTy() || t->isDoubleTy();
}

class Finder
{
      public:
	Finder(Function &fn, Part of) : f(fn), dl(fn.getParent()->getDataLayout()), part(of)
	{
	}
	void find();

      private:
	bool collect(Local &l, Value *p, uint64_t offset, bool known);
	void call_effect(Local &l, CallBase &call, Use &u, uint64_t offset, bool known);
	void memory_effect(Local &l, Instruction *i, const Value *length, uint64_t offset,
	    bool known, bool writes);
	void add(
	    Local &l, Instruction *i, uint64_t offset, uint64_t bytes, bool known, bool writes);
	bool describe(Local &l);
	bool is_result(const AllocaInst &a) const;
	bool is_dominated(const Local &l);
	SmallVector<Instruction *, 4> early(const Local &l);
	void note_local(Local &l, ArrayRef<Instruction *> reads);
	void parameter(Value *at, const DILocalVariable &v, Instruction *begin);
	void parameters();

	Function &f;
	const DataLayout &dl;
	Part part;
	std::unique_ptr<DominatorTree> tree;
};

void Finder::add(Local &l, Instruction *i, uint64_t offset, uint64_t bytes, bool known, bool writes)
{
	if (!known || offset >= l.size || bytes > l.size - offset) {
		if (writes)
			return;
		offset = 0;
		bytes = l.size;
	}
	l.scalar &= offset == 0 && bytes == l.size && (isa<LoadInst>(i) || isa<StoreInst>(i));
	l.effects.push_back({ i, offset, offset + bytes, writes });
}

void Finder::memory_effect(
    Local &l, Instruction *i, const Value *length, uint64_t offset, bool known, bool writes)
{
	auto *n = dyn_cast<ConstantInt>(length);
	l.scalar = false;
	if (n || !writes)
		add(l, i, offset, n ? n->getZExtValue() : 0, known && n, writes);
}

// The address is passed to a function: that may read the variable, unless it is known only to write
// it.
void Finder::call_effect(Local &l, CallBase &call, Use &u, uint64_t offset, bool known)
{
	unsigned k = call.getArgOperandNo(&u);
	auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	StringRef name = callee && callee->isDeclaration() ? callee->getName() : "";
	bool fills =
	    name == "memset" || name == "memcpy" || name == "memmove" || name == "duct_symbolic";
	l.scalar = false;
	if (call.hasStructRetAttr() && call.paramHasAttr(k, Attribute::StructRet))
		return add(l, &call, offset, l.size - offset, known, true);
	if (k == 0 && fills && call.arg_size() == 3)
		return memory_effect(l, &call, call.getArgOperand(name == "duct_symbolic" ? 1 : 2),
		    offset, known, true);
	add(l, &call, 0, l.size, true, false);
}

// Collects all accesses; false when the analysis is impossible: assembly, variable arguments.
bool Finder::collect(Local &l, Value *p, uint64_t offset, bool known)
{
	for (Use &u : p->uses()) {
		auto *i = cast<Instruction>(u.getUser());
		if (auto *load = dyn_cast<LoadInst>(i)) {
			l.scalar &= is_scalar_type(load->getType());
			add(l, i, offset, dl.getTypeStoreSize(load->getType()), known, false);
		} else if (auto *store = dyn_cast<StoreInst>(i); store && u.getOperandNo() == 1) {
			Type *t = store->getValueOperand()->getType();
			l.scalar &= is_scalar_type(t) && known;
			add(l, i, offset, dl.getTypeStoreSize(t), known, true);
		} else if (auto *gep = dyn_cast<GetElementPtrInst>(i)) {
			APInt more(64, 0);
			bool fixed = gep->accumulateConstantOffset(dl, more);
			l.scalar = false;
			if (!collect(l, gep, offset + more.getZExtValue(), known && fixed))
				return false;
		} else if (auto *set = dyn_cast<AnyMemSetInst>(i)) {
			memory_effect(l, i, set->getLength(), offset, known, true);
		} else if (auto *copy = dyn_cast<AnyMemTransferInst>(i)) {
			memory_effect(
			    l, i, copy->getLength(), offset, known, u.getOperandNo() == 0);
		} else if (auto *in = dyn_cast<IntrinsicInst>(i)) {
			if (in->getIntrinsicID() == Intrinsic::vastart
			    || in->getIntrinsicID() == Intrinsic::vacopy
			    || in->getIntrinsicID() == Intrinsic::vaend)
				return false;
		} else if (auto *call = dyn_cast<CallBase>(i)) {
			if (call->isInlineAsm() || !call->isArgOperand(&u))
				return false;
			call_effect(l, *call, u, offset, known);
		} else if (!isa<ICmpInst>(i)) {
			l.scalar = false;
			add(l, i, 0, l.size, true, false);
		}
	}
	return true;
}

// Is it the result variable? The function may end without a value for it.
bool Finder::is_result(const AllocaInst &a) const
{
	return a.getAllocatedType() == f.getReturnType() && is_scalar_type(a.getAllocatedType())
	    && any_of(a.users(), [](const User *u) {
		       return isa<LoadInst>(u)
		           && any_of(u->users(), [](const User *r) { return isa<ReturnInst>(r); });
	       });
}

// Does a call in this unit use the function's result?
bool is_used(const Function &f)
{
	return any_of(f.users(), [&](const User *u) {
		auto *call = dyn_cast<CallBase>(u);
		return call && call->getCalledOperand() == &f && !call->use_empty();
	});
}

// A symbol that is there if the harness of the program uses the function's result.
std::string symbol_of_use(const Function &f)
{
	return ".duct.result." + f.getName().str();
}

// Only variables of the source; the compiler writes its own before reading them.
bool Finder::describe(Local &l)
{
	const DILocalVariable *v = nullptr;
	for (DbgVariableRecord *r : findDVRDeclares(l.a)) {
		v = r->getVariable();
		l.begins.push_back(
		    const_cast<Instruction *>(static_cast<const DbgRecord *>(r)->getInstruction()));
	}
	for (DbgDeclareInst *d : findDbgDeclares(l.a)) {
		v = d->getVariable();
		l.begins.push_back(const_cast<Instruction *>(d->getNextNonDebugInstruction()));
	}
	l.result = !v && is_result(*l.a);
	if (l.result) {
		bool used = is_used(f);
		l.asked = used || part != Part::Code ? "" : symbol_of_use(f);
		return used || part == Part::Code;
	}
	if (!v || v->getArg() || v->getName().empty())
		return false;
	l.name = v->getName().str();
	l.file = sys::path::filename(v->getFilename()).str();
	l.line = v->getLine();
	return true;
}

// The common case: is the first access always a write of the whole variable?
bool Finder::is_dominated(const Local &l)
{
	for (const Effect &first : l.effects) {
		if (!first.writes || first.from || first.to != l.size)
			continue;
		if (!tree)
			tree = std::make_unique<DominatorTree>(f);
		bool all = all_of(l.effects, [&](const Effect &e) {
			return e.i == first.i ? e.writes : tree->dominates(first.i, e.i);
		});
		// each time its lifetime begins, it must be written again
		if (all && all_of(l.begins, [&](Instruction *b) {
			    return b->getParent() == first.i->getParent()
			        && (b == first.i || b->comesBefore(first.i));
		    }))
			return true;
	}
	return false;
}

// Finds reads that may happen before all bytes they read are written.
SmallVector<Instruction *, 4> Finder::early(const Local &l)
{
	bool whole = l.size > most_bytes;
	unsigned bits = whole ? 1 : (unsigned)l.size;
	DenseMap<Instruction *, SmallVector<const Effect *, 1>> at;
	for (const Effect &e : l.effects)
		at[e.i].push_back(&e);
	DenseMap<BasicBlock *, BitVector> out;
	SetVector<Instruction *> found;
	auto pass = [&](BasicBlock &b, BitVector state, bool tell) {
		for (Instruction &i : b) {
			if (is_contained(l.begins, &i))
				state.reset();
			auto it = at.find(&i);
			if (it == at.end())
				continue;
			for (const Effect *e : it->second)
				if (tell && !e->writes
				    && (whole ? !state.test(0)
				              : state.find_first_unset_in(e->from, e->to) >= 0))
					found.insert(&i);
			for (const Effect *e : it->second)
				if (e->writes && (!whole || (!e->from && e->to == l.size)))
					whole ? state.set(0) : state.set(e->from, e->to);
		}
		return state;
	};
	auto entering = [&](BasicBlock &b) {
		BitVector state(bits, !b.isEntryBlock());
		for (BasicBlock *p : predecessors(&b))
			if (auto it = out.find(p); it != out.end())
				state &= it->second;
		return state;
	};
	ReversePostOrderTraversal<Function *> order(&f);
	for (bool changed = true; changed;) {
		changed = false;
		for (BasicBlock *b : order) {
			BitVector state = pass(*b, entering(*b), false);
			auto [it, fresh] = out.try_emplace(b, state);
			changed |= fresh || it->second != state;
			it->second = state;
		}
	}
	for (BasicBlock *b : order)
		pass(*b, entering(*b), true);
	return found.takeVector();
}

void attach(Instruction &i, StringRef kind, MDNode *md)
{
	SmallVector<Metadata *, 2> all;
	if (MDNode *had = i.getMetadata(kind))
		all.append(had->op_begin(), had->op_end());
	all.push_back(md);
	i.setMetadata(kind, MDNode::get(i.getContext(), all));
}

void Finder::note_local(Local &l, ArrayRef<Instruction *> reads)
{
	LLVMContext &c = f.getContext();
	auto text = [&](const std::string &s) { return MDString::get(c, s); };
	std::string place = l.result ? "" : l.file + ":" + std::to_string(l.line);
	MDNode *md = MDNode::getDistinct(
	    c, { text(l.name), text(place), text(l.scalar ? "scalar" : ""), text(l.asked) });
	l.a->setMetadata(unset_note, md);
	for (Instruction *i : reads)
		if (l.scalar)
			i->setMetadata(unset_note, md);
	for (Instruction *b : l.begins)
		attach(*b, begins, md);
}

void Finder::find()
{
	SmallVector<AllocaInst *, 16> allocas;
	for (BasicBlock &b : f)
		for (Instruction &i : b)
			if (auto *a = dyn_cast<AllocaInst>(&i))
				allocas.push_back(a);
	for (AllocaInst *a : allocas) {
		Local l;
		l.a = a;
		auto size = a->getAllocationSize(dl);
		l.size = size ? size->getFixedValue() : 1;
		l.scalar = size && is_scalar_type(a->getAllocatedType());
		if (!l.size || !describe(l) || !collect(l, a, 0, size.has_value())
		    || (l.result && !l.scalar) || is_dominated(l))
			continue;
		if (auto reads = early(l); !reads.empty())
			note_local(l, reads);
	}
	parameters();
}

// A parameter by value, in an alloca or where its caller put it. Does the function look at its
// padding? Copies of the whole object do, too: their padding may be compared later.
void Finder::parameter(Value *at, const DILocalVariable &v, Instruction *begin)
{
	auto *a = dyn_cast_or_null<AllocaInst>(at);
	auto *argument = dyn_cast_or_null<Argument>(at);
	if (!v.getArg() || (!a && !(argument && argument->hasByValAttr())))
		return;
	auto gaps = padding(v.getType());
	if (gaps.empty())
		return;
	Local l;
	l.size = v.getType()->getSizeInBits() / 8;
	bool any = !collect(l, at, 0, true);
	for (auto [from, to] : gaps)
		any |= any_of(l.effects, [from = from, to = to](const Effect &e) {
			return !e.writes && e.from < to && from < e.to;
		});
	if (!any)
		return;
	LLVMContext &c = f.getContext();
	auto number = [&](uint64_t n) {
		return ConstantAsMetadata::get(ConstantInt::get(Type::getInt64Ty(c), n));
	};
	std::string name = "padding of " + v.getName().str(),
	            place = sys::path::filename(v.getFilename()).str() + ":"
	    + std::to_string(v.getLine());
	SmallVector<Metadata *, 8> parts = { MDString::get(c, name), MDString::get(c, place),
		number(argument ? argument->getArgNo() : 0) };
	for (auto [from, to] : gaps) {
		parts.push_back(number(from));
		parts.push_back(number(to));
	}
	MDNode *md = MDNode::getDistinct(c, parts);
	if (a)
		a->setMetadata(padded, md);
	attach(*begin, padding_note, md);
}

void Finder::parameters()
{
	for (BasicBlock &b : f)
		for (Instruction &i : b) {
			for (DbgVariableRecord &r : filterDbgVars(i.getDbgRecordRange()))
				if (r.isDbgDeclare())
					parameter(r.getAddress(), *r.getVariable(), &i);
			if (auto *d = dyn_cast<DbgDeclareInst>(&i))
				parameter(d->getAddress(), *d->getVariable(),
				    d->getNextNonDebugInstruction());
		}
}

class Giver
{
      public:
	explicit Giver(Module &mod) : m(mod), c(mod.getContext()), dl(mod.getDataLayout())
	{
	}
	void give(Function &f);

      private:
	using B = IRBuilder<>;

	void scalar(AllocaInst &a, const MDNode *md);
	void memory(AllocaInst &a, const MDNode *md);
	FunctionCallee memory_call();
	void gaps(Function &f, const MDNode *md, Value *alloca, Instruction *at);
	void read(LoadInst &load, AllocaInst &a, AllocaInst &flag, const MDNode *md);
	Value *text(B &b, const MDNode *md, unsigned k);
	Value *name(B &b, const MDNode *md);

	Module &m;
	LLVMContext &c;
	const DataLayout &dl;
	DenseMap<const MDNode *, SmallVector<Instruction *, 1>> lives;
};

Value *Giver::text(B &b, const MDNode *md, unsigned k)
{
	return b.CreateGlobalString(cast<MDString>(md->getOperand(k))->getString(), ".duct.unset");
}

Instruction *behind_allocas(Function &f)
{
	auto at = f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
	return &*at;
}

// The variable's name for duct_rt_unset; NULL where nothing uses the value.
Value *Giver::name(B &b, const MDNode *md)
{
	Value *known = text(b, md, 0);
	StringRef asked = cast<MDString>(md->getOperand(3))->getString();
	if (asked.empty())
		return known;
	auto *symbol = cast<GlobalVariable>(m.getOrInsertGlobal(asked, b.getInt8Ty()));
	symbol->setLinkage(GlobalValue::ExternalWeakLinkage);
	return b.CreateSelect(
	    b.CreateIsNotNull(symbol), known, ConstantPointerNull::get(b.getPtrTy()));
}

// duct_rt_unset(name, place, bits): returns an arbitrary value.
void Giver::read(LoadInst &load, AllocaInst &a, AllocaInst &flag, const MDNode *md)
{
	B head(&load);
	Instruction *term = SplitBlockAndInsertIfThen(
	    head.CreateLoad(head.getInt1Ty(), &flag), load.getIterator(), false);
	B b(term);
	Type *t = a.getAllocatedType();
	unsigned bits = 8 * dl.getTypeStoreSize(t);
	auto f = m.getOrInsertFunction("duct_rt_unset",
	    FunctionType::get(
	        b.getInt64Ty(), { b.getPtrTy(), b.getPtrTy(), b.getInt32Ty() }, false));
	Value *v = b.CreateTrunc(
	    b.CreateCall(f, { name(b, md), text(b, md, 1), b.getInt32(bits) }), b.getIntNTy(bits));
	v = t->isPointerTy()   ? b.CreateIntToPtr(v, t)
	    : t->isIntegerTy() ? b.CreateTrunc(v, t)
	                       : b.CreateBitCast(v, t);
	b.CreateStore(v, &a);
	b.CreateStore(b.getFalse(), &flag);
}

void Giver::scalar(AllocaInst &a, const MDNode *md)
{
	B entry(&a);
	AllocaInst *flag = entry.CreateAlloca(entry.getInt1Ty());
	B first(behind_allocas(*a.getFunction()));
	first.CreateStore(first.getTrue(), flag);
	for (Instruction *i : lives[md]) {
		B b(i);
		b.CreateStore(b.getTrue(), flag);
	}
	SmallVector<LoadInst *, 4> reads;
	SmallVector<StoreInst *, 4> writes;
	for (User *u : a.users()) {
		if (auto *load = dyn_cast<LoadInst>(u); load && load->getMetadata(unset_note) == md)
			reads.push_back(load);
		else if (auto *store = dyn_cast<StoreInst>(u);
		    store && store->getPointerOperand() == &a)
			writes.push_back(store);
	}
	for (StoreInst *store : writes) {
		B b(store->getNextNode());
		b.CreateStore(b.getFalse(), flag);
	}
	for (LoadInst *load : reads)
		read(*load, a, *flag, md);
}

// duct_rt_unset_memory(address, bytes, name, place): for each byte that is read before it is
// written.
FunctionCallee Giver::memory_call()
{
	B types(c);
	Type *p = types.getPtrTy();
	auto callee = m.getOrInsertFunction("duct_rt_unset_memory",
	    FunctionType::get(types.getVoidTy(), { p, types.getInt64Ty(), p, p }, false));
	auto *f = cast<Function>(callee.getCallee());
	f->setMemoryEffects(MemoryEffects::inaccessibleOrArgMemOnly());
	for (auto kind : { Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoCallback,
	         Attribute::NoFree, Attribute::NoSync })
		f->addFnAttr(kind);
	f->addParamAttr(0, Attribute::NoCapture);
	return callee;
}

void Giver::memory(AllocaInst &a, const MDNode *md)
{
	auto callee = memory_call();
	auto plant = [&](Instruction *at) {
		B b(at);
		Value *each = b.getInt64(dl.getTypeAllocSize(a.getAllocatedType()));
		b.CreateCall(callee,
		    { &a, b.CreateMul(b.CreateZExtOrTrunc(a.getArraySize(), b.getInt64Ty()), each),
		        text(b, md, 0), text(b, md, 1) });
	};
	if (a.isStaticAlloca()
	    && none_of(lives[md], [](Instruction *i) { return i->getParent()->isEntryBlock(); }))
		plant(behind_allocas(*a.getFunction()));
	for (Instruction *i : lives[md])
		plant(i);
}

// The padding of a parameter has no particular values where the function begins.
void Giver::gaps(Function &f, const MDNode *md, Value *alloca, Instruction *at)
{
	auto callee = memory_call();
	auto number = [&](unsigned k) {
		return mdconst::extract<ConstantInt>(md->getOperand(k))->getZExtValue();
	};
	Value *object = alloca ? alloca : f.getArg(number(2));
	B b(at);
	for (unsigned k = 3; k < md->getNumOperands(); k += 2)
		b.CreateCall(callee,
		    { b.CreateConstInBoundsGEP1_64(b.getInt8Ty(), object, number(k)),
		        b.getInt64(number(k + 1) - number(k)), text(b, md, 0), text(b, md, 1) });
}

void Giver::give(Function &f)
{
	SmallVector<AllocaInst *, 8> list;
	SmallVector<std::pair<const MDNode *, Instruction *>, 4> paddings;
	DenseMap<const MDNode *, AllocaInst *> own;
	lives.clear();
	for (BasicBlock &b : f)
		for (Instruction &i : b) {
			if (auto *a = dyn_cast<AllocaInst>(&i); a && a->getMetadata(unset_note))
				list.push_back(a);
			if (MDNode *md = i.getMetadata(padded))
				own[md] = cast<AllocaInst>(&i);
			if (MDNode *md = i.getMetadata(padding_note))
				for (const MDOperand &o : md->operands())
					paddings.push_back({ cast<MDNode>(o.get()), &i });
			if (MDNode *md = i.getMetadata(begins))
				for (const MDOperand &o : md->operands())
					lives[cast<MDNode>(o.get())].push_back(&i);
		}
	for (AllocaInst *a : list) {
		const MDNode *md = a->getMetadata(unset_note);
		bool is_scalar = !cast<MDString>(md->getOperand(2))->getString().empty();
		is_scalar ? scalar(*a, md) : memory(*a, md);
	}
	for (auto [md, at] : paddings)
		gaps(f, md, own.lookup(md), at);
}

} // namespace

void note_unset(Module &m, Part part)
{
	for (Function &f : m)
		if (is_woven(f))
			Finder(f, part).find();
	if (part != Part::Own)
		return;
	Type *byte = Type::getInt8Ty(m.getContext());
	for (Function &f : m)
		if (f.isDeclaration() && is_scalar_type(f.getReturnType()) && is_used(f))
			new GlobalVariable(m, byte, true, GlobalValue::WeakAnyLinkage,
			    ConstantInt::get(byte, 1), symbol_of_use(f));
}

void plant_unset(Module &m)
{
	Giver giver(m);
	for (Function &f : m)
		if (is_woven(f))
			giver.give(f);
}

} // namespace duct
