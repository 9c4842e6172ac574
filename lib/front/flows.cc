// flows: instrument --flows. Computes a label beside each value: the set of inputs that influence
// it (abi.h, "flows of inputs"). Runs before the optimiser, which removes unused labels. A variable
// whose address is not taken has a label variable; the runtime holds the labels of other memory.
// Where the branches of a decision join, its scope closes: then it influences all variables that
// either branch may write.
#include "lib/front/weave.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

extern "C" {
#include "lib/clib/clib.h"
#include "lib/graph/graph.h"
}

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace
{

using B = IRBuilder<>;

// The join point of each block's successors (post-dominator); calls that never return are ignored.
struct Joins {
	DenseMap<const BasicBlock *, uint32_t> number;
	SmallVector<BasicBlock *, 32> block;
	std::vector<uint32_t> idom; // by number; the exit's number is block.size()

	explicit Joins(Function &f)
	{
		for (BasicBlock &b : f) {
			number[&b] = block.size();
			block.push_back(&b);
		}
		uint32_t exit = block.size();
		std::vector<graph_edge> back;
		for (BasicBlock *b : block) {
			if (isa<ReturnInst>(b->getTerminator()))
				back.push_back({ exit, number[b] });
			for (BasicBlock *s : successors(b))
				back.push_back({ number[s], number[b] });
		}
		graph g;
		uint32_t *made = graph_make(&g, exit + 1, back.data(), back.size())
		    ? graph_dominators(&g, exit)
		    : nullptr;
		if (!made)
			report_fatal_error("out of memory");
		idom.assign(made, made + exit + 1);
		free(made);
		graph_free(&g);
	}

	// The join point; null: at the end of the function, or never.
	BasicBlock *of(const BasicBlock *b) const
	{
		uint32_t n = idom[number.lookup(b)];
		return n < block.size() ? block[n] : nullptr;
	}
};

class Flows
{
      public:
	Flows(Module &module, uint64_t unit_key)
	    : m(module), c(module.getContext()), dl(module.getDataLayout()), key(unit_key)
	{
		i32 = Type::getInt32Ty(c);
		i64 = Type::getInt64Ty(c);
		ptr = PointerType::get(c, 0);
		none = ConstantInt::get(i32, 0);
	}
	void plant(Function &fn);

      private:
	Module &m;
	LLVMContext &c;
	const DataLayout &dl;
	uint64_t key;       // of the unit
	uint64_t sites = 0; // sites numbered so far in the unit
	Type *i32, *i64;
	PointerType *ptr;
	Value *none; // the empty label
	StructType *place_type = nullptr;
	DenseMap<const MDNode *, Constant *> places;
	std::map<std::string, Constant *> texts;

	Function *f = nullptr;
	Value *context = nullptr;        // identifies this activation
	Value *variable_label = nullptr; // label of the variable arguments
	Value *variable_count = nullptr;
	DenseMap<const Value *, Value *> labels;
	MapVector<const AllocaInst *, AllocaInst *> own; // label variables
	// by block: label variables stored to
	DenseMap<const BasicBlock *, SmallVector<AllocaInst *, 4>> stores;
	const Joins *joins = nullptr;
	SmallVector<PHINode *, 16> phis;
	// by block: iteration counters of its loops
	DenseMap<const BasicBlock *, SmallVector<Value *, 2>> rounds;
	SetVector<BasicBlock *> ends; // blocks where scopes close

	// Code that runs only for a nonempty label; built after the CFG is final.
	struct Cold {
		Instruction *at;
		Value *test;
		std::function<void(B &)> build;
	};
	std::vector<Cold> cold;

	FunctionCallee rt(const char *name, Type *result, ArrayRef<Type *> args) const;
	Value *label(const Value *v) const;
	Value *join(B &b, Value *x, Value *y) const;
	Value *operands(B &b, const User &u) const;
	Value *load_word(B &b, const char *name, Type *t) const;
	void store_word(B &b, const char *name, Value *v) const;
	Value *element(B &b, const char *name, Type *t, unsigned i) const;
	Constant *place(const Instruction &i);
	Constant *text(StringRef s);
	Value *mix(B &b, Value *x, Value *y) const;
	Value *name_of(B &b, const BasicBlock &block, uint64_t site);
	uint64_t end_of(const BasicBlock *block) const;
	Value *named_end(B &b, uint64_t end) const;
	void find_variables();
	void count_rounds();
	void enter();
	void visit(Instruction &i);
	void visit_load(LoadInst &i);
	void visit_store(Instruction &at, Value *p, Value *v, Value *l);
	void visit_rmw(Instruction &i, Value *p, Value *with);
	void visit_call(CallBase &call);
	bool visit_intrinsic(IntrinsicInst &i);
	bool visit_library(CallBase &call, StringRef name);
	void pass_arguments(B &b, CallBase &call);
	Value *outside(B &b, CallBase &call, StringRef name);
	void decide(Instruction &at, Value *l);
	void visit_condition(Instruction &i, Value *cond, uint64_t end);
	AllocaInst *variable();
	Value *closes(Instruction *at, uint64_t end, ArrayRef<AllocaInst *> list);
	void close(BasicBlock &b);
	void visit_return(ReturnInst &ret);
	void written(
	    const BasicBlock *from, const BasicBlock *end, SetVector<AllocaInst *> &out) const;
	void fill_phis();
	void build_cold();
};

FunctionCallee Flows::rt(const char *name, Type *result, ArrayRef<Type *> args) const
{
	FunctionCallee callee = m.getOrInsertFunction(name, FunctionType::get(result, args, false));
	if (auto *fn = dyn_cast<Function>(callee.getCallee()))
		fn->setDoesNotThrow();
	return callee;
}

Value *Flows::label(const Value *v) const
{
	auto it = labels.find(v);
	return it != labels.end() ? it->second : none;
}

Value *Flows::join(B &b, Value *x, Value *y) const
{
	if (x == none || x == y)
		return y;
	if (y == none)
		return x;
	FunctionCallee callee = rt("duct_rt_flow_join", i32, { i32, i32 });
	auto *fn = cast<Function>(callee.getCallee());
	for (auto kind :
	    { Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback })
		fn->addFnAttr(kind);
	fn->setMemoryEffects(MemoryEffects::none());
	return b.CreateCall(callee, { x, y });
}

Value *Flows::operands(B &b, const User &u) const
{
	Value *all = none;
	for (const Value *v : u.operands())
		all = join(b, all, label(v));
	return all;
}

Value *Flows::load_word(B &b, const char *name, Type *t) const
{
	return b.CreateLoad(t, m.getOrInsertGlobal(name, t));
}

void Flows::store_word(B &b, const char *name, Value *v) const
{
	b.CreateStore(v, m.getOrInsertGlobal(name, v->getType()));
}

Value *Flows::element(B &b, const char *name, Type *t, unsigned i) const
{
	auto *array = ArrayType::get(t, DUCT_MAX_ARGS);
	return b.CreateConstGEP2_32(array, m.getOrInsertGlobal(name, array), 0, i);
}

Constant *Flows::text(StringRef s)
{
	Constant *&known = texts[s.str()];
	if (!known)
		known = B(c).CreateGlobalString(s, ".duct.flow.text", 0, &m);
	return known;
}

Constant *Flows::place(const Instruction &i)
{
	const DILocation *at = i.getDebugLoc().get();
	Constant *&known = places[at];
	if (known)
		return known;
	if (!place_type)
		place_type = StructType::get(c, { ptr, i32, i32 });
	std::string file = at ? at->getFilename().str() : m.getSourceFileName();
	Constant *value = ConstantStruct::get(place_type,
	    { text(file), ConstantInt::get(i32, at ? at->getLine() : 0),
	        ConstantInt::get(i32, at ? at->getColumn() : 0) });
	return known = new GlobalVariable(m, value->getType(), true, GlobalValue::PrivateLinkage,
	           value, ".duct.flow.place");
}

Value *Flows::mix(B &b, Value *x, Value *y) const
{
	Value *h = b.CreateMul(b.CreateXor(x, b.CreateMul(y, b.getInt64(0x9e3779b97f4a7c15u))),
	    b.getInt64(0xff51afd7ed558ccdu));
	return b.CreateXor(h, b.CreateLShr(h, 29));
}

// Identifies an event at a site: by activation and iterations of the surrounding loops.
Value *Flows::name_of(B &b, const BasicBlock &block, uint64_t site)
{
	Value *h = mix(b, context, b.getInt64(key ^ site));
	for (Value *round : rounds.lookup(&block))
		h = mix(b, h, b.CreateZExt(round, i64));
	return h;
}

// Where a scope closes: at a block; at the end of the function (null); or after a call (by its
// site).
uint64_t Flows::end_of(const BasicBlock *block) const
{
	return block ? joins->number.lookup(block) + 1 : 0;
}

const uint64_t behind_call = 1ull << 32;

Value *Flows::named_end(B &b, uint64_t end) const
{
	return b.CreateXor(context, b.getInt64(end * 0x2545f4914f6cdd1du));
}

// Is the variable only read and written as a whole?
bool is_plain(const AllocaInst &a, const DataLayout &dl)
{
	Type *t = a.getAllocatedType();
	if (!a.isStaticAlloca() || a.isArrayAllocation() || !t->isSingleValueType())
		return false;
	for (const User *u : a.users()) {
		if (auto *load = dyn_cast<LoadInst>(u))
			if (dl.getTypeStoreSize(load->getType()) == dl.getTypeStoreSize(t))
				continue;
		if (auto *store = dyn_cast<StoreInst>(u))
			if (store->getValueOperand() != &a
			    && dl.getTypeStoreSize(store->getValueOperand()->getType())
			        == dl.getTypeStoreSize(t))
				continue;
		if (auto *note = dyn_cast<IntrinsicInst>(u))
			if (note->isLifetimeStartOrEnd())
				continue;
		return false;
	}
	return true;
}

void Flows::find_variables()
{
	for (Instruction &i : f->getEntryBlock())
		if (auto *a = dyn_cast<AllocaInst>(&i); a && is_plain(*a, dl))
			own[a] = nullptr;
	for (auto &entry : own)
		for (const User *u : entry.first->users())
			if (auto *store = dyn_cast<StoreInst>(u))
				stores[store->getParent()].push_back(
				    const_cast<AllocaInst *>(entry.first));
	auto *first = &*f->getEntryBlock().begin();
	for (auto &entry : own) {
		B b(first);
		entry.second = b.CreateAlloca(i32);
	}
	B b(&*f->getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
	for (auto &entry : own)
		b.CreateStore(none, entry.second);
}

// Counts iterations in each loop header.
void Flows::count_rounds()
{
	DominatorTree tree(*f);
	LoopInfo loops(tree);
	DenseMap<const BasicBlock *, Value *> round;
	for (Loop *l : loops.getLoopsInPreorder()) {
		BasicBlock *head = l->getHeader();
		auto *p = PHINode::Create(i32, 2, "", head->begin());
		B b(&*head->getFirstInsertionPt());
		Value *next = b.CreateAdd(p, b.getInt32(1));
		for (BasicBlock *from : predecessors(head))
			p->addIncoming(l->contains(from) ? next : none, from);
		round[head] = p;
	}
	for (BasicBlock &b : *f)
		for (Loop *l = loops.getLoopFor(&b); l; l = l->getParentLoop())
			rounds[&b].push_back(round[l->getHeader()]);
}

// Creates a label variable.
AllocaInst *Flows::variable()
{
	return B(&*f->getEntryBlock().begin()).CreateAlloca(i32);
}

// Takes over the arguments' labels, if the caller passed them to this function.
void Flows::enter()
{
	Instruction *at = &*f->getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
	B b(at);
	b.SetCurrentDebugLocation(DebugLoc());
	context = load_word(b, "duct_flow_context", i64);
	Value *mine = b.CreateICmpEQ(load_word(b, "duct_flow_for", ptr), f);
	Value *strange = b.CreateZExt(b.CreateNot(mine), i32);
	AllocaInst *kept = variable();
	b.CreateStore(none, kept);
	auto *other = b.CreateLoad(i32, kept);
	cold.push_back({ other, strange, [=](B &s) {
		                s.CreateStore(
		                    s.CreateCall(rt("duct_rt_flow_callback", i32, {})), kept);
	                } });
	auto word = [&](unsigned n) {
		return b.CreateSelect(
		    mine, b.CreateLoad(i32, element(b, "duct_flow_args", i32, n)), other);
	};
	for (Argument &a : f->args()) {
		unsigned n = a.getArgNo();
		if (n >= DUCT_MAX_ARGS - 1)
			break;
		if (!a.hasByValAttr()) {
			labels[&a] = word(n);
			continue;
		}
		Value *from =
		    b.CreateIntToPtr(b.CreateLoad(i64, element(b, "duct_flow_from", i64, n)), ptr);
		uint64_t size = dl.getTypeAllocSize(a.getParamByValType());
		Value *to = &a;
		cold.push_back(
		    { at, b.CreateZExt(mine, i32), [=](B &x) {
			     x.CreateCall(rt("duct_rt_flow_copy", x.getVoidTy(), { ptr, ptr, i64 }),
			         { to, from, x.getInt64(size) });
		     } });
	}
	if (f->isVarArg()) {
		variable_count = b.CreateSelect(mine, load_word(b, "duct_flow_count", i32), none);
		variable_label = word(DUCT_MAX_ARGS - 1);
	}
	store_word(b, "duct_flow_for", ConstantPointerNull::get(ptr));
}

void Flows::decide(Instruction &at, Value *l)
{
	if (l == none)
		return;
	Constant *where = place(at);
	cold.push_back({ &at, l, [=](B &b) {
		                b.CreateCall(
		                    rt("duct_rt_flow_decide", i32, { i32, ptr }), { l, where });
	                } });
}

void Flows::visit_condition(Instruction &i, Value *cond, uint64_t end)
{
	Value *l = label(cond);
	if (l == none)
		return;
	Constant *where = place(i);
	uint64_t site = ++sites;
	const BasicBlock *in = i.getParent();
	cold.push_back(
	    { &i, l, [=](B &s) {
		     s.CreateCall(rt("duct_rt_flow_branch", s.getVoidTy(), { i32, i64, i64, ptr }),
		         { l, name_of(s, *in, site), named_end(s, end), where });
	     } });
}

void Flows::visit_load(LoadInst &i)
{
	Value *p = i.getPointerOperand(), *lp = label(p);
	B b(i.getNextNode());
	auto *a = dyn_cast<AllocaInst>(p);
	if (a && own.count(a)) {
		labels[&i] = b.CreateLoad(i32, own[a]);
		return;
	}
	auto *g = dyn_cast<GlobalVariable>(p->stripInBoundsOffsets());
	if (lp == none && g && g->isConstant())
		return;
	B before(&i);
	Value *size = before.getInt64(dl.getTypeStoreSize(i.getType()));
	Value *l = before.CreateCall(rt("duct_rt_flow_load", i32, { ptr, i64 }), { p, size });
	if (lp != none)
		l = join(before, l,
		    before.CreateCall(
		        rt("duct_rt_flow_load_at", i32, { ptr, i32, ptr }), { p, lp, place(i) }));
	labels[&i] = l;
}

void Flows::visit_store(Instruction &at, Value *p, Value *v, Value *l)
{
	Value *lp = label(p);
	B b(at.getNextNode());
	auto *a = dyn_cast<AllocaInst>(p);
	if (a && own.count(a)) {
		b.CreateStore(l, own[a]);
		return;
	}
	Value *size = b.getInt64(dl.getTypeStoreSize(v->getType()));
	if (lp == none) {
		b.CreateCall(
		    rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }), { p, size, l });
		return;
	}
	B before(&at); // the store may fault
	before.CreateCall(rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }),
	    { p, size, join(before, l, lp) });
	before.CreateCall(rt("duct_rt_flow_store_at", b.getVoidTy(), { ptr, i32, i32, ptr }),
	    { p, l, lp, place(at) });
}

