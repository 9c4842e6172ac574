// Labels of arguments, results and memory at calls.
#include "lib/front/flows.h"

extern "C" {
#include "lib/clib/clib.h"
}

namespace duct
{

using namespace llvm;

// GCC warns about new and delete of LLVM values; the module owns them.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace
{

// The table entry of a library function; nullptr: none.
const struct clib *library(StringRef name)
{
	return clib_find(name.str().c_str());
}

// Is it output whose result is unused?
bool only_prints(const CallBase &call, const struct clib *c)
{
	return call.use_empty() && clib_does(c, "oO");
}

// Does the function copy argument 2's number of bytes between its first two arguments? back: from
// the first to the second.
bool copies(const struct clib *c, bool &back)
{
	struct clib_arg to = clib_arg(c, 0), from = clib_arg(c, 1);
	back = strchr(c->points, 'C');
	if (back)
		std::swap(to, from);
	return (back || strchr(c->points, 'c')) && to.access == 'w' && from.access == 'r'
	    && to.extent == '#' && to.a == 2 && from.extent == '#' && from.a == 2;
}

// Does the function fill memory: its second argument, as many times as the third says?
bool fills(const struct clib *c)
{
	struct clib_arg to = clib_arg(c, 0);
	return to.access == 'w' && to.extent == '#' && to.a == 2 && clib_arg(c, 1).access == '-';
}

} // namespace

bool Flows::visit_intrinsic(IntrinsicInst &i)
{
	B b(&i);
	switch (i.getIntrinsicID()) {
	case Intrinsic::memcpy:
	case Intrinsic::memmove:
	case Intrinsic::memcpy_inline:
		decide(i, operands(b, i));
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { i.getArgOperand(0), i.getArgOperand(1),
		        b.CreateZExtOrTrunc(i.getArgOperand(2), i64) });
		return true;
	case Intrinsic::memset:
	case Intrinsic::memset_inline:
		decide(i, join(b, label(i.getArgOperand(0)), label(i.getArgOperand(2))));
		b.CreateCall(rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }),
		    { i.getArgOperand(0), b.CreateZExtOrTrunc(i.getArgOperand(2), i64),
		        label(i.getArgOperand(1)) });
		return true;
	case Intrinsic::vastart:
		B(i.getNextNode())
		    .CreateCall(rt("duct_rt_flow_va_start", b.getVoidTy(), { ptr, i32, i32 }),
		        { i.getArgOperand(0), variable_label ? variable_label : none,
		            variable_count ? variable_count : none });
		return true;
	case Intrinsic::vacopy:
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { i.getArgOperand(0), i.getArgOperand(1), b.getInt64(24) });
		return true;
	default:
		if (!i.getType()->isVoidTy())
			labels[&i] = operands(b, i);
		return true;
	}
}

// Handles calls that are not treated as such; false: other calls.
bool Flows::visit_library(CallBase &call, StringRef name)
{
	B b(&call), after(call.isTerminator() ? &call : call.getNextNode());
	const struct clib *c = library(name);
	bool back = false;
	if (c && call.arg_size() >= 3 && copies(c, back)) {
		decide(call, operands(b, call));
		b.CreateCall(rt("duct_rt_flow_copy", b.getVoidTy(), { ptr, ptr, i64 }),
		    { call.getArgOperand(back), call.getArgOperand(!back),
		        b.CreateZExtOrTrunc(call.getArgOperand(2), i64) });
	} else if (c && call.arg_size() >= 3 && fills(c)) {
		decide(call, join(b, label(call.getArgOperand(0)), label(call.getArgOperand(2))));
		b.CreateCall(rt("duct_rt_flow_store", b.getVoidTy(), { ptr, i64, i32 }),
		    { call.getArgOperand(0), b.CreateZExtOrTrunc(call.getArgOperand(2), i64),
		        label(call.getArgOperand(1)) });
	} else if (c && only_prints(call, c)) {
		auto quiet = rt("duct_rt_flow_quiet", b.getVoidTy(), { i32 });
		b.CreateCall(quiet, { b.getInt32(1) });
		after.CreateCall(quiet, { b.getInt32(-1) });
		return true;
	} else if (c && clib_does(c, "jpths")) {
		b.CreateCall(rt("duct_rt_flow_lost", b.getVoidTy(), { ptr }), { text(name) });
		return true;
	} else if (name.starts_with("duct_rt_")
	    || (name.starts_with("duct_") && !name.starts_with("duct_model_"))
	    || name.starts_with("__VERIFIER_")) {
		if (!name.starts_with("duct_rt_"))
			decide(call, operands(b, call));
		store_word(b, "duct_flow_ret", none);
		if (!call.getType()->isVoidTy() && !call.isTerminator())
			labels[&call] = load_word(after, "duct_flow_ret", i32);
		return true;
	} else {
		return false;
	}
	labels[&call] = label(call.getArgOperand(0));
	return true;
}

