#include <stdatomic.h>
static _Atomic int a;
static int b, c;
static int x;
static int *_Atomic p;
static int *q = 0;
int main(void)
{
	int r = 0, want = 0;
	a++;
	__sync_fetch_and_add(&b, 1);
	if (a == 1) /* taken */
		r = 7;
	if (b == 1) /* taken */
		r += 8;
	__atomic_compare_exchange_n(&c, &want, 5, 0, 5, 5);
	if (c == 5) /* taken */
		r += 9;
	atomic_exchange(&p, &x);
	*p = 4;
	if (x == 4) /* taken */
		r += 1;
	__atomic_exchange_n(&q, &x, 5);
	*q = 6;
	if (x == 6) /* taken */
		r += 1;
	return r;
}
