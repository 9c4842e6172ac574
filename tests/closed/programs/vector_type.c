/* entry: f
 * class: SSE
 */
typedef int v4 __attribute__((vector_size(16)));

int
f(const int *p)
{
	v4 a = { p[0], p[1], p[2], p[3] }, b = { 1, 2, 3, 4 };
	v4 c = a * b;

	if (c[3] == 100)
		return 1;
	if (c[0] + c[1] + c[2] + c[3] == 7)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a[4] = { 0, 0, 0, 25 }, b[4] = { 7, 0, 0, 0 }, c[4] = { 0 };

	f(a);
	f(b);
	f(c);
	return 0;
}
#endif
