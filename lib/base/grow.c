#include "lib/base/grow.h"

#include <stdlib.h>
#include <string.h>

void *grow(void *array, size_t *cap, size_t need, size_t size)
{
	if (need <= *cap)
		return array;
	size_t more = need + need / 2 + 64;
	array = realloc(array, more * size);
	if (!array)
		abort();
	memset((char *)array + *cap * size, 0, (more - *cap) * size);
	*cap = more;
	return array;
}

void *grow_one(void *array, size_t n, size_t size)
{
	if (n == 0 || (n >= 8 && !(n & (n - 1))))
		array = realloc(array, (n ? n * 2 : 8) * size);
	if (!array)
		abort();
	return memset((char *)array + n * size, 0, size), array;
}
