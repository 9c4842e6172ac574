// objectives: conditions at instructions that criteria ask for: on which side of its edge a
// comparison is, how often a loop's body runs, where a mutant computes something else. The program
// model lists them (`objective` records); the marker pass plants them as checks aside, which runs
// report and searches ask for as they do for faults.
#ifndef DUCT_FRONT_OBJECTIVES_H
#define DUCT_FRONT_OBJECTIVES_H

#include "lib/front/mark.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace clang
{
class ASTContext;
class BinaryOperator;
} // namespace clang

namespace duct
{

struct Objective {
	unsigned kind;  // enum objective_kind
	unsigned check; // of its criterion: CHECK_BOUNDARIES, ...
	std::string text;
	bool is_signed = false; // the operands are
	Place place = {};       // in the argument of a macro; without a line: the instruction's
};

class Objectives
{
      public:
	// wanted: bits 1 << CHECK_BOUNDARIES, ...
	Objectives(const clang::ASTContext &ast, uint32_t wanted);
	~Objectives();
	// Those of an instruction, in the order of their kinds. Instructions come in their order.
	std::vector<Objective> at(llvm::Instruction &i);
	// Attaches them to the instruction: !duct.objective !{i32 inst, i32 signed, i32 kind, ...}.
	static void note(
	    llvm::Instruction &i, uint32_t inst, const std::vector<Objective> &objectives);

      private:
	using Operators = std::vector<const clang::BinaryOperator *>;
	const clang::BinaryOperator *take(llvm::Instruction &i);

	const clang::ASTContext &ast;
	uint32_t wanted;
	std::map<std::pair<unsigned, unsigned>, Operators> operators[3]; // by role, line and column
};

// Notes the loops of `for`, `while` and `do` by the names that clang gives blocks: a node for each,
// !{i1 its body may be skipped}, as !duct.loop on the terminator of its header and as !duct.body on
// that of the first block of its body.
void note_loops(llvm::Module &m);
// Notes what may come before calls and uses of variables (sequences.cc), as !duct.after and
// !duct.path with the texts of objectives; adds these; plants their markers. wanted: as above.
// condition: the source's text of what a terminator decides, "" if it is not known.
using ConditionText = std::function<std::string(const llvm::Instruction &)>;
void note_sequences(llvm::Module &m, uint32_t wanted, const ConditionText &condition);
void add_sequences(std::vector<Objective> &list, llvm::Instruction &i);
void plant_sequences(llvm::Function &f,
    void (*plant)(
        llvm::IRBuilder<> &b, const llvm::MDNode *md, unsigned kind, llvm::Value *condition));
// Plants a marker for each; once blocks and conditions have theirs.
void plant_objectives(llvm::Module &m);

} // namespace duct

#endif
