/* limits: the table of kinds. In texts %n is the name, %v the value, %t the value in milliseconds
 * as seconds. */
#include "lib/limits/limits.h"
#include "lib/base/grow.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { KIB = 1 << 10, MIB = 1 << 20 };

struct limit_row {
	struct limit_kind k;
	const char *text, *bare; /* bare: text without a name; NULL: same as `text` */
	const char *option;      /* NULL: none */
};

static const struct limit_row table[] = {
	/* inputs that grow during the run */
	{ { "size", "size", 64, MIB }, "%n has at most %v bytes here", NULL, "--len %n=0..N" },
	{ { "objects", "objects", 8, 4096 }, "a run makes at most %v objects here", NULL,
	    "--objects N" },
	{ { "depth", "depth", 4, 64 }, "%n is NULL here, below %v pointers",
	    "pointers end after %v pointers here", "--pointer-depth N" },
	{ { "alias", "alias", 0, 4 }, "%n does not point into other objects here",
	    "input pointers do not point into the same objects here",
	    "--may-alias P,Q or --distinct all" },
	{ { "ahead", "ahead", 8, 4096 },
	    "pointers of %n point at most %v elements past the start of their objects here", NULL,
	    NULL },
	{ { "callback", NULL, 0, 0 }, "%n() changes only what its arguments point to here", NULL,
	    NULL },
	{ { "restrict", NULL, 0, 0 },
	    "%n leads to no object of another pointer here, as it is declared restrict", NULL,
	    "--may-alias P,Q" },
	{ { "sentinel", NULL, 0, 0 }, "%n is NULL or an object here, and no other address", NULL,
	    NULL },
	{ { "calls", "calls", 1, 16 }, "%n has its initial value here",
	    "variables have their initial values here", "--calls N or --global %n" },
	{ { "global", "calls", 1, 16 }, "%n has the value that it is initialised with here", NULL,
	    "--global %n" },
	{ { "state", "state", 0, 1 }, "%n has its initial value here",
	    "variables have their initial values here", "--global %n" },
	/* inputs of a shape that the user bounds, or that is not modelled */
	{ { "elements", NULL, 0, 0 }, "%n has at most %v elements here", NULL, "--len %n=0..N" },
	{ { "string", NULL, 0, 0 }, "%n has at most %v characters here", NULL, "--string %n=N" },
	{ { "zero", NULL, 0, 0 }, "%n is zero here", NULL, NULL },
	{ { "members", NULL, 0, 0 },
	    "some members of %n are fixed here: a union with a pointer, or a type that is not modelled",
	    NULL, NULL },
	{ { "device", NULL, 0, 0 }, "there is no memory at %n here", NULL, NULL },
	{ { "variadic", NULL, 0, 0 }, "no variable arguments are passed to %n() here", NULL, NULL },
	{ { "stub", NULL, 0, 0 }, "nothing defines %n: a stub gives any value here", NULL,
	    "--stub %n" },
	{ { "pointers", NULL, 0, 0 },
	    "stubs change no pointer to an object that they reach through %n here", NULL, NULL },
	/* the environment */
	{ { "args", "args", 3, 256 }, "the program has at most %v arguments here", NULL,
	    "--arg I=N" },
	{ { "argc", NULL, 0, 0 }, "argc is at least %v here", NULL, NULL },
	{ { "name", "name", 0, 1 }, "argv[0] is the name of the program here", NULL, NULL },
	{ { "arg0", "text", 16, 64 * KIB }, "argv[0] has at most %v bytes here", NULL, NULL },
	{ { "arg", "text", 16, 64 * KIB }, "argument %n has at most %v bytes here", NULL,
	    "--arg %n=N" },
	{ { "stdin", "stdin", 16, MIB }, "standard input has at most %v bytes here", NULL,
	    "--stdin N" },
	{ { "env", "text", 16, 64 * KIB }, "%n has at most %v bytes here",
	    "environment variables have their present values here", "--env %n=N" },
	{ { "environ", "environ", 3, 256 }, "environ has at most %v variables here", NULL, NULL },
	{ { "files", "files", 3, 256 }, "at most %v files are in the folder here", NULL, NULL },
	{ { "answer", "text", 16, 64 * KIB }, "%n gives at most %v bytes here", NULL, NULL },
	{ { "file", "file", 16, MIB }, "file %n has at most %v bytes here",
	    "files have their present contents here", "--file %n=N" },
	{ { "ended", NULL, 0, 0 }, "%n has no more bytes after its end here", NULL, NULL },
	{ { "faults", "faults", 0, 4 }, "at most %v calls fail here (%n)", NULL, "--faults N" },
	{ { "concrete", NULL, 0, 0 }, "%n answers as on this machine",
	    "the environment answers as on this machine", NULL },
	{ { "locale", NULL, 0, 0 }, "%n() answers as in the C locale here",
	    "functions answer as in the C locale here", NULL },
	{ { "weak", NULL, 0, 0 }, "%n, a weak symbol, is not defined here",
	    "weak symbols are not defined here", NULL },
	{ { "concrete-time", NULL, 0, 0 }, "%n answers as on this machine", NULL, "--input time" },
	{ { "concrete-random", NULL, 0, 0 }, "%n answers as on this machine", NULL,
	    "--input random" },
	/* behaviour that C leaves to implementations */
	{ { "volatile", NULL, 0, 0 }, "%n is volatile, and nothing but the program changes it here",
	    "volatile memory is changed by nothing but the program here", NULL },
	{ { "atomic", NULL, 0, 0 }, "%n is atomic, and no other thread changes it here",
	    "atomic memory is changed by no other thread here", NULL },
	{ { "uninit", NULL, 0, 0 }, "%n is used uninitialised", "an uninitialised value is used",
	    NULL },
	{ { "unset", NULL, 0, 0 },
	    "only the first %v bytes that reserved(, 1) gives have any value here", NULL, NULL },
	{ { "kept", NULL, 0, 0 }, "the address of a variable is kept beyond its block at %n", NULL,
	    NULL },
	{ { "order", NULL, 0, 0 }, "the order of evaluation at %n is the compiler's", NULL, NULL },
	{ { "arguments", NULL, 0, 0 },
	    "the order of evaluation of the arguments at %n is the compiler's", NULL, NULL },
	{ { "compiler", NULL, 0, 0 }, "compilers differ at %n", NULL, NULL },
	{ { "address", NULL, 0, 0 }, "addresses of objects are the compiler's at %n", NULL, NULL },
	{ { "moved", NULL, 0, 0 },
	    "whether memory is where freed memory was is the allocator's at %n", NULL, NULL },
	{ { "apart", NULL, 0, 0 },
	    "%n does not point into the object of the pointer that it is compared with here", NULL,
	    NULL },
	/* objects that a caller could construct differently */
	{ { "number", NULL, 0, 0 }, "%n is no address of an object here", NULL, NULL },
	{ { "pointer", NULL, 0, 0 }, "no pointer begins at %n here", NULL, NULL },
	{ { "stream", NULL, 0, 0 }, "%n is no stream here", NULL, NULL },
	{ { "before", "before", 0, 512 }, "%n has at most %v bytes before %n[0] here", NULL, NULL },
	{ { "earlier", NULL, 0, 0 }, "nothing called %n() before the entry here", NULL, NULL },
	{ { "cycle", "cycle", 1 << 10, 1 << 16 },
	    "%n points back to an earlier object here, and the run did not end", NULL, NULL },
	/* bounds of a run */
	{ { "branches", NULL, 0, 0 }, "a path has at most %v symbolic branches here", NULL,
	    "--depth N" },
	{ { "steps", NULL, 0, 0 }, "a run has at most %v steps here", NULL, "--steps N" },
	{ { "time", NULL, 0, 0 }, "a run has at most %t s here", NULL, "--timeout SECONDS" },
	{ { "memory", NULL, 0, 0 }, "a run has at most %v bytes of memory here", NULL,
	    "--memory BYTES" },
	{ { "output", NULL, 0, 0 }, "a run writes at most %v bytes here", NULL, "--output BYTES" },
	{ { "trace", NULL, 0, 0 }, "a run is too long to be followed: %n", NULL, NULL },
};

