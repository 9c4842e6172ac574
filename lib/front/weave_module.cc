// weave_module: a whole unit, from the front end's IR to a module that can be emitted.
#include "lib/front/checks.h"
#include "lib/front/split.h"
#include "lib/front/unset.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/clib/clib.h"
}

#include <llvm/IR/DebugInfo.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/Utils/Local.h>

namespace duct
{

using namespace llvm;

bool is_woven(const Function &fn)
{
	return !fn.isDeclaration() && !fn.hasAvailableExternallyLinkage()
	    && !fn.hasFnAttribute(Attribute::Naked) && !fn.hasFnAttribute("duct.raw");
}

// Lets a program's own definition override a library model's.
static void make_replaceable(Module &m)
{
	for (GlobalValue &g : m.global_values())
		if (!g.isDeclaration() && g.hasExternalLinkage()) {
			g.setLinkage(GlobalValue::WeakAnyLinkage);
			g.setVisibility(GlobalValue::HiddenVisibility);
		}
}

// With -fno-builtin clang does not know which functions return twice.
static void mark_returns_twice(Module &m)
{
	for (Function &fn : m) {
		const struct clib *c =
		    fn.isDeclaration() ? clib_find(fn.getName().str().c_str()) : nullptr;
		if (!c || !clib_does(c, "2"))
			continue;
		fn.addFnAttr(Attribute::ReturnsTwice);
		for (User *u : fn.users())
			if (auto *call = dyn_cast<CallBase>(u);
			    call && call->getCalledOperand() == &fn)
				call->addFnAttr(Attribute::ReturnsTwice);
	}
}

// Prevents inlining, so that a function's registers and stack slots are gone after its return, as
// leak.c requires.
static void keep_frames(Module &m)
{
	for (Function &fn : m)
		if (is_woven(fn) && !fn.hasFnAttribute(Attribute::AlwaysInline))
			fn.addFnAttr(Attribute::NoInline);
}

static void mark_resolvers(Module &m)
{
	for (GlobalIFunc &i : m.ifuncs())
		if (Function *fn = const_cast<Function *>(i.getResolverFunction()))
			fn->addFnAttr("duct.raw");
}

// Keeps values that several blocks use in memory: thousands of them, alive through thousands of
// blocks, take most of the time of code generation, unless it keeps all values there (Quick).
static void spill_all(Function &fn)
{
	BasicBlock &entry = fn.getEntryBlock();
	BasicBlock::iterator first = entry.getFirstNonPHIOrDbgOrAlloca();
	SmallVector<Instruction *, 64> wide;
	SmallVector<PHINode *, 64> merged;
	for (BasicBlock &b : fn)
		for (Instruction &i : b) {
			auto is_elsewhere = [&](const User *u) {
				return isa<PHINode>(u) || cast<Instruction>(u)->getParent() != &b;
			};
			if (auto *p = dyn_cast<PHINode>(&i))
				merged.push_back(p);
			else if (!(isa<AllocaInst>(i) && &b == &entry)
			    && any_of(i.users(), is_elsewhere))
				wide.push_back(&i);
		}
	for (Instruction *i : wide)
		DemoteRegToStack(*i, false, first);
	for (PHINode *p : merged)
		DemotePHIToStack(p, first);
}

// Register allocation is superlinear; a function with thousands of blocks would delay the build, so
// it is compiled without optimisation. The limit is higher for functions with two copies.
static void bound_effort(Function &fn, bool two, Effort effort)
{
	if (fn.size() < (two ? 2500u : 800u))
		return;
	for (auto kind :
	    { Attribute::AlwaysInline, Attribute::OptimizeForSize, Attribute::MinSize })
		fn.removeFnAttr(kind);
	fn.addFnAttr(Attribute::NoInline);
	fn.addFnAttr(Attribute::OptimizeNone);
	if (effort != Effort::Quick && fn.size() > 2000)
		spill_all(fn);
}

// Is it llvm.compiler.used, or the list of undefined names that is kept by it?
static bool is_listing(const User *u)
{
	auto *g = dyn_cast<GlobalVariable>(u);
	if (g && g->getName().starts_with("llvm."))
		return true;
	return (g ? g->hasLocalLinkage() : isa<Constant>(u)) && all_of(u->users(), is_listing);
}

// A function of the runtime that the unit uses, except by its harness; "": none.
static std::string reserved_function(const Module &m)
{
	auto may_use = [](const User *u) {
		auto *i = dyn_cast<Instruction>(u);
		return i ? i->getFunction()->hasFnAttribute("duct.harness") : is_listing(u);
	};
	for (const Function &f : m) {
		StringRef name = GlobalValue::dropLLVMManglingEscape(f.getName());
		if (f.isDeclaration() && name.starts_with("duct_rt_")
		    && !all_of(f.users(), may_use))
			return name.str();
	}
	return "";
}

static void share_descriptors(const Unit &u, GlobalVariable *unit, GlobalVariable *pairs)
{
	define_shared(*unit, "unit", u.tag);
	if (pairs)
		define_shared(*pairs, "pairs", u.tag);
}

// Moves the descriptors and the flow into u.own.
static void tell_apart(
    Unit &u, const WeaveOptions &options, GlobalVariable *unit, GlobalVariable *pairs)
{
	u.own = module_beside(*u.module);
	GlobalVariable *own_unit = unit_descriptor(*u.own, u, options);
	share_descriptors(
	    u, own_unit, pairs ? pairs_descriptor(*u.own, own_unit, u, nullptr) : nullptr);
	embed_flow(*u.own, u.flow);
	undefine_shared(*unit, "unit", u.tag);
	if (pairs)
		undefine_shared(*pairs, "pairs", u.tag);
	drop_unreferenced(*u.module);
}

// Says in error why the unit cannot be woven.
static bool can_weave(const Module &m, const WeaveOptions &options, std::string &error)
{
	if (std::string name = options.model || options.own ? "" : reserved_function(m);
	    !name.empty())
		error = name + ": a function of duct's own, which programs must not use";
	else if (Triple(m.getTargetTriple()).getArch() != Triple::x86_64
	    || m.getDataLayout().getPointerSize() != 8)
		error = "no shadow for " + m.getTargetTriple();
	return error.empty();
}

// Plants the calls whose place in the source the optimiser would change or remove.
static void plant(Unit &u, const WeaveOptions &options, std::vector<PairSlot> &slots)
{
	Module &m = *u.module;
	bool unset = !options.model && !(u.checks >> CHECK_UNINIT & 1);
	if (unset)
		note_unset(m, u.part);
	if (!options.model)
		plant_compares(m);
	if (!options.debug && !options.flows)
		StripDebugInfo(m);
	rename_main(m, options.entry);
	if (!options.model)
		plant_environ(m, options.entry);
	mark_returns_twice(m);
	strip_memory_attributes(m);
	if (u.pairs)
		plant_pairs(m, slots);
	plant_markers(m, u.flow);
	if (unset)
		plant_unset(m);
	if (!options.model)
		keep_apart(m, u.pairs);
	if (options.abstract)
		plant_abstract(m);
	if (options.flows)
		plant_flows(m, u.key);
	if (!options.debug)
		StripDebugInfo(m);
}

static void prepare_and_optimise(Unit &u, const WeaveOptions &options)
{
	Module &m = *u.module;
	if (u.checks >> CHECK_LEAK & 1)
		keep_frames(m);
	// a harness may give values to what nothing else defines
	for (GlobalVariable &g : m.globals())
		if (g.isDeclaration())
			g.setConstant(false);
	if (!options.model && !options.abstract && !options.flows)
		plant_tables(m);
	// the optimiser may replace uninitialised variables by any value
	optimise(m, u.checks >> CHECK_UNINIT & 1 ? 0 : options.level);
	strip_memory_attributes(m);
	mark_resolvers(m);
	if (options.model)
		make_replaceable(m);
}

static void weave_functions(Module &m, Weaver &weaver, Effort effort)
{
	SmallVector<Function *, 32> list;
	for (Function &fn : m)
		if (is_woven(fn))
			list.push_back(&fn);
	for (Function *fn : list)
		bound_effort(*fn, weaver.weave(*fn), effort);
}

bool weave(Unit &u, const WeaveOptions &options, std::string &error)
{
	Module &m = *u.module;
	if (!can_weave(m, options, error))
		return false;
	std::vector<PairSlot> slots;
	plant(u, options, slots);
	prepare_and_optimise(u, options);
	if (u.pairs) {
		join_calls(m);
		group_pairs(m, u.branch, slots);
	}
	GlobalVariable *unit = unit_descriptor(m, u, options);
	if (u.part == Part::Own && !slots.empty())
		return false;
	GlobalVariable *pairs = !u.pairs
	    ? nullptr
	    : pairs_descriptor(m, unit, u, u.part == Part::Own ? nullptr : &slots);
	name_unit(m, unit);
	register_globals(m, options.abstract || options.flows || (u.checks >> CHECK_BOUNDS & 1));
	Weaver weaver(m, unit, pairs, u.outcomes, u.branch, options, u.checks);
	weave_functions(m, weaver, options.effort);
	if (weaver.merges || u.code.merges)
		u.flow.insert(u.flow.find('\n') + 1, "#meta merges told\n");
	if (u.part == Part::Code) {
		u.code = { u.key, u.code.layout, u.outcomes, (uint32_t)slots.size(),
			weaver.merges };
		tell_apart(u, options, unit, pairs);
		return true;
	}
	if (u.part == Part::Own)
		share_descriptors(u, unit, pairs);
	// library models have no objectives, so their flow is not needed
	if (!options.model)
		embed_flow(m, u.flow);
	hook_main(m, options.entry);
	return true;
}

} // namespace duct
