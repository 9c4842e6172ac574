// weave_access: checks whether an access is within the object that its pointer was derived from.
// Inline if the pointer's span suffices (abi.h): one comparison if the pointer was found in its
// span before. Otherwise by the runtime. That of an object which is gone holds no byte, so that
// spans that were found outlast calls.
#include "lib/front/weave.h"

#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct
{

using namespace llvm;

static const size_t most_bases = 1000; // maximum per function

static bool is_access(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	return call && call->getCalledFunction()
	    && call->getCalledFunction()->getName() == marker_access;
}

// The size of the variable that starts at p, independent of linking; 0: unknown.
static uint64_t size_of(const DataLayout &dl, const Value *p)
{
	if (auto *a = dyn_cast<AllocaInst>(p))
		return a->isArrayAllocation()
		    ? 0
		    : dl.getTypeAllocSize(a->getAllocatedType()).getFixedValue();
	auto *g = dyn_cast<GlobalVariable>(p);
	return g
	        && (is_table(*g)
	            || (g->hasInitializer() && !g->isInterposable()
	                && !g->hasAvailableExternallyLinkage()))
	    ? dl.getTypeAllocSize(g->getValueType()).getFixedValue()
	    : 0;
}

// Is there no access to these bytes behind the marker? The optimiser removes those whose value
// is not used, is constant, or is known from another access.
static bool is_alone(const CallInst &marker)
{
	const Value *p = marker.getArgOperand(2);
	for (const Instruction *i = marker.getNextNode(); i; i = i->getNextNode())
		if (i->mayReadOrWriteMemory() && !is_marker_call(*i)
		    && is_contained(i->operands(), p))
			return false;
	return true;
}

bool Weaver::add_access(CallInst &call)
{
	auto *bytes = dyn_cast<ConstantInt>(call.getArgOperand(3));
	Value *p = call.getArgOperand(1);
	uint64_t size = size_of(dl, p);
	if (Value *whole = getUnderlyingObject(p, 0); !size && size_of(dl, whole)) {
		// the optimiser has found out what the pointer points into
		call.setArgOperand(1, p = whole);
		size = size_of(dl, p);
	}
	if (!bytes || bytes->isZero() || bytes->getValue().ugt(1u << 20)
	    || (!size && bases.size() == most_bases))
		return false;
	unsigned number = 0;
	if (!size) {
		auto [at, is_new] = base_number.insert({ p, (unsigned)bases.size() });
		number = at->second;
		if (is_new)
			bases.push_back({ p, nullptr, nullptr });
	}
	accesses[&call] = { &call, bytes->getZExtValue(), size, number, is_alone(call), false };
	return true;
}

// Finds the accesses that follow another one with the same base.
void Weaver::find_known(ArrayRef<BasicBlock *> order)
{
	DenseMap<const BasicBlock *, BitVector> after;
	auto pass = [&](BasicBlock &b, bool last) {
		BitVector now(bases.size(), &b != &f->getEntryBlock());
		for (BasicBlock *p : predecessors(&b))
			if (auto it = after.find(p); it != after.end())
				now &= it->second;
		for (Instruction &i : b) {
			if (auto it = base_number.find(&i); it != base_number.end())
				now.reset(it->second);
			if (auto it =
			        is_access(i) ? accesses.find(cast<CallInst>(&i)) : accesses.end();
			    it != accesses.end() && !it->second.size) {
				if (last)
					it->second.known = now.test(it->second.base);
				now.set(it->second.base);
			}
		}
		if (auto it = early.find(&b); it != early.end())
			for (unsigned base : it->second)
				now.set(base);
		bool changed = !after.count(&b) || after[&b] != now;
		after[&b] = std::move(now);
		return changed;
	};
	for (bool changed = true; changed;) {
		changed = false;
		for (BasicBlock *b : order)
			changed |= pass(*b, false);
	}
	for (BasicBlock *b : order)
		pass(*b, true);
}

// The only block from which the loop is entered, whose only successor is the loop; nullptr: none.
BasicBlock *Weaver::block_before(const Loop &l) const
{
	BasicBlock *from = l.getLoopPredecessor();
	if (!from || !isa<BranchInst>(from->getTerminator()) || given.count(from))
		return nullptr;
	return from->getSingleSuccessor() ? from : SplitEdge(from, l.getHeader());
}

// Is it worth a look before the loop? With calls in it a loop is long, and much in it is seldom
// run.
static bool is_frequent(const Loop &l, const BasicBlock &b, const DominatorTree &tree)
{
	auto is_call = [](const Instruction &i) {
		return isa<CallBase>(i) && !isa<IntrinsicInst>(i) && !is_marker_call(i);
	};
	const BasicBlock *latch = l.getLoopLatch();
	return (latch && tree.dominates(&b, latch))
	    || none_of(l.blocks(), [&](const BasicBlock *in) { return any_of(*in, is_call); });
}

void Weaver::find_early(ArrayRef<BasicBlock *> order)
{
	DominatorTree tree(*f);
	LoopInfo loops(tree);
	MapVector<Loop *, SetVector<unsigned>> at;
	for (BasicBlock *b : order)
		for (Instruction &i : *b) {
			auto it = is_access(i) ? accesses.find(cast<CallInst>(&i)) : accesses.end();
			if (it == accesses.end() || it->second.size)
				continue;
			Loop *best = nullptr;
			for (Loop *l = loops.getLoopFor(b);
			    l && l->isLoopInvariant(bases[it->second.base].pointer)
			    && is_frequent(*l, *b, tree);
			    l = l->getParentLoop())
				best = l;
			if (best)
				at[best].insert(it->second.base);
		}
	for (auto &[l, list] : at)
		if (BasicBlock *before = block_before(*l))
			early[before].insert(list.begin(), list.end());
}

// The span in which the site's pointer was last found.
Value *Weaver::span_at(B &b, unsigned base)
{
	LoadInst *site = b.CreateLoad(i64, bases[base].site);
	quiet.insert(site);
	return b.CreatePtrAdd(
	    m.getOrInsertGlobal(
	        "duct_no_span", StructType::get(c, { i64, ArrayType::get(i64, DUCT_SPAN_SIZES) })),
	    site);
}

static Value *field(IRBuilder<> &b, Value *span, unsigned k, DenseSet<const Instruction *> &quiet)
{
	LoadInst *load =
	    b.CreateLoad(b.getInt64Ty(), k ? b.CreatePtrAdd(span, b.getInt64(8 * k)) : span);
	quiet.insert(load);
	return load;
}

// Is any of the `bytes` bytes at p outside the span?
static Value *is_outside(
    IRBuilder<> &b, Value *span, Value *p, uint64_t bytes, DenseSet<const Instruction *> &quiet)
{
	Value *at = b.CreateSub(b.CreatePtrToInt(p, b.getInt64Ty()), field(b, span, 0, quiet));
	if (isPowerOf2_64(bytes) && bytes < 1u << DUCT_SPAN_SIZES)
		return b.CreateICmpUGE(at, field(b, span, 1 + Log2_64(bytes), quiet));
	Value *end = field(b, span, 1, quiet);
	return b.CreateOr(
	    b.CreateICmpUGE(at, end), b.CreateICmpUGE(b.CreateAdd(at, b.getInt64(bytes - 1)), end));
}

void Weaver::look_up_early()
{
	for (auto &[block, list] : early) {
		Instruction *at = block->getTerminator();
		for (unsigned base : list) {
			B b(at);
			Value *span = span_at(b, base);
			b.CreateStore(span, bases[base].span);
			guarded(at, is_outside(b, span, bases[base].pointer, 1, quiet), [&](B &s) {
				s.CreateStore(s.CreateCall(rt("duct_rt_span", ptr, { ptr, ptr }),
				                  { bases[base].pointer, bases[base].site }),
				    bases[base].span);
				return Nodes();
			});
		}
	}
}

void Weaver::plan_accesses()
{
	SmallVector<BasicBlock *, 32> order;
	for (BasicBlock *b : ReversePostOrderTraversal<Function *>(f)) {
		order.push_back(b);
		for (Instruction &i : *b)
			if (is_access(i))
				add_access(cast<CallInst>(i));
	}
	if (bases.empty())
		return;
	find_early(order);
	order.clear();
	for (BasicBlock *b : ReversePostOrderTraversal<Function *>(f))
		order.push_back(b);
	find_known(order);
	for (Base &base : bases) {
		base.span = B(&f->getEntryBlock(), f->getEntryBlock().begin()).CreateAlloca(ptr);
		base.site = new GlobalVariable(m, i64, false, GlobalValue::InternalLinkage,
		    ConstantInt::get(i64, 0), ".duct.site");
	}
	look_up_early();
}

// Must the runtime be asked?
Value *Weaver::misses(B &b, const Access &a)
{
	Value *base = a.call->getArgOperand(1), *p = a.call->getArgOperand(2);
	if (a.size)
		return a.size < a.bytes ? (Value *)b.getTrue()
		                        : b.CreateICmpUGT(b.CreateSub(b.CreatePtrToInt(p, i64),
		                                              b.CreatePtrToInt(base, i64)),
		                              b.getInt64(a.size - a.bytes));
	Value *span = a.known ? (Value *)b.CreateLoad(ptr, bases[a.base].span) : span_at(b, a.base);
	Value *out = is_outside(b, span, p, a.bytes, quiet);
	if (a.known)
		return out;
	b.CreateStore(span, bases[a.base].span);
	return base == p ? out : b.CreateOr(out, is_outside(b, span, base, 1, quiet));
}

// The optimiser has removed writes to constants. Compilers that do not optimise keep them, and they
// end the program. So the write is made here: the first byte is read and written back.
void Weaver::write_constant(CallInst &call)
{
	Value *p = call.getArgOperand(2);
	auto *to = dyn_cast<GlobalVariable>(getUnderlyingObject(p, 0));
	auto *bytes = dyn_cast<ConstantInt>(call.getArgOperand(3));
	uint64_t how = cast<ConstantInt>(call.getArgOperand(4))->getZExtValue();
	if (!(how & ACCESS_WRITES) || !to || !to->isConstant() || !bytes || bytes->isZero()
	    || !is_alone(call))
		return;
	B b(call.getNextNode());
	b.CreateStore(b.CreateLoad(b.getInt8Ty(), p, true), p, true);
}

void Weaver::lower_access(CallInst &call)
{
	write_constant(call);
	B b(&call);
	auto it = accesses.find(&call);
	Value *base = call.getArgOperand(1), *p = call.getArgOperand(2),
	      *bytes = call.getArgOperand(3), *n = node(p);
	uint64_t inst = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	uint64_t direct = cast<ConstantInt>(call.getArgOperand(4))->getZExtValue();
	auto note_block = [&](B &at) {
		if (auto *block = cast<ConstantInt>(call.getArgOperand(5)); !block->isZero())
			at.CreateStore(block, word("duct_block", i32));
	};
	if (it == accesses.end()) {
		note_block(b);
		b.CreateCall(
		    rt("duct_rt_access", b.getVoidTy(), { ptr, i32, ptr, ptr, i64, i32, i32, i32 }),
		    { unit, call.getArgOperand(0), base, p, bytes, call.getArgOperand(4), n,
		        node(bytes) });
		call.eraseFromParent();
		return;
	}
	const Access a = it->second;
	Value *test = misses(b, a);
	if (test == b.getFalse() && is_zero(n)) {
		call.eraseFromParent();
		return;
	}
	if (!is_zero(n))
		test = b.CreateOr(test, b.CreateICmpNE(n, zero));
	guarded(&call, test, [&](B &s) {
		note_block(s);
		Value *site = a.size ? (Value *)ConstantPointerNull::get(ptr) : bases[a.base].site;
		Value *span =
		    s.CreateCall(rt("duct_rt_touch", ptr, { ptr, i64, ptr, ptr, i32, ptr }),
		        { unit,
		            s.getInt64(inst << 32 | a.bytes << ACCESS_BITS
		                | (a.alone ? ACCESS_ALONE : 0) | direct),
		            base, p, n, site });
		if (!a.size && !a.known)
			s.CreateStore(span, bases[a.base].span);
		return Nodes();
	});
	call.eraseFromParent();
}

} // namespace duct
