/* since: restricts a view to what a change affects, according to git diff. */
#include "lib/report/lines.h"
#include "lib/report/report.h"
#include "lib/report/tests.h"
#include "lib/base/grow.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A range of new or changed lines in a file. */
struct line_range {
	char *file;
	unsigned long first, n;
};
struct changed_lines {
	struct line_range *at;
	size_t n;
};

/* Starts git; *out reads its output. */
static pid_t start(char *const argv[], FILE **out)
{
	int fd[2];
	pid_t pid;

	if (pipe2(fd, O_CLOEXEC) || (pid = fork()) < 0)
		return -1;
	if (!pid) {
		dup2(fd[1], 1);
		execvp(argv[0], argv);
		_exit(127);
	}
	close(fd[1]);
	*out = fdopen(fd[0], "r");
	return pid;
}

/* Fails outside of git trees, where git diff would compare two files. */
static int need_tree(char **error)
{
	char *argv[] = { (char *)"git", (char *)"rev-parse", (char *)"--git-dir", NULL }, *folder;
	int status = 0;
	pid_t pid = fork();

	if (!pid) {
		int null = open("/dev/null", O_WRONLY);
		dup2(null, 1);
		dup2(null, 2);
		execvp(argv[0], argv);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0
	    || (WIFEXITED(status) && WEXITSTATUS(status) == 127))
		return tests_fail(error, "--since: cannot run git");
	if (!status)
		return 0;
	folder = getcwd(NULL, 0);
	tests_fail(error, "--since: %s is not in a git tree", folder ? folder : "this folder");
	free(folder);
	return -1;
}

static void add(struct changed_lines *c, const char *file, unsigned long first, unsigned long n)
{
	char *name = copied(file);

	*PUSH(c->at, c->n) = (struct line_range){ name, first, n };
}

/* A name as git writes it: in quotes, with escapes as in C, if it has odd characters. Caller frees.
 */
static char *name_of(const char *text)
{
	static const char letters[] = "abtnvfr", meant[] = "\a\b\t\n\v\f\r";
	char *name = copied(text), *to = name;

	if (*text != '"') {
		name[strcspn(name, "\t")] = 0;
		return name;
	}
	for (text++; *text && *text != '"'; text++) {
		const char *letter;
		if (*text != '\\' || !text[1]) {
			*to++ = *text;
		} else if (*++text >= '0' && *text <= '7') {
			unsigned byte = 0;
			for (int i = 0; i < 3 && *text >= '0' && *text <= '7'; i++)
				byte = byte * 8 + (unsigned)(*text++ - '0');
			*to++ = (char)byte;
			text--;
		} else {
			*to++ = (letter = strchr(letters, *text)) ? meant[letter - letters] : *text;
		}
	}
	*to = 0;
	return name;
}

/* Reads N or N,COUNT behind a sign. */
static void read_range(const char *text, unsigned long *first, unsigned long *n)
{
	char *end;

	*first = strtoul(text + 1, &end, 10);
	*n = *end == ',' ? strtoul(end + 1, NULL, 10) : 1;
}

/* Parses "+++ NAME" and "@@ -A,B +C,D @@" of a unified diff without context. The lines between may
 * begin like that, too. */
static void read_diff(FILE *f, struct changed_lines *c)
{
	char *line = NULL, *file = NULL, *plus;
	size_t size = 0;
	unsigned long within = 0, first, n, removed;

	while (getline(&line, &size, f) >= 0) {
		if (within && strchr("+-", *line)) {
			within--;
			continue;
		}
		line[strcspn(line, "\n")] = 0;
		if (!strncmp(line, "+++ ", 4)) {
			free(file);
			file = name_of(line + 4);
		} else if (file && !strncmp(line, "@@ -", 4) && (plus = strchr(line, '+'))) {
			read_range(line + 3, &first, &removed);
			read_range(plus, &first, &n);
			add(c, file, first, n);
			within = removed + n;
		}
	}
	free(line);
	free(file);
}

static bool is_touched(const struct changed_lines *c, const char *file, unsigned long line)
{
	char *path = realpath(file, NULL);
	bool is = false;

	for (size_t i = 0; !is && i < c->n; i++)
		is = path && !strcmp(c->at[i].file, path) && line >= c->at[i].first
		    && line < c->at[i].first + c->at[i].n;
	free(path);
	return is;
}

