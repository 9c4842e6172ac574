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
	Strings told;         // #meta lines of the program model, "KEY VALUE"
	// As LoadOptions::ask. It may change these options, except those that parsing uses.
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
// An empty unit; the one that this returned before is destroyed. The last one is never destroyed:
// that would take a twentieth of the time that making it takes.
Unit &new_unit();
// The two steps of compile, for one part of a unit. Own: unit.fits tells whether there is something
// to write.
int make_unit(
    const std::string &file, const CompileOptions &o, const SharedUnit &shared, Unit &unit);
int write_object(
    const std::string &file, llvm::Module &m, const std::string &object, const CompileOptions &o);

// kept_object: the path in `folder` at which the object of a file without a harness is kept for
// later calls with the same options. compile_kept: as compile, unless the object is there.
std::string kept_object(
    const std::string &folder, const std::string &file, const CompileOptions &o);
int compile_kept(const std::string &path, const std::string &file, const CompileOptions &o);
// compile_code: the same in two objects: `path` has the unit's code, which programs share, and
// own_object(path) the descriptors of a program whose harness is in another unit.
std::string own_object(const std::string &path);
int compile_code(const std::string &path, const std::string &file, const CompileOptions &o);
// Compiles the unit with a harness and sets `objects` to the program's objects: `path`, made by
// compile_code, and `object` with the program's own part; or, if the harness would change the
// unit's code, `object` alone, which then holds the whole unit.
int compile_beside(const std::string &path, const std::string &file, const std::string &object,
    const CompileOptions &o, Strings &objects);
// The same where o.ask gives the harness; `refused`, without a message, if the harness would change
// the unit's code.
enum { refused = -1 };
int compile_own(
    const std::string &path, const std::string &file, const CompileOptions &o, Strings &objects);

// Loads a file's program model; prints diagnostics. False on errors.
bool load_flow(const std::string &file, const Strings &flags, std::string &flow);
// kept_flow: the path in `folder` at which a file's program model is kept for later calls with the
// same flags. load_kept: writes the program model there, unless it is there; an exit status.
std::string kept_flow(const std::string &folder, const std::string &file, const Strings &flags);
int load_kept(const std::string &path, const std::string &file, const Strings &flags);

// Names that a program of these objects and arguments of the linker needs and nothing defines, as
// keep_undefined stored them in `folder`; empty: nothing is known.
Strings kept_undefined(const std::string &folder, const Strings &made_of);
void keep_undefined(const std::string &folder, const Strings &made_of, const Strings &names);

// Links objects with library models and runtime; `asked`: libraries and linker options. Returns an
// exit status; prints messages. If `undefined` is given, names that nothing defines are stored
// there instead.
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

// Path of an archive of the runtime or library models; "" if not built.
std::string archive(const char *name);

// The level of the last -O in flags; `otherwise` if there is none.
int level_of(const Strings &flags, int otherwise);

// The compiler form: arguments after the compiler's name. Returns an exit status.
int compiler(const Strings &args, const CompileOptions &asked);

// Prints a line for each name that only the harness defines, because nothing else does; each name
// once.
void tell_missing(const std::string &stubs, const struct flow *fl);
// The parameters of the entry, which expressions may name.
std::string names_for_message(const struct flow *fl, const std::string &entry);
// Functions that the files define, as many as a message should list.
Strings functions_for_message(const struct flow *fl);

std::string joined(const Strings &words); // by commas
// As a field of a record.
std::string escaped(const std::string &lines);

void complain(const std::string &message); // "instrument: message" on stderr
void complain_as(const char *name);        // instead of "instrument"; `name` is not copied

} // namespace duct

#endif
