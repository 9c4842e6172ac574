/* effects: what calls of library functions read and write, byte by byte, for last definitions. Asked after
 * a call of a function without probes has returned: extents are those of the strings and results that are
 * there then. What is not known here loses track, and says so. */
#include "lib/runtime/rt.h"
#include <string.h>

/* A letter an argument, from the first on; the last stands for all that follow. Small: reads; capital: writes.
 *   -     nothing                    s S   a string with its end
 *   0-9   reads as many bytes as that argument says; behind W: writes them
 *   n     a string, at most as long as the last argument says
 *   d D   up to the first difference of the first two arguments, strings or blocks; e: strings, whatever
 *         their case
 *   i     up to the byte that the second argument says; t: text of a number
 *   p     up to the place that the result is, or all
 *   q     as many as the result says, and one
 *   c     appends: reads what was there, writes behind it
 *   f     a format and what it says of the arguments behind; F: those are written
 *   r R   as many bytes as the result says; m M: times the second argument
 *   T     eight bytes, if not null   L     a string, if the result is not null
 *   N     a string, if the second argument leaves room for it
 *   Q     elements, as many as the second argument says, of the third's size
 *   o O   as many bytes as this argument says are new where the result is; were at the first argument
 * Behind a ! stands what is not all that the function does. */
struct effects { const char *name, *of; };

static const struct effects known[] = { /* sorted by name */
	{ "__assert_fail", "-" }, { "__ctype_b_loc", "-" }, { "__errno_location", "-" },
	{ "__isoc23_sscanf", "sF" }, { "__isoc23_strtol", "tT-" }, { "__isoc23_strtoul", "tT-" },
	{ "__isoc99_sscanf", "sF" },
	{ "abort", "-" }, { "abs", "-" }, { "aligned_alloc", "-" }, { "atof", "t" }, { "atoi", "t" }, { "atol", "t" },
	{ "atoll", "t" }, { "calloc", "-" }, { "ceil", "-" }, { "close", "-" }, { "cos", "-" }, { "duct_symbolic", "W1-s" },
	{ "exit", "-" }, { "exp", "-" }, { "fabs", "-" }, { "fclose", "-" }, { "feof", "-" }, { "ferror", "-" },
	{ "fflush", "-" }, { "fgetc", "-" }, { "fgets", "L--" }, { "floor", "-" }, { "fmod", "-" }, { "fopen", "s" },
	{ "fprintf", "-f" }, { "fputc", "-" }, { "fputs", "s-" }, { "fread", "M-" }, { "free", "-" },
	{ "fscanf", "-F" }, { "fseek", "-" }, { "fwrite", "m-" }, { "getc", "-" }, { "getchar", "-" }, { "getenv", "s" },
	{ "gets", "L" }, { "isalnum", "-" }, { "isalpha", "-" }, { "isdigit", "-" }, { "islower", "-" },
	{ "isprint", "-" }, { "ispunct", "-" }, { "isspace", "-" }, { "isupper", "-" }, { "isxdigit", "-" },
	{ "labs", "-" }, { "log", "-" }, { "malloc", "-" }, { "memchr", "i" }, { "memcmp", "DD-" }, { "memcpy", "W22-" },
	{ "memmove", "W22-" }, { "mempcpy", "W22-" }, { "memset", "W2-" }, { "mmap", "-o-" },
	{ "mmap64", "-o-" }, { "mremap", "-Oo-" }, { "munmap", "-O" }, { "open", "s-" }, { "perror", "s" },
	{ "posix_memalign", "T-" }, { "pow", "-" }, { "printf", "f" }, { "putc", "-" }, { "putchar", "-" }, { "puts", "s" }, { "qsort", "!Q-" }, { "rand", "-" },
	{ "read", "-R-" }, { "realloc", "-" }, { "reallocarray", "-" },
	{ "remove", "s" }, { "rewind", "-" }, { "scanf", "F" }, { "sin", "-" }, { "snprintf", "N-f" },
	{ "sprintf", "Sf" }, { "sqrt", "-" }, { "srand", "-" }, { "sscanf", "sF" }, { "stpcpy", "Ss" },
	{ "strcasecmp", "ee" }, { "strcat", "cs" }, { "strchr", "i-" }, { "strcmp", "dd" }, { "strcpy", "Ss" },
	{ "strcspn", "qs" }, { "strdup", "s" }, { "strerror", "-" }, { "strlen", "s" }, { "strncasecmp", "ee-" },
	{ "strncat", "cn-" }, { "strncmp", "dd-" }, { "strncpy", "W2n-" }, { "strndup", "n-" }, { "strnlen", "n-" },
	{ "strpbrk", "ps" }, { "strrchr", "s-" }, { "strspn", "qs" }, { "strstr", "ps" }, { "strtod", "tT" },
	{ "strtol", "tT-" }, { "strtoll", "tT-" }, { "strtoul", "tT-" }, { "strtoull", "tT-" }, { "time", "T" },
	{ "tolower", "-" }, { "toupper", "-" }, { "ungetc", "-" }, { "unlink", "s" }, { "write", "-r-" },
};

