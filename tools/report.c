/* report: what a session found out, read from its store. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/filter/tool.h"
#include "lib/report/report.h"

static const char usage_text[] =
	"usage: report --store FILE [--session N] [--json | --branches | --checks | --pairs | --tests | --minimal |\n"
	"              --annotate] [--html DIR] [--lcov FILE] [--out DIR] [--corpus DIR]\n";

static const char help_text[] =
	"Shows what a session found out: a summary, unless another form is asked for. See report(1).\n"
	"  -S, --store FILE   the store\n"
	"  -n, --session N    the session, by number; the latest otherwise\n"
	"  -j, --json         one JSON object\n"
	"  -b, --branches     a line a branch: verdict and evidence\n"
	"  -k, --checks       a line a place where a fault was looked for: verdict and evidence\n"
	"  -p, --pairs        a line a def-use pair\n"
	"  -t, --tests        a line a test: what it covers, and what it alone does\n"
	"  -m, --minimal      few tests that cover what all do\n"
	"  -a, --annotate     the sources with what is not covered\n"
	"  -w, --html DIR     a page to look at: DIR/index.html\n"
	"  -l, --lcov FILE    coverage for lcov and genhtml; - is standard output\n"
	"  -o, --out DIR      tests as C, with a Makefile\n"
	"  -c, --corpus DIR   each test's standard input, or file, as a file\n"
	"  -h, --help         this text\n"
	"  -V, --version      version\n";

const struct tool tool = { "report", usage_text, help_text };

static const struct option options[] = {
	{ "store", required_argument, NULL, 'S' }, { "session", required_argument, NULL, 'n' },
	{ "json", no_argument, NULL, 'j' }, { "branches", no_argument, NULL, 'b' },
	{ "checks", no_argument, NULL, 'k' }, { "pairs", no_argument, NULL, 'p' },
	{ "tests", no_argument, NULL, 't' }, { "minimal", no_argument, NULL, 'm' },
	{ "annotate", no_argument, NULL, 'a' },
	{ "html", required_argument, NULL, 'w' },
	{ "lcov", required_argument, NULL, 'l' }, { "out", required_argument, NULL, 'o' },
	{ "corpus", required_argument, NULL, 'c' }, { "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 },
};

struct settings {
	const char *store, *lcov, *out, *corpus, *html;
	long long session;
	int form;                    /* one of `letters`, or 0 */
};

static struct settings
parse(int argc, char **argv)
{
	struct settings s = { 0 };
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "S:n:jbkptmaw:l:o:c:hV", options, NULL)) != -1) {
		switch (c) {
		case 'S': s.store = optarg; break;
		case 'l': s.lcov = optarg; break;
		case 'o': s.out = optarg; break;
		case 'w': s.html = optarg; break;
		case 'c': s.corpus = optarg; break;
		case 'n':
			s.session = strtoll(optarg, &end, 10);
			if (*end || s.session < 1)
				tool_die(2, "session `%s` is no number", optarg);
			break;
		case 'j': case 'b': case 'k': case 'p': case 't': case 'm': case 'a': s.form = c; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default:
			tool_usage();
		}
	}
	if (optind != argc || !s.store)
		tool_usage();
	return s;
}

/* A file that is not there or cannot be read is the system's fault, one that is no store is malformed. */
static int
open_status(const char *path)
{
	return access(path, R_OK) ? 4 : 3;
}

static void
write_lcov(const char *path, const struct store_view *v)
{
	char *temporary;
	FILE *f;

	if (!strcmp(path, "-")) {
		report_lcov(stdout, v);
		return;
	}
	if (asprintf(&temporary, "%s.new", path) < 0 || !(f = fopen(temporary, "w")))
		tool_die(4, "%s: %s", path, strerror(errno));
	report_lcov(f, v);
	if (ferror(f) | fclose(f) || rename(temporary, path)) {
		unlink(temporary);
		tool_die(4, "%s: cannot be written", path);
	}
	free(temporary);
}

static const char letters[] = "jbkptma";
static void (*const forms[])(FILE *, const struct store_view *) = {
	report_json, report_branches, report_checks, report_pairs, report_suite, report_minimal, report_annotate,
};

static void
show(const struct settings *s, const struct store_view *v)
{
	char *error;

	if (s->out && report_tests(s->out, v, &error))
		tool_die(4, "%s", error);
	if (s->corpus && report_corpus(s->corpus, v, &error))
		tool_die(4, "%s", error);
	if (s->html && report_html(s->html, v, &error))
		tool_die(4, "%s", error);
	if (s->lcov)
		write_lcov(s->lcov, v);
	if (s->form)
		forms[strchr(letters, s->form) - letters](stdout, v);
	else if (!s->lcov && !s->corpus && !s->html)
		report_text(stdout, v, s->out);
}

int
main(int argc, char **argv)
{
	struct settings s = parse(argc, argv);
	struct store_view *v;
	struct store *store;
	char *error;

	if (!(store = store_open(s.store, STORE_READ, &error)))
		tool_die(open_status(s.store), "%s", error);
	if (!(v = store_view(store, s.session)))
		tool_die(3, "%s: %s", s.store, store_error(store));
	show(&s, v);
	store_view_free(v);
	store_close(store);
	tool_close_stdout();
	return 0;
}
