// load: compiles a translation unit in memory with the front end and the code generator.
#include "lib/front/objectives.h"
#include "lib/front/front.h"

#include "lib/front/converted.h"
#include "lib/front/differ.h"
#include "lib/front/dump.h"
#include "lib/front/inlines.h"
#include "lib/front/invocation.h"
#include "lib/front/lower.h"
#include "lib/front/mark.h"
#include "lib/front/once.h"
#include "lib/front/place.h"
#include "lib/front/split.h"
#include "lib/front/undeclared.h"
#include "lib/front/weave.h"

extern "C" {
#include "lib/protocol/checks.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <sys/resource.h>

#include <clang/AST/ASTConsumer.h>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <clang/Basic/DiagnosticOptions.h>
#include <clang/CodeGen/ModuleBuilder.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/MultiplexConsumer.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/VirtualFileSystem.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

using namespace clang;

namespace duct
{
namespace
{

// Removes names that only note_loops needs, so that they do not appear in texts of instructions.
void drop_names(llvm::Module &m)
{
	for (llvm::Function &f : m) {
		for (llvm::Argument &a : f.args())
			a.setName("");
		for (llvm::BasicBlock &b : f) {
			b.setName("");
			for (llvm::Instruction &i : b)
				i.setName("");
		}
	}
}

// Code whose lines claim to be the harness would be left out of the program model.
class Impostors : public PPCallbacks
{
      public:
	Impostors(CompilerInstance &c, const LoadOptions &o) : ci(c)
	{
		uint64_t size;
		if ((!o.appended.empty() || o.ask) && !llvm::sys::fs::file_size(o.file, size))
			harness = size;
	}

	// Is the place in the harness, in the main file or one of its own?
	bool is_harness(SourceLocation at) const
	{
		const SourceManager &sm = ci.getSourceManager();
		FileID file = sm.getFileID(at);
		return file == asked
		    || (file == sm.getMainFileID() && sm.getFileOffset(at) >= harness);
	}

	// Makes the preprocessor read this text next.
	void enter(SourceLocation at, const std::string &text)
	{
		asked = ci.getSourceManager().createFileID(
		    llvm::MemoryBuffer::getMemBufferCopy(named_harness(text), harness_name),
		    SrcMgr::C_User, 0, 0, at);
		ci.getPreprocessor().EnterSourceFile(asked, nullptr, at);
	}

	void FileChanged(
	    SourceLocation at, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override
	{
		const SourceManager &sm = ci.getSourceManager();
		if (sm.getPresumedLoc(at).getFilename() != StringRef(harness_name))
			return;
		if (is_harness(at))
			return;
		DiagnosticsEngine &d = ci.getDiagnostics();
		d.Report(d.getCustomDiagID(DiagnosticsEngine::Error,
		    "%0:%1: a file or #line is named 'duct-harness', as code of duct's own"))
		    << sm.getFilename(sm.getFileLoc(at)) << sm.getSpellingLineNumber(at);
	}

      private:
	CompilerInstance &ci;
	uint64_t harness = UINT64_MAX; // where it begins in the main file
	FileID asked;                  // where it was asked for
};

// Where the pragma is, makes the preprocessor read the text that LoadOptions::ask gives, once.
class Ask : public PragmaHandler
{
      public:
	Ask(Impostors &i, const LoadOptions &o, std::function<bool()> in_vain)
	    : PragmaHandler(ask_pragma), impostors(i), options(o), is_in_vain(std::move(in_vain))
	{
	}

	void HandlePragma(Preprocessor &pp, PragmaIntroducer by, Token &token) override
	{
		if (done || !impostors.is_harness(by.Loc) || is_in_vain())
			return;
		done = true;
		while (token.isNot(tok::eod))
			pp.LexUnexpandedToken(token);
		impostors.enter(by.Loc, options.ask());
	}

      private:
	Impostors &impostors;
	const LoadOptions &options;
	std::function<bool()> is_in_vain; // true: the file will be compiled again anyway
	bool done = false;
};

class Action : public ASTFrontendAction
{
      public:
	Action(Unit &u, const LoadOptions &o, Marks &m, bool declares)
	    : unit(u), options(o), file(o.file), start(o.start), checks(o.checks), marks(m),
	      keeps_names(needs_names(o)), declared(declares)
	{
	}

	std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &ci, StringRef) override
	{
		generator = CreateLLVMCodeGen(ci.getDiagnostics(), file, &ci.getVirtualFileSystem(),
		    ci.getHeaderSearchOpts(), ci.getPreprocessorOpts(), ci.getCodeGenOpts(),
		    *unit.context);
		std::vector<std::unique_ptr<ASTConsumer>> all;
		all.push_back(make_differ(ci.getPreprocessor(), marks));
		all.push_back(make_converted(marks));
		all.push_back(make_marker(marks));
		all.push_back(make_inlines(inlines));
		auto impostors = std::make_unique<Impostors>(ci, options);
		if (options.ask)
			ci.getPreprocessor().AddPragmaHandler(new Ask(*impostors, options, [this] {
				return !declared && !declarations_of(marks.undeclared).empty();
			}));
		ci.getPreprocessor().addPPCallbacks(std::move(impostors));
		all.emplace_back(generator);
		return std::make_unique<MultiplexConsumer>(std::move(all));
	}
	void EndSourceFileAction() override;

      private:
	void drop_unused();

	Unit &unit;
	const LoadOptions &options;
	std::string file, start;
	uint32_t checks;
	Marks &marks;
	bool keeps_names, declared; // are functions that the file does not declare?
	CodeGenerator *generator = nullptr;
	std::set<std::string> inlines; // names of functions
};

// All assembly of the unit, which may name functions and variables.
std::string assembly_of(const llvm::Module &m)
{
	std::string text = m.getModuleInlineAsm();
	for (const llvm::Function &f : m)
		for (const llvm::Instruction &i : llvm::instructions(f)) {
			auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
			if (call && call->isInlineAsm())
				text += llvm::cast<llvm::InlineAsm>(call->getCalledOperand())
				            ->getAsmString();
		}
	return text;
}

// Does something outside of the unit, or its assembly, refer to it, in a program that begins at
// `start`? Libraries call what has the name of one of their own functions, such as malloc.
bool is_outside(const llvm::GlobalValue &g, const std::string &start, const std::string &assembly)
{
	std::string name = g.getName().str();
	return name == start || g.getName().starts_with("duct_") || g.getName().starts_with("llvm.")
	    || dlsym(RTLD_DEFAULT, name.c_str()) || assembly.find(name) != std::string::npos;
}

// Does the program look up functions and variables by their names?
bool looks_up_names(const llvm::Module &m)
{
	return m.getFunction("dlsym") || m.getFunction("dlvsym");
}

// Null once the value is removed, whatever replaced its last uses.
using Linkages = std::vector<std::pair<llvm::WeakVH, llvm::GlobalValue::LinkageTypes>>;

// Makes internal what nothing outside of the unit refers to; returns how it was before.
Linkages internalize(llvm::Module &m, const std::string &start)
{
	Linkages before;
	std::string assembly = assembly_of(m);
	for (llvm::GlobalValue &g : m.global_values()) {
		if (g.isDeclaration() || g.hasLocalLinkage() || g.hasComdat()
		    || is_outside(g, start, assembly))
			continue;
		before.emplace_back(&g, g.getLinkage());
		g.setLinkage(llvm::GlobalValue::InternalLinkage);
	}
	return before;
}

// Refers to everything that the unit uses and does not define, so that the linker still tells what
// nothing defines: tests are built from the whole file.
void keep_undefined(llvm::Module &m)
{
	std::vector<llvm::Constant *> names;
	for (llvm::GlobalValue &g : m.global_values())
		if (g.isDeclaration() && !g.use_empty() && !g.isThreadLocal()
		    && !g.getName().starts_with("llvm."))
			names.push_back(&g);
	auto *type =
	    llvm::ArrayType::get(llvm::PointerType::getUnqual(m.getContext()), names.size());
	llvm::appendToCompilerUsed(m,
	    { new llvm::GlobalVariable(m, type, true, llvm::GlobalValue::InternalLinkage,
	        llvm::ConstantArray::get(type, names), "duct_undefined") });
}

// Moves the harness's definitions to the end of the module, so that they are numbered after the
// unit's own, also those that the unit declares, and inline functions that inline functions call.
void harness_last(const ASTContext &ast, CodeGenerator &generator, llvm::Module &m)
{
	llvm::SmallVector<llvm::Function *, 8> list;
	for (llvm::Function &f : m) {
		const auto *d =
		    dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(f.getName()));
		const FunctionDecl *body = d ? d->getDefinition() : nullptr;
		if (!f.isDeclaration() && body
		    && file_place(ast, body->getLocation()).file == harness_name)
			list.push_back(&f);
	}
	for (llvm::Function *f : list) {
		f->removeFromParent();
		m.getFunctionList().push_back(f);
	}
}

// The assembly outside of functions that belongs to the harness.
std::string harness_assembly(const ASTContext &ast)
{
	std::string text;
	for (const Decl *d : ast.getTranslationUnitDecl()->decls())
		if (auto *a = dyn_cast<FileScopeAsmDecl>(d);
		    a && file_place(ast, a->getLocation()).file == harness_name)
			text += a->getAsmString()->getString().str() + "\n";
	return text;
}

// Removes functions that were only emitted because we forced them, and those that the program has
// no use for, unless something refers to them.
void Action::drop_unused()
{
	llvm::StringSet<> forced;
	for (const std::string &f : marks.forced)
		forced.insert(f);
	llvm::removeFromUsedLists(*unit.module,
	    [&](llvm::Constant *c) { return forced.contains(c->stripPointerCasts()->getName()); });
	if (options.part == Part::Code
	    && !share_statics(*unit.module, unit.tag, assembly_of(*unit.module)))
		unit.code.layout = 0; // no harness goes with it
	Linkages before;
	if (!start.empty() && !looks_up_names(*unit.module)) {
		keep_undefined(*unit.module);
		before = internalize(*unit.module, start);
	}
	drop_unreferenced(*unit.module);
	for (auto &[value, linkage] : before)
		if (value)
			llvm::cast<llvm::GlobalValue>(value)->setLinkage(linkage);
}

void Action::EndSourceFileAction()
{
	CompilerInstance &ci = getCompilerInstance();
	marks.missing = declarations_of(marks.undeclared);
	if (ci.getDiagnostics().hasErrorOccurred() || !generator)
		return;
	if (!generator->GetModule())
		return;
	llvm::Module *module = generator->GetModule();
	define_inlines(*module, inlines);
	harness_last(ci.getASTContext(), *generator, *module);
	Numbers numbers = lower_marks(*module, marks);
	unit.outcomes = options.code
	    ? options.code->outcomes
	    : numbers.outcomes + (options.part == Part::Code ? spare_outcomes : 0);
	unit.blocks = numbers.blocks;
	unit.checks = checks;
	if (checks >> CHECK_LOOPS & 1) {
		note_loops(*module);
		if (!keeps_names)
			drop_names(*module);
	}
	note_sequences(*module, checks, [&](const llvm::Instruction &i) {
		auto known = numbers.branch_of.find(&i);
		return known == numbers.branch_of.end()
		    ? ""
		    : marks.condition[numbers.branch[known->second - 1].condition].text;
	});
	unit.branch = list_branches(*module, numbers.branch.size());
	dump(ci.getASTContext(), *generator, marks, numbers, file, checks, options.code, unit);
	unit.module.reset(generator->ReleaseModule());
	if (options.code) {
		unit.fits = unit.code.layout == options.code->layout
		    && numbers.outcomes <= options.code->outcomes
		    && leave_harness(*unit.module, unit.tag, harness_assembly(ci.getASTContext()));
		unit.code = *options.code;
	}
	drop_unused();
}

// Clang, LLVM and we descend into expressions and statements by recursion. The stack grows while it
// may; 128 MiB are free below it.
void deepen_stack()
{
	const rlim_t deep = rlim_t(112) << 20;
	struct rlimit l;
	if (getrlimit(RLIMIT_STACK, &l) || l.rlim_cur >= deep)
		return;
	l.rlim_cur = l.rlim_max < deep ? l.rlim_max : deep;
	setrlimit(RLIMIT_STACK, &l);
}
} // namespace

// Prints messages, and notes functions that are defined as void behind a call that declares them:
// clang, unlike gcc, refuses them. A declaration before the file's text makes it accept them.
class Printer : public TextDiagnosticPrinter
{
	std::vector<std::string> *late;
	std::string name;

      public:
	Printer(
	    llvm::raw_ostream &stream, DiagnosticOptions *options, std::vector<std::string> *late)
	    : TextDiagnosticPrinter(stream, options), late(late)
	{
	}
	void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info) override
	{
		TextDiagnosticPrinter::HandleDiagnostic(level, info);
		if (info.getID() == diag::err_conflicting_types && info.getNumArgs() > 0
		    && info.getArgKind(0) == DiagnosticsEngine::ak_declarationname)
			name =
			    DeclarationName::getFromOpaqueInteger(info.getRawArg(0)).getAsString();
		else if (info.getID() == diag::note_previous_implicit_declaration && !name.empty())
			late->push_back(name);
		if (level != DiagnosticsEngine::Note && info.getID() != diag::err_conflicting_types)
			name.clear();
	}
};

