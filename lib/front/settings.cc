// settings: the options of instrument.
#include "lib/front/settings.h"
#include "lib/front/once.h"
#include "lib/front/serve.h"

extern "C" {
#include "lib/protocol/checks.h"
#include "lib/protocol/criterion.h"
}

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <getopt.h>
#include <unistd.h>

namespace duct
{

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
    "  -O, --level LEVEL      0 to 3: how much to optimise before probes are added (1)\n"
    "      --quick            compile in less time, to slower code\n"
    "  -e, --entry FUNC       run FUNC on inputs, by a harness, instead of main\n"
    "      --len P=N          pointer parameter P has N elements\n"
    "      --string P=N       P is a string of at most N characters\n"
    "      --may-alias P,Q    P may be Q\n"
    "      --distinct P,Q     P and Q are never the same object; all: no pointers are\n"
    "      --global NAME      the global NAME is an input\n"
    "      --init FUNC        FUNC is called first\n"
    "      --assume EXPR      holds when the entry is called\n"
    "      --range P=LOW..HIGH, --range P[*]=LOW..HIGH\n"
    "                         the same for a number, or for each element of an array\n"
    "      --stub FUNC        FUNC, which is defined elsewhere, gives any value\n"
    "      --narrowing FILE   write the restrictions of the inputs to FILE, one a line\n"
    "      --objects DIR      keep objects in DIR for calls with other entries\n"
    "      --serve SOCKET     make programs with other entries, for clients at SOCKET\n"
    "      --check LIST       faults to look for: div,bounds,null,overflow,shift,uninit,leak,\n"
    "                         all, none (div,null)\n"
    "      --abstract         calls of functions may be abstract: see duct latest\n"
    "      --check-shadows    compare every operand with its expression at run time\n"
    "      --flows            record which inputs flow into one decision\n"
    "      --pairs            record which definitions reach which uses\n"
    "      --obligation PAIR  write a C program for other checkers: is the pair exercised?\n"
    "      --protocol NAME, --scope NAME\n"
    "                         the options of defuse with which the pairs were numbered\n"
    "      --model            library models: weak, hidden, no objectives\n"
    "      --cc ARGS          act as a compiler: see instrument(1)\n"
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

static void usage(const std::string &message)
{
	if (!message.empty())
		complain(message);
	fputs(usage_text, stderr);
	exit(exit_usage);
}

void finish(int status)
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
	complain(error);
	exit(exit_usage);
}

// Weaves in the checks and pairs that measuring a recorded suite by these criteria needs.
static void add_criteria(CompileOptions &o, const char *list)
{
	char *error;
	uint32_t set = criteria_parse(list, &error);
	if (!set) {
		complain(error);
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
			    + ": unknown; "
			    + (option == OPT_SCOPE ? "intra or inter" : "default or paper"));
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

Settings settings_of(int argc, char **argv)
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
	if (s.compile.weave.model) {
		s.compile.checks = 0;
		s.compile.weave.effort = Effort::Steady;
	}
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

int compile_as_asked(int argc, char **argv)
{
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

} // namespace duct
