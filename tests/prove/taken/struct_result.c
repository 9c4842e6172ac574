struct big {
	int a[6];
	int *p;
};
struct small {
	int x, y;
};
static struct big make(int n)
{
	struct big b = {{n, n + 1}, 0};
	return b;
}
static struct small two(int n)
{
	struct small s = {n, 2 * n};
	return s;
}
static int take(struct big b)
{
	b.a[0]++;
	return b.a[0];
}
int f(int n)
{
	int r = 0;
	struct big b = make(n);
	struct small s = two(n);
	if (b.a[1] == 8) /* taken */
		r = 1;
	if (s.y == 14) /* taken */
		r = 2;
	if (take(b) == 5 && b.a[0] == 4) /* taken */
		r = 3;
	b = make(3);
	if (b.a[0] == 3) /* taken */
		r = 4;
	return r;
}
