/* report: shows the results of sessions in a store. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/criteria/criteria.h"
#include "lib/base/grow.h"
#include "lib/base/tool.h"
#include "lib/base/utf8.h"
#include "lib/base/words.h"
#include "lib/report/report.h"

static const char usage_text[] =
    "usage: report STORE [--session N | --all] [--since REV] [--json | --markdown | --annotate]\n"
    "              [--branches | --pairs | --checks | --tests | --minimal | --findings [--json]]\n"
    "              [--criterion LIST [--csv]]\n"
    "              [--justify FILE] [--format gcc] [--stats]\n"
    "              [--html DIR] [--lcov FILE] [--cobertura FILE] [--junit FILE] [--sarif FILE]\n"
    "              [--out DIR [--format assert|cmocka|unity|check|criterion]] [--force] [--corpus DIR]\n"
    "              [--testcomp FILE] [--ktest DIR] [--fail-under PERCENT] [--fail-on finding|unknown]\n";

static const char help_text[] =
    "Shows the results of sessions: a summary, unless another form is asked for. See report(1).\n"
    "Which sessions\n"
    "  -S, --store FILE   the store, when it is not given as the argument\n"
    "  -n, --session N    one session, by number, or `latest`; without it, and with\n"
    "  -A, --all          all sessions of the store together\n"
    "      --since REV    only results on lines that are new since that revision of git\n"
    "To read\n"
    "  -a, --annotate     the sources, annotated with uncovered objectives\n"
    "      --markdown     a summary for a comment on a change\n"
    "      --stats        the summary with counters of runs, queries and CPU time\n"
    "  -m, --minimal      a small set of tests that covers the same; files are written with only these\n"
    "Lists, a line each; with --json an object each; --pairs=FILE and so on: several at once, each to a file\n"
    "  -b, --branches     outcomes of conditions: verdict and evidence\n"
    "  -p, --pairs        def-use pairs: verdict and evidence\n"
    "      --criterion LIST   objectives of criteria: statements, mcdc, all-defs, data-coupling, ...: see man criteria;\n"
    "                     with another form, that form includes them\n"
    "      --csv          them as a traceability table, with tests and justifications\n"
    "      --justify FILE keeps justifications: lines of CRITERION, OBJECTIVE and TEXT, with TABs between them\n"
    "  -k, --checks       places where a fault was looked for: verdict and evidence\n"
    "  -t, --tests        tests: how much each covers, and how much only it covers\n"
    "  -f, --findings     faults, with the inputs that show them\n"
    "For other programs\n"
    "  -j, --json         one JSON object\n"
    "      --format gcc   open objectives and findings, in the form of compiler messages\n"
    "  -w, --html DIR     a page to look at: DIR/index.html\n"
    "  -l, --lcov FILE    coverage for lcov and genhtml; for this and other files - is standard output\n"
    "      --cobertura FILE, --junit FILE\n"
    "                     coverage as Cobertura's XML, tests as JUnit's\n"
    "      --sarif FILE   failures, open and infeasible objectives, as SARIF 2.1.0\n"
    "Tests\n"
    "  -o, --out DIR      tests as C, with a Makefile; for several entries, a folder for each\n"
    "      --format NAME  of these: assert, cmocka, unity, check, criterion\n"
    "      --force        even into a folder with files that duct did not write\n"
    "  -c, --corpus DIR   each test's standard input, input file or parameters as a file\n"
    "      --testcomp FILE, --ktest DIR\n"
    "                     tests as a zip archive for Test-Comp, as files for KLEE's tools\n"
    "Exit status 1\n"
    "      --fail-under PERCENT   when fewer of the outcomes that are not infeasible are covered\n"
    "      --fail-on finding|unknown   when there is one\n"
    "  -h, --help         this text\n"
    "  -V, --version      version\n";

const struct tool tool = { "report", usage_text, help_text };

static const char *format; /* framework of tests in C */

static int fill_tests(const char *dir, const struct store_view *v, char **error)
{
	return report_tests(dir, v, format, error);
}

static struct store *opened; /* the store to report on */

static int fill_html(const char *dir, const struct store_view *v, char **error)
{
	return report_html(dir, v, opened, NULL, error);
}

