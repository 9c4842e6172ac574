// weave_pairs: lowers markers of definitions and uses (pairs.cc) to labels, and to calls of the
// runtime when a slot's label differs from its last one.
#include "lib/front/split.h"
#include "lib/front/weave.h"

#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

enum { F_UNIT, F_SLOT, F_CACHE, F_SLOTS, F_DEFS, F_INSTS, F_BASE, F_INST_BASE, F_FIRST_SLOT };

static GlobalVariable *variable(Module &m, Constant *value, const char *name, bool is_constant)
{
	auto *g = new GlobalVariable(
	    m, value->getType(), is_constant, GlobalValue::PrivateLinkage, value, name);
	g->setAlignment(Align(8));
	return g;
}

// The table of slots, and the labels that each had last; both are shared by the parts of a unit.
static std::pair<GlobalVariable *, GlobalVariable *> slot_tables(
    Module &m, const Unit &u, const std::vector<PairSlot> *slots)
{
	LLVMContext &c = m.getContext();
	Type *i8 = Type::getInt8Ty(c), *i16 = Type::getInt16Ty(c), *i32 = Type::getInt32Ty(c),
	     *i64 = Type::getInt64Ty(c);
	auto *entry = StructType::get(c, { i32, i32, i8, i8, i16, i32 });
	if (!slots)
		return { declare_shared(m, ArrayType::get(entry, u.code.slots), "slots", u.tag),
			declare_shared(m, ArrayType::get(i64, u.code.slots), "last", u.tag) };
	SmallVector<Constant *, 64> list;
	auto number = [&](Type *t, uint64_t v) { return ConstantInt::get(t, v); };
	for (const PairSlot &s : *slots)
		list.push_back(ConstantStruct::get(entry,
		    { number(i32, s.use), number(i32, s.outcome), number(i8, s.kind),
		        number(i8, s.local), number(i16, 0),
		        number(i32, s.of == UINT32_MAX ? list.size() : s.of) }));
	auto *table = variable(
	    m, ConstantArray::get(ArrayType::get(entry, list.size()), list), ".duct.slots", true);
	auto *labels = ArrayType::get(i64, list.size());
	auto *cache = variable(m, ConstantAggregateZero::get(labels), ".duct.last", false);
	if (u.part == Part::Code) {
		define_shared(*table, "slots", u.tag);
		define_shared(*cache, "last", u.tag);
	}
	return { table, cache };
}

GlobalVariable *pairs_descriptor(
    Module &m, GlobalVariable *unit, const Unit &u, const std::vector<PairSlot> *slots)
{
	LLVMContext &c = m.getContext();
	Type *i32 = Type::getInt32Ty(c);
	PointerType *ptr = PointerType::get(c, 0);
	auto number = [&](Type *t, uint64_t v) { return ConstantInt::get(t, v); };
	auto [table, cache] = slot_tables(m, u, slots);
	auto *type =
	    StructType::create(c, { ptr, ptr, ptr, i32, i32, i32, i32, i32, i32 }, "duct_pairs");
	auto *init = ConstantStruct::get(type,
	    { unit, table, cache, number(i32, slots ? slots->size() : u.code.slots),
	        number(i32, u.defs), number(i32, u.insts), number(i32, DUCT_WRITER_ALIEN),
	        number(i32, DUCT_WRITER_ALIEN), number(i32, 0) });
	auto *g =
	    new GlobalVariable(m, type, false, GlobalValue::InternalLinkage, init, ".duct.pairs");
	g->setSection("duct_pairs");
	g->setAlignment(Align(8));
	appendToUsed(m, { g });
	return g;
}

// Loads a field of the unit's descriptor.
Value *Weaver::pair_base(B &b, unsigned field)
{
	return b.CreateLoad(i32, b.CreateStructGEP(pairs->getValueType(), pairs, field));
}

