#include "lib/protocol/checks.h"
#include "lib/base/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/words.h"
#include "lib/protocol/criterion.h"

static const char *const names[CHECK_KINDS + 1] = { "none", "div", "bounds", "null", "overflow",
	"shift", "uninit", "leak", NULL };
static const char *const objectives[OBJECTIVE_END - OBJECTIVE_FIRST] = { "below", "equal", "above",
	"zero", "one", "many", "if-less", "if-equal", "if-more", "operator", "operator-2",
	"constant", "constant-2", "deletion" };
/* By the last two digits */
#define TEN(t) \
	"way-" #t "0", "way-" #t "1", "way-" #t "2", "way-" #t "3", "way-" #t "4", "way-" #t "5", \
	    "way-" #t "6", "way-" #t "7", "way-" #t "8", "way-" #t "9"
static const char *const ways[OBJECTIVE_WAYS] = { TEN(0), TEN(1), TEN(2), TEN(3), TEN(4), TEN(5),
	TEN(6), TEN(7), TEN(8), TEN(9) };
static const char *const words[] = { "none", "div", "bounds", "null", "overflow", "shift", "uninit",
	"leak", "all", NULL };

const char *check_name(unsigned kind)
{
	if (objective_is_way(kind))
		return ways[kind - OBJECTIVE_WAY];
	if (objective_is(kind))
		return objectives[kind - OBJECTIVE_FIRST];
	return kind && kind < CHECK_KINDS ? names[kind] : NULL;
}

static const struct {
	const char *op, *first, *second;
} mutants[] = {
	{ "add", "sub", "mul" },
	{ "sub", "add", "mul" },
	{ "mul", "add", "sub" },
	{ "sdiv", "mul", "sub" },
	{ "udiv", "mul", "sub" },
	{ "srem", "mul", "sub" },
	{ "urem", "mul", "sub" },
	{ "and", "or", "xor" },
	{ "or", "and", "xor" },
	{ "xor", "and", "or" },
	{ "shl", "shr", NULL },
	{ "ashr", "shl", NULL },
	{ "lshr", "shl", NULL },
};

const char *objective_mutant(const char *op, unsigned kind)
{
	for (size_t i = 0; i < sizeof mutants / sizeof *mutants; i++)
		if (!strcmp(mutants[i].op, op))
			return kind == OBJECTIVE_OPERATOR2 ? mutants[i].second : mutants[i].first;
	return NULL;
}

static enum check_kind find_fault(const char *name)
{
	for (unsigned k = CHECK_NONE + 1; k < CHECK_KINDS; k++)
		if (!strcmp(names[k], name))
			return (enum check_kind)k;
	return CHECK_NONE;
}

uint32_t checks_criterion(const char *name)
{
	for (unsigned c = 0; c < CRITERIA; c++)
		if (criterion_check((enum criterion)c)
		    && !strcmp(criterion_name((enum criterion)c), name))
			return 1u << criterion_check((enum criterion)c);
	return 0;
}

unsigned check_find(const char *name)
{
	for (unsigned k = OBJECTIVE_FIRST; k < OBJECTIVE_END; k++)
		if (*name == *objectives[k - OBJECTIVE_FIRST]
		    && !strcmp(objectives[k - OBJECTIVE_FIRST], name))
			return k;
	for (unsigned k = 0; k < OBJECTIVE_WAYS && !strncmp(name, "way-", 4); k++)
		if (!strcmp(ways[k], name))
			return OBJECTIVE_WAY + k;
	return find_fault(name);
}

static char *unknown(const char *word)
{
	const char *near = words_nearest(word, words);
	return near ? formatted("unknown check `%s`: did you mean `%s`?", word, near)
	            : formatted("unknown check `%s`: there are div, bounds, null, overflow, shift,"
	                        " uninit, leak, all, none",
	                  word);
}

bool checks_parse(const char *list, uint32_t *kinds, char **error)
{
	*kinds = 0;
	*error = NULL;
	for (const char *s = list, *end;; s = end + 1) {
		char word[32];
		end = s + strcspn(s, ",");
		snprintf(word, sizeof word, "%.*s", (int)(end - s), s);
		if (!strcmp(word, "all"))
			*kinds |= CHECKS_ALL;
		else if (find_fault(word) != CHECK_NONE)
			*kinds |= 1u << find_fault(word);
		else if (checks_criterion(word))
			*kinds |= checks_criterion(word);
		else if (strcmp(word, "none")) {
			*error = unknown(word);
			return false;
		}
		if (!*end)
			return true;
	}
}
