// cfg-dump: the program model, flow(5), of C files or of an instrumented executable.
#include "lib/front/elf.h"
#include "lib/front/front.h"

#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <set>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>

namespace
{

int worst;

void complain(int status, const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fputs("cfg-dump: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	va_end(ap);
	if (status > worst)
		worst = status;
}

void usage(FILE *f)
{
	fputs(
	    "usage: cfg-dump [-hV] [-p DIR | --compile-commands FILE] FILE.c ... [-- CLANG-FLAG ...]\n"
	    "       cfg-dump -p DIR --flags FILE.c ... | --files\n"
	    "       cfg-dump PROGRAM ...\n",
	    f);
}

// Writes a unit's stream; false when stdout fails.
bool write_out(const std::string &s)
{
	return fwrite(s.data(), 1, s.size(), stdout) == s.size();
}

std::string full(const std::string &path)
{
	llvm::SmallString<256> p(path), real;
	return llvm::sys::fs::real_path(p, real) ? path : real.str().str();
}

// The flags in a build system's command line, without compiler, output and the file itself.
std::vector<std::string> command_flags(const clang::tooling::CompileCommand &c)
{
	std::vector<std::string> flags;
	for (size_t i = 1; i < c.CommandLine.size(); i++) {
		const std::string &a = c.CommandLine[i];
		if (a == "-o" || a == "-MF" || a == "-MT" || a == "-MQ")
			i++;
		else if (a != c.Filename && a != "--" && a.compare(0, 2, "-M") != 0
		    && a.compare(0, 2, "-o") != 0)
			flags.push_back(a);
	}
	return flags;
}

// The flags of a file. Relative paths are the command's directory's.
bool database_flags(
    const clang::tooling::CompilationDatabase &db, const std::string &file, duct::LoadOptions &o)
{
	std::vector<clang::tooling::CompileCommand> all = db.getCompileCommands(full(file));
	if (all.empty())
		all = db.getCompileCommands(file);
	if (all.empty())
		return false;
	const clang::tooling::CompileCommand &c = all.front();
	const std::vector<std::string> flags = command_flags(c);
	o.flags.push_back("-working-directory=" + c.Directory);
	o.flags.insert(o.flags.end(), flags.begin(), flags.end());
	o.file = full(c.Directory) == full(".") ? file : full(file);
	return true;
}

void dump_source(const std::string &file, const clang::tooling::CompilationDatabase *db,
    const std::vector<std::string> &flags)
{
	duct::LoadOptions o;
	o.file = file;
	o.writes = false;
	if (db && !database_flags(*db, file, o)) {
		complain(3, "%s: not in the compilation database", file.c_str());
		return;
	}
	o.flags.insert(o.flags.end(), flags.begin(), flags.end());
	duct::Unit unit;
	if (!duct::load(o, unit)) {
		complain(3, "%s: does not compile", file.c_str());
		return;
	}
	if (!write_out(unit.flow))
		worst = 4;
}

void dump_program(const std::string &file)
{
	std::string error;
	std::string flow = duct::read_section(file, ".duct_flow", error);
	if (!error.empty())
		complain(3, "%s: %s", file.c_str(), error.c_str());
	else if (!write_out(flow))
		worst = 4;
}

bool is_object(const std::string &file)
{
	char magic[8] = "";
	FILE *f = fopen(file.c_str(), "rb");
	if (!f)
		return false;
	size_t n = fread(magic, 1, sizeof magic, f);
	fclose(f);
	return n >= 4
	    && (!memcmp(magic, "\177ELF", 4) || (n == 8 && !memcmp(magic, "!<arch>\n", 8)));
}

void dump_file(const std::string &file, const clang::tooling::CompilationDatabase *db,
    const std::vector<std::string> &flags)
{
	if (access(file.c_str(), R_OK))
		complain(4, "%s: %s", file.c_str(), strerror(errno));
	else if (llvm::sys::fs::is_directory(file))
		complain(4, "%s: is a directory", file.c_str());
	else if (is_object(file))
		dump_program(file);
	else
		dump_source(file, db, flags);
}

// Flags that the meaning of a program depends on.
struct Flag {
	const char *name;
	enum { alone, word, path } value;
};
const Flag flags_kept[] = {
	{ "-isystem", Flag::path },
	{ "-iquote", Flag::path },
	{ "-idirafter", Flag::path },
	{ "-include", Flag::path },
	{ "-imacros", Flag::path },
	{ "-I", Flag::path },
	{ "-D", Flag::word },
	{ "-U", Flag::word },
	{ "-std=", Flag::alone },
	{ "-m", Flag::alone },
	{ "-pthread", Flag::alone },
	{ "-ansi", Flag::alone },
	{ "-nostdinc", Flag::alone },
	{ "-fsigned-", Flag::alone },
	{ "-funsigned-", Flag::alone },
	{ "-fno-signed-", Flag::alone },
	{ "-fno-unsigned-", Flag::alone },
	{ "-fshort-", Flag::alone },
	{ "-fpack-struct", Flag::alone },
	{ "-fwrapv", Flag::alone },
	{ "-fms-extensions", Flag::alone },
	{ "-fgnu89-inline", Flag::alone },
};

const Flag *find_flag(const std::string &text)
{
	for (const Flag &f : flags_kept)
		if (text.compare(0, strlen(f.name), f.name) == 0)
			return &f;
	return nullptr;
}

// Flags as any compiler takes them from anywhere, with absolute paths.
std::vector<std::string> kept(const std::vector<std::string> &flags, const std::string &directory)
{
	std::vector<std::string> list;
	for (size_t i = 0; i < flags.size(); i++) {
		const Flag *flag = find_flag(flags[i]);
		if (!flag)
			continue;
		std::string value = flags[i].substr(strlen(flag->name));
		const bool apart =
		    value.empty() && flag->value != Flag::alone && i + 1 < flags.size();
		if (apart)
			value = flags[++i];
		if (flag->value == Flag::path && !value.empty() && value[0] != '/')
			value = directory + "/" + value;
		if (apart)
			list.push_back(flag->name);
		list.push_back(apart ? value : flag->name + value);
	}
	return list;
}

void print_lines(const std::vector<std::string> &list)
{
	for (const std::string &text : list)
		puts(text.c_str());
}

void print_flags(const std::string &file, const clang::tooling::CompilationDatabase &db)
{
	duct::LoadOptions o;
	if (!database_flags(db, file, o)) {
		complain(3, "%s: not in the compilation database", file.c_str());
		return;
	}
	const std::string directory = o.flags[0].substr(o.flags[0].find('=') + 1);
	print_lines(kept({ o.flags.begin() + 1, o.flags.end() }, directory));
}

// The words of `#meta flags`, which are escaped fields with an escaped TAB between them.
std::vector<std::string> words(const std::string &text)
{
	std::vector<std::string> list(1);
	for (size_t i = 0; i < text.size(); i++) {
		const char next = text[i] == '\\' && i + 1 < text.size() ? text[++i] : 0;
		if (next == 't')
			list.emplace_back();
		else if (next == 'x')
			list.back() += '\t', i += 2;
		else
			list.back() += next == 'n' ? '\n' : text[i];
	}
	return list;
}

// A file that was compiled, its path made absolute, and the flags that count.
struct Compiled {
	std::string file;
	std::vector<std::string> flags;
};

// The units of an object that `duct cc` compiled, with their flags.
std::vector<Compiled> object_units(const std::string &object)
{
	std::vector<Compiled> list;
	std::string error, folder, flags;
	bool known = false;
	std::istringstream model(duct::read_section(object, ".duct_flow", error));
	for (std::string line; error.empty() && std::getline(model, line);) {
		if (line.compare(0, 6, "#flow ") == 0) {
			known = false;
		} else if (line.compare(0, 13, "#meta folder ") == 0) {
			folder = line.substr(13);
		} else if (line.compare(0, 12, "#meta flags ") == 0) {
			flags = line.substr(12);
			known = true;
		} else if (line.compare(0, 5, "unit\t") == 0 && known) {
			const size_t at = line.find('\t', 5) + 1;
			std::string name = line.substr(at, line.find('\t', at) - at);
			if (name[0] != '/')
				name = folder + "/" + name;
			list.push_back({ full(name), kept(words(flags), folder) });
		}
	}
	return list;
}

// The objects below a folder, and behind them what may be programs; or the one that is named.
std::vector<std::string> objects(const std::string &place)
{
	constexpr unsigned most = 50000;
	std::vector<std::string> list, programs;
	if (!llvm::sys::fs::is_directory(place))
		return { place };
	std::error_code error;
	unsigned n = 0;
	for (llvm::sys::fs::recursive_directory_iterator at(place, error, false), end;
	    at != end && !error && n++ < most; at.increment(error))
		if (llvm::StringRef(at->path()).ends_with(".o"))
			list.push_back(at->path());
		else if (at->type() == llvm::sys::fs::file_type::regular_file
		    && llvm::sys::fs::can_execute(at->path()))
			programs.push_back(at->path());
	std::sort(list.begin(), list.end());
	std::sort(programs.begin(), programs.end());
	list.insert(list.end(), programs.begin(), programs.end());
	return list;
}

// Prints the flags that `duct cc` compiled the file with, when an object there has it.
bool print_object_flags(const std::string &file, const std::string &place)
{
	for (const std::string &object : objects(place)) {
		if (!is_object(object))
			continue;
		for (const Compiled &unit : object_units(object))
			if (unit.file == full(file)) {
				print_lines(unit.flags);
				return true;
			}
	}
	return false;
}

// The C files that a build system, or `duct cc`, compiled there.
std::vector<Compiled> compiled_files(
    const clang::tooling::CompilationDatabase *db, const std::string &place)
{
	std::vector<Compiled> list;
	if (db)
		for (const clang::tooling::CompileCommand &c : db->getAllCompileCommands()) {
			const std::string file =
			    c.Filename[0] == '/' ? c.Filename : c.Directory + "/" + c.Filename;
			list.push_back({ full(file), kept(command_flags(c), c.Directory) });
		}
	else
		for (const std::string &object : objects(place))
			if (is_object(object))
				for (Compiled &unit : object_units(object))
					list.push_back(std::move(unit));
	return list;
}

// Prints each of these that exists once, with its flags behind TABs.
void print_files(const clang::tooling::CompilationDatabase *db, const std::string &place)
{
	std::set<std::string> seen;
	for (const Compiled &c : compiled_files(db, place)) {
		if (!llvm::StringRef(c.file).ends_with(".c") || access(c.file.c_str(), R_OK)
		    || !seen.insert(c.file).second)
			continue;
		fputs(c.file.c_str(), stdout);
		for (const std::string &flag : c.flags)
			printf("\t%s", flag.c_str());
		putchar('\n');
	}
	if (seen.empty())
		complain(3, "%s: no C files that were compiled there are known", place.c_str());
}

// A database is a list of objects of texts and lists: larger or deeper values are refused
// before it is parsed.
bool check_database(const std::string &path)
{
	constexpr uint64_t most = 256 << 20;
	constexpr unsigned deepest = 16;
	llvm::sys::fs::file_status st;
	if (llvm::sys::fs::status(path, st))
		return true; // opening it will print the reason
	if (!llvm::sys::fs::is_regular_file(st) || st.getSize() > most) {
		complain(3, "%s: not a regular file of at most %llu MiB", path.c_str(),
		    (unsigned long long)(most >> 20));
		return false;
	}
	FILE *f = fopen(path.c_str(), "re");
	unsigned depth = 0;
	bool text = false;
	for (int c; f && depth <= deepest && (c = getc(f)) != EOF;) {
		if (c == '"')
			text = !text;
		else if (text && c == '\\')
			getc(f);
		else if (!text && (c == '[' || c == '{'))
			depth++;
		else if (!text && (c == ']' || c == '}') && depth)
			depth--;
	}
	if (f)
		fclose(f);
	if (depth > deepest)
		complain(
		    3, "%s: lists and objects are nested more than %u deep", path.c_str(), deepest);
	return depth <= deepest;
}

// Is it one, or a folder that has one?
bool has_database(const std::string &path)
{
	return llvm::sys::fs::is_directory(path)
	    ? llvm::sys::fs::exists(path + "/compile_commands.json")
	    : !is_object(path);
}

// Only the database's own entries: Clang's loader would guess flags for other files.
std::unique_ptr<clang::tooling::CompilationDatabase> open_database(std::string path)
{
	std::string error;
	if (llvm::sys::fs::is_directory(path))
		path += "/compile_commands.json";
	if (!check_database(path))
		return nullptr;
	std::unique_ptr<clang::tooling::CompilationDatabase> db =
	    clang::tooling::JSONCompilationDatabase::loadFromFile(
	        path, error, clang::tooling::JSONCommandLineSyntax::AutoDetect);
	while (!error.empty() && error.back() == '\n')
		error.pop_back();
	if (!db)
		complain(
		    llvm::sys::fs::exists(path) ? 3 : 4, "%s: %s", path.c_str(), error.c_str());
	return db;
}

// --flags and --files
int print_compiled(const char *place, bool files, char **file, int n)
{
	std::unique_ptr<clang::tooling::CompilationDatabase> db;
	const bool database = has_database(place);
	if (database && !(db = open_database(place)))
		return worst;
	if (files)
		print_files(db.get(), place);
	for (int i = 0; i < n; i++)
		if (database)
			print_flags(file[i], *db);
		else if (!print_object_flags(file[i], place))
			complain(3, "%s: no object of it that duct cc compiled is in %s", file[i],
			    place);
	return fflush(stdout) ? 4 : worst;
}

} // namespace

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "compile-commands", required_argument, nullptr, 'p' },
		{ "flags", no_argument, nullptr, 'F' },
		{ "files", no_argument, nullptr, 'A' },
		{ "help", no_argument, nullptr, 'h' },
		{ "version", no_argument, nullptr, 'V' },
		{ nullptr, 0, nullptr, 0 },
	};
	duct::end_without_memory();
	const char *database = nullptr;
	bool only_flags = false, files = false;
	int stop = 1;
	while (stop < argc && strcmp(argv[stop], "--"))
		stop++;
	std::vector<std::string> flags(argv + (stop < argc ? stop + 1 : stop), argv + argc);
	int c;
	while ((c = getopt_long(stop, argv, "p:hV", longs, nullptr)) != -1)
		switch (c) {
		case 'p': database = optarg; break;
		case 'F': only_flags = true; break;
		case 'A': files = true; break;
		case 'h': usage(stdout); return fflush(stdout) ? 4 : 0;
		case 'V': puts("cfg-dump " DUCT_VERSION); return fflush(stdout) ? 4 : 0;
		default: usage(stderr); return 2;
		}
	if ((optind == stop) != files || ((only_flags || files) && !database)) {
		usage(stderr);
		return 2;
	}
	if (only_flags || files)
		return print_compiled(database, files, argv + optind, stop - optind);
	std::unique_ptr<clang::tooling::CompilationDatabase> db;
	if (database && !(db = open_database(database)))
		return worst;
	for (int i = optind; i < stop; i++)
		dump_file(argv[i], db.get(), flags);
	if (fflush(stdout) || ferror(stdout))
		complain(4, "standard output: %s", strerror(errno));
	return worst;
}
