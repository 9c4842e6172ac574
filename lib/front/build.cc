#include "lib/front/build.h"
#include "lib/front/once.h"

extern "C" {
#include "lib/base/home.h"
}

#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace duct
{

namespace
{
const char *speaker = "instrument"; // the name before messages
} // namespace

void complain_as(const char *name)
{
	speaker = name;
}

void complain(const std::string &message)
{
	fprintf(stderr, "%s: %s\n", speaker, message.c_str());
}

int make_unit(
    const std::string &file, const CompileOptions &o, const SharedUnit &shared, Unit &unit)
{
	LoadOptions load_options;
	load_options.file = file;
	load_options.flags = o.flags;
	load_options.appended = o.appended;
	load_options.ask = o.ask;
	load_options.checks = o.checks;
	load_options.pairs = o.pairs;
	load_options.start = o.start;
	load_options.part = shared.part;
	load_options.tag = shared.tag;
	load_options.code = shared.part == Part::Own ? &shared.code : nullptr;
	bool loaded = load(load_options, unit);
	end_copy(loaded, unit.flow);
	if (!loaded) {
		if (!unit.blamed.empty() && !o.names.empty())
			complain(unit.blamed + ": " + o.names);
		return unit.blamed.empty() ? exit_input : exit_usage;
	}
	for (const std::string &meta : o.told)
		unit.flow.insert(unit.flow.find('\n') + 1, "#meta " + meta + "\n");
	if (o.pairs)
		unit.flow.insert(unit.flow.find('\n') + 1, "#meta pairs told\n");
	if (o.weave.abstract)
		unit.flow.insert(unit.flow.find('\n') + 1, "#meta calls asked\n");
	std::string error;
	unit.fits = unit.fits && weave(unit, o.weave, error);
	if (!error.empty() || (!unit.fits && shared.part != Part::Own)) {
		complain(file + ": " + error);
		return exit_system;
	}
	return exit_done;
}

int write_object(
    const std::string &file, llvm::Module &m, const std::string &object, const CompileOptions &o)
{
	std::string error;
	if (emit(m, object, o.weave.effort, error))
		return exit_done;
	complain(file + ": " + error);
	return exit_system;
}

Unit &new_unit()
{
	static Unit *unit;
	delete unit;
	return *(unit = new Unit);
}

int compile(const std::string &file, const std::string &object, const CompileOptions &o)
{
	Unit &unit = new_unit();
	int status = make_unit(file, o, SharedUnit(), unit);
	return status == exit_done ? write_object(file, *unit.module, object, o) : status;
}

bool load_flow(const std::string &file, const Strings &flags, std::string &flow)
{
	LoadOptions options;
	options.file = file;
	options.flags = flags;
	options.writes = false;
	Unit unit;
	if (!load(options, unit))
		return false;
	flow = unit.flow;
	return true;
}

static std::vector<char *> pointers(const Strings &argv)
{
	std::vector<char *> out;
	for (const std::string &a : argv)
		out.push_back(const_cast<char *>(a.c_str()));
	out.push_back(nullptr);
	return out;
}

int replace(const Strings &argv)
{
	fflush(nullptr);
	execvp(argv[0].c_str(), pointers(argv).data());
	complain(argv[0] + ": " + strerror(errno));
	return errno == ENOENT ? 127 : 126;
}

int run(const Strings &argv, const char *messages)
{
	fflush(nullptr);
	pid_t pid;
	posix_spawn_file_actions_t actions;
	posix_spawn_file_actions_init(&actions);
	if (messages)
		posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, messages, O_WRONLY, 0);
	int status =
	    posix_spawnp(&pid, argv[0].c_str(), &actions, nullptr, pointers(argv).data(), environ);
	posix_spawn_file_actions_destroy(&actions);
	if (status != 0) {
		complain(argv[0] + ": " + strerror(status));
		return status == ENOENT ? 127 : 126;
	}
	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return 127;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static Strings temporaries;

std::string temporary(const std::string &suffix)
{
	const char *dir = getenv("TMPDIR");
	std::string name = std::string(dir && *dir ? dir : "/tmp") + "/ductXXXXXX" + suffix;
	int fd = mkstemps(name.data(), suffix.size());
	if (fd < 0)
		return "";
	close(fd);
	temporaries.push_back(name);
	return name;
}

void remove_temporaries()
{
	for (const std::string &t : temporaries)
		unlink(t.c_str());
	temporaries.clear();
}

std::string working_folder()
{
	char path[PATH_MAX];
	return getcwd(path, sizeof path) && !strchr(path, '\n') ? path : "";
}

std::string archive(const char *name)
{
	char *path = home_path("lib", name);
	std::string out = path ? path : "";
	free(path);
	return out;
}

int level_of(const Strings &flags, int otherwise)
{
	int level = otherwise;
	for (const std::string &f : flags) {
		if (f.compare(0, 2, "-O"))
			continue;
		std::string l = f.substr(2);
		level = l.empty() || l == "g" ? 1
		    : l == "s" || l == "z"    ? 2
		    : l == "fast"             ? 3
		                              : atoi(l.c_str());
	}
	return level < 0 ? 0 : level > 3 ? 3 : level;
}

} // namespace duct
