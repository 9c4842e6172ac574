#include "lib/protocol/checks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/base/words.h"

static const char *const names[CHECK_KINDS + 1] = { "none", "div", "bounds", "null", "overflow",
	"shift", "uninit", "leak", NULL };
static const char *const words[] = { "none", "div", "bounds", "null", "overflow", "shift", "uninit",
	"leak", "all", NULL };

const char *check_name(unsigned kind)
{
	return kind && kind < CHECK_KINDS ? names[kind] : NULL;
}

enum check_kind check_find(const char *name)
{
	for (unsigned k = CHECK_NONE + 1; k < CHECK_KINDS; k++)
		if (!strcmp(names[k], name))
			return (enum check_kind)k;
	return CHECK_NONE;
}

static char *unknown(const char *word)
{
	const char *near = words_nearest(word, words);
	char *text;
	int n = near
	    ? asprintf(&text, "unknown check `%s`: did you mean `%s`?", word, near)
	    : asprintf(&text,
	          "unknown check `%s`: there are div, bounds, null, overflow, shift, uninit,"
	          " leak, all, none",
	          word);
	return n < 0 ? NULL : text;
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
		else if (check_find(word) != CHECK_NONE)
			*kinds |= 1u << check_find(word);
		else if (strcmp(word, "none")) {
			*error = unknown(word);
			return false;
		}
		if (!*end)
			return true;
	}
}
