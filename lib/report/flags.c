/* flags: what of the flags of a session's compiler the emitted Makefile repeats. */
#include "lib/report/quote.h"
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

/* The length of the first of the list that the flag begins with, or 0. */
static size_t
begins(const char *flag, const char *const *list)
{
	for (; *list; list++)
		if (!strncmp(flag, *list, strlen(*list)))
			return strlen(*list);
	return 0;
}

/* Options whose argument is a path. */
static const char *const with_path[] = { "-I", "-isystem", "-iquote", "-idirafter", "-include", "-imacros", "-isysroot",
	"--sysroot=", NULL };

static void
path_flag(FILE *f, const struct suite *s, const char *flag, const char *path, size_t n)
{
	char *p = tests_path(s, path);

	fprintf(f, " %.*s%s", (int)n, flag, flag[n - 1] == '=' ? "" : " ");
	quote_make(f, p);
	free(p);
}

/* Flags that change what the sources mean, or whether they compile at all, go on. Warnings that are only turned on,
 * optimisation, debugging, measuring and output are the caller's. */
static bool
goes_on(const char *flag)
{
	static const char *const yes[] = { "-D", "-U", "-std=", "-ansi", "-f", "-m", "-pthread", "-trigraphs", "-nostdinc",
		"-Wno-", "-Wp,", NULL };
	static const char *const no[] = { "-fsanitize", "-fno-sanitize", "-fprofile", "-fno-profile", "-fcoverage", "-ftest-coverage",
		"-fdiagnostics", "-fcolor", "-fno-color", "-flto", "-fno-lto", "-fdebug", "-ffile-prefix", "-fmacro-prefix",
		"-fsyntax-only", "-fuse-ld", "-femit", "-fsave", "-fopt-info", "-fdump", "-Wp,-M", NULL };

	return begins(flag, yes) && !begins(flag, no);
}

/* Libraries, objects, and what else the linker has to be told. */
static bool
is_linked(const char *flag)
{
	static const char *const yes[] = { "-Wl,", "-static", "-rdynamic", "-nostdlib", "-pthread", NULL };
	const char *dot = strrchr(flag, '.');

	return begins(flag, yes) || (*flag != '-' && dot && (!strcmp(dot, ".a") || !strcmp(dot, ".o") || !strncmp(dot, ".so", 3)));
}

static void
compiled(FILE *f, const struct suite *s)
{
	char *const *flag = s->v->flag;

	for (size_t i = 0; flag[i]; i++) {
		size_t n = begins(flag[i], with_path);
		if (n && flag[i][n]) {
			path_flag(f, s, flag[i], flag[i] + n, n);
		} else if (n && flag[i + 1]) {
			path_flag(f, s, flag[i], flag[i + 1], n);
			i++;
		} else if (goes_on(flag[i])) {
			putc(' ', f);
			quote_make(f, flag[i]);
			if ((!strcmp(flag[i], "-D") || !strcmp(flag[i], "-U")) && flag[i + 1]) {
				putc(' ', f);
				quote_make(f, flag[++i]);
			}
		}
	}
}

/* -lNAME, -l NAME, -LDIR, -L DIR. */
static void
libraries(FILE *f, const struct suite *s)
{
	char *const *flag = s->v->flag;

	for (size_t i = 0; flag[i]; i++) {
		bool library = !strncmp(flag[i], "-l", 2), folder = !strncmp(flag[i], "-L", 2);
		const char *name = library || folder ? flag[i][2] || !flag[i + 1] ? flag[i] + 2 : flag[++i] : flag[i];
		if (!library && !folder && !is_linked(name))
			continue;
		char *path = folder || *name != '-' ? library ? strdup(name) : tests_path(s, name) : strdup(name);
		fputs(library ? " -l" : folder ? " -L" : " ", f);
		quote_make(f, path);
		free(path);
	}
}

void
tests_flags(FILE *f, const struct suite *s)
{
	fputs("DUCT_FLAGS =", f);
	compiled(f, s);
	fputs("\nDUCT_LIBS =", f);
	libraries(f, s);
	fputs(" -lm\n", f);
}
