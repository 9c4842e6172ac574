/* Output of solvers and of the model checker: a model, the checker's messages, an invariant. No
 * reader reads beyond the text or yields a variable that was not asked for. The first byte chooses
 * the reader. */
#include "lib/engine/answer.h"
#include "lib/prove/abc.h"
#include "tests/fuzz/fuzz.h"

enum { OUTPUTS = 5 };

static void read_checker(const char *text)
{
	long reached[OUTPUTS];

	for (size_t i = 0; i < OUTPUTS; i++)
		reached[i] = -1;
	abc_answer(text, OUTPUTS, reached);
}

static void read_invariant(char *text)
{
	struct abc_invariant v = abc_invariant(text);

	for (size_t i = 0; i < v.rows; i++)
		if (abc_holds_at_start(&v, i) && strspn(v.row[i], "0-") < v.latches)
			abort();
	abc_free(&v);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = calloc(size + 1, 1);
	struct value v;

	if (!text)
		abort();
	if (size)
		memcpy(text, data + 1, size - 1);
	switch (size ? data[0] % 3 : 0) {
	case 0:
		for (uint32_t var = 0; var < 3; var++)
			answer_value(text, var, &v);
		break;
	case 1: read_checker(text); break;
	default: read_invariant(text); return 0;
	}
	free(text);
	return 0;
}
