/* Traces: read, imported as expressions, kept in a tree; and written so that they read the same. */
#include "lib/expr/expr.h"
#include "lib/tree/tree.h"
#include "tests/fuzz/records.h"

static char *text_of(const struct trace *t, size_t *size)
{
	char *text = NULL;
	FILE *f = open_memstream(&text, size);
	struct rec_writer w;

	rec_begin(&w, f, "trace", 1, "fuzz");
	trace_write(&w, t);
	if (rec_end(&w) || fclose(f))
		abort();
	return text;
}

static void write_again(const struct trace *t)
{
	size_t size, size2;
	char *text = text_of(t, &size), *text2;
	FILE *f = fmemopen(text, size, "r");
	struct rec_reader *r = rec_open(f, "again", "trace", NULL);
	struct trace again = { 0 };

	if (trace_read(r, &again) != REC_OK) {
		fprintf(stderr, "%s\n%s", rec_error(r), text);
		abort();
	}
	text2 = text_of(&again, &size2);
	if (size != size2 || memcmp(text, text2, size))
		abort();
	trace_clear(&again);
	rec_close(r);
	fclose(f);
	free(text);
	free(text2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	struct rec_reader *r = rec_open(f, "input", "trace", NULL);
	struct expr_pool *pool = expr_pool_new();
	struct tree *tree = tree_new(pool);
	struct trace t = { 0 };

	while (trace_read(r, &t) == REC_OK) {
		expr *map = malloc((t.nodes + 1) * sizeof *map);
		struct tree_path path;

		expr_import(pool, &t, map);
		(void)expr_import_check(pool, &t, map);
		tree_add(tree, &t, 0, &path);
		write_again(&t);
		free(map);
		trace_clear(&t);
	}
	trace_clear(&t);
	tree_free(tree);
	expr_pool_free(pool);
	rec_close(r);
	fclose(f);
	return 0;
}
