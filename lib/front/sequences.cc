// sequences: objectives about what came before an instruction in its function. Call sequences: the
// call before it. Def-use paths: the way that a local variable's value took from its definition,
// as the outcomes on it. Both are found before the unit's records are written, and once more, in
// the same order, where the code is woven.
#include "lib/front/objectives.h"

extern "C" {
#include "lib/protocol/checks.h"
}

#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace duct
{
namespace
{

// ---- call sequences

// Is it a call in the source? Not one that the compiler adds, or that duct.h makes.
bool is_source_call(const Instruction &i)
{
	auto *c = dyn_cast<CallBase>(&i);
	if (!c || isa<IntrinsicInst>(c) || c->isInlineAsm() || !c->getDebugLoc())
		return false;
	const Function *f = c->getCalledFunction();
	return !f || !f->getName().starts_with("duct_");
}

// Later, when positions are gone.
bool is_call(const Instruction &i)
{
	return i.getMetadata("duct.call") != nullptr;
}

std::string called(const CallBase &c)
{
	const auto *f = dyn_cast<Function>(c.getCalledOperand()->stripPointerCasts());
	return f ? f->getName().str() : "a call through a pointer";
}

// The last call of a block before an instruction, or before its end; nullptr: none.
const CallBase *last_call(const BasicBlock &b, const Instruction *before)
{
	const Instruction *i = before ? before->getPrevNode() : b.getTerminator();
	while (i && !is_call(*i))
		i = i->getPrevNode();
	return cast_or_null<CallBase>(i);
}

// The calls of a function with their numbers, from 1 in the order of its instructions.
std::map<const CallBase *, uint32_t> number_calls(Function &f)
{
	std::map<const CallBase *, uint32_t> number;
	uint32_t n = 0;
	for (Instruction &i : instructions(f))
		if (is_call(i))
			number[cast<CallBase>(&i)] = ++n;
	return number;
}

// The calls after which this one may be the next, by their numbers: predecessors have no order that
// lasts.
std::vector<const CallBase *> calls_before(
    const CallBase &call, const std::map<const CallBase *, uint32_t> &number)
{
	std::vector<const CallBase *> found;
	SmallPtrSet<const BasicBlock *, 32> seen;
	SmallVector<const BasicBlock *, 32> open;
	auto look = [&](const BasicBlock &b, const Instruction *before) {
		if (const CallBase *c = last_call(b, before))
			found.push_back(c);
		else
			open.push_back(&b);
	};
	look(*call.getParent(), &call);
	while (!open.empty())
		for (const BasicBlock *p : predecessors(open.pop_back_val()))
			if (seen.insert(p).second)
				look(*p, nullptr);
	sort(found,
	    [&](const CallBase *a, const CallBase *b) { return number.at(a) < number.at(b); });
	return found;
}

// ---- def-use paths

enum { MOST_OUTCOMES = 6 }; // of a path

struct Edge {
	BasicBlock *from, *to;
};
struct Path {
	StoreInst *def;
	LoadInst *use;
	std::vector<Edge> edges; // outcomes of conditions
};

// A variable of which all reads and writes are seen: its address is not taken.
bool is_plain(const AllocaInst &a)
{
	for (const User *u : a.users()) {
		auto *load = dyn_cast<LoadInst>(u);
		auto *store = dyn_cast<StoreInst>(u);
		auto *i = dyn_cast<IntrinsicInst>(u);
		bool note = i && (i->isLifetimeStartOrEnd() || isa<DbgInfoIntrinsic>(i));
		bool read = load && !load->isVolatile() && load->getType() == a.getAllocatedType();
		bool write = store && store->getPointerOperand() == &a && !store->isVolatile()
		    && store->getValueOperand()->getType() == a.getAllocatedType();
		if (!read && !write && !note)
			return false;
	}
	return a.isStaticAlloca();
}

// Is it the branch of a condition? A block cannot be put on the edges of other branches: a computed
// goto jumps to the address of a label.
bool decides(const Instruction &terminator)
{
	return isa<BranchInst>(terminator) || isa<SwitchInst>(terminator);
}

class Walk
{
      public:
	Walk(StoreInst &d, std::vector<Path> &p) : def(d), paths(p)
	{
		from(*d.getParent(), d.getNextNode());
	}

      private:
	void from(BasicBlock &b, Instruction *i)
	{
		for (; i; i = i->getNextNode()) {
			auto *store = dyn_cast<StoreInst>(i);
			auto *load = dyn_cast<LoadInst>(i);
			if (store && store->getPointerOperand() == def.getPointerOperand())
				return;
			if (load && load->getPointerOperand() == def.getPointerOperand())
				paths.push_back({ &def, load, edges });
		}
		SmallSetVector<BasicBlock *, 4> next(succ_begin(&b), succ_end(&b));
		if (next.size() > 1 && !decides(*b.getTerminator()))
			return;
		for (BasicBlock *to : next) {
			if (!seen.insert(to).second)
				continue;
			if (next.size() > 1)
				edges.push_back({ &b, to });
			if (edges.size() <= MOST_OUTCOMES)
				from(*to, &to->front());
			if (next.size() > 1)
				edges.pop_back();
			seen.erase(to);
		}
	}
	StoreInst &def;
	std::vector<Path> &paths;
	std::vector<Edge> edges;
	SmallPtrSet<BasicBlock *, 16> seen; // the path's blocks, each once
};

// Those of a function in the order of their definitions; of each use the first OBJECTIVE_WAYS.
std::vector<Path> paths_of(Function &f)
{
	std::vector<Path> all, kept;
	std::map<LoadInst *, unsigned> count;
	for (Instruction &i : instructions(f)) {
		auto *store = dyn_cast<StoreInst>(&i);
		auto *a = store ? dyn_cast<AllocaInst>(store->getPointerOperand()) : nullptr;
		if (a && is_plain(*a))
			Walk(*store, all);
	}
	for (Path &p : all)
		if (count[p.use]++ < OBJECTIVE_WAYS)
			kept.push_back(p);
	return kept;
}

std::string variable_of(AllocaInst *a)
{
	for (DbgVariableRecord *r : findDVRDeclares(a))
		return r->getVariable()->getName().str();
	for (DbgDeclareInst *d : findDbgDeclares(a))
		return d->getVariable()->getName().str();
	return "";
}

std::string place_of(const DebugLoc &l)
{
	return l ? std::to_string(l.getLine()) + ":" + std::to_string(l.getCol()) : "";
}

std::string outcome_of(const Edge &e, const ConditionText &condition)
{
	Instruction *t = e.from->getTerminator();
	auto *s = dyn_cast<SwitchInst>(t);
	std::string known = condition(*t),
	            at = (known.empty() ? place_of(t->getDebugLoc()) : "`" + known + "`") + " ";
	if (!s) {
		MDNode *md = t->getMetadata("duct.branch");
		bool negated =
		    md && mdconst::extract<ConstantInt>(md->getOperand(1))->getZExtValue() != 0;
		return at + ((t->getSuccessor(0) == e.to) != negated ? "true" : "false");
	}
	for (auto &k : s->cases())
		if (k.getCaseSuccessor() == e.to)
			return at + "case " + std::to_string(k.getCaseValue()->getSExtValue());
	return at + "default";
}

// nullptr: the variable is not one of the source.
MDString *text_of(const Path &p, const ConditionText &condition)
{
	std::string name = variable_of(cast<AllocaInst>(p.def->getPointerOperand()));
	std::string from = place_of(p.def->getDebugLoc()), text;
	if (name.empty())
		return nullptr;
	text = "`" + name + "` " + (from.empty() ? "of the call" : "from " + from);
	const char *comma = " by ";
	for (const Edge &e : p.edges) {
		text += comma + outcome_of(e, condition);
		comma = ", ";
	}
	return MDString::get(p.def->getContext(), text);
}

// ---- both, as notes

void note(Instruction &i, const char *name, MDString *text)
{
	SmallVector<Metadata *, 8> list;
	if (MDNode *known = i.getMetadata(name))
		list.append(known->op_begin(), known->op_end());
	list.push_back(text);
	i.setMetadata(name, MDNode::get(i.getContext(), list));
}

void note_calls(Function &f)
{
	for (Instruction &i : instructions(f))
		if (is_source_call(i))
			i.setMetadata("duct.call", MDNode::get(f.getContext(), {}));
	std::map<const CallBase *, uint32_t> number = number_calls(f);
	for (Instruction &i : instructions(f)) {
		if (!is_call(i))
			continue;
		for (const CallBase *c : calls_before(cast<CallBase>(i), number))
			note(i, "duct.after",
			    MDString::get(f.getContext(),
			        called(cast<CallBase>(i)) + " after " + called(*c) + " of "
			            + place_of(c->getDebugLoc())));
	}
}

void note_paths(Function &f, const ConditionText &condition)
{
	for (const Path &p : paths_of(f))
		if (MDString *text = text_of(p, condition))
			note(*p.use, "duct.path", text);
}

// ---- woven

using Plant = void (*)(IRBuilder<> &, const MDNode *, unsigned kind, Value *);

MDNode *noted(Instruction &i, const char *name)
{
	return i.getMetadata(name) ? i.getMetadata("duct.objective") : nullptr;
}

// A variable of the activation, 0 at first.
AllocaInst *plant_variable(Function &f)
{
	BasicBlock &entry = f.getEntryBlock();
	IRBuilder<> first(&entry, entry.begin());
	AllocaInst *v = first.CreateAlloca(first.getInt32Ty());
	IRBuilder<> b(&*entry.getFirstNonPHIOrDbgOrAlloca());
	b.CreateStore(b.getInt32(0), v);
	return v;
}

Value *is(IRBuilder<> &b, AllocaInst *v, uint32_t n)
{
	return b.CreateICmpEQ(b.CreateLoad(b.getInt32Ty(), v), b.getInt32(n));
}

// The variable holds the number of the last call.
void plant_calls(Function &f, Plant plant)
{
	std::vector<CallBase *> calls;
	std::map<const CallBase *, std::vector<const CallBase *>> before;
	std::map<const CallBase *, uint32_t> number = number_calls(f);
	for (Instruction &i : instructions(f))
		if (is_call(i)) {
			calls.push_back(cast<CallBase>(&i));
			before[calls.back()] = calls_before(*calls.back(), number);
		}
	AllocaInst *last = plant_variable(f);
	for (CallBase *c : calls) {
		MDNode *md = noted(*c, "duct.after");
		IRBuilder<> b(c);
		unsigned kind = OBJECTIVE_WAY;
		for (const CallBase *p : before[c])
			if (md && kind < OBJECTIVE_WAY + OBJECTIVE_WAYS)
				plant(b, md, kind++, is(b, last, number[p]));
		b.CreateStore(b.getInt32(number[c]), last);
	}
}

// A block on the edges from one block to another.
BasicBlock *split(const Edge &e)
{
	BasicBlock *b = BasicBlock::Create(e.to->getContext(), "", e.to->getParent(), e.to);
	Instruction *t = e.from->getTerminator();
	BranchInst::Create(e.to, b);
	for (PHINode &phi : e.to->phis()) {
		Value *v = phi.getIncomingValueForBlock(e.from);
		for (int k; (k = phi.getBasicBlockIndex(e.from)) >= 0;)
			phi.removeIncomingValue(k, false);
		phi.addIncoming(v, b);
	}
	t->replaceSuccessorWith(e.to, b);
	return b;
}

// Tracks how far control is on paths from one definition: a variable holds the number of the node
// reached in the tree of these paths; 0: on no path, 1: at the definition.
class Tree
{
      public:
	Tree(Function &f) : at(plant_variable(f))
	{
	}
	uint32_t add(const std::vector<Edge> &path)
	{
		uint32_t node = 1;
		for (const Edge &e : path) {
			auto [known, is_new] = next[e.from].insert({ { node, e.to }, nodes + 1 });
			nodes += is_new;
			node = known->second;
		}
		return node;
	}
	// blocks: those that trees have on edges already
	void weave(
	    StoreInst *def, std::map<std::pair<BasicBlock *, BasicBlock *>, BasicBlock *> &blocks)
	{
		for (User *u : def->getPointerOperand()->users())
			if (auto *store = dyn_cast<StoreInst>(u)) {
				IRBuilder<> b(store->getNextNode());
				b.CreateStore(b.getInt32(store == def), at);
			}
		for (auto &[from, steps] : next)
			for (BasicBlock *to : original(from, blocks))
				pass(blocks[{ from, to }], to, steps);
	}
	AllocaInst *at;

      private:
	using Steps = std::map<std::pair<uint32_t, BasicBlock *>, uint32_t>;
	// The successors that the block has without blocks of trees, each with one.
	static std::vector<BasicBlock *> original(
	    BasicBlock *from, std::map<std::pair<BasicBlock *, BasicBlock *>, BasicBlock *> &blocks)
	{
		std::vector<BasicBlock *> list;
		auto known = blocks.lower_bound({ from, nullptr });
		for (; known != blocks.end() && known->first.first == from; ++known)
			list.push_back(known->first.second);
		if (!list.empty())
			return list;
		SmallSetVector<BasicBlock *, 4> set(succ_begin(from), succ_end(from));
		list.assign(set.begin(), set.end());
		for (BasicBlock *to : list)
			blocks[{ from, to }] = split({ from, to });
		return list;
	}
	void pass(BasicBlock *edge, BasicBlock *to, const Steps &steps)
	{
		IRBuilder<> b(edge->getTerminator());
		Value *now = b.CreateLoad(b.getInt32Ty(), at), *then = b.getInt32(0);
		for (auto &[step, node] : steps)
			if (step.second == to)
				then = b.CreateSelect(b.CreateICmpEQ(now, b.getInt32(step.first)),
				    b.getInt32(node), then);
		b.CreateStore(then, at);
	}
	std::map<BasicBlock *, Steps> next;
	uint32_t nodes = 1;
};

void plant_paths(Function &f, Plant plant)
{
	std::vector<Path> paths = paths_of(f);
	std::map<LoadInst *, unsigned> kinds;
	std::map<std::pair<BasicBlock *, BasicBlock *>, BasicBlock *> blocks;
	for (size_t first = 0, end; first < paths.size(); first = end) {
		Tree tree(f);
		for (end = first; end < paths.size() && paths[end].def == paths[first].def; end++) {
			LoadInst *use = paths[end].use;
			uint32_t node = tree.add(paths[end].edges);
			IRBuilder<> b(use);
			if (MDNode *md = noted(*use, "duct.path"))
				plant(b, md, OBJECTIVE_WAY + kinds[use]++, is(b, tree.at, node));
		}
		tree.weave(paths[first].def, blocks);
	}
}

// Are there objectives of this kind in the function?
bool has(Function &f, const char *name)
{
	for (Instruction &i : instructions(f))
		if (noted(i, name))
			return true;
	return false;
}

} // namespace

void note_sequences(Module &m, uint32_t wanted, const ConditionText &condition)
{
	for (Function &f : m) {
		if (wanted >> CHECK_CALLS & 1)
			note_calls(f);
		if (wanted >> CHECK_PATHS & 1)
			note_paths(f, condition);
	}
}

void add_sequences(std::vector<Objective> &list, Instruction &i)
{
	static const struct {
		const char *name;
		unsigned check;
	} kinds[] = { { "duct.after", CHECK_CALLS }, { "duct.path", CHECK_PATHS } };
	for (auto [name, check] : kinds) {
		MDNode *md = i.getMetadata(name);
		for (unsigned k = 0; md && k < md->getNumOperands() && k < OBJECTIVE_WAYS; k++)
			list.push_back({ OBJECTIVE_WAY + k, check,
			    cast<MDString>(md->getOperand(k))->getString().str() });
	}
}

void plant_sequences(Function &f, Plant plant)
{
	if (has(f, "duct.after"))
		plant_calls(f, plant);
	if (has(f, "duct.path"))
		plant_paths(f, plant);
}

} // namespace duct
