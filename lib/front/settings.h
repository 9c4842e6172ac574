// settings: what a command line of instrument asks for.
#ifndef DUCT_FRONT_SETTINGS_H
#define DUCT_FRONT_SETTINGS_H

#include "lib/front/build.h"

extern "C" {
#include "lib/defuse/defuse.h"
}

namespace duct
{

struct Settings {
	bool objects = false;
	std::string output, entry = "main", narrowing, kept; // kept: folder of objects
	std::string socket;                                  // where it takes requests
	std::string flow_text;                               // of the only file, when it was parsed
	struct flow *flow = nullptr;                         // the same, when it was read
	std::vector<const char *> len, string, distinct, alias, global, init, assume, range, stub;
	uint32_t obligation = 0; // pair, 0: none
	struct defuse_options pairs = {};
	CompileOptions compile;
	Strings files, link; // C files; objects, archives and linker flags
	Strings undefined;   // symbols that nothing defines
	std::string stubs;   // those that are not in libm, a line each
	Strings shared_by;   // what programs have in common that need the same symbols
};

// The settings of `instrument [OPTION...] FILE... [-- FLAG...]`. Ends the process after a usage
// error, --help or --version.
Settings settings_of(int argc, char **argv);

// `instrument --cc [OPTION...] ARGUMENT...`: an exit status.
int compile_as_asked(int argc, char **argv);

// Ends the process: removes temporary files, answers a request, and reports a full disk.
[[noreturn]] void finish(int status);

} // namespace duct

#endif
