/* models_getopt: the model of getopt agrees with the C library on random arguments: results,
 * variables, order of the arguments, messages. */
#define _GNU_SOURCE 1
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>

#define DUCT_NO_ALIASES
__typeof__(getopt) model_getopt, model___posix_getopt;
__typeof__(getopt_long) model_getopt_long, model_getopt_long_only;

/* The model has variables of its own, and says what is wrong to a stream of its own. */
static int model_optind, model_opterr = 1, model_optopt;
static char *model_optarg;
static FILE *model_stderr;
#define getopt model_getopt
#define __posix_getopt model___posix_getopt
#define getopt_long model_getopt_long
#define getopt_long_only model_getopt_long_only
#define optind model_optind
#define opterr model_opterr
#define optopt model_optopt
#define optarg model_optarg
#undef stderr
#define stderr model_stderr
#include "share/libc/getopt.c"
#undef getopt
#undef getopt_long
#undef getopt_long_only
#undef optind
#undef opterr
#undef optopt
#undef optarg
#undef stderr
extern FILE *stderr;
#include "tests/unit/models.h"

size_t duct_model_strlen(const char *s)
{
	return strlen(s);
}
char *duct_model_strchr(const char *s, int c)
{
	return strchr(s, c);
}
int duct_model_strcmp(const char *a, const char *b)
{
	return strcmp(a, b);
}
size_t duct_model_strcspn(const char *s, const char *set)
{
	return strcspn(s, set);
}

static int flag;
static const struct option longs[] = {
	{ "all", no_argument, NULL, 'a' },
	{ "alter", no_argument, NULL, 'l' },
	{ "all-of", no_argument, NULL, 'a' },
	{ "bound", required_argument, NULL, 'b' },
	{ "color", optional_argument, NULL, 'c' },
	{ "debug", no_argument, &flag, 7 },
	{ "bo", no_argument, NULL, 1000 },
	{ NULL, 0, NULL, 0 },
};

static const char *const words[] = {
	"x",
	"-",
	"--",
	"-a",
	"-b",
	"-bx",
	"-ab",
	"-c",
	"-cx",
	"-ac3",
	"-z",
	"-:",
	"--all",
	"--al",
	"--alt",
	"--b",
	"--bound",
	"--bound=",
	"--bou=3",
	"--color",
	"--color=y",
	"--all=1",
	"--debug",
	"--nothing",
	"-Wall",
	"-W",
	"bound=5",
	"-aWbou",
	"-debug",
	"-bound",
	"-al",
	"-color=7",
	"-",
	"",
};

typedef int (*any)(int, char *const *, const char *, const struct option *, int *);

static int plain_model(
    int argc, char *const *argv, const char *s, const struct option *o, int *index)
{
	(void)o, (void)index;
	return model_getopt(argc, argv, s);
}

static int plain(int argc, char *const *argv, const char *s, const struct option *o, int *index)
{
	(void)o, (void)index;
	return getopt(argc, argv, s);
}

static const struct {
	const char *name;
	any model, real;
} functions[] = {
	{ "getopt", plain_model, plain },
	{ "getopt_long", model_getopt_long, getopt_long },
	{ "getopt_long_only", model_getopt_long_only, getopt_long_only },
};

static int same_options(any model, any real)
{
	static const char *const shorts[] = { "ab:c::", "+ab:c::", "-ab:c::", ":ab:c::W;",
		"ab:c::W;", "", ":", "-:ab" };
	const char *s = shorts[below(sizeof shorts / sizeof *shorts)];
	char *x[9] = { (char *)"prog" }, *y[9] = { (char *)"prog" }, *text = NULL,
	     *want_text = NULL;
	FILE *old = stderr;
	size_t size;
	int n = 1 + (int)below(7), i, good = 1, r, want, index, want_index, f;

	for (i = 1; i < n; i++)
		x[i] = y[i] = (char *)words[below(sizeof words / sizeof *words)];
	model_optind = optind = 0;
	model_stderr = open_memstream(&text, &size);
	stderr = open_memstream(&want_text, &size);
	do {
		index = want_index = -1;
		flag = 0;
		r = model(n, x, s, longs, &index);
		f = flag;
		flag = 0;
		want = real(n, y, s, longs, &want_index);
		good &= r == want && model_optind == optind && model_optarg == optarg
		    && index == want_index && f == flag;
		good &= (r != '?' && r != ':') || model_optopt == optopt;
	} while (good && r != -1);
	fclose(stderr);
	fclose(model_stderr);
	stderr = old;
	good &= !memcmp(x, y, sizeof x) && !strcmp(text, want_text);
	if (!good) {
		printf("# \"%s\":", s);
		for (i = 1; i < n; i++)
			printf(" %s", y[i]);
		printf(": %d, not %d\n# %s# %s", r, want, text, want_text);
	}
	free(text);
	free(want_text);
	return good;
}

int main(void)
{
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		FOR_ALL(
		    functions[i].name, "a", same_options(functions[i].model, functions[i].real));
	return finish();
}
