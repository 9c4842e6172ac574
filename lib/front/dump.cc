#include "lib/front/dump.h"

#include "lib/front/inlines.h"
#include "lib/front/flow_writer.h"
#include "lib/front/place.h"
#include "lib/front/ways.h"
#include "lib/protocol/abi.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/DebugInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

using namespace clang;

namespace duct
{
namespace
{

std::string absolute(llvm::StringRef dir, llvm::StringRef name)
{
	llvm::SmallString<256> p(name);
	if (!llvm::sys::path::is_absolute(p)) {
		p = dir;
		llvm::sys::path::append(p, name);
	}
	llvm::sys::fs::make_absolute(p);
	llvm::sys::path::remove_dots(p, true);
	return p.str().str();
}

void collect(const Stmt *s, std::vector<const VarDecl *> &out)
{
	if (!s)
		return;
	if (const auto *d = dyn_cast<DeclStmt>(s))
		for (const Decl *x : d->decls())
			if (const auto *v = dyn_cast<VarDecl>(x))
				out.push_back(v);
	for (const Stmt *c : s->children())
		collect(c, out);
}

// Key to match debug information with declarations.
std::string local_key(llvm::StringRef name, unsigned line, unsigned col)
{
	return name.str() + ":" + std::to_string(line) + ":" + std::to_string(col);
}

} // namespace

uint32_t FlowWriter::file(const std::string &name)
{
	if (name.empty())
		return 0;
	auto at = files.find(name);
	if (at != files.end())
		return at->second;
	uint32_t id = files.size() + 1;
	files[name] = id;
	out.rec("file").num(id).str(name).end();
	return id;
}

uint32_t FlowWriter::file(const llvm::DIFile *f)
{
	if (!f)
		return 0;
	uint32_t &id = di_files[f];
	if (id)
		return id;
	if (f->getFilename() == harness_name)
		return id = file(std::string(harness_name));
	auto at = spelled.find(absolute(f->getDirectory(), f->getFilename()));
	uint32_t n = file(at != spelled.end() ? at->second : f->getFilename().str());
	return di_files[f] = n;
}

// Both write the three fields of a position. Callers must number files before they begin the
// record.
Out &FlowWriter::at(const Place &p)
{
	return out.num(p.line ? files[p.file] : 0).num(p.line).num(p.line ? p.col : 0);
}

Out &FlowWriter::at(Out &to, const llvm::DebugLoc &loc)
{
	if (!loc || !loc.getLine())
		return to.num(0).num(0).num(0);
	return to.num(di_files[loc->getFile()]).num(loc.getLine()).num(loc.getCol());
}

std::string FlowWriter::name_of(const llvm::GlobalValue *g)
{
	const auto *d = dyn_cast_or_null<NamedDecl>(generator.GetDeclForMangledName(g->getName()));
	return d && d->getIdentifier() ? d->getName().str() : g->getName().str();
}

void FlowWriter::variable(
    const llvm::Value *v, const VarDecl *d, uint32_t func, char kind, int defined)
{
	std::string name = d->getNameAsString();
	uint32_t type = types.id(d->getType(), name);
	Place p = file_place(ast, d->getLocation());
	file(p.file);
	var[v] = { ++vars, d };
	if (auto *g = llvm::dyn_cast<llvm::GlobalVariable>(v)) {
		llvm::GlobalVariable *own = m.getNamedGlobal(g->getName());
		own->setMetadata("duct.var",
		    llvm::MDNode::get(m.getContext(),
		        { llvm::ConstantAsMetadata::get(llvm::ConstantInt::get(
		            llvm::Type::getInt64Ty(m.getContext()), vars)) }));
		if (p.file == harness_name)
			own->addAttribute("duct.harness");
	}
	char k[2] = { kind, 0 };
	out.rec("var").num(vars).num(func).raw(k).num(type);
	at(p).num(defined).str(name).end();
}

// False for definitions that another may replace.
static bool has_value(const llvm::GlobalVariable &g)
{
	return !g.isDeclaration() && !g.isInterposable();
}

// How a global that nothing here defines is declared, for whoever has to define it.
void FlowWriter::qualified(const VarDecl *d)
{
	QualType element = ast.getBaseElementType(d->getType());
	std::string how = std::string(element.isConstQualified() ? "c" : "")
	    + (element.isVolatileQualified() ? "v" : "")
	    + (d->getTLSKind() != VarDecl::TLS_None ? "t" : "");
	if (!how.empty())
		out.rec("qualified").num(vars).raw(how.c_str()).end();
}

void FlowWriter::globals()
{
	std::vector<const llvm::GlobalVariable *> named;
	for (const llvm::GlobalVariable &g : m.globals()) {
		if (g.getName().starts_with("llvm."))
			continue;
		const auto *d =
		    dyn_cast_or_null<VarDecl>(generator.GetDeclForMangledName(g.getName()));
		if (d && !d->isStaticLocal()) {
			variable(&g, d, 0, 'g', !has_value(g) ? 0 : g.isConstant() ? 2 : 1);
			if (g.hasLocalLinkage())
				out.rec("static").num(vars).end();
			if (g.hasExternalWeakLinkage())
				out.rec("weak").num(vars).end();
			if (!has_value(g))
				qualified(d);
			named.push_back(&g);
		}
	}
	for (const llvm::GlobalVariable &g : m.globals())
		if (!var.count(&g) && g.hasPrivateLinkage())
			datum(&g);
	for (const llvm::GlobalVariable *g : named)
		if (has_value(*g))
			initial(g, "&" + std::to_string(var[g].id));
		else if (g->hasInitializer())
			exact("&" + std::to_string(var[g].id), *g->getInitializer());
	for (const llvm::GlobalAlias &a : m.aliases())
		if (!a.hasLocalLinkage())
			out.rec("alias")
			    .str(name_of(&a))
			    .str(operand(a.getAliasee()))
			    .raw(a.isInterposable() ? "w" : "-")
			    .end();
}

// Static locals are globals in the IR; debug information tells their functions.
void FlowWriter::static_locals(llvm::Function &f, const FunctionDecl *decl, uint32_t id)
{
	std::vector<const VarDecl *> all;
	collect(decl->getBody(), all);
	std::map<std::string, const VarDecl *> by_key;
	const SourceManager &sm = ast.getSourceManager();
	for (const VarDecl *v : all)
		if (v->isStaticLocal())
			by_key[local_key(
			    v->getName(), sm.getPresumedLoc(v->getLocation()).getLine(), 0)] = v;
	if (by_key.empty())
		return;
	std::string prefix = (f.getName() + ".").str();
	for (const llvm::GlobalVariable &g : m.globals()) {
		if (var.count(&g) || !g.getName().starts_with(prefix))
			continue;
		llvm::SmallVector<llvm::DIGlobalVariableExpression *, 1> infos;
		g.getDebugInfo(infos);
		for (auto *e : infos) {
			auto at = by_key.find(
			    local_key(e->getVariable()->getName(), e->getVariable()->getLine(), 0));
			if (at != by_key.end() && !var.count(&g)) {
				variable(&g, at->second, id, 's', g.isConstant() ? 2 : 1);
				initial(&g, "&" + std::to_string(vars));
			}
		}
	}
}

void FlowWriter::variables(llvm::Function &f, const FunctionDecl *decl, uint32_t id)
{
	std::vector<const VarDecl *> all(decl->param_begin(), decl->param_end());
	collect(decl->getBody(), all);
	const SourceManager &sm = ast.getSourceManager();
	std::map<std::string, std::vector<const llvm::Value *>> homes;
	auto declared = [&](const llvm::DILocalVariable *v, const llvm::DebugLoc &loc,
	                    const llvm::Value *home) {
		if (home)
			homes[local_key(
			          v->getName(), v->getLine(), v->isParameter() ? 0 : loc.getCol())]
			    .push_back(home);
	};
	for (llvm::Instruction &i : llvm::instructions(f)) {
		if (auto *d = llvm::dyn_cast<llvm::DbgDeclareInst>(&i))
			declared(d->getVariable(), d->getDebugLoc(), d->getAddress());
		for (llvm::DbgVariableRecord &r : llvm::filterDbgVars(i.getDbgRecordRange()))
			if (r.isDbgDeclare())
				declared(r.getVariable(), r.getDebugLoc(), r.getAddress());
	}
	for (const VarDecl *v : all) {
		bool param = isa<ParmVarDecl>(v);
		if (v->isStaticLocal() || v->hasExternalStorage())
			continue;
		PresumedLoc p = sm.getPresumedLoc(v->getLocation());
		auto at = homes.find(local_key(v->getName(), p.isValid() ? p.getLine() : 0,
		    param             ? 0
		        : p.isValid() ? p.getColumn()
		                      : 0));
		const llvm::Value *home = nullptr;
		if (at != homes.end() && !at->second.empty()) {
			home = at->second.front();
			at->second.erase(at->second.begin());
		}
		if (!home && !param)
			continue;
		variable(home ? home : (const llvm::Value *)v, v, id, param ? 'p' : 'l', 1);
		if (param && v->getType().isRestrictQualified())
			out.rec("qualified").num(vars).raw("r").end();
		if (const auto *a = dyn_cast_or_null<llvm::Argument>(home))
			out.rec("home").num(vars).num(a->getArgNo()).end();
	}
}

void FlowWriter::blocks(llvm::Function &f, uint32_t id)
{
	for (llvm::BasicBlock &b : f) {
		const llvm::Instruction *first = nullptr;
		for (llvm::Instruction &i : b)
			if (!first && i.getDebugLoc() && i.getDebugLoc().getLine()
			    && !llvm::isa<llvm::AllocaInst>(i))
				first = &i;
		// the compiler's own block, where computed gotos meet
		for (llvm::BasicBlock *from : predecessors(&b))
			if (!first && from->getTerminator()->getDebugLoc())
				first = from->getTerminator();
		if (first)
			file(first->getDebugLoc()->getFile());
		out.rec("block").num(numbers.block.at(&b)).num(id);
		at(first ? first->getDebugLoc() : llvm::DebugLoc()).end();
	}
}

void FlowWriter::cases(uint32_t id, const llvm::SwitchInst *s, const Condition &c)
{
	for (auto &k : s->cases()) {
		llvm::APInt v = k.getCaseValue()->getValue();
		const Case *label = nullptr;
		for (const Case &l : c.cases)
			if ((l.low <= v.getSExtValue() && v.getSExtValue() <= l.high)
			    || ((uint64_t)l.low <= v.getZExtValue()
			        && v.getZExtValue() <= (uint64_t)l.high))
				label = &l;
		Place p = label ? label->place : Place();
		file(p.file);
		out.rec("case").num(id).sint(v.getSExtValue());
		at(p).end();
	}
	std::vector<uint32_t> ways = ways_of(*s);
	for (size_t i = 0; i < ways.size(); i++)
		if (ways[i] != i)
			out.rec("way").num(id).num(i).num(ways[i]).end();
	if (!c.has_default)
		return;
	file(c.default_place.file);
	out.rec("default").num(id);
	at(c.default_place).end();
}

void FlowWriter::branches(llvm::Function &f, uint32_t id)
{
	static const char kinds[] = { 'b', 's', 'q', 'a' };
	for (llvm::Instruction &i : llvm::instructions(f)) {
		auto found = numbers.branch_of.find(&i);
		if (found == numbers.branch_of.end())
			continue;
		const Branch &b = numbers.branch[found->second - 1];
		const Condition &c = marks.condition[b.condition];
		const Case *range = b.range < 0 ? nullptr : &c.cases[b.range];
		const Place &place = range ? range->place : c.place;
		file(place.file);
		file(c.within.file);
		number(found->second);
		number(b.first);
		auto *s = llvm::dyn_cast<llvm::SwitchInst>(&i);
		char kind[2] = { kinds[b.kind], 0 };
		out.rec("branch")
		    .num(found->second)
		    .num(id)
		    .num(numbers.block.at(i.getParent()))
		    .raw(kind);
		at(place.line ? (out.num(b.first), place) : (out.num(b.first), Place()));
		out.num(s ? s->getCondition()->getType()->getIntegerBitWidth() : 0).num(c.required);
		out.str(range ? "case " + std::to_string(range->low) + " ... "
		               + std::to_string(range->high)
		              : c.text)
		    .end();
		if (c.within.line) {
			out.rec("within").num(found->second);
			at(c.within).end();
		}
		if (s)
			cases(found->second, s, c);
	}
}

// Writes the labels: blocks named ERROR, the error location of verification tasks (only blocks of
// labels have capitals in their names), and calls of duct_label().
void FlowWriter::labels(llvm::Function &f)
{
	llvm::StringRef name;
	for (llvm::BasicBlock &b : f) {
		if (b.getName() == "ERROR")
			out.rec("label").num(numbers.block.at(&b)).raw("e").str("ERROR").end();
		for (llvm::Instruction &i : b) {
			auto *call = llvm::dyn_cast<llvm::CallBase>(&i);
			auto *callee = call ? call->getCalledFunction() : nullptr;
			if (callee && callee->getName() == "duct_reached"
			    && llvm::getConstantStringInfo(call->getArgOperand(0), name))
				out.rec("label")
				    .num(numbers.block.at(&b))
				    .raw("l")
				    .str(name.str())
				    .end();
		}
	}
}

void FlowWriter::edges(llvm::Function &f)
{
	for (llvm::BasicBlock &b : f) {
		const llvm::Instruction *t = b.getTerminator();
		auto found = numbers.branch_of.find(t);
		uint32_t id = found == numbers.branch_of.end() ? 0 : found->second;
		uint32_t first = id ? numbers.branch[id - 1].first : 0;
		auto edge = [&](const llvm::BasicBlock *to, uint32_t outcome) {
			out.rec("edge").num(numbers.block.at(&b)).num(numbers.block.at(to)).num(id);
			out.num(id ? first + outcome : 0).end();
		};
		if (auto *s = llvm::dyn_cast<llvm::SwitchInst>(t)) {
			for (auto &k : s->cases())
				edge(k.getCaseSuccessor(), k.getCaseIndex());
			edge(s->getDefaultDest(), s->getNumCases());
			continue;
		}
		for (unsigned k = 0; k < t->getNumSuccessors(); k++)
			edge(t->getSuccessor(k), k);
	}
}

void FlowWriter::dropped(const std::string &func, uint32_t id)
{
	for (size_t i : dropped_of[func]) {
		const Condition &c = marks.condition[i];
		char kind[2] = { c.folded ? c.folded : 'c', 0 };
		std::vector<Place> places = { c.place };
		for (const Case &k : c.cases)
			places.push_back(k.place);
		if (c.has_default)
			places.push_back(c.default_place);
		for (const Place &p : places) {
			file(p.file);
			out.rec("dropped").num(id);
			at(p).raw(kind).str(c.text).end();
			kind[0] = 'c';
		}
	}
}

// Writes the places where compilers may differ.
void FlowWriter::limits(const std::string &func, uint32_t id)
{
	for (const Limit &l : marks.limits)
		if (l.func == func) {
			file(l.place.file);
			out.rec("limit").num(id).raw(l.kind);
			at(l.place).end();
		}
}

void FlowWriter::function(llvm::Function &f)
{
	const auto *d =
	    dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(f.getName()));
	if (d)
		d = d->getDefinition();
	if (!d)
		return;
	uint32_t type = types.id(d->getType(), "");
	Place p = file_place(ast, d->getLocation()), end = file_place(ast, d->getEndLoc());
	std::string flags;
	if (d->getStorageClass() == SC_Static)
		flags += 's';
	if (d->isVariadic())
		flags += 'v';
	if (ast.getSourceManager().isInSystemHeader(d->getLocation()))
		flags += 'y';
	if (f.hasAddressTaken(nullptr, false, true, true))
		flags += 't';
	const auto *label = p.file == harness_name ? d->getAttr<AsmLabelAttr>() : nullptr;
	if (p.file == harness_name)
		flags += label ? "ho" : "h";
	if (d->isNoReturn())
		flags += 'n';
	if (d->hasAttr<ConstructorAttr>())
		flags += 'c';
	if (d->hasAttr<DestructorAttr>())
		flags += 'd';
	if (f.isInterposable())
		flags += is_inline_only(*d) ? "wi" : "w";
	woven = !harness_only || p.file == harness_name;
	pairs = pairs_wanted && woven && p.file != harness_name;
	if (p.file == harness_name)
		f.addFnAttr("duct.harness");
	file(p.file);
	uint32_t id = ++funcs;
	numbered.clear();
	wanted = flags.find_first_of("yh") == std::string::npos ? checks_wanted : 0;
	out.rec("func").num(id).str(label ? label->getLabel() : d->getName()).num(type);
	at(p).num(end.line).num(end.col).raw(flags.empty() ? "-" : flags);
	out.num(numbers.block.at(&f.getEntryBlock())).num(f.size()).end();
	variables(f, d, id);
	static_locals(f, d, id);
	blocks(f, id);
	labels(f);
	branches(f, id);
	decisions(d->getNameAsString());
	instructions(f);
	edges(f);
	dropped(d->getNameAsString(), id);
	limits(d->getNameAsString(), id);
	if (p.file != harness_name)
		number(f, id);
}

