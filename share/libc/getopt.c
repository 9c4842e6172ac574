/* getopt and getopt_long, as in glibc. Their position in the arguments is kept here, so a run uses
 * only this implementation. */
#define _GNU_SOURCE 1
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "share/libc/model.h"
#include "share/libc/names.h"

enum argument_order { PERMUTE, STOP, IN_ORDER };

struct parse {
	int argc, only, complain; /* only: long options may have a single dash */
	char **argv;
	const char *shorts; /* without its leading + or - */
	const struct option *longs;
	int *index;
};

/* Arguments first .. last-1 were passed over: they are no options. */
static struct {
	int begun, first, last;
	enum argument_order order;
	char *next;
} state;

#define COMPLAIN(c, text, ...) \
	do { \
		if ((c)->complain) \
			fprintf(stderr, text, (c)->argv[0], __VA_ARGS__); \
	} while (0)

static int is_plain(const char *s)
{
	return s[0] != '-' || !s[1];
}

/* Moves the arguments that were passed over behind the options after them. */
static void exchange(char **argv)
{
	int to = state.first, i, k;

	for (i = state.last; i < optind; i++) {
		char *option = argv[i];

		for (k = i; k > to; k--)
			argv[k] = argv[k - 1];
		argv[to++] = option;
	}
	state.first = to;
	state.last = optind;
}

static void begin(const char *shorts, int posix)
{
	if (!optind)
		optind = 1;
	state.begun = 1;
	state.first = state.last = optind;
	state.next = NULL;
	state.order = *shorts == '-'                               ? IN_ORDER
	    : *shorts == '+' || posix || getenv("POSIXLY_CORRECT") ? STOP
	                                                           : PERMUTE;
}

/* ---- long options */

static int differ(const struct parse *c, const struct option *a, const struct option *b)
{
	return c->only || a->has_arg != b->has_arg || a->flag != b->flag || a->val != b->val;
}

static int ambiguous(struct parse *c, const char *prefix, size_t n, const struct option *first)
{
	const struct option *o;

	if (c->complain) {
		fprintf(stderr, "%s: option '%s%s' is ambiguous; possibilities:", c->argv[0],
		    prefix, state.next);
		for (o = first; o->name; o++)
			if (!strncmp(o->name, state.next, n) && (o == first || differ(c, first, o)))
				fprintf(stderr, " '%s%s'", prefix, o->name);
		fputc('\n', stderr);
	}
	state.next += strlen(state.next);
	optind++;
	optopt = 0;
	return '?';
}

/* The option of this name or the only one that begins so; NULL: none. */
static const struct option *find(const struct parse *c, size_t n, int *many)
{
	const struct option *o, *found = NULL;

	for (o = c->longs; o->name; o++)
		if (!strncmp(o->name, state.next, n) && strlen(o->name) == n)
			return o;
	for (o = c->longs; o->name; o++)
		if (!strncmp(o->name, state.next, n)) {
			if (found && differ(c, found, o))
				*many = 1;
			else if (!found)
				found = o;
		}
	return found;
}

/* -1: it is no long option after all. */
static int long_option(struct parse *c, const char *prefix)
{
	size_t n = strcspn(state.next, "=");
	const char *end = state.next + n;
	int many = 0;
	const struct option *o = find(c, n, &many);

	if (many)
		return ambiguous(c, prefix, n, o);
	if (!o && c->only && c->argv[optind][1] != '-' && strchr(c->shorts, *state.next))
		return -1;
	if (!o)
		COMPLAIN(c, "%s: unrecognized option '%s%s'\n", prefix, state.next);
	optind++;
	state.next = NULL;
	optopt = o ? o->val : 0;
	if (!o)
		return '?';
	if (*end && !o->has_arg) {
		COMPLAIN(c, "%s: option '%s%s' doesn't allow an argument\n", prefix, o->name);
		return '?';
	}
	if (!*end && o->has_arg == required_argument && optind == c->argc) {
		COMPLAIN(c, "%s: option '%s%s' requires an argument\n", prefix, o->name);
		return *c->shorts == ':' ? ':' : '?';
	}
	if (*end)
		optarg = (char *)end + 1;
	else if (o->has_arg == required_argument)
		optarg = c->argv[optind++];
	if (c->index)
		*c->index = (int)(o - c->longs);
	if (!o->flag)
		return o->val;
	*o->flag = o->val;
	return 0;
}

/* ---- short options */

/* -W name is --name when the options say so. */
static int long_by_letter(struct parse *c)
{
	if (*state.next) {
		optarg = state.next;
	} else if (optind == c->argc) {
		COMPLAIN(c, "%s: option requires an argument -- '%c'\n", 'W');
		optopt = 'W';
		return *c->shorts == ':' ? ':' : '?';
	} else {
		optarg = c->argv[optind];
	}
	state.next = optarg;
	optarg = NULL;
	c->only = 0;
	return long_option(c, "-W ");
}

