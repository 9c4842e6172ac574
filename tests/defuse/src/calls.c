/* Couplings: globals through calls, recursion, mutual recursion, static locals, shadows, early returns. */
#include <string.h>

static int state, depth, log_[16], used;
static char text[16];

static void note(int v)
{
	if (used < 16)
		log_[used++] = v;
}

static void reset(void)
{
	state = 0;
	used = 0;
	depth = 0;
}

static int count(void)
{
	static int calls = 3;
	calls++;
	return calls > 5 ? calls : -calls;
}

static int odd(int n);
static int even(int n)
{
	depth++;
	return n <= 0 ? 1 : odd(n - 1);
}
static int odd(int n)
{
	int before = depth;
	return n <= 0 ? 0 : even(n - 1) + depth - before;
}

static int deep(int n, int *out)
{
	int x = n, r;
	if (n <= 0) {
		*out = state;
		return 0;
	}
	r = deep(n - 1, n & 1 ? &x : out);
	*out += x;
	return r + x;
}

static int maybe(int n)
{
	if (n > 2)
		return state;
	state = n;
	return 0;
}

static void name(const char *s)
{
	strcpy(text, s);
	if (text[0] == 'b')
		text[1] = 'x';
}

int test(int n, int k)
{
	int x = 0, result;
	reset();
	maybe(n);
	if (state == 1)
		state = k;
	note(maybe(k));
	result = even(n & 7) + deep(k & 3, &x);
	for (int i = 0; i < 2; i++) {
		int x = i;
		note(count() + x);
		switch (k) {
		case 0: x++; break;
		case 1: case 2: note(x); /* fall through */
		default: state += x;
		}
		result += x;
	}
	name(n > 0 ? "abc" : "bcd");
	result += text[1] + (int)strlen(text);
	memset(text, 'z', 3);
	result += text[2];
	return result + x + state + depth + log_[k & 15] + (n && state ? 1 : 0);
}