/* Formats that are written to a place that an option names: a stream's or a folder's content. */
enum {
	COBERTURA = 256,
	JUNIT,
	SARIF,
	TESTCOMP,
	KTEST,
	FORMAT,
	SINCE,
	STATS,
	FORCE,
	FAIL_UNDER,
	FAIL_ON,
	CRITERION,
	CSV,
	JUSTIFY
};
static const struct product {
	int option;
	void (*print)(FILE *, const struct store_view *);
	int (*pack)(FILE *, const struct store_view *, char **error);
	int (*fill)(const char *dir, const struct store_view *, char **error);
	bool of_inputs;
} products[] = {
	{ .option = 'o', .fill = fill_tests, .of_inputs = true },
	{ .option = 'c', .fill = report_corpus, .of_inputs = true },
	{ .option = 'w', .fill = fill_html },
	{ .option = KTEST, .fill = report_ktest, .of_inputs = true },
	{ .option = 'l', .print = report_lcov },
	{ .option = COBERTURA, .print = report_cobertura },
	{ .option = JUNIT, .print = report_junit },
	{ .option = SARIF, .print = report_sarif },
	{ .option = TESTCOMP, .pack = report_testcomp, .of_inputs = true },
};
enum { PRODUCTS = sizeof products / sizeof *products };

static const struct option options[] = {
	{ "store", required_argument, NULL, 'S' },
	{ "session", required_argument, NULL, 'n' },
	{ "all", no_argument, NULL, 'A' },
	{ "json", no_argument, NULL, 'j' },
	{ "branches", optional_argument, NULL, 'b' },
	{ "checks", optional_argument, NULL, 'k' },
	{ "pairs", optional_argument, NULL, 'p' },
	{ "tests", optional_argument, NULL, 't' },
	{ "minimal", no_argument, NULL, 'm' },
	{ "annotate", no_argument, NULL, 'a' },
	{ "findings", optional_argument, NULL, 'f' },
	{ "markdown", no_argument, NULL, 'M' },
	{ "since", required_argument, NULL, SINCE },
	{ "stats", no_argument, NULL, STATS },
	{ "force", no_argument, NULL, FORCE },
	{ "fail-under", required_argument, NULL, FAIL_UNDER },
	{ "fail-on", required_argument, NULL, FAIL_ON },
	{ "criterion", required_argument, NULL, CRITERION },
	{ "csv", no_argument, NULL, CSV },
	{ "justify", required_argument, NULL, JUSTIFY },
	{ "html", required_argument, NULL, 'w' },
	{ "lcov", required_argument, NULL, 'l' },
	{ "cobertura", required_argument, NULL, COBERTURA },
	{ "junit", required_argument, NULL, JUNIT },
	{ "sarif", required_argument, NULL, SARIF },
	{ "out", required_argument, NULL, 'o' },
	{ "format", required_argument, NULL, FORMAT },
	{ "corpus", required_argument, NULL, 'c' },
	{ "testcomp", required_argument, NULL, TESTCOMP },
	{ "ktest", required_argument, NULL, KTEST },
	{ "help", no_argument, NULL, 'h' },
	{ "version", no_argument, NULL, 'V' },
	{ NULL, 0, NULL, 0 },
};

/* Forms, by letter; those that are lists come first. */
static const char letters[] = "bkptfmaMG";
static void (*const forms[])(FILE *, const struct store_view *) = {
	report_branches,
	report_checks,
	report_pairs,
	report_suite,
	report_findings,
	report_minimal,
	report_annotate,
	report_markdown,
	report_gcc,
};
enum { LISTS = 5 };

struct settings {
	const char *store, *place[PRODUCTS], *list[LISTS], *since, *fail_on, *justify;
	double fail_under;
	uint32_t criteria; /* of --criterion */
	long long session;
	bool all, latest, json, stats, force, csv;
	char form;  /* one of `letters`, or 0 */
	bool lists; /* some lists are written to files */
};

static bool take_place(struct settings *s, int option)
{
	for (size_t i = 0; i < PRODUCTS; i++)
		if (products[i].option == option) {
			s->place[i] = optarg;
			return true;
		}
	return false;
}

