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
	"usage: report --store FILE [--session N | --all] [--json | --branches | --checks | --pairs | --tests |\n"
	"              --minimal | --annotate] [--html DIR] [--lcov FILE] [--cobertura FILE] [--junit FILE] [--sarif FILE]\n"
	"              [--out DIR] [--format assert|cmocka|unity|check|criterion] [--corpus DIR]\n"
	"              [--testcomp FILE] [--ktest DIR]\n";

static const char help_text[] =
	"Shows what a session found out: a summary, unless another form is asked for. See report(1).\n"
	"  -S, --store FILE   the store\n"
	"  -n, --session N    the session, by number; the latest otherwise\n"
	"  -A, --all          all sessions since the last suite together\n"
	"  -j, --json         one JSON object\n"
	"  -b, --branches     a line a branch: verdict and evidence\n"
	"  -k, --checks       a line a place where a fault was looked for: verdict and evidence\n"
	"  -p, --pairs        a line a def-use pair\n"
	"  -t, --tests        a line a test: what it covers, and what it alone does\n"
	"  -m, --minimal      few tests that cover what all do; what is written has only these\n"
	"  -a, --annotate     the sources with what is not covered\n"
	"  -w, --html DIR     a page to look at: DIR/index.html\n"
	"  -l, --lcov FILE    coverage for lcov and genhtml; for this and other files - is standard output\n"
	"      --cobertura FILE, --junit FILE\n"
	"                     coverage as Cobertura's XML, tests as JUnit's\n"
	"      --sarif FILE   failures and what can never be taken, as SARIF 2.1.0\n"
	"  -o, --out DIR      tests as C, with a Makefile\n"
	"      --format NAME  of these: assert, cmocka, unity, check, criterion\n"
	"  -c, --corpus DIR   each test's standard input, or file, as a file\n"
	"      --testcomp FILE, --ktest DIR\n"
	"                     tests as a zip archive for Test-Comp, as files for KLEE's tools\n"
	"  -h, --help         this text\n"
	"  -V, --version      version\n";

const struct tool tool = { "report", usage_text, help_text };

static const char *format;       /* of tests in C */

static int
fill_tests(const char *dir, const struct store_view *v, char **error)
{
	return report_tests(dir, v, format, error);
}

/* What is written to a place that an option names: a stream's or a folder's content. */
enum { COBERTURA = 256, JUNIT, SARIF, TESTCOMP, KTEST, FORMAT };
static const struct product {
	int option;
	void (*print)(FILE *, const struct store_view *);
	int (*pack)(FILE *, const struct store_view *, char **error);
	int (*fill)(const char *dir, const struct store_view *, char **error);
	bool of_inputs;
} products[] = {
	{ .option = 'o', .fill = fill_tests, .of_inputs = true },
	{ .option = 'c', .fill = report_corpus, .of_inputs = true },
	{ .option = 'w', .fill = report_html }, { .option = KTEST, .fill = report_ktest, .of_inputs = true },
	{ .option = 'l', .print = report_lcov }, { .option = COBERTURA, .print = report_cobertura },
	{ .option = JUNIT, .print = report_junit }, { .option = SARIF, .print = report_sarif },
	{ .option = TESTCOMP, .pack = report_testcomp, .of_inputs = true },
};
enum { PRODUCTS = sizeof products / sizeof *products };

static const struct option options[] = {
	{ "store", required_argument, NULL, 'S' }, { "session", required_argument, NULL, 'n' },
	{ "all", no_argument, NULL, 'A' }, { "json", no_argument, NULL, 'j' }, { "branches", no_argument, NULL, 'b' },
	{ "checks", no_argument, NULL, 'k' }, { "pairs", no_argument, NULL, 'p' },
	{ "tests", no_argument, NULL, 't' }, { "minimal", no_argument, NULL, 'm' },
	{ "annotate", no_argument, NULL, 'a' },
	{ "html", required_argument, NULL, 'w' },
	{ "lcov", required_argument, NULL, 'l' }, { "cobertura", required_argument, NULL, COBERTURA },
	{ "junit", required_argument, NULL, JUNIT }, { "sarif", required_argument, NULL, SARIF },
	{ "out", required_argument, NULL, 'o' }, { "format", required_argument, NULL, FORMAT }, { "corpus", required_argument, NULL, 'c' },
	{ "testcomp", required_argument, NULL, TESTCOMP }, { "ktest", required_argument, NULL, KTEST },
	{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 },
};

