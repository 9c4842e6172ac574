// weave_calls: passes nodes of arguments and results across calls by tokens; see "calls" in abi.h.
#include "lib/front/variadic.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/clib/clib.h"
}

#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace duct
{

using namespace llvm;

// The callee if it is defined here and not replaceable, hence woven.
static const Function *known_callee(const CallBase &call)
{
	auto *fn = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	return fn && is_woven(*fn) && !fn->isInterposable() ? fn : nullptr;
}

static bool is_api(const Function *fn)
{
	StringRef n = fn ? fn->getName() : "";
	return fn && fn->isDeclaration() && !n.starts_with("duct_model_")
	    && (n.starts_with("duct_") || n.starts_with("__VERIFIER_"));
}

static bool has_byval(const CallBase &call)
{
	for (unsigned i = 0; i < call.arg_size(); i++)
		if (call.isByValArgument(i))
			return true;
	return false;
}

void Weaver::store_node(B &b, unsigned at, Value *n)
{
	if (at < DUCT_MAX_ARGS)
		b.CreateStore(n, slot(b, args_array(), at));
}

// A structure among the variable arguments: loads the nodes of its words.
void Weaver::load_words(
    B &b, Value *p, uint64_t bytes, unsigned at, DenseMap<unsigned, Value *> &given)
{
	for (uint64_t offset = 0; offset < bytes && at < DUCT_MAX_ARGS; offset += 8, at++) {
		unsigned size = std::min<uint64_t>(8, bytes - offset);
		given[at] = b.CreateCall(rt("duct_rt_load", i32, { ptr, i32, i32 }),
		    { b.CreatePtrAdd(p, b.getInt64(offset)), b.getInt32(size),
		        b.getInt32(8 * size) });
	}
}

// Variable arguments: stores their nodes and clears all other slots.
void Weaver::store_variable(B &b, CallBase &call, unsigned fixed)
{
	unsigned params = call.getFunctionType()->getNumParams(), at = 0;
	VariadicLayout l;
	DenseMap<unsigned, Value *> given;
	unsigned fixed_words = 0;
	for (unsigned i = 0; i < call.arg_size(); i++) {
		Value *v = call.getArgOperand(i);
		bool byval = call.isByValArgument(i);
		Type *t = byval ? call.getParamByValType(i) : v->getType();
		if (i == params)
			fixed_words = l.words;
		bool has = l.next(v->getType(), byval, dl.getTypeAllocSize(t),
		    std::max<uint64_t>(
		        call.getParamAlign(i).valueOrOne().value(), t->isX86_FP80Ty() ? 16 : 1),
		    at);
		if (i < params)
			continue;
		if (has)
			given[at < l.registers ? at : at - fixed_words] = node(v);
		else if (byval)
			load_words(b, v, dl.getTypeAllocSize(t), at - fixed_words, given);
		else if (is_scalar(t) && !is_zero(node(v)))
			lost(b, "variable argument of more than 64 bits");
	}
	unsigned total = l.registers + l.words - (call.arg_size() > params ? fixed_words : l.words);
	for (unsigned i = 0; i < total; i++)
		store_node(b, fixed + i, given.count(i) ? given[i] : zero);
	if (fixed + total > DUCT_MAX_ARGS)
		lost(b, "too many arguments");
	b.CreateStore(b.getInt32(std::min<unsigned>(fixed + total, DUCT_MAX_ARGS)),
	    word("duct_args_count", i32));
}

void Weaver::store_arguments(B &b, CallBase &call)
{
	unsigned at = 0, params = call.getFunctionType()->getNumParams();
	bool variadic_call = call.getFunctionType()->isVarArg();
	for (unsigned i = 0; i < call.arg_size() && (!variadic_call || i < params); i++) {
		Value *v = call.getArgOperand(i);
		if (call.isByValArgument(i)) {
			Value *address = b.CreatePtrToInt(v, i64);
			store_node(b, at++, b.CreateTrunc(address, i32));
			store_node(b, at++, b.CreateTrunc(b.CreateLShr(address, 32), i32));
			continue;
		}
		for (Value *n : nodes(v))
			store_node(b, at++, n);
	}
	// a definition with more parameters than arguments must not read stale slots
	if (const Function *fn = known_callee(call))
		for (unsigned more = at, all = fn->arg_size(); more < all; more++)
			store_node(b, more, zero);
	if (variadic_call)
		store_variable(b, call, at);
	else
		b.CreateStore(b.getInt32(at), word("duct_args_count", i32));
	b.CreateStore(call.getCalledOperand(), word("duct_args_for", ptr));
}

// Reports a call's scalar arguments one by one, as the C library's function receives them.
void Weaver::tell_call(B &b, CallBase &call, const char *name, bool assembly)
{
	Passed p = passed(b, call);
	if (!call.use_empty())
		p.pointers |= 1ull << 63; // the result is used
	for (size_t k = 0; k < p.count(); k++) {
		if (assembly)
			store_node(b, k, p.nodes[k]);
		else
			b.CreateStore(p.nodes[k], b.CreateConstGEP1_32(i32, outgoing_nodes, k));
	}
	if (assembly)
		b.CreateCall(
		    rt("duct_rt_external", b.getVoidTy(), { ptr, i32, ptr, i32, ptr, i64 }),
		    { unit, place(b), text(b, name), b.getInt32(p.count()), outgoing,
		        b.getInt64(p.pointers) });
	else
		b.CreateCall(
		    rt("duct_rt_called", b.getVoidTy(), { ptr, ptr, ptr, i32, ptr, ptr, i64 }),
		    { unit, call.getCalledOperand(), text(b, name), b.getInt32(p.count()), outgoing,
		        outgoing_nodes, b.getInt64(p.pointers) });
}

// Stores the arguments' values in `outgoing`.
Weaver::Passed Weaver::passed(B &b, CallBase &call)
{
	Passed p;
	SmallVector<Value *, 8> values;
	for (unsigned i = 0; i < call.arg_size(); i++) {
		Value *v = call.getArgOperand(i);
		bool scalar = is_scalar(v->getType()), byval = call.isByValArgument(i);
		if (v->getType()->isPointerTy() && !byval && values.size() < 63)
			p.pointers |= 1ull << values.size();
		for (Value *n : nodes(v)) {
			p.nodes.push_back(byval ? zero : n);
			values.push_back(scalar ? as_word(b, v) : b.getInt64(0));
		}
	}
	if (!outgoing) {
		B entry(&f->getEntryBlock(), f->getEntryBlock().begin());
		outgoing = entry.CreateAlloca(i64, entry.getInt32(1));
		outgoing_nodes = entry.CreateAlloca(i32, entry.getInt32(1));
	}
	outgoing_count = std::max<unsigned>(outgoing_count, p.count());
	for (size_t k = 0; k < p.count(); k++)
		b.CreateStore(values[k], b.CreateConstGEP1_32(i64, outgoing, k));
	return p;
}

// Sets the size of the array for arguments to the longest list.
void Weaver::finish_outgoing()
{
	for (AllocaInst *a : { outgoing, outgoing_nodes })
		if (a)
			a->setOperand(0, ConstantInt::get(i32, std::max(outgoing_count, 1u)));
}

void Weaver::read_result(CallBase &call, Instruction *after)
{
	SmallVector<Type *, 2> types;
	leaves(call.getType(), types);
	if (types.size() > max_results)
		return;
	B head(after);
	GlobalVariable *array = word("duct_ret", ArrayType::get(i32, max_results));
	Value *from = head.CreateLoad(ptr, word("duct_ret_from", ptr));
	Value *giver = call.hasFnAttr(Attribute::ReturnsTwice) ? word("duct_ret_from", ptr)
	                                                       : call.getCalledOperand();
	Value *mine = head.CreateICmpEQ(from, giver);
	auto read = [&](B &b) {
		Nodes out;
		for (unsigned k = 0; k < types.size(); k++)
			out.push_back(
			    is_scalar(types[k]) ? b.CreateLoad(i32, slot(b, array, k)) : zero);
		return out;
	};
	if (!is_plain(call))
		return set(call, guarded(after, mine, read));
	auto *branch = cast<BranchInst>(after);
	B over(branch->getSuccessor(0)->getTerminator());
	branch->setCondition(mine);
	Given result;
	result[&call] = read(over);
	go_over(over.GetInsertBlock(), branch->getSuccessor(1), result, nullptr);
}

Nodes Weaver::argument_nodes(CallBase &call)
{
	Nodes list;
	for (unsigned i = 0; i < call.arg_size(); i++)
		if (!call.isByValArgument(i))
			for (Value *n : nodes(call.getArgOperand(i)))
				list.push_back(n);
	return list;
}

// Before the call: sets the token if the callee may need it. Returns the condition for this (null:
// never).
Value *Weaver::give_token(CallBase &call, bool by_live)
{
	B head(&call);
	Value *test = by_live ? head.CreateLoad(i32, word("duct_live", i32))
	                      : any(head, argument_nodes(call));
	if (!test)
		return nullptr;
	guarded(&call, test, [&](B &b) {
		for (Value *v : call.args())
			check(b, v);
		store_arguments(b, call);
		return Nodes();
	});
	return test;
}

// After the call: was the callee woven?
void Weaver::ask_token(CallBase &call, Value *live, Instruction *after)
{
	const Value *callee = call.getCalledOperand()->stripPointerCasts();
	std::string name = isa<Function>(callee) ? callee->getName().str() : "(pointer)";
	guarded(after, live, [&](B &b) { // a woven callee takes the token
		Value *there = b.CreateICmpEQ(
		    b.CreateLoad(ptr, word("duct_args_for", ptr)), call.getCalledOperand());
		Value *kept = b.CreateICmpNE(b.CreateLoad(i32, word("duct_pending", i32)), zero);
		guarded(&*b.GetInsertPoint(), b.CreateOr(there, kept), [&](B &s) {
			tell_call(s, call, name.c_str(), false);
			return Nodes();
		});
		return Nodes();
	});
}

// Where a call's result is available; null: nowhere.
static Instruction *after_call(CallBase &call)
{
	if (auto *i = dyn_cast<InvokeInst>(&call))
		return &*SplitEdge(i->getParent(), i->getNormalDest())->begin();
	return call.isMustTailCall() || call.isTerminator() ? nullptr : call.getNextNode();
}

// The table entry of the called library function; nullptr: none.
static const struct clib *library(const Function *fn)
{
	return fn && fn->isDeclaration() ? clib_find(fn->getName().str().c_str()) : nullptr;
}

// Does the call's result depend on the environment: was output written, was there room, was it
// allowed?
static bool reaches_outside(const struct clib *c)
{
	return clib_does(c, "oOnFs") || StringRef(c->state).contains_insensitive("F")
	    || StringRef(c->state).find_first_of("ACNTVY") != StringRef::npos;
}

// Does it tell of the environment, or of hidden state that others may have set before, such as the
// signals that are blocked, or rounding and exceptions of floating-point operations?
static bool tells_environment(const struct clib *c)
{
	return *c->asks || StringRef(c->state).find_first_of("qDGHhISTUuX") != StringRef::npos;
}

// Before a call of a library function without a model: memory of a caller's becomes inputs before
// the function reads or writes it.
void Weaver::give_memory(CallBase &call)
{
	auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	const struct clib *c = library(callee);
	if (options.model || !c || clib_does(c, "M") || !clib_has(c, "rwbk"))
		return;
	guarded(&call, B(&call).CreateLoad(i32, word("duct_live", i32)), [&](B &b) {
		Passed p = passed(b, call);
		b.CreateCall(rt("duct_rt_given", b.getVoidTy(), { ptr, ptr, i32, ptr, i64 }),
		    { callee, text(b, callee->getName().str().c_str()), b.getInt32(p.count()),
		        outgoing, b.getInt64(p.pointers) });
		return Nodes();
	});
}

// Reports a call of code without a library model whose result from the environment is used, or
// which may call a handler at any time. Library models report it themselves, given whether the
// result is used.
void Weaver::tell_outside(B &b, CallBase &call)
{
	auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	const struct clib *c = library(callee);
	bool used = !call.use_empty();
	if (options.model)
		return;
	bool outside = c
	    && (clib_does(c, "h") || (tells_environment(c) && (used || clib_has(c, "wbfk")))
	        || (used && reaches_outside(c)));
	if (!callee || (c && clib_does(c, "Mf")))
		b.CreateStore(b.getInt32(used | (outside && clib_does(c, "f") ? 2 : 0)),
		    word("duct_result_used", i32));
	else if (outside)
		b.CreateCall(rt("duct_rt_outside", b.getVoidTy(), { ptr, ptr }),
		    { callee, text(b, callee->getName().str().c_str()) });
}

// Is it longjmp, whose argument becomes the setjmp's result?
static bool is_longjmp(const Function *fn)
{
	const struct clib *c = library(fn);
	return c && clib_does(c, "j") && clib_arg(c, 1).access == '-';
}

// longjmp's argument, or 1 for 0, is the next result of a setjmp; meanwhile duct_ret_from points to
// itself.
void Weaver::give_jump(CallBase &call)
{
	Value *v = call.getArgOperand(1);
	B before(&call);
	before.CreateCall(
	    rt("duct_rt_jumps", before.getVoidTy(), { ptr }), { call.getArgOperand(0) });
	before.CreateStore(ConstantPointerNull::get(ptr), word("duct_ret_from", ptr));
	guarded_any(&call, { v }, 0, [&](B &b) {
		Sym x = sym(b, v), none = number(32, 0);
		Sym result = ite(b, binary(b, OP_EQ, x, none), number(32, 1), x);
		b.CreateStore(
		    result.n, slot(b, word("duct_ret", ArrayType::get(i32, max_results)), 0));
		b.CreateStore(word("duct_ret_from", ptr), word("duct_ret_from", ptr));
		return Nodes();
	});
}

// Calling or jumping through a pointer with several possible targets is a decision of the path.
void Weaver::go_through(Instruction &i, Value *to, const char *reason)
{
	guarded_any(&i, { to }, 0, [&](B &b) {
		b.CreateCall(rt("duct_rt_go", b.getVoidTy(), { ptr, i32, i32, ptr }),
		    { unit, place(b), node(to), text(b, reason) });
		return Nodes();
	});
}

void Weaver::visit_plain_call(CallBase &call)
{
	auto *callee = dyn_cast<Function>(call.getCalledOperand()->stripPointerCasts());
	bool known = known_callee(call), api = is_api(callee);
	bool tracked = is_tracked(call);
	bool twice = call.hasFnAttr(Attribute::ReturnsTwice);
	go_through(call, call.getCalledOperand(), "call through a symbolic pointer");
	if (is_longjmp(callee) && call.arg_size() == 2)
		give_jump(call);
	give_memory(call);
	bool by_live = known ? has_byval(call) || callee->isVarArg() : !api;
	Value *token_set = give_token(call, by_live), *frame = nullptr;
	B pre(&call);
	tell_outside(pre, call);
	write_steps(pre);
	if (twice)
		frame = pre.CreateCall(rt("duct_rt_frame", i64, {}), {});
	if (tracked)
		pre.CreateStore(ConstantPointerNull::get(ptr), word("duct_ret_from", ptr));
	if (call.isMustTailCall() && is_shadowed(call.getType()))
		guarded(&call, B(&call).CreateLoad(i32, word("duct_live", i32)), [&](B &b) {
			lost(b, "result of a call that must be a tail call");
			return Nodes();
		});
	Instruction *after = after_call(call);
	if (!after)
		return;
	B post(after);
	if (call.doesNotReturn())
		return;
	read_steps(post);
	if (auto it = current.find(&call); it != current.end()) {
		post.CreateStore(post.getInt32(it->second), block_word());
		if (!known && !api && !options.model)
			post.CreateStore(unit, word("duct_block_unit", ptr));
	}
	if (twice)
		post.CreateCall(rt("duct_rt_leave", post.getVoidTy(), { i64 }), { frame });
	if (!known && !api && token_set)
		ask_token(call, token_set, after);
	if (twice || (api && token_set))
		B(after).CreateStore(ConstantPointerNull::get(ptr), word("duct_args_for", ptr));
	if (tracked)
		read_result(call, after);
}

// Tells that the run got an answer that another machine, or another time, may give differently.
void Weaver::tell_machine(Instruction &i, const char *what)
{
	tell_limit(i, "concrete", what);
}

void Weaver::tell_limit(Instruction &i, const char *kind, const char *name)
{
	if (options.model)
		return;
	B b(&i);
	b.CreateCall(rt("duct_rt_limit", b.getVoidTy(), { ptr, ptr, i64 }),
	    { text(b, kind), text(b, name), b.getInt64(0) });
}

// Is the result no function of the arguments, as that of a clock or of a control register?
static bool asks_machine(const IntrinsicInst &i)
{
	if (i.getCalledFunction()->getName().contains("stmxcsr"))
		return true;
	return !i.getType()->isVoidTy() && i.mayReadOrWriteMemory()
	    && all_of(i.args(), [](const Use &u) { return isa<Constant>(u); });
}

// Functions of the runtime that get the nodes of their arguments, or whose results may be symbolic:
// a harness's choice, uninitialised values, sizes from rules, queries of library models.
static bool takes_nodes(StringRef name)
{
	return name == "duct_rt_choice" || name == "duct_rt_rule" || name == "duct_rt_unset"
	    || name == "duct_rt_number" || name == "duct_rt_compare" || name == "duct_rt_find"
	    || name.starts_with("duct_rt_native");
}

void Weaver::visit_call(CallBase &call)
{
	if (call.isInlineAsm())
		return visit_asm(call);
	Function *fn = call.getCalledFunction();
	if (lower_ask(call))
		return;
	if (fn && fn->getName() == marker_branch)
		return lower_branch(cast<CallInst>(call));
	if (fn && fn->getName().starts_with(marker_switch))
		return lower_switch(cast<CallInst>(call));
	if (fn && (lower_fault(call, fn->getName()) || lower_pair(call, fn->getName())))
		return;
	if (fn && (fn->getName() == marker_enter || fn->getName() == marker_leave))
		return lower_call_event(cast<CallInst>(call));
	if (fn && fn->getName().starts_with("duct_rt_") && !takes_nodes(fn->getName()))
		return;
	auto *i = dyn_cast<IntrinsicInst>(&call);
	if (!i)
		return visit_plain_call(call);
	if (i->getIntrinsicID() == Intrinsic::vastart && variadic) {
		B b(i->getNextNode());
		b.CreateCall(rt("duct_rt_va_start", b.getVoidTy(), { ptr, ptr, i32 }),
		    { i->getArgOperand(0), b.CreateLoad(ptr, variadic),
		        b.CreateLoad(i32, variadic_count) });
		return;
	}
	if (i->isAssumeLikeIntrinsic() || visit_intrinsic(*i) || visit_memory_intrinsic(*i))
		return;
	if (asks_machine(*i))
		tell_machine(*i, "a register of the processor");
	visit_other(*i);
}

// Assembly gets concrete values; what it writes through pointers is concrete afterwards.
void Weaver::visit_asm(CallBase &call)
{
	auto *code = cast<InlineAsm>(call.getCalledOperand());
	if (!code->getAsmString().empty()
	    && (!call.getType()->isVoidTy() || call.mayWriteToMemory()))
		tell_machine(call, "inline assembly");
	if (call.arg_empty())
		return;
	Nodes list = argument_nodes(call);
	bool pointers = false;
	for (Value *v : call.args())
		pointers |= v->getType()->isPointerTy();
	if (call.isTerminator() || !pointers)
		return lost_if(&call, list, "inline assembly");
	Instruction *after = call.getNextNode();
	B head(after);
	guarded(after, head.CreateLoad(i32, word("duct_live", i32)), [&](B &b) {
		tell_call(b, call, "inline assembly", true);
		return Nodes();
	});
}

} // namespace duct
