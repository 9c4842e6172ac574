static int depth;
static int *top;
static int walk(int n, int *up)
{
	int mine = n;
	if (n > 0) {
		*up = n;
		walk(n - 1, &mine);
		if (mine == n - 1) /* taken */
			depth++;
		if (mine != n) /* taken */
			depth++;
	}
	return depth;
}
static int fact(int n)
{
	static int calls;
	calls++;
	if (calls == 4) /* taken */
		depth = 1;
	return n < 2 ? 1 : n * fact(n - 1);
}
int f(int n)
{
	int x = 0;
	walk(n, &x);
	if (x == 3) /* taken */
		x = 1;
	if (fact(4) == 24) /* taken */
		x = 2;
	return x;
}