/* Names in the diff are relative to git's working directory. */
static void make_absolute(struct changed_lines *c)
{
	for (size_t i = 0; i < c->n; i++) {
		char *path = realpath(c->at[i].file, NULL);
		if (path) {
			free(c->at[i].file);
			c->at[i].file = path;
		}
	}
}

/* Renumbers a test's list of objectives and drops removed ones. */
static size_t renumber(size_t *list, size_t n, const size_t *number)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (number[list[i]] != SIZE_MAX)
			list[kept++] = number[list[i]];
	return kept;
}

static void free_all(char **text, size_t n)
{
	while (n)
		free(text[--n]);
}

static void keep_objectives(struct store_view *v, const struct changed_lines *c)
{
	size_t *number = reserved(v->objectives + 1, sizeof *number), n = 0;

	for (size_t i = 0; i < v->objectives; i++) {
		struct view_objective o = v->objective[i];
		bool keep = is_touched(c, o.file, o.line);
		number[i] = keep ? n : SIZE_MAX;
		if (keep)
			v->objective[n++] = o;
		else
			free_all((char *[]){ o.function, o.file, o.text, o.evidence }, 4);
	}
	for (size_t i = 0; i < v->tests; i++) {
		renumber(v->test[i].order, v->test[i].n, number);
		v->test[i].n = renumber(v->test[i].covers, v->test[i].n, number);
	}
	v->objectives = n;
	free(number);
}

static void keep_pairs(struct store_view *v, const struct changed_lines *c)
{
	size_t *number = reserved(v->pairs + 1, sizeof *number), n = 0;

	for (size_t i = 0; i < v->pairs; i++) {
		struct view_pair p = v->pair[i];
		bool keep =
		    is_touched(c, p.def_file, p.def_line) || is_touched(c, p.use_file, p.use_line);
		number[i] = keep ? n : SIZE_MAX;
		if (keep)
			v->pair[n++] = p;
		else
			free_all((char *[]){ p.function, p.variable, p.kind, p.evidence, p.def_file,
			             p.use_file, p.path },
			    7);
	}
	for (size_t i = 0; i < v->tests; i++)
		v->test[i].pairs = renumber(v->test[i].pair, v->test[i].pairs, number);
	v->pairs = n;
	v->unlisted = 0;
	free(number);
}

static void keep_targets(struct store_view *v, const struct changed_lines *c)
{
	size_t n = 0;

	for (size_t i = 0; i < v->targets; i++) {
		struct view_target t = v->target[i];
		if (is_touched(c, t.file, t.line))
			v->target[n++] = t;
		else
			free_all(
			    (char *[]){ t.criterion, t.name, t.function, t.file, t.evidence }, 5);
	}
	v->targets = n;
}

static void keep_failures(struct store_view *v, const struct changed_lines *c)
{
	size_t n = 0;

	for (size_t i = 0; i < v->failures; i++) {
		struct view_failure x = v->failure[i];
		bool keep = x.file && is_touched(c, x.file, x.line);
		if (keep)
			v->failure[n++] = x;
		else
			free_all((char *[]){ x.kind, x.file, x.function, x.message }, 4);
	}
	v->failures = n;
}

int report_since(struct store_view *v, const char *revision, char **error)
{
	char *argv[] = { (char *)"git", (char *)"diff", (char *)"-U0", (char *)"--no-color",
		(char *)"--no-prefix", (char *)"--no-ext-diff", (char *)"--no-textconv",
		(char *)"--relative", (char *)revision, (char *)"--", NULL };
	struct changed_lines c = { 0 };
	FILE *out = NULL;
	pid_t pid;
	int status = 0;

	*error = NULL;
	if (*revision == '-')
		return tests_fail(error, "--since: `%s` is not a revision", revision);
	if (need_tree(error))
		return -1;
	if ((pid = start(argv, &out)) < 0 || !out)
		return tests_fail(error, "cannot run git: %s", strerror(errno));
	read_diff(out, &c);
	fclose(out);
	waitpid(pid, &status, 0);
	if (status) {
		tests_fail(error, "--since: git diff %s failed", revision);
	} else {
		make_absolute(&c);
		keep_objectives(v, &c);
		keep_pairs(v, &c);
		keep_targets(v, &c);
		keep_failures(v, &c);
	}
	while (c.n)
		free(c.at[--c.n].file);
	free(c.at);
	return status ? -1 : 0;
}
