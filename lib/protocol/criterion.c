#include "lib/protocol/criterion.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/grow.h"
#include "lib/base/words.h"
#include "lib/protocol/channel.h"

/* Conditions at instructions, which instrument weaves in. */
#define WOVEN(name, check) { name, name, PLACES_NONE, check, CRITERION_WOVEN }

/* Outcomes, pairs and what is made of them. */
#define MADE(name, traits) { name, NULL, PLACES_NONE, 0, traits }

static const struct {
	const char *name, *target;
	enum criterion_places places;
	unsigned check, traits;
} table[CRITERIA] = {
	[CRITERION_TARGETS] = { "targets", "target", PLACES_ASKED, 0, CRITERION_NO_SUITE },
	[CRITERION_ERRORS] = { "errors", "error", PLACES_ERRORS, 0, CRITERION_ALWAYS },
	[CRITERION_LABELS] = { "labels", "label", PLACES_LABELS, 0, CRITERION_ALWAYS },
	[CRITERION_FUNCTIONS] = { "functions", "function", PLACES_ENTRIES, 0, 0 },
	[CRITERION_STATEMENTS] = { "statements", "statement", PLACES_LINES, 0, 0 },
	[CRITERION_BRANCHES] = MADE("branches", CRITERION_OWN_PART | CRITERION_TRACED),
	[CRITERION_CONDITIONS] = MADE("conditions", 0),
	[CRITERION_DECISIONS] = MADE("decisions", 0),
	[CRITERION_MCDC] = MADE("mcdc", CRITERION_EVALUATIONS),
	[CRITERION_MASKING] = MADE("mcdc-masking", CRITERION_EVALUATIONS),
	[CRITERION_PAIRS] = MADE("pairs", CRITERION_OWN_PART | CRITERION_ALL_PAIRS),
	[CRITERION_ALL_DEFS] = MADE("all-defs", CRITERION_DEFINITIONS),
	[CRITERION_ALL_C_USES] = MADE("all-c-uses", 0),
	[CRITERION_ALL_P_USES] = MADE("all-p-uses", 0),
	[CRITERION_ALL_USES] = MADE("all-uses", 0),
	[CRITERION_C_USES_SOME_P] = MADE("all-c-uses-some-p-uses", CRITERION_ALL_PAIRS),
	[CRITERION_P_USES_SOME_C] = MADE("all-p-uses-some-c-uses", CRITERION_ALL_PAIRS),
	[CRITERION_DATA_COUPLING] = MADE("data-coupling", CRITERION_ALL_PAIRS | CRITERION_INTER),
	[CRITERION_CONTROL_COUPLING] = { "control-coupling", "call", PLACES_CALLS, 0,
	    CRITERION_CALLS },
	[CRITERION_BOUNDARIES] = WOVEN("boundaries", CHECK_BOUNDARIES),
	[CRITERION_LOOPS] = WOVEN("loops", CHECK_LOOPS),
	[CRITERION_MUTANTS] = WOVEN("mutants", CHECK_MUTANTS),
	[CRITERION_CALL_SEQUENCES] = WOVEN("call-sequences", CHECK_CALLS),
	[CRITERION_DU_PATHS] = WOVEN("all-du-paths", CHECK_PATHS),
};

const char *criterion_name(enum criterion c)
{
	return table[c].name;
}

const char *criterion_target(enum criterion c)
{
	return table[c].target;
}

enum criterion criterion_of_target(const char *target)
{
	unsigned c = 0;

	while (c < CRITERIA && (!table[c].target || strcmp(table[c].target, target)))
		c++;
	return (enum criterion)c;
}

enum criterion_places criterion_places(enum criterion c)
{
	return table[c].places;
}

enum criterion criterion_with(enum criterion_places places)
{
	unsigned c = 0;

	while (c < CRITERIA && table[c].places != places)
		c++;
	return (enum criterion)c;
}

unsigned criterion_check(enum criterion c)
{
	return table[c].check;
}

enum criterion criterion_of_check(unsigned check)
{
	unsigned c = 0;

	while (c < CRITERIA && (!check || table[c].check != check))
		c++;
	return (enum criterion)c;
}

uint32_t criteria_with(enum criterion_trait trait)
{
	uint32_t set = 0;

	for (unsigned c = 0; c < CRITERIA; c++)
		if (table[c].traits & trait)
			set |= 1u << c;
	return set;
}

unsigned criterion_trait(const char *name)
{
	static const char *const names[] = { "always", "own-part", "no-suite", "woven",
		"evaluations", "definitions", "all-pairs", "inter", "calls", "traced" };

	for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return 1u << i;
	return 0;
}

/* The message for a word that is no criterion. Caller frees. */
static char *unknown(const char *word)
{
	const char *names[CRITERIA + 1] = { NULL }, *near;
	char *text;
	size_t size;
	FILE *f;

	for (size_t k = 0; k < CRITERIA; k++)
		names[k] = table[k].name;
	near = words_nearest(word, names);
	f = text_stream(&text, &size);
	fprintf(f, near ? "unknown criterion `%s`: did you mean `%s`?" : "unknown criterion `%s`",
	    word, near);
	for (size_t k = 0; k < CRITERIA && !near; k++)
		fprintf(f, "%s %s", k ? "," : ": there are", names[k]);
	fclose(f);
	return text;
}

uint32_t criteria_parse(const char *list, char **error)
{
	uint32_t set = 0;

	*error = NULL;
	for (const char *s = list, *end;; s = end + 1) {
		char word[32];
		size_t k = 0;
		end = s + strcspn(s, ",");
		snprintf(word, sizeof word, "%.*s", (int)(end - s), s);
		while (k < CRITERIA && strcmp(table[k].name, word))
			k++;
		if (k == CRITERIA) {
			*error = unknown(word);
			return 0;
		}
		set |= 1u << k;
		if (!*end)
			return set;
	}
}

uint32_t criteria_among(const char *const *parameter, const char *option)
{
	size_t n = strlen(option);
	uint32_t set = 0;
	char *error;

	for (; parameter && *parameter; parameter++)
		if (!strncmp(*parameter, "option ", 7) && !strncmp(*parameter + 7, option, n)
		    && (*parameter)[7 + n] == '=') {
			set |= criteria_parse(*parameter + 7 + n + 1, &error);
			free(error);
		}
	return set;
}
