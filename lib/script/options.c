#include "lib/script/options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/words.h"
#include "lib/help/help.h"
#include "lib/script/script.h"

/* MODE: a flag that may be followed by a mode */
enum option_kind { FLAG, MODE, STRING, PATH, NUMBER, COUNT, POSITIVE, SIZE, LIST, LATER };

/* Options of strategies and commands. `key` is the field in the scripts' table of options, by
 * default the name. */
static const struct option_row {
	const char *name;
	enum option_kind kind;
	int letter;
	const char *key;
} table[] = {
	{ "entry", STRING, 'e', NULL },
	{ "search", STRING, 's', NULL },
	{ "compile-commands", PATH, 'p', "database" },
	{ "store", PATH, 'S', NULL },
	{ "out", PATH, 'o', NULL },
	{ "format", STRING, 0, NULL },
	{ "time", NUMBER, 't', NULL },
	{ "runs", COUNT, 'n', NULL },
	{ "seed", COUNT, 0, NULL },
	{ "session", POSITIVE, 0, NULL },
	{ "resume", FLAG, 0, NULL },
	{ "json", FLAG, 'j', NULL },
	{ "quiet", FLAG, 'q', NULL },
	{ "stats", FLAG, 0, NULL },
	{ "force", FLAG, 0, NULL },
	{ "fail-under", NUMBER, 0, "fail_under" },
	{ "fail-on", STRING, 0, "fail_on" },
	{ "keep", STRING, 0, NULL },
	/* shape of the inputs */
	{ "len", LIST, 0, NULL },
	{ "string", LIST, 0, NULL },
	{ "may-alias", LIST, 0, "may_alias" },
	{ "distinct", LIST, 0, "distinct" },
	{ "assume-needs", FLAG, 0, "assume_needs" },
	{ "global", LIST, 0, NULL },
	{ "init", LIST, 0, NULL },
	{ "assume", LIST, 0, NULL },
	{ "range", LIST, 0, NULL },
	{ "stub", LIST, 0, NULL },
	{ "setup", STRING, 0, NULL },
	{ "calls", POSITIVE, 0, NULL },
	{ "objects", POSITIVE, 0, NULL },
	{ "args", POSITIVE, 0, NULL },
	{ "pointer-depth", COUNT, 0, "pointer_depth" },
	/* environment of the runs */
	{ "stdin", COUNT, 0, NULL },
	{ "file", LIST, 0, NULL },
	{ "arg", LIST, 0, NULL },
	{ "env", LIST, 0, NULL },
	{ "argument", LIST, 0, "argv" },
	{ "faults", COUNT, 0, NULL },
	{ "input", LIST, 0, NULL },
	{ "corpus", PATH, 0, NULL },
	{ "aliases", STRING, 0, NULL },
	/* bounds */
	{ "depth", POSITIVE, 0, NULL },
	{ "steps", POSITIVE, 0, NULL },
	{ "timeout", NUMBER, 0, NULL },
	{ "memory", SIZE, 0, NULL },
	{ "output", SIZE, 0, NULL },
	{ "confine", STRING, 0, NULL },
	/* pairs */
	{ "criterion", STRING, 0, NULL },
	{ "target", LIST, 0, NULL },
	{ "changed", STRING, 0, NULL },
	{ "trace", STRING, 0, NULL },
	{ "property", STRING, 0, NULL },
	{ "pair", LIST, 0, NULL },
	{ "var", LIST, 0, NULL },
	{ "protocol", STRING, 0, NULL },
	{ "scope", STRING, 0, NULL },
	{ "one-pair", FLAG, 0, "one_pair" },
	/* solving */
	{ "layers", STRING, 0, NULL },
	{ "engines", STRING, 0, NULL },
	{ "cross", FLAG, 0, NULL },
	{ "partial", MODE, 0, NULL },
	{ "refine", STRING, 0, NULL },
	{ "check", STRING, 0, NULL },
	{ "abstract", LIST, 0, NULL },
	{ "query-timeout", NUMBER, 0, "query_timeout" },
	{ "pipes", FLAG, 0, NULL },
	{ "prove", FLAG, 0, NULL },
	/* blocks of inputs */
	{ "partition", FLAG, 0, NULL },
	{ "blocks", PATH, 0, NULL },
	{ "fixed", LIST, 0, NULL },
	{ "check-partition", PATH, 0, "check_partition" },
	/* several processes */
	{ "jobs", POSITIVE, 0, NULL },
	{ "share", PATH, 0, NULL },
	{ "once", FLAG, 0, NULL },
	{ "shares", POSITIVE, 0, NULL },
	{ "stores", PATH, 0, NULL },
	{ "merge", PATH, 0, NULL },
	/* reserved for later versions */
	{ "with", LATER, 0, NULL },
};
#define ROWS (sizeof table / sizeof *table)

