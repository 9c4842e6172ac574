#include "lib/front/split.h"

#include "lib/front/weave.h"

extern "C" {
#include "lib/clib/clib.h"
}

#include <llvm/Transforms/Utils/ModuleUtils.h>

namespace duct
{

using namespace llvm;

namespace
{

// Is it static, and can C text at the end of the file name it? Those in functions have a dot.
bool is_static(const GlobalValue &g)
{
	return g.hasInternalLinkage() && !g.getName().contains('.')
	    && (isa<Function>(g) || isa<GlobalVariable>(g));
}

void expose(GlobalValue &g, const std::string &name)
{
	g.setName(name);
	g.setLinkage(GlobalValue::ExternalLinkage);
	g.setVisibility(GlobalValue::HiddenVisibility);
	g.setDSOLocal(true);
}

void share(GlobalValue &g, const std::string &tag)
{
	expose(g, "duct.shared." + tag + "." + g.getName().str());
}

// A declaration in the place of the definition. One that is not static keeps its name.
void undefine(GlobalObject &g, const std::string &tag)
{
	bool was_static = g.hasLocalLinkage();
	if (auto *f = dyn_cast<Function>(&g))
		f->deleteBody();
	else
		cast<GlobalVariable>(g).setInitializer(nullptr);
	g.setComdat(nullptr);
	g.setLinkage(GlobalValue::ExternalLinkage);
	if (was_static)
		share(g, tag);
}

// The same for aliases and the like.
void undefine_all(iterator_range<Module::alias_iterator> all, Module &m)
{
	for (GlobalAlias &a : make_early_inc_range(all)) {
		GlobalValue *to;
		if (auto *type = dyn_cast<FunctionType>(a.getValueType()))
			to = Function::Create(type, GlobalValue::ExternalLinkage, "", &m);
		else
			to = new GlobalVariable(
			    m, a.getValueType(), false, GlobalValue::ExternalLinkage, nullptr, "");
		to->takeName(&a);
		a.replaceAllUsesWith(to);
		a.eraseFromParent();
	}
}

} // namespace

bool share_statics(Module &m, const std::string &tag, const std::string &assembly)
{
	SmallVector<GlobalValue *, 64> list;
	for (GlobalValue &g : m.global_values())
		if (is_static(g) && !g.isDeclaration())
			list.push_back(&g);
	for (const GlobalValue *g : list)
		if (StringRef(assembly).contains(g->getName()))
			return false;
	for (GlobalValue *g : list)
		share(*g, tag);
	return true;
}

bool leave_harness(Module &m, const std::string &tag, const std::string &assembly)
{
	if (!m.ifunc_empty()
	    || any_of(m.aliases(), [](const GlobalAlias &a) { return a.isThreadLocal(); }))
		return false;
	for (const char *list :
	    { "llvm.used", "llvm.compiler.used", "llvm.global_ctors", "llvm.global_dtors" })
		if (GlobalVariable *g = m.getNamedGlobal(list))
			g->eraseFromParent();
	undefine_all(m.aliases(), m);
	SmallVector<GlobalObject *, 64> theirs;
	for (Function &f : m)
		if (!f.isDeclaration() && !f.hasFnAttribute("duct.harness"))
			theirs.push_back(&f);
	for (GlobalVariable &g : m.globals())
		if (!g.isDeclaration() && g.getMetadata("duct.var")
		    && !g.hasAttribute("duct.harness"))
			theirs.push_back(&g);
	SmallVector<std::string, 64> names;
	for (GlobalObject *g : theirs) {
		undefine(*g, tag);
		names.push_back(g->getName().str());
	}
	m.setModuleInlineAsm(assembly);
	drop_unreferenced(m);
	return none_of(names,
	    [&](const std::string &n) { return m.getNamedValue(n) && clib_find(n.c_str()); });
}

GlobalVariable *declare_shared(
    Module &m, Type *type, const std::string &name, const std::string &tag)
{
	auto *g = new GlobalVariable(m, type, false, GlobalValue::ExternalLinkage, nullptr, "");
	define_shared(*g, name, tag);
	return g;
}

void define_shared(GlobalVariable &g, const std::string &name, const std::string &tag)
{
	expose(g, ".duct." + name + "." + tag);
}

void undefine_shared(GlobalVariable &g, const std::string &name, const std::string &tag)
{
	removeFromUsedLists(*g.getParent(), [&](Constant *c) { return c == &g; });
	g.setInitializer(nullptr);
	g.setSection("");
	define_shared(g, name, tag);
}

std::unique_ptr<Module> module_beside(const Module &m)
{
	auto made = std::make_unique<Module>(m.getModuleIdentifier(), m.getContext());
	made->setSourceFileName(m.getSourceFileName());
	made->setTargetTriple(m.getTargetTriple());
	made->setDataLayout(m.getDataLayout());
	if (m.getPICLevel() != PICLevel::NotPIC) {
		made->setPICLevel(m.getPICLevel());
		made->setPIELevel(m.getPIELevel());
	}
	return made;
}

} // namespace duct
