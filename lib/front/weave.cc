// weave: the shadow of a function, instruction by instruction, in the order in which
// operands precede users. Each instruction with an operand that may be symbolic gets one
// test in line; what it guards is cold.
#include "lib/front/weave.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct {

using namespace llvm;

Weaver::Weaver(Module &module, GlobalVariable *u, uint32_t n, const std::vector<BranchInfo> &br,
               const WeaveOptions &o)
	: m(module), c(module.getContext()), dl(module.getDataLayout()), unit(u), branches(br), options(o),
	  outcomes(n)
{
	i1 = Type::getInt1Ty(c);
	i8 = Type::getInt8Ty(c);
	i32 = Type::getInt32Ty(c);
	i64 = Type::getInt64Ty(c);
	ptr = PointerType::get(c, 0);
	zero = ConstantInt::get(i32, 0);
	unlikely = MDBuilder(c).createBranchWeights(1, 1u << 20);
}

FunctionCallee Weaver::rt(const char *name, Type *result, ArrayRef<Type *> args)
{
	FunctionCallee callee = m.getOrInsertFunction(name, FunctionType::get(result, args, false));
	if (auto *fn = dyn_cast<Function>(callee.getCallee())) {
		fn->setDoesNotThrow();
		fn->addFnAttr(Attribute::Cold);
	}
	return callee;
}

GlobalVariable *Weaver::word(const char *name, Type *type)
{
	return cast<GlobalVariable>(m.getOrInsertGlobal(name, type));
}

