/* entry: f
 * class: arithmetic on pointers
 * compilers: differ
 */
#include <stdint.h>
struct s { int a, b; };
static int table[4];
int f(struct s *p, char *q, long n, uintptr_t bits)
{
	int l;

	if (p && (uintptr_t)&p->b % 8 == 0)
		return 1;
	if (q + n == (char *)p + 4 && q != (char *)p && n == 8)
		return 2;
	if ((uintptr_t)&l == bits)
		return 3;
	if ((uintptr_t)q > (uintptr_t)&l)
		return 4;
	if (q == (char *)&table[1])
		return 5;
	if ((char *)table - q == 32)
		return 6;
	if (((uintptr_t)q ^ bits) == 1)
		return 7;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	struct s a;
	char c[64];
	extern void *stack;

	f(&a, c, 0, 0);
	f((struct s *)(c + 4 + (-(uintptr_t)c & 7)), 0, 0, 0);
	f((struct s *)(c + 12 + (-(uintptr_t)c & 7)), c + 8 + (-(uintptr_t)c & 7), 8, 0);
	f((struct s *)(c + 20), c + 16, 8, 0);
	f(0, (char *)1 , 0, 0);
	f(0, (char *)&main, 0, (uintptr_t)&main ^ 1);
	f(0, (char *)1 , 0, 0);
	static char buffer[256];
	for (int i = 0; i < 256; i++)
		f(0, buffer + i, 0, 0);
	return 0;
}
#endif