/* A form to print, or a list with the file that it is written to. */
static void take_form(struct settings *s, char c)
{
	if (optarg) {
		s->list[strchr(letters, c) - letters] = optarg;
		s->lists = true;
	} else if (s->form && s->form != c) {
		tool_die(2, "one list or form at a time");
	} else {
		s->form = c;
	}
}

static void take_option(struct settings *s, int c)
{
	char *end;

	switch (c) {
	case 'S': s->store = optarg; break;
	case 'n':
		s->latest = !strcmp(optarg, "latest");
		if (s->latest)
			break;
		s->session = strtoll(optarg, &end, 10);
		if (*end || s->session < 1)
			tool_die(2, "--session: `%s` is not a number", optarg);
		break;
	case 'A': s->all = true; break;
	case 'j': s->json = true; break;
	case 'b':
	case 'k':
	case 'p':
	case 't':
	case 'm':
	case 'a':
	case 'f':
	case 'M': take_form(s, (char)c); break;
	case FORMAT: format = optarg; break;
	case SINCE: s->since = optarg; break;
	case STATS: s->stats = true; break;
	case FORCE: s->force = true; break;
	case FAIL_ON: s->fail_on = optarg; break;
	case CSV: s->csv = true; break;
	case JUSTIFY: s->justify = optarg; break;
	case CRITERION:
		if (!(s->criteria = criteria_parse(optarg, &end)))
			tool_die(2, "%s", end);
		break;
	case FAIL_UNDER:
		s->fail_under = strtod(optarg, &end);
		if (end == optarg || *end || s->fail_under < 0 || s->fail_under > 100)
			tool_die(2, "--fail-under: `%s` is not a percentage", optarg);
		break;
	case 'h': tool_help();
	case 'V': tool_version();
	default:
		if (!take_place(s, c))
			tool_usage();
	}
}

/* The options of a call. */
static void check(const struct settings *s)
{
	if (s->criteria && s->form && !strchr("MG", s->form))
		tool_die(2, "one list or form at a time");
	if (s->json && s->form && !strchr("bkptfm", s->form))
		tool_die(2, "--json is for the summary and for lists");
	if (s->fail_on && strcmp(s->fail_on, "finding") && strcmp(s->fail_on, "unknown"))
		tool_die(2, "--fail-on is `finding` or `unknown`");
	if (s->csv && (!s->criteria || s->form))
		tool_die(2, "--csv is for --criterion");
}

/* --format is gcc, a form of the report, or a framework of --out. */
static void check_format(struct settings *s)
{
	static const char *const names[] = { "gcc", "assert", "cmocka", "unity", "check",
		"criterion", NULL };
	const char *near = format ? words_nearest(format, names) : NULL;

	if (!format)
		return;
	if (!strcmp(format, "gcc") && s->place[0])
		tool_die(2,
		    "--format gcc is no form of tests: assert, cmocka, unity, check or criterion");
	if (!strcmp(format, "gcc"))
		s->form = 'G';
	else if (!near || strcmp(near, format))
		tool_die(2,
		    "unknown format `%s`%s%s; there are gcc, and with --out assert, cmocka, unity, check, criterion",
		    format, near ? ": did you mean " : "", near ? near : "");
	else if (!s->place[0])
		tool_die(
		    2, "--format %s is a format of tests: --out DIR --format %s", format, format);
}

static struct settings parse(int argc, char **argv)
{
	struct settings s = { 0 };
	int c;

	opterr = 0;
	while ((c = getopt_long(argc, argv, ":S:n:Ajbkptmafw:l:o:c:hV", options, NULL)) != -1)
		if (c == '?' || c == ':')
			tool_unknown(c, argv, options);
		else if (optarg && !*optarg)
			tool_die(2, "%s needs a value that is not empty",
			    *argv[optind - 1] ? argv[optind - 1] : argv[optind - 2]);
		else
			take_option(&s, c);
	if (!s.store && optind < argc)
		s.store = argv[optind++];
	if (!s.store)
		tool_die(
		    2, "no store: duct report STORE; duct test FILE.c writes FILE-duct/store.db");
	if (optind != argc)
		tool_die(
		    2, "only one store can be given: `%s` is one argument too many", argv[optind]);
	check_format(&s);
	check(&s);
	return s;
}

