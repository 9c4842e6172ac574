/* gcd: the greatest common divisor; of 0 and n, n. */
#ifndef DUCT_GCD_H
#define DUCT_GCD_H

#include <stdint.h>

static inline uint64_t gcd(uint64_t a, uint64_t b)
{
	while (b) {
		uint64_t rest = a % b;
		a = b;
		b = rest;
	}
	return a;
}

#endif
