/* defuse: def-use pairs; reads flow(5), writes pairs(5). */
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/tool.h"
#include "lib/defuse/defuse.h"

static const char usage_text[] =
    "usage: defuse [-ahV] [-c CRITERION] [-e FUNCTION] [-p PROTOCOL] [-s SCOPE] [FILE...]\n";

const struct tool tool = { "defuse", usage_text, "" };

static const struct option longopts[] = {
	{ "may-alias", no_argument, NULL, 'a' },
	{ "criterion", required_argument, NULL, 'c' },
	{ "entry", required_argument, NULL, 'e' },
	{ "protocol", required_argument, NULL, 'p' },
	{ "scope", required_argument, NULL, 's' },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

static int bad_word(const char *option, const char *word, const char *words)
{
	fprintf(stderr, "defuse: --%s `%s`: expected one of %s\n", option, word, words);
	return 2;
}

/* Reads the options. Returns the exit status, or -1 to continue. */
static int options(int argc, char **argv, struct defuse_options *o)
{
	int c;
	while ((c = getopt_long(argc, argv, "ac:e:p:s:hV", longopts, NULL)) != -1) {
		switch (c) {
		case 'a': o->alias.may_alias = true; break;
		case 'c':
			if (!defuse_set_criterion(o, optarg))
				return bad_word("criterion", optarg,
				    "all-defs, all-c-uses, all-p-uses, all-uses");
			break;
		case 'e': o->alias.entry = optarg; break;
		case 'p':
			if (!defuse_set_protocol(o, optarg))
				return bad_word("protocol", optarg, "default, paper");
			break;
		case 's':
			if (!defuse_set_scope(o, optarg))
				return bad_word("scope", optarg, "intra, inter");
			break;
		case 'h': tool_help();
		case 'V': tool_version();
		default: tool_usage();
		}
	}
	return -1;
}

static int analyse(const struct flow *fl, const struct defuse_options *o)
{
	const struct flow_unit *u;
	struct defuse *d;
	if (o->alias.entry && !flow_find(fl, o->alias.entry, &u)) {
		fprintf(stderr, "defuse: --entry %s: no such function\n", o->alias.entry);
		return 2;
	}
	d = defuse_new(fl, o);
	if (defuse_write(d, stdout))
		tool_unwritten();
	defuse_free(d);
	return 0;
}

int main(int argc, char **argv)
{
	struct defuse_options o = { 0 };
	struct flow *fl;
	char *error;
	int status = options(argc, argv, &o);
	if (status >= 0)
		return status;
	fl = flow_read_files(argv + optind, &status, &error);
	if (fl)
		status = analyse(fl, &o);
	else
		fprintf(stderr, "defuse: %s\n", error);
	free(error);
	flow_free(fl);
	return status;
}
