#include "lib/help/help.h"

#include <string.h>

static const char commands[] =
    "duct finds inputs for every branch and def-use pair of C functions, proves that there are none, or says why it\n"
    "does not know; and writes the inputs as tests in plain C.\n"
    "\n"
    "  duct test FILE.c[:FUNC]...         tests of a function, or of each function, in FILE-duct/\n"
    "  duct report STORE                  what was found: --html DIR, --pairs, --json, --sarif FILE, ...\n"
    "  duct plan FILE.c                   what can be tested: functions, their inputs, what is missing\n"
    "  duct cc ARGUMENTS...               compiles as your build does: make CC=\"duct cc --pairs\"\n"
    "  duct cover --store FILE -- COMMAND records what the tests that you have cover\n"
    "  duct diff OLD NEW                  what was lost and gained between two stores\n"
    "\n"
    "One strategy alone: duct dft|concolic|flowtest|latest|ippc|late-aliases|random FILE.c... [OPTIONS] [-- FLAGS...]\n"
    "More: duct recount, farm, doctor, completion, prove, and the filters cfg-dump, instrument, run-trace, solve, defuse,\n"
    "cutpoints, credit, distance, partition, cover, report.\n"
    "\n"
    "Read on: duct test --help, duct report --help; man duct (options), man 7 duct (introduction), man duct-adopt (a project).\n";

