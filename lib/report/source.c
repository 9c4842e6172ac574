/* source: tests.c, the Makefile and the index of a folder of tests. */
#include "lib/report/aims.h"
#include "lib/report/lines.h"
#include "lib/report/shapes.h"
#include "lib/report/quote.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <libgen.h>
#include <stdlib.h>
#include <string.h>

char *tests_what(const struct view_test *t)
{
	bool more = t->message && strcmp(t->message, t->end);
	char *text, *s;

	if (!t->failure && strcmp(t->end, "limit"))
		return NULL;
	if (t->file)
		text = formatted("%s at %s:%u%s%s", t->end, t->file, t->line, more ? ": " : "",
		    more ? t->message : "");
	else
		text = formatted("%s%s%s", t->end, more ? ": " : "", more ? t->message : "");
	for (s = text; *s; s++)
		if ((unsigned char)*s < ' ' || (*s == '*' && s[1] == '/'))
			*s = ' ';
	return text;
}

bool tests_valid(const struct view_test *t)
{
	return strcmp(t->end, "need") != 0;
}

bool tests_sure(const struct view_test *t)
{
	for (const char *s = t->ub; s; s = strstr(s, "; ") ? strstr(s, "; ") + 2 : NULL)
		if (strncmp(s, "overflow ", 9))
			return false;
	return true;
}

char *tests_path(const struct session_tests *s, const char *file)
{
	char *path = realpath(file, NULL), *text = NULL;
	const char *dir = s->dir, *p = path;
	size_t common = 0, up = 0, size;
	FILE *f;

	if (!path)
		return copied(file);
	for (size_t i = 0;; i++) {
		if ((!dir[i] || dir[i] == '/') && (!p[i] || p[i] == '/'))
			common = i;
		if (!dir[i] || dir[i] != p[i])
			break;
	}
	if (common == 0)
		return path;
	for (const char *d = dir + common; *d; d++)
		up += *d == '/';
	f = text_stream(&text, &size);
	while (up--)
		fputs("../", f);
	fputs(p + common + (p[common] == '/'), f);
	fclose(f);
	free(path);
	return text;
}

/* The flags may rename main, where the file of the entry undoes that: a harness of a command. */
static bool renames_main(const struct store_view *v)
{
	for (size_t i = 0; v->flag[i]; i++)
		if (!strncmp(v->flag[i], "-Dmain=", 7))
			return true;
	return false;
}

static void declare_main(FILE *f, const struct session_tests *s, const char *type)
{
	char *declared = harness_declare(type, "main");
	bool renamed = renames_main(s->v);

	fputs("/* the program's own main, under another name for the linker */\n", f);
	if (renamed)
		fputs("#pragma push_macro(\"main\")\n#undef main\n", f);
	fprintf(f, "%s __asm__(\"duct_program_main\");\n", declared);
	if (renamed)
		fputs("#pragma pop_macro(\"main\")\n", f);
	free(declared);
}

static void include_entry(FILE *f, const struct session_tests *s)
{
	const struct harness_plan *p = s->plan;
	char *path = tests_path(s, s->v->file[s->entry]);

	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_MAIN)
			declare_main(f, s, p->step[i].type);
	fprintf(f, "#include \"%s\"\n\n#ifndef NULL\n#define NULL ((void *)0)\n#endif\n\n", path);
	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_INLINE)
			fprintf(f, "/* Nothing else defines it. */\nextern __typeof__(%s) %s;\n\n",
			    p->step[i].name, p->step[i].name);
	free(path);
}

/* Declares functions of other files that are called first. */
static void declare_inits(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *s = &p->step[i];
		char *head =
		    s->kind == HARNESS_INIT && *s->type ? harness_declare(s->type, s->name) : NULL;
		if (head)
			fprintf(f, "%s;\n\n", head);
		free(head);
	}
}

