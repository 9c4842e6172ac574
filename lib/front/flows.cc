// flows: instrument --flows. Computes a label beside each value: the set of inputs that influence
// it (abi.h, "flows of inputs"). Runs before the optimiser, which removes unused labels. A variable
// whose address is not taken has a label variable; the runtime holds the labels of other memory.
// Where the branches of a decision join, its scope closes: then it influences all variables that
// either branch may write.
#include "lib/front/flows.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

extern "C" {
#include "lib/graph/graph.h"
}

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

Joins::Joins(Function &f)
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
	graph_make(&g, exit + 1, back.data(), back.size());
	uint32_t *made = graph_dominators(&g, exit);
	idom.assign(made, made + exit + 1);
	free(made);
	graph_free(&g);
}

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

uint64_t Flows::end_of(const BasicBlock *block) const
{
	return block ? joins->number.lookup(block) + 1 : 0;
}

Value *Flows::named_end(B &b, uint64_t end) const
{
	return b.CreateXor(context, b.getInt64(end * 0x2545f4914f6cdd1du));
}

namespace
{

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

} // namespace

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
