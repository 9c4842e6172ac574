// kept: objects and program models that several programs of a session share.
#include "lib/front/build.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <functional>
#include <sys/stat.h>
#include <unistd.h>

namespace duct
{
namespace
{

// The path at which the result for a file is kept: a hash of the file's name, flags and `how`.
std::string kept_name(const std::string &folder, const std::string &file, const Strings &flags,
    const std::string &how)
{
	std::string text = file + "\n" + how;
	for (const std::string &f : flags)
		text += "\n" + f;
	return folder + "/" + std::to_string(std::hash<std::string>()(text));
}

// Renames a new file to its final path; removes it and returns false if that fails.
bool keep(const std::string &made, const std::string &path)
{
	if (rename(made.c_str(), path.c_str()) == 0)
		return true;
	complain(path + ": " + strerror(errno));
	unlink(made.c_str());
	return false;
}

std::string unfinished(const std::string &path)
{
	return path + "." + std::to_string(getpid());
}

} // namespace

std::string kept_object(const std::string &folder, const std::string &file, const CompileOptions &o)
{
	std::string how;
	for (unsigned n : { o.weave.level + 0u, o.checks + 0u, o.pairs + 0u, o.weave.check + 0u,
	         o.weave.model + 0u, o.weave.abstract + 0u, o.weave.flows + 0u,
	         (unsigned)o.weave.effort })
		how += " " + std::to_string(n);
	how += o.weave.entry.empty() ? "" : " harness";
	how += o.weave.debug ? " debug" : "";
	return kept_name(folder, file, o.flags, how) + ".o";
}

std::string kept_flow(const std::string &folder, const std::string &file, const Strings &flags)
{
	return kept_name(folder, file, flags, "model") + ".flow";
}

static std::string undefined_name(const std::string &folder, const Strings &made_of)
{
	return kept_name(folder, "", made_of, "undefined") + ".undefined";
}

Strings kept_undefined(const std::string &folder, const Strings &made_of)
{
	Strings names;
	std::ifstream f(undefined_name(folder, made_of));
	for (std::string name; std::getline(f, name);)
		names.push_back(name);
	return names;
}

void keep_undefined(const std::string &folder, const Strings &made_of, const Strings &names)
{
	std::string path = undefined_name(folder, made_of), made = unfinished(path);
	std::ofstream f(made);
	for (const std::string &name : names)
		f << name << "\n";
	f.close();
	if (!f || !keep(made, path))
		unlink(made.c_str()); // the next program finds them, too
}

int compile_kept(const std::string &path, const std::string &file, const CompileOptions &o)
{
	std::string made = unfinished(path);
	if (access(path.c_str(), R_OK) == 0)
		return exit_done;
	int status = compile(file, made, o);
	if (status == exit_done)
		return keep(made, path) ? exit_done : exit_system;
	unlink(made.c_str());
	return status;
}

std::string own_object(const std::string &path)
{
	return path + ".own.o";
}

namespace
{

std::string told_of(const std::string &path)
{
	return path + ".told";
}

std::string tag_of(const std::string &path)
{
	return path.substr(path.rfind('/') + 1, path.rfind('.') - path.rfind('/') - 1);
}

bool write_told(const std::string &path, const SharedCode &c)
{
	std::ofstream f(path);
	f << c.key << " " << c.layout << " " << c.outcomes << " " << c.slots << " " << c.merges;
	f.close();
	return (bool)f;
}

bool read_told(const std::string &path, SharedCode &c)
{
	std::ifstream f(path);
	f >> c.key >> c.layout >> c.outcomes >> c.slots >> c.merges;
	return (bool)f;
}

} // namespace

int compile_code(const std::string &path, const std::string &file, const CompileOptions &o)
{
	std::string made = unfinished(path);
	Unit &unit = new_unit();
	SharedUnit shared;
	if (access(path.c_str(), R_OK) == 0)
		return exit_done;
	shared.part = Part::Code;
	shared.tag = tag_of(path);
	int status = make_unit(file, o, shared, unit);
	if (status == exit_done)
		status = write_object(file, *unit.module, made, o);
	if (status == exit_done)
		status = write_object(file, *unit.own, own_object(made), o);
	if (status == exit_done && !write_told(told_of(made), unit.code))
		status = exit_system;
	// the code comes last: where it is, the others are
	if (status == exit_done && keep(told_of(made), told_of(path))
	    && keep(own_object(made), own_object(path)) && keep(made, path))
		return exit_done;
	for (const std::string &f : { made, own_object(made), told_of(made) })
		unlink(f.c_str());
	return status == exit_done ? exit_system : status;
}

int compile_beside(const std::string &path, const std::string &file, const std::string &object,
    const CompileOptions &o, Strings &objects)
{
	Unit &unit = new_unit();
	SharedUnit shared;
	shared.part = Part::Own;
	shared.tag = tag_of(path);
	objects = { object };
	if (!read_told(told_of(path), shared.code))
		return compile(file, object, o);
	int status = make_unit(file, o, shared, unit);
	if (status != exit_done)
		return status;
	if (!unit.fits)
		return compile(file, object, o);
	objects.insert(objects.begin(), path);
	return write_object(file, *unit.module, object, o);
}

int compile_own(
    const std::string &path, const std::string &file, const CompileOptions &o, Strings &objects)
{
	Unit &unit = new_unit();
	SharedUnit shared;
	shared.part = Part::Own;
	shared.tag = tag_of(path);
	if (!read_told(told_of(path), shared.code))
		return refused;
	int status = make_unit(file, o, shared, unit);
	if (status != exit_done)
		return status;
	if (!unit.fits)
		return refused;
	objects = { path, temporary(".o") };
	return write_object(file, *unit.module, objects[1], o);
}

int load_kept(const std::string &path, const std::string &file, const Strings &flags)
{
	std::string flow, made = unfinished(path);
	struct stat st;
	if (stat(path.c_str(), &st) == 0 && st.st_size > 0)
		return exit_done;
	if (!load_flow(file, flags, flow))
		return exit_input;
	std::ofstream out(made);
	out << flow;
	out.close();
	if (!out) {
		complain(made + ": cannot write");
		unlink(made.c_str());
		return exit_system;
	}
	return keep(made, path) ? exit_done : exit_system;
}

} // namespace duct