/* Opens the store. A file that is missing or unreadable is a system error, one that is no store is
 * malformed input. */
static int open_status(const char *path)
{
	return access(path, R_OK) ? 4 : 3;
}

/* all: the store, when tests of all its questions are to be written; else NULL. */
static void print(const struct product *p, FILE *f, const struct store_view *v, struct store *all)
{
	char *error;

	if (p->print)
		p->print(f, v);
	else if (all ? report_testcomp_all(f, all, &error) : p->pack(f, v, &error))
		tool_die(4, "%s", error);
}

static void write_file(
    const struct product *p, const char *path, const struct store_view *v, struct store *all)
{
	char *temporary, *text = NULL;
	size_t size;
	FILE *f, *m = text_stream(&text, &size);

	print(p, m, v, all);
	fclose(m);
	if (!(f = report_begin_file(path, &temporary)))
		tool_die(4, "%s: %s", path, strerror(errno));
	fwrite(text, 1, size, f);
	if (report_end_file(f, path, temporary))
		tool_die(4, "%s: cannot be written", path);
	free(text);
}

/* Refuses a folder with files that duct did not write, without --force. */
static void claim(const struct settings *s, const char *place, const char *file)
{
	char *error;

	if (!s->force && report_may_write(place, file, &error))
		tool_die(2, "%s", error);
	if (report_own(place, file, &error))
		tool_die(4, "%s", error);
}

static void write_folder(const struct settings *s, const struct product *p, const char *place,
    const struct store_view *v, struct store *all)
{
	bool each = all && p->fill != fill_tests;
	char *error;
	int rc;

	if (p->fill == fill_tests || p->fill == fill_html)
		claim(s, place, p->fill == fill_html ? "index.html" : NULL);
	if (!all)
		rc = p->fill(place, v, &error);
	else if (p->fill == fill_tests)
		rc = report_collection(place, all, format, &error);
	else
		rc = report_each(place, all, p->fill, &error);
	if (rc)
		tool_die(4, "%s", error);
	if (each && error) {
		fprintf(stderr, "report: left out: %s\n", error);
		free(error);
	}
}

static void write_products(
    const struct settings *s, const struct store_view *v, bool of_inputs, struct store *all)
{
	for (size_t i = 0; i < PRODUCTS; i++) {
		const struct product *p = &products[i];
		if (!s->place[i] || p->of_inputs != of_inputs)
			continue;
		if (p->fill)
			write_folder(s, p, s->place[i], v, all);
		else if (!strcmp(s->place[i], "-"))
			print(p, stdout, v, all);
		else
			write_file(p, s->place[i], v, all);
	}
}

static bool wants_inputs(const struct settings *s)
{
	for (size_t i = 0; i < PRODUCTS; i++)
		if (s->place[i] && products[i].of_inputs)
			return true;
	return false;
}

/* Is anything but tests in C written? */
static bool writes(const struct settings *s)
{
	for (size_t i = 1; i < PRODUCTS; i++)
		if (s->place[i])
			return true;
	return s->lists;
}

/* The list of --criterion is printed unless the option says what other forms are about. */
static bool wants_criteria(const struct settings *s)
{
	return s->criteria && !s->form && !s->justify && (!writes(s) || s->csv || s->json);
}

/* The summary is printed unless another form was asked for; tests in C do not count as one, and it
 * names them. */
static bool wants_summary(const struct settings *s)
{
	return !writes(s) && !s->form && !s->json && !s->justify && !s->criteria;
}

static void write_lists(const struct settings *s, const struct store_view *v)
{
	for (size_t i = 0; i < LISTS; i++) {
		struct product p = { .print = forms[i] };
		if (s->list[i] && !strcmp(s->list[i], "-"))
			print(&p, stdout, v, NULL);
		else if (s->list[i])
			write_file(&p, s->list[i], v, NULL);
	}
}

