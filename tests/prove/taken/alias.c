#include <string.h>
struct p {
	int *at;
	int v;
};
static void set(int **w, int *t)
{
	*w = t;
}
static int *pick(int *a, int *b, int n)
{
	return n ? a : b;
}
int f(int n, int k)
{
	int a = 0, b = 0, *w, arr[4] = {0};
	struct p p = {&a, 1}, q;
	char buf[8] = "abc", c2[8];
	set(&w, n ? &a : &b);
	*w = 3;
	if (a == 3) /* taken */
		n = 1;
	if (b == 3) /* taken */
		n = 2;
	*pick(&a, &b, k) = 5;
	if (a == 5) /* taken */
		n = 3;
	q = p;
	*q.at = 7;
	if (a == 7) /* taken */
		n = 4;
	arr[k & 3] = 8;
	if (arr[2] == 8) /* taken */
		n = 5;
	int *e = arr + 4;
	*--e = 9;
	if (arr[3] == 9) /* taken */
		n = 6;
	memcpy(c2, buf, k & 7);
	if (c2[1] == 'b') /* taken */
		n = 7;
	memset(arr, k, sizeof arr);
	if (arr[1] == 0x01010101) /* taken */
		n = 8;
	strcpy(c2, "zz");
	if (c2[0] == 'z') /* taken */
		n = 9;
	unsigned long addr = (unsigned long)&a;
	*(int *)addr = 11;
	if (a == 11) /* taken */
		n = 10;
	memmove(arr, arr + 1, 2 * sizeof *arr);
	if (arr[0] == arr[1]) /* taken */
		n = 1;
	return n;
}