struct call {
	const uint64_t *arg;
	uint64_t result;
	uint32_t n, writer, serial;
};

static uint64_t argument(const struct call *c, uint32_t i)
{
	return i < c->n ? c->arg[i] : 0;
}

static void reads(const struct call *c, uint32_t i, size_t n)
{
	if (argument(c, i) >= 4096)
		duct_last_read(c->writer, c->serial, argument(c, i), n);
}

static void writes(const struct call *c, uint32_t i, size_t n)
{
	if (argument(c, i) >= 4096)
		duct_rt_last_def((void *)argument(c, i), n, c->writer, c->serial);
}

static const char *text(const struct call *c, uint32_t i)
{
	return argument(c, i) >= 4096 ? (const char *)argument(c, i) : "";
}

static size_t length(const char *s, size_t most)
{
	size_t n = 0;

	while (n < most && s[n])
		n++;
	return n;
}

/* With its end, if that is within. */
static size_t bounded(const char *s, size_t most)
{
	size_t n = length(s, most);

	return n + (n < most);
}

static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c + 32 : c;
}

/* Bytes that a comparison looks at: of strings unless `block`. */
static size_t until_difference(const struct call *c, bool block, bool any_case)
{
	const char *a = text(c, 0), *b = text(c, 1);
	size_t n = 0, most = c->n > 2 ? argument(c, 2) : SIZE_MAX;

	for (; n < most; n++) {
		bool differ = any_case ? lower(a[n]) != lower(b[n]) : a[n] != b[n];

		if (differ || (!block && !a[n]))
			return n + 1;
	}
	return n;
}

static size_t until_byte(const struct call *c)
{
	const char *s = text(c, 0), wanted = (char)argument(c, 1);
	bool block = c->n > 2;
	size_t n = 0, most = block ? argument(c, 2) : SIZE_MAX;

	while (n < most && s[n] != wanted && (block || s[n]))
		n++;
	return n < most ? n + 1 : n;
}

static size_t number_length(const char *s)
{
	size_t n = 0;

	while (s[n] == ' ' || (s[n] >= 9 && s[n] <= 13))
		n++;
	n += s[n] == '-' || s[n] == '+';
	while ((s[n] >= '0' && s[n] <= '9') || s[n] == '.' || (lower(s[n]) >= 'a' && lower(s[n]) <= 'z'))
		n++;
	return n + 1;
}

/* What the conversions of a format read, or write, with argument i and those behind it. A conversion that names
 * its argument by number ends what is known. */
struct conversion { char letter; uint8_t longs; bool ignored; size_t width; };

