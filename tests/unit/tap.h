/* tap: what unit tests in C share: results as TAP, and random numbers that are the same each time.
 */
#ifndef DUCT_TESTS_TAP_H
#define DUCT_TESTS_TAP_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static int checks, failures;

static inline void ok(bool b, const char *what)
{
	checks++;
	failures += !b;
	printf("%sok %d - %s\n", b ? "" : "not ", checks, what);
	fflush(stdout);
}

/* The same with a format of printf(3). */
static inline void __attribute__((format(printf, 2, 3))) okf(bool b, const char *fmt, ...)
{
	char what[1000];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(what, sizeof what, fmt, ap);
	va_end(ap);
	ok(b, what);
}

/* For main to return. */
static inline int finish(void)
{
	printf("1..%d\n", checks);
	return failures != 0;
}

/* xorshift64* (Vigna). */
static uint64_t draw_state = 1;
static inline uint64_t draw(void)
{
	draw_state ^= draw_state << 13, draw_state ^= draw_state >> 7,
	    draw_state ^= draw_state << 17;
	return draw_state * 0x2545f4914f6cdd1dull;
}
static inline unsigned below(unsigned n)
{
	return (unsigned)(draw() >> 33) % n;
}

#endif
