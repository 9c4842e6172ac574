// weave: builds the shadow of a function, instruction by instruction, operands before users. Each
// instruction with a possibly symbolic operand gets one inline test; the guarded code is cold.
#include "lib/front/weave.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/PromoteMemToReg.h>

namespace duct
{

using namespace llvm;

Weaver::Weaver(Module &module, GlobalVariable *u, GlobalVariable *p, uint32_t n,
    const std::vector<BranchInfo> &br, const WeaveOptions &o, uint32_t checks)
    : m(module), c(module.getContext()), dl(module.getDataLayout()), unit(u), pairs(p),
      branches(br), options(o), outcomes(n), watch_writes(checks >> CHECK_UNINIT & 1)
{
	i1 = Type::getInt1Ty(c);
	i8 = Type::getInt8Ty(c);
	i32 = Type::getInt32Ty(c);
	i64 = Type::getInt64Ty(c);
	ptr = PointerType::get(c, 0);
	zero = ConstantInt::get(i32, 0);
	key = ConstantAsMetadata::get(cast<Constant>(unit->getInitializer()->getOperand(0)));
	unlikely = MDBuilder(c).createBranchWeights(1, 1u << 20);
}

// Is it one of the functions in lib/runtime/kept.c?
static bool keeps_registers(StringRef name)
{
	static const char *const names[] = { "duct_rt_touch", "duct_rt_span", "duct_rt_load_any",
		"duct_rt_binary", "duct_rt_unary", "duct_rt_pointer", "duct_rt_store",
		"duct_rt_steps", "duct_rt_branch", "duct_rt_branch_merged", "duct_rt_condition",
		"duct_rt_safe", "duct_rt_pair", "duct_rt_pairs", "duct_rt_pair_read", "duct_rt_way",
		"duct_rt_last_use", "duct_rt_last_def", "duct_rt_last_use_at",
		"duct_rt_last_def_at" };
	return is_contained(names, name);
}

FunctionCallee Weaver::rt(const char *name, Type *result, ArrayRef<Type *> args)
{
	bool keeps = keeps_registers(name);
	FunctionCallee callee = m.getOrInsertFunction(
	    keeps ? std::string(name) + "_kept" : name, FunctionType::get(result, args, false));
	if (auto *fn = dyn_cast<Function>(callee.getCallee()); fn && keeps) {
		// fast selection does not know these calls, and keeps nothing in registers over any
		if (options.effort != Effort::Quick)
			fn->setCallingConv(CallingConv::PreserveMost);
		fn->addFnAttr(Attribute::NonLazyBind); // lazy binding would clobber the registers
	}
	if (auto *fn = dyn_cast<Function>(callee.getCallee())) {
		fn->setDoesNotThrow();
		if (!StringRef(name).starts_with("duct_rt_last_")
		    && !StringRef(name).starts_with("duct_rt_pair_read"))
			fn->addFnAttr(Attribute::Cold);
	}
	return callee;
}

GlobalVariable *Weaver::word(const char *name, Type *type)
{
	return cast<GlobalVariable>(m.getOrInsertGlobal(name, type));
}

// Calls pass small structs of floats as vectors; the optimiser leaves no other vectors of this
// size.
static bool is_small_vector(const Type *t)
{
	auto *v = dyn_cast<FixedVectorType>(t);
	if (!v)
		return false;
	const Type *e = v->getElementType();
	unsigned width =
	    e->isIntegerTy() || e->isFloatTy() || e->isDoubleTy() ? e->getScalarSizeInBits() : 0;
	return width >= 8 && (width & (width - 1)) == 0 && width * v->getNumElements() <= 128;
}

bool Weaver::is_scalar(const Type *t)
{
	if (auto *it = dyn_cast<IntegerType>(t))
		return it->getBitWidth() <= 128;
	if (t->isFloatTy() || t->isDoubleTy() || t->isX86_FP80Ty() || is_small_vector(t))
		return true;
	return t->isPointerTy() && t->getPointerAddressSpace() == 0;
}

bool Weaver::is_shadowed(Type *t) const
{
	SmallVector<Type *, 4> types;
	leaves(t, types);
	for (Type *leaf : types)
		if (is_scalar(leaf))
			return true;
	return false;
}

// The scalars in a first-class value; a non-aggregate is a single leaf.
void Weaver::leaves(Type *t, SmallVectorImpl<Type *> &types, SmallVectorImpl<uint64_t> *offsets,
    uint64_t base) const
{
	if (auto *s = dyn_cast<StructType>(t)) {
		const StructLayout *layout = dl.getStructLayout(s);
		for (unsigned i = 0; i < s->getNumElements(); i++)
			leaves(s->getElementType(i), types, offsets,
			    base + layout->getElementOffset(i));
	} else if (auto *a = dyn_cast<ArrayType>(t)) {
		for (uint64_t i = 0; i < a->getNumElements(); i++)
			leaves(a->getElementType(), types, offsets,
			    base + i * dl.getTypeAllocSize(a->getElementType()));
	} else if (!t->isVoidTy()) {
		types.push_back(t);
		if (offsets)
			offsets->push_back(base);
	}
}

size_t Weaver::leaf_count(Type *t) const
{
	SmallVector<Type *, 4> types;
	leaves(t, types);
	return types.size();
}

const Nodes Weaver::nodes(Value *v)
{
	auto it = shadow.find(v);
	if (it != shadow.end())
		return it->second;
	return Nodes(leaf_count(v->getType()), zero);
}

Value *Weaver::node(Value *v)
{
	auto it = shadow.find(v);
	return it != shadow.end() && it->second.size() == 1 ? it->second[0] : zero;
}

void Weaver::reset(Function &fn)
{
	f = &fn;
	tainted.clear();
	shadow.clear();
	phis.clear();
	group.clear();
	in_group.clear();
	saves.clear();
	wide[0] = wide[1] = wide[2] = variadic = variadic_count = outgoing = outgoing_nodes =
	    nullptr;
	outgoing_count = 0;
	current.clear();
	mark = covered = nullptr;
	placed.clear();
	quiet.clear();
	rounds.clear();
	sides.clear();
	plain.clear();
	arguments.clear();
	crossings.clear();
	given.clear();
	accesses.clear();
	bases.clear();
	base_number.clear();
	early.clear();
	entry_crossing = nullptr;
	begin[0] = begin[1] = &fn.getEntryBlock();
}

static bool is_flow_call(const CallBase &call)
{
	auto *fn = call.getCalledFunction();
	return fn && fn->getName().starts_with("duct_rt_flow_");
}

bool is_source(const Instruction &i)
{
	if (auto *load = dyn_cast<LoadInst>(&i)) {
		if (is_flow_word(load->getPointerOperand()))
			return false;
		auto *g =
		    dyn_cast<GlobalVariable>(load->getPointerOperand()->stripInBoundsOffsets());
		return !(g && g->isConstant()
		    && load->getPointerOperand()->stripInBoundsConstantOffsets() == g);
	}
	if (auto *call = dyn_cast<CallBase>(&i))
		return !isa<IntrinsicInst>(call) && !call->isInlineAsm() && !is_flow_call(*call)
		    && !is_marker_call(i);
	return isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i);
}

