/* partition: which inputs need not be varied together, trace(5) in, blocks(5) out. */
#include <string.h>

#include "lib/filter/filter.h"
#include "lib/trace/trace.h"

static int read_traces(FILE *f, const char *name, char **error)
{
	struct rec_reader *r = rec_open(f, name, "trace", NULL);
	enum rec_status status = REC_ERROR;
	struct trace t;
	while (r && (status = trace_read(r, &t)) == REC_OK)
		trace_clear(&t);
	if (r && status == REC_ERROR)
		*error = strdup(rec_error(r));
	rec_close(r);
	return status == REC_END ? 0 : -1;
}

static int finish(void)
{
	fputs("partition: the input is well-formed; the analysis is not in this version\n", stderr);
	return 4;
}

int main(int argc, char **argv)
{
	static const struct filter filter = { "partition", "usage: partition [-hV] [FILE...]\n", read_traces, finish };
	return filter_main(&filter, argc, argv);
}