/* The mode of --partial. */
static const char partial_mode[] = "paper";

/* Sets an option; false when the value is malformed. */
static bool set(struct script *s, const struct option_row *row, const char *value)
{
	const char *key = row->key ? row->key : row->name;
	char *end = NULL;
	switch (row->kind) {
	case FLAG: script_flag(s, key); return true;
	case MODE:
		script_flag(s, key);
		if (value)
			script_string(s, "partial_mode", value);
		return !value || !strcmp(value, partial_mode);
	case PATH:
	case STRING: script_string(s, key, value); return row->kind != PATH || *value;
	case LIST: script_append(s, key, value); return true;
	case NUMBER: {
		double v = strtod(value, &end);
		script_number(s, key, v);
		return end != value && !*end && v > 0 && isfinite(v);
	}
	case COUNT:
	case POSITIVE:
	case SIZE: {
		errno = 0;
		long long v = strtoll(value, &end, 10);
		const char *suffix = "KMG",
		           *unit = row->kind == SIZE && *end ? strchr(suffix, *end) : NULL;
		int shift = unit ? 10 * (int)(unit - suffix + 1) : 0;
		if (errno || end == value || end[unit != NULL] || v < (row->kind != COUNT)
		    || v > INT64_MAX >> shift)
			return false;
		script_integer(s, key, v << shift);
		return true;
	}
	case LATER: break;
	}
	return false;
}

/* The values that an option takes, for a message. */
static const char *kind_of(const struct option_row *row)
{
	bool seconds = strstr(row->name, "time") != NULL;

	switch (row->kind) {
	case NUMBER: return seconds ? "a number of seconds, more than 0" : "a number more than 0";
	case SIZE: return "a number of bytes, such as 512M";
	case POSITIVE: return "a whole number that it takes, from 1 on";
	case MODE: return partial_mode;
	case PATH: return "a name of a file or folder";
	default: return "a whole number that it takes, from 0 on";
	}
}

/* Fills `longs`, which has room for ROWS + 2 entries. */
static void long_options(struct option *o)
{
	for (size_t i = 0; i < ROWS; i++)
		o[i] = (struct option){ table[i].name,
			table[i].kind == FLAG                                 ? no_argument
			    : table[i].kind == LATER || table[i].kind == MODE ? optional_argument
			                                                      : required_argument,
			NULL, 256 + (int)i };
	o[ROWS] = (struct option){ "help", no_argument, NULL, 'h' };
	o[ROWS + 1] = (struct option){ NULL, 0, NULL, 0 };
}

static const struct option_row *find_letter(int letter)
{
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].letter == letter)
			return &table[i];
	return NULL;
}

/* The argument at which getopt_long failed; it was not given -- and what follows. */
static const char *offending(char **argv)
{
	const char *word = argv[optind - 1];
	size_t n = strlen(word);
	if (!optopt || optopt >= 256 || (n > 1 && word[0] == '-' && word[n - 1] == optopt))
		return word;
	return argv[optind];
}

/* Whether the word looks like a flag for compilers. */
static bool is_flag(const char *word)
{
	static const char *const begins[] = { "-I", "-D", "-U", "-O", "-W", "-std=", "-f", "-m",
		"-l", "-L", "-g", "-i", "-x", "-pthread" };
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(word, begins[i], strlen(begins[i])))
			return true;
	return false;
}

/* Whether it is such a flag that begins with the letter of one of our options. */
static bool is_long_flag(const char *word)
{
	static const char *const begins[] = { "-std=", "-pthread", "-pedantic", "-nostd",
		"-stdlib=" };
	for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
		if (!strncmp(word, begins[i], strlen(begins[i])))
			return true;
	return false;
}

bool options_told_flag(const char *word)
{
	if (!is_flag(word) && !is_long_flag(word))
		return false;
	fprintf(stderr,
	    "duct: %s is a flag of the compiler: these come last, after --: duct ... FILE.c ... -- %s\n",
	    word, word);
	return true;
}

/* Options that other tools have, and ours that mean the same. */
static const struct {
	const char *theirs, *ours;
} synonyms[] = {
	{ "--func", "--entry" },
	{ "--function", "--entry" },
	{ "--fn", "--entry" },
	{ "--output", "--out" },
	{ "--max-time", "--time" },
	{ "--database", "--store" },
	{ "--db", "--store" },
	{ "--verbose", "--stats" },
	{ "-v", "--stats" },
	{ "-f", "--entry" },
};

/* Options of report, which forms that a result has. */
static const char *const of_report[] = { "--html", "--lcov", "--cobertura", "--junit", "--sarif",
	"--markdown", "--annotate", "--minimal", "--branches", "--pairs", "--checks", "--tests",
	"--findings", "--since", "--csv" };

