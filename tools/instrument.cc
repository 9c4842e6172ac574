// instrument: compiles C with probes and a shadow; as a filter for one program, and as a
// compiler for existing builds (--cc).
#include "lib/front/build.h"
#include "lib/front/once.h"
#include "lib/front/parallel.h"
#include "lib/front/serve.h"

extern "C" {
#include "lib/protocol/checks.h"
#include "lib/protocol/criterion.h"
#include "lib/flow/flow.h"
#include "lib/harness/harness.h"
#include "lib/obligation/obligation.h"
}

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <getopt.h>
#include <sstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace duct;

static const char usage_text[] =
    "usage: instrument [-c] [-o OUT] [-O LEVEL] [--quick] [--check LIST] [--check-shadows] [--abstract] [--flows] [--model]\n"
    "                  [--pairs] [--entry FUNC] [--len P=N] [--string P=N] [--may-alias P,Q] [--distinct P,Q] [--global NAME]\n"
    "                  [--init FUNC] [--assume EXPR] [--range P=LOW..HIGH] [--stub FUNC]\n"
    "                  [--narrowing FILE] [--objects DIR] FILE.c... [-- CLANG-FLAG...]\n"
    "       instrument --serve SOCKET --objects DIR ... FILE.c [-- CLANG-FLAG...]\n"
    "       instrument --obligation PAIR [-o OUT] [--protocol NAME] [--scope NAME] [-e FUNC] ... FILE.c...\n"
    "       instrument --cc [--check LIST] [--pairs] [--criterion LIST] [CC-ARGUMENT...]\n";

static const char help_text[] =
    "Compiles C files with probes into a program that run-trace can run, or into objects.\n"
    "  -c                     objects only\n"
    "  -o, --output OUT       the program, or the object of the one file (a.out)\n"
    "  -O, --level LEVEL      0 to 3, of the optimiser before the probes' shadow (1)\n"
    "      --quick            code that is made in less time and takes more to run\n"
    "  -e, --entry FUNC       run FUNC on inputs, by a harness, instead of main\n"
    "      --len P=N          pointer parameter P has N elements\n"
    "      --string P=N       P is a string of at most N characters\n"
    "      --may-alias P,Q    P may be Q\n"
    "      --distinct P,Q     P and Q are never the same object; all: no pointers are\n"
    "      --global NAME      the global NAME is an input\n"
    "      --init FUNC        FUNC is called first\n"
    "      --assume EXPR      holds when the entry is called\n"
    "      --range P=LOW..HIGH, --range P[*]=LOW..HIGH\n"
    "                         the same, for a number, for each element\n"
    "      --stub FUNC        FUNC, which is defined elsewhere, gives any value\n"
    "      --narrowing FILE   write what narrows the inputs to FILE, a line each\n"
    "      --objects DIR      keep objects in DIR for calls with other entries\n"
    "      --serve SOCKET     make such programs with other entries, for who asks there\n"
    "      --check LIST       faults to look for: div,bounds,null,overflow,shift,uninit,leak,\n"
    "                         all, none (div,null)\n"
    "      --abstract         calls of functions may be abstract: see duct latest\n"
    "      --check-shadows    compare every operand with its expression at run time\n"
    "      --flows            tell which inputs flow into one decision\n"
    "      --pairs            tell which definitions reach which uses\n"
    "      --obligation PAIR  write a C program for other checkers: is the pair exercised?\n"
    "      --protocol NAME, --scope NAME\n"
    "                         as with defuse, when pairs were numbered so\n"
    "      --model            library models: weak, hidden, no objectives\n"
    "      --cc ARGS          be a compiler: see instrument(1)\n"
    "  -h, --help             this text\n"
    "  -V, --version          version\n";

enum {
	OPT_LEN = 256,
	OPT_STRING,
	OPT_DISTINCT,
	OPT_ALIAS,
	OPT_GLOBAL,
	OPT_INIT,
	OPT_ASSUME,
	OPT_RANGE,
	OPT_STUB,
	OPT_NARROWING,
	OPT_OBJECTS,
	OPT_SERVE,
	OPT_CHECK,
	OPT_SHADOWS,
	OPT_MODEL,
	OPT_PAIRS,
	OPT_ABSTRACT,
	OPT_FLOWS,
	OPT_QUICK,
	OPT_OBLIGATION,
	OPT_PROTOCOL,
	OPT_SCOPE
};

