/* The program that seeds are made from: a condition, a switch, an index, a loop. */
void dump(void);

enum kind { FIRST = 1, THIRD = 3 };

int test(unsigned x, unsigned char *b)
{
	static const int table[4] = { 5, 7, 11, 13 };
	int t = 0;

	for (int i = 0; i < 2; i++)
		t += b[i] == table[(x + b[1]) & 3];
	switch ((enum kind)(x % 5)) {
	case FIRST: t += 10; break;
	case THIRD: t += b[0] > 100 ? 20 : 30; break;
	}
	if ((long)x * t == 44)
		t = -1;
	dump();
	return t;
}