struct settings {
	const char *store, *place[PRODUCTS];
	long long session;
	int form;                    /* one of `letters`, or 0 */
};

static bool
take_place(struct settings *s, int option)
{
	for (size_t i = 0; i < PRODUCTS; i++)
		if (products[i].option == option) {
			s->place[i] = optarg;
			return true;
		}
	return false;
}

static struct settings
parse(int argc, char **argv)
{
	struct settings s = { 0 };
	char *end;
	int c;

	while ((c = getopt_long(argc, argv, "S:n:Ajbkptmaw:l:o:c:hV", options, NULL)) != -1) {
		switch (c) {
		case 'S': s.store = optarg; break;
		case 'n':
			s.session = strtoll(optarg, &end, 10);
			if (*end || s.session < 1)
				tool_die(2, "session `%s` is no number", optarg);
			break;
		case 'A': s.session = STORE_ALL; break;
		case 'j': case 'b': case 'k': case 'p': case 't': case 'm': case 'a': s.form = c; break;
		case FORMAT: format = optarg; break;
		case 'h': tool_help();
		case 'V': tool_version();
		default:
			if (!take_place(&s, c))
				tool_usage();
		}
	}
	if (optind != argc || !s.store)
		tool_usage();
	for (size_t i = 0; s.session == STORE_ALL && i < PRODUCTS; i++)
		if (s.place[i] && products[i].of_inputs)
			tool_die(2, "--all: inputs of tests are written of one session");
	return s;
}

/* A file that is not there or cannot be read is the system's fault, one that is no store is malformed. */
static int
open_status(const char *path)
{
	return access(path, R_OK) ? 4 : 3;
}

static void
print(const struct product *p, FILE *f, const struct store_view *v)
{
	char *error;

	if (p->print)
		p->print(f, v);
	else if (p->pack(f, v, &error))
		tool_die(4, "%s", error);
}

/* Under a temporary name first. */
static void
write_file(const struct product *p, const char *path, const struct store_view *v)
{
	char *temporary, *text = NULL;
	size_t size;
	FILE *f, *m = open_memstream(&text, &size);

	if (!m)
		tool_die(4, "out of memory");
	print(p, m, v);
	fclose(m);
	if (asprintf(&temporary, "%s.new", path) < 0 || !(f = fopen(temporary, "w")))
		tool_die(4, "%s: %s", path, strerror(errno));
	fwrite(text, 1, size, f);
	if (ferror(f) | fclose(f) || rename(temporary, path)) {
		unlink(temporary);
		tool_die(4, "%s: cannot be written", path);
	}
	free(temporary);
	free(text);
}

static void
write_products(const struct settings *s, const struct store_view *v)
{
	char *error;

	for (size_t i = 0; i < PRODUCTS; i++) {
		const struct product *p = &products[i];
		if (!s->place[i])
			continue;
		if (p->fill) {
			if (p->fill(s->place[i], v, &error))
				tool_die(4, "%s", error);
		} else if (!strcmp(s->place[i], "-")) {
			print(p, stdout, v);
		} else {
			write_file(p, s->place[i], v);
		}
	}
}

static const char letters[] = "jbkptma";
static void (*const forms[])(FILE *, const struct store_view *) = {
	report_json, report_branches, report_checks, report_pairs, report_suite, report_minimal, report_annotate,
};

/* The summary is for sessions of which nothing else was asked but tests in C, which it names. */
static bool
wants_summary(const struct settings *s)
{
	for (size_t i = 1; i < PRODUCTS; i++)
		if (s->place[i])
			return false;
	return !s->form;
}

static void
show(const struct settings *s, struct store_view *v)
{
	if (s->form)
		forms[strchr(letters, s->form) - letters](stdout, v);
	if (s->form == 'm')
		report_keep_minimal(v);
	write_products(s, v);
	if (wants_summary(s))
		report_text(stdout, v, s->place[0]);
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
	report_qualify(v);
	show(&s, v);
	store_view_free(v);
	store_close(store);
	tool_close_stdout();
	return 0;
}
