// weave_markers: lowers markers to coverage, steps and events, once operands have their shadow.
#include "lib/front/weave.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct
{

using namespace llvm;

static bool has_marker(const BasicBlock *b)
{
	return any_of(*b, is_block_marker);
}

// Finds where steps are tested: at the function's start and at targets of back edges; all blocks if
// one of those has no marker.
void Weaver::find_rounds(ArrayRef<BasicBlock *> order)
{
	DenseSet<const BasicBlock *> seen;
	for (BasicBlock *&first : begin) {
		auto marked = std::find_if(find(order, first), order.end(), has_marker);
		if (marked != order.end())
			first = *marked;
	}
	rounds.insert(begin[0]);
	rounds.insert(begin[1]);
	for (BasicBlock *b : order) {
		seen.insert(b);
		for (BasicBlock *to : successors(b))
			if (seen.contains(to))
				rounds.insert(to);
	}
	if (!all_of(rounds, has_marker))
		rounds.insert(order.begin(), order.end());
}

// Counts a block's steps, records its id where needed and writes coverage. Branch markers are
// lowered later, when their operand has a shadow.
void Weaver::lower_block_markers(BasicBlock &b)
{
	SmallVector<CallInst *, 4> found;
	for (Instruction &i : b)
		if (is_block_marker(i))
			found.push_back(cast<CallInst>(&i));
	if (found.empty())
		return;
	B first(found[0]);
	Value *now = first.CreateSub(first.CreateLoad(i64, left), first.getInt64(found.size()));
	first.CreateStore(now, left);
	SmallVector<Value *, 4> entered;
	for (CallInst *call : found) {
		B at(call);
		uint64_t id = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
		entered.push_back(cover(at, outcomes + id - 1));
		if (pairs && !asks_for_readers())
			log(at, entered.back());
		if (pairs && asks_for_readers() && !is_block_marker(*call->getNextNode())) {
			log_if_read(call, entered);
			entered.clear();
			at.SetInsertPoint(call);
		}
		at.CreateStore(at.getInt32(id), block_word());
		if (!options.model && (&b == begin[0] || &b == begin[1]))
			at.CreateStore(unit, word("duct_block_unit", ptr));
	}
	B at(found[0]);
	if (rounds.contains(&b))
		guarded(found[0], at.CreateICmpSLT(now, at.getInt64(0)), [&](B &s) {
			s.CreateStore(found[0]->getArgOperand(0), block_word());
			s.CreateStore(now, word("duct_steps", i64));
			s.CreateCall(rt("duct_rt_steps", s.getVoidTy(), {}), {});
			read_steps(s);
			return Nodes();
		});
	for (CallInst *call : found)
		call->eraseFromParent();
}

// Reloads the step count after a call.
void Weaver::read_steps(B &b)
{
	LoadInst *now = b.CreateLoad(i64, word("duct_steps", i64));
	quiet.insert(now);
	b.CreateStore(now, left);
	if (!pairs || asks_for_readers())
		return;
	now = b.CreateLoad(i32, word("duct_way_count", i32));
	quiet.insert(now);
	b.CreateStore(now, way);
}

void Weaver::write_steps(B &b)
{
	quiet.insert(b.CreateStore(b.CreateLoad(i64, left), word("duct_steps", i64)));
}

void Weaver::steps_at(Instruction &landing)
{
	flush(&landing);
	B b(landing.getNextNode());
	read_steps(b);
}

// Keeps the remaining steps in a local variable: counting in memory would cost as much as a short
// loop iteration.
void Weaver::enter_steps()
{
	BasicBlock &entry = f->getEntryBlock();
	left = B(&entry, entry.begin()).CreateAlloca(i64);
	way = pairs ? B(&entry, entry.begin()).CreateAlloca(i32) : nullptr;
	B b(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
	read_steps(b);
	if (pairs && asks_for_readers()) {
		LoadInst *read = b.CreateLoad(i32, word("duct_way_read", i32));
		quiet.insert(read);
		b.CreateStore(read, way);
	}
	covered = b.CreateLoad(ptr, b.CreateStructGEP(unit->getValueType(), unit, 1));
}

// Sets the coverage byte at `index`; returns its address. Where its instruction ends up stands in
// the section DUCT_MARKS (abi.h).
Value *Weaver::cover(B &b, uint32_t index)
{
	Value *byte = b.CreateConstGEP1_64(i8, covered, index);
	// volatile: two that are merged would leave one instruction for both
	StoreInst *store = b.CreateStore(b.getInt8(1), byte, true);
	auto number = [&](IntegerType *type, uint64_t v) {
		return ConstantAsMetadata::get(ConstantInt::get(type, v));
	};
	Metadata *about[] = { number(i32, 0), number(i32, index), key };
	if (!options.model)
		store->setMetadata(LLVMContext::MD_pcsections,
		    MDNode::getDistinct(
		        c, { MDString::get(c, DUCT_MARKS), MDNode::get(c, about) }));
	quiet.insert(store);
	return byte;
}

// A bit for each variable that holds the current position, in the program or on its way; 0: another
// variable.
static unsigned place_word(const Value *p)
{
	static const char *const words[] = { "duct_block", "duct_inst", "duct_block_unit",
		"duct_model_block", "duct_way_count" };
	auto *g = dyn_cast_or_null<GlobalVariable>(p);
	for (unsigned k = 0; g && k < std::size(words); k++)
		if (g->getName() == words[k])
			return 1u << k;
	return 0;
}

// The position variables that a block writes before anything can read them; adds these stores to
// `kept`.
unsigned Weaver::first_places(BasicBlock &b, Stores &kept) const
{
	unsigned words = 0;
	for (Instruction &i : b) {
		auto *store = dyn_cast<StoreInst>(&i);
		unsigned word = store ? place_word(store->getPointerOperand()) : 0;
		if (word)
			kept.insert(store);
		else if (!quiet.contains(&i) && !isa<PHINode>(i)
		    && (i.mayReadOrWriteMemory() || isa<CallBase>(i)))
			break;
		words |= word;
	}
	return words;
}

// later: variables written after the block before anything can read them. Removes dead stores;
// returns the set at the block's start.
unsigned Weaver::drop_unseen_places(BasicBlock &b, unsigned later, const Stores &kept)
{
	for (Instruction &i : make_early_inc_range(reverse(b))) {
		auto *store = dyn_cast<StoreInst>(&i);
		unsigned word = store ? place_word(store->getPointerOperand()) : 0;
		if (word & later && !kept.contains(store))
			store->eraseFromParent();
		else if (word)
			later |= word;
		else if (!quiet.contains(&i) && !isa<PHINode>(i)
		    && (i.mayReadOrWriteMemory() || isa<CallBase>(i)))
			later = 0;
	}
	return later;
}

// Removes stores of positions that are overwritten before anything can read them. Each loop
// iteration records its position.
void Weaver::drop_unseen_places()
{
	DenseMap<const BasicBlock *, unsigned> before;
	SmallPtrSet<const StoreInst *, 16> kept; // at loop headers
	for (BasicBlock *b : post_order(f)) {
		unsigned later = succ_empty(b) ? 0 : ~0u;
		for (BasicBlock *s : successors(b)) {
			auto it = before.find(s);
			later &= it != before.end() ? it->second : first_places(*s, kept);
		}
		unsigned mine = drop_unseen_places(*b, later, kept);
		before[b] = mine;
	}
}

// Appends the block's coverage byte to the ring of recently entered blocks, see abi.h. The count is
// kept as that of steps is; only written, it delays no block by the one before.
void Weaver::log(B &b, Value *byte)
{
	auto *ring = ArrayType::get(i32, DUCT_WAY);
	Value *n = b.CreateLoad(i32, way), *at = b.CreateAnd(n, b.getInt32(DUCT_WAY - 1)),
	      *next = b.CreateAdd(n, b.getInt32(1));
	b.CreateStore(next, way);
	quiet.insert(b.CreateStore(b.CreatePtrToInt(byte, i32),
	    b.CreateGEP(ring, word("duct_way", ring), { b.getInt32(0), at })));
	quiet.insert(b.CreateStore(next, word("duct_way_count", i32)));
}

// The same where most processes have no reader of it.
void Weaver::log_if_read(Instruction *at, ArrayRef<Value *> bytes)
{
	B head(at);
	guarded(at, head.CreateLoad(i32, way), [&](B &b) {
		for (Value *byte : bytes)
			quiet.insert(
			    b.CreateCall(rt("duct_rt_way", b.getVoidTy(), { ptr }), { byte }));
		return Nodes();
	});
}

// As guarded_any; with abstract calls, concrete outcomes are also reported.
void Weaver::guarded_told(Instruction *at, Value *v, Build build)
{
	if (!options.abstract) {
		guarded_any(at, { v }, 0, build);
		return;
	}
	B head(at);
	guarded(
	    at, head.CreateOr(node(v), head.CreateLoad(i32, word("duct_tells", i32))), [&](B &b) {
		    check(b, v);
		    return build(b);
	    });
}

// Does control go on to the terminator with nothing in between that can be observed?
bool Weaver::is_next(const Instruction &i, const Instruction *terminator) const
{
	const Instruction *at = &i;
	while (at != terminator
	    && (quiet.contains(at) || !at->mayReadOrWriteMemory() || is_marker_call(*at)))
		at = at->getNextNode();
	return at == terminator;
}

// Inserts a block on the way to the k-th successor. Unlike LLVM's own, it leaves alone what is not
// filled in yet: the nodes of PHIs.
static BasicBlock *split_way(Instruction &terminator, unsigned k)
{
	BasicBlock *from = terminator.getParent(), *to = terminator.getSuccessor(k);
	BasicBlock *way = BasicBlock::Create(from->getContext(), "", from->getParent(), to);
	BranchInst::Create(to, way);
	terminator.setSuccessor(k, way);
	for (PHINode &p : to->phis())
		if (int at = p.getBasicBlockIndex(from); at >= 0)
			p.setIncomingBlock((unsigned)at, way);
	return way;
}

// Does one hold exactly where the other does not?
static bool are_opposite(const Value *a, const Value *b)
{
	using namespace PatternMatch;
	if (match(a, m_Not(m_Specific(b))) || match(b, m_Not(m_Specific(a))))
		return true;
	auto *x = dyn_cast<ICmpInst>(a), *y = dyn_cast<ICmpInst>(b);
	return x && y && x->getOperand(0) == y->getOperand(0)
	    && x->getOperand(1) == y->getOperand(1)
	    && x->getPredicate() == y->getInversePredicate();
}

// Adds code of each outcome of cond, 0 for true, to the successors if the branch follows.
bool Weaver::in_successors(
    CallInst &call, Value *cond, function_ref<void(Instruction *, unsigned)> build)
{
	auto *branch = dyn_cast<BranchInst>(call.getParent()->getTerminator());
	if (!branch || !branch->isConditional() || !is_next(call, branch)
	    || branch->getSuccessor(0) == branch->getSuccessor(1))
		return false;
	bool opposite = are_opposite(cond, branch->getCondition());
	if (!opposite && cond != branch->getCondition())
		return false;
	for (unsigned side = 0; side < 2; side++) {
		BasicBlock *to = branch->getSuccessor(side);
		if (!to->getSinglePredecessor())
			to = split_way(*branch, side);
		build(&*to->getFirstInsertionPt(), side ^ opposite);
	}
	return true;
}

bool Weaver::cover_successors(CallInst &call, Value *cond, uint32_t first)
{
	return in_successors(call, cond, [&](Instruction *at, unsigned outcome) {
		B b(at);
		cover(b, first + outcome);
	});
}

// Elsewhere, each outcome is covered in a block of its own.
void Weaver::cover_branch(CallInst &call, Value *cond, uint32_t first)
{
	if (cover_successors(call, cond, first))
		return;
	Instruction *side[2];
	SplitBlockAndInsertIfThenElse(cond, call.getIterator(), &side[0], &side[1]);
	for (unsigned k = 0; k < 2; k++) {
		B at(side[k]);
		cover(at, first + k);
	}
}

void Weaver::lower_branch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *cond = call.getArgOperand(1), *n = node(cond);
	if (!id) {
		guarded_any(&call, { cond }, 0, [&](B &b) {
			b.CreateCall(rt("duct_rt_condition", b.getVoidTy(), { ptr, i32, i32 }),
			    { unit, b.CreateZExt(cond, i32), n });
			return Nodes();
		});
		call.eraseFromParent();
		return;
	}
	cover_branch(call, cond, branches[id - 1].first);
	const char *tell = is_merged(call) ? "duct_rt_branch_merged" : "duct_rt_branch";
	guarded_told(&call, cond, [&](B &b) {
		b.CreateCall(rt(tell, b.getVoidTy(), { ptr, i32, i32, i32 }),
		    { unit, b.getInt32(id), b.CreateZExt(cond, i32), n });
		return Nodes();
	});
	call.eraseFromParent();
}

void Weaver::lower_call_event(CallInst &call)
{
	bool enters = call.getCalledFunction()->getName() == marker_enter;
	B head(&call);
	// the plain copy runs only when calls are not reported
	if (!is_plain(call))
		guarded(&call, head.CreateLoad(i32, word("duct_calls", i32)), [&](B &b) {
			b.CreateCall(rt(enters ? "duct_rt_call" : "duct_rt_return", b.getVoidTy(),
			                 { ptr, i32 }),
			    { unit, call.getArgOperand(0) });
			return Nodes();
		});
	call.eraseFromParent();
}

// In front of an instruction, a concrete switch once more: a block for each outcome, default's
// last.
Weaver::Ways Weaver::part_ways(Instruction *at, Value *v, const BranchInfo &info)
{
	BasicBlock *from = at->getParent(), *to = SplitBlock(from, at);
	Ways ways;
	for (size_t i = 0; i <= info.values.size(); i++) {
		ways.push_back(BasicBlock::Create(c, "", f, to));
		BranchInst::Create(to, ways.back());
	}
	from->getTerminator()->eraseFromParent();
	auto *s = SwitchInst::Create(v, ways.back(), info.values.size(), from);
	for (size_t i = 0; i < info.values.size(); i++)
		s->addCase(
		    cast<ConstantInt>(ConstantInt::get(v->getType(), info.values[i])), ways[i]);
	return ways;
}

// The outcome of a concrete switch.
Value *Weaver::outcome_of(Instruction *at, Value *v, const BranchInfo &info)
{
	Ways ways = part_ways(at, v, info);
	auto *p = PHINode::Create(i64, ways.size(), "", at->getParent()->begin());
	for (size_t i = 0; i < ways.size(); i++)
		p->addIncoming(ConstantInt::get(i64, info.first + i), ways[i]);
	return p;
}

// The blocks on the way to a switch's successors, by outcome; none when the optimiser left another
// switch than the source's.
Weaver::Ways Weaver::ways_of(CallInst &call, const Value *v, const BranchInfo &info)
{
	auto *s = dyn_cast<SwitchInst>(call.getParent()->getTerminator());
	if (!s || s->getCondition() != v || s->getNumCases() != info.values.size()
	    || !is_next(call, s))
		return {};
	SmallVector<unsigned, 16> successor;
	for (uint64_t value : info.values) {
		auto it =
		    s->findCaseValue(cast<ConstantInt>(ConstantInt::get(v->getType(), value)));
		if (it == s->case_default())
			return {};
		successor.push_back(it->getSuccessorIndex());
	}
	successor.push_back(0); // default
	Ways ways;
	for (unsigned k : successor)
		ways.push_back(split_way(*s, k));
	return ways;
}

void Weaver::lower_switch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *v = call.getArgOperand(1), *n = node(v);
	if (!id) {
		lost_if(&call, { n }, "switch that is not in the source");
		call.eraseFromParent();
		return;
	}
	const BranchInfo &info = branches[id - 1];
	unsigned width = v->getType()->getIntegerBitWidth();
	if (!is_zero(n) || options.abstract)
		guarded_told(&call, v, [&](B &b) {
			b.CreateCall(
			    rt("duct_rt_switch", b.getVoidTy(), { ptr, i32, i64, i32, i32 }),
			    { unit, b.getInt32(id), as_word(b, v), b.getInt32(width), n });
			return Nodes();
		});
	Ways ways = ways_of(call, v, info);
	if (ways.empty())
		ways = part_ways(&call, v, info);
	for (size_t i = 0; i < ways.size(); i++) {
		B at(ways[i]->getTerminator());
		cover(at, info.first + i);
	}
	call.eraseFromParent();
}

} // namespace duct
