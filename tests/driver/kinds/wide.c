/* Products, quotients and remainders of 64-bit numbers. Outcomes: 10 */
#include <stdint.h>
int prod(uint64_t a, uint64_t b) { if (a * b == 0xdeadbeefcafeULL && a > 1 && b > 1) return 1; if (a / 7 / 13 == 12345 && b % 1000 == a % 17) return 2; return 0; }
