/* entry: f
 * class: checks
 * compilers: differ
 * faults: yes
 */
#include <string.h>
#include <stdlib.h>
static int len(const char *s) { int n = 0; while (s[n] != ';') n++; return n; }
int f(const char *s, int n, unsigned char k, int *p)
{
	char b[8];
	int t[4] = { 1, 2, 3, 4 }, *h;

	switch (k) {
	case 0: b[len(s) & 15] = 1; break;
	case 1: return t[n & 4];
	case 2: strcpy(b, s); break;
	case 3: return 100 / (n % 7 - 3);
	case 4: return 1 << (n & 63);
	case 5: h = malloc(n & 7); h[1] = 3; free(h); break;
	case 6: return p[n];
	case 7: h = p; if (n > 3) h = NULL; return *h;
	case 8: memcpy(b, s, n & 15); break;
	case 9: return abs(n) % (n + 1);
	case 10: for (int i = 0; i <= n && i < 9; i++) b[i] = 0; break;
	case 11: return t[(signed char)n & 0x83];
	case 12: return *(int *)(b + (n & 7));
	}
	return 0;
}
#ifdef NATIVE
#include "native.h"
#include <limits.h>
int main(void)
{
	int x = 5;
	int *p = malloc(4);

	for (int k = 0; k < 13; k++)
		for (int n = -1; n < 40; n++)
			TRY(f("0123456789;", n, k, p));
	f(";", 0, 0, p);
	TRY(f(";", INT_MIN, 9, p));
	return x - 5;
}
#endif
