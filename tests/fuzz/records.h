/* A mutator for records, for targets whose input is text of them: a field of a line becomes a
 * number, a small one as a rule, so that records stay such. Included by one source of a program. */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	size_t tabs = 0, from, to;
	char number[24];
	int n;

	srand(seed);
	for (size_t i = 0; i < size; i++)
		tabs += data[i] == '\t';
	if (!tabs || rand() % 8 == 0)
		return LLVMFuzzerMutate(data, size, most);
	tabs = (size_t)rand() % tabs;
	for (from = 0; data[from] != '\t' || tabs--; from++)
		;
	for (to = ++from; to < size && data[to] != '\t' && data[to] != '\n'; to++)
		;
	while (from < to && strchr("%&$!?^@", data[from])) /* the kind of an operand stays */
		from++;
	n = snprintf(number, sizeof number, "%d", rand() % 16 ? rand() % 24 : rand());
	if (size - (to - from) + (size_t)n > most)
		return LLVMFuzzerMutate(data, size, most);
	memmove(data + from + n, data + to, size - to);
	memcpy(data + from, number, (size_t)n);
	return size - (to - from) + (size_t)n;
}

#endif