bool Weaver::is_scalar(const Type *t)
{
	if (auto *it = dyn_cast<IntegerType>(t))
		return it->getBitWidth() <= 128;
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

// The scalars that make up a first-class value; a type that is none counts as one leaf.
void Weaver::leaves(Type *t, SmallVectorImpl<Type *> &types, SmallVectorImpl<uint64_t> *offsets,
                    uint64_t base) const
{
	if (auto *s = dyn_cast<StructType>(t)) {
		const StructLayout *layout = dl.getStructLayout(s);
		for (unsigned i = 0; i < s->getNumElements(); i++)
			leaves(s->getElementType(i), types, offsets, base + layout->getElementOffset(i));
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

Value *Weaver::any(B &b, ArrayRef<Value *> list)
{
	Value *sum = nullptr;
	for (Value *n : list)
		if (!is_zero(n))
			sum = sum ? b.CreateOr(sum, n) : n;
	return sum;
}

// Runs `build` in a cold block before `at` when `test` (i32) is not 0; its results, or
// concrete nodes.
Nodes Weaver::guarded(Instruction *at, Value *test, Build build)
{
	B head(at);
	Value *cond = test->getType() == i1 ? test : head.CreateICmpNE(test, ConstantInt::get(test->getType(), 0));
	BasicBlock *from = at->getParent();
	Instruction *term = SplitBlockAndInsertIfThen(cond, at->getIterator(), false, unlikely);
	B slow(term);
	Nodes made = build(slow), out;
	BasicBlock *end = term->getParent();
	for (Value *n : made) {
		if (is_zero(n)) {
			out.push_back(zero);
			continue;
		}
		PHINode *p = PHINode::Create(i32, 2, "", at->getParent()->getFirstNonPHIIt());
		p->addIncoming(zero, from);
		p->addIncoming(n, end);
		out.push_back(p);
	}
	return out;
}

// The same, when any node of the operands is not 0. Statically concrete ones cost nothing.
Nodes Weaver::guarded_any(Instruction *at, ArrayRef<Value *> operands, size_t results, Build build)
{
	SmallVector<Value *, 4> list;
	for (Value *v : operands)
		for (Value *n : nodes(v))
			list.push_back(n);
	B head(at);
	Value *test = any(head, list);
	if (!test)
		return Nodes(results, zero);
	return guarded(at, test, [&](B &b) {
		for (Value *v : operands)
			check(b, v);
		return build(b);
	});
}

// Neighbours that only compute share one test: their builders run together, each taking
// nodes that may turn out to be 0.
void Weaver::defer(Instruction &i, ArrayRef<Value *> operands, size_t results,
                   std::function<Nodes(B &)> build)
{
	bool symbolic = false;
	for (Value *v : operands) {
		symbolic |= in_group.contains(v);
		for (Value *n : nodes(v))
			symbolic |= !is_zero(n);
	}
	if (!symbolic)
		return set(i, Nodes(results, zero));
	group.push_back({&i, std::move(build), SmallVector<Value *, 3>(operands)});
	in_group.insert(&i);
}

// Before anything that wants a node of the group, or changes what it read.
void Weaver::flush(Instruction *at)
{
	if (group.empty())
		return;
	SetVector<Value *> inputs;
	for (Pending &p : group)
		for (Value *v : p.operands)
			if (!in_group.contains(v))
				for (Value *n : nodes(v))
					if (!is_zero(n))
						inputs.insert(n);
	B head(at);
	Value *test = any(head, inputs.getArrayRef());
	SmallVector<size_t, 8> count;
	Nodes made = guarded(at, test, [&](B &b) {
		Nodes all;
		for (Pending &p : group) {
			for (Value *v : p.operands)
				check(b, v);
			Nodes n = p.build(b);
			set(*p.i, n);
			bool outside = any_of(p.i->users(), [&](User *u) { return !in_group.contains(u); });
			count.push_back(outside ? n.size() : 0);
			if (outside)
				all.append(n);
		}
		return all;
	});
	size_t k = 0;
	for (size_t g = 0; g < group.size(); k += count[g++])
		set(*group[g].i, count[g] ? Nodes(made.begin() + k, made.begin() + k + count[g])
		                          : Nodes(leaf_count(group[g].i->getType()), zero));
	group.clear();
	in_group.clear();
}

Value *Weaver::place(B &b)
{
	return b.CreateLoad(i32, word("duct_block", i32));
}

void Weaver::lost(B &b, const char *reason)
{
	b.CreateCall(rt("duct_rt_lost", b.getVoidTy(), {ptr, i32, ptr}),
	             {unit, place(b), text(b, reason)});
}

// One copy of each text in a unit.
Constant *Weaver::text(B &b, const char *s)
{
	Constant *&known = texts[s];
	if (!known)
		known = b.CreateGlobalString(s, ".duct.text", 0, &m);
	return known;
}

void Weaver::lost_if(Instruction *at, ArrayRef<Value *> list, const char *reason)
{
	B head(at);
	if (Value *test = any(head, list))
		guarded(at, test, [&](B &b) { lost(b, reason); return Nodes(); });
}

// The checking build compares every operand's value with its expression.
void Weaver::check(B &b, Value *v)
{
	if (!options.check || !is_scalar(v->getType()))
		return;
	Value *n = node(v);
	unsigned width = dl.getTypeSizeInBits(v->getType());
	if (is_zero(n) || width > 64)
		return;
	b.CreateCall(rt("duct_rt_check", b.getVoidTy(), {ptr, i32, i32, i64, i32}),
	             {unit, place(b), n, as_word(b, v), b.getInt32(width)});
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
	wide[0] = wide[1] = variadic = variadic_count = outgoing = outgoing_nodes = nullptr;
	outgoing_count = 0;
	current.clear();
	mark = nullptr;
}

static bool is_source(const Instruction &i)
{
	if (auto *load = dyn_cast<LoadInst>(&i)) {
		auto *g = dyn_cast<GlobalVariable>(load->getPointerOperand()->stripInBoundsOffsets());
		return !(g && g->isConstant() && load->getPointerOperand()->stripInBoundsConstantOffsets() == g);
	}
	if (auto *call = dyn_cast<CallBase>(&i))
		return !isa<IntrinsicInst>(call) && !call->isInlineAsm();
	return isa<AtomicRMWInst>(i) || isa<AtomicCmpXchgInst>(i);
}

// Which values may be symbolic: all that depend on memory, arguments and results.
void Weaver::find_tainted()
{
	SmallVector<const Value *, 64> work;
	auto add = [&](const Value &v) {
		if (is_shadowed(v.getType()) && tainted.insert(&v).second)
			work.push_back(&v);
	};
	for (Argument &a : f->args())
		if (!a.hasByValAttr())
			add(a);
	for (BasicBlock &b : *f)
		for (Instruction &i : b)
			if (is_source(i))
				add(i);
	while (!work.empty())
		for (const User *u : work.pop_back_val()->users())
			if (auto *i = dyn_cast<Instruction>(u); i && !isa<AllocaInst>(i) && !isa<CallBase>(i))
				add(*i);
			else if (i && isa<IntrinsicInst>(i))
				add(*i);
}

static bool is_block_marker(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	return call && call->getCalledFunction() && call->getCalledFunction()->getName() == marker_block;
}

// The block marker that each call follows. Callees leave their own id behind.
void Weaver::find_places(ArrayRef<BasicBlock *> order)
{
	DenseMap<const BasicBlock *, uint32_t> last;
	for (BasicBlock *b : order) {
		uint32_t id = 0;
		for (BasicBlock *p : predecessors(b))
			if (auto it = last.find(p); it != last.end() && !id)
				id = it->second;
		for (Instruction &i : *b) {
			if (is_block_marker(i))
				id = cast<ConstantInt>(cast<CallInst>(i).getArgOperand(0))->getZExtValue();
			else if (auto *call = dyn_cast<CallBase>(&i); call && id)
				current[call] = id;
		}
		last[b] = id;
	}
}

void Weaver::weave(Function &fn)
{
	reset(fn);
	find_tainted();
	SmallVector<Instruction *, 128> all;
	ReversePostOrderTraversal<Function *> order(f);
	SmallVector<BasicBlock *, 32> blocks(order.begin(), order.end());
	for (BasicBlock *b : blocks)
		for (Instruction &i : *b)
			if (!is_block_marker(i))
				all.push_back(&i);
	find_places(blocks);
	for (BasicBlock *b : blocks)
		lower_block_markers(*b);
	enter_objects();
	enter();
	for (Instruction *i : all)
		visit(*i);
	fill_phis();
	finish_outgoing();
	for (BasicBlock &b : *f)
		for (Instruction &i : make_early_inc_range(b))
			if (auto *call = dyn_cast<CallInst>(&i); call && call->getCalledFunction() &&
			    is_marker(*call->getCalledFunction()))
				call->eraseFromParent();
}

// Instructions whose nodes are made in groups.
static bool is_value(const Instruction &i)
{
	switch (i.getOpcode()) {
	case Instruction::ICmp: case Instruction::Select: case Instruction::GetElementPtr:
	case Instruction::Freeze: case Instruction::Alloca: case Instruction::PHI:
		return true;
	default:
		break;
	}
	if (auto *call = dyn_cast<IntrinsicInst>(&i))
		return call->isAssumeLikeIntrinsic() || !call->mayReadOrWriteMemory();
	return isa<CastInst>(i) || (isa<BinaryOperator>(i) && i.getType()->isIntegerTy());
}

void Weaver::visit(Instruction &i)
{
	if (!is_value(i))
		flush(&i);
	switch (i.getOpcode()) {
	case Instruction::PHI: return visit_phi(cast<PHINode>(i));
	case Instruction::ICmp: return visit_compare(cast<ICmpInst>(i));
	case Instruction::Select: return visit_select(cast<SelectInst>(i));
	case Instruction::GetElementPtr: return visit_gep(cast<GetElementPtrInst>(i));
	case Instruction::ExtractValue: return visit_extract(cast<ExtractValueInst>(i));
	case Instruction::InsertValue: return visit_insert(cast<InsertValueInst>(i));
	case Instruction::Freeze: return visit_freeze(i);
	case Instruction::Load: return visit_load(cast<LoadInst>(i));
	case Instruction::Store: return visit_store(cast<StoreInst>(i));
	case Instruction::AtomicRMW: return visit_rmw(cast<AtomicRMWInst>(i));
	case Instruction::AtomicCmpXchg: return visit_cmpxchg(cast<AtomicCmpXchgInst>(i));
	case Instruction::Ret: return visit_return(cast<ReturnInst>(i));
	case Instruction::Br:
	case Instruction::Switch:
	case Instruction::Unreachable:
	case Instruction::Alloca: return;      // conditions have markers
	default: break;
	}
	if (auto *call = dyn_cast<CallBase>(&i))
		visit_call(*call);
	else if (isa<BinaryOperator>(i) && is_scalar(i.getType()))
		visit_binary(cast<BinaryOperator>(i));
	else if (isa<CastInst>(i))
		visit_cast(cast<CastInst>(i));
	else
		visit_other(i);
}

void Weaver::visit_freeze(Instruction &i)
{
	Value *x = i.getOperand(0);
	defer(i, {x}, leaf_count(i.getType()), [=](B &) { return nodes(x); });
}

// What has no expression: the result is concrete, and a symbolic operand is lost.
void Weaver::visit_other(Instruction &i)
{
	flush(&i);
	SmallVector<Value *, 4> list;
	for (Value *v : i.operands())
		if (!isa<BasicBlock>(v) && !isa<MetadataAsValue>(v))
			for (Value *n : nodes(v))
				list.push_back(n);
	Type *t = i.getType();
	const char *reason = isa<IndirectBrInst>(i) ? "goto through a symbolic pointer" :
	        t->isFPOrFPVectorTy() ? "floating point" : t->isVectorTy() ? "vector" : "operation not modelled";
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

// Last, when the blocks that values come from are final.
void Weaver::fill_phis()
{
	for (PHINode *p : phis) {
		Nodes mine = nodes(p);
		for (unsigned i = 0; i < p->getNumIncomingValues(); i++) {
			Nodes in = nodes(p->getIncomingValue(i));
			for (size_t k = 0; k < mine.size(); k++)
				if (!is_zero(mine[k]))
					cast<PHINode>(mine[k])->addIncoming(in[k], p->getIncomingBlock(i));
		}
	}
}

// Counts the steps of a block once, tells the block's id where it may matter, and writes
// coverage. Branch markers wait for their operand's shadow.
void Weaver::lower_block_markers(BasicBlock &b)
{
	SmallVector<CallInst *, 4> found;
	for (Instruction &i : b)
		if (is_block_marker(i))
			found.push_back(cast<CallInst>(&i));
	if (found.empty())
		return;
	B first(found[0]);
	GlobalVariable *steps = word("duct_steps", i64);
	Value *left = first.CreateSub(first.CreateLoad(i64, steps), first.getInt64(found.size()));
	first.CreateStore(left, steps);
	for (CallInst *call : found) {
		B at(call);
		uint64_t id = cast<ConstantInt>(call->getArgOperand(0))->getZExtValue();
		cover(at, at.getInt64(outcomes + id - 1));
		at.CreateStore(at.getInt32(id), word("duct_block", i32));
		if (&b == &f->getEntryBlock())
			at.CreateStore(unit, word("duct_block_unit", ptr));
	}
	B at(found[0]);
	guarded(found[0], at.CreateICmpSLT(left, at.getInt64(0)), [&](B &s) {
		s.CreateCall(rt("duct_rt_steps", s.getVoidTy(), {}), {});
		return Nodes();
	});
	for (CallInst *call : found)
		call->eraseFromParent();
}

void Weaver::cover(B &b, Value *index)
{
	auto *type = cast<StructType>(unit->getValueType());
	Value *base = b.CreateLoad(ptr, b.CreateStructGEP(type, unit, 1));
	b.CreateStore(b.getInt8(1), b.CreateGEP(i8, base, index));
}

void Weaver::lower_branch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *cond = call.getArgOperand(1), *n = node(cond);
	if (!id) {
		lost_if(&call, {n}, "condition that is none of the source");
		call.eraseFromParent();
		return;
	}
	B at(&call);
	Value *outcome = at.CreateSub(at.getInt64(branches[id - 1].first + 1), at.CreateZExt(cond, i64));
	cover(at, outcome);
	guarded_any(&call, {cond}, 0, [&](B &b) {
		b.CreateCall(rt("duct_rt_branch", b.getVoidTy(), {ptr, i32, i32, i32}),
		             {unit, b.getInt32(id), b.CreateZExt(cond, i32), n});
		return Nodes();
	});
	call.eraseFromParent();
}

void Weaver::lower_call_event(CallInst &call)
{
	bool enters = call.getCalledFunction()->getName() == marker_enter;
	B head(&call);
	guarded(&call, head.CreateLoad(i32, word("duct_calls", i32)), [&](B &b) {
		b.CreateCall(rt(enters ? "duct_rt_call" : "duct_rt_return", b.getVoidTy(), {ptr, i32}),
		             {unit, call.getArgOperand(0)});
		return Nodes();
	});
	call.eraseFromParent();
}

// The outcome of a concrete switch is found by a switch of its own.
void Weaver::lower_switch(CallInst &call)
{
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	Value *v = call.getArgOperand(1), *n = node(v);
	if (!id) {
		lost_if(&call, {n}, "switch that is none of the source");
		call.eraseFromParent();
		return;
	}
	const BranchInfo &info = branches[id - 1];
	unsigned width = v->getType()->getIntegerBitWidth();
	if (!is_zero(n))
		guarded_any(&call, {v}, 0, [&](B &b) {
			b.CreateCall(rt("duct_rt_switch", b.getVoidTy(), {ptr, i32, i64, i32, i32}),
			             {unit, b.getInt32(id), as_word(b, v), b.getInt32(width), n});
			return Nodes();
		});
	BasicBlock *from = call.getParent(), *to = SplitBlock(from, &call);
	BasicBlock *other = BasicBlock::Create(c, "", f, to);
	BranchInst::Create(to, other);
	from->getTerminator()->eraseFromParent();
	auto *s = SwitchInst::Create(v, other, info.values.size(), from);
	auto *p = PHINode::Create(i64, info.values.size() + 1, "", to->begin());
	p->addIncoming(ConstantInt::get(i64, info.first + info.values.size()), other);
	for (size_t i = 0; i < info.values.size(); i++) {
		BasicBlock *one = BasicBlock::Create(c, "", f, to);
		BranchInst::Create(to, one);
		s->addCase(cast<ConstantInt>(ConstantInt::get(v->getType(), info.values[i])), one);
		p->addIncoming(ConstantInt::get(i64, info.first + i), one);
	}
	B at(&call);
	cover(at, p);
	call.eraseFromParent();
}

bool is_woven(const Function &fn)
{
	return !fn.isDeclaration() && !fn.hasFnAttribute(Attribute::Naked) &&
	       !fn.hasFnAttribute("duct.raw");
}

// A program's own definition goes before a model's.
static void make_replaceable(Module &m)
{
	for (GlobalValue &g : m.global_values())
		if (!g.isDeclaration() && g.hasExternalLinkage()) {
			g.setLinkage(GlobalValue::WeakAnyLinkage);
			g.setVisibility(GlobalValue::HiddenVisibility);
		}
}

// -fno-builtin hides from clang that these return twice.
static void mark_returns_twice(Module &m)
{
	for (const char *name : {"setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "vfork", "getcontext", "savectx"}) {
		Function *fn = m.getFunction(name);
		if (!fn || !fn->isDeclaration())
			continue;
		fn->addFnAttr(Attribute::ReturnsTwice);
		for (User *u : fn->users())
			if (auto *call = dyn_cast<CallBase>(u); call && call->getCalledOperand() == fn)
				call->addFnAttr(Attribute::ReturnsTwice);
	}
}

static void mark_resolvers(Module &m)
{
	for (GlobalIFunc &i : m.ifuncs())
		if (Function *fn = const_cast<Function *>(i.getResolverFunction()))
			fn->addFnAttr("duct.raw");
}

// Register allocation takes more than linear time; a function of a thousand blocks would
// keep a build waiting, so it gets the quick code generator.
static void bound_effort(Function &fn)
{
	if (fn.size() < 800)
		return;
	for (auto kind : {Attribute::AlwaysInline, Attribute::OptimizeForSize, Attribute::MinSize})
		fn.removeFnAttr(kind);
	fn.addFnAttr(Attribute::NoInline);
	fn.addFnAttr(Attribute::OptimizeNone);
}

bool weave(Unit &u, const WeaveOptions &options, std::string &error)
{
	Module &m = *u.module;
	std::vector<BranchInfo> branches(u.branches);
	if (!options.debug)
		StripDebugInfo(m);
	rename_main(m, options.entry);
	mark_returns_twice(m);
	strip_memory_attributes(m);
	plant_markers(m, u.flow, branches);
	optimise(m, options.level);
	strip_memory_attributes(m);
	mark_resolvers(m);
	if (options.model)
		make_replaceable(m);
	GlobalVariable *unit = unit_descriptor(m, u, options.model, branches);
	Weaver weaver(m, unit, u.outcomes, branches, options);
	SmallVector<Function *, 32> list;
	for (Function &fn : m)
		if (is_woven(fn))
			list.push_back(&fn);
	for (Function *fn : list) {
		weaver.weave(*fn);
		bound_effort(*fn);
	}
	register_globals(m);
	if (!options.model)                      // models have no objectives: nobody asks for their flow
		embed_flow(m, u.flow);
	hook_main(m, options.entry);
	(void)error;
	return true;
}

} // namespace duct