/* no designated initialisers: the tests must be C89 */
static void row(FILE *f, const struct session_tests *s, const struct view_test *t, unsigned has)
{
	static const struct {
		unsigned has;
		const char *name;
	} table[] = {
		{ TEST_FILES, "files" },
		{ TEST_ENV, "env" },
		{ TEST_ARGV, "argv" },
		{ TEST_VALUES, "values" },
	};
	const char *n = tests_label(s, t);

	if (!tests_valid(t))
		return;
	char *what = tests_what(t);
	fprintf(f, "\t{ \"%s\", duct_test_%s, \"%s\", %d, ", n, n,
	    !t->failure && !tests_sure(t) ? "undefined" : t->end, t->exit_status);
	if (what)
		value_print_bytes(f, what, strlen(what));
	else
		putc('0', f);
	if (has & TEST_INPUT)
		fprintf(f, ", { \"stdin\", duct_input_%s, sizeof duct_input_%s - 1 }", n, n);
	else
		fputs(", { 0, 0, 0 }", f);
	if (s->program && !t->failure && tests_sure(t) && strcmp(t->end, "limit")) {
		fputs(", { \"stdout\", ", f);
		value_print_bytes(f, t->output, t->output_size);
		fprintf(f, ", %zu }", t->output_size);
	} else {
		fputs(", { 0, 0, 0 }", f);
	}
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (has & table[i].has)
			fprintf(f, ", duct_%s_%s", table[i].name, n);
		else
			fputs(", 0", f);
	fputs(" },\n", f);
	free(what);
}

/* Does any test have an input with this prefix? */
static bool has_input(const struct session_tests *s, const char *prefix)
{
	size_t n = strlen(prefix);

	for (size_t i = 0; i < s->v->tests; i++)
		for (size_t k = 0; k < s->v->test[i].input.n; k++)
			if (!strncmp(s->v->test[i].input.v[k].name, prefix, n))
				return true;
	return false;
}

/* Does any test have a file that may be a directory (share/libc/kinds.c)? */
static bool has_kind(const struct session_tests *s)
{
	for (size_t i = 0; i < s->v->tests; i++)
		for (size_t k = 0; k < s->v->test[i].input.n; k++) {
			const char *name = s->v->test[i].input.v[k].name, *end = strrchr(name, '.');
			if (end && !strcmp(end, ".kind") && !strncmp(name, "file.", 5))
				return true;
		}
	return false;
}

bool tests_answers(const struct session_tests *s, const char *group)
{
	static const char *const groups[] = { "time.", "random.", "system.", "fault.", "signal." };
	char *const *e = s->v->environment;

	for (; *e; e++)
		if (group ? !strncmp(*e, "input:", 6) && !strncmp(*e + 6, group, strlen(group))
		          : !strncmp(*e, "input:", 6) || !strncmp(*e, "faults=", 7))
			return true;
	for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
		if ((!group || !strncmp(groups[i], group, strlen(group)))
		    && has_input(s, groups[i]))
			return true;
	return !group && has_kind(s);
}

/* Do the tests need a working directory of their own? */
static bool in_folder(const struct session_tests *s)
{
	char *const *e = s->v->environment;

	for (; *e; e++)
		if (strcmp(*e, "environment=1"))
			return true;
	return s->program || has_input(s, "file.");
}

/* Lists the assumptions, inside a comment. */
static void narrowing(FILE *f, const char *text)
{
	char *line;

	if (text && *text)
		fputs(" * Assumed of the inputs:\n", f);
	for (; (line = next_line(&text)); free(line)) {
		fputs(" *   ", f);
		quote_comment(f, line);
		putc('\n', f);
	}
}

/* Lists the globals that the entry may write but tests do not observe. */
static void unseen(FILE *f, const struct harness_plan *p)
{
	const char *before = " * What is left in these is not compared:\n *   ";

	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *step = &p->step[i];
		if (step->kind == HARNESS_WATCH && !*step->shape) {
			fputs(before, f);
			quote_comment(f, step->name);
			fputs(" (", f);
			quote_comment(f, step->type);
			putc(')', f);
			before = ",\n *   ";
		}
	}
	if (*before == ',')
		putc('\n', f);
}

/* Tests declare parameters as local variables. A function or variable of the program that has the
 * name of one is used through a pointer, which is defined outside of functions. */
static void behind_parameters(FILE *f, const struct harness_plan *p)
{
	for (size_t i = 0; i < p->n; i++) {
		const struct harness_step *step = &p->step[i];
		size_t k = 0;

		if ((step->kind != HARNESS_FUNCTION && step->kind != HARNESS_VARIABLE)
		    || !plan_hides(p, step->name))
			continue;
		while (p->step[k].kind != step->kind || strcmp(p->step[k].name, step->name))
			k++;
		if (k == i)
			fprintf(f,
			    "static __typeof__(&%s) const duct_hidden_%s __attribute__((unused)) = &%s;\n\n",
			    step->name, step->name, step->name);
	}
}