/* In the order of printing. A row without a name starts a group. */
static const struct line {
	const char *name, *value, *what;
} lines[] = {
	{ NULL, NULL, "What to test" },
	{ "entry", "FUNC", "the function under test, main by default (-e)" },
	{ "compile-commands", "DIR",
	    "flags from DIR/compile_commands.json, or what duct cc made there (-p)" },
	{ "setup", "FILE", "options about the inputs; FILE.duct.lua beside FILE.c by default" },
	{ "stub", "FUNC", "replace an undefined function: its results are inputs" },
	{ "init", "FUNC", "a function that is called first" },
	{ "global", "NAME", "a global variable is an input" },
	{ NULL, NULL, "Which inputs" },
	{ "len", "P=N", "P points to N elements" },
	{ "string", "P=N", "P is a string of at most N characters" },
	{ "may-alias", "P,Q", "these may point to the same object" },
	{ "distinct", "P,Q", "P and Q are never the same object; all: no pointers are" },
	{ "assume-needs", NULL, "assume what functions need of their callers" },
	{ "calls", "N", "the entry is called N times, from the program's initial state" },
	{ "objects", "N", "a run makes at most N objects for pointers" },
	{ "args", "N", "the program has at most N arguments" },
	{ "pointer-depth", "N", "how far pointers in structures are followed" },
	{ "assume", "EXPR", "only inputs for which this C expression holds" },
	{ "range", "P=A..B", "only values between these" },
	{ "argument", "TEXT", "a fixed argument of the program" },
	{ "arg", "I=N", "argument I is an input of at most N characters" },
	{ "stdin", "N", "standard input is an input of at most N bytes" },
	{ "file", "NAME=N", "the content of a file is an input" },
	{ "env", "NAME=N", "a variable of the environment is an input" },
	{ "input", "LIST", "time, random or short reads are inputs" },
	{ "faults", "N", "up to N calls of the system fail" },
	{ "corpus", "DIR", "begin with these files as inputs" },
	{ NULL, NULL, "How long" },
	{ "time", "SECONDS", "of the whole call, 60 by default (-t)" },
	{ "runs", "N", "most runs of the program (-n)" },
	{ "depth", "N", "most conditions on inputs in a run" },
	{ "steps", "N", "most basic blocks in a run" },
	{ "timeout", "SECONDS", "time limit of a run" },
	{ "memory", "BYTES", "memory limit of a run" },
	{ "output", "BYTES", "limit of the output of a run" },
	{ "confine", "LEVEL",
	    "confinement of runs: full (the default), some (not from files), none" },
	{ "query-timeout", "SECONDS", "time limit of a solver query" },
	{ "jobs", "N", "processes that share the paths of a session" },
	{ NULL, NULL, "What comes out" },
	{ "out", "DIR", "tests in C, with a Makefile (-o)" },
	{ "force", NULL, "write even to a folder with files that duct did not write" },
	{ "format", "NAME", "test framework: assert, cmocka, unity, check, criterion" },
	{ "keep", "all|new", "a test for each path, or those that cover or find something new" },
	{ "store", "FILE", "keeps all results; a later call continues from them (-S)" },
	{ "resume", NULL, "continue with a store, which must exist" },
	{ "once", NULL, "only report what the store has, if the same was asked before" },
	{ "json", NULL, "one JSON object instead of the summary (-j)" },
	{ "stats", NULL, "add counters of runs and queries, and CPU time" },
	{ "quiet", NULL, "show no progress (-q)" },
	{ "fail-under", "PERCENT",
	    "exit status 1 when fewer of the feasible outcomes are covered" },
	{ "fail-on", "finding|unknown", "exit status 1 when there is one" },
	{ NULL, NULL, "Objectives and faults" },
	{ "check", "LIST", "faults: div, bounds, null, overflow, shift, uninit, leak, all, none" },
	{ "prove", NULL, "a model checker proves what is infeasible" },
	{ "criterion", "LIST", "mcdc, decisions, all-defs, data-coupling, ...: see man criteria" },
	{ "target", "FILE:LINE[:COL]|FUNC",
	    "only an input that gets there, or a proof that none does" },
	{ "changed", "REV", "the same for lines that are new since this revision of git" },
	{ "trace", "FILE", "the same for the innermost place of a stack trace of gdb or ASan" },
	{ "property", "FILE", "the goals of a property file of Test-Comp or SV-COMP" },
	{ "pair", "N", "only this pair, by its number in pairs(5)" },
	{ "var", "NAME", "only pairs of this variable" },
	{ "protocol", "NAME", "the definition of pairs: default, paper" },
	{ "scope", "NAME", "pairs within functions or across calls: intra, inter" },
	{ "one-pair", NULL, "dft as in the paper: a search for each pair" },
	{ NULL, NULL, "How it is searched" },
	{ "search", "NAME", "mix, dfs, bfs, coverage, cpgs, sdgs, rss, ... (-s)" },
	{ "seed", "N", "of all random choices" },
	{ "partial", "[paper]", "partial path constraints (ippc); paper: exactly Algorithm 2" },
	{ "refine", "NAME",
	    "which violated conditions --partial adds: first, last, all, shared, paper" },
	{ "aliases", "NAME",
	    "addresses that depend on inputs: late, la (as the paper), early, fix" },
	{ "abstract", "LIST",
	    "functions whose calls latest and dft abstract at first: all, none, names" },
	{ "partition", NULL, "vary only inputs together that flow into one decision (flowtest)" },
	{ "blocks", "FILE", "begin with these blocks of inputs" },
	{ "check-partition", "FILE", "report flows between these blocks of inputs" },
	{ "fixed", "NAME=N", "value of inputs while others vary; random: random values" },
	{ "layers", "LIST", "layers of the solver, or none" },
	{ "engines", "LIST", "engines of the solver: sat, z3, boolector" },
	{ "cross", NULL, "ask all engines and compare" },
	{ "pipes", NULL, "run run-trace and solve as separate processes" },
	{ NULL, NULL, "Several machines (duct farm)" },
	{ "shares", "N", "print N lines for each entry" },
	{ "stores", "DIR", "folder of the stores" },
	{ "merge", "OUT", "merge stores into OUT" },
	{ "share", "K/N", "the K-th of N shares of the paths" },
	{ "session", "N", "of prove --check: which session" },
};
enum { LINES = sizeof lines / sizeof *lines };

#define INPUTS \
	"len string may-alias distinct assume-needs global init assume range stub setup calls objects args pointer-depth " \
	"stdin file arg env argument faults input "

/* The options that each command accepts; with a leading -, all options but these. The last row is
 * for strategies. */
static const struct {
	const char *command, *options;
} taken[] = {
	{ "plan", INPUTS "entry compile-commands json" },
	{ "diff", "json" },
	{ "mutants", "" },
	{ "recount", "json confine time" },
	{ "doctor", "json" },
	{ "completion", "" },
	{ "cc", "" },
	{ "help", "" },
	{ "check", "store session seed time runs" },
	{ "audit", "store session seed time runs" },
	{ "cross", "store session seed time runs" },
	{ "test", "-session merge shares stores share jobs once resume one-pair pipes" },
	{ "farm", "-session" },
	{ NULL, "-session merge shares stores" },
};