/* Says where an option belongs that another command or tool has; false if none is known. */
static bool told_elsewhere(const char *word)
{
	for (size_t i = 0; i < sizeof synonyms / sizeof *synonyms; i++)
		if (!strcmp(word, synonyms[i].theirs)) {
			fprintf(stderr, "duct: unknown option %s: did you mean %s?\n", word,
			    synonyms[i].ours);
			return true;
		}
	for (size_t i = 0; i < sizeof of_report / sizeof *of_report; i++)
		if (!strcmp(word, of_report[i])) {
			fprintf(stderr,
			    "duct: %s is an option of duct report, which reads the store of a session: duct report STORE %s ...\n",
			    word, word);
			return true;
		}
	return false;
}

static int unknown_option(const char *given)
{
	if (options_told_flag(given))
		return 2;
	const char *names[ROWS + 1], *near;
	char word[64];
	size_t n = 0;
	for (size_t i = 0; i < ROWS; i++)
		if (table[i].kind != LATER)
			names[n++] = table[i].name;
	names[n] = NULL;
	snprintf(word, sizeof word, "%.*s", (int)strcspn(given, "="), given);
	if (told_elsewhere(word))
		return 2;
	near = word[0] == '-' && word[1] && word[2] ? words_nearest(word + strspn(word, "-"), names)
	                                            : NULL;
	if (near && strchr(given, '=') && !strcmp(word + strspn(word, "-"), near))
		fprintf(stderr, "duct: %s takes no value\n", word);
	else if (near)
		fprintf(stderr, "duct: unknown option %s: did you mean --%s?\n", word, near);
	else
		fprintf(stderr, "duct: unknown option %s\n", word);
	return 2;
}

/* Whether the word is one of our long options with a single dash, and not the value of the one
 * before. */
static bool has_one_dash(const char *word, const char *before)
{
	size_t n = strcspn(word, "=");

	for (size_t i = 0; word[0] == '-' && strncmp(before, "--", 2) && i < ROWS; i++)
		if (n > 2 && strlen(table[i].name) + 1 == n
		    && !strncmp(word + 1, table[i].name, n - 1))
			return true;
	return false;
}

int options_parse(struct script *s, const char *command, bool is_known, int argc, char **argv)
{
	struct option options[ROWS + 2];
	int c, rest = 0;
	long_options(options);
	while (argv[rest] && strcmp(argv[rest], "--"))
		rest++;
	opterr = 0;
	for (int i = 1; i < rest; i++)
		if (is_long_flag(argv[i]) || has_one_dash(argv[i], argv[i - 1]))
			return unknown_option(argv[i]);
	while ((c = getopt_long(rest, argv, ":e:s:p:S:o:t:n:jqh", options, NULL)) != -1) {
		const struct option_row *row = c >= 256 ? &table[c - 256] : find_letter(c);
		if (c == 'h' && !is_known)
			return 0; /* the script says that there is no such command */
		if (c == 'h') {
			help_options(stdout, command);
			return -1;
		}
		if (c == ':') {
			fprintf(stderr, "duct: %s needs a value\n", argv[optind - 1]);
			return 2;
		}
		if (c == '?' || !row)
			return unknown_option(offending(argv));
		if (row->kind == LATER) {
			fprintf(stderr, "duct: --%s is not available in this version\n", row->name);
			return 2;
		}
		if (!help_takes(command, row->name)) {
			bool mode = !strcmp(command, "check") || !strcmp(command, "audit")
			    || !strcmp(command, "cross");
			fprintf(stderr, "duct: %s%s takes no --%s\n", mode ? "prove --" : "",
			    command, row->name);
			return 2;
		}
		if (row->kind == MODE && !optarg && optind < rest
		    && !strcmp(argv[optind], partial_mode))
			optarg = argv[optind++];
		if (!set(s, row, optarg)) {
			fprintf(stderr, "duct: --%s: `%s` is not %s\n", row->name, optarg,
			    kind_of(row));
			return 2;
		}
	}
	for (int i = optind; i < rest; i++)
		script_append(s, "files", argv[i]);
	for (int i = rest + 1; i < argc; i++)
		script_append(s, "flags", argv[i]);
	return 0;
}

void options_tell(struct script *s, const char *const *commands)
{
	for (size_t i = 0; i < ROWS; i++) {
		char key[32];
		if (table[i].kind == LATER)
			continue;
		script_append(s, "option_names", table[i].name);
		for (size_t k = 0; k == 0 || commands[k - 1]; k++) {
			const char *name = commands[k] ? commands[k] : "strategy";
			snprintf(key, sizeof key, "options %s", name);
			if (help_takes(name, table[i].name))
				script_append(s, key, table[i].name);
		}
	}
}