static const struct option options[] = {
	{ "output", required_argument, nullptr, 'o' },
	{ "level", required_argument, nullptr, 'O' },
	{ "entry", required_argument, nullptr, 'e' },
	{ "len", required_argument, nullptr, OPT_LEN },
	{ "string", required_argument, nullptr, OPT_STRING },
	{ "distinct", required_argument, nullptr, OPT_DISTINCT },
	{ "may-alias", required_argument, nullptr, OPT_ALIAS },
	{ "global", required_argument, nullptr, OPT_GLOBAL },
	{ "init", required_argument, nullptr, OPT_INIT },
	{ "assume", required_argument, nullptr, OPT_ASSUME },
	{ "range", required_argument, nullptr, OPT_RANGE },
	{ "stub", required_argument, nullptr, OPT_STUB },
	{ "narrowing", required_argument, nullptr, OPT_NARROWING },
	{ "objects", required_argument, nullptr, OPT_OBJECTS },
	{ "serve", required_argument, nullptr, OPT_SERVE },
	{ "check", required_argument, nullptr, OPT_CHECK },
	{ "pairs", no_argument, nullptr, OPT_PAIRS },
	{ "quick", no_argument, nullptr, OPT_QUICK },
	{ "obligation", required_argument, nullptr, OPT_OBLIGATION },
	{ "protocol", required_argument, nullptr, OPT_PROTOCOL },
	{ "scope", required_argument, nullptr, OPT_SCOPE },
	{ "abstract", no_argument, nullptr, OPT_ABSTRACT },
	{ "flows", no_argument, nullptr, OPT_FLOWS },
	{ "check-shadows", no_argument, nullptr, OPT_SHADOWS },
	{ "model", no_argument, nullptr, OPT_MODEL },
	{ "help", no_argument, nullptr, 'h' },
	{ "version", no_argument, nullptr, 'V' },
	{ nullptr, 0, nullptr, 0 },
};

