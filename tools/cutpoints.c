/* cutpoints: cut points of def-use pairs, pairs(5) in, goals(5) out. */
#include <string.h>

#include "lib/filter/filter.h"
#include "lib/table/table.h"

static int read_pairs(FILE *f, const char *name, char **error)
{
	struct table *t = table_open(f, name, "pairs", table_pairs);
	enum rec_status status = REC_ERROR;
	struct rec rec;
	size_t tag;
	while (t && (status = table_next(t, &rec, &tag)) == REC_OK)
		;
	if (t && status == REC_ERROR)
		*error = strdup(rec_error(table_reader(t)));
	table_close(t);
	return status == REC_END ? 0 : -1;
}

static int finish(void)
{
	fputs("cutpoints: the input is well-formed; the analysis is not in this version\n", stderr);
	return 4;
}

int main(int argc, char **argv)
{
	static const struct filter filter = { "cutpoints", "usage: cutpoints [-hV] [FILE...]\n", read_pairs, finish };
	return filter_main(&filter, argc, argv);
}