// Reports what has arrived if its label differs from the slot's last one; null: if it has none.
void Weaver::unless_last(Instruction *at, Value *slot, Value *label, function_ref<void(B &)> report)
{
	B b(at);
	if (options.effort == Effort::Quick) // a third of the code; the runtime looks
		return report(b);
	auto *cache = cast<GlobalVariable>(
	    cast<Constant>(pairs->getInitializer())->getAggregateElement(F_CACHE));
	LoadInst *last = b.CreateLoad(i64, b.CreateGEP(i64, cache, b.CreateZExt(slot, i64)));
	quiet.insert(last);
	Value *news = label ? b.CreateICmpNE(last, label) : b.CreateIsNull(last);
	guarded(at, news, [&](B &slow) {
		report(slow);
		return Nodes();
	});
}

// The number of an outcome in a sum, if it is one of two; else null.
Value *Weaver::side_in(Value *sum) const
{
	auto *add = dyn_cast<BinaryOperator>(sum);
	if (sides.contains(sum) || !add || add->getOpcode() != Instruction::Add)
		return sides.contains(sum) ? sum : nullptr;
	Value *first = side_in(add->getOperand(0));
	return first ? first : side_in(add->getOperand(1));
}

static Value *with(IRBuilder<> &b, Value *sum, Value *side, unsigned outcome)
{
	auto *add = dyn_cast<BinaryOperator>(sum);
	if (sum == side)
		return b.getInt32(outcome);
	if (!add || add->getOpcode() != Instruction::Add)
		return sum;
	return b.CreateAdd(
	    with(b, add->getOperand(0), side, outcome), with(b, add->getOperand(1), side, outcome));
}

// Adds code for the number, a sum with the outcome, behind the decision where that can be.
void Weaver::by_side(
    CallInst &call, Value *number, function_ref<void(Instruction *, Value *)> build)
{
	Value *side = options.effort == Effort::Quick ? nullptr : side_in(number);
	auto in = [&](Instruction *at, unsigned outcome) {
		B b(at);
		build(at, with(b, number, side, outcome));
	};
	if (!side || !in_successors(call, sides.lookup(side), in))
		build(&call, number);
}

void Weaver::lower_pair_c(CallInst &call, bool once)
{
	Value *label = call.getArgOperand(1);
	by_side(call, call.getArgOperand(0), [&](Instruction *at, Value *slot) {
		unless_last(at, slot, once ? nullptr : label, [&](B &b) {
			b.CreateCall(rt("duct_rt_pair", b.getVoidTy(), { ptr, i32, i64 }),
			    { pairs, slot, label });
		});
	});
}

// A use of memory whose label only this slot looks at.
void Weaver::lower_pair_read(CallInst &call)
{
	B b(&call);
	Value *p = call.getArgOperand(0), *slot = b.CreateZExt(call.getArgOperand(3), i64);
	b.CreateCall(rt("duct_rt_pair_read", i64, { ptr, i64, i32, i32, ptr, i64 }),
	    { p, call.getArgOperand(1), call.getArgOperand(2), node(p), pairs, slot });
}

// The number of the outcome among those of the decision. A value of its own: one that the optimised
// code computes would get a shadow.
void Weaver::lower_pair_outcome(CallInst &call, StringRef decision)
{
	B b(&call);
	if (decision == ".side") {
		Value *cond = call.getArgOperand(0), *number = b.CreateZExt(b.CreateNot(cond), i32);
		sides[number] = cond;
		return call.replaceAllUsesWith(number);
	}
	uint64_t id = cast<ConstantInt>(call.getArgOperand(0))->getZExtValue();
	const BranchInfo &info = branches[id - 1];
	Value *outcome = outcome_of(&call, call.getArgOperand(1), info);
	b.SetInsertPoint(&call);
	call.replaceAllUsesWith(b.CreateSub(b.CreateTrunc(outcome, i32), b.getInt32(info.first)));
}

