/* tap: what unit tests in C share: results as TAP, and random numbers that are the same each time.
 */
#ifndef DUCT_TESTS_TAP_H
#define DUCT_TESTS_TAP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int checks, failures;

static inline void ok(bool b, const char *what)
{
	checks++;
	failures += !b;
	printf("%sok %d - %s\n", b ? "" : "not ", checks, what);
}

/* For main to return. */
static inline int finish(void)
{
	printf("1..%d\n", checks);
	return failures != 0;
}

/* xorshift64* (Vigna). */
static uint64_t state = 1;
static inline uint64_t draw(void)
{
	state ^= state << 13, state ^= state >> 7, state ^= state << 17;
	return state * 0x2545f4914f6cdd1dull;
}
static inline unsigned below(unsigned n)
{
	return (unsigned)(draw() >> 33) % n;
}

#endif
