/* entry: f
 * class: SSE
 */
#include <emmintrin.h>

int
f(int a, int b)
{
	__m128i x = _mm_set1_epi32(a), y = _mm_set_epi32(b, 1, 2, 3);
	int sum = _mm_cvtsi128_si32(_mm_add_epi32(x, y));

	if (sum == 10)
		return 1;
	if (_mm_movemask_epi8(_mm_cmpeq_epi32(x, y)) == 0xf000)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(7, 0);
	f(5, 5);
	f(0, 4);
	return 0;
}
#endif
