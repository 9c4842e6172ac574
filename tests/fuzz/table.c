/* The formats that are plain tables; each input is read as all of them. */
#include "lib/table/table.h"
#include "tests/fuzz/records.h"

static void read_as(
    const uint8_t *data, size_t size, const char *format, const struct table_tag *tags)
{
	FILE *f = fuzz_file(data, size);
	struct table *t = table_open(f, "input", format, tags);
	size_t tag, n = 0;
	struct rec rec;

	while (tags[n].tag)
		n++;
	while (table_next(t, &rec, &tag) == REC_OK)
		if (tag >= n || strcmp(rec.field[0], tags[tag].tag))
			abort();
	table_close(t);
	fclose(f);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_as(data, size, "pairs", table_pairs);
	read_as(data, size, "goals", table_goals);
	read_as(data, size, "verdicts", table_verdicts);
	read_as(data, size, "blocks", table_blocks);
	read_as(data, size, "flowmap", table_flowmap);
	return 0;
}
