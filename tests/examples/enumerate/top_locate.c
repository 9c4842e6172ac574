/* All inputs of share/examples/top_locate.c that matter to its paths. */
#include "tests/lib/paths.h"

int top_nonempty(const char *input);
static char text[16];

static void run(void)
{
	top_nonempty(text);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_text(text, LENGTH, "a:x", each);
}
