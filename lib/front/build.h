// build: private to lib/front and tools/instrument: from C files to objects and programs.
#ifndef DUCT_FRONT_BUILD_H
#define DUCT_FRONT_BUILD_H

#include "lib/front/front.h"

namespace duct {

using Strings = std::vector<std::string>;

// Exit statuses, as all of the toolkit's programs.
enum { exit_done = 0, exit_usage = 2, exit_input = 3, exit_system = 4 };

// What a compiler's command line asks for, as far as it concerns us.
struct CompileOptions {
	Strings flags;                           // clang's
	WeaveOptions weave;
	uint32_t checks = 0;                     // faults to look for, see LoadOptions
	bool pairs = false;                      // follow last definitions
	bool quick = false;                      // see emit
	std::string appended;                    // harness
	Strings told;                            // #meta lines of the model, "KEY VALUE"
};

// Compiles one file to a woven object. A status; messages are printed.
int compile(const std::string &file, const std::string &object, const CompileOptions &o);

// Loads a file's model; diagnostics are printed.
bool load_flow(const std::string &file, const Strings &flags, std::string &flow);

// Links objects with the models and the runtime; `asked`: libraries and options of the linker's driver. A status;
// messages are printed. With `undefined`, names that nothing defines are put there instead.
int link_program(const std::string &output, const Strings &objects, const Strings &asked, bool flows,
                 Strings *undefined = nullptr);

// Runs a program and waits; its exit status, 128 + signal, or 127 when it cannot be run. `messages`: where its
// standard error goes, if not where ours does.
int run(const Strings &argv, const char *messages = nullptr);
// Replaces this process. Returns only when the program cannot be run.
int replace(const Strings &argv);

// Files that go away when the program ends.
std::string temporary(const std::string &suffix);
void remove_temporaries();

// "" when it cannot be told.
std::string working_folder();

// An archive of the runtime or of the models, "" when it is not built.
std::string archive(const char *name);

// The level of the last -O among flags; `otherwise` if there is none.
int level_of(const Strings &flags, int otherwise);

// The compiler form: arguments after the compiler's name. A status.
int compiler(const Strings &args, const CompileOptions &asked);

void complain(const std::string &message);       // "instrument: message" on stderr

} // namespace duct

#endif