// Does a header of the machine declare it? -I, too, may name the folder of one.
static bool is_of_library(const SourceManager &sm, const FunctionDecl *f)
{
	SourceLocation at = sm.getExpansionLoc(f->getFirstDecl()->getLocation());
	return sm.isInSystemHeader(at)
	    || absolute("", sm.getFilename(at)).compare(0, 5, "/usr/") == 0;
}

void FlowWriter::unit()
{
	const SourceManager &sm = ast.getSourceManager();
	for (auto it = sm.fileinfo_begin(); it != sm.fileinfo_end(); ++it)
		spelled.emplace(absolute("", it->first.getName()), it->first.getName().str());
	for (size_t i = 0; i < marks.condition.size(); i++)
		if (!numbers.used[i])
			dropped_of[marks.condition[i].func].push_back(i);
	find_decisions();
	globals();
	for (llvm::Function &f : m) {
		if (!f.isDeclaration() || f.use_empty() || f.isIntrinsic())
			continue;
		const auto *d =
		    dyn_cast_or_null<FunctionDecl>(generator.GetDeclForMangledName(f.getName()));
		uint32_t type = d ? types.id(d->getType(), "") : 0;
		std::string flags = f.isVarArg() ? "v" : "";
		if (f.hasAddressTaken())
			flags += 't';
		if (f.doesNotReturn())
			flags += 'n';
		if (f.hasExternalWeakLinkage() || (d && d->hasAttr<AsmLabelAttr>()))
			flags += 'w';
		if (d && is_of_library(sm, d))
			flags += 's';
		out.rec("extern").str(name_of(&f)).num(type).raw(flags.empty() ? "-" : flags).end();
	}
	for (const auto &[from, to] : marks.converted) {
		uint32_t type = types.id(from, ""), other = to.isNull() ? 0 : types.id(to, "");
		out.rec("converted").num(type).num(other).end();
	}
	for (const auto &[from, to] : marks.derived) {
		uint32_t type = types.id(from, ""), larger = types.id(to, "");
		out.rec("derived").num(type).num(larger).end();
	}
	for (const Device &d : marks.devices) {
		uint32_t type = types.id(d.type, "");
		out.rec("device").str(d.func).num(d.address).num(type).num(d.open).end();
	}
	for (llvm::Function &f : m)
		if (!f.isDeclaration())
			function(f);
	if (!m.getModuleInlineAsm().empty())
		out.rec("exact").raw("-").str(m.getModuleInlineAsm()).end();
	for (const llvm::GlobalAlias &a : m.aliases())
		if (a.hasLocalLinkage())
			exact("-", a);
	for (const llvm::GlobalIFunc &f : m.ifuncs())
		exact("-", f);
}

