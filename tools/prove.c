/* prove: which goals no input can reach, goals(5) in, verdicts(5) out. */
#include <string.h>

#include "lib/filter/filter.h"
#include "lib/table/table.h"

static int read_goals(FILE *f, const char *name, char **error)
{
	struct table *t = table_open(f, name, "goals", table_goals);
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
	fputs("prove: the input is well-formed; proving is not in this version\n", stderr);
	return 4;
}

int main(int argc, char **argv)
{
	static const struct filter filter = { "prove", "usage: prove [-hV] [FILE...]\n", read_goals, finish };
	return filter_main(&filter, argc, argv);
}