static const struct limit_row *find(const char *kind)
{
	for (size_t i = 0; i < sizeof table / sizeof *table; i++)
		if (!strcmp(kind, table[i].k.kind))
			return &table[i];
	return NULL;
}

const struct limit_kind *limit_find(const char *kind)
{
	const struct limit_row *r = find(kind);

	return r ? &r->k : NULL;
}

const struct limit_kind *limit_at(unsigned i)
{
	return i < sizeof table / sizeof *table ? &table[i].k : NULL;
}

/* Words that follow a number in a text: writes their singular, and returns their length. */
static size_t singular(FILE *f, const char *text)
{
	static const char *const words[][2] = { { " calls fail", " call fails" } };
	size_t n = strlen(words[0][0]), end;

	if (!strncmp(text, words[0][0], n)) {
		fputs(words[0][1], f);
		return n;
	}
	for (end = 1; text[end] >= 'a' && text[end] <= 'z';)
		end++;
	if (*text != ' ' || text[end - 1] != 's')
		return 0;
	fprintf(f, "%.*s", (int)end - 1, text);
	return end;
}

static void fill(FILE *f, const char *text, const char *name, uint64_t value)
{
	static const char most[] = "at most %v ";

	for (; *text; text++)
		if (!value && !strncmp(text, most, sizeof most - 1)) {
			fputs("no ", f);
			text += sizeof most - 2;
		} else if (*text != '%')
			putc(*text, f);
		else if (*++text == 'n')
			fputs(*name ? name : "NAME", f);
		else if (*text == 'v') {
			fprintf(f, "%" PRIu64, value);
			text += value == 1 ? singular(f, text + 1) : 0;
		} else
			fprintf(f, "%.6g", (double)value * 1e-3);
}

