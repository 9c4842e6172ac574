/* Every kind of case label. */
enum e { A, B = 5, C };

static int plain(int a)
{
	int r = 0;
	switch (a) {
	case 0:
		r = 1;
		break;
	case 1:
		r = 2;
	case 2:
	case 3:
		r += 3;
		break;
	case -4:
		return 9;
	default:
		r = 7;
	}
	return r;
}

static int without(unsigned char c)
{
	switch (c) { case 'a': case 'b': return 1; case 200: return 2; }
	switch (c) { default: ; }
	switch (c) { }
	switch (c & 1) { case 0: return 3; case 1: return 4; }
	return 5;
}

static int ranges(unsigned a, long long w)
{
	int r = 0;
	switch (a) {
	case 0 ... 3: r = 1; break;
	case 10 ... 200: r = 2; break;
	case 1000 ... 2000:
	case 5: r = 3; break;
	case 0xfffffff0 ... 0xffffffff: r = 4; break;
	}
	switch (w) {
	case -5000000000 ... -4000000000: r += 10; break;
	case -3 ... -1: r += 20; break;
	case 0 ... 100: r += 25; break;
	case 0x7fffffffffffffff: r += 30; break;
	default: r += 40;
	}
	return r;
}

static int nested(enum e x, int y)
{
	switch (x) {
	case A:
		switch (y && x == A) { case 1: return 1; default: return 2; }
	case B:
		if (y) { case C: return 3; }
		break;
	}
	switch (y ? x : B) { case B: return 4; }
	switch (3) { case 1: return 5; case 3: y++; break; default: y--; }
	return y || x;
}

static int duff(int n)
{
	int r = 0, k = (n + 3) / 4;
	if (n <= 0) return 0;
	switch (n % 4) {
	case 0: do { r++;
	case 3: r++;
	case 2: r++;
	case 1: r++;
		} while (--k > 0);
	}
	return r;
}

int main(int argc, char **argv)
{
	int r = 0;
	(void)argv;
	for (int i = -1; i < 5; i++)
		r += plain(i) + without('a' + i) + ranges(i * 300, i - 2) + nested(i, argc) + duff(i);
	return r == 0;
}
