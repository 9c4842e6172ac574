// mark: ties conditions of the source to branches of the IR. Before code generation every
// condition is wrapped in the AST into a call of an undefined function with a number
// (`__duct_cond(7, c)`), so that the call's result is what the IR branch tests; afterwards
// the calls are replaced by their operands. Positions are those of clang's coverage mapping.
#ifndef DUCT_FRONT_MARK_H
#define DUCT_FRONT_MARK_H

#include <memory>
#include <string>
#include <vector>

namespace clang { class ASTConsumer; class ASTContext; class FunctionDecl; class SourceLocation; }

namespace duct {

struct Place {
	std::string file;
	unsigned line = 0, col = 0;
};

struct Case {
	long long low = 0, high = 0;             // sign-extended values of the label
	Place place;
};

// What a mark stands for; marks are numbered from 1 in the order of the source.
struct Condition {
	enum Kind { Branch, Switch, Range } kind = Branch;
	std::string func;                        // function that it is in
	Place place, within;                     // within: use of the outermost macro, or no file
	std::string text;
	bool assume = false;                     // in the argument of an assumption
	unsigned required = 0;                   // as in struct duct_branch
	char folded = 0;                         // 't' 'f' constant; 'c' in a place never evaluated
	std::vector<Case> cases;                 // Switch: labels in order of the source
	bool has_default = false;
	Place default_place;
};

// What a compiler may do in another way: see differ.h.
struct Limit {
	std::string func, kind;
	Place place;
};

struct Marks {
	std::vector<Condition> condition;        // mark - 1
	std::vector<std::string> shape;          // of duct_symbolic's argument, by number - 1
	std::vector<const clang::FunctionDecl *> functions;   // with a body, in order
	std::vector<Limit> limits;
	bool force = true;                       // ask for functions that nothing uses
	std::vector<std::string> forced;         // emitted only because of that
};

// Wraps conditions as top-level declarations arrive; must come before the code generator.
std::unique_ptr<clang::ASTConsumer> make_marker(Marks &marks);

// Shape string (abi.h) of a type; "" when there is none.
std::string shape_of(const clang::ASTContext &ast, const void *opaque_type);

constexpr const char *mark_cond = "__duct_cond";
constexpr const char *mark_switch = "__duct_switch";   // followed by the width
constexpr const char *mark_shape = "__duct_shape";
constexpr const char *harness_name = "duct-harness";

} // namespace duct

#endif