// Uses that are reported together (pairs_group.cc).
void Weaver::lower_pair_group(CallInst &call, bool once)
{
	auto *group = cast<GlobalVariable>(call.getArgOperand(0));
	Value *label = call.getArgOperand(1);
	by_side(call, call.getArgOperand(2), [&](Instruction *at, Value *outcome) {
		Value *first = group->getInitializer()->getAggregateElement(0u);
		Value *slot = B(at).CreateAdd(first, outcome);
		unless_last(at, slot, once ? nullptr : label, [&](B &b) {
			b.CreateCall(rt("duct_rt_pairs", b.getVoidTy(), { ptr, ptr, i64, i32 }),
			    { pairs, group, label, outcome });
		});
	});
}

void Weaver::lower_pair_choose(CallInst &call)
{
	B b(&call);
	call.replaceAllUsesWith(
	    b.CreateSelect(call.getArgOperand(0), call.getArgOperand(1), call.getArgOperand(2)));
}

void Weaver::lower_pair_serial(CallInst &call)
{
	if (call.use_empty())
		return;
	B b(&call);
	GlobalVariable *serial = word("duct_serial", i32);
	Value *next =
	    b.CreateBinaryIntrinsic(Intrinsic::uadd_sat, b.CreateLoad(i32, serial), b.getInt32(1));
	b.CreateStore(next, serial);
	call.replaceAllUsesWith(next);
}

// The token of a call that is for another function: uninstrumented code that calls back.
void Weaver::lower_pair_saved(CallInst &call)
{
	B b(&call);
	Value *token = b.CreateLoad(ptr, word("duct_site_for", ptr));
	Value *mine = b.CreateICmpEQ(token, call.getArgOperand(0));
	call.replaceAllUsesWith(b.CreateSelect(mine, b.getInt64(0), b.CreatePtrToInt(token, i64)));
}

void Weaver::lower_pair_enter(CallInst &call)
{
	B b(&call);
	GlobalVariable *token = word("duct_site_for", ptr);
	Value *mine = b.CreateICmpEQ(b.CreateLoad(ptr, token), call.getArgOperand(0));
	if (!call.use_empty())
		call.replaceAllUsesWith(
		    b.CreateSelect(mine, b.CreateLoad(i32, word("duct_site", i32)), b.getInt32(0)));
	b.CreateStore(ConstantPointerNull::get(ptr), token);
}

void Weaver::lower_pair_leave(CallInst &call)
{
	B b(&call);
	b.CreateStore(b.CreateIntToPtr(call.getArgOperand(0), ptr), word("duct_site_for", ptr));
}

void Weaver::lower_pair_call(CallInst &call)
{
	B b(&call);
	b.CreateStore(call.getArgOperand(0), word("duct_site_for", ptr));
	b.CreateStore(
	    b.CreateAdd(pair_base(b, F_INST_BASE), call.getArgOperand(1)), word("duct_site", i32));
	b.CreateStore(call.getArgOperand(2), word("duct_site_serial", i32));
}

// The call of a body that was inlined: the writer of its parameters' values.
void Weaver::lower_pair_site(CallInst &call)
{
	B b(&call);
	call.replaceAllUsesWith(b.CreateAdd(pair_base(b, F_INST_BASE), call.getArgOperand(0)));
}

// The label of its result.
void Weaver::lower_pair_returned(CallInst &call)
{
	B b(&call);
	Value *who = call.getArgOperand(0);
	Value *writer = b.CreateZExt(b.CreateAdd(pair_base(b, F_INST_BASE), who), i64);
	Value *label = b.CreateOr(writer, b.getInt64((uint64_t)DUCT_SAME << DUCT_LABEL_WHEN));
	if (!isa<ConstantInt>(who))
		label = b.CreateSelect(b.CreateIsNull(who), b.getInt64(0), label);
	call.replaceAllUsesWith(label);
}

