// build: from C files to objects and programs; private to lib/front and tools/instrument.
#ifndef DUCT_FRONT_BUILD_H
#define DUCT_FRONT_BUILD_H

#include "lib/front/front.h"

struct flow;

namespace duct
{

using Strings = std::vector<std::string>;

// Exit statuses, as for all programs of the toolkit.
enum { exit_done = 0, exit_usage = 2, exit_input = 3, exit_system = 4 };

// Options of a compiler command line that matter here.
struct CompileOptions {
	Strings flags; // clang's
	WeaveOptions weave;
	uint32_t checks = 0;  // faults to check for, see LoadOptions
	bool pairs = false;   // track last definitions
	std::string appended; // harness text
	std::string names;    // a message about the names that expressions in it can use
	std::string start;    // see LoadOptions
	Strings told;         // #meta lines of the model, "KEY VALUE"
	// See LoadOptions: it may change all of these but what a file is parsed with
	std::function<const std::string &()> ask;
};

// Compiles a file to a woven object. Returns an exit status; prints messages.
int compile(const std::string &file, const std::string &object, const CompileOptions &o);

// The part of a unit to be made; Own: beside this code.
struct SharedUnit {
	Part part = Part::Whole;
	std::string tag;
	SharedCode code;
};
// A unit in place of the last one of this. It stays when the process ends: taking a module apart
// takes a twentieth of the time that making it takes.
Unit &new_unit();
// Both steps of it, for one part. Own: unit.fits tells whether there is something to write.
int make_unit(
    const std::string &file, const CompileOptions &o, const SharedUnit &shared, Unit &unit);
int write_object(
    const std::string &file, llvm::Module &m, const std::string &object, const CompileOptions &o);

// Where the object of a file without a harness is kept in `folder` for the next call with the same
// options; and the same as compile, unless that was done before.
std::string kept_object(
    const std::string &folder, const std::string &file, const CompileOptions &o);
int compile_kept(const std::string &path, const std::string &file, const CompileOptions &o);
// The same in two objects: the code in PATH, and in own_object(PATH) what is a program's own, for
// programs whose harness is not in this unit.
std::string own_object(const std::string &path);
int compile_code(const std::string &path, const std::string &file, const CompileOptions &o);
// The unit with a harness, as objects for a program: that of compile_code in `path` and one of its
// own, in `object`; or, where the code would not be the same, the latter alone.
int compile_beside(const std::string &path, const std::string &file, const std::string &object,
    const CompileOptions &o, Strings &objects);
// The second of these alone, where `o` asks for the harness: `refused`, without a message, where
// there would have to be another one.
enum { refused = -1 };
int compile_own(
    const std::string &path, const std::string &file, const CompileOptions &o, Strings &objects);

// Loads a file's model; prints diagnostics. False on errors.
bool load_flow(const std::string &file, const Strings &flags, std::string &flow);
// Where a file's model is kept in `folder` for the next call with the same flags; and the same as
// load_flow to a file, unless that has a model: an exit status.
std::string kept_model(const std::string &folder, const std::string &file, const Strings &flags);
int load_kept(const std::string &path, const std::string &file, const Strings &flags);

// Names that a program of these objects and arguments of the linker needs and nothing defines, as
// keep_undefined stored them in `folder`; empty: nothing is known.
Strings kept_undefined(const std::string &folder, const Strings &made_of);
void keep_undefined(const std::string &folder, const Strings &made_of, const Strings &names);

// Links objects with models and runtime; `asked`: libraries and linker options. Returns an exit
// status; prints messages. If `undefined` is given, names that nothing defines are stored there
// instead.
int link_program(const std::string &output, const Strings &objects, const Strings &asked,
    bool flows, Strings *undefined = nullptr);

// The archives that every program is linked with.
Strings linked_archives();
// Functions and variables that a program of these units, which is linked with nothing else, uses
// and nothing defines, as far as that is known without linking it.
Strings undefined_in(const struct flow *fl, const Strings &files);

// Is it a function of libm?
bool in_libm(const std::string &name);

// Runs a program and waits. Returns its exit status, 128 + signal, or 127 when it cannot be run.
// messages: file for its standard error, if not ours.
int run(const Strings &argv, const char *messages = nullptr);
// Replaces this process (exec). Returns only on failure.
int replace(const Strings &argv);

// Temporary files; removed when the program ends.
std::string temporary(const std::string &suffix);
void remove_temporaries();

// "" if unknown.
std::string working_folder();

// Path of an archive of the runtime or models; "" if not built.
std::string archive(const char *name);

// The level of the last -O in flags; `otherwise` if there is none.
int level_of(const Strings &flags, int otherwise);

// The compiler form: arguments after the compiler's name. Returns an exit status.
int compiler(const Strings &args, const CompileOptions &asked);

// Says of which names the harness has definitions, as nothing else defines them: a line each. Each
// name is told once.
void tell_missing(const std::string &stubs, const struct flow *fl);
// The parameters of the entry, which expressions may name.
std::string names_for_message(const struct flow *fl, const std::string &entry);
// The functions that the files define, at most as many as a reader looks at.
Strings functions_for_message(const struct flow *fl);

std::string joined(const Strings &words); // by commas
// As a field of a record.
std::string escaped(const std::string &lines);

void complain(const std::string &message); // "instrument: message" on stderr
void complain_as(const char *name);        // a text that stays, instead of "instrument"

} // namespace duct

#endif
