/* Values become symbolic late: in the middle of a loop, in the second of two loads, in the result of a call, in the
 * argument of a callback, in a copy or a variable argument; and the places that a function may meet it at differ
 * from call to call. */
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "share/duct.h"

struct pair { int a, b; };
struct link { struct link *next; int64_t key; };
static int32_t numbers[40];
static unsigned char letters[40];
static struct link chain[8];
static volatile int seen;

/* Values from before the first symbolic one are used behind it, on each way round. */
static int64_t mixed(const int32_t *p, int n, int64_t start)
{
	int64_t sum = start, product = 1, last = 0;
	for (int i = 0; i < n; i++) {
		int64_t before = sum;
		sum += p[i] * (i + 1);
		if (sum > before)
			product = product * 3 + last;
		else
			last = product ^ before;
		if (i % 7 == 3)
			sum -= product & 255;
	}
	return sum * 31 + product * 7 + last;
}

/* Two loads in a row, of which the address of the second is the first one's value. */
static int64_t follow(const struct link *l, int64_t key)
{
	int64_t steps = 0;
	while (l && l->next->key != key && steps < 20) {
		steps++;
		l = l->next;
	}
	return l ? steps * 100 + l->key : -1;
}

static int choose(int i)
{
	if (i < 5)
		return i * 2;
	return numbers[i] & 15;
}

static int64_t calls(int n)
{
	int64_t t = 0;
	for (int i = 0; i < n; i++) {
		int v = choose(i);
		switch (v) {
		case 0: t += 1; break;
		case 2: t += 20; break;
		case 7: t -= 300; break;
		default: t = t * 3 + v;
		}
	}
	return t;
}

static int by_key(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	return x < y ? -1 : x > y;
}

static struct pair swapped(struct pair p)
{
	seen++;
	return (struct pair){ p.b, p.a };
}

static int64_t pairs(int32_t v)
{
	struct pair p = { 3, 4 };
	int64_t t = 0;
	for (int i = 0; i < 4; i++) {
		p = swapped(p);
		t = t * 10 + p.a;
		if (i == 1)
			p.b = v;
	}
	return t;
}

static int64_t listed(int n, ...)
{
	va_list ap;
	int64_t t = 0;
	va_start(ap, n);
	for (int i = 0; i < n; i++)
		t = t * 5 + va_arg(ap, int);
	va_end(ap);
	return t;
}

static unsigned text(const char *s)
{
	unsigned h = 5381;
	while (*s)
		h = h * 33 + (unsigned char)*s++;
	return h;
}

static int64_t down(int n, int64_t v)
{
	return n ? down(n - 1, n == 3 ? v + numbers[20] : v) + (v > 5) : v;
}

int main(void)
{
	uint64_t x = 0, y = 0;
	char words[24] = "known so far";
	for (int i = 0; i < 40; i++)
		numbers[i] = i * 37 % 41;
	for (int i = 0; i < 8; i++)
		chain[i] = (struct link){ &chain[(i + 1) % 8], i * i };
	memset(letters, 'k', sizeof letters);
	printf("%lld %u\n", (long long)mixed(numbers, 40, 1), text(words));
	duct_symbolic(&x, sizeof x, "x");
	duct_symbolic(&y, sizeof y, "y");
	numbers[20] = (int32_t)x;
	numbers[33] = (int32_t)(y >> 3);
	chain[5].key = (int64_t)(x & 63);
	for (int i = 0; i < 3; i++)
		printf("%lld\n", (long long)mixed(numbers + 7 * i, 15, i == 2 ? (int64_t)y : 9));
	printf("%lld %lld\n", (long long)follow(chain, 16), (long long)follow(chain + 3, (int64_t)(y & 31)));
	printf("%lld\n", (long long)calls(30));
	printf("%lld\n", (long long)pairs((int32_t)y));
	printf("%lld\n", (long long)listed(5, 1, 2, (int)(x & 7), 4, (int)(y & 7)));
	memcpy(letters + 8, &x, sizeof x);
	for (int i = 0; i < 40; i += 4)
		seen += letters[i] == 'k' ? letters[i + 1] : i;
	words[9] = (char)('a' + (x & 7));
	printf("%d %u %lld\n", seen, text(words), (long long)down(9, 1));
	qsort(numbers + 16, 8, sizeof *numbers, by_key);
	printf("%lld\n", (long long)mixed(numbers, 40, 2));
	return 0;
}