void Flows::visit_rmw(Instruction &i, Value *p, Value *with)
{
	B b(&i);
	Value *size = b.getInt64(dl.getTypeStoreSize(with->getType()));
	Value *old = b.CreateCall(rt("duct_rt_flow_load", i32, { ptr, i64 }), { p, size });
	Value *all = join(b, old, operands(b, i));
	labels[&i] = all;
	visit_store(i, p, with, all);
}

bool Flows::visit_intrinsic(IntrinsicInst &i)
{
	B b(&i);
	switch (i.getIntrinsicID()) {
	case Intrinsic::memcpy:
	case Intrinsic::memmove:
	case Intrinsic::memcpy_inline:
		decide(i, operands(b, i));
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { i.getArgOperand(0), i.getArgOperand(1),
		        b.CreateZExtOrTrunc(i.getArgOperand(2), i64) });
		return true;
	case Intrinsic::memset:
	case Intrinsic::memset_inline:
		decide(i, join(b, label(i.getArgOperand(0)), label(i.getArgOperand(2))));
		b.CreateCall(rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }),
		    { i.getArgOperand(0), b.CreateZExtOrTrunc(i.getArgOperand(2), i64),
		        label(i.getArgOperand(1)) });
		return true;
	case Intrinsic::vastart:
		B(i.getNextNode())
		    .CreateCall(rt("duct_rt_flow_va_start", b.getVoidTy(), { ptr, i32, i32 }),
		        { i.getArgOperand(0), variable_label ? variable_label : none,
		            variable_count ? variable_count : none });
		return true;
	case Intrinsic::vacopy:
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { i.getArgOperand(0), i.getArgOperand(1), b.getInt64(24) });
		return true;
	default:
		if (!i.getType()->isVoidTy())
			labels[&i] = operands(b, i);
		return true;
	}
}