// Finds the values that may be symbolic: all that depend on memory, arguments and results.
void Weaver::find_tainted()
{
	SmallVector<const Value *, 64> work;
	auto add = [&](const Value &v) {
		if (is_shadowed(v.getType()) && tainted.insert(&v).second)
			work.push_back(&v);
	};
	for (Argument &a : f->args())
		if (!a.hasByValAttr() && !entry_crossing)
			add(a);
	for (auto [p, a] : arguments)
		add(*p);
	for (BasicBlock &b : *f)
		for (Instruction &i : b)
			if (is_source(i) && !is_plain(i))
				add(i);
	while (!work.empty())
		for (const User *u : work.pop_back_val()->users())
			if (auto *i = dyn_cast<Instruction>(u);
			    i && !isa<AllocaInst>(i) && !isa<CallBase>(i))
				add(*i);
			else if (i && isa<IntrinsicInst>(i))
				add(*i);
}

bool is_block_marker(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	return call && call->getCalledFunction()
	    && call->getCalledFunction()->getName() == marker_block;
}

// May the code generator turn the instruction into a call of a library function, possibly one with
// a library model?
static bool may_become_call(const Instruction &i)
{
	return isa<MemIntrinsic>(i) || i.getOpcode() == Instruction::FRem
	    || (isa<IntrinsicInst>(i) && i.getType()->isFPOrFPVectorTy());
}

// The block id that is current at the start of a block, if it is the same for all predecessors; 0:
// unknown.
uint32_t Weaver::place_at(BasicBlock &b, const DenseMap<const BasicBlock *, uint32_t> &last)
{
	uint32_t id = 0;
	for (BasicBlock *p : predecessors(&b)) {
		auto it = last.find(p);
		if (it == last.end() || !it->second || (id && id != it->second))
			return 0;
		id = it->second;
	}
	return id;
}

