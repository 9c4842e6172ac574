// kept: objects that several programs of a session share.
#include "lib/front/build.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace duct
{

// Where the object of a file without a harness is kept: its name depends on all that it is made of.
static std::string kept_path(
    const std::string &folder, const std::string &file, const CompileOptions &o)
{
	std::string text = file;
	for (const std::string &f : o.flags)
		text += "\n" + f;
	for (unsigned n : { o.weave.level + 0u, o.checks + 0u, o.pairs + 0u, o.weave.check + 0u,
	         o.weave.model + 0u, o.weave.abstract + 0u, o.weave.flows + 0u,
	         (unsigned)o.weave.effort })
		text += "\n" + std::to_string(n);
	text += o.weave.entry.empty() ? "" : "\nharness";
	return folder + "/" + std::to_string(std::hash<std::string>()(text)) + ".o";
}

int compile_kept(const std::string &folder, const std::string &file, const CompileOptions &o,
    std::string &object)
{
	std::string path = kept_path(folder, file, o), made = path + "." + std::to_string(getpid());
	object = path;
	if (access(path.c_str(), R_OK) == 0)
		return exit_done;
	mkdir(folder.c_str(), 0777);
	int status = compile(file, made, o);
	if (status == exit_done && rename(made.c_str(), path.c_str()) != 0) {
		complain(path + ": " + strerror(errno));
		status = exit_system;
	}
	if (status != exit_done)
		unlink(made.c_str());
	return status;
}

} // namespace duct
