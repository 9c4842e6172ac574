#include <setjmp.h>
static jmp_buf b;
static int n, depth;
static void back(int k)
{
	if (k > 3) /* taken */
		longjmp(b, k);
	depth++;
	back(k + 1);
}
int f(int k)
{
	int r = 0, x = 1;
	switch (setjmp(b)) {
	case 0:
		x = k;
		n = 1;
		back(k);
		r = 2;
		break;
	case 5:
		if (x == 9) /* taken */
			r = 3;
		if (n == 1) /* taken */
			r = 4;
		break;
	default:
		r = 6;
	}
	if (r == 6) /* taken */
		r++;
	if (r == 2 && r == 3)
		r = 0;
	return r;
}
