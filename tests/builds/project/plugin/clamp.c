/* A shared library. */
#include "scale.h"

int clamp(int x)
{
	return x < 0 ? 0 : x > 50 ? 50 : x;
}