void Flows::pass_arguments(B &b, CallBase &call)
{
	unsigned fixed = call.getFunctionType()->getNumParams();
	Value *variable = none;
	for (unsigned k = 0; k < call.arg_size() && k < DUCT_MAX_ARGS - 1; k++) {
		Value *v = call.getArgOperand(k);
		if (call.isByValArgument(k))
			b.CreateStore(
			    b.CreatePtrToInt(v, i64), element(b, "duct_flow_from", i64, k));
		b.CreateStore(label(v), element(b, "duct_flow_args", i32, k));
		if (k >= fixed)
			variable = join(b, variable,
			    call.isByValArgument(k)
			        ? b.CreateCall(rt("duct_rt_flow_load", i32, { ptr, i64 }),
			              { v,
			                  b.getInt64(
			                      dl.getTypeAllocSize(call.getParamByValType(k))) })
			        : label(v));
	}
	if (call.getFunctionType()->isVarArg()) {
		uint64_t words = 0;
		for (unsigned k = fixed; k < call.arg_size(); k++)
			words += call.isByValArgument(k)
			    ? dl.getTypeAllocSize(call.getParamByValType(k)) / 8 + 1
			    : 2;
		b.CreateStore(variable, element(b, "duct_flow_args", i32, DUCT_MAX_ARGS - 1));
		store_word(b, "duct_flow_count", b.getInt32(words));
	} else {
		store_word(b, "duct_flow_count", b.getInt32(call.arg_size()));
	}
	store_word(b, "duct_flow_context", name_of(b, *call.getParent(), ++sites));
	if (!call.isInlineAsm())
		store_word(b, "duct_flow_for", call.getCalledOperand());
}

// The label after a call of code that is not woven.
Value *Flows::outside(B &b, CallBase &call, StringRef name)
{
	uint64_t pointers = 0;
	unsigned n = std::min<unsigned>(call.arg_size(), DUCT_MAX_ARGS - 1);
	for (unsigned k = 0; k < n; k++) {
		Value *v = call.getArgOperand(k);
		if (v->getType()->isPointerTy() && k < 64) {
			pointers |= 1ull << k;
			b.CreateStore(
			    b.CreatePtrToInt(v, i64), element(b, "duct_flow_from", i64, k));
		}
	}
	return b.CreateCall(rt("duct_rt_flow_external", i32, { ptr, i32, i64, ptr }),
	    { text(name), b.getInt32(n), b.getInt64(pointers), place(call) });
}

void Flows::visit_call(CallBase &call)
{
	auto *fn = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	if (fn && (is_marker(*fn) || fn->getName().starts_with("duct.")))
		return;
	if (auto *i = dyn_cast<IntrinsicInst>(&call))
		if (visit_intrinsic(*i))
			return;
	StringRef name = fn ? fn->getName() : call.isInlineAsm() ? "inline assembly" : "(pointer)";
	B b(&call);
	if (fn && fn->isDeclaration() && visit_library(call, name))
		return;
	Value *which = label(call.getCalledOperand());
	uint64_t end = after_call + sites + 1;
	visit_condition(call, call.getCalledOperand(), end);
	pass_arguments(b, call);
	if (call.isTerminator() || call.isMustTailCall() || call.doesNotReturn())
		return;
	B after(call.getNextNode());
	if (call.isInlineAsm()) {
		labels[&call] = outside(after, call, name);
		return;
	}
	AllocaInst *kept = variable();
	after.CreateStore(load_word(after, "duct_flow_ret", i32), kept);
	Value *still = after.CreateZExt(after.CreateICmpNE(load_word(after, "duct_flow_for", ptr),
	                                    ConstantPointerNull::get(ptr)),
	    i32);
	Value *got = after.CreateLoad(i32, kept);
	auto *read = cast<Instruction>(got);
	if (which != none) // what it influences is within its scope
		got = join(after, got, closes(&*after.GetInsertPoint(), end, {}));
	cold.push_back({ read, still, [this, &call, kept, called = name.str()](B &s) {
		                s.CreateStore(outside(s, call, called), kept);
	                } });
	labels[&call] = got;
}

} // namespace duct
