// link: links woven objects, library models and runtime to a program.
#include "lib/front/build.h"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <unistd.h>

namespace duct
{

// Debian's locations of startup files and libgcc.
static const std::string system_files = "/usr/lib/x86_64-linux-gnu/";
static const std::string compiler_files = "/usr/lib/gcc/x86_64-linux-gnu/";

static const char *const export_options[] = { "-u", "duct_model_start",
	"--export-dynamic-symbol=duct_*" };

// Appends the archives; false if the runtime, the last one, is not built.
static bool archives(bool flows, Strings &out)
{
	bool built = false;
	for (const char *name :
	    { flows ? "libductmodels-flows.a" : "libductmodels.a", "libductrt.a" }) {
		std::string path = archive(name);
		built = !path.empty();
		if (built)
			out.push_back(path);
		else
			complain(std::string(name) + ": not built");
	}
	return built;
}

// The folder of the newest GCC.
static std::string newest_compiler()
{
	std::error_code none;
	int newest = 0;
	for (const auto &entry : std::filesystem::directory_iterator(compiler_files, none))
		newest = std::max(newest, atoi(entry.path().filename().c_str()));
	return compiler_files + std::to_string(newest) + "/";
}

Strings linked_archives()
{
	std::string gcc = newest_compiler();
	return { archive("libductmodels.a"), archive("libductrt.a"), gcc + "libgcc.a",
		gcc + "libgcc_eh.a", system_files + "libc_nonshared.a" };
}

// The undefined names in a linker's messages, each once.
static Strings undefined_names(const std::string &messages)
{
	static const std::string words = "undefined reference to ";
	Strings names;
	for (size_t at = 0; (at = messages.find(words, at)) != std::string::npos;) {
		at += words.size() + 1;
		std::string name = messages.substr(at, messages.find('\'', at) - at);
		if (std::find(names.begin(), names.end(), name) == names.end())
			names.push_back(name);
	}
	return names;
}

static std::string content(const std::string &path)
{
	std::ifstream in(path);
	return std::string(std::istreambuf_iterator<char>(in), {});
}

// Links with gold and explicit file names, which takes a third of the time of the driver with GNU
// ld. False: names that nothing defines are in `undefined`, if that is given and there are some;
// otherwise link with the driver, which also prints the errors.
static bool link_quickly(
    const std::string &output, const Strings &objects, bool math, Strings *undefined)
{
	std::string gcc = newest_compiler();
	Strings files = { system_files + "Scrt1.o", system_files + "crti.o", gcc + "crtbeginS.o" };
	Strings behind = { gcc + "libgcc.a", gcc + "libgcc_eh.a", system_files + "libc.so",
		gcc + "crtendS.o", system_files + "crtn.o" };
	if (math)
		behind.insert(behind.begin(), system_files + "libm.so");
	files.insert(files.end(), objects.begin(), objects.end());
	files.insert(files.end(), behind.begin(), behind.end());
	Strings argv = { "/usr/bin/ld.gold", "-nostdlib", "--eh-frame-hdr", "--hash-style=gnu",
		"--as-needed", "-pie", "-dynamic-linker", "/lib64/ld-linux-x86-64.so.2",
		"--no-map-whole-files", "--no-mmap-output-file", "--no-demangle", "-o", output };
	argv.insert(argv.end(), std::begin(export_options), std::end(export_options));
	argv.insert(argv.end(), files.begin(), files.end());
	for (const std::string &f : files)
		if (access(f.c_str(), R_OK) != 0)
			return false;
	if (access(argv[0].c_str(), X_OK) != 0)
		return false;
	std::string messages = undefined ? temporary(".messages") : "";
	if (run(argv, messages.empty() ? "/dev/null" : messages.c_str()) == 0)
		return true;
	if (!messages.empty())
		*undefined = undefined_names(content(messages));
	return false;
}

// Runs the linker's driver and prints its messages, unless they are about undefined names and
// `undefined` is given.
static int link_telling(const Strings &argv, Strings *undefined)
{
	std::string file = temporary(".messages");
	if (!undefined || file.empty())
		return run(argv) == 0 ? exit_done : exit_input;
	int status = run(argv, file.c_str());
	std::string messages = content(file);
	*undefined = status ? undefined_names(messages) : Strings();
	if (undefined->empty())
		std::cerr << messages;
	return status == 0 ? exit_done : exit_input;
}

bool in_libm(const std::string &name)
{
	static void *libm = dlopen("libm.so.6", RTLD_LAZY);
	return libm && dlsym(libm, name.c_str());
}

int link_program(const std::string &output, const Strings &objects, const Strings &asked,
    bool flows, Strings *undefined)
{
	Strings ours, others;
	bool math = false; // -lm must follow the library models of its functions
	if (!archives(flows, ours))
		return exit_system;
	for (const std::string &a : asked)
		if (a == "-lm")
			math = true;
		else
			others.push_back(a);
	Strings all = objects;
	all.insert(all.end(), others.begin(), others.end());
	all.insert(all.end(), ours.begin(), ours.end());
	if (others.empty() && link_quickly(output, all, math, undefined))
		return exit_done;
	if (undefined && !undefined->empty())
		return exit_input;
	Strings argv = { access("/usr/bin/gcc", X_OK) == 0 ? "gcc" : "clang-19", "-o", output };
	argv.insert(argv.end(), all.begin(), all.end());
	argv.push_back("-Wl,--build-id=none,--no-demangle"); // which gives _Zgetc a name of C++
	if (others.empty())
		argv.push_back("-static-libgcc"); // one shared library less to load
	for (const char *option : export_options)
		argv.push_back(std::string("-Wl,") + option);
	if (math)
		argv.push_back("-lm");
	return link_telling(argv, undefined);
}

} // namespace duct