// Compiles the unit. False on errors; messages: the compiler's; late: declarations of functions
// that are void, but declared by their calls.
static bool compile(const LoadOptions &options, bool force, const std::string &declarations,
    Unit &unit, Marks &marks, std::string &messages, std::vector<std::string> &late)
{
	auto invocation = invocation_of(options, declarations, messages);
	if (!invocation)
		return false;
	unit.context = std::make_unique<llvm::LLVMContext>();
	llvm::raw_string_ostream stream(messages);
	stream.enable_colors(llvm::errs().has_colors());
	CompilerInstance ci;
	ci.setInvocation(invocation);
	ci.setVerboseOutputStream(stream);
	ci.createDiagnostics(new Printer(stream, &ci.getDiagnosticOpts(), &late));
	marks.force = force;
	unit.pairs = options.pairs;
	unit.part = options.part;
	unit.tag = options.tag;
	Action action(unit, options, marks, !declarations.empty());
	return ci.ExecuteAction(action) && unit.module;
}

// Rejects files that are no text: clang would try to parse them, and takes minutes to print errors
// about a line of megabytes.
static bool is_text(const std::string &file)
{
	char start[1024];
	FILE *f = fopen(file.c_str(), "rb");
	size_t n = f ? fread(start, 1, sizeof start, f) : 0;
	if (f)
		fclose(f);
	if (!memchr(start, 0, n))
		return true;
	llvm::errs() << file << ":1: not C source: there are NUL bytes\n";
	return false;
}