void tests_source(FILE *f, const struct session_tests *s)
{
	const struct store_view *v = s->v;
	unsigned *has = zeroed(v->tests + 1, sizeof *has);

	fprintf(f, "/* Tests of %s, written by duct (", v->entry);
	quote_comment(f, v->strategy);
	fputs(", search ", f);
	quote_comment(f, *v->search ? v->search : "-");
	fprintf(f,
	    ", seed %" PRIu64 ").\n"
	    " * Expected results are what was observed, until a person confirms them.\n",
	    v->seed);
	narrowing(f, v->narrowing);
	unseen(f, s->plan);
	fputs(" */\n#include \"duct_test.h\"\n\n", f);
	include_entry(f, s);
	declare_inits(f, s->plan);
	tests_externs(f, s);
	tests_stubs(f, s->plan);
	behind_parameters(f, s->plan);
	if (harness_is_hidden(s->plan))
		fprintf(
		    f, "static __typeof__(&%s) const duct_entry = &%s;\n\n", v->entry, v->entry);
	for (size_t i = 0; i < v->tests; i++)
		has[i] = tests_function(f, s, &v->test[s->names->order[i]]);
	if (tests_answers(s, NULL))
		fprintf(f,
		    "const int duct_answers_time = %d, duct_answers_random = %d, duct_answers_system = %d;\n",
		    tests_answers(s, "time"), tests_answers(s, "random"),
		    tests_answers(s, "system"));
	fprintf(f,
	    "const int duct_in_folder = %d;\n\n"
	    "/* name, function, end, exit status, failure, standard input and output, files, environment, arguments, values */\n"
	    "const struct duct_test duct_tests[] = {\n",
	    in_folder(s));
	for (size_t i = 0; i < v->tests; i++)
		row(f, s, &v->test[s->names->order[i]], has[i]);
	fputs(
	    "\t{ 0, 0, 0, 0, 0, { 0, 0, 0 }, { 0, 0, 0 }, 0, 0, 0, 0 }\n};\n\nconst unsigned long duct_test_count = sizeof duct_tests / sizeof *duct_tests - 1;\n",
	    f);
	free(has);
}

/* ---- Makefile */

static int fail_name(char **error, const char *what, const char *name)
{
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	quote_line(f, name);
	fclose(f);
	tests_fail(error, "%s: %s", text, what);
	free(text);
	return -1;
}

static const char makefile_place[] =
    "# Called from another folder (make -f FOLDER/Makefile), make changes to this one.\n" MAKEFILE_GO
    "DUCT_HERE := $(patsubst %/,%,$(dir $(lastword $(MAKEFILE_LIST))))\n"
    "ifneq ($(DUCT_HERE),.)\n"
    "tests check clean confirm:\n"
    "\t@$(DUCT_GO) && $(MAKE) --no-print-directory $@\n"
    ".PHONY: tests check clean confirm\n"
    "else\n";
static const char makefile_end[] = "endif\n";

static const char makefile_head[] =
    "# Compiles the tests against the untouched sources and runs them: make check\n"
    "# CC, CFLAGS, LDFLAGS and LDLIBS are yours: make check CFLAGS=--coverage\n"
    "# Flags that the tests need: integers wrap as they did when results were observed; compilers accept old C.\n"
    "DUCT_CFLAGS = -I. -fwrapv -fno-strict-aliasing -fno-delete-null-pointer-checks -ffp-contract=off \\\n"
    "\t-Wno-type-limits -Wno-implicit-function-declaration -Wno-implicit-int -Wno-int-conversion \\\n"
    "\t-Wno-return-type -Wno-return-mismatch -Wno-incompatible-function-pointer-types\n";