// Finds the block marker before each call. Callees overwrite the current id.
void Weaver::find_places(ArrayRef<BasicBlock *> order)
{
	DenseMap<const BasicBlock *, uint32_t> last, sure;
	for (BasicBlock *b : order) {
		uint32_t id = 0, noted = place_at(*b, sure);
		for (BasicBlock *p : predecessors(b))
			if (auto it = last.find(p); it != last.end() && !id)
				id = it->second;
		for (Instruction &i : *b) {
			auto *call = dyn_cast<CallBase>(&i);
			Function *to = call ? call->getCalledFunction() : nullptr;
			auto argument = [&](unsigned k) {
				return cast<ConstantInt>(call->getArgOperand(k))->getZExtValue();
			};
			if (is_block_marker(i)) {
				noted = id = argument(0);
			} else if (to && to->getName() == marker_at) {
				if (noted == argument(1))
					placed.insert(cast<CallInst>(call));
				noted = argument(1);
			} else if (to && to->getName() == marker_access) {
				noted = argument(5) && noted != argument(5) ? 0 : noted;
			} else if (call && id) {
				current[call] = id;
				noted = (to && (is_marker(*to) || to->isIntrinsic())) ? noted : 0;
			}
			if (may_become_call(i))
				noted = 0;
		}
		last[b] = id;
		sure[b] = noted;
	}
}

bool Weaver::weave(Function &fn)
{
	reset(fn);
	merges |= merge_paths();
	make_two();
	find_tainted();
	SmallVector<Instruction *, 128> all;
	ReversePostOrderTraversal<Function *> order(f);
	SmallVector<BasicBlock *, 32> blocks(order.begin(), order.end());
	for (BasicBlock *b : blocks)
		for (Instruction &i : *b)
			if (!is_block_marker(i) && !given.count(b))
				all.push_back(&i);
	find_places(blocks);
	enter_steps();
	find_rounds(blocks);
	for (BasicBlock *b : blocks)
		lower_block_markers(*b);
	enter_objects();
	enter();
	plan_accesses();
	for (Instruction *i : all)
		visit(*i);
	fill_phis();
	finish_outgoing();
	DominatorTree tree(*f);
	SmallVector<AllocaInst *, 8> registers = { left };
	if (way)
		registers.push_back(way);
	for (Base &base : bases)
		registers.push_back(base.span);
	PromoteMemToReg(registers, tree);
	drop_unseen_places();
	for (BasicBlock &b : *f)
		for (Instruction &i : make_early_inc_range(b))
			if (is_marker_call(i))
				i.eraseFromParent();
			else if (auto *call = dyn_cast<CallInst>(&i); call
			    && call->getCalledFunction()
			    && call->getCalledFunction()->getCallingConv()
			        == CallingConv::PreserveMost)
				call->setCallingConv(CallingConv::PreserveMost);
	return entry_crossing;
}

// Is its node built together with those of neighbouring instructions?
static bool is_value(const Instruction &i)
{
	switch (i.getOpcode()) {
	case Instruction::ICmp:
	case Instruction::FCmp:
	case Instruction::FNeg:
	case Instruction::ExtractElement:
	case Instruction::InsertElement:
	case Instruction::ShuffleVector:
	case Instruction::Select:
	case Instruction::GetElementPtr:
	case Instruction::Freeze:
	case Instruction::Alloca:
	case Instruction::PHI: return true;
	default: break;
	}
	if (auto *call = dyn_cast<IntrinsicInst>(&i))
		return call->isAssumeLikeIntrinsic() || !call->mayReadOrWriteMemory();
	return isa<CastInst>(i) || (isa<BinaryOperator>(i) && !i.getType()->isVectorTy());
}