bool limit_is_doubt(const char *kind)
{
	static const char *const left_to_compilers[] = { "uninit", "unset", "kept", "order",
		"arguments", "compiler", "address", "moved", "apart" };

	for (size_t i = 0; i < sizeof left_to_compilers / sizeof *left_to_compilers; i++)
		if (!strcmp(kind, left_to_compilers[i]))
			return true;
	return false;
}

char *limit_option(const char *kind, const char *name)
{
	const struct limit_row *r = find(kind);
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	fill(f, r && r->option ? r->option : "", name, 0);
	fclose(f);
	return text;
}

char *limit_sentence(const char *kind, const char *name, uint64_t value)
{
	const struct limit_row *r = find(kind);
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	if (!r)
		fprintf(f, "%s%s%s is %" PRIu64 " here", kind, *name ? " " : "", name, value);
	else
		fill(f, r->bare && !*name ? r->bare : r->text, name, value);
	if (r && r->option) {
		fputs(": ", f);
		fill(f, r->option, name, value);
	}
	fclose(f);
	return text;
}

char *need_sentence(const char *kind, const char *name, uint64_t value)
{
	static const struct {
		const char *kind, *text;
	} needs[] = {
		{ "assert", "%n" },
		{ "global", "nothing sets %n to such a value" },
		{ "value", "%n has none of the values for which the assertion fails" },
		{ "null", "%n != NULL" },
		{ "apart", "%n and what it is compared with or subtracted from are in one object" },
		{ "pointer", "a pointer to an object, or NULL, begins at %n" },
		{ "number", "the address of an object begins at %n" },
		{ "device", "there is memory at %n" },
		{ "before", "%n points into an object, with elements before %n[0]" },
		{ "range", "0 <= %n <= %v" },
		{ "most", "%n <= %v" },
		{ "text", "the text of %n ends within its object" },
		{ "inside", "%n is an index within its object" },
		{ "stream", "%n is an open stream" },
		{ "arguments", "%n leads to arguments of the types that are read" },
		{ "divisor", "%n has none of the values for which it divides by zero" },
		{ "memory", "there is enough memory for a size of %n" },
		{ "earlier", "%n() was called before" },
		{ "cycle", "%n does not point back to an earlier object" },
		{ "shared", "%n points to an object of its own" },
		{ "handler", "%n() does not return" },
		{ "variadic", "%n() is passed all arguments that it reads" },
		{ "callee", "%n() does not call itself without end" },
		{ "back", "%n() calls nothing of the program that leads to a fault here" },
		{ "links", "%n agrees with the number of objects that its structure leads to" },
		{ "loop", "values for which the loop `%n` ends" },
	};
	char *text = NULL;
	size_t size;
	FILE *f = text_stream(&text, &size);

	for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
		if (!strcmp(kind, needs[i].kind))
			fill(f, needs[i].text, name, value);
	fclose(f);
	return text;
}