static const char makefile_tail[] =
    "\ncheck: tests\n"
    "\t@LLVM_PROFILE_FILE=\"$${LLVM_PROFILE_FILE:-$$PWD/tests-%m.profraw}\" ./tests\n"
    "\n# With gcc's coverage the runner calls gcov's library, so that a test that crashes writes its counters.\n"
    "DUCT_GCOV = $(if $(filter --coverage -coverage -fprofile-arcs,$(CC) $(CFLAGS) $(LDFLAGS)),-DDUCT_GCOV)\n"
    "# The runner's own code is not counted.\n"
    "DUCT_COUNTS = --coverage -coverage -fprofile-arcs -ftest-coverage -fcondition-coverage -fprofile-update=% \\\n"
    "\t-fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc\n"
    "DUCT_RUNNER = $(filter-out $(DUCT_COUNTS),$(CFLAGS)) -std=gnu11\n"
    "duct_test.o duct_process.o duct_values.o: %.o: %.c duct_test.h duct_runner.h flags\n"
    "\t$(CC) $(DUCT_RUNNER) $(DUCT_GCOV) $(DUCT_SUITE) -c -o $@ $<\n"
    "$(DUCT_ANSWERS): %.o: %.c duct_test.h duct_answers.h duct_failing.h flags\n"
    "\t$(CC) $(DUCT_RUNNER) -c -o $@ $<\n"
    "\n# Compiles again when the flags change.\n"
    "flags: FORCE\n"
    "\t@echo '$(CC) $(CFLAGS) $(LDFLAGS)' >flags.new\n"
    "\t@cmp -s flags.new flags && rm flags.new || { rm -f *.gcda; mv flags.new flags; }\n"
    "\n# Confirms that observed results are right: make confirm T='NAME ...', or T=all. The last field of a line in\n"
    "# CONFIRMED is the expected value, which you may edit; `duct report --out` to this folder then uses it.\n"
    "confirm:\n"
    "\t@awk -F'\\t' -v names=' $(T) ' '(index(names, \" \" $$2 \" \") || names == \" all \")' OBSERVED >>CONFIRMED\n"
    "\nclean:\n"
    "\trm -f tests flags duct_wrapped *.o *.gcda *.gcno *.profraw\n"
    "\n.PHONY: check clean confirm FORCE\n";

/* Functions that duct_answers.c and the files beside it replace. */
static const char makefile_answers[] =
    "\nDUCT_ANSWERS = duct_answers.o duct_clock.o duct_children.o duct_machine.o duct_people.o\n"
    "# The program's calls of these functions go to DUCT_ANSWERS.\n"
    "DUCT_WRAP ="
#define MODELLED(type, name, ...) " " #name
#define FAILING MODELLED
#define LEAVING MODELLED
#include "share/test/duct_failing.h"
    " \\\n"
    "\tasprintf fclose ferror ferror_unlocked open open64 close read execl execlp execle chdir fchdir signal sigaction \\\n"
    "\tstat lstat fstat stat64 lstat64 fstat64 wait wait3 wait4 waitpid system popen pclose alarm \\\n"
    "\tsetitimer sleep usleep nanosleep \\\n"
    "\tdup2 dup3 poll select tcgetattr tcsetattr ioctl ttyname getpwnam getpwuid getgrnam getgrgid getlogin uname \\\n"
    "\tputc fputc _IO_putc putchar puts fputs fwrite printf fprintf vprintf vfprintf \\\n"
    "\t__printf_chk __fprintf_chk __vprintf_chk __vfprintf_chk \\\n"
    "\ttime gettimeofday clock_gettime clock rand random rand_r lrand48 nrand48 mrand48 jrand48 drand48 erand48 \\\n"
    "\tarc4random arc4random_uniform getrandom getentropy \\\n"
    "\tgetpid getppid getuid geteuid getgid getegid isatty sysconf \\\n"
    "\tgetcwd gethostname umask getrlimit getrlimit64 setrlimit setrlimit64\n"
    "OBJECTS += $(DUCT_ANSWERS)\n"
    "DUCT_LIBS += @duct_wrapped\n"
    "tests: duct_wrapped\n"
    "duct_wrapped: Makefile\n"
    "\t@printf -- '-Wl,--wrap=%s\\n' $(DUCT_WRAP) >$@\n";

/* Writes a prerequisite; names with characters special to make are replaced by FORCE (always
 * rebuilt). */
