// Uses: labels are passed along with values to the computations and decisions that use them.
#include "lib/front/pairs.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>

namespace duct
{

using namespace llvm;

namespace
{

// The branch that an instruction decides, if it is an objective; else null.
MDNode *decided(const Instruction &i)
{
	MDNode *n = i.getMetadata("duct.branch");
	return n && operand(n, 2) != DUCT_ASSUME_BRANCH ? n : nullptr;
}

enum Fate { Ignores, Passes, Consumes, Decides };

// The effect of operand k on the result of instruction i, as in lib/defuse/sinks.
Fate fate(const Instruction &i, unsigned k)
{
	if (auto *call = dyn_cast<CallBase>(&i)) {
		if (is_marker_call(i))
			return Ignores;
		if (inst_of(i) || isa<AnyMemIntrinsic>(i) || call->isInlineAsm())
			return Consumes;
		auto *in = dyn_cast<IntrinsicInst>(&i);
		return !in || in->isAssumeLikeIntrinsic() ? Ignores : Passes;
	}
	switch (i.getOpcode()) {
	case Instruction::Store:
	case Instruction::Ret:
	case Instruction::IndirectBr:
	case Instruction::Alloca: return Consumes;
	case Instruction::Br:
	case Instruction::Switch: return decided(i) ? Decides : Consumes;
	case Instruction::Select:
		return k                           ? Passes
		    : decided(i)                   ? Decides
		    : i.getMetadata("duct.branch") ? Consumes
		                                   : Passes;
	default: return Passes;
	}
}

} // namespace

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

namespace
{

// The instructions that the value of one reaches: those that compute with it, it included; those
// where it arrives; and those that compute with it and whose result nothing uses.
struct Reached {
	SetVector<Instruction *> met, ends;
	SmallPtrSet<Instruction *, 4> unused;

	explicit Reached(Instruction &from)
	{
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
	}
};

// Where the label of an instruction whose result nothing uses is reported: behind both.
Instruction *behind(Instruction *i, Value *label, const Instruction &from)
{
	auto *made = dyn_cast<Instruction>(label);
	if (isa<PHINode>(i))
		return &*i->getParent()->getFirstInsertionPt();
	if (i == &from && made && made->getParent() == i->getParent() && i->comesBefore(made))
		return made->getNextNode();
	return i->getNextNode();
}

} // namespace

// Makes the labels of the results of sorted instructions, to which `from` passes the label.
void Planter::pass_all(Instruction &from, Value *label, ArrayRef<Instruction *> sorted,
    DenseMap<const Value *, Value *> &labels)
{
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
}

// Passes a label along all uses of `from` and reports where it arrives.
void Planter::follow(Instruction &from, Value *label, char kind, uint32_t id, bool local)
{
	Reached reached(from);
	DenseMap<const Value *, Value *> labels;
	SmallVector<Instruction *, 8> sorted(reached.met.begin(), reached.met.end());
	uint32_t c_slot = UINT32_MAX;
	llvm::sort(sorted,
	    [&](Instruction *a, Instruction *b) { return order.lookup(a) < order.lookup(b); });
	pass_all(from, label, sorted, labels);
	for (Instruction *i : reached.ends) {
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
		if (Value *l = reached.unused.contains(i) ? labels.lookup(i) : nullptr) {
			if (c_slot == UINT32_MAX)
				c_slot = slot(kind, id, local, DUCT_PAIR_C);
			B b(behind(i, l, from));
			call(b, ".c", b.getVoidTy(), { number(c_slot), l });
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

} // namespace duct