// The table entry of a library function; nullptr: none.
const struct clib *library(StringRef name)
{
	return clib_find(name.str().c_str());
}

// Is it output whose result is unused?
bool only_prints(const CallBase &call, const struct clib *c)
{
	return call.use_empty() && clib_does(c, "oO");
}

// Does the function copy argument 2's number of bytes between its first two arguments? back: from
// the first to the second.
bool copies(const struct clib *c, bool &back)
{
	struct clib_arg to = clib_arg(c, 0), from = clib_arg(c, 1);
	back = strchr(c->points, 'C');
	if (back)
		std::swap(to, from);
	return (back || strchr(c->points, 'c')) && to.access == 'w' && from.access == 'r'
	    && to.extent == '#' && to.a == 2 && from.extent == '#' && from.a == 2;
}

// Does the function fill memory: its second argument, as many times as the third says?
bool fills(const struct clib *c)
{
	struct clib_arg to = clib_arg(c, 0);
	return to.access == 'w' && to.extent == '#' && to.a == 2 && clib_arg(c, 1).access == '-';
}

// Handles calls that are not treated as such; false: other calls.
bool Flows::visit_library(CallBase &call, StringRef name)
{
	B b(&call), after(call.isTerminator() ? &call : call.getNextNode());
	const struct clib *c = library(name);
	bool back = false;
	if (c && call.arg_size() >= 3 && copies(c, back)) {
		decide(call, operands(b, call));
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { call.getArgOperand(back), call.getArgOperand(!back),
		        b.CreateZExtOrTrunc(call.getArgOperand(2), i64) });
	} else if (c && call.arg_size() >= 3 && fills(c)) {
		decide(call, join(b, label(call.getArgOperand(0)), label(call.getArgOperand(2))));
		b.CreateCall(rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }),
		    { call.getArgOperand(0), b.CreateZExtOrTrunc(call.getArgOperand(2), i64),
		        label(call.getArgOperand(1)) });
	} else if (c && only_prints(call, c)) {
		auto quiet = rt("duct_rt_flow_quiet", b.getVoidTy(), { i32 });
		b.CreateCall(quiet, { b.getInt32(1) });
		after.CreateCall(quiet, { b.getInt32(-1) });
		return true;
	} else if (c && clib_does(c, "jpths")) {
		b.CreateCall(rt("duct_rt_flow_lost", b.getVoidTy(), { ptr }), { text(name) });
		return true;
	} else if (name.starts_with("duct_rt_")
	    || (name.starts_with("duct_") && !name.starts_with("duct_model_"))
	    || name.starts_with("__VERIFIER_")) {
		if (!name.starts_with("duct_rt_"))
			decide(call, operands(b, call));
		store_word(b, "duct_flow_ret", none);
		if (!call.getType()->isVoidTy() && !call.isTerminator())
			labels[&call] = load_word(after, "duct_flow_ret", i32);
		return true;
	} else {
		return false;
	}
	labels[&call] = label(call.getArgOperand(0));
	return true;
}

