/* entry: f
 * class: padding
 * compilers: differ
 */
#include <string.h>
struct s { char c; int i; };
int f(char c, int i)
{
	struct s a, b;

	a.c = c;
	a.i = i;
	b.c = c;
	b.i = i;
	if (memcmp(&a, &b, sizeof a))
		return 1;
	struct s d = { c, i }, e = d;
	if (memcmp(&d, &e, sizeof d))
		return 2;
	return 0;
}
#ifdef NATIVE
#include "native.h"
int main(void)
{
	f(1, 2);
	dirty(77);
	f(1, 2);
	for (int i = 0; i < 3; i++) {
		volatile char x[3000 + 16];
		for (int k = 0; k < 3016; k++)
			x[k] = k * 7;
		f(i, i);
		dirty(i);
		f(i, i);
	}
	return 0;
}
#endif
