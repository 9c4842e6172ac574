// weave_twice: two copies of a function. The plain one runs as long as none of the values at hand is symbolic:
// it has no nodes, and looks only at the flags of what it loads and at the results of calls. Where it meets
// something symbolic it goes over to the other copy, at the same point.
#include "lib/front/weave.h"

#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdaterBulk.h>

namespace duct {

using namespace llvm;

static const size_t most_blocks = 400;   // of a function that is worth its time in the code generator

// What keeps a function from being copied, or from leaving one copy for the other at any point.
static bool is_single(const Instruction &i)
{
	if (auto *call = dyn_cast<CallBase>(&i))
		return !isa<CallInst>(call) || call->isInlineAsm() || call->cannotDuplicate() ||
		       call->hasFnAttr(Attribute::ReturnsTwice) || call->getIntrinsicID() == Intrinsic::stacksave;
	return i.isAtomic() || i.isEHPad() || i.getType()->isTokenTy() || isa<IndirectBrInst>(i);
}

// Run again by the other copy, it makes no difference: what the plain copy did since a load may be done twice.
static bool is_repeatable(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	const Function *to = call ? call->getCalledFunction() : nullptr;
	if (to && is_marker(*to))
		return to->getName() == marker_at || to->getName() == marker_access || to->getName() == marker_branch || to->getName() == marker_enter ||
		       to->getName() == marker_leave;
	if (call)
		return isa<IntrinsicInst>(i) && (cast<IntrinsicInst>(i).isAssumeLikeIntrinsic() || !call->mayReadOrWriteMemory());
	return !i.isTerminator() && !i.mayWriteToMemory() && !isa<AllocaInst>(i);
}

// Is v computed from one of these in their block?
static bool depends_on(const Value *v, ArrayRef<LoadInst *> loads)
{
	SmallVector<const Value *, 8> work = {v};
	SmallPtrSet<const Value *, 8> seen;
	while (!work.empty()) {
		auto *i = dyn_cast<Instruction>(work.pop_back_val());
		if (!i || i->getParent() != loads[0]->getParent() || isa<PHINode>(i) || !seen.insert(i).second)
			continue;
		if (auto *load = dyn_cast<LoadInst>(i); load && is_contained(loads, load))
			return true;
		work.append(i->op_begin(), i->op_end());
	}
	return false;
}

// What it accesses, or asks about.
static const Value *address_of(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	if (call && is_marker_call(i) && call->getCalledFunction()->getName() == marker_access)
		return call->getArgOperand(2);
	return isa<LoadInst>(i) ? i.getOperand(0) : nullptr;
}

bool Weaver::is_worth_two()
{
	// The inputs of an entry are symbolic from the start, and each session waits until it is built.
	if (!options.entry.empty() || options.abstract || options.flows || options.debug || pairs || watch_writes ||
	    f->size() > most_blocks)
		return false;
	bool reads = !f->arg_empty();
	for (BasicBlock &b : *f) {
		if (b.hasAddressTaken())
			return false;
		for (Instruction &i : b) {
			if (is_single(i))
				return false;
			reads |= is_source(i);
		}
	}
	return reads;
}

bool Weaver::is_tracked(const CallBase &call) const
{
	return is_shadowed(call.getType()) && !call.use_empty() && !call.isMustTailCall();
}

// Loads of a block between which nothing happens that must not happen twice are one point, with what notes the
// first one's place; each call is one. What is loaded is looked at before it becomes an address.
void Weaver::find_points(BasicBlock &b, SmallVectorImpl<Point> &points)
{
	Instruction *start = nullptr;
	bool open = false;
	for (Instruction &i : b) {
		auto *call = dyn_cast<CallInst>(&i);
		const Value *address = open ? address_of(i) : nullptr;
		if (address && depends_on(address, points.back().loads)) {
			open = false;
			start = nullptr;
		}
		if (isa<LoadInst>(i) && is_source(i)) {
			if (!open)
				points.push_back({start ? start : &i, nullptr, {}});
			open = true;
			points.back().last = &i;
			points.back().loads.push_back(cast<LoadInst>(&i));
		} else if (!is_repeatable(i)) {
			open = false;
			start = nullptr;
			if (call && is_source(i) && is_tracked(*call))
				points.push_back({i.getNextNode(), &i, {}});
		} else if (call && !start) {
			start = &i;
		}
	}
}

// The plain copy's way to the other one; its condition and what it does on the way come later.
BranchInst *Weaver::plant_crossing(BranchInst *from, BasicBlock *to)
{
	BasicBlock *next = from->getSuccessor(0);
	BasicBlock *over = BasicBlock::Create(c, "", f, next);
	BranchInst::Create(to, over);
	auto *branch = BranchInst::Create(over, next, ConstantInt::getFalse(c), from->getIterator());
	branch->setMetadata(LLVMContext::MD_prof, unlikely);
	given[over];
	from->eraseFromParent();
	return branch;
}

// Uses of the other copy's values, wherever the plain copy may have come over since they were computed.
static void join_values(Function &f, ArrayRef<std::pair<Value *, Instruction *>> values, BasicBlock *begin)
{
	SSAUpdaterBulk updater;
	for (auto [plain, other] : values) {
		BasicBlock *home = other->getParent();
		int id = -1;
		for (Use &u : other->uses()) {
			auto *user = cast<Instruction>(u.getUser());
			auto *phi = dyn_cast<PHINode>(user);
			if ((phi ? phi->getIncomingBlock(u) : user->getParent()) == home)
				continue;
			if (id < 0) {
				id = (int)updater.AddVariable("", other->getType());
				updater.AddAvailableValue(id, home, other);
				auto *i = dyn_cast<Instruction>(plain);
				updater.AddAvailableValue(id, i ? i->getParent() : begin, plain);
			}
			updater.AddUse(id, &u);
		}
	}
	DominatorTree tree(f);
	updater.RewriteAllUses(&tree);
}

// Allocas of fixed size stay in the entry block, which both copies have in common.
static BasicBlock *split_entry(Function &f)
{
	BasicBlock &entry = f.getEntryBlock();
	auto at = entry.begin();
	for (Instruction &i : make_early_inc_range(entry))
		if (auto *a = dyn_cast<AllocaInst>(&i); a && isa<Constant>(a->getArraySize())) {
			if (&*at == a)
				++at;
			else
				a->moveBefore(entry, at);
		}
	return entry.splitBasicBlock(at);
}

void Weaver::make_two()
{
	if (!is_worth_two())
		return;
	begin[0] = split_entry(*f);
	SmallVector<BasicBlock *, 32> blocks, copies;
	SmallVector<Point, 32> points;
	for (BasicBlock &b : *f)
		if (&b != &f->getEntryBlock())
			blocks.push_back(&b);
	for (BasicBlock *b : blocks)
		find_points(*b, points);
	ValueToValueMapTy map;
	SmallVector<std::pair<Value *, Instruction *>, 64> values;
	BasicBlock *other = BasicBlock::Create(c, "", f);
	for (Argument &a : f->args())
		if (!a.use_empty() && !a.hasByValAttr()) {
			auto *p = PHINode::Create(a.getType(), 1, "", other);
			map[&a] = p;
			values.push_back({&a, p});
			arguments.push_back({p, &a});
		}
	for (BasicBlock *b : blocks) {
		BasicBlock *copy = CloneBasicBlock(b, map, "", f);
		map[b] = copy;
		copies.push_back(copy);
		for (Instruction &i : *b) {
			plain.insert(&i);
			if (!i.getType()->isVoidTy())
				values.push_back({&i, cast<Instruction>(map[&i])});
		}
	}
	remapInstructionsInBlocks(copies, map);
	begin[1] = cast<BasicBlock>(map[begin[0]]);
	BranchInst::Create(begin[1], other);
	entry_crossing = plant_crossing(cast<BranchInst>(f->getEntryBlock().getTerminator()), other);
	for (auto [p, a] : arguments)
		p->addIncoming(a, entry_crossing->getSuccessor(0));
	for (Point &p : points) {
		auto *first = cast<Instruction>(map[p.first]);
		BasicBlock *to = first->getParent()->splitBasicBlock(first);
		BasicBlock *from = p.last->getParent();
		from->splitBasicBlock(p.last->getNextNode());
		crossings[plant_crossing(cast<BranchInst>(from->getTerminator()), to)] = p;
	}
	join_values(*f, values, &f->getEntryBlock());
}

// What the block that goes over knows of values; it does when any of them is symbolic, or `also`.
void Weaver::go_over(BasicBlock *over, BasicBlock *stay, Given values, Value *also)
{
	Instruction *term = over->getTerminator();
	B b(term);
	Value *test = also;
	for (auto &v : values)
		if (Value *one = any(b, v.second))
			test = test ? b.CreateOr(test, one) : one;
	if (test && test != zero)
		b.CreateCondBr(b.CreateICmpNE(test, zero), term->getSuccessor(0), stay);
	else
		b.CreateBr(stay);
	term->eraseFromParent();
	given[over] = std::move(values);
}

// Is any byte that was loaded flagged? Then the other copy loads again.
void Weaver::cross_loads(BranchInst &branch)
{
	auto it = crossings.find(&branch);
	if (it == crossings.end() || it->second.loads.empty())
		return;
	B b(&branch);
	Value *test = nullptr;
	for (LoadInst *load : it->second.loads) {
		Value *p = load->getPointerOperand(), *more;
		more = flags(b, p, dl.getTypeStoreSize(load->getType()), load->getAlign().value());
		test = test ? b.CreateOr(test, more) : more;
	}
	branch.setCondition(b.CreateICmpNE(test, zero));
}

} // namespace duct
