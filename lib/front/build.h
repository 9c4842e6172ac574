// build: from C files to objects and programs; private to lib/front and tools/instrument.
#ifndef DUCT_FRONT_BUILD_H
#define DUCT_FRONT_BUILD_H

#include "lib/front/front.h"

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
};

// Compiles a file to a woven object. Returns an exit status; prints messages.
int compile(const std::string &file, const std::string &object, const CompileOptions &o);

// Loads a file's model; prints diagnostics. False on errors.
bool load_flow(const std::string &file, const Strings &flags, std::string &flow);

// Links objects with models and runtime; `asked`: libraries and linker options. Returns an exit
// status; prints messages. If `undefined` is given, names that nothing defines are stored there
// instead.
int link_program(const std::string &output, const Strings &objects, const Strings &asked,
    bool flows, Strings *undefined = nullptr);

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

void complain(const std::string &message); // "instrument: message" on stderr
void complain_as(const char *name);        // a text that stays, instead of "instrument"

} // namespace duct

#endif