// Writes details that no other record contains.
void FlowWriter::exact(const std::string &object, const llvm::Value &v)
{
	std::string text;
	llvm::raw_string_ostream os(text);
	v.print(os);
	out.rec("exact").raw(object).str(os.str()).end();
}

void dump(const ASTContext &ast, CodeGenerator &generator, const Marks &marks,
    const Numbers &numbers, const std::string &file, uint32_t checks, const SharedCode *code,
    Unit &unit)
{
	FlowWriter writer(ast, generator, marks, numbers, *generator.GetModule());
	writer.checks_wanted = checks;
	if (checks >> CHECK_BOUNDARIES)
		writer.objectives = std::make_unique<Objectives>(ast, checks);
	writer.pairs_wanted = unit.pairs;
	writer.harness_only = code;
	writer.unit();
	unit.defs = writer.defs;
	unit.insts = writer.insts;
	unit.key = code ? code->key : llvm::xxh3_64bits(writer.out.text);
	unit.code.layout = llvm::xxh3_64bits(writer.numbering);
	char key[17];
	snprintf(key, sizeof key, "%016llx", (unsigned long long)unit.key);
	Out head;
	head.rec("unit")
	    .raw(key)
	    .str(file)
	    .num(unit.branch.size())
	    .num(unit.outcomes)
	    .num(unit.blocks)
	    .end();
	unit.flow = "#flow 1 cfg-dump-" DUCT_VERSION "\n" + head.text + writer.out.text
	    + writer.checks.text + "end\t"
	    + std::to_string(writer.out.count + writer.checks.count + 1) + "\n";
}

} // namespace duct
