// emit: writes an object file with LLVM's code generator.
#include "lib/front/mark_order.h"
#include "lib/front/weave.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/CodeGen/Passes.h>
#include <llvm/CodeGen/RegAllocRegistry.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>

namespace duct
{

using namespace llvm;

// Passes, and searches of the coalescer, that gain nothing on woven code, where calls and tests
// stand between most instructions, and take a third of the time of code generation. Where variables
// are is found by LLVM's older analysis, whose answers for woven code are as good: that takes a
// fifth of the time of a compilation with -g less.
static void leave_out_passes()
{
	static const char *const options[] = { "instrument", "-enable-misched=0",
		"-disable-machine-cse", "-disable-machine-sink", "-disable-lsr",
		"-disable-constant-hoisting", "-disable-mergeicmps",
		"-disable-partial-libcall-inlining", "-disable-ssc", "-disable-cgp",
		"-disable-copyprop", "-disable-early-taildup", "-disable-tail-duplicate",
		"-disable-early-ifcvt", "-disable-machine-licm", "-disable-postra-machine-licm",
		"-disable-peephole", "-fixup-byte-word-insts=0", "-join-globalcopies=0",
		"-late-remat-update-threshold=10", "-experimental-debug-variable-locations=false" };
	static bool done;
	if (!done)
		cl::ParseCommandLineOptions((int)std::size(options), options);
	done = true;
}

static TargetMachine *machine(const Module &m, Effort effort, std::string &error)
{
	InitializeNativeTarget();
	InitializeNativeTargetAsmPrinter();
	InitializeNativeTargetAsmParser();
	const Target *target = TargetRegistry::lookupTarget(m.getTargetTriple(), error);
	if (!target)
		return nullptr;
	TargetOptions options;
	options.UniqueSectionNames = true;
	bool fixed = m.getPICLevel() == PICLevel::NotPIC;
	TargetMachine *made = target->createTargetMachine(m.getTargetTriple(), "x86-64", "",
	    options, fixed ? Reloc::Static : Reloc::PIC_, m.getCodeModel(),
	    effort == Effort::Quick ? CodeGenOptLevel::None : CodeGenOptLevel::Less);
	if (made && effort == Effort::Brisk)
		leave_out_passes();
	if (made && (effort == Effort::Brisk || effort == Effort::Steady)) {
		RegisterRegAlloc::setDefault(createBasicRegisterAllocator);
		made->setFastISel(true);
		made->setO0WantsFastISel(true);
	}
	return made;
}

// Gives functions made by duct the target attributes of clang's.
static void share_target(Module &m)
{
	auto made = [](const Function &f) {
		return !f.isDeclaration() && f.hasFnAttribute("target-cpu");
	};
	auto like = llvm::find_if(m, made);
	for (Function &f : m)
		for (const char *name :
		    { "target-cpu", "tune-cpu", "target-features", "min-legal-vector-width" })
			if (like != m.end() && !f.isDeclaration() && !f.hasFnAttribute(name)
			    && like->hasFnAttribute(name))
				f.addFnAttr(like->getFnAttribute(name));
}

bool emit(Module &m, const std::string &path, Effort effort, std::string &error)
{
	raw_string_ostream text(error);
	if (verifyModule(m, &text))
		return false;
	std::unique_ptr<TargetMachine> tm(machine(m, effort, error));
	if (!tm)
		return false;
	share_target(m);
	std::error_code ec;
	raw_fd_ostream out(path, ec, sys::fs::OF_None);
	if (ec) {
		error = path + ": " + ec.message();
		return false;
	}
	SmallVector<char, 0> object;
	raw_svector_ostream to(object);
	legacy::PassManager passes;
	if (tm->addPassesToEmitFile(passes, to, nullptr, CodeGenFileType::ObjectFile)) {
		error = "no object files for " + m.getTargetTriple();
		return false;
	}
	passes.run(m);
	order_marks(object);
	out.write(object.data(), object.size());
	out.close();
	if (out.has_error()) {
		error = path + ": " + out.error().message();
		out.clear_error();
		return false;
	}
	return true;
}

} // namespace duct
