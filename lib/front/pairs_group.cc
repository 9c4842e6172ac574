// pairs_group: uses that are reported at one place, and whose labels follow from one another, are
// reported together: woven code looks at one label for all of them.
//
// Of the uses whose markers follow each other with nothing in between that could end the run, the
// optimiser has left many with labels that
// - are the same value, as those of `n` in `n < most && p[n]`;
// - are definitions at the function's entry: they differ in a constant, and change with the call;
// - are constants: told once, they are told for good.
// A group has a slot of its own for each outcome, and with it the runtime's memory of the labels
// for which its members were told: another place may share a member, but not the group. For the
// same reason a use that is reported at several places, as in bodies that were inlined, has a slot
// for each.
#include "lib/front/pairs.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/SimplifyQuery.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace duct
{

using namespace llvm;
using namespace llvm::PatternMatch;

namespace
{

// A marker of a use at which a label arrives: unconditionally (.c), or with an outcome.
struct Arrival {
	CallInst *call;
	uint32_t slot;
	Value *label;
	bool chosen; // the slot is that of the first outcome
};

using Arrivals = SmallVector<Arrival, 4>;

// The value that decides the label, and what distinguishes the label from those of others that it
// decides.
std::pair<Value *, uint64_t> parts(Value *label)
{
	const uint64_t site = ((uint64_t)1 << DUCT_LABEL_WHEN) - ((uint64_t)1 << DUCT_LABEL_SITE);
	Value *x, *y;
	ConstantInt *k;
	if (match(label, m_Or(m_Value(x), m_ConstantInt(k)))
	    && match(x, m_Shl(m_ZExt(m_Value(y)), m_SpecificInt(DUCT_LABEL_SITE)))
	    && !(k->getZExtValue() & site))
		return { x, k->getZExtValue() };
	return { label, 0 };
}

bool is_constant(const Arrival &a)
{
	return isa<ConstantInt>(a.label);
}

// Does it ask for what does not change while the program runs?
bool is_constant_question(const Value *v)
{
	auto *call = dyn_cast<CallInst>(v);
	StringRef name =
	    call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
	return name.consume_front(marker_pair)
	    && (name == ".site"
	        || (name == ".returned" && isa<ConstantInt>(call->getArgOperand(0))));
}

// Is the label the same each time? Those of parameters are where the body was inlined.
bool is_fixed(Value *label)
{
	Value *site;
	if (isa<ConstantInt>(label))
		return !match(label, m_Zero());
	if (is_constant_question(label))
		return true;
	return match(
	           parts(label).first, m_Shl(m_ZExt(m_Value(site)), m_SpecificInt(DUCT_LABEL_SITE)))
	    && is_constant_question(site);
}

// The values that may become this label. False: too many.
bool sources(Value *label, SmallVectorImpl<Value *> &found)
{
	SmallSetVector<Value *, 16> met;
	met.insert(label);
	for (unsigned k = 0; k < met.size(); k++) {
		if (met.size() > 16)
			return false;
		if (auto *p = dyn_cast<PHINode>(met[k]))
			met.insert(p->op_begin(), p->op_end());
		else if (auto *s = dyn_cast<SelectInst>(met[k]))
			met.insert(s->op_begin() + 1, s->op_end());
		else
			found.push_back(met[k]);
	}
	return true;
}

// If the label is the definition of a parameter by the call of its function, the marker of that
// entry; null if it is not, or if the function was inlined.
CallInst *entry_of(Value *label)
{
	Value *site;
	if (!match(
	        parts(label).first, m_Shl(m_ZExt(m_Value(site)), m_SpecificInt(DUCT_LABEL_SITE))))
		return nullptr;
	auto *call = dyn_cast<CallInst>(site);
	return call && call->getCalledFunction()
	        && call->getCalledFunction()->getName() == (Twine(marker_pair) + ".enter").str()
	    ? call
	    : nullptr;
}

// How a label chooses its slot: by the bits in which its possible values differ, so that each value
// has a slot of its own. once: each slot gets only one label, and none of them is 0.
struct Spread {
	unsigned shift = 0, bits = 0;
	bool once = false;
	uint64_t of(uint64_t label) const
	{
		return (uint32_t)label >> shift & ((1u << bits) - 1);
	}
};

bool tells_apart(const Spread &s, ArrayRef<uint64_t> labels)
{
	uint64_t seen = 0;
	for (uint64_t l : labels) {
		if (seen >> s.of(l) & 1)
			return false;
		seen |= 1ull << s.of(l);
	}
	return true;
}

Spread spread(Value *label)
{
	enum { Most = 3 };
	SmallVector<Value *, 8> found;
	SmallVector<uint64_t, 8> known;
	Spread s;
	if (!sources(label, found))
		return s;
	bool fixed = true;
	for (Value *v : found) {
		auto *n = dyn_cast<ConstantInt>(v);
		uint64_t low = n ? n->getZExtValue() : parts(v).second;
		fixed &= is_fixed(v);
		if (low && !is_contained(known, low))
			known.push_back(low);
		else if (low || !n) // a definition that two calls, or nothing here, tell apart
			fixed &= found.size() == 1;
	}
	for (s.bits = 0; s.bits <= Most; s.bits++)
		for (s.shift = 0; s.shift < (s.bits ? 12u : 1u); s.shift++)
			if (tells_apart(s, known)) {
				s.once = fixed;
				return s;
			}
	return Spread();
}

class Grouper
{
      public:
	Grouper(Module &mod, const std::vector<BranchInfo> &list, std::vector<PairSlot> &all)
	    : m(mod), c(mod.getContext()), branches(list), slots(all), i32(Type::getInt32Ty(c)),
	      i64(Type::getInt64Ty(c))
	{
	}
	void count(BasicBlock &b);
	void group(BasicBlock &b);

      private:
	Module &m;
	LLVMContext &c;
	const std::vector<BranchInfo> &branches;
	std::vector<PairSlot> &slots;
	IntegerType *i32, *i64;

	Arrivals run;
	CallInst *chooser = nullptr;             // a marker of the run with an outcome
	uint32_t outcomes = 1;                   // of its decision
	DenseMap<const Value *, Value *> choice; // by function's entry
	std::vector<uint32_t> places;            // of each slot: how many markers have it

	bool add(CallInst &call, StringRef name);
	void end();
	void split(Arrivals &list, Arrivals &fixed, SmallVectorImpl<Arrivals> &lists) const;
	uint32_t count_outcomes() const;
	Value *outcome(IRBuilder<> &b);
	Constant *table(uint32_t slot, ArrayRef<Arrival> members, Value *first);
	CallInst *question(const Arrival &a) const;
	void mark(IRBuilder<> &b, const Twine &name, ArrayRef<Value *> args);
	unsigned entry_bits(const CallInst &entry);
	Value *entry_choice(CallInst &entry, unsigned bits);
	Value *choose(IRBuilder<> &b, Value *label, Spread &s);
	uint32_t own_slots(const Arrival &a, uint32_t copies);
	void replace(IRBuilder<> &b, ArrayRef<Arrival> members, Value *outcome);
};

// Is it a marker of a use at which a label arrives? With an outcome (chosen)?
bool is_arrival(StringRef name, bool &chosen)
{
	chosen = name == ".side" || name.starts_with(".case.");
	return chosen || name == ".c";
}

// Do these two belong to the same decision?
bool same_decision(const CallInst &a, const CallInst &b)
{
	if (a.getCalledFunction() != b.getCalledFunction())
		return false;
	for (unsigned k = 2; k < a.arg_size(); k++)
		if (a.getArgOperand(k) != b.getArgOperand(k))
			return false;
	return true;
}

// May the marker of a use be moved over the instruction?
bool is_passed(const Instruction &i)
{
	return !i.isTerminator() && !i.mayReadOrWriteMemory() && !i.mayHaveSideEffects();
}

} // namespace

// Adds a marker to the run; false: it is not the marker of a use.
bool Grouper::add(CallInst &call, StringRef name)
{
	bool chosen;
	if (!is_arrival(name, chosen))
		return false;
	if (match(call.getArgOperand(1), m_Zero())) { // no definition
		call.eraseFromParent();
		return true;
	}
	if (chosen && chooser && !same_decision(*chooser, call))
		end();
	if (chosen)
		chooser = &call;
	auto slot = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	run.push_back({ &call, (uint32_t)slot, call.getArgOperand(1), chosen });
	return true;
}

// How many outcomes the run's decision has.
uint32_t Grouper::count_outcomes() const
{
	if (!chooser || chooser->arg_size() == 3)
		return chooser ? 2 : 1;
	uint64_t id = cast<ConstantInt>(chooser->getArgOperand(2))->getZExtValue();
	return branches[id - 1].values.size() + 1;
}

// The number of the outcome that the decision takes.
Value *Grouper::outcome(IRBuilder<> &b)
{
	if (!chooser)
		return b.getInt32(0);
	SmallVector<Value *, 2> args(drop_begin(chooser->args(), 2));
	SmallVector<Type *, 2> types;
	for (Value *v : args)
		types.push_back(v->getType());
	StringRef decision = chooser->getCalledFunction()->getName();
	decision.consume_front(marker_pair);
	return b.CreateCall(
	    pair_marker(m, Twine(marker_pair) + ".outcome" + decision, i32, types), args);
}

// struct duct_group.
Constant *Grouper::table(uint32_t slot, ArrayRef<Arrival> members, Value *first)
{
	auto number = [&](IntegerType *t, uint64_t v) { return ConstantInt::get(t, v); };
	auto *member = StructType::get(c, { i32, i32, i64 });
	SmallVector<Constant *, 8> list;
	for (const Arrival &a : members) {
		auto *known = dyn_cast<ConstantInt>(a.label);
		uint64_t label =
		    known ? known->getZExtValue() : parts(a.label).second ^ parts(first).second;
		uint32_t how =
		    (a.chosen ? DUCT_MEMBER_CHOSEN : 0) | (known ? DUCT_MEMBER_FIXED : 0);
		list.push_back(ConstantStruct::get(
		    member, { number(i32, a.slot), number(i32, how), number(i64, label) }));
	}
	auto *all = ConstantArray::get(ArrayType::get(member, list.size()), list);
	bool chosen = any_of(members, [](const Arrival &a) { return a.chosen; });
	auto *value = ConstantStruct::getAnon({ number(i32, slot), number(i32, list.size()),
	    number(i32, chosen ? outcomes : 1), number(i32, 0), all });
	return new GlobalVariable(
	    m, value->getType(), true, GlobalValue::PrivateLinkage, value, ".duct.group");
}

void Grouper::mark(IRBuilder<> &b, const Twine &name, ArrayRef<Value *> args)
{
	SmallVector<Type *, 3> types;
	for (Value *v : args)
		types.push_back(v->getType());
	std::string full = (marker_pair + name).str();
	b.CreateCall(pair_marker(m, full, b.getVoidTy(), types), args);
}

// The call that asks the runtime for the label of memory, if only this marker uses its answer and
// nothing between the two could change it; else null.
CallInst *Grouper::question(const Arrival &a) const
{
	static const char *const harmless[] = { ".c", ".group", ".use", ".usebits", ".read",
		".choose" };
	auto *ask = dyn_cast<CallInst>(a.label);
	StringRef asked =
	    ask && ask->getCalledFunction() ? ask->getCalledFunction()->getName() : "";
	if (!asked.consume_front(marker_pair) || asked != ".use" || !ask->hasOneUse()
	    || ask->getParent() != a.call->getParent())
		return nullptr;
	for (const Instruction *i = ask->getNextNode(); i != a.call; i = i->getNextNode()) {
		auto *call = dyn_cast<CallInst>(i);
		StringRef name =
		    call && is_marker_call(*i) ? call->getCalledFunction()->getName() : "";
		bool checks = name == marker_at || name == marker_access || name == marker_check;
		if (!checks && i->mayWriteToMemory()
		    && !(name.consume_front(marker_pair) && is_contained(harmless, name)))
			return nullptr;
	}
	return ask;
}

// Slots that only this marker looks at.
uint32_t Grouper::own_slots(const Arrival &a, uint32_t copies)
{
	uint32_t first = slots.size(), n = a.chosen ? outcomes : 1;
	if (places[a.slot] == 1 && copies == 1)
		return a.slot;
	for (uint32_t k = 0; k < n * copies; k++) {
		PairSlot s = slots[a.slot + k % n];
		s.of = a.slot + k % n;
		slots.push_back(s);
	}
	return first;
}

// How many bits of the calling place's number choose a slot: calls of a function come from several
// places in turn.
unsigned Grouper::entry_bits(const CallInst &entry)
{
	const Function &f = *entry.getFunction();
	if (!f.hasLocalLinkage())
		return 2;
	unsigned calls = 0;
	for (const User *u : f.users()) {
		auto *call = dyn_cast<CallBase>(u);
		calls += call && !is_marker_call(*call) ? 1 : 0;
	}
	return calls > 4 ? 3 : calls > 2 ? 2 : 0;
}

Value *Grouper::entry_choice(CallInst &entry, unsigned bits)
{
	Value *&made = choice[&entry];
	if (made)
		return made;
	IRBuilder<> b(entry.getNextNode());
	b.SetCurrentDebugLocation(DebugLoc());
	Value *mixed = b.CreateAdd(&entry, b.CreateLShr(&entry, 3));
	return made = b.CreateAnd(mixed, b.getInt32((1u << bits) - 1));
}

// Which of a label's slots is looked at.
Value *Grouper::choose(IRBuilder<> &b, Value *label, Spread &s)
{
	CallInst *entry = entry_of(label);
	if (entry && !s.bits && (s.bits = entry_bits(*entry)))
		return entry_choice(*entry, s.bits);
	return s.bits ? b.CreateAnd(b.CreateLShr(b.CreateTrunc(label, i32), s.shift),
	                    b.getInt32((1u << s.bits) - 1))
	              : nullptr;
}

// Replaces the members of a group by one marker, which tests the label of the first one.
void Grouper::replace(IRBuilder<> &b, ArrayRef<Arrival> members, Value *outcome)
{
	const Arrival &first = members[0];
	bool chosen = any_of(members, [](const Arrival &a) { return a.chosen; });
	uint32_t n = chosen ? outcomes : 1;
	Spread s = n <= 4 ? spread(first.label) : Spread();
	Value *bits = n <= 4 ? choose(b, first.label, s) : nullptr;
	const char *once = s.once ? marker_once : "";
	if (!chosen)
		outcome = b.getInt32(0);
	if (bits)
		outcome = b.CreateAdd(b.CreateMul(bits, b.getInt32(n)), outcome);
	if (members.size() == 1) {
		if (CallInst *ask = question(first)) {
			Value *slot = b.CreateAdd(b.getInt32(own_slots(first, 1)), outcome);
			mark(b, ".read",
			    { ask->getArgOperand(0), ask->getArgOperand(1), ask->getArgOperand(2),
			        slot });
			first.call->eraseFromParent();
			ask->eraseFromParent();
			return;
		}
		uint32_t slot = own_slots(first, 1u << s.bits);
		mark(
		    b, Twine(".c") + once, { b.CreateAdd(b.getInt32(slot), outcome), first.label });
	} else {
		uint32_t slot = slots.size();
		slots.insert(slots.end(), n << s.bits, PairSlot());
		mark(b, Twine(".group") + once,
		    { table(slot, members, first.label), first.label, outcome });
	}
	for (const Arrival &a : members)
		a.call->eraseFromParent();
}

// Splits a list of markers, whose labels one value decides, into groups, and adds to these the
// markers of fixed labels that can be reported together with them. Labels of 0 are left out.
void Grouper::split(Arrivals &list, Arrivals &fixed, SmallVectorImpl<Arrivals> &lists) const
{
	bool tells = isKnownNonZero(list[0].label, SimplifyQuery(m.getDataLayout()));
	bool chosen = any_of(list, [](const Arrival &a) { return a.chosen; });
	auto fits = [&](const Arrival &a) { return tells && (chosen || !a.chosen); };
	auto differs = [&](const Arrival &a) {
		return parts(a.label).second != parts(list[0].label).second;
	};
	if (!tells && any_of(list, differs)) {
		for (const Arrival &a : list)
			lists.push_back({ a });
		return;
	}
	copy_if(fixed, std::back_inserter(list), fits);
	erase_if(fixed, fits);
	lists.push_back(list);
}

void Grouper::end()
{
	MapVector<Value *, Arrivals> by;
	Arrivals fixed;
	if (run.empty())
		return;
	for (const Arrival &a : run)
		if (is_constant(a))
			fixed.push_back(a);
		else
			by[parts(a.label).first].push_back(a);
	SmallVector<Arrivals, 4> lists;
	for (auto &one : by)
		split(one.second, fixed, lists);
	if (!fixed.empty())
		lists.push_back(fixed);
	IRBuilder<> b(run.back().call->getNextNode());
	b.SetCurrentDebugLocation(DebugLoc());
	Value *which = outcome(b);
	outcomes = count_outcomes();
	for (const Arrivals &list : lists)
		replace(b, list, which);
	run.clear();
	chooser = nullptr;
}

void Grouper::count(BasicBlock &b)
{
	places.resize(slots.size());
	for (const Instruction &i : b) {
		auto *call = dyn_cast<CallInst>(&i);
		StringRef name =
		    call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
		bool chosen;
		if (name.consume_front(marker_pair) && is_arrival(name, chosen))
			places[cast<ConstantInt>(call->getArgOperand(0))->getZExtValue()]++;
	}
}

void Grouper::group(BasicBlock &b)
{
	for (Instruction &i : make_early_inc_range(b)) {
		auto *call = dyn_cast<CallInst>(&i);
		StringRef name =
		    call && call->getCalledFunction() ? call->getCalledFunction()->getName() : "";
		bool is_pair = name.consume_front(marker_pair);
		if (is_pair && (name == ".choose" || add(*call, name)))
			continue;
		if (!is_passed(i))
			end();
	}
	end();
}

void group_pairs(Module &m, const std::vector<BranchInfo> &branches, std::vector<PairSlot> &slots)
{
	Grouper g(m, branches, slots);
	for (auto step : { &Grouper::count, &Grouper::group })
		for (Function &f : m)
			if (is_woven(f))
				for (BasicBlock &b : f)
					(g.*step)(b);
}

} // namespace duct
