// weave_twice: makes two copies of a function. The plain one runs while no value is symbolic: it
// has no nodes and tests only the flags of loaded memory and the results of calls. When it meets a
// symbolic value, it crosses to the same point of the other copy.
#include "lib/front/weave.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/SSAUpdaterBulk.h>

namespace duct
{

using namespace llvm;

// Functions of more blocks are not worth the additional code generation; none where somebody waits.
static size_t most_blocks(Effort effort)
{
	return effort >= Effort::Steady ? 400 : effort == Effort::Brisk ? 40 : 0;
}

// Somebody waits, a little: two copies of what has no loop, or spends its time on pairs, would take
// long to make and run hardly faster.
static bool is_worth_waiting(Function &f, bool pairs)
{
	return !pairs && !LoopInfo(DominatorTree(f)).empty();
}

// Does the instruction prevent copying the function or crossing between the copies?
static bool is_single(const Instruction &i)
{
	if (auto *call = dyn_cast<CallBase>(&i))
		return !isa<CallInst>(call) || call->isInlineAsm() || call->cannotDuplicate()
		    || call->hasFnAttr(Attribute::ReturnsTwice)
		    || call->getIntrinsicID() == Intrinsic::stacksave;
	return i.isAtomic() || i.isEHPad() || i.getType()->isTokenTy() || isa<IndirectBrInst>(i);
}

// Asks for the label of memory, and changes nothing by that.
static bool is_pair_question(const Function &to)
{
	StringRef name = to.getName();
	return name.consume_front(marker_pair) && name == ".use";
}

// May the instruction be executed again by the other copy? The plain copy may have run it since the
// load.
static bool is_repeatable(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	const Function *to = call ? call->getCalledFunction() : nullptr;
	if (to && is_marker(*to))
		return to->getName() == marker_at || to->getName() == marker_access
		    || to->getName() == marker_branch || to->getName() == marker_compare
		    || to->getName() == marker_enter || to->getName() == marker_leave
		    || is_pair_question(*to);
	if (call)
		return isa<IntrinsicInst>(i)
		    && (cast<IntrinsicInst>(i).isAssumeLikeIntrinsic()
		        || !call->mayReadOrWriteMemory());
	return !i.isTerminator() && !i.mayWriteToMemory() && !isa<AllocaInst>(i);
}

// Is v computed from one of these loads in their block?
static bool depends_on(const Value *v, ArrayRef<LoadInst *> loads)
{
	SmallVector<const Value *, 8> work = { v };
	SmallPtrSet<const Value *, 8> seen;
	while (!work.empty()) {
		auto *i = dyn_cast<Instruction>(work.pop_back_val());
		if (!i || i->getParent() != loads[0]->getParent() || isa<PHINode>(i)
		    || !seen.insert(i).second)
			continue;
		if (auto *load = dyn_cast<LoadInst>(i); load && is_contained(loads, load))
			return true;
		work.append(i->op_begin(), i->op_end());
	}
	return false;
}

// The address that an instruction accesses or checks.
static const Value *address_of(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	if (call && is_marker_call(i) && call->getCalledFunction()->getName() == marker_access)
		return call->getArgOperand(2);
	return isa<LoadInst>(i) ? i.getOperand(0) : nullptr;
}

bool Weaver::is_worth_two()
{
	// an entry's inputs are symbolic from the start
	if (options.abstract || options.flows || options.debug || watch_writes
	    || f->size() > most_blocks(options.effort)
	    || (options.effort == Effort::Brisk && !is_worth_waiting(*f, pairs)))
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

// A point is a group of loads in a block with only repeatable instructions in between, including
// the marker of the first one's position; or a call. Loaded values are tested before they are used
// as addresses.
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
		auto *load = dyn_cast<LoadInst>(&i);
		if (load && is_source(i) && !reads_constant(*load)) { // the address is concrete
			if (!open)
				points.push_back({ start ? start : &i, nullptr, {} });
			open = true;
			points.back().last = &i;
			points.back().loads.push_back(load);
		} else if (!is_repeatable(i)) {
			open = false;
			start = nullptr;
			if (call && is_source(i) && is_tracked(*call))
				points.push_back({ i.getNextNode(), &i, {} });
		} else if (call && !start) {
			start = &i;
		}
	}
}

// Creates a crossing from the plain copy; its condition and code are filled in later.
BranchInst *Weaver::plant_crossing(BranchInst *from, BasicBlock *to)
{
	BasicBlock *next = from->getSuccessor(0);
	BasicBlock *over = BasicBlock::Create(c, "", f, next);
	BranchInst::Create(to, over);
	auto *branch =
	    BranchInst::Create(over, next, ConstantInt::getFalse(c), from->getIterator());
	branch->setMetadata(LLVMContext::MD_prof, unlikely);
	given[over];
	from->eraseFromParent();
	return branch;
}

// Rewrites uses of the other copy's values for paths that cross over after their computation.
static void join_values(
    Function &f, ArrayRef<std::pair<Value *, Instruction *>> values, BasicBlock *begin)
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

// Fixed-size allocas stay in the entry block, which both copies share.
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
			values.push_back({ &a, p });
			arguments.push_back({ p, &a });
		}
	for (BasicBlock *b : blocks) {
		BasicBlock *copy = CloneBasicBlock(b, map, "", f);
		map[b] = copy;
		copies.push_back(copy);
		for (Instruction &i : *b) {
			plain.insert(&i);
			if (!i.getType()->isVoidTy())
				values.push_back({ &i, cast<Instruction>(map[&i]) });
		}
	}
	remapInstructionsInBlocks(copies, map);
	begin[1] = cast<BasicBlock>(map[begin[0]]);
	BranchInst::Create(begin[1], other);
	entry_crossing =
	    plant_crossing(cast<BranchInst>(f->getEntryBlock().getTerminator()), other);
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

// Completes a crossing: sets the nodes of the values; crosses if any of them is symbolic, or if
// `also`.
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

// Crosses if any loaded byte is flagged; the other copy then repeats the loads.
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
