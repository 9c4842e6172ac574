// cc: the compiler form. Only the compilation of C is ours; everything else is left to the system's
// compiler.
#include "lib/front/build.h"

#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <unistd.h>

namespace duct
{
namespace
{

struct Command {
	Strings args;             // response files expanded
	std::set<size_t> sources; // indices of C files in args
	std::set<size_t> drop;    // indices of args to omit from the link
	size_t inputs = 0;
	std::string output, depfile, language;
	std::string unfinished; // the last argument, when it needs a value
	bool compile_only = false, pass = false, shared = false, relocatable = false, debug = false;
	bool dependencies = false, target = false, standard_input = false;
};

const char *real_compiler()
{
	const char *cc = getenv("DUCT_CC");
	return cc && *cc ? cc : "clang-19";
}

bool starts(const std::string &s, const char *prefix)
{
	return s.compare(0, strlen(prefix), prefix) == 0;
}

bool ends(const std::string &s, const char *suffix)
{
	size_t n = strlen(suffix);
	return s.size() >= n && s.compare(s.size() - n, n, suffix) == 0;
}

// Reads a token of a response file, with GNU quoting.
bool next_token(std::istream &in, std::string &out)
{
	int ch;
	out.clear();
	while ((ch = in.get()) != EOF && isspace(ch))
		;
	if (ch == EOF)
		return false;
	for (int quote = 0; ch != EOF && (quote || !isspace(ch)); ch = in.get()) {
		if (ch == '\\' && quote != '\'')
			out += (char)in.get();
		else if (quote ? ch == quote : ch == '"' || ch == '\'')
			quote = quote ? 0 : ch;
		else
			out += (char)ch;
	}
	return true;
}

void expand(const Strings &args, Strings &out, int depth = 0)
{
	for (const std::string &a : args) {
		std::ifstream file;
		if (a.size() > 1 && a[0] == '@' && depth < 20)
			file.open(a.substr(1));
		if (!file.is_open()) {
			out.push_back(a);
			continue;
		}
		Strings more;
		for (std::string t; next_token(file, t);)
			more.push_back(t);
		expand(more, out, depth + 1);
	}
}

// Does the option take the next argument as its value?
bool takes_value(const std::string &a)
{
	static const std::set<std::string> names = {
		"-o",
		"-I",
		"-D",
		"-U",
		"-L",
		"-l",
		"-include",
		"-imacros",
		"-isystem",
		"-iquote",
		"-idirafter",
		"-iprefix",
		"-iwithprefix",
		"-iwithprefixbefore",
		"-isysroot",
		"--sysroot",
		"-MF",
		"-MT",
		"-MQ",
		"-Xlinker",
		"-Xassembler",
		"-Xpreprocessor",
		"-Xclang",
		"-T",
		"-u",
		"-z",
		"-e",
		"-arch",
		"-target",
		"--param",
		"-G",
		"-B",
		"-x",
		"-mllvm",
		"-rpath",
		"-h",
		"-soname",
		"-A",
		"-aux-info",
		"-dumpdir",
	};
	return names.count(a);
}

bool passes_through(const std::string &a)
{
	static const std::set<std::string> names = {
		"-E",
		"-S",
		"-M",
		"-MM",
		"-###",
		"-fsyntax-only",
		"-emit-llvm",
		"--version",
		"--help",
		"-dumpversion",
		"-dumpmachine",
		"-dumpfullversion",
		"-dumpspecs",
		"--target-help",
		"-P",
		"--analyze",
		"-v",
	};
	return names.count(a) || starts(a, "-print-") || starts(a, "--print-")
	    || starts(a, "--help=");
}

bool is_c(const Command &c, const std::string &file)
{
	if (!c.language.empty())
		return c.language == "c" || c.language == "cpp-output";
	return ends(file, ".c") || ends(file, ".i");
}

// Other instrumentation, and compilation at link time, would interfere with ours.
bool is_unwanted(const std::string &a)
{
	return starts(a, "-flto") || starts(a, "-fsanitize") || starts(a, "-fprofile")
	    || a == "--coverage" || starts(a, "-fcoverage") || a == "-pg" || a == "-save-temps"
	    || starts(a, "-fuse-linker-plugin");
}

void take_value(Command &c, size_t i, const std::string &v)
{
	const std::string &a = c.args[i];
	if (a == "-o")
		c.output = v;
	else if (a == "-MF")
		c.depfile = v;
	else if (a == "-MT" || a == "-MQ")
		c.target = true;
	else if (a == "-x") {
		c.language = v == "none" ? "" : v;
		if (v == "c" || v == "none" || v == "cpp-output") {
			c.drop.insert(i);
			c.drop.insert(i + 1);
		}
	}
}

// -MD, or -Wp,-MD,FILE as in the kernel's makefiles.
void take_dependencies(Command &c, const std::string &a)
{
	c.dependencies = true;
	size_t comma = a.find(',', 4);
	if (comma != std::string::npos)
		c.depfile = a.substr(comma + 1);
}

void take_flag(Command &c, size_t i)
{
	const std::string &a = c.args[i];
	if (passes_through(a))
		c.pass = true;
	else if (a == "-c")
		c.compile_only = true;
	else if (a == "-shared")
		c.shared = true;
	else if (a == "-r" || a == "-Wl,-r")
		c.relocatable = true;
	else if (a == "-MD" || a == "-MMD" || starts(a, "-Wp,-MD") || starts(a, "-Wp,-MMD"))
		take_dependencies(c, a);
	else if (starts(a, "-o"))
		c.output = a.substr(2);
	else if (starts(a, "-MF"))
		c.depfile = a.substr(3);
	else if (starts(a, "-MT") || starts(a, "-MQ"))
		c.target = true;
	else if (a == "-xc" || a == "-xnone") {
		c.language = a == "-xc" ? "c" : "";
		c.drop.insert(i);
	} else if (starts(a, "-x"))
		c.language = a.substr(2);
	else if (starts(a, "-g") && a != "-g0")
		c.debug = true;
	if (is_unwanted(a))
		c.drop.insert(i);
}

Command parse(const Strings &args)
{
	Command c;
	expand(args, c.args);
	for (size_t i = 0; i < c.args.size(); i++) {
		const std::string &a = c.args[i];
		if (takes_value(a) && i + 1 < c.args.size()) {
			take_value(c, i, c.args[i + 1]);
			i++;
		} else if (takes_value(a)) {
			c.unfinished = a;
		} else if (a == "-") {
			c.inputs++;
			c.standard_input = true;
			c.sources.insert(i);
		} else if (!a.empty() && a[0] == '-') {
			take_flag(c, i);
		} else {
			c.inputs++;
			if (is_c(c, a))
				c.sources.insert(i);
		}
	}
	if (c.standard_input && c.language != "c")
		c.pass = true;
	return c;
}

std::string base(const std::string &file)
{
	size_t slash = file.rfind('/'), dot = file.rfind('.');
	std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
	dot = name.rfind('.');
	return dot == std::string::npos ? name : name.substr(0, dot);
}

// Flags for clang: all but inputs, output and linker options.
Strings compile_flags(const Command &c, const std::string &object)
{
	Strings out;
	for (size_t i = 0; i < c.args.size(); i++) {
		const std::string &a = c.args[i];
		bool value = takes_value(a) && i + 1 < c.args.size();
		if (a == "-o" || a == "-x" || a == "-l" || a == "-L" || a == "-Xlinker" || a == "-u"
		    || a == "-z" || a == "-T" || a == "-e" || a == "-Xassembler" || a == "-h"
		    || a == "-rpath") {
			i += value;
			continue;
		}
		if (value) {
			out.push_back(a);
			out.push_back(c.args[++i]);
			continue;
		}
		if (a.empty() || a[0] != '-' || a == "-" || starts(a, "-l") || starts(a, "-L")
		    || starts(a, "-Wl,") || a == "-c" || starts(a, "-x") || starts(a, "-o")
		    || is_unwanted(a) || a == "-shared" || a == "-static" || starts(a, "-Wa,")
		    || a == "-rdynamic" || a == "-s" || a == "-r" || a == "-pie")
			continue;
		size_t comma = starts(a, "-Wp,-M") ? a.find(',', 4) : std::string::npos;
		if (comma == std::string::npos) {
			out.push_back(a);
			continue;
		}
		out.push_back(a.substr(4, comma - 4));
		out.push_back("-MF");
		out.push_back(a.substr(comma + 1));
	}
	if (c.standard_input) {
		out.push_back("-iquote");
		out.push_back(".");
	}
	if (c.dependencies && c.depfile.empty() && !object.empty()) {
		out.push_back("-MF");
		size_t dot = object.rfind('.');
		out.push_back(
		    (dot == std::string::npos || object.find('/', dot) != std::string::npos
		            ? object
		            : object.substr(0, dot))
		    + ".d");
	}
	if (c.dependencies && !c.target) {
		out.push_back("-MT");
		out.push_back(object);
	}
	return out;
}

std::string save_input()
{
	std::string name = temporary(".c");
	FILE *f = name.empty() ? nullptr : fopen(name.c_str(), "w");
	for (int ch; f && (ch = getchar()) != EOF;)
		putc(ch, f);
	if (!f || fclose(f) != 0)
		return "";
	return name;
}

// Words as `#meta flags` has them, each as an escaped field, with an escaped TAB between them.
std::string by_spaces(const Strings &words)
{
	std::string line;
	for (const std::string &word : words) {
		line += line.empty() ? "" : "\\t";
		for (char ch : word)
			line += ch == '\\' ? "\\\\"
			    : ch == '\n'   ? "\\n"
			    : ch == '\t'   ? "\\x09"
			                   : std::string(1, ch);
	}
	return line;
}

// Compiles a file that clang cannot compile with the system's compiler, so that the build
// continues.
int compile_plainly(const Command &c, const std::string &file, const std::string &object)
{
	complain(file + ": not instrumented");
	Strings argv = { real_compiler() };
	for (const std::string &f : compile_flags(c, object))
		argv.push_back(f);
	for (const std::string &a : { std::string("-x"), std::string("c"), std::string("-c"),
	         std::string("-o"), object, file })
		argv.push_back(a);
	return run(argv);
}

int compile_one(const Command &c, const std::string &file, const std::string &object,
    const std::string &named, CompileOptions o)
{
	o.flags = compile_flags(c, named);
	// a build of many files, whose tests may run for as long
	int level = level_of(c.args, 1);
	o.weave.effort = level ? Effort::Brisk : Effort::Quick;
	o.weave.level = std::max(level, 1);
	o.weave.debug = c.debug;
	if (std::string folder = working_folder(); !folder.empty())
		o.told.push_back("folder " + folder);
	o.told.push_back("flags " + by_spaces(o.flags));
	int status = compile(file, object, o);
	if (status == exit_system)
		return compile_plainly(c, file, object);
	return status == exit_done ? 0 : 1;
}

int link(const Command &c, const std::vector<std::string> &object)
{
	Strings argv = { real_compiler() };
	bool math = false;
	for (size_t i = 0; i < c.args.size(); i++)
		if (!object[i].empty())
			argv.push_back(object[i]);
		else if (c.args[i] == "-static" || c.args[i] == "-static-pie")
			complain(c.args[i] + " is left out: probes need the dynamic linker");
		else if (c.args[i] == "-lm")
			math = true; // must follow the library models of its functions
		else if (!c.drop.count(i))
			argv.push_back(c.args[i]);
	if (!c.relocatable && !c.shared) {
		for (const char *name : { "libductmodels.a", "libductrt.a" })
			if (std::string path = archive(name); !path.empty())
				argv.push_back(path);
		// shared libraries that are woven use the program's runtime
		argv.push_back("-Wl,-u,duct_model_start,--export-dynamic-symbol=duct_*");
		// a configure script that finds library models of some functions assumes the whole
		// library
		math = true;
	}
	if (std::string path = archive("library.o"); c.shared && !path.empty()) {
		argv.push_back(path);
		argv.push_back("-Wl,-z,undefs"); // defined by the program
	}
	if (math)
		argv.push_back("-lm");
	int status = run(argv);
	remove_temporaries();
	return status;
}

} // namespace

int compiler(const Strings &args, const CompileOptions &asked)
{
	Command c = parse(args);
	if (c.pass || c.inputs == 0 || (c.compile_only && c.sources.empty())) {
		Strings argv = { real_compiler() };
		argv.insert(argv.end(), args.begin(), args.end());
		return replace(argv);
	}
	if (!c.unfinished.empty()) {
		complain(c.unfinished + " is the last argument: its value is missing");
		return exit_usage;
	}
	if (c.compile_only && c.inputs > 1 && !c.output.empty()) {
		complain("cannot specify -o with -c and several files");
		return 1;
	}
	std::vector<std::string> object(c.args.size());
	int worst = 0;
	for (size_t i : c.sources) {
		const std::string &file = c.args[i];
		std::string named = !c.compile_only ? base(file) + ".o"
		    : c.output.empty()              ? base(file) + ".o"
		                                    : c.output;
		object[i] = c.compile_only ? named : temporary(".o");
		int status = compile_one(c, file == "-" ? save_input() : file, object[i],
		    c.compile_only || c.output.empty() ? named : c.output, asked);
		worst = status > worst ? status : worst;
	}
	if (c.compile_only && c.sources.size() < c.inputs) {
		// assembler and other sources besides the C files
		Strings argv = { real_compiler() };
		for (size_t i = 0; i < c.args.size(); i++)
			if (!c.sources.count(i))
				argv.push_back(c.args[i]);
		int status = run(argv);
		worst = status > worst ? status : worst;
	}
	if (!c.compile_only && !worst)
		return link(c, object);
	remove_temporaries();
	return worst;
}

} // namespace duct