void Flows::pass_arguments(B &b, CallBase &call)
{
	unsigned fixed = call.getFunctionType()->getNumParams();
	Value *variable = none;
	for (unsigned k = 0; k < call.arg_size() && k < DUCT_MAX_ARGS - 1; k++) {
		Value *v = call.getArgOperand(k);
		if (call.isByValArgument(k))
			b.CreateStore(
			    b.CreatePtrToInt(v, i64), element(b, "duct_flow_from", i64, k));
		b.CreateStore(label(v), element(b, "duct_flow_args", i32, k));
		if (k >= fixed)
			variable = join(b, variable,
			    call.isByValArgument(k)
			        ? b.CreateCall(rt("duct_rt_flow_load", i32, { ptr, i64 }),
			              { v,
			                  b.getInt64(
			                      dl.getTypeAllocSize(call.getParamByValType(k))) })
			        : label(v));
	}
	if (call.getFunctionType()->isVarArg()) {
		uint64_t words = 0;
		for (unsigned k = fixed; k < call.arg_size(); k++)
			words += call.isByValArgument(k)
			    ? dl.getTypeAllocSize(call.getParamByValType(k)) / 8 + 1
			    : 2;
		b.CreateStore(variable, element(b, "duct_flow_args", i32, DUCT_MAX_ARGS - 1));
		store_word(b, "duct_flow_count", b.getInt32(words));
	} else {
		store_word(b, "duct_flow_count", b.getInt32(call.arg_size()));
	}
	store_word(b, "duct_flow_context", name_of(b, *call.getParent(), ++sites));
	if (!call.isInlineAsm())
		store_word(b, "duct_flow_for", call.getCalledOperand());
}

