/* Records of any format: the reader underneath all others, and that what it read is written so
 * that it reads the same. */
#include "lib/rec/rec.h"
#include "tests/fuzz/records.h"

static void write_again(const struct rec *rec)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct rec_writer w;
	struct rec_reader *r;
	struct rec again;

	rec_begin(&w, f, "flow", 1, "fuzz");
	for (size_t i = 0; i < rec->n; i++)
		rec_mem(&w, rec->field[i], rec->len[i]);
	rec_eol(&w);
	if (rec_end(&w) || fclose(f))
		abort();
	f = fmemopen(text, size, "r");
	r = rec_open(f, "again", "flow", NULL);
	if (rec_next(r, &again) != REC_OK || again.n != rec->n)
		abort();
	for (size_t i = 0; i < rec->n; i++)
		if (again.len[i] != rec->len[i]
		    || memcmp(again.field[i], rec->field[i], rec->len[i]))
			abort();
	rec_close(r);
	fclose(f);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	struct rec_reader *r = rec_open(f, "input", "flow", NULL);
	enum rec_status status;
	struct rec rec;
	uint64_t number;

	while ((status = rec_next(r, &rec)) == REC_OK) {
		if (rec.n == 0 || rec.field[0][rec.len[0]])
			abort();
		if (rec.n > 1)
			(void)rec_u64(r, &rec, 1, "number", 0, 100, &number);
		if (rec.n < 20 && strcmp(rec.field[0], "end") && rec.field[0][0] != '#')
			write_again(&rec);
	}
	if (status == REC_ERROR && !rec_error(r)[0])
		abort();
	rec_close(r);
	fclose(f);
	return 0;
}
