/* All inputs of share/examples/program1.c that matter to its paths. */
#include "tests/lib/paths.h"

int program1(const char *p, const char *q);
static char p[16], q[16];

static void run(void)
{
	program1(p, q);
}

static void each(void)
{
	path_try(run);
}

static void second(void)
{
	path_text(q, LENGTH, "b:x", each);
}

void enumerate(void)
{
	path_text(p, LENGTH, "a:x", second);
}