// If the token is still there, the callee is not instrumented.
void Weaver::lower_pair_library(CallInst &call)
{
	B head(&call);
	GlobalVariable *token = word("duct_site_for", ptr);
	unsigned n = std::min<unsigned>(call.arg_size() - 5, DUCT_MAX_ARGS);
	guarded(&call, head.CreateICmpEQ(head.CreateLoad(ptr, token), call.getArgOperand(0)),
	    [&](B &b) {
		    auto *array = word("duct_pair_args", ArrayType::get(i64, DUCT_MAX_ARGS));
		    auto *list = word("duct_pair_nodes", ArrayType::get(i32, DUCT_MAX_ARGS));
		    uint64_t pointers = 0;
		    auto number = [&](Value *v) {
			    return v->getType()->isPointerTy() ? b.CreatePtrToInt(v, i64)
			                                       : b.CreateSExt(v, i64);
		    };
		    for (unsigned k = 0; k < n; k++) {
			    Value *v = call.getArgOperand(5 + k);
			    pointers |= k < 64 && v->getType()->isPointerTy() ? 1ull << k : 0;
			    b.CreateStore(number(v), slot(b, array, k));
			    b.CreateStore(
			        is_scalar(v->getType()) ? node(v) : zero, slot(b, list, k));
		    }
		    b.CreateStore(ConstantPointerNull::get(ptr), token);
		    b.CreateCall(rt("duct_rt_last_library", b.getVoidTy(),
		                     { ptr, ptr, i32, i32, i64, i32, ptr, i64 }),
		        { pairs, call.getArgOperand(1), call.getArgOperand(2),
		            call.getArgOperand(3), number(call.getArgOperand(4)), b.getInt32(n),
		            array, b.getInt64(pointers) });
		    return Nodes();
	    });
}

void Weaver::lower_pair_back(CallInst &call)
{
	B head(&call);
	guarded(&call, head.CreateIsNotNull(call.getArgOperand(0)), [&](B &b) {
		b.CreateCall(
		    rt("duct_rt_last_back", b.getVoidTy(), { ptr }), { call.getArgOperand(1) });
		return Nodes();
	});
}

void Weaver::lower_pair_asm(CallInst &call)
{
	B b(&call);
	b.CreateCall(rt("duct_rt_last_asm", b.getVoidTy(), { ptr, i32, ptr }),
	    { pairs, call.getArgOperand(0), call.getArgOperand(1) });
}

void Weaver::lower_pair_range(CallInst &call)
{
	B b(&call);
	SmallVector<Value *, 7> args(call.args());
	args.append({ node(call.getArgOperand(1)), node(call.getArgOperand(2)) });
	args.insert(args.begin(), pairs);
	b.CreateCall(
	    rt("duct_rt_last_range", b.getVoidTy(), { ptr, i32, ptr, i64, i32, i32, i32 }), args);
}

void Weaver::lower_pair_returns(CallInst &call)
{
	B b(&call);
	Value *who = call.getArgOperand(1);
	Value *writer = b.CreateAdd(pair_base(b, F_INST_BASE), who);
	b.CreateStore(b.CreateSelect(b.CreateIsNull(who), b.getInt32(0), writer),
	    word("duct_result_writer", i32));
	b.CreateStore(call.getArgOperand(0), word("duct_result_of", ptr));
}

void Weaver::lower_pair_result(CallInst &call)
{
	if (call.use_empty())
		return;
	B b(&call);
	Value *writer = b.CreateZExt(b.CreateLoad(i32, word("duct_result_writer", i32)), i64);
	Value *mine =
	    b.CreateICmpEQ(b.CreateLoad(ptr, word("duct_result_of", ptr)), call.getArgOperand(0));
	mine = b.CreateAnd(mine, b.CreateIsNotNull(writer));
	Value *label = b.CreateOr(writer, b.getInt64((uint64_t)DUCT_SAME << DUCT_LABEL_WHEN));
	call.replaceAllUsesWith(b.CreateSelect(mine, label, b.getInt64(0)));
}

