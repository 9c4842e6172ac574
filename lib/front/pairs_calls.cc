// pairs_calls: after the optimiser, calls that are left only as the markers of their two sides, the
// caller's and those of the body that was inlined, pass nothing through memory.
#include "lib/front/pairs.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>

namespace duct
{

using namespace llvm;

namespace
{

const char token_prefix[] = ".duct.token.";

// The kind of a marker of pairs, such as ".call"; "" if the instruction is not one.
StringRef kind_of(const Instruction &i)
{
	auto *call = dyn_cast<CallInst>(&i);
	const Function *to = call ? call->getCalledFunction() : nullptr;
	StringRef name = to ? to->getName() : "";
	return name.consume_front(marker_pair) ? name : "";
}

// May it call a function of the program?
bool calls_program(const Instruction &i)
{
	return isa<CallBase>(i) && !isa<IntrinsicInst>(i) && !is_marker_call(i);
}

// Within a block, what its markers tell of calls.
class Joiner
{
      public:
	explicit Joiner(Module &module) : m(module), i64(Type::getInt64Ty(m.getContext()))
	{
	}
	void join(BasicBlock &b);

      private:
	Module &m;
	IntegerType *i64;
	CallInst *made = nullptr;     // the last .call, if no call has followed it
	CallInst *entered = nullptr;  // the last .call whose callee's .enter was found
	CallInst *returned = nullptr; // the last .returns, if no call has followed it

	void visit(CallInst &call, StringRef kind);
	void enter(CallInst &call, bool last);
	void finish();
	Value *ask(CallInst &at, const char *name, Value *number, Type *type);
};

Value *Joiner::ask(CallInst &at, const char *name, Value *number, Type *type)
{
	IRBuilder<> b(&at);
	b.SetCurrentDebugLocation(DebugLoc());
	Function *f = pair_marker(m, Twine(marker_pair) + name, type, { number->getType() });
	return b.CreateCall(f, { number });
}

bool same_callee(const CallInst *a, const CallInst &b)
{
	return a && a->getArgOperand(0) == b.getArgOperand(0) && isa<Constant>(a->getArgOperand(0));
}

// .saved or, after it, .enter of the callee of the last .call.
void Joiner::enter(CallInst &call, bool last)
{
	if (!same_callee(made, call))
		return;
	if (!last)
		call.replaceAllUsesWith(ConstantInt::get(i64, 0));
	else if (!call.use_empty())
		call.replaceAllUsesWith(ask(call, ".site", made->getArgOperand(1), call.getType()));
	call.eraseFromParent();
	if (!last)
		return;
	entered = made;
	made = nullptr;
}

void Joiner::visit(CallInst &call, StringRef kind)
{
	using namespace PatternMatch;
	if (kind == ".call") {
		finish();
		made = &call;
	} else if (kind == ".saved" || kind == ".enter") {
		enter(call, kind == ".enter");
	} else if ((kind == ".back" || kind == ".leave")
	    && match(call.getArgOperand(0), m_Zero())) {
		call.eraseFromParent();
	} else if (kind.starts_with(".library.") && same_callee(entered, call)
	    && entered->getArgOperand(1) == call.getArgOperand(2)) {
		call.eraseFromParent();
	} else if (kind == ".returns") {
		returned = &call;
	} else if (kind == ".result" && same_callee(returned, call)) {
		Value *who = returned->getArgOperand(1);
		if (match(who, m_Zero()))
			call.replaceAllUsesWith(ConstantInt::get(i64, 0));
		else if (!call.use_empty())
			call.replaceAllUsesWith(ask(call, ".returned", who, i64));
		call.eraseFromParent();
		returned->eraseFromParent();
		returned = nullptr;
	}
}

// Its callee has taken what the last .call passes.
void Joiner::finish()
{
	if (entered)
		entered->eraseFromParent();
	entered = nullptr;
}

void Joiner::join(BasicBlock &b)
{
	for (Instruction &i : make_early_inc_range(b)) {
		if (StringRef kind = kind_of(i); !kind.empty())
			visit(cast<CallInst>(i), kind);
		else if (calls_program(i))
			made = returned = nullptr;
	}
	finish();
	made = returned = nullptr;
}

} // namespace

// Does the activation with this number define nothing that has an address, nor call anything, until
// the last place that asks for its number, all in one block?
static bool defines_nothing(const CallInst &serial)
{
	unsigned left = 0;
	for (const User *u : serial.users()) {
		auto *ask = cast<Instruction>(u);
		if (ask->getParent() != serial.getParent() || kind_of(*ask) != ".use")
			return false;
		left++;
	}
	for (const Instruction *i = &serial; left && (i = i->getNextNode());) {
		StringRef kind = kind_of(*i);
		if (calls_program(*i) || (!kind.empty() && kind != ".use" && kind != ".c"))
			return false;
		left -= kind == ".use" && is_contained(i->operand_values(), &serial);
	}
	return true;
}

// All definitions are before such an activation: any number that is greater will do.
static void drop_serials(BasicBlock &b)
{
	for (Instruction &i : make_early_inc_range(b)) {
		if (kind_of(i) != ".serial" || !defines_nothing(cast<CallInst>(i)))
			continue;
		i.replaceAllUsesWith(ConstantInt::get(i.getType(), UINT32_MAX));
		i.eraseFromParent();
	}
}

// The operand of markers that represents a function until join_calls() puts it there: the optimiser
// must not take its address for taken.
Value *pair_token(Module &m, Value *callee)
{
	auto *fn = dyn_cast<Function>(callee);
	return fn ? m.getOrInsertGlobal(
	                (token_prefix + fn->getName()).str(), Type::getInt8Ty(m.getContext()))
	          : callee;
}

// Of a function of which only inlined copies are left, any value of its own will do.
static void settle_tokens(Module &m)
{
	for (GlobalVariable &g : make_early_inc_range(m.globals())) {
		StringRef name = g.getName();
		if (!name.consume_front(token_prefix))
			continue;
		if (Function *fn = m.getFunction(name)) {
			g.replaceAllUsesWith(fn);
			g.eraseFromParent();
			continue;
		}
		g.setInitializer(ConstantInt::get(g.getValueType(), 0));
		g.setLinkage(GlobalValue::PrivateLinkage);
	}
}

void join_calls(Module &m)
{
	settle_tokens(m);
	Joiner joiner(m);
	for (Function &f : m)
		if (is_woven(f))
			for (BasicBlock &b : f) {
				joiner.join(b);
				drop_serials(b);
			}
	for (Function &f : make_early_inc_range(m))
		if (f.hasLocalLinkage() && f.use_empty())
			f.eraseFromParent();
}

} // namespace duct