/* A store may hold texts with control characters, which a terminal would obey. */
static void show_text(const struct settings *s, const struct store_view *v)
{
	char *text;
	size_t size;
	FILE *f = text_stream(&text, &size);

	if (s->form)
		forms[strchr(letters, s->form) - letters](f, v);
	else
		report_criteria(f, v, s->criteria);
	if (fclose(f))
		tool_die(4, "%s", strerror(errno));
	utf8_show(stdout, text, size);
	free(text);
}

static void show(const struct settings *s, const struct store_view *v)
{
	if (s->form && s->json)
		report_records(stdout, v, s->form);
	else if (wants_criteria(s) && s->csv)
		report_trace(stdout, v, opened, s->criteria);
	else if (wants_criteria(s) && s->json)
		report_trace_records(stdout, v, opened, s->criteria);
	else if (wants_criteria(s) || s->form)
		show_text(s, v);
	else if (s->json)
		report_json(stdout, v, NULL);
}

static struct store_view *view(const struct settings *s, struct store *store, int64_t session)
{
	struct store_view *v = store_view(store, session);

	if (!v)
		tool_die(3, "%s: %s", s->store, store_error(store));
	report_qualify(v);
	v->criteria = s->criteria;
	return v;
}

/* Makes n names of files absolute. */
static void make_absolute(const char **place, size_t n, const char *here)
{
	char *path;

	for (size_t i = 0; i < n; i++)
		if (place[i] && *place[i] != '/' && strcmp(place[i], "-")) {
			path = formatted("%s/%s", here, place[i]);
			place[i] = path;
		}
}

/* Changes to the folder that the session ran in, so that relative file names keep their meaning. */
static void move(struct settings *s, const struct store_view *v)
{
	char *here = getcwd(NULL, 0);

	if (here && v->directory) {
		make_absolute(s->place, PRODUCTS, here);
		make_absolute(s->list, LISTS, here);
	}
	if (here && v->directory && chdir(v->directory))
		fprintf(stderr,
		    "report: the session ran in %s, which is not there: sources may be missing\n",
		    v->directory);
	free(here);
}

/* Tests of all sessions are written from their own views. */
static void write_inputs(const struct settings *s, struct store *store, struct store_view *v)
{
	if (!wants_inputs(s))
		return;
	if (v->all && s->form == 'm')
		tool_die(2, "--minimal: tests can be written from one session only: --session N");
	write_products(s, v, true, v->all ? store : NULL);
}

static int work(struct settings *s, struct store *store)
{
	struct store_view *v = view(s, store,
	    s->all                        ? STORE_ALL
	        : s->session || s->latest ? s->session
	                                  : store_everything(store));
	struct report_style style = {
		.out = s->place[0], .store = s->store, .stats = s->stats, .colour = report_colour()
	};
	char *why = NULL, *justification = s->justify ? realpath(s->justify, NULL) : NULL;
	bool holds;

	if (s->justify && !justification)
		tool_die(4, "%s: %s", s->justify, strerror(errno));
	move(s, v);
	if (s->since && report_since(v, s->since, &why))
		tool_die(4, "%s", why);
	if (justification && report_justify(v, store, justification, &why))
		tool_die(3, "%s", why);
	if (s->form && strchr("aMG", s->form))
		report_explain(v);
	write_lists(s, v);
	show(s, v);
	if (!s->form || !strchr("aMG", s->form))
		report_explain(v);
	if (s->form == 'm')
		report_keep_minimal(v);
	write_inputs(s, store, v);
	write_products(s, v, false, NULL);
	if (wants_summary(s))
		report_text(stdout, v, &style);
	holds = report_holds(v, s->fail_under, s->fail_on, &why);
	if (!holds)
		fprintf(stderr, "report: %s\n", why);
	free(why);
	free(justification);
	store_view_free(v);
	return holds ? 0 : 1;
}

int main(int argc, char **argv)
{
	static struct settings s; /* its texts live as long as the process */
	struct store *store;
	char *error;
	int status;

	s = parse(argc, argv);
	if (access(s.store, F_OK))
		tool_die(4, "%s: %s", s.store, strerror(errno));
	if (!(store = store_open(s.store, s.justify ? STORE_WRITE : STORE_READ, &error)))
		tool_die(open_status(s.store), "%s", error);
	opened = store;
	status = work(&s, store);
	store_close(store);
	tool_close_stdout();
	return status;
}