// The option in whose text the first error is: the harness gives such text `#line 1 "--OPTION"`.
static std::string option_of(const std::string &messages)
{
	size_t start = messages.rfind('\n', messages.find(" error: "));
	start = start == std::string::npos ? 0 : start + 1;
	return messages.compare(start, 2, "--")
	    ? ""
	    : messages.substr(start, messages.find(':', start) - start);
}

bool load(const LoadOptions &options, Unit &unit)
{
	deepen_stack();
	if (!is_text(options.file))
		return false;
	Marks marks, fewer;
	std::string messages, declarations;
	std::vector<std::string> late, none;
	bool good = compile(options, true, "", unit, marks, messages, late);
	declarations = marks.missing;
	for (const std::string &name : late)
		declarations += "void " + name + "();\n";
	if (!declarations.empty()) {
		std::string before = messages;
		unit.module.reset(); // before its context
		unit = Unit();
		marks = Marks();
		messages.clear();
		good = compile(options, true, declarations, unit, marks, messages, none);
		if (!late.empty())
			messages = good ? options.file
			        + ": called before they are defined as void, which gcc accepts: "
			        + llvm::join(late, ", ") + "\n" + messages
			                : before;
	}
	// clang may fail on an unused static function: try again without forcing such functions
	if (!good && !marks.forced.empty()) {
		messages.clear();
		good = compile(options, false, declarations, unit, fewer, messages, none);
	}
	if (!good || !is_copy()) // the parent prints the same warnings
		llvm::errs() << messages;
	unit.blamed = good ? "" : option_of(messages);
	return good;
}

} // namespace duct