static void prerequisite(FILE *f, const char *path)
{
	fputs(path[strspn(
	          path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./,+-@")]
	        ? "FORCE"
	        : path,
	    f);
}

int tests_check_names(const struct session_tests *s, char **error)
{
	const struct store_view *v = s->v;

	for (size_t i = 0; v->file[i]; i++) {
		char *path = tests_path(s, v->file[i]);
		bool fits = quote_fits_make(path) && (i != s->entry || !strpbrk(path, "\"\\"));
		free(path);
		if (!fits)
			return fail_name(
			    error, "a file name that cannot be written in C and make", v->file[i]);
	}
	for (size_t i = 0; v->flag[i]; i++)
		if (!quote_fits_make(v->flag[i]))
			return fail_name(
			    error, "a flag that cannot be written in a makefile", v->flag[i]);
	return quote_fits_make(s->dir)
	    ? 0
	    : fail_name(error, "a folder name that cannot be written in a makefile", s->dir);
}

void tests_makefile(FILE *f, const struct session_tests *s)
{
	char *const *file = s->v->file;

	fputs(makefile_head, f);
	fputs(makefile_place, f);
	fputs(quote_make_head, f);
	tests_flags(f, s);
	fprintf(f, "OBJECTS = tests.o duct_test.o duct_process.o duct_values.o%s",
	    *s->format->function ? " suite.o" : "");
	for (size_t i = 0; file[i]; i++)
		if (i != s->entry)
			fprintf(f, " source%zu.o", i + 1);
	putc('\n', f);
	if (tests_answers(s, NULL))
		fputs(makefile_answers, f);
	if (*s->format->function)
		fprintf(f,
		    "%s\nDUCT_LIBS += %s\n\nsuite.o: suite.c duct_test.h flags\n"
		    "\t$(CC) $(CFLAGS) $(DUCT_SUITE) -I. -std=gnu11 -c -o $@ suite.c\n",
		    s->format->flags, s->format->libraries);
	fputs(
	    "\ntests: $(OBJECTS)\n\t$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $(OBJECTS) $(LDLIBS) $(DUCT_LIBS)\n",
	    f);
	for (size_t i = 0; file[i]; i++) {
		char *path = tests_path(s, file[i]);
		if (i == s->entry) {
			fputs("\ntests.o: tests.c duct_test.h flags ", f);
			prerequisite(f, path);
			fputs("\n\t$(CC) $(CFLAGS) $(DUCT_CFLAGS) $(DUCT_FLAGS) -c -o $@ tests.c\n",
			    f);
		} else {
			fprintf(f, "\nsource%zu.o: flags ", i + 1);
			prerequisite(f, path);
			fprintf(f, "\n\t$(CC) $(CFLAGS) $(DUCT_CFLAGS) $(DUCT_FLAGS) %s-c -o $@ ",
			    renames_main(s->v) ? "" : "-Dmain=duct_other_main ");
			quote_make(f, path);
			putc('\n', f);
		}
		free(path);
	}
	fputs(makefile_tail, f);
	fputs(makefile_end, f);
}

/* ---- index */

static void index_test(FILE *f, const struct session_tests *s, const struct view_test *t)
{
	enum { LINE = 400 };
	char *what = tests_what(t);

	fprintf(f, "\n%s (test %" PRIu64 "): ", tests_label(s, t), t->number);
	values_line(f, &t->input, LINE);
	if (what)
		fprintf(f, "\n  observed: %s", what);
	else if (t->has_result)
		fprintf(f, "\n  observed: result %" PRId64, t->result);
	else
		fprintf(f, "\n  observed: exit status %d", t->exit_status);
	if (t->ub)
		fprintf(f, "\n  may differ elsewhere: %s", t->ub);
	for (size_t i = 0; i < t->n; i++) {
		const struct view_objective *o = &s->v->objective[t->covers[i]];
		fprintf(f, "\n  %s %s:%u:%u ", o->test == t->number ? "first to take" : "takes",
		    o->file, o->line, o->col);
		side_print(f, o);
	}
	putc('\n', f);
	free(what);
}

void tests_index(FILE *f, const struct session_tests *s)
{
	struct store_totals c = aims_totals(s->v, STORE_BRANCHES);
	size_t n = 0;

	for (size_t i = 0; i < s->v->tests; i++)
		n += tests_valid(&s->v->test[i]);
	fprintf(f,
	    "Tests of %s, written by duct: %zu tests, %zu of %zu branches.\n"
	    "`make check` compiles them against the sources and runs them.\n",
	    s->v->entry, n, c.covered, c.total);
	for (size_t i = 0; i < s->v->tests; i++)
		if (tests_valid(&s->v->test[s->names->order[i]]))
			index_test(f, s, &s->v->test[s->names->order[i]]);
	if (n < s->v->tests)
		fprintf(f, "\nInputs that violate a need of %s, and are therefore not tests:\n",
		    s->v->entry);
	for (size_t i = 0; i < s->v->tests; i++)
		if (!tests_valid(&s->v->test[s->names->order[i]]))
			index_test(f, s, &s->v->test[s->names->order[i]]);
}
