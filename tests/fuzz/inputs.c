/* Inputs: read, and written so that they read the same. */
#include "lib/trace/trace.h"
#include "tests/fuzz/fuzz.h"

static void write_again(const struct input *in)
{
	char *text = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&text, &size);
	struct rec_writer w;
	struct rec_reader *r;
	struct input again = { 0 };

	rec_begin(&w, f, "inputs", 1, "fuzz");
	input_write(&w, in);
	if (rec_end(&w) || fclose(f))
		abort();
	f = fmemopen(text, size, "r");
	r = rec_open(f, "again", "inputs", NULL);
	if (input_read(r, &again) != REC_OK || again.id != in->id || again.n != in->n)
		abort();
	for (size_t i = 0; i < in->n; i++)
		if (strcmp(in->v[i].name, again.v[i].name)
		    || in->v[i].value.lo != again.v[i].value.lo
		    || in->v[i].value.hi != again.v[i].value.hi
		    || in->v[i].width != again.v[i].width)
			abort();
	input_clear(&again);
	rec_close(r);
	fclose(f);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	struct rec_reader *r = rec_open(f, "input", "inputs", NULL);
	struct input in = { 0 };

	while (input_read(r, &in) == REC_OK) {
		write_again(&in);
		input_clear(&in);
	}
	input_clear(&in);
	rec_close(r);
	fclose(f);
	return 0;
}
