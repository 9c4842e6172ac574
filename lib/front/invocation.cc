// invocation: how clang is called for a unit: the driver's interpretation of the flags, and texts
// that are compiled in place of those on the disk.
#include "lib/front/invocation.h"
#include "lib/front/mark.h"

extern "C" {
#include "lib/protocol/checks.h"
#include "lib/base/home.h"
}

#include <cstdlib>
#include <cstring>

#include <clang/Basic/DiagnosticOptions.h>
#include <clang/Driver/Compilation.h>
#include <clang/Driver/Driver.h>
#include <clang/Driver/Job.h>
#include <clang/Driver/Tool.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/PreprocessorOptions.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>
#include <llvm/Support/Program.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/TargetParser/Host.h>

using namespace clang;

namespace duct
{

std::string named_harness(const std::string &text)
{
	return std::string("#line 1 \"") + harness_name + "\"\n" + text + "\n";
}

namespace
{

// The driver finds headers relative to the clang executable.
std::string clang_program()
{
	if (llvm::sys::fs::exists("/usr/lib/llvm-19/bin/clang"))
		return "/usr/lib/llvm-19/bin/clang";
	for (const char *name : { "clang-19", "clang" })
		if (auto path = llvm::sys::findProgramByName(name)) {
			llvm::SmallString<256> real;
			if (!llvm::sys::fs::real_path(*path, real))
				return real.str().str();
		}
	return "/usr/lib/llvm-19/bin/clang";
}

// Drops flags that would change the program model; the caller's others are kept.
bool unwanted(const std::string &f)
{
	for (const char *p :
	    { "-O", "-flto", "-fsanitize", "-fprofile", "-fcoverage", "-ftrapv", "--coverage",
	        "-save-temps", "-D_FORTIFY_SOURCE", "-Wp,-D_FORTIFY_SOURCE", "-pipe" })
		if (f.compare(0, strlen(p), p) == 0)
			return true;
	return f == "-c" || f == "-S" || f == "-g" || f == "-pg";
}

// The folder of duct.h, searched last; empty if it does not exist.
std::string own_headers()
{
	char *path = home_path("share", "duct.h");
	std::string folder = path ? llvm::sys::path::parent_path(path).str() : "";
	free(path);
	return folder;
}

std::vector<std::string> driver_arguments(const LoadOptions &o)
{
	std::vector<std::string> v = { clang_program() };
	for (const std::string &f : o.flags)
		if (!unwanted(f))
			v.push_back(f);
	// without -fwrapv the IR shows which arithmetic is signed; checks.cc then makes it wrap
	if (!(o.checks >> CHECK_OVERFLOW & 1))
		v.push_back("-fwrapv");
	// Like gcc 12, it warns of what C99 and later took out of the language.
	for (const char *f : { "-O0", "-g", "-fno-strict-aliasing", "-fno-builtin",
	         "-fno-delete-null-pointer-checks", "-ffp-contract=off",
	         "-Wno-error=implicit-function-declaration", "-Wno-error=implicit-int",
	         "-Wno-error=int-conversion", "-Wno-error=return-mismatch",
	         "-Wno-error=incompatible-function-pointer-types", "-fno-finite-loops",
	         "-fno-stack-protector", "-fcolor-diagnostics" })
		v.push_back(f);
	if (!llvm::sys::Process::StandardErrHasColors())
		v.back() = "-fno-color-diagnostics";
	std::string headers = own_headers();
	if (!headers.empty()) {
		v.push_back("-idirafter");
		v.push_back(headers);
	}
	for (const char *f : { "-c", "-o", "/dev/null", "-x", "c" })
		v.push_back(f);
	v.push_back(o.file);
	return v;
}

using Diags = IntrusiveRefCntPtr<DiagnosticsEngine>;

Diags make_diagnostics()
{
	auto *options = new DiagnosticOptions;
	return new DiagnosticsEngine(
	    new DiagnosticIDs, options, new TextDiagnosticPrinter(llvm::errs(), options));
}

bool make_invocation(
    const std::vector<std::string> &text, DiagnosticsEngine &diags, CompilerInvocation &out)
{
	std::vector<const char *> argv;
	for (const std::string &t : text)
		argv.push_back(t.c_str());
	driver::Driver driver(text[0], llvm::sys::getDefaultTargetTriple(), diags, "duct");
	driver.setCheckInputsExist(true);
	std::unique_ptr<driver::Compilation> jobs(driver.BuildCompilation(argv));
	if (!jobs || diags.hasErrorOccurred())
		return false;
	for (const driver::Command &job : jobs->getJobs())
		if (StringRef(job.getCreator().getName()) == "clang")
			return CompilerInvocation::CreateFromArgs(
			    out, job.getArguments(), diags, text[0].c_str());
	return false;
}

// The driver's invocation for the flags. The last one is cached: a file with a harness is loaded
// twice.
std::shared_ptr<CompilerInvocation> of_driver(const LoadOptions &o)
{
	static std::vector<std::string> last;
	static CompilerInvocation made;
	std::vector<std::string> text = driver_arguments(o);
	if (text != last) {
		CompilerInvocation fresh;
		last.clear();
		if (!make_invocation(text, *make_diagnostics(), fresh))
			return nullptr;
		made = fresh;
		last = text;
	}
	return std::make_shared<CompilerInvocation>(made);
}

// May it have a label of that name? dump.cc tells its block by it.
bool mentions(const std::string &file, llvm::StringRef word)
{
	auto text = llvm::MemoryBuffer::getFile(file);
	return text && (*text)->getBuffer().contains(word);
}

} // namespace

bool needs_names(const LoadOptions &o)
{
	return o.checks >> CHECK_SHIFT & 1 || mentions(o.file, "ERROR");
}

namespace
{

void set_code_generation(CompilerInvocation &inv, const LoadOptions &o)
{
	CodeGenOptions &c = inv.getCodeGenOpts();
	c.DiscardValueNames = !needs_names(o) && !(o.checks >> CHECK_LOOPS & 1);
	c.OptimizationLevel = 0;
	c.DisableO0ImplyOptNone = true;
	c.setInlining(CodeGenOptions::NormalInlining);
	c.setProfileInstr(CodeGenOptions::ProfileClangInstr);
	c.CoverageMapping = false;
	c.setDebugInfo(llvm::codegenoptions::FullDebugInfo);
	c.DebugColumnInfo = true;
	c.DebugInfoForProfiling = false;
	c.ClearASTBeforeBackend = false;
	c.DisableFree = false;
	inv.getFrontendOpts().DisableFree = false;
	inv.getFrontendOpts().ProgramAction = frontend::EmitLLVMOnly;
}

// Turns off all output files that flags name: a report takes flags from a store, which others may
// have written.
void write_nothing(CompilerInvocation &inv)
{
	inv.getDependencyOutputOpts() = DependencyOutputOptions();
	inv.getDiagnosticOpts().DiagnosticSerializationFile.clear();
	inv.getDiagnosticOpts().DiagnosticLogFile.clear();
	inv.getFrontendOpts().StatsFile.clear();
	inv.getLangOpts().ImplicitModules = false;
	inv.getHeaderSearchOpts().ModuleCachePath.clear();
}

// Replaces the file's text by the text followed by the harness, which is not there again in a file
// that includes itself.
bool append(const LoadOptions &o, CompilerInvocation &inv)
{
	if (o.appended.empty() && !o.ask)
		return true;
	auto file = llvm::MemoryBuffer::getFile(o.file);
	if (!file)
		return false;
	std::string text = (*file)->getBuffer().str() + "\n\n#if !__INCLUDE_LEVEL__\n";
	text += o.ask ? "#pragma " + std::string(ask_pragma) + "\n" : named_harness(o.appended);
	text += "#endif\n";
	inv.getPreprocessorOpts().addRemappedFile(
	    o.file, llvm::MemoryBuffer::getMemBufferCopy(text, o.file).release());
	return true;
}

// Includes declarations before the file's text.
void declare(const std::string &text, CompilerInvocation &inv)
{
	// absolute, so that no header search is needed
	const char *name = "/duct-declarations.h";
	if (text.empty())
		return;
	inv.getPreprocessorOpts().addRemappedFile(
	    name, llvm::MemoryBuffer::getMemBufferCopy(text, name).release());
	inv.getPreprocessorOpts().Includes.push_back(name);
}

} // namespace

std::shared_ptr<CompilerInvocation> invocation_of(
    const LoadOptions &o, const std::string &declarations, std::string &messages)
{
	std::shared_ptr<CompilerInvocation> inv = of_driver(o);
	if (!inv)
		return nullptr;
	set_code_generation(*inv, o);
	if (!o.writes)
		write_nothing(*inv);
	if (!append(o, *inv)) {
		messages = o.file + ": cannot be read\n";
		return nullptr;
	}
	declare(declarations, *inv);
	return inv;
}

} // namespace duct
