/* All inputs of share/examples/strmat2.c that matter to its paths. */
#include "tests/lib/paths.h"

int strmat2(const char *text, const char *pattern);
static char text[16], pattern[16];

static void run(void)
{
	strmat2(text, pattern);
}

static void each(void)
{
	path_try(run);
}

static void second(void)
{
	path_text(pattern, LENGTH - 1, "abcde", each);
}

void enumerate(void)
{
	path_text(text, LENGTH, "abcde", second);
}