// The label after a call of code that is not woven.
Value *Flows::outside(B &b, CallBase &call, StringRef name)
{
	uint64_t pointers = 0;
	unsigned n = std::min<unsigned>(call.arg_size(), DUCT_MAX_ARGS - 1);
	for (unsigned k = 0; k < n; k++) {
		Value *v = call.getArgOperand(k);
		if (v->getType()->isPointerTy() && k < 64) {
			pointers |= 1ull << k;
			b.CreateStore(
			    b.CreatePtrToInt(v, i64), element(b, "duct_flow_from", i64, k));
		}
	}
	return b.CreateCall(rt("duct_rt_flow_external", i32, { ptr, i32, i64, ptr }),
	    { text(name), b.getInt32(n), b.getInt64(pointers), place(call) });
}

void Flows::visit_call(CallBase &call)
{
	auto *fn = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	if (fn && (is_marker(*fn) || fn->getName().starts_with("duct.")))
		return;
	if (auto *i = dyn_cast<IntrinsicInst>(&call))
		if (visit_intrinsic(*i))
			return;
	StringRef name = fn ? fn->getName() : call.isInlineAsm() ? "inline assembly" : "(pointer)";
	B b(&call);
	if (fn && fn->isDeclaration() && visit_library(call, name))
		return;
	Value *which = label(call.getCalledOperand());
	uint64_t end = behind_call + sites + 1;
	visit_condition(call, call.getCalledOperand(), end);
	pass_arguments(b, call);
	if (call.isTerminator() || call.isMustTailCall() || call.doesNotReturn())
		return;
	B after(call.getNextNode());
	if (call.isInlineAsm()) {
		labels[&call] = outside(after, call, name);
		return;
	}
	AllocaInst *kept = variable();
	after.CreateStore(load_word(after, "duct_flow_ret", i32), kept);
	Value *still = after.CreateZExt(after.CreateICmpNE(load_word(after, "duct_flow_for", ptr),
	                                    ConstantPointerNull::get(ptr)),
	    i32);
	Value *got = after.CreateLoad(i32, kept);
	auto *read = cast<Instruction>(got);
	if (which != none) // what it influences is within its scope
		got = join(after, got, closes(&*after.GetInsertPoint(), end, {}));
	cold.push_back({ read, still, [this, &call, kept, called = name.str()](B &s) {
		                s.CreateStore(outside(s, call, called), kept);
	                } });
	labels[&call] = got;
}

