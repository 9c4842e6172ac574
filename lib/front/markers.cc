// markers: calls that represent the source's blocks and conditions. They are planted before the
// optimiser, so that it preserves their order and number.
#include "lib/front/checks.h"
#include "lib/front/objectives.h"
#include "lib/front/variadic.h"
#include "lib/front/ways.h"
#include "lib/front/weave.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Constants.h>

namespace duct
{

using namespace llvm;

const char marker_block[] = "duct.block";
const char marker_branch[] = "duct.branch";
const char marker_switch[] = "duct.switch";
const char marker_enter[] = "duct.enter";
const char marker_leave[] = "duct.leave";
const char marker_check[] = "duct.check";
const char marker_at[] = "duct.at";
const char marker_access[] = "duct.access";
const char marker_alloc[] = "duct.alloc";
const char marker_uninit[] = "duct.uninit";
const char marker_compare[] = "duct.compare";

// A marker's function: loads and stores may move across calls to it, but the calls are never
// merged, dropped or reordered.
Function *marker(Module &m, const Twine &name, ArrayRef<Type *> args)
{
	LLVMContext &c = m.getContext();
	FunctionCallee callee =
	    m.getOrInsertFunction(name.str(), FunctionType::get(Type::getVoidTy(c), args, false));
	auto *f = cast<Function>(callee.getCallee());
	for (auto kind : { Attribute::NoUnwind, Attribute::WillReturn, Attribute::NoSync,
	         Attribute::NoCallback, Attribute::NoMerge, Attribute::NoFree })
		f->addFnAttr(kind);
	f->setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
	return f;
}

bool is_marker(const Function &f)
{
	StringRef n = f.getName();
	return n == marker_block || n == marker_branch || n == marker_enter || n == marker_leave
	    || n == marker_check || n == marker_at || n == marker_access || n == marker_alloc
	    || n == marker_uninit || n == marker_compare || n.starts_with(marker_switch)
	    || n.starts_with(marker_pair);
}

bool is_marker_call(const Instruction &i)
{
	auto *call = dyn_cast<CallBase>(&i);
	return call && call->getCalledFunction() && is_marker(*call->getCalledFunction());
}

static void plant_block(Module &m, BasicBlock &b, Type *i32)
{
	MDNode *md = b.getTerminator()->getMetadata("duct.block");
	if (!md)
		return;
	IRBuilder<> at(&b, b.getFirstInsertionPt());
	// after the allocas, so that these stay static
	while (isa<AllocaInst>(*at.GetInsertPoint()))
		at.SetInsertPoint(&b, std::next(at.GetInsertPoint()));
	at.SetCurrentDebugLocation(DebugLoc());
	at.CreateCall(marker(m, marker_block, { i32 }), { ConstantInt::get(i32, operand(md, 0)) });
}

// Where the marker of a condition is inserted: before the markers of pairs that its outcome
// exercises, so that on the path their conditions come after the outcome.
static Instruction *before_pairs(Instruction &i, const Value *cond)
{
	Instruction *at = &i;
	for (Instruction *p = i.getPrevNode(); p && p != cond; p = p->getPrevNode()) {
		auto *call = dyn_cast<CallInst>(p);
		const Function *f = call ? call->getCalledFunction() : nullptr;
		StringRef name = f ? f->getName() : "";
		bool tells = name.consume_front(marker_pair)
		    && (name == ".side" || name == ".choose" || name.starts_with(".case."));
		if (!tells && !isa<BinaryOperator>(p))
			break;
		at = tells ? p : at;
	}
	return at;
}

static void plant_condition(Module &m, Instruction &i, Value *cond, const MDNode *md)
{
	IRBuilder<> at(before_pairs(i, cond));
	uint64_t id = md ? operand(md, 0) : 0;
	if (md && operand(md, 1))
		cond = at.CreateNot(cond);
	at.CreateCall(marker(m, marker_branch, { at.getInt32Ty(), at.getInt1Ty() }),
	    { at.getInt32(id), cond });
}

static void plant_switch(Module &m, SwitchInst &s, const MDNode *md)
{
	IRBuilder<> at(before_pairs(s, s.getCondition()));
	uint64_t id = md ? operand(md, 0) : 0;
	Type *t = s.getCondition()->getType();
	Twine name(marker_switch);
	at.CreateCall(
	    marker(m, name + ".i" + Twine(t->getIntegerBitWidth()), { at.getInt32Ty(), t }),
	    { at.getInt32(id), s.getCondition() });
}

static void list_cases(BranchInfo &b, const SwitchInst &s)
{
	b.is_switch = true;
	b.kind = DUCT_SWITCH;
	for (auto &k : s.cases())
		b.values.push_back(k.getCaseValue()->getValue().zextOrTrunc(64).getZExtValue());
	std::vector<uint32_t> ways = ways_of(s);
	b.shared.resize(ways.size());
	for (size_t i = 0; i < ways.size(); i++)
		if (ways[i] != i)
			b.shared[i] = b.shared[ways[i]] = 1;
}

std::vector<BranchInfo> list_branches(const Module &m, size_t number)
{
	std::vector<BranchInfo> list(number);
	for (const Function &f : m)
		for (const Instruction &i : instructions(f)) {
			const MDNode *md = i.getMetadata("duct.branch");
			uint64_t id = md ? operand(md, 0) : 0;
			if (!id)
				continue;
			BranchInfo &b = list[id - 1];
			b.kind = operand(md, 2);
			b.required = operand(md, 3);
			b.first = operand(md, 4);
			if (auto *s = dyn_cast<SwitchInst>(&i))
				list_cases(b, *s);
		}
	return list;
}

// A pointer that the program itself makes symbolic becomes an integer, as its target is unknown.
static std::string any_pointer(StringRef shape)
{
	std::string out;
	for (size_t i = 0; i < shape.size(); i++) {
		bool leaf = !i || shape[i - 1] == ':' || shape[i - 1] == '=';
		out += leaf && shape.substr(i).starts_with("p8") ? 'u' : shape[i];
	}
	return out;
}

// Replaces duct_symbolic(p, size, name) by the runtime's call with the shape from the front end.
static void give_shape(Module &m, CallInst &call, const MDNode *md)
{
	IRBuilder<> at(&call);
	auto *text = dyn_cast<MDString>(md->getOperand(0));
	if (!text || call.arg_size() < 3)
		return;
	Type *p = at.getPtrTy();
	auto callee = m.getOrInsertFunction("duct_rt_input",
	    FunctionType::get(at.getVoidTy(), { p, at.getInt64Ty(), p, p }, false));
	at.CreateCall(callee,
	    { call.getArgOperand(0), at.CreateZExtOrTrunc(call.getArgOperand(1), at.getInt64Ty()),
	        call.getArgOperand(2),
	        at.CreateGlobalString(any_pointer(text->getString()), ".duct.shape") });
	call.eraseFromParent();
}

static void plant_in(Module &m, BasicBlock &b)
{
	plant_block(m, b, Type::getInt32Ty(m.getContext()));
	for (Instruction &i : make_early_inc_range(b)) {
		MDNode *md = i.getMetadata("duct.branch");
		auto *br = dyn_cast<BranchInst>(&i);
		if (br && br->isConditional() && (md || !isa<Constant>(br->getCondition())))
			plant_condition(m, i, br->getCondition(), md);
		else if (auto *s = dyn_cast<SwitchInst>(&i))
			plant_switch(m, *s, md);
		else if (isa<SelectInst>(i) && md)
			plant_condition(m, i, cast<SelectInst>(i).getCondition(), md);
		else if (MDNode *shape = i.getMetadata("duct.shape"); shape && isa<CallInst>(i))
			give_shape(m, cast<CallInst>(i), shape);
	}
}

// First block -> function id, from the unit's flow.
static std::map<uint32_t, uint32_t> function_ids(StringRef flow)
{
	std::map<uint32_t, uint32_t> out;
	while (!flow.empty()) {
		auto [line, rest] = flow.split('\n');
		flow = rest;
		if (!line.consume_front("func\t"))
			continue;
		SmallVector<StringRef, 12> field;
		line.split(field, '\t');
		uint32_t id, first;
		if (field.size() > 10 && !field[0].getAsInteger(10, id)
		    && !field[9].getAsInteger(10, first))
			out[first] = id;
	}
	return out;
}

static void plant_calls(Module &m, Function &f, const std::map<uint32_t, uint32_t> &ids)
{
	MDNode *md = f.getEntryBlock().getTerminator()->getMetadata("duct.block");
	auto it = md ? ids.find(operand(md, 0)) : ids.end();
	if (it == ids.end())
		return;
	Type *i32 = Type::getInt32Ty(m.getContext());
	auto plant = [&](const char *name, Instruction *at) {
		IRBuilder<> b(at);
		b.SetCurrentDebugLocation(DebugLoc());
		b.CreateCall(marker(m, name, { i32 }), { b.getInt32(it->second) });
	};
	auto first = f.getEntryBlock().getFirstNonPHIOrDbgOrAlloca();
	plant(marker_enter, &*first);
	for (BasicBlock &b : f)
		if (isa<ReturnInst>(b.getTerminator())) {
			CallInst *tail = b.getTerminatingMustTailCall();
			plant(marker_leave, tail ? (Instruction *)tail : b.getTerminator());
		}
}

void plant_markers(Module &m, const std::string &flow)
{
	std::map<uint32_t, uint32_t> ids = function_ids(flow);
	for (Function &f : m) {
		for (BasicBlock &b : f)
			plant_in(m, b);
		if (!f.isDeclaration())
			plant_calls(m, f, ids);
	}
	plant_checks(m);
	plant_objectives(m);
	plant_variadic(m);
}

} // namespace duct