enum option_form {
	NO_OPTION,
	ALONE,    /* without an argument */
	ARGUMENT, /* with one */
	OPTIONAL, /* with one, if it follows in the same word */
	LONG,     /* -W name */
};

/* Is it the first time that the letter is listed there? */
static int is_first(const char *shorts, const char *s)
{
	const char *p;

	for (p = shorts; *p != *s; p++)
		;
	return p == s;
}

/* The path decides the kind of an option, but not which option it is: the program compares it. */
static enum option_form kind_of(const struct parse *c, char letter)
{
	int is[LONG + 1] = { 0 }, here;
	const char *s;

	for (s = c->shorts; *s; s++) {
		if (*s == ':' || *s == ';' || !is_first(c->shorts, s))
			continue;
		here = s[1] != ':' ? ALONE : s[2] != ':' ? ARGUMENT : OPTIONAL;
		if (*s == 'W' && s[1] == ';' && c->longs)
			here = LONG;
		is[here] |= letter == *s;
	}
	for (here = LONG; here != NO_OPTION && !is[here]; here--)
		;
	return (enum option_form)here;
}

static int short_option(struct parse *c)
{
	char letter = *state.next++;
	enum option_form kind = kind_of(c, letter);
	int result = letter;

	if (!*state.next)
		optind++;
	if (kind == NO_OPTION) {
		COMPLAIN(c, "%s: invalid option -- '%c'\n", letter);
		optopt = letter;
		return '?';
	}
	if (kind == LONG)
		return long_by_letter(c);
	if (kind == ALONE)
		return result;
	if (*state.next) {
		optarg = state.next;
		optind++;
	} else if (kind == ARGUMENT && optind == c->argc) {
		COMPLAIN(c, "%s: option requires an argument -- '%c'\n", letter);
		optopt = letter;
		result = *c->shorts == ':' ? ':' : '?';
	} else if (kind == ARGUMENT) {
		optarg = c->argv[optind++];
	}
	state.next = NULL;
	return result;
}

/* Skips arguments that are no options. Is there an option? If not, *result is the function's
 * result. */
static int at_option(struct parse *c, int *result)
{
	*result = -1;
	if (state.last > optind)
		state.last = optind;
	if (state.first > optind)
		state.first = optind;
	if (state.order == PERMUTE) {
		if (state.first != state.last && state.last != optind)
			exchange(c->argv);
		else if (state.last != optind)
			state.first = optind;
		while (optind < c->argc && is_plain(c->argv[optind]))
			optind++;
		state.last = optind;
	}
	if (optind != c->argc && !strcmp(c->argv[optind], "--")) {
		optind++;
		if (state.first != state.last && state.last != optind)
			exchange(c->argv);
		else if (state.first == state.last)
			state.first = optind;
		state.last = optind = c->argc;
	}
	if (optind == c->argc) {
		if (state.first != state.last)
			optind = state.first;
		return 0;
	}
	if (!is_plain(c->argv[optind]))
		return 1;
	if (state.order != STOP) {
		optarg = c->argv[optind++];
		*result = 1;
	}
	return 0;
}

static int next_option(struct parse *c, int posix)
{
	const char *s;
	int result;

	if (c->argc < 1)
		return -1;
	optarg = NULL;
	if (!optind || !state.begun)
		begin(c->shorts, posix);
	c->shorts += *c->shorts == '-' || *c->shorts == '+';
	c->complain = opterr && *c->shorts != ':';
	if (state.next && *state.next)
		return short_option(c);
	if (!at_option(c, &result))
		return result;
	s = c->argv[optind];
	if (c->longs && s[1] == '-') {
		state.next = (char *)s + 2;
		return long_option(c, "--");
	}
	if (c->longs && c->only && (s[2] || !strchr(c->shorts, s[1]))) {
		state.next = (char *)s + 1;
		if ((result = long_option(c, "-")) != -1)
			return result;
	}
	state.next = (char *)s + 1;
	return short_option(c);
}

MODEL int getopt(int argc, char *const *argv, const char *shorts)
{
	struct parse c = { .argc = argc, .argv = (char **)argv, .shorts = shorts };

	return next_option(&c, 0);
}

int __posix_getopt(int argc, char *const *argv, const char *shorts);
MODEL int __posix_getopt(int argc, char *const *argv, const char *shorts)
{
	struct parse c = { .argc = argc, .argv = (char **)argv, .shorts = shorts };

	return next_option(&c, 1);
}

MODEL int getopt_long(
    int argc, char *const *argv, const char *shorts, const struct option *longs, int *index)
{
	struct parse c = { .argc = argc,
		.argv = (char **)argv,
		.shorts = shorts,
		.longs = longs,
		.index = index };

	return next_option(&c, 0);
}

MODEL int getopt_long_only(
    int argc, char *const *argv, const char *shorts, const struct option *longs, int *index)
{
	struct parse c = { .argc = argc,
		.argv = (char **)argv,
		.shorts = shorts,
		.longs = longs,
		.index = index,
		.only = 1 };

	return next_option(&c, 0);
}
