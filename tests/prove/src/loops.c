/* Traps of loops: unwinding, the path from the head, several heads, goto into a loop, wrap-around. */
static int shared;

static int counts(int n)
{
	int seen = 0, i;
	for (i = 0; i < 7; i++)
		if (i == n)
			seen = 1;
	if (seen)
		i = 100;
	return i > 7 ? i : seen;
}

static int late(unsigned n)
{
	int state = 0, mark = 0;
	while (n--) {
		if (state == 5)
			mark = 2;
		state = state < 6 ? state + 1 : 0;
		if (n > 40)
			break;
	}
	return mark;
}

static int into(int n)
{
	int x = n, steps = 0;
	if (n > 3)
		goto middle;
	while (steps < 6) {
		x = steps;
middle:
		steps++;
		if (x == 4)
			shared = x;
		x--;
	}
	return x;
}

static unsigned wraps(unsigned char c, signed char s)
{
	unsigned char above = (unsigned char)(c + 1);
	unsigned less = 0;
	int low = s, turns = 0;
	if (above < c)
		less = 1;
	while (low != -low && turns < 5) {
		low += 100;
		turns++;
	}
	if ((unsigned)low > 0x7fffffffu)
		less += 2;
	return less - (unsigned)turns;
}

int test(int n, int k)
{
	int r = counts(n) + late((unsigned)k) + into(k);
	int (*volatile unknown)(int) = into;
	do {
		r += unknown ? 1 : 0;
		for (int i = 0; i < 2; i++) {
			if (r % 3 == i)
				continue;
			shared += i;
		}
	} while (r++ < 3);
	switch (n & 3) {
	case 0:
		r = 1;
		/* fall through */
	case 1:
		shared = r;
		break;
	default:
		r = shared;
	}
	return r + shared + (int)wraps((unsigned char)n, (signed char)k);
}
