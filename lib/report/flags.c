/* flags: the session's compiler flags that the tests' Makefile repeats. */
#include "lib/report/quote.h"
#include "lib/base/grow.h"
#include "lib/report/tests.h"

#include <stdlib.h>
#include <string.h>

/* The length of the first list element that is a prefix of the flag, or 0. */
static size_t begins(const char *flag, const char *const *list)
{
	for (; *list; list++)
		if (!strncmp(flag, *list, strlen(*list)))
			return strlen(*list);
	return 0;
}

/* Options with a path as argument. */
static const char *const with_path[] = { "-I", "-isystem", "-iquote", "-idirafter", "-include",
	"-imacros", "-isysroot", "--sysroot=", NULL };

static void path_flag(
    FILE *f, const struct session_tests *s, const char *flag, const char *path, size_t n)
{
	char *p = tests_path(s, path);

	fprintf(f, " %.*s%s", (int)n, flag, flag[n - 1] == '=' ? "" : " ");
	quote_make(f, p);
	free(p);
}

/* Keeps flags that change the meaning of the sources or whether they compile. Enabled warnings,
 * optimisation, debugging, instrumentation and output are left to the caller. */
static bool goes_on(const char *flag)
{
	static const char *const yes[] = { "-D", "-U", "-std=", "-ansi", "-f", "-m", "-pthread",
		"-trigraphs", "-nostdinc", "-Wno-", "-Wp,", NULL };
	static const char *const no[] = { "-fsanitize", "-fno-sanitize", "-fprofile",
		"-fno-profile", "-fcoverage", "-ftest-coverage", "-fdiagnostics", "-fcolor",
		"-fno-color", "-flto", "-fno-lto", "-fdebug", "-ffile-prefix", "-fmacro-prefix",
		"-fsyntax-only", "-fuse-ld", "-femit", "-fsave", "-fopt-info", "-fdump", "-Wp,-M",
		NULL };

	return begins(flag, yes) && !begins(flag, no);
}

/* Is it a library, an object or another argument for the linker? */
static bool is_linked(const char *flag)
{
	static const char *const yes[] = { "-Wl,", "-static", "-rdynamic", "-nostdlib", "-pthread",
		NULL };
	const char *dot = strrchr(flag, '.');

	return begins(flag, yes)
	    || (*flag != '-' && dot
	        && (!strcmp(dot, ".a") || !strcmp(dot, ".o") || !strncmp(dot, ".so", 3)));
}

static void compiled(FILE *f, const struct session_tests *s)
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

/* Handles -lNAME, -l NAME, -LDIR, -L DIR. */
static void libraries(FILE *f, const struct session_tests *s)
{
	char *const *flag = s->v->flag;

	for (size_t i = 0; flag[i]; i++) {
		bool library = !strncmp(flag[i], "-l", 2), folder = !strncmp(flag[i], "-L", 2);
		const char *name = library || folder
		    ? flag[i][2] || !flag[i + 1] ? flag[i] + 2 : flag[++i]
		    : flag[i];
		if (!library && !folder && !is_linked(name))
			continue;
		char *path = folder || *name != '-' ? library ? copied(name) : tests_path(s, name)
		                                    : copied(name);
		fputs(library ? " -l" : folder ? " -L" : " ", f);
		quote_make(f, path);
		free(path);
	}
}

/* The runner calls functions of the C library: those of the program that have such names get other
 * ones, for the linker only. */
static void renamed(FILE *f, const struct session_tests *s)
{
	static const char option[] = "option own-name=";
	char *const *p = s->v->parameter;

	for (size_t n = sizeof option - 1; p && *p; p++)
		if (!strncmp(*p, option, n))
			fprintf(f, " -D%s=duct_own_%s", *p + n, *p + n);
}

void tests_flags(FILE *f, const struct session_tests *s)
{
	fputs("DUCT_FLAGS =", f);
	compiled(f, s);
	/* The compiler takes fmax(x, y) for the C library's even where the program has its own. */
	if (!s->program)
		fprintf(f, " -fno-builtin-%s", s->v->entry);
	renamed(f, s);
	fputs("\nDUCT_LIBS =", f);
	libraries(f, s);
	fputs(" -lm\n", f);
}