/* Help texts of options that mean something else to one command than to the others. */
static const struct {
	const char *command, *option, *what;
} apart[] = {
	{ "diff", "json", "one JSON object for each difference, on a line of its own (-j)" },
	{ "recount", "json", "one JSON object for each entry, on a line of its own (-j)" },
	{ "recount", "time", "stop after S seconds (60)" },
	{ "plan", "json", "one JSON object for each function, on a line of its own (-j)" },
	{ "doctor", "json", "one JSON object for each program, on a line of its own (-j)" },
};

static const char *meaning(const char *command, const struct line *l)
{
	for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
		if (!strcmp(apart[i].command, command) && !strcmp(apart[i].option, l->name))
			return apart[i].what;
	return l->what;
}

static bool has_word(const char *list, const char *word)
{
	size_t n = strlen(word), k;

	for (; *list; list += k + (list[k] == ' ')) {
		k = strcspn(list, " ");
		if (k == n && !memcmp(list, word, n))
			return true;
	}
	return false;
}

bool help_takes(const char *command, const char *option)
{
	size_t i = 0;
	const char *list;

	while (taken[i].command && strcmp(taken[i].command, command))
		i++;
	list = taken[i].options;
	return *list == '-' ? !has_word(list + 1, option) : has_word(list, option);
}

void help_commands(FILE *f)
{
	fputs(commands, f);
}

/* Does the command accept an option of the group that starts at line i? */
static bool group_has(size_t i, const char *command)
{
	for (i++; i < LINES && lines[i].name; i++)
		if (help_takes(command, lines[i].name))
			return true;
	return false;
}

static const struct {
	const char *command, *text;
} usages[] = {
	{ "test",
	    "FILE.c[:FUNC]... | BUILD-FOLDER [OPTIONS] [-- CLANG-FLAGS...]\n"
	    "Writes tests of each FUNC, or of each function in the files, main included: searches for inputs, and proves that\n"
	    "there are none (dft --prove). Tests, a page and the store go to FILE-duct/ or --out; repeating the call continues.\n"
	    "Without files: what duct.lua says, in this folder or above (duct(1))." },
	{ "plan",
	    "FILE.c... [OPTIONS] [-- CLANG-FLAGS...]\n"
	    "Lists the functions that can be entries, their inputs, the limits on these, and the parts of the environment that they use." },
	{ "diff",
	    "OLD NEW [--json]\nLists what differs between two stores; status 1 when coverage was lost or something new was found." },
	{ "mutants",
	    "STORE\nCompiles each mutant that the tests of a store kill weakly, runs these tests, and says which mutants survive." },
	{ "recount",
	    "STORE\nBuilds the tests of a store with the untouched sources and clang's coverage, runs them, and compares: what they\n"
	    "do not take there is unknown from then on; status 1 when there is such an objective." },
	{ "doctor",
	    "[--json]\nLists the programs and libraries that duct uses, and which of them are installed." },
	{ "completion",
	    "bash|zsh|fish\nPrints a completion script for the shell: `. <(duct completion bash)`." },
	{ "farm",
	    "STRATEGY FILE.c... [OPTIONS] [-- CLANG-FLAGS...], or duct farm --merge OUT STORE...\n"
	    "Prints commands that can be run independently, one on each line; --merge makes one store of theirs." },
};

void help_options(FILE *f, const char *command)
{
	size_t k = 0;

	while (k < sizeof usages / sizeof *usages && strcmp(usages[k].command, command))
		k++;
	fprintf(f, "usage: duct %s %s\n", command,
	    k < sizeof usages / sizeof *usages ? usages[k].text
	                                       : "FILE.c... [OPTIONS] [-- CLANG-FLAGS...]");
	for (size_t i = 0; i < LINES; i++) {
		const struct line *l = &lines[i];
		int width =
		    l->name ? (int)(strlen(l->name) + (l->value ? strlen(l->value) + 1 : 0)) : 0;
		if (l->name && help_takes(command, l->name))
			fprintf(f, "  --%s%s%s%*s%s\n", l->name, l->value ? " " : "",
			    l->value ? l->value : "", width < 24 ? 26 - width : 2, "",
			    meaning(command, l));
		else if (!l->name && group_has(i, command))
			fprintf(f, "%s\n", l->what);
	}
}
