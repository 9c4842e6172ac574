#include "lib/front/inlines.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>

using namespace clang;

namespace duct
{

// C11 6.7.4: it is no external definition, and another unit may have one.
bool is_inline_only(const FunctionDecl &f)
{
	const auto *always = f.getAttr<AlwaysInlineAttr>();
	return f.doesThisDeclarationHaveABody() && f.isInlined() && f.hasExternalFormalLinkage()
	    && !f.hasAttr<GNUInlineAttr>() && (!always || always->isImplicit())
	    && !f.isInlineDefinitionExternallyVisible();
}

namespace
{

class Inlines : public ASTConsumer
{
      public:
	explicit Inlines(std::set<std::string> &n) : names(n)
	{
	}
	// Later declarations may make the definition external.
	void HandleTranslationUnit(ASTContext &ast) override
	{
		if (ast.getLangOpts().CPlusPlus)
			return;
		for (Decl *d : ast.getTranslationUnitDecl()->decls())
			if (auto *f = dyn_cast<FunctionDecl>(d); f && is_inline_only(*f))
				generate(ast, *f);
	}

      private:
	// Without optimisation clang generates only those that must be inlined.
	void generate(ASTContext &ast, FunctionDecl &f)
	{
		const auto *label = f.getAttr<AsmLabelAttr>();
		names.insert(label ? label->getLabel().str() : f.getName().str());
		f.dropAttr<NoInlineAttr>();
		f.addAttr(AlwaysInlineAttr::CreateImplicit(
		    ast, SourceRange(), AlwaysInlineAttr::GNU_always_inline));
	}

	std::set<std::string> &names;
};

} // namespace

std::unique_ptr<ASTConsumer> make_inlines(std::set<std::string> &names)
{
	return std::make_unique<Inlines>(names);
}

void define_inlines(llvm::Module &m, const std::set<std::string> &names)
{
	for (const std::string &name : names) {
		llvm::Function *f = m.getFunction(name);
		if (!f || !f->hasAvailableExternallyLinkage())
			continue;
		f->setLinkage(llvm::GlobalValue::WeakAnyLinkage);
		f->removeFnAttr(llvm::Attribute::AlwaysInline);
	}
}

} // namespace duct
