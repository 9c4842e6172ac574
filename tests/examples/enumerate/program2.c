/* All inputs of share/examples/program2.c that matter to its paths. */
#include "tests/lib/paths.h"

int program2(const char *input);
static char text[16];

static void run(void)
{
	program2(text);
}

static void each(void)
{
	path_try(run);
}

void enumerate(void)
{
	path_text(text, LENGTH, "ab:;x", each);
}
