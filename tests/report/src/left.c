/* A call writes globals that are no inputs; a second file (-DOTHER) has globals of its own. */
#include <time.h>

extern int shared;
void other(int);

#ifdef OTHER
int shared, apart;
void
other(int a)
{
	apart += a;
	shared += a;
}
#else
static struct { int n; double d; unsigned f : 3; char name[8], *text; } state = { .name = "abcdefg" };
static int total, table[4] = { 1, 2, 3, 4 };
static const int limit = 5;
static unsigned long address;
static char big[5000];

static int
count(void)
{
	static int n;

	return ++n;
}

int
leave(int a, int total_of)
{
	if (a > limit + shared) {
		total += a + total_of;
		table[2] = 9;
		other(a);
	} else if (a == 3) {
		state.n = 7;
		state.d = 1.5;
		state.f = 5;
		state.name[1] = 'x';
		state.name[5] = 'z';
		state.text = big;
		address = (unsigned long)&total;
		big[a] = 1;
	}
	return count() + table[1];
}

int
hide(int total)
{
	return total ? count() : leave(total, 1);
}

int
when(int a)
{
	if (a)
		total = (int)time(0);
	return total;
}
#endif