void Weaver::visit(Instruction &i)
{
	if (!is_value(i))
		flush(&i);
	if (may_become_call(i)) {
		B before(&i), after(i.getNextNode());
		write_steps(before);
		read_steps(after);
	}
	tell_shared(i);
	switch (i.getOpcode()) {
	case Instruction::PHI: return visit_phi(cast<PHINode>(i));
	case Instruction::ICmp: return visit_compare(cast<ICmpInst>(i));
	case Instruction::FCmp: return visit_number_compare(cast<FCmpInst>(i));
	case Instruction::Select: return visit_select(cast<SelectInst>(i));
	case Instruction::GetElementPtr: return visit_gep(cast<GetElementPtrInst>(i));
	case Instruction::ExtractElement: return visit_element(cast<ExtractElementInst>(i));
	case Instruction::InsertElement: return visit_set_element(cast<InsertElementInst>(i));
	case Instruction::ShuffleVector: return visit_shuffle(cast<ShuffleVectorInst>(i));
	case Instruction::ExtractValue: return visit_extract(cast<ExtractValueInst>(i));
	case Instruction::InsertValue: return visit_insert(cast<InsertValueInst>(i));
	case Instruction::Freeze: return visit_freeze(i);
	case Instruction::Load:
		return is_flow_word(i.getOperand(0)) || is_plain(i) ? void()
		                                                    : visit_load(cast<LoadInst>(i));
	case Instruction::Store:
		return is_flow_word(i.getOperand(1)) ? void() : visit_store(cast<StoreInst>(i));
	case Instruction::AtomicRMW: return visit_rmw(cast<AtomicRMWInst>(i));
	case Instruction::AtomicCmpXchg: return visit_cmpxchg(cast<AtomicCmpXchgInst>(i));
	case Instruction::Ret: return visit_return(cast<ReturnInst>(i));
	case Instruction::IndirectBr:
		return go_through(i, i.getOperand(0), "goto through a symbolic pointer");
	case Instruction::Br: return cross_loads(cast<BranchInst>(i));
	case Instruction::Switch:
	case Instruction::Unreachable: return; // conditions have markers
	case Instruction::LandingPad: return steps_at(i);
	case Instruction::Alloca: return visit_alloca(cast<AllocaInst>(i));
	default: break;
	}
	if (auto *call = dyn_cast<CallBase>(&i))
		visit_call(*call);
	else if (i.getType()->isFloatingPointTy()
	    && (isa<BinaryOperator>(i) || isa<UnaryOperator>(i)))
		visit_number_op(i);
	else if (isa<BinaryOperator>(i) && i.getType()->isIntegerTy() && is_scalar(i.getType()))
		visit_binary(cast<BinaryOperator>(i));
	else if (isa<CastInst>(i))
		visit_cast(cast<CastInst>(i));
	else
		visit_other(i);
}

void Weaver::visit_freeze(Instruction &i)
{
	Value *x = i.getOperand(0);
	defer(i, { x }, leaf_count(i.getType()), [=](B &) { return nodes(x); });
}

// An instruction without an expression: its result is concrete, and symbolic operands are recorded
// as lost.
void Weaver::visit_other(Instruction &i)
{
	flush(&i);
	SmallVector<Value *, 4> list;
	for (Value *v : i.operands())
		if (!isa<BasicBlock>(v) && !isa<MetadataAsValue>(v))
			for (Value *n : nodes(v))
				list.push_back(n);
	Type *t = i.getType();
	const char *reason = t->isFPOrFPVectorTy() ? "floating point"
	    : t->isVectorTy()                      ? "vector"
	                                           : "operation not modelled";
	lost_if(&i, list, reason);
}

void Weaver::visit_phi(PHINode &p)
{
	if (!tainted.contains(&p))
		return;
	SmallVector<Type *, 2> types;
	leaves(p.getType(), types);
	Nodes out;
	for (Type *t : types) {
		if (!is_scalar(t)) {
			out.push_back(zero);
			continue;
		}
		out.push_back(PHINode::Create(i32, p.getNumIncomingValues(), "", p.getIterator()));
	}
	set(p, out);
	phis.push_back(&p);
}

// Where the plain copy crosses over, only values that it just loaded or got from a call can be
// symbolic.
Nodes Weaver::incoming(PHINode &p, unsigned i)
{
	auto from = given.find(p.getIncomingBlock(i));
	if (from == given.end())
		return nodes(p.getIncomingValue(i));
	auto it = from->second.find(p.getIncomingValue(i));
	return it != from->second.end() ? it->second : Nodes(leaf_count(p.getType()), zero);
}

// Last, when the predecessors are final.
void Weaver::fill_phis()
{
	for (PHINode *p : phis) {
		Nodes mine = nodes(p);
		for (unsigned i = 0; i < p->getNumIncomingValues(); i++) {
			Nodes in = incoming(*p, i);
			for (size_t k = 0; k < mine.size(); k++)
				if (!is_zero(mine[k]))
					cast<PHINode>(mine[k])->addIncoming(
					    in[k], p->getIncomingBlock(i));
		}
	}
}

} // namespace duct
