/* The shared memory that a program under test may have scribbled over: what is read from it is
 * sound, however it looks. Seeds are written by src/dump.c: the header, areas packed behind it. */
#include "lib/expr/expr.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct channel *c = malloc(size > sizeof *c ? size : sizeof *c);
	struct trace t = { 0 };
	char *error = NULL, buf[200];

	memcpy(c, data, size);
	if (trace_from_channel(c, size, &t, &error) == 0) {
		struct expr_pool *pool = expr_pool_new();
		expr *map = malloc((t.nodes + 1) * sizeof *map);

		if (trace_check(&t, buf, sizeof buf))
			abort();
		expr_import(pool, &t, map);
		(void)expr_import_check(pool, &t, map);
		free(map);
		expr_pool_free(pool);
		trace_clear(&t);
	}
	free(error);
	free(c);
	return 0;
}
