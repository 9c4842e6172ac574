// type: numbers C types and writes their records.
#ifndef DUCT_FRONT_TYPE_H
#define DUCT_FRONT_TYPE_H

#include "lib/front/out.h"

#include <clang/AST/ASTContext.h>
#include <llvm/ADT/DenseMap.h>

namespace duct
{

class Types
{
      public:
	Types(const clang::ASTContext &context, Out &o)
	    : ast(context), out(o), policy(context.getPrintingPolicy())
	{
		policy.AnonymousTagLocations = false;
	}
	// Number of t; writes records of it and of all types it refers to. expr: a C expression of
	// that type, for unnamed types; may be empty.
	uint32_t id(clang::QualType t, const std::string &expr);

      private:
	struct Pending {
		const clang::RecordDecl *record;
		uint32_t id;
		std::string expr;
	};

	uint32_t intern(clang::QualType t, const std::string &expr);
	std::string text(clang::QualType t, const std::string &expr);
	void members(const Pending &p);
	void enumerators(const clang::EnumDecl *e, uint32_t type);

	const clang::ASTContext &ast;
	Out &out;
	clang::PrintingPolicy policy;
	llvm::DenseMap<const void *, uint32_t> known;
	std::vector<Pending> pending;
	uint32_t last = 0;
};

} // namespace duct

#endif