static const char *flags(const char *s, struct conversion *k, const struct call *c, uint32_t *at, bool input)
{
	k->ignored = input && *s == '*';
	s += k->ignored;
	for (; *s && !((*s >= 'A' && *s <= 'Z' && *s != 'L') || (*s >= 'a' && *s <= 'z') || *s == '%' || *s == '['); s++) {
		if (*s == '.')
			k->width = 0;            /* a precision: what a string has at most */
		else if (*s == '*')
			k->width = argument(c, (*at)++);
		else if (*s == '$')
			return "";
		else if (*s >= '0' && *s <= '9')
			k->width = (k->width == SIZE_MAX ? 0 : k->width * 10) + (size_t)(*s - '0');
	}
	while (*s == 'l' || *s == 'h' || *s == 'z' || *s == 'j' || *s == 't' || *s == 'L' || *s == 'q') {
		k->longs += *s == 'h' ? 16 : 1;
		s++;
	}
	k->letter = *s;
	if (*s == '[') {
		s += s[1] == '^' ? 2 : 1;
		s += *s == ']';
		while (*s && *s != ']')
			s++;
	}
	return *s ? s + 1 : s;
}

static size_t number_size(const struct conversion *k)
{
	bool real = (k->letter >= 'e' && k->letter <= 'g') || k->letter == 'a';

	if (k->letter == 'p' || k->letter == 'n')
		return k->letter == 'p' || k->longs == 1 ? 8 : 4;
	if (real)
		return k->longs == 1 ? 8 : 4;
	return k->longs >= 32 ? 1 : k->longs == 16 ? 2 : k->longs ? 8 : 4;
}

static void printed(const struct call *c, uint32_t i)
{
	const char *s = text(c, i++);

	reads(c, i - 1, bounded(s, SIZE_MAX));
	while (*s) {
		struct conversion k = { .width = SIZE_MAX };
		bool precise = false;

		if (*s++ != '%')
			continue;
		for (const char *p = s; *p && !(*p >= 'a' && *p <= 'z'); p++)
			precise |= *p == '.';
		s = flags(s, &k, c, &i, false);
		if (k.letter == 's')
			reads(c, i, bounded(text(c, i), precise ? k.width : SIZE_MAX));
		else if (k.letter == 'n')
			writes(c, i, number_size(&k));
		i += k.letter && k.letter != '%' && k.letter != 'm';
	}
}

static void scanned(const struct call *c, uint32_t i)
{
	const char *s = text(c, i++);
	int32_t left = (int32_t)c->result;

	reads(c, i - 1, bounded(s, SIZE_MAX));
	while (*s && left > 0) {
		struct conversion k = { .width = SIZE_MAX };

		if (*s++ != '%')
			continue;
		s = flags(s, &k, c, &i, true);
		if (!k.letter || k.letter == '%' || k.ignored)
			continue;
		if (k.letter == 's' || k.letter == '[')
			writes(c, i, bounded(text(c, i), SIZE_MAX));
		else
			writes(c, i, k.letter == 'c' ? (k.width == SIZE_MAX ? 1 : k.width) : number_size(&k));
		i++;
		left -= k.letter != 'n';
	}
}

/* What strcat and strncat append. */
static size_t appended(const struct call *c)
{
	return length(text(c, 1), c->n > 2 ? argument(c, 2) : SIZE_MAX);
}

/* Bytes that argument i is read for. */
static size_t read_length(const struct call *c, char letter, uint32_t i)
{
	const char *s = text(c, i);

	switch (letter) {
	case 's':
		return bounded(s, SIZE_MAX);
	case 'n':
		return bounded(s, argument(c, c->n - 1));
	case 'd':
		return until_difference(c, false, false);
	case 'D':
		return until_difference(c, true, false);
	case 'e':
		return until_difference(c, false, true);
	case 'i':
		return until_byte(c);
	case 't':
		return number_length(s);
	case 'p':
		return c->result ? c->result - (uintptr_t)s + 1 : bounded(s, SIZE_MAX);
	case 'q':
		return c->result + 1;
	case 'r':
		return (int64_t)c->result > 0 ? c->result : 0;
	case 'm':
		return c->result * argument(c, 1);
	case 'c':
		return length(s, SIZE_MAX) - appended(c) + 1;
	default:
		return letter >= '0' && letter <= '9' ? argument(c, (uint32_t)(letter - '0')) : 0;
	}
}

