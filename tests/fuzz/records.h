/* A mutator for text of records, for targets whose input is such text: fields become small numbers,
 * or are taken from another place; lines are doubled, removed and exchanged; the counts in `end`
 * records are corrected, so that the text as a whole stays one that readers accept. Included by one
 * source of a program. */
#ifndef FUZZ_RECORDS_H
#define FUZZ_RECORDS_H

#include <stdbool.h>

#include "tests/fuzz/fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

/* A part of the text. */
struct span {
	size_t from, to;
};

static inline size_t fuzz_number(char *to, size_t size)
{
	int kind = rand() % 16;
	uint64_t n = kind == 0 ? (uint64_t)rand() << (rand() % 40) : (uint64_t)(rand() % 24);

	if (kind == 1) /* near a power of two */
		n = (UINT64_C(1) << (rand() % 64)) - (uint64_t)(rand() % 3);
	return (size_t)snprintf(to, size, "%s%llu", rand() % 64 ? "" : "-", (unsigned long long)n);
}

/* Line k, with its line feed. */
static inline struct span fuzz_line(const uint8_t *data, size_t size, size_t k)
{
	struct span s = { 0, 0 };

	for (;; s.from = s.to) {
		while (s.to < size && data[s.to] != '\n')
			s.to++;
		s.to += s.to < size;
		if (s.to == size || !k--)
			return s;
	}
}

static inline size_t fuzz_count(const uint8_t *data, size_t size, uint8_t byte)
{
	size_t n = 0;

	for (size_t i = 0; i < size; i++)
		n += data[i] == byte;
	return n;
}

static inline struct span fuzz_any_line(const uint8_t *data, size_t size)
{
	size_t lines = fuzz_count(data, size, '\n');

	return fuzz_line(data, size, lines ? (size_t)rand() % lines : 0);
}

/* Some field of some line, without its tag; empty when the line has none. */
static inline struct span fuzz_field(const uint8_t *data, size_t size)
{
	struct span line = fuzz_any_line(data, size), s;
	size_t tabs = fuzz_count(data + line.from, line.to - line.from, '\t');

	if (!tabs)
		return (struct span){ line.to, line.to };
	tabs = (size_t)rand() % tabs;
	for (s.from = line.from; data[s.from] != '\t' || tabs--; s.from++)
		;
	for (s.to = ++s.from; s.to < size && data[s.to] != '\t' && data[s.to] != '\n'; s.to++)
		;
	return s;
}

/* Puts `n` bytes in the place of a part; the new size, or the old one when there is no room. */
static inline size_t fuzz_put(
    uint8_t *data, size_t size, size_t most, struct span at, const void *text, size_t n)
{
	if (size - (at.to - at.from) + n > most)
		return size;
	memmove(data + at.from + n, data + at.to, size - at.to);
	memcpy(data + at.from, text, n);
	return size - (at.to - at.from) + n;
}

static inline size_t fuzz_mutate_field(uint8_t *data, size_t size, size_t most)
{
	struct span at = fuzz_field(data, size), other;
	char text[4096];
	size_t n = 0;

	if (rand() % 3) {
		while (at.from < at.to && strchr("%&$!?^@", data[at.from])) /* an operand's kind */
			at.from++;
		n = fuzz_number(text, sizeof text);
	} else {
		other = fuzz_field(data, size);
		n = other.to - other.from < sizeof text ? other.to - other.from : sizeof text;
		memcpy(text, data + other.from, n);
	}
	return at.to > at.from ? fuzz_put(data, size, most, at, text, n) : size;
}

/* Doubles a line, at another place, or removes one. */
static inline size_t fuzz_mutate_lines(uint8_t *data, size_t size, size_t most)
{
	struct span line = fuzz_any_line(data, size), to = fuzz_any_line(data, size);
	size_t n = line.to - line.from;
	uint8_t *copy = malloc(n + 1);

	if (!copy)
		abort();
	memcpy(copy, data + line.from, n);
	if (rand() % 2)
		size = fuzz_put(data, size, most, line, "", 0);
	else
		size = fuzz_put(data, size, most, (struct span){ to.from, to.from }, copy, n);
	free(copy);
	return size;
}

/* Corrects `end COUNT` of each stream. */
static inline size_t fuzz_correct(uint8_t *data, size_t size, size_t most)
{
	size_t lines = 0;
	char text[40];

	for (struct span s = { 0, 0 }; s.from < size; s.from = s.to) {
		for (s.to = s.from; s.to < size && data[s.to] != '\n'; s.to++)
			;
		s.to += s.to < size;
		if (data[s.from] == '#') {
			if (s.to - s.from < 6 || memcmp(data + s.from, "#meta ", 6))
				lines = 0;
		} else if (s.to - s.from > 4 && !memcmp(data + s.from, "end\t", 4)) {
			int n = snprintf(text, sizeof text, "end\t%zu\n", lines);
			size_t old = size;

			size = fuzz_put(data, size, most, s, text, (size_t)n);
			s.to += size - old;
			lines = 0;
		} else {
			lines++;
		}
	}
	return size;
}

static inline size_t fuzz_records(uint8_t *data, size_t size, size_t most)
{
	int kind = rand() % 16;

	if (kind == 0 || !fuzz_count(data, size, '\t'))
		return LLVMFuzzerMutate(data, size, most);
	for (int times = 1 + rand() % 3; times; times--)
		size = kind < 5 ? fuzz_mutate_lines(data, size, most)
		                : fuzz_mutate_field(data, size, most);
	return rand() % 32 ? fuzz_correct(data, size, most) : size;
}

#ifndef FUZZ_OWN_MUTATOR
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	srand(seed);
	return fuzz_records(data, size, most);
}
#endif

#endif
