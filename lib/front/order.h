// order: finds operands with unspecified order of evaluation where the order matters.
#ifndef DUCT_FRONT_ORDER_H
#define DUCT_FRONT_ORDER_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>
#include <clang/AST/Expr.h>
#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SetVector.h>

#include <map>
#include <vector>

namespace duct
{

// The places that an expression may read and write. A place is a variable, a member of a structure
// type in any object, the target of pointers to a type, or a name for hidden library state.
struct Effects {
	using Set = llvm::SmallSetVector<const void *, 4>;
	Set reads, writes;
	Set calls;            // FunctionDecl, canonical
	bool unknown = false; // a call through a pointer
	void add(const Effects &e);
};

class Order
{
      public:
	explicit Order(clang::ASTContext &c) : ast(c)
	{
	}
	void function(const clang::FunctionDecl *f);
	// The conflicting operands; call when all functions of the unit are known.
	struct Conflict {
		const clang::FunctionDecl *function;
		clang::SourceLocation at;
		bool arguments; // of one call: compilers do differ
	};
	std::vector<Conflict> conflicts();

      private:
	struct Candidate {
		const clang::FunctionDecl *function;
		clang::SourceLocation at;
		bool arguments;
		Effects a, b;
	};

	Effects visit(const clang::Stmt *s);
	Effects expression(const clang::Expr *e);
	Effects pending(const clang::Expr *e);
	Effects element_of(const clang::Expr *at, const clang::Expr *array, const Effects &index,
	    bool reads, bool writes);
	Effects lvalue(const clang::Expr *e, bool reads, bool writes);
	Effects call(const clang::CallExpr *c);
	void library(const clang::FunctionDecl *f, const clang::CallExpr *c, Effects &e);
	void lent(const clang::FunctionDecl *f, const clang::CallExpr *c, Effects &e);
	bool touches_visible(const Effects &e);
	Effects assignment(const clang::BinaryOperator *b);
	Effects operands(const clang::Expr *at, llvm::ArrayRef<Effects> list);
	Effects initializers(const clang::InitListExpr *l);
	void test(const clang::Expr *at, const Effects &a, const Effects &b);
	const Effects &closed(const clang::FunctionDecl *f);
	bool meet(const Effects &small, const Effects &other);
	bool meet(const clang::FunctionDecl *f, const clang::FunctionDecl *g);
	bool conflict(const Effects &a, const Effects &b);

	clang::ASTContext &ast;
	const clang::FunctionDecl *current = nullptr;
	llvm::DenseMap<const void *, Effects> functions; // by canonical declaration
	llvm::DenseMap<const void *, Effects> closures;
	llvm::DenseMap<const void *, const clang::VarDecl *> variables;
	std::map<std::pair<const void *, const void *>, bool> met;
	std::vector<Candidate> candidates;
};

} // namespace duct

#endif
