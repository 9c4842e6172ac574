/* Arguments, results and memory across calls: by value, variable, through pointers, called
 * back from code that is not woven, with jumps in between. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "share/duct.h"

struct big { int a[9]; char c; long l; };
struct pair { long x, y; };
struct mixed { double d; int i; };
union u { uint32_t w; uint8_t b[4]; uint16_t h[2]; };

static long by_value(struct big s, int k, struct pair p) { s.a[0]++; return s.a[k] + s.c + s.l + p.x * 3 - p.y; }
static struct pair swap(struct pair p) { struct pair q = {p.y, p.x}; return q; }
static struct big make(int x) { struct big b; memset(&b, x & 0x7f, sizeof b); b.a[4] = x; b.l = -x; return b; }
static struct mixed mix(int i, double d) { struct mixed m = {d, i + 1}; return m; }

static long sum(int n, ...)
{
	va_list ap, aq;
	long t = 0;
	va_start(ap, n);
	va_copy(aq, ap);
	for (int i = 0; i < n; i++)
		t = t * 5 + va_arg(ap, int);
	t += va_arg(aq, int) * 2;
	va_end(aq);
	va_end(ap);
	return t;
}

static long vsum(const char *kinds, va_list ap)
{
	long t = 0;
	for (; *kinds; kinds++)
		switch (*kinds) {
		case 'i': t = t * 3 + va_arg(ap, int); break;
		case 'l': t = t * 3 + va_arg(ap, long); break;
		case 'd': t = t * 3 + (long)va_arg(ap, double); break;
		case 'p': t = t * 3 + *va_arg(ap, int *); break;
		case 's': { struct big b = va_arg(ap, struct big); t = t * 3 + b.a[4] + b.l; break; }
		default: t++;
		}
	return t;
}

static long kinds(const char *k, ...)
{
	va_list ap;
	va_start(ap, k);
	long t = vsum(k, ap);
	va_end(ap);
	return t;
}

static int ascending(const void *a, const void *b)
{
	int x = *(const int *)a, y = *(const int *)b;
	return x < y ? -1 : x > y;
}

static int (*table[3])(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }

static jmp_buf env;
static int depth;
static void deep(int n, int v) { volatile char pad[50]; pad[n % 50] = v; depth++; if (n == 0) longjmp(env, (v & 3) + 1); deep(n - 1, v + 1); }

static long vla(int n, int v)
{
	long t = 0;
	for (int i = 1; i <= n; i++) {
		int a[i];
		for (int k = 0; k < i; k++)
			a[k] = v + k;
		t += a[i - 1];
	}
	return t;
}

static long jump(unsigned v)
{
	static const void *to[] = {&&zero, &&one, &&two};
	goto *to[v % 3];
zero: return 10;
one: return v;
two: return v + 2;
}

int main(void)
{
	uint64_t x = 0, y = 0;
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	int i = x, j = y;
	struct big b = make(i), copy = b;
	struct pair p = swap((struct pair){i, j});
	printf("%ld %ld %ld\n", by_value(b, 4, p), by_value(make(j), 3, swap(p)), copy.l);
	struct mixed m = mix(i, 2.5);
	printf("%d %g\n", m.i, m.d);
	printf("%ld %ld\n", sum(3, i, j, 7), sum(9, 1, 2, i, 4, 5, 6, 7, j, 9));
	printf("%ld\n", kinds("ildplsiiil", i, (long)y, 1.5, &j, (long)x, b, 1, j, 3, (long)x));
	union u u;
	u.w = i;
	u.b[1] ^= 0x55;
	u.h[1] += j;
	printf("%x\n", u.w);
	int v[8];
	for (int k = 0; k < 8; k++)
		v[k] = (i >> (k * 3)) & 15;
	qsort(v, 8, sizeof *v, ascending);
	for (int k = 0; k < 8; k++)
		printf("%d ", v[k]);
	table[0] = add, table[1] = sub, table[2] = mul;
	printf("%d %d\n", table[1](i, j), table[y % 3](i, 3));
	int back = setjmp(env);
	if (back == 0)
		deep(5, i);
	printf("%d %d\n", back, depth);
	printf("%ld %ld\n", vla(6, j), jump(x));
	v[x & 7] = j;
	v[3] += 2;
	printf("%d %d\n", v[y & 7], v[(x + 1) & 7]);
	char text[32];
	snprintf(text, sizeof text, "%d", i);
	printf("%s %zu %d\n", text, strlen(text), atoi(text) == i);
	char *heap = malloc(16);
	memcpy(heap, &x, 8);
	memmove(heap + 3, heap, 8);
	heap = realloc(heap, 64);
	memcpy(&y, heap + 3, 8);
	printf("%llx\n", (unsigned long long)y);
	free(heap);
	double d = (double)i;
	printf("%d\n", (int)(d / 2));
	return (int)(x & 63);
}
