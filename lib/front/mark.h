// mark: maps conditions of the source to IR branches. Before code generation, each condition is
// wrapped in the AST in a call of an undefined function with a number (`__duct_cond(7, c)`); the IR
// branch tests the call's result. Later the calls are replaced by their operands. Positions are
// those of clang's coverage mapping.
#ifndef DUCT_FRONT_MARK_H
#define DUCT_FRONT_MARK_H

#include <clang/AST/Type.h>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clang
{
class ASTConsumer;
class ASTContext;
class FunctionDecl;
class SourceLocation;
} // namespace clang

namespace duct
{

struct Place {
	std::string file;
	unsigned line = 0, col = 0;
};

struct Case {
	long long low = 0, high = 0; // sign-extended values of the label
	Place place;
};

// The condition of a mark; marks are numbered from 1 in source order.
struct Condition {
	enum Kind { Branch, Switch, Range } kind = Branch;
	std::string func;    // containing function
	Place place, within; // within: use of the outermost macro, or no file
	std::string text;
	bool assume = false;     // in the argument of an assumption
	unsigned required = 0;   // as in struct duct_branch
	char folded = 0;         // 't' 'f' constant; 'c' never evaluated
	std::vector<Case> cases; // Switch: labels in source order
	bool has_default = false;
	Place default_place;
	size_t decision = 0; // number of the `&&` and `||` that it is an operand of, 0 none
	// then: the mark that is evaluated when it is true, and when it is false; or the decision's
	// value
	size_t next[2] = { 0, 0 };
	static constexpr size_t is_true = SIZE_MAX, is_false = SIZE_MAX - 1;
};

// Where compilers may differ; see differ.h.
struct Limit {
	std::string func, kind;
	Place place;
};

// Memory at an address that the source states, as registers of a device.
struct Device {
	std::string func; // that states it; "-": a variable's initialiser
	uint64_t address = 0;
	clang::QualType type; // of what is there
	bool open = false;    // it may be the first element of an array
};

struct Marks {
	std::vector<Condition> condition; // index: mark - 1
	// index: number - 1; shapes of duct_symbolic's arguments
	std::vector<std::string> shape;
	std::vector<const clang::FunctionDecl *> functions; // with a body, in order
	std::vector<Limit> limits;
	// functions that pointers are converted from and to; null: to something else
	std::vector<std::pair<clang::QualType, clang::QualType>> converted;
	// structures, and the larger ones that pointers to them are cast to pointers to
	std::vector<std::pair<clang::QualType, clang::QualType>> derived;
	std::vector<Device> devices;
	bool force = true;                                // also emit unused functions
	std::vector<std::string> forced;                  // emitted only because of `force`
	std::set<const clang::FunctionDecl *> undeclared; // called without a declaration
	std::string missing; // declarations of those that are the C library's
};

// Wraps conditions as top-level declarations arrive; must run before the code generator.
std::unique_ptr<clang::ASTConsumer> make_marker(Marks &marks);

// Shape string (abi.h) of a type; "" if it has none.
std::string shape_of(const clang::ASTContext &ast, const void *opaque_type);

constexpr const char *mark_cond = "__duct_cond";
constexpr const char *mark_switch = "__duct_switch"; // followed by the width
constexpr const char *mark_shape = "__duct_shape";
constexpr const char *harness_name = "duct-harness";

} // namespace duct

#endif
