// optimise: LLVM's pipeline, between marking and weaving.
#include "lib/front/weave.h"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/TargetParser/Triple.h>
#include <llvm/Transforms/IPO/GlobalDCE.h>
#include <llvm/Transforms/Scalar/Scalarizer.h>

namespace duct
{

using namespace llvm;

// Removes attributes that hold for the program's memory accesses but not for those of its shadow,
// or that allow calls to be removed.
void strip_memory_attributes(Module &m)
{
	static const Attribute::AttrKind in_function[] = { Attribute::Memory,
		Attribute::Speculatable };
	static const Attribute::AttrKind in_value[] = { Attribute::ReadNone, Attribute::ReadOnly,
		Attribute::WriteOnly, Attribute::Writable, Attribute::Initializes,
		Attribute::NoCapture };
	auto strip = [&](AttributeList a, unsigned args) {
		LLVMContext &c = m.getContext();
		for (auto k : in_function)
			a = a.removeFnAttribute(c, k);
		for (unsigned i = 0; i < args; i++)
			for (auto k : in_value)
				a = a.removeParamAttribute(c, i, k);
		return a;
	};
	for (Function &f : m) {
		if (!f.isIntrinsic() && !is_marker(f))
			f.setAttributes(strip(f.getAttributes(), f.arg_size()));
		for (BasicBlock &b : f)
			for (Instruction &i : b)
				if (auto *call = dyn_cast<CallBase>(&i);
				    call && !isa<IntrinsicInst>(i) && !is_marker_call(i))
					call->setAttributes(
					    strip(call->getAttributes(), call->arg_size()));
	}
}

static OptimizationLevel level_of(int level)
{
	return level <= 0 ? OptimizationLevel::O0
	    : level == 1  ? OptimizationLevel::O1
	    : level == 2  ? OptimizationLevel::O2
	                  : OptimizationLevel::O3;
}

namespace
{

// The analyses that a pass may ask for.
struct Analyses {
	// library: functions with a meaning of their own; null: LLVM's list.
	explicit Analyses(PassBuilder &builder, const TargetLibraryInfoImpl *library = nullptr)
	{
		if (library)
			function.registerPass([=] { return TargetLibraryAnalysis(*library); });
		builder.registerModuleAnalyses(module);
		builder.registerCGSCCAnalyses(component);
		builder.registerFunctionAnalyses(function);
		builder.registerLoopAnalyses(loop);
		builder.crossRegisterProxies(loop, function, component, module);
	}
	LoopAnalysisManager loop;
	FunctionAnalysisManager function;
	CGSCCAnalysisManager component;
	ModuleAnalysisManager module;
};

} // namespace

void optimise(Module &m, int level)
{
	PipelineTuningOptions tuning;
	tuning.LoopVectorization = tuning.SLPVectorization = false;
	tuning.LoopUnrolling = tuning.LoopInterleaving = false;
	tuning.MergeFunctions = false;
	PassBuilder builder(nullptr, tuning);
	TargetLibraryInfoImpl library{ Triple(m.getTargetTriple()) };
	library.disableAllFunctions();
	Analyses analyses(builder, &library);
	ModulePassManager passes = level <= 0
	    ? builder.buildO0DefaultPipeline(OptimizationLevel::O0)
	    : builder.buildPerModuleDefaultPipeline(level_of(level));
	// scalarise: only vectors passed in calls have a shadow
	ScalarizerPassOptions scalar;
	scalar.ScalarizeLoadStore = true;
	passes.addPass(createModuleToFunctionPassAdaptor(ScalarizerPass(scalar)));
	passes.run(m, analyses.module);
}

void drop_unreferenced(Module &m)
{
	PassBuilder builder;
	Analyses analyses(builder);
	GlobalDCEPass().run(m, analyses.module);
}

} // namespace duct