struct Settings {
	bool objects = false;
	std::string output, entry = "main", narrowing, kept; // kept: folder of objects
	std::string socket;                                  // where it takes requests
	std::string model;                                   // of the only file, when it was parsed
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

static void usage(const std::string &message)
{
	if (!message.empty())
		complain(message);
	fputs(usage_text, stderr);
	exit(exit_usage);
}

static void finish(int status)
{
	remove_temporaries();
	if (fflush(stdout) != 0 || ferror(stdout)) {
		complain("standard output: write error");
		status = exit_system;
	}
	answer_request(status);
	exit(status);
}

static int level(const char *text)
{
	if (strlen(text) != 1 || *text < '0' || *text > '3')
		usage(std::string("-O ") + text + ": a level is 0 to 3");
	return *text - '0';
}

static uint32_t checks(const char *list)
{
	uint32_t kinds;
	char *error;
	if (checks_parse(list, &kinds, &error))
		return kinds;
	complain(error ? error : "out of memory");
	exit(exit_usage);
}

// Weaves in the checks and pairs that measuring a recorded suite by these criteria needs.
static void add_criteria(CompileOptions &o, const char *list)
{
	char *error;
	uint32_t set = criteria_parse(list, &error);
	if (!set) {
		complain(error ? error : "out of memory");
		exit(exit_usage);
	}
	for (unsigned c = 0; c < CRITERIA; c++) {
		struct defuse_options pairs = {};
		if (!(set >> c & 1))
			continue;
		if (unsigned check = criterion_check((enum criterion)c))
			o.checks |= 1u << check;
		o.pairs |= defuse_set_criterion(&pairs, criterion_name((enum criterion)c));
	}
	o.pairs |= (set & criteria_with(CRITERION_ALL_PAIRS)) != 0;
}

static void take(Settings &s, int option)
{
	char *end;
	switch (option) {
	case 'c': s.objects = true; break;
	case 'o': s.output = optarg; break;
	case 'O': s.compile.weave.level = level(optarg); break;
	case 'e': s.entry = optarg; break;
	case OPT_LEN: s.len.push_back(optarg); break;
	case OPT_STRING: s.string.push_back(optarg); break;
	case OPT_DISTINCT: s.distinct.push_back(optarg); break;
	case OPT_ALIAS: s.alias.push_back(optarg); break;
	case OPT_GLOBAL: s.global.push_back(optarg); break;
	case OPT_INIT: s.init.push_back(optarg); break;
	case OPT_ASSUME: s.assume.push_back(optarg); break;
	case OPT_RANGE: s.range.push_back(optarg); break;
	case OPT_STUB: s.stub.push_back(optarg); break;
	case OPT_NARROWING: s.narrowing = optarg; break;
	case OPT_OBJECTS: s.kept = optarg; break;
	case OPT_SERVE: s.socket = optarg; break;
	case OPT_CHECK: s.compile.checks = checks(optarg); break;
	case OPT_PAIRS: s.compile.pairs = true; break;
	case OPT_QUICK: s.compile.weave.effort = Effort::Quick; break;
	case OPT_SHADOWS: s.compile.weave.check = true; break;
	case OPT_ABSTRACT: s.compile.weave.abstract = true; break;
	case OPT_FLOWS: s.compile.weave.flows = true; break;
	case OPT_MODEL: s.compile.weave.model = true; break;
	case OPT_OBLIGATION:
		s.obligation = strtoul(optarg, &end, 10);
		if (*end || !s.obligation)
			usage(std::string("--obligation ") + optarg + ": not the number of a pair");
		break;
	case OPT_PROTOCOL:
	case OPT_SCOPE:
		if (option == OPT_SCOPE ? !defuse_set_scope(&s.pairs, optarg)
		                        : !defuse_set_protocol(&s.pairs, optarg))
			usage(std::string(option == OPT_SCOPE ? "--scope " : "--protocol ") + optarg
			    + ": there is none such");
		break;
	case 'h':
		fputs(usage_text, stdout);
		fputs(help_text, stdout);
		finish(exit_done);
		break;
	case 'V':
		puts("instrument " DUCT_VERSION);
		finish(exit_done);
		break;
	default: usage("");
	}
}

static bool is_c(const std::string &f)
{
	return f.size() > 2 && (f.substr(f.size() - 2) == ".c" || f.substr(f.size() - 2) == ".i");
}

// Flags after "--" are the compiler's and the linker's.
static void take_flags(Settings &s, int argc, char **argv)
{
	for (int i = 0; i < argc; i++) {
		std::string a = argv[i];
		if (a == "-g")
			s.compile.weave.debug = true;
		s.compile.flags.push_back(a);
		bool two = (a == "-l" || a == "-L" || a == "-Xlinker") && i + 1 < argc;
		if (two || !a.compare(0, 2, "-l") || !a.compare(0, 2, "-L")
		    || !a.compare(0, 4, "-Wl,") || a == "-static" || a == "-pthread"
		    || a == "-no-pie" || a == "-pie") {
			s.compile.flags.pop_back();
			if (a == "-static")
				complain(a + " is left out: probes need the dynamic linker");
			else
				s.link.push_back(a);
			if (two)
				s.link.push_back(argv[++i]);
			if (a == "-pthread")
				s.compile.flags.push_back(a);
		}
	}
	s.compile.weave.level = level_of(s.compile.flags, s.compile.weave.level);
}

static Settings parse(int argc, char **argv)
{
	Settings s;
	s.compile.checks = CHECKS_DEFAULT;
	int flags = argc, c;
	for (int i = 1; i < argc && flags == argc; i++)
		if (!strcmp(argv[i], "--"))
			flags = i;
	int count = flags;
	while ((c = getopt_long(count, argv, "co:O:e:hV", options, nullptr)) != -1)
		take(s, c);
	for (int i = optind; i < count; i++)
		(is_c(argv[i]) ? s.files : s.link).push_back(argv[i]);
	if (flags < argc)
		take_flags(s, argc - flags - 1, argv + flags + 1);
	if (s.compile.weave.model)
		s.compile.checks = 0;
	if (s.files.empty() && (s.objects || s.link.empty()))
		usage("no C file");
	if (!s.socket.empty() && (s.kept.empty() || s.files.size() != 1))
		usage("--serve takes --objects and one C file");
	if (s.files.empty() && s.entry != "main")
		usage("--entry " + s.entry + ": no C file that may hold it");
	if (s.objects && s.files.size() > 1 && !s.output.empty())
		usage("-o with -c takes one file");
	for (const std::string &f : s.files)
		if (access(f.c_str(), R_OK) != 0) {
			complain(f + ": " + strerror(errno));
			finish(exit_system);
		}
	return s;
}

static struct flow *read_flow(const std::string &text, const std::string &name)
{
	char *error = nullptr;
	FILE *f = fmemopen(const_cast<char *>(text.data()), text.size(), "r");
	struct flow *fl = f ? flow_read(f, name.c_str(), &error) : nullptr;
	if (f)
		fclose(f);
	if (!fl) {
		complain(error ? error : name + ": out of memory");
		finish(exit_input);
	}
	return fl;
}

static void write_narrowing(const Settings &s, const char *text)
{
	if (s.narrowing.empty())
		return;
	std::ofstream f(s.narrowing);
	f << (text ? text : "");
	f.close();
	if (!f) {
		complain(s.narrowing + ": cannot write");
		finish(exit_system);
	}
}

// A harness plan as a field of a record of the model.
static void tell(Settings &s, const std::string &key, const std::string &lines)
{
	s.compile.told.push_back(key + " " + escaped(lines));
}

// The model of all files; the caller frees it.
static struct flow *load_all(const Settings &s)
{
	Strings paths;
	std::stringstream all;
	if (s.flow)
		return s.flow;
	if (!s.model.empty())
		return read_flow(s.model, s.files[0]);
	for (const std::string &f : s.files)
		paths.push_back(
		    s.kept.empty() ? temporary(".flow") : kept_model(s.kept, f, s.compile.flags));
	int status = in_parallel(s.files.size(),
	    [&](size_t i) { return load_kept(paths[i], s.files[i], s.compile.flags); });
	if (status != exit_done)
		finish(status);
	for (const std::string &path : paths)
		all << std::ifstream(path).rdbuf();
	return read_flow(all.str(), s.files[0]);
}

// Symbols that nothing defines are in libm, or get a stub.
static void take_undefined(Settings &s, const Strings &names)
{
	s.stubs = "";
	s.undefined.insert(s.undefined.end(), names.begin(), names.end());
	for (const std::string &name : s.undefined)
		if (!in_libm(name))
			s.stubs += (s.stubs.empty() ? "" : "\n") + name;
		else if (s.link.empty() || s.link.back() != "-lm")
			s.link.push_back("-lm");
}

// The harness, and the index of the file to which it is appended.
static std::string harness(Settings &s, size_t &where)
{
	struct flow *fl = load_all(s);
	if (s.link.empty() && s.undefined.empty() && s.stub.empty())
		take_undefined(s, undefined_in(fl, s.files));
	char *undefined = harness_undefined(fl, s.entry.c_str(), s.stubs.c_str());
	s.stubs = undefined;
	free(undefined);
	tell_missing(s.stubs, fl);
	auto list = [](std::vector<const char *> l) {
		l.push_back(nullptr);
		return l;
	};
	std::vector<const char *> len = list(s.len), string = list(s.string), alias = list(s.alias),
	                          distinct = list(s.distinct), global = list(s.global),
	                          init = list(s.init), assume = list(s.assume),
	                          range = list(s.range), stub = list(s.stub);
	struct harness_options o = { s.entry.c_str(), len.data(), string.data(), alias.data(),
		distinct.data(), global.data(), init.data(), assume.data(), range.data(),
		stub.data() };
	char *watched = harness_watched(fl, &o), *narrowing = nullptr, *error = nullptr,
	     *setters = s.entry == "main" ? strdup("") : flow_setters(fl, s.entry.c_str()),
	     *casts = s.entry == "main" ? strdup("") : flow_casts(fl, s.entry.c_str()),
	     *compared = s.entry == "main" ? strdup("") : flow_compared(fl, s.entry.c_str()),
	     *libraries = harness_libraries(fl, s.entry.c_str(), s.stubs.c_str());
	for (size_t i = 0; i < fl->units; i++) {
		fl->unit[i].watched = strdup(watched);
		fl->unit[i].setters = strdup(setters);
		fl->unit[i].casts = strdup(casts);
		fl->unit[i].compared = strdup(compared);
		fl->unit[i].libraries = strdup(libraries);
		fl->unit[i].stubs = s.stubs.empty() ? nullptr : strdup(s.stubs.c_str());
	}
	char *text = harness_text(fl, &o, &narrowing, &error);
	if (!text) {
		complain(error ? error : "no harness");
		finish(exit_usage);
	}
	write_narrowing(s, narrowing);
	s.compile.told.clear();
	if (s.entry != "main") {
		tell(s, "entry", s.entry);
		tell(s, "narrowing", narrowing);
	}
	if (!s.stubs.empty())
		tell(s, "stubs", s.stubs);
	if (*watched)
		tell(s, "watched", watched);
	if (*setters)
		tell(s, "setters", setters);
	if (*casts)
		tell(s, "casts", casts);
	if (*compared)
		tell(s, "compared", compared);
	if (*libraries)
		tell(s, "libraries", libraries);
	const struct flow_unit *unit = nullptr;
	flow_find(fl, s.entry.c_str(), &unit);
	where = unit ? unit - fl->unit : 0;
	s.compile.names = names_for_message(fl, s.entry);
	std::string out = text;
	free(text);
	free(narrowing);
	free(watched);
	free(setters);
	free(casts);
	free(compared);
	free(libraries);
	flow_free(fl);
	return out;
}

// Is code kept that programs with other entries share?
static bool shares_code(const Settings &s)
{
	return !s.kept.empty() && !s.objects && !s.obligation && s.entry != "main"
	    && !s.compile.weave.abstract && !s.compile.weave.flows;
}

// Is the program just one C file, so that nothing outside of it can call its functions?
static bool is_alone(const Settings &s)
{
	return s.files.size() == 1 && s.link.empty() && !s.objects && !s.obligation
	    && !shares_code(s);
}

static std::string object_name(const std::string &file)
{
	size_t slash = file.rfind('/');
	std::string name = slash == std::string::npos ? file : file.substr(slash + 1);
	return name.substr(0, name.size() - 2) + ".o";
}

// Makes the objects of all files, but those that are kept; the harness, if there is one, is behind
// file `where`. What the model tells of the entry is in the unit that has the harness. beside: its
// objects, if they were made.
static int make_objects(
    const Settings &s, size_t where, Strings &objects, const Strings *beside = nullptr)
{
	CompileOptions plain = s.compile;
	std::vector<Strings> of(s.files.size());
	bool kept = !s.kept.empty() && !s.objects && !is_alone(s), shares = shares_code(s);
	plain.appended = "";
	if (kept && s.entry != "main")
		plain.told.clear();
	for (size_t i = 0; i < s.files.size(); i++) {
		std::string path = kept_object(s.kept, s.files[i], plain);
		if (shares)
			of[i] = { path, own_object(path) };
		else if (kept && i != where)
			of[i] = { path };
		else
			of[i] = { !s.objects           ? temporary(".o")
				    : s.output.empty() ? object_name(s.files[i])
				                       : s.output };
	}
	int worst = in_parallel(s.files.size(), [&](size_t i) {
		return shares            ? compile_code(of[i][0], s.files[i], plain)
		    : kept && i != where ? compile_kept(of[i][0], s.files[i], plain)
		    : i == where         ? compile(s.files[i], of[i][0], s.compile)
		                         : compile(s.files[i], of[i][0], plain);
	});
	if (beside) {
		of[where] = *beside;
	} else if (worst == exit_done && shares) {
		std::string code = of[where][0];
		worst = compile_beside(code, s.files[where], temporary(".o"), s.compile, of[where]);
	}
	objects.clear();
	for (const Strings &own : of)
		objects.insert(objects.end(), own.begin(), own.end());
	return worst;
}

// Takes what is known of other programs that have the same code.
static void recall_undefined(Settings &s)
{
	s.shared_by = s.files;
	for (const Strings &more : { s.compile.flags, s.link })
		s.shared_by.insert(s.shared_by.end(), more.begin(), more.end());
	for (const std::vector<const char *> &texts : { s.global, s.init, s.assume, s.range })
		s.shared_by.insert(s.shared_by.end(), texts.begin(), texts.end());
	take_undefined(s, kept_undefined(s.kept, s.shared_by));
}

// The harness behind file `where` has the stubs, which are told.
static bool resolve(Settings &s, const Strings &undefined, Strings &objects, size_t &where)
{
	take_undefined(s, undefined);
	if (shares_code(s))
		keep_undefined(s.kept, s.shared_by, s.undefined);
	if (s.stubs.empty())
		return true;
	s.compile.appended = harness(s, where);
	if (shares_code(s))
		return make_objects(s, where, objects) == exit_done;
	objects[where] = temporary(".o");
	return compile(s.files[where], objects[where], s.compile) == exit_done;
}

static Strings defined_functions(Settings s)
{
	s.compile.flags.push_back("-w"); // warnings were printed before
	struct flow *fl = load_all(s);
	Strings names = functions_for_message(fl);
	flow_free(fl);
	return names;
}

static int refuse_without_main(const Settings &s)
{
	if (s.files.empty()) {
		complain("no main in " + joined(s.link));
		return exit_usage;
	}
	Strings names = defined_functions(s);
	complain("no main in " + joined(s.files)
	    + (names.empty() ? ": no function is defined there"
	                     : "; choose an entry with --entry: " + joined(names)));
	return exit_usage;
}

static int link_objects(Settings &s, Strings &objects, size_t where)
{
	std::string output = s.output.empty() ? "a.out" : s.output;
	Strings undefined;
	int status = link_program(output, objects, s.link, s.compile.weave.flows, &undefined);
	if (status == exit_done || undefined.empty())
		return status;
	if (std::find(undefined.begin(), undefined.end(), "main") != undefined.end())
		return refuse_without_main(s);
	if (!resolve(s, undefined, objects, where))
		return exit_input;
	return link_program(output, objects, s.link, s.compile.weave.flows);
}

// Instead of the program the question whether the pair is exercised.
static int write_obligation(Settings &s, const std::string &program)
{
	char *error = nullptr;
	FILE *f = s.output.empty() ? stdout : fopen(s.output.c_str(), "w");
	s.pairs.alias.entry = s.entry.c_str();
	s.pairs.alias.may_alias = s.alias.size() > 1; // the last one ends the list
	int status = f ? obligation_of_program(f, program.c_str(), &s.pairs, s.obligation, &error)
	               : exit_system;
	if (!f || (f != stdout && fclose(f) != 0)) {
		complain(s.output + ": " + strerror(errno));
		return exit_system;
	}
	if (status) {
		complain(error ? error : "out of memory");
		if (f != stdout)
			remove(s.output.c_str());
	}
	free(error);
	return status;
}

// Is there just one file to compile, so that it can be parsed once for its model and with the
// harness?
static bool parses_once(const Settings &s)
{
	return s.files.size() == 1 && s.kept.empty() && s.entry != "main";
}

// The harness, when the file has been parsed; again in each further attempt to compile it.
static const std::string &ask_harness(Settings &s)
{
	static const std::string nothing;
	size_t where;
	if (!s.compile.appended.empty())
		return s.compile.appended;
	int status = model_so_far(s.model);
	if (status == copy)
		return nothing;
	if (status != exit_done)
		finish(status);
	return s.compile.appended = harness(s, where);
}

// Settings that follow from the options, and the harness; `where` becomes the index of the file
// that the harness is appended to.
static void prepare(Settings &s, size_t &where)
{
	s.compile.weave.own = getenv("DUCT_OWN_CALLS") != nullptr;
	if (!s.kept.empty())
		mkdir(s.kept.c_str(), 0777);
	where = s.files.size();
	if (shares_code(s))
		recall_undefined(s);
	if (parses_once(s)) {
		where = 0;
		s.compile.ask = [&s]() -> const std::string & { return ask_harness(s); };
	} else if (s.entry != "main") {
		s.compile.appended = harness(s, where);
	}
	if (s.entry != "main") {
		s.compile.weave.entry = "duct_harness";
		s.compile.start = is_alone(s) ? "duct_harness" : "";
	} else {
		write_narrowing(s, "");
	}
}

// The words of a request, which stay.
static Settings parse_request(const Strings &words)
{
	static Strings kept;
	kept = words;
	std::vector<char *> argv = { const_cast<char *>("instrument") };
	for (std::string &w : kept)
		argv.push_back(w.data());
	argv.push_back(nullptr);
	optind = 0;
	return parse(argv.size() - 1, argv.data());
}

// Makes programs that share the code of one file, each in a copy of this process for who asks for
// it. A copy that cannot make its program ends without an answer.
static int serve(const Settings &s)
{
	const std::string &file = s.files[0];
	CompileOptions o = s.compile;
	o.weave.entry = "duct_harness";
	std::string code = kept_object(s.kept, file, o);
	Settings own;
	size_t where = 0;
	Strings words, beside, objects;

	int at = listen_at(s.socket);
	if (at < 0)
		return exit_system;
	mkdir(s.kept.c_str(), 0777);
	setenv("TMPDIR", s.kept.c_str(), 1); // copies may be killed
	int status = load_kept(kept_model(s.kept, file, o.flags), file, o.flags);
	if (status != exit_done || (status = compile_code(code, file, o)) != exit_done)
		return status;
	struct flow *alone = load_all(s);
	o.ask = [&]() -> const std::string & {
		if (!words.empty())
			return o.appended;
		await_request(at, words);
		own = parse_request(words);
		if (own.files.size() == 1) // each copy has one of its own
			own.flow = alone;
		prepare(own, where);
		own.flow = nullptr;
		if (!shares_code(own) || where >= own.files.size() || own.files[where] != file
		    || kept_object(own.kept, file, own.compile) != code)
			_exit(exit_system);
		o.told = own.compile.told;
		o.names = own.compile.names;
		o.weave = own.compile.weave;
		return o.appended = own.compile.appended;
	};
	status = compile_own(code, file, o, beside);
	if (status == exit_done)
		status = make_objects(own, where, objects, &beside);
	if (status == exit_done)
		status = link_objects(own, objects, where);
	if (status != exit_done) {
		remove_temporaries();
		_exit(exit_system);
	}
	return status;
}

int main(int argc, char **argv)
{
	if (argc > 1 && !strcmp(argv[1], "--cc")) {
		CompileOptions asked;
		int i = 2;
		asked.checks = CHECKS_DEFAULT;
		asked.weave.check = getenv("DUCT_CHECK_SHADOWS") != nullptr;
		asked.pairs = getenv("DUCT_PAIRS") != nullptr;
		if (const char *list = getenv("DUCT_CRITERION"))
			add_criteria(asked, list);
		complain_as("duct cc");
		for (; i < argc; i++)
			if (!strcmp(argv[i], "--pairs"))
				asked.pairs = true;
			else if (!strcmp(argv[i], "--check") && i + 1 < argc)
				asked.checks = checks(argv[++i]);
			else if (!strcmp(argv[i], "--criterion") && i + 1 < argc)
				add_criteria(asked, argv[++i]);
			else
				break;
		return compiler(Strings(argv + i, argv + argc), asked);
	}
	Settings s = parse(argc, argv);
	if (!s.socket.empty())
		finish(serve(s));
	size_t where;
	prepare(s, where);
	Strings objects;
	int worst = make_objects(s, where, objects);
	if (worst == exit_done && s.obligation) {
		Settings program = s;
		program.output = temporary("");
		worst = link_objects(program, objects, where);
		worst = worst == exit_done ? write_obligation(s, program.output) : worst;
	} else if (worst == exit_done && !s.objects) {
		worst = link_objects(s, objects, where);
	}
	finish(worst);
}