static void write_argument(const struct call *c, char letter, uint32_t i)
{
	const char *s = text(c, i);
	size_t before;

	switch (letter) {
	case 'S':
		return writes(c, i, bounded(s, SIZE_MAX));
	case 'L':
		return writes(c, i, c->result ? bounded(s, SIZE_MAX) : 0);
	case 'N':
		return writes(c, i, argument(c, 1) ? bounded(s, argument(c, 1)) : 0);
	case 'R':
		return writes(c, i, (int64_t)c->result > 0 ? c->result : 0);
	case 'M':
		return writes(c, i, c->result * argument(c, 1));
	case 'T':
		return writes(c, i, 8);
	case 'F':
		return scanned(c, i);
	case 'c':
		before = length(s, SIZE_MAX) - appended(c);
		return duct_rt_last_def((void *)(uintptr_t)(s + before), bounded(s + before, SIZE_MAX), c->writer, c->serial);
	case 'o':
		return c->result + 1 ? duct_last_lose(c->result, argument(c, i)) : (void)0;
	case 'O':
		return c->result + 1 ? duct_last_lose(argument(c, 0), argument(c, i)) : (void)0;
	case 'Q':
		return writes(c, i, argument(c, 1) * argument(c, 2));
	default:
		return;
	}
}

/* The letter of argument i; *writes: it stood behind a W. */
static char effect(const char *of, uint32_t i, bool *written)
{
	for (;; i--) {
		*written = *of == 'W';
		of += *written;
		if (!i || !of[1])
			return *of;
		of++;
	}
}

/* All is read before anything is written. */
static void apply(const struct call *c, const char *of)
{
	bool written;

	for (uint32_t i = 0; i < c->n; i++) {
		char e = effect(of, i, &written);

		if (e == 'f') {
			printed(c, i);
			break;
		}
		if (!written)
			reads(c, i, read_length(c, e, i));
	}
	for (uint32_t i = 0; i < c->n; i++) {
		char e = effect(of, i, &written);

		if (written)
			writes(c, i, argument(c, (uint32_t)(e - '0')));
		else
			write_argument(c, e, i);
		if (e == 'f' || e == 'F')
			break;
	}
}

static const char *effects_of(const char *name)
{
	size_t low = 0, high = sizeof known / sizeof *known;

	while (low < high) {
		size_t middle = (low + high) / 2;
		int order = strcmp(name, known[middle].name);

		if (order == 0)
			return known[middle].of;
		if (order < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return NULL;
}

/* Bytes that unknown code may have written from p on: to the end of its object; without a server most objects
 * are not known. */
static size_t written_at_most(uintptr_t p)
{
	return duct_channel || duct_object_at(p) ? duct_reach(p) : 4096;
}

void duct_rt_last_library(struct duct_pairs *p, const char *name, uint32_t inst, uint32_t serial, uint64_t result,
                          uint32_t n, const uint64_t *arg, uint64_t pointers)
{
	struct call c = { arg, result, n, p->inst_base + inst, serial };
	const char *of = effects_of(name);
	bool lost = !of && pointers;

	if (of && *of == '!') {
		of++;
		lost = true;
	}
	if (of)
		apply(&c, of);
	for (uint32_t i = 0; !of && i < n && i < 64; i++)
		if (pointers >> i & 1 && arg[i] >= 4096 && duct_may_write(name))
			duct_last_lose(arg[i], written_at_most(arg[i]));
	if (lost)
		duct_last_lost(c.writer, name);
}

void duct_rt_last_asm(struct duct_pairs *p, uint32_t inst, const void *to)
{
	if (to)
		duct_rt_last_back(to);
	else
		duct_last_forget();
	duct_last_lost(p->inst_base + inst, "inline assembly");
}

void duct_rt_last_back(const void *p)
{
	const struct duct_object *o = duct_object_at((uintptr_t)p);

	if (o)
		duct_last_lose(o->base, o->room);
	else if ((uintptr_t)p >= 4096)
		duct_last_lose((uintptr_t)p, written_at_most((uintptr_t)p));
}