void Flows::visit(Instruction &i)
{
	B b(&i);
	if (auto *p = dyn_cast<PHINode>(&i)) {
		labels[p] = PHINode::Create(i32, p->getNumIncomingValues(), "", p->getIterator());
		phis.push_back(p);
	} else if (auto *load = dyn_cast<LoadInst>(&i)) {
		visit_load(*load);
	} else if (auto *store = dyn_cast<StoreInst>(&i)) {
		visit_store(i, store->getPointerOperand(), store->getValueOperand(),
		    label(store->getValueOperand()));
	} else if (auto *rmw = dyn_cast<AtomicRMWInst>(&i)) {
		visit_rmw(i, rmw->getPointerOperand(), rmw->getValOperand());
	} else if (auto *swap = dyn_cast<AtomicCmpXchgInst>(&i)) {
		visit_rmw(i, swap->getPointerOperand(), swap->getNewValOperand());
	} else if (auto *call = dyn_cast<CallBase>(&i)) {
		visit_call(*call);
	} else if (auto *ret = dyn_cast<ReturnInst>(&i)) {
		visit_return(*ret);
	} else if (!i.isTerminator() && !isa<AllocaInst>(i)) {
		if (i.getOpcode() == Instruction::SDiv || i.getOpcode() == Instruction::UDiv
		    || i.getOpcode() == Instruction::SRem || i.getOpcode() == Instruction::URem)
			decide(i, operands(b, i));
		B after(i.getNextNode());
		labels[&i] = operands(after, i);
	}
}

