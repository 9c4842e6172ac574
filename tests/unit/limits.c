/* limits: each kind has a sentence, and names its input in it and in its option. */
#include <stdlib.h>
#include <string.h>

#include "lib/limits/limits.h"
#include "tests/unit/tap.h"

static void says(char *text, const char *want)
{
	ok(text && !strcmp(text, want), want);
	if (text && strcmp(text, want))
		printf("# %s\n", text);
	free(text);
}

int main(void)
{
	const struct limit_kind *k;
	bool good = true;

	for (unsigned i = 0; (k = limit_at(i)); i++) {
		char *text = limit_sentence(k->kind, "p", 7),
		     *bare = limit_sentence(k->kind, "", 7), *option = limit_option(k->kind, "p");
		good &= text && bare && option && *text && *bare && !strchr(text, '%')
		    && !strchr(bare, '%') && !strchr(option, '%') && limit_find(k->kind) == k
		    && (!k->grow || k->first < k->most) && (!*option || strstr(text, option));
		free(text);
		free(bare);
		free(option);
	}
	ok(good, "every kind");
	says(limit_sentence("size", "p[0].q", 64),
	    "p[0].q has at most 64 bytes here: --len p[0].q=0..N");
	says(limit_sentence("time", "", 1500), "a run has at most 1.5 s here: --timeout SECONDS");
	says(limit_sentence("uninit", "", 0), "an uninitialised value is used");
	says(limit_sentence("uninit", "x of a.c:3", 0), "x of a.c:3 is used uninitialised");
	says(limit_sentence("else", "p", 3), "else p is 3 here");
	says(limit_option("zero", "p"), "");
	says(need_sentence("null", "out", 0), "out != NULL");
	says(need_sentence("earlier", "strtok", 0), "strtok() was called before");
	says(need_sentence("before", "a", 0), "a points into an object, with elements before a[0]");
	ok(!limit_find("else"), "no such kind");
	return finish();
}
