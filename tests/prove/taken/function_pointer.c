static int g;
static int one(int x)
{
	g = x;
	return x;
}
static int two(int x)
{
	g = 2;
	return -x;
}
static int (*tab[2])(int) = {one, two};
typedef int (*fn)(int);
static fn cur;
static void use(fn f)
{
	cur = f;
}
int f(int n)
{
	int r = 0;
	if (tab[n & 1](5) == -5) /* taken */
		r = 1;
	if (g == 2) /* taken */
		r = 2;
	use(n ? one : two);
	if (cur(3) == 3) /* taken */
		r = 3;
	return r;
}