// Collects the variables written on paths from here to the end of a scope.
void Flows::written(
    const BasicBlock *from, const BasicBlock *end, SetVector<AllocaInst *> &out) const
{
	SmallVector<const BasicBlock *, 32> work(successors(from));
	DenseSet<const BasicBlock *> seen;
	while (!work.empty()) {
		const BasicBlock *b = work.pop_back_val();
		if (b == end || !seen.insert(b).second)
			continue;
		auto found = stores.find(b);
		if (found != stores.end())
			out.insert(found->second.begin(), found->second.end());
		work.append(succ_begin(b), succ_end(b));
	}
}

// Closes the scopes that may end here: they influence the variables. Returns their label.
Value *Flows::closes(Instruction *at, uint64_t end, ArrayRef<AllocaInst *> list)
{
	AllocaInst *closed = variable();
	SmallVector<AllocaInst *, 8> all(list);
	B b(at);
	b.SetCurrentDebugLocation(DebugLoc());
	b.CreateStore(none, closed);
	Value *open = load_word(b, "duct_flow_control", i32);
	auto *l = b.CreateLoad(i32, closed);
	cold.push_back(
	    { l, open, [=](B &s) {
		     Value *made = s.CreateCall(
		         rt("duct_rt_flow_close", i32, { i64 }), { named_end(s, end) });
		     s.CreateStore(made, closed);
		     for (AllocaInst *a : all)
			     s.CreateStore(
			         join(s, s.CreateLoad(i32, own.lookup(a)), made), own.lookup(a));
	     } });
	return l;
}

