/* The program model, and what is asked of it. */
#include "lib/flow/flow.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	FILE *f = fuzz_file(data, size);
	char *error = NULL;
	struct flow *fl = flow_read(f, "input", &error);
	const struct flow_unit *unit;
	enum flow_side side;
	size_t which;

	if (!fl == !error)
		abort();
	for (size_t i = 0; fl && i < fl->units; i++) {
		const struct flow_unit *u = &fl->unit[i];

		(void)flow_unit_by_key(fl, u->key);
		for (uint32_t k = 0; k < u->outcomes && k < 1000; k++)
			(void)flow_outcome(u, k, &side, &which);
	}
	if (fl && flow_find(fl, "main", &unit))
		flow_marks_free(fl, flow_reachable(fl, "main"));
	flow_free(fl);
	free(error);
	fclose(f);
	return 0;
}
