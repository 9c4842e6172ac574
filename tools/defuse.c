/* defuse: def-use pairs, flow(5) in, pairs(5) out. */
#include "lib/filter/filter.h"
#include "lib/flow/flow.h"

static int read_flow(FILE *f, const char *name, char **error)
{
	struct flow *flow = flow_read(f, name, error);
	flow_free(flow);
	return flow ? 0 : -1;
}

static int finish(void)
{
	fputs("defuse: the input is well-formed; the analysis is not in this version\n", stderr);
	return 4;
}

int main(int argc, char **argv)
{
	static const struct filter filter = { "defuse", "usage: defuse [-hV] [FILE...]\n", read_flow, finish };
	return filter_main(&filter, argc, argv);
}