// Closes scopes at a block, after its phis and before its other instructions.
void Flows::close(BasicBlock &b)
{
	SetVector<AllocaInst *> list;
	for (BasicBlock *x : joins->block)
		if (x->getTerminator()->getNumSuccessors() > 1 && joins->of(x) == &b)
			written(x, &b, list);
	auto *at = &*b.getFirstInsertionPt();
	Value *l = closes(at, end_of(&b), list.getArrayRef());
	B s(at);
	for (PHINode &p : b.phis())
		if (Value *mine = label(&p); mine != none)
			labels[&p] = join(s, mine, l);
}

void Flows::visit_return(ReturnInst &ret)
{
	if (ret.getParent()->getTerminatingMustTailCall())
		return;
	Value *l = closes(&ret, end_of(nullptr), {});
	if (Value *v = ret.getReturnValue()) {
		B b(&ret);
		store_word(b, "duct_flow_ret", join(b, label(v), l));
	}
}

void Flows::fill_phis()
{
	for (PHINode *p : phis) {
		for (unsigned k = 0; k < p->getNumIncomingValues(); k++)
			cast<PHINode>(p->getPrevNode())
			    ->addIncoming(label(p->getIncomingValue(k)), p->getIncomingBlock(k));
	}
}

void Flows::build_cold()
{
	for (Cold &x : cold) {
		B head(x.at);
		Instruction *end = SplitBlockAndInsertIfThen(head.CreateICmpNE(x.test, none),
		    x.at->getIterator(), false, MDBuilder(c).createBranchWeights(1, 1u << 20));
		B s(end);
		s.SetCurrentDebugLocation(DebugLoc());
		x.build(s);
	}
}

void Flows::plant(Function &fn)
{
	f = &fn;
	labels.clear();
	own.clear();
	stores.clear();
	phis.clear();
	rounds.clear();
	ends.clear();
	cold.clear();
	variable_label = variable_count = nullptr;
	Joins sides(fn);
	joins = &sides;
	SmallVector<Instruction *, 128> all;
	ReversePostOrderTraversal<Function *> order(f);
	for (BasicBlock *b : order)
		for (Instruction &i : *b)
			all.push_back(&i);
	for (BasicBlock *b : order)
		if (b->getTerminator()->getNumSuccessors() > 1 && joins->of(b))
			ends.insert(joins->of(b));
	find_variables();
	count_rounds();
	enter();
	const BasicBlock *closed = nullptr;
	for (Instruction *i : all) {
		BasicBlock *b = i->getParent();
		if (!isa<PHINode>(i) && b != closed && ends.contains(b))
			close(*const_cast<BasicBlock *>(closed = b));
		visit(*i);
		if (auto *br = dyn_cast<BranchInst>(i); br && br->isConditional())
			visit_condition(*i, br->getCondition(), end_of(joins->of(b)));
		else if (auto *s = dyn_cast<SwitchInst>(i))
			visit_condition(*i, s->getCondition(), end_of(joins->of(b)));
		else if (auto *jump = dyn_cast<IndirectBrInst>(i))
			visit_condition(*i, jump->getAddress(), end_of(joins->of(b)));
	}
	fill_phis();
	build_cold();
}

} // namespace

bool is_flow_word(const Value *p)
{
	auto *g = dyn_cast<GlobalVariable>(p->stripInBoundsOffsets());
	return g && g->getName().starts_with("duct_flow_");
}

void plant_flows(Module &m, uint64_t key)
{
	Flows flows(m, key);
	SmallVector<Function *, 32> list;
	for (Function &f : m)
		if (is_woven(f))
			list.push_back(&f);
	for (Function *f : list)
		flows.plant(*f);
}

} // namespace duct
