/* Loops, goto, labels and conditions with jumps in them. */
static int loops(int n, int m)
{
	int r = 0, i = 0;
	while (i < n && r < 100) { r += i; i++; if (r == 7) continue; if (r > 50 || !m) break; }
	for (i = 0; i < n || r < 3; i++, r += i && m) r++;
	for (;;) { if (r-- < 4) break; }
	for (int j = 0; ; j++) if (j > 3 && j > m) break;
	do { r++; if (r % 2) continue; r += 2; } while (r < 20 && !(r == 13));
	while (!(n <= 0)) n--;
	while (n < 3 ? m > 0 : m > 5) m--;
	do r--; while (r > 5);
	return r;
}

static int jumps(int a)
{
	int r = 0;
again:
	if (a-- > 0) { r++; goto again; }
	if (0) { inside: r += 3; if (r > 100) return r; }
	if (r < 4 && r) goto inside;
	while (1) { if (r++ > 10) goto out; }
out:
	return r;
}

static int computed(int a)
{
	static void *const table[] = {&&zero, &&one};
	goto *table[a > 0];
zero:
	return a ? 1 : 2;
one:
	return a > 1 && a < 3;
}

static int sizes(int n)
{
	int v[n > 2 ? n : 2];
	v[0] = n;
	return v[n > 5 && n < 1] + (int)sizeof(int[n ? 1 : 3]);
}

static int never(int a)
{
	return a;
	if (a) return 3;
	while (a || a > 2) a--;
}

int main(int argc, char **argv)
{
	int r = 0;
	(void)argv;
	for (int i = 0; i < 4; i++)
		r += loops(i, argc) + jumps(i) + computed(i) + sizes(i) + never(i);
	return r < 0;
}
