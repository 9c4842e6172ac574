#include <immintrin.h>
static inline __m256i never(__m256i a) { return _mm256_add_epi32(a, a); }
static int unused(int a) { return a ? 1 : 2; }
int f(int a) { return a && 1; }
