/* A function with a loop, a switch, a macro, a pair that no input covers, and something that no run
 * reaches within --runs: what the page has to show of each. This comment has
 * more
 * lines
 * than
 * are
 * shown
 * at first. */
#define LIMIT 100000
#define CLAMP(x) ((x) > LIMIT ? LIMIT : (x))

static int calls;

static int half(int v)
{
	return v > 100 ? v / 2 : v;
}

static int sign(int v)
{
	return v < 0 ? -1 : 1;
}

int weigh(int n, int kind)
{
	int sum = 0, step = 1;

	for (int i = 0; i < n; i++) {
		sum += step;
		if (i > 3)
			break;
	}
	if (n > 0)
		sum += 2;
	switch (kind) {
	case '/': sum = CLAMP(sum); break;
	case 7: step = 3; break;
	default: break;
	}
	if (n <= 0)
		return step;
	if (++calls > 12345)
		return step + sum;
	return half(sum) * sign(kind);
}
