/* Inputs: read, and written so that they read the same. */
#include "lib/trace/trace.h"
#include "tests/fuzz/records.h"

/* Is this value there, too? Names without a value stand behind the others. */
static bool has(const struct input *in, const struct input_value *v)
{
	for (size_t i = 0; i < in->n; i++)
		if (!strcmp(in->v[i].name, v->name))
			return in->v[i].value.lo == v->value.lo && in->v[i].value.hi == v->value.hi
			    && in->v[i].width == v->width && in->v[i].varies == v->varies;
	return false;
}

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
		if (!has(&again, &in->v[i]))
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