// Calls the runtime with the marker's arguments, and with the address's node where there may be one
// (with_node); writers are numbered over the whole program.
void Weaver::lower_pair_memory(CallInst &call, const char *name, bool with_node)
{
	B b(&call);
	bool use = !call.getType()->isVoidTy();
	SmallVector<Value *, 6> args(call.args());
	SmallVector<Type *, 6> types;
	unsigned at = args[1]->getType() == i64 ? 2 : 3;
	if (!use) {
		auto *id = dyn_cast<ConstantInt>(args[at]);
		if (!id
		    || (id->getZExtValue() != DUCT_WRITER_NONE
		        && id->getZExtValue() != DUCT_WRITER_DEAD))
			args[at] = b.CreateAdd(pair_base(b, F_BASE), args[at]);
	}
	bool sized = StringRef(name) == "duct_rt_last_def";
	Value *address = with_node ? node(args[0]) : zero, *length = sized ? node(args[1]) : zero;
	std::string full = name;
	if (!is_zero(address) || !is_zero(length)) {
		full += "_at";
		args.push_back(address);
		if (sized)
			args.push_back(length);
	}
	for (Value *v : args)
		types.push_back(v->getType());
	Value *made = b.CreateCall(rt(full.c_str(), call.getType(), types), args);
	if (use)
		call.replaceAllUsesWith(made);
}

bool Weaver::lower_pair(CallBase &call, StringRef name)
{
	static const struct {
		const char *name;
		void (Weaver::*lower)(CallInst &);
	} all[] = {
		{ ".read", &Weaver::lower_pair_read },
		{ ".choose", &Weaver::lower_pair_choose },
		{ ".serial", &Weaver::lower_pair_serial },
		{ ".saved", &Weaver::lower_pair_saved },
		{ ".enter", &Weaver::lower_pair_enter },
		{ ".leave", &Weaver::lower_pair_leave },
		{ ".call", &Weaver::lower_pair_call },
		{ ".back", &Weaver::lower_pair_back },
		{ ".asm", &Weaver::lower_pair_asm },
		{ ".range", &Weaver::lower_pair_range },
		{ ".returns", &Weaver::lower_pair_returns },
		{ ".result", &Weaver::lower_pair_result },
		{ ".site", &Weaver::lower_pair_site },
		{ ".returned", &Weaver::lower_pair_returned },
	};
	static const struct {
		const char *name, *rt;
		bool with_node;
	} memory[] = {
		{ ".def", "duct_rt_last_def", true },
		{ ".formal", "duct_rt_last_formal", false },
		{ ".bits", "duct_rt_last_bits", true },
		{ ".use", "duct_rt_last_use", true },
		{ ".usebits", "duct_rt_last_use_bits", true },
	};
	if (!name.consume_front(marker_pair))
		return false;
	auto &marker = cast<CallInst>(call);
	for (auto &k : all)
		if (name == k.name)
			(this->*k.lower)(marker);
	bool once = name.ends_with(marker_once);
	if (name == ".c" || name == (Twine(".c") + marker_once).str())
		lower_pair_c(marker, once);
	if (name == ".group" || name == (Twine(".group") + marker_once).str())
		lower_pair_group(marker, once);
	for (auto &k : memory)
		if (name == k.name)
			lower_pair_memory(marker, k.rt, k.with_node);
	for (const char *plain : { "jump", "landed" })
		if (name.drop_front() == plain)
			B(&marker).CreateCall(rt((StringRef("duct_rt_last_") + plain).str().c_str(),
			                          marker.getType(), {}),
			    {});
	if (name.consume_front(".outcome"))
		lower_pair_outcome(marker, name);
	if (name.starts_with(".library."))
		lower_pair_library(marker);
	marker.eraseFromParent();
	return true;
}

} // namespace duct
