// front: Clang and LLVM behind a few functions. Only this module and the two Clang tools use them.
#ifndef DUCT_FRONT_H
#define DUCT_FRONT_H

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm
{
class LLVMContext;
class Module;
} // namespace llvm

namespace duct
{

// The parts of a unit that an object contains. A program that calls an entry by a harness is linked
// from Whole objects; or from a Code object for each unit, which all programs share, and an Own
// object for each unit, which holds the unit's descriptors and program model, and the
// harness.
enum class Part { Whole, Code, Own };

// Properties of a Code object that the Own objects linked with it must share.
struct SharedCode {
	uint64_t key = 0, layout = 0; // the unit's; how its code is numbered
	uint32_t outcomes = 0, slots = 0;
	bool merges = false;
};

// A condition, or a switch.
struct BranchInfo {
	uint32_t first = 0;           // first outcome index
	std::vector<uint64_t> values; // case values in record order
	std::vector<uint8_t> shared;  // of each case: does another one run the same code?
	uint8_t kind = 0, required = 0;
	bool is_switch = false;
};

struct Unit {
	std::unique_ptr<llvm::LLVMContext> context;
	std::unique_ptr<llvm::Module> module; // -O0 IR with debug info and our metadata
	std::string flow;                     // the unit's flow(5) stream
	uint64_t key = 0;                     // content key of flow
	std::vector<BranchInfo> branch;       // by id - 1; of all code, also of what Own leaves out
	uint32_t outcomes = 0, blocks = 0;
	uint32_t checks = 0; // as in LoadOptions
	bool pairs = false;
	uint32_t defs = 0, insts = 0; // numbers of records in the flow
	Part part = Part::Whole;
	std::string tag; // of names that the parts share, empty where Whole
	SharedCode code;
	bool fits = true; // part Own: it can do with the Code object
	// Part Code: what is Own of a program without a harness of this unit
	std::unique_ptr<llvm::Module> own;
	// The option whose text does not compile, as `--len`; "": the errors are in the source.
	std::string blamed;
};

struct LoadOptions {
	std::string file;               // main file, "-" is not allowed
	std::vector<std::string> flags; // clang's, without -c -o and the file
	// text appended to the file (a harness), with a file name of its own
	std::string appended;
	uint32_t checks = 0; // faults to check for, bits 1 << enum check_kind
	// attach metadata to track last definitions, see below
	bool pairs = false;
	// The unit is a whole program that starts here: functions and variables that it cannot
	// refer to get no code. The program model keeps them. Empty: everything gets code.
	std::string start;
	// The files that flags name are written, such as lists of dependencies (-MD).
	bool writes = true;
	Part part = Part::Whole;
	std::string tag;                  // see Unit
	const SharedCode *code = nullptr; // part Own: of the Code object
	// If given, it is asked for the text to append when the file has been parsed, `appended` is
	// ignored. It is called again for each attempt to compile the file.
	std::function<const std::string &()> ask;
};

// Parses and lowers one translation unit; diagnostics go to stderr as clang prints them.
// False when it does not compile.
//
// Metadata left in the module for the weaver:
//   !duct.branch !{i32 id, i1 negated, i32 kind, i32 required, i32 first}
//       on every conditional `br`, `switch` and -O0 `select` that is a condition of the
//       source; ids 1..branches; negated: the IR condition is the opposite of the
//       source's; kind: enum duct_branch_kind; required as struct duct_branch; first: its
//       first outcome, those of a switch in the order of the instruction's cases
//   !duct.block !{i32 id}       on every block's terminator; ids 1..blocks
//   !duct.shape !{!"i4"}        on calls to duct_symbolic: shape of what is pointed to (abi.h)
//   !duct.var !{i64 id}         on globals: the id of the variable in the flow
//   !duct.check !{i32 inst, i32 kinds}   on what may fail: its id in the flow, bits 1 << enum
//       check_kind
//   Where pairs are asked for:
//   !duct.inst !{i32 inst}      on calls, returns and writes to temporaries: its id in the flow
//   !duct.access !{!{i32 def, i32 id, i32 where, i32 number, i32 bit, i32 bits, i32 entry,
//       i64 size}, ...}
//       def and use records of an instruction: WHERE 0: the address that it reads or writes
//       itself; 1: its argument NUMBER; 2: argument NUMBER of the function
bool load(const LoadOptions &options, Unit &unit);

// From now on a process that gets no memory ends as lib/base/grow.h says. Call it first in main().
void end_without_memory();

// How much time code generation may take: the more it takes, the faster the code runs. On a file
// of 8,000 lines, Brisk takes half the time of Full, and Quick a sixth. Code made by Quick needs
// four to ten times the stack. Steady is for library models: it takes three fifths of the time of
// Full, and the code runs one percent slower.
enum class Effort { Quick, Brisk, Steady, Full };

struct WeaveOptions {
	int level = 1;
	bool check = false; // checking build
	bool own = false;   // the program may call functions of the runtime: for tests of duct
	// a library model: no objectives; weak and hidden symbols
	bool model = false;
	bool abstract = false; // support abstract calls (abi.h)
	// record which inputs influence one decision (abi.h)
	bool flows = false;
	bool debug = false; // keep debug information
	Effort effort = Effort::Full;
	std::string entry; // harness function that replaces main; "": none
};
// Weaves the unit: plants markers, optimises (level 0..3), adds the shadow; embeds the flow records
// and the unit's descriptor. False with `error` set. Part Own: false without an error where the
// harness cannot do with the Code object.
bool weave(Unit &unit, const WeaveOptions &options, std::string &error);

// Writes the object file of a module of a woven unit.
bool emit(llvm::Module &module, const std::string &path, Effort effort, std::string &error);

} // namespace duct

#endif
