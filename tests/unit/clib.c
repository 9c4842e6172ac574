/* The table of the C library: its order, its notation, its lookup, and the columns that others take
 * from it. */
#include "lib/clib/clib.h"
#include "tests/unit/tap.h"

#include <string.h>

static bool all_in(const char *text, const char *letters)
{
	return strspn(text, letters) == strlen(text);
}

static bool is_entry(struct clib_arg e)
{
	bool one = e.extent && strchr("BDEMUVCAWYZK", e.extent),
	     two = e.extent && strchr("MRX", e.extent);

	return e.access && strchr("-rwbfgxykcdz", e.access)
	    && (!e.extent || strchr("#.BSDEMUVCATWYZKRLNXFGHI", e.extent)) && (!two || e.b >= 0)
	    && (!one || e.a >= 0) && (e.extent != '.' || e.a > 0)
	    && (!e.extent || strchr("rwbx", e.access));
}

/* Each entry of the column, read as it is written. */
static bool is_written_well(const struct clib *c)
{
	char again[64] = "";
	unsigned n = 0;

	for (; strlen(again) < strlen(c->args) && n < 16; n++) {
		struct clib_arg e = clib_arg(c, n);
		char *to = again + strlen(again);
		if (!is_entry(e))
			return false;
		*to++ = e.access;
		if (e.extent && e.extent != '#')
			*to++ = e.extent;
		if (e.a >= 0)
			to += sprintf(to, "%d", e.a);
		if (e.b >= 0)
			to += sprintf(to, "%d", e.b);
		*to = 0;
	}
	return !strcmp(again, c->args) && clib_arg(c, 40).access == clib_arg(c, n - 1).access;
}

static void rows(void)
{
	uint32_t order = 0, written = 0, letters = 0, found = 0;

	for (uint32_t i = 0; i < clib_rows; i++) {
		const struct clib *c = &clib_table[i];
		if (i && strcmp(c[-1].name, c->name) >= 0 && ++order)
			printf("# not in order: %s\n", c->name);
		if (!is_written_well(c) && ++written)
			printf("# arguments of %s: %s\n", c->name, c->args);
		if ((!all_in(c->points, "0123*+oxcCen") || !all_in(c->does, "oOner2jpPlthsbmFMf")
		        || !all_in(c->asks, "tpefirsunwyla")
		        || !all_in(c->state, "AaBCcDEeFGHhIiKLlMmNOPQqRSTtUuVWXYZz")
		        || !all_in(c->also, "f6ul") || !all_in(c->fails, "-<0+?"))
		    && ++letters)
			printf("# columns of %s\n", c->name);
		if (clib_find(c->name) != c && ++found)
			printf("# not found: %s\n", c->name);
	}
	ok(clib_rows > 1500 && !order, "sorted, each name once");
	ok(!written, "arguments are written as the notation says");
	ok(!letters, "other columns have letters of their own only");
	ok(!found, "each row is found by its name");
}

static bool same(const char *a, const char *b)
{
	return clib_find(a) && clib_find(a) == clib_find(b);
}

static void names(void)
{
	ok(same("sinf", "sin") && same("sinl", "sin") && same("sinf128", "sin")
	        && same("sinf32x", "sin"),
	    "types of mathematics");
	ok(same("getc_unlocked", "getc") && same("lseek64", "lseek64")
	        && same("statvfs64", "statvfs"),
	    "_unlocked, 64");
	ok(same("toupper_l", "toupper") && same("__toupper_l", "toupper"),
	    "_l, with __ in front, too");
	ok(same("__isoc99_sscanf", "sscanf") && same("__isoc23_strtol", "strtol"),
	    "names of standards");
	ok(same("__strdup", "strdup") && clib_find("__memcpy_chk") != clib_find("memcpy"),
	    "__; but a name of its own goes first");
	ok(!clib_find("read64") && !clib_find("strlenf") && !clib_find("printf_l")
	        && !clib_find("qsort_unlocked"),
	    "an ending counts only where the row says so");
	ok(!clib_find("") && !clib_find("_") && !clib_find("__") && !clib_find("f")
	        && !clib_find("64") && !clib_find("mine"),
	    "other names are not known");
}

static bool is_arg(const char *name, unsigned i, char access, char extent, int a, int b)
{
	struct clib_arg e = clib_arg(clib_find(name), i);

	return e.access == access && e.extent == extent && e.a == a && e.b == b;
}

static void columns(void)
{
	ok(is_arg("strncpy", 0, 'w', '#', 2, -1) && is_arg("strncpy", 1, 'r', 'S', 2, -1)
	        && is_arg("strncpy", 2, '-', 0, -1, -1),
	    "arguments one by one");
	ok(is_arg("printf", 0, 'r', 'F', -1, -1) && is_arg("printf", 7, 'r', 'F', -1, -1),
	    "the last one stands for the rest");
	ok(is_arg("strncmp", 1, 'r', 'D', 0, 2) && is_arg("sigaddset", 0, 'b', '.', 128, -1),
	    "two numbers; bytes");
	ok(clib_is_local(clib_find("strtol")) && clib_is_local(clib_find("printf"))
	        && clib_is_local(clib_find("malloc")),
	    "what stays in arguments, result and output");
	ok(!clib_is_local(clib_find("rand")) && !clib_is_local(clib_find("getpid"))
	        && !clib_is_local(clib_find("qsort")) && !clib_is_local(clib_find("longjmp"))
	        && !clib_is_local(clib_find("pthread_create")),
	    "and what does not");
	ok(clib_does(clib_find("vfork"), "2") && !clib_does(clib_find("fork"), "2j"),
	    "what it does");
	ok(clib_has(clib_find("setvbuf"), "k") && !clib_has(clib_find("setvbuf"), "rwc"),
	    "what it keeps");
}

/* For tests/clib/exports.t: of names on stdin, a line each, those that are not known. */
static int print_unknown(void)
{
	char line[256];

	while (fgets(line, sizeof line, stdin)) {
		line[strcspn(line, "\n")] = 0;
		if (!clib_find(line))
			puts(line);
	}
	return 0;
}

/* Those with a model. */
static int print_modelled(void)
{
	for (uint32_t i = 0; i < clib_rows; i++)
		if (clib_does(&clib_table[i], "Mf"))
			puts(clib_table[i].name);
	return 0;
}

/* Those that --faults lets fail. */
static int print_fallible(void)
{
	for (uint32_t i = 0; i < clib_rows; i++)
		if (clib_does(&clib_table[i], "F"))
			puts(clib_table[i].name);
	return 0;
}

int main(int argc, char **argv)
{
	const char *what = argc > 1 ? argv[1] : "";

	if (!strcmp(what, "unknown"))
		return print_unknown();
	if (!strcmp(what, "modelled"))
		return print_modelled();
	if (!strcmp(what, "fallible"))
		return print_fallible();
	rows();
	names();
	columns();
	return finish();
}
