/* A byte says which function, sixteen are its arguments. */
#include <math.h>
#include <stdio.h>
#include <string.h>

static double call(int what, double x, double y)
{
	int n = 0;

	switch (what) {
	case 'a': return fmod(x, y);
	case 'b': return remquo(x, y, &n) + n;
	case 'c': return pow(x, y);
	case 'd': return exp(x);
	case 'e': return log(x);
	case 'f': return sin(x);
	case 'g': return cos(x);
	case 'h': return tan(x);
	case 'i': return atan(x);
	case 'j': return atan2(x, y);
	case 'k': return asin(x);
	case 'l': return acos(x);
	case 'm': return hypot(x, y);
	case 'n': return cbrt(x);
	case 'o': return frexp(x, &n) + n;
	case 'p': return modf(x, &y) + y;
	case 'q': return rint(x);
	case 'r': return floor(x);
	case 's': return nextafter(x, y);
	case 't': return scalbn(x, y > -3000 && y < 3000 ? (int)y : 0);
	case 'u': return ilogb(x);
	case 'v': return expm1(x);
	case 'w': return log1p(x);
	case 'x': return sinh(x);
	default: return 0;
	}
}

int main(void)
{
	unsigned char in[17] = { 0 };
	double x, y;

	fread(in, 1, sizeof in, stdin);
	memcpy(&x, in + 1, sizeof x);
	memcpy(&y, in + 9, sizeof y);
	printf("%a\n", call(in[0], x, y));
	return 0;
}
