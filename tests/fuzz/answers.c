/* Output of solvers and of the model checker: a model, the checker's messages, an invariant. No
 * reader reads beyond the text or yields a variable that was not asked for. The first byte chooses
 * the reader. The mutator changes numbers and letters of the output, and doubles, removes and
 * exchanges its lines and those that such programs print. */
#include "lib/engine/answer.h"
#include "lib/prove/abc.h"
#include "tests/fuzz/fuzz.h"

enum { OUTPUTS = 5 };

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

static const char *const lines[] = {
	"sat\n",
	"unsat\n",
	"v0 1\n",
	"v1 0x1x0\n",
	"v2 \n",
	"Output 0 was asserted in frame 3.\n",
	"Output 4 was trivially asserted in frame 0.\n",
	"Properties: All = 5. Proved = 3. Disproved = 2. Undecided = 0.\n",
	"Property proved.  Time = 0.01 sec\n",
	".i 3\n",
	".o 1\n",
	".ilb lo0 lo1 lo7\n",
	".ob inv\n",
	".p 2\n",
	"01- 1\n",
	"--- 1\n",
	".e\n",
};

static const char *const numbers[] = { "0", "1", "2", "5", "31", "4294967295", "4294967296",
	"9223372036854775807", "18446744073709551616", "-1", "" };

/* The part of a line that begins at `from`, up to its end. */
static size_t line_end(const uint8_t *data, size_t size, size_t from)
{
	while (from < size && data[from] != '\n')
		from++;
	return from < size ? from + 1 : from;
}

static size_t line_start(const uint8_t *data, size_t at)
{
	while (at > 1 && data[at - 1] != '\n')
		at--;
	return at;
}

/* Puts `n` bytes in the place of those from `from` to `to`. */
static size_t put(
    uint8_t *data, size_t size, size_t most, size_t from, size_t to, const char *text, size_t n)
{
	if (size - (to - from) + n > most)
		return size;
	memmove(data + from + n, data + to, size - to);
	memcpy(data + from, text, n);
	return size - (to - from) + n;
}

static size_t put_number(uint8_t *data, size_t size, size_t most, size_t at)
{
	const char *text = numbers[(size_t)rand() % (sizeof numbers / sizeof *numbers)];
	size_t from = at, to;

	while (from < size && (data[from] < '0' || data[from] > '9'))
		from++;
	for (to = from; to < size && data[to] >= '0' && data[to] <= '9'; to++)
		;
	return put(data, size, most, from, to, text, strlen(text));
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	static const char letters[] = "01-x \n.";
	size_t at, from;
	const char *line;

	srand(seed);
	if (size < 2 || rand() % 16 == 0)
		return LLVMFuzzerMutate(data, size, most);
	at = 1 + (size_t)rand() % (size - 1);
	from = line_start(data, at);
	line = lines[(size_t)rand() % (sizeof lines / sizeof *lines)];
	switch (rand() % 8) {
	case 0: return put(data, size, most, from, line_end(data, size, from), "", 0);
	case 1:
	case 2: return put(data, size, most, from, from, line, strlen(line));
	case 3: return put(data, size, most, at, at, &letters[rand() % 7], 1);
	case 4: data[at] = (uint8_t)letters[rand() % 7]; return size;
	case 5: data[0] = (uint8_t)(rand() % 3); return size;
	default: return put_number(data, size, most, at);
	}
}

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
