/* Traps of values that pass through calls: several sites of one function, results of several returns, parameters in
 * memory, recursion, calls through pointers, a parameter that is written and passed on. */
struct large { int v[6]; };
static int seen;

static int pick(int x)
{
	int r = x;
	if (x > 10)
		return 1;
	if (x < 0)
		r = 7;
	return r;
}

static int sum(struct large l, int k)
{
	if (k > 3)
		return l.v[0];
	if (l.v[1] > 4)
		return l.v[2];
	return k;
}

static int down(int n, int from)
{
	if (n <= 0)
		return from;
	return down(n - 1, n) + 1;
}

static int through(int *p, int n)
{
	if (n > 2)
		*p = 9;
	return *p;
}

static int pass(int n)
{
	int own = through(&n, n);
	if (n == 9)
		seen = own;
	return n;
}

static int even(int n) { return n & 1 ? 0 : n; }
static int odd(int n) { return n & 1 ? n : 0; }

static void quiet(struct large l)
{
	if (l.v[5])
		seen = l.v[5];
}

int test(int n, int k)
{
	struct large l = { { n, 2, 3, 4, 5, 0 } };
	int (*choice)(int) = k > 2 ? even : odd, (*one)(int) = pick;
	int a, b, c = 0;
	if (n > 100)
		n = 100;
	a = pick(n);
	b = pick(5);
	if (b == 1)
		seen = 3;
	if (pick(20) == 1 && a > 3)
		c = one(n);
	for (int i = 0; i < n && i < 8; i++)
		c += sum(l, i & 1);
	c += sum(l, n);
	if (n >= 0)
		c += sum(l, -n);
	quiet(l);
	if (choice(n))
		c += down(n & 7, k);
	switch (pass(k)) {
	case 2: c++; break;
	case 3: c--; break;
	case 9: c += pass(1); break;
	}
	return a + b + c;
}
