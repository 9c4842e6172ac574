static int count(int n)
{
	int c = 0, k = 70000;
	while ((n >= 1) && k-- > 0) { n = n & 1 ? n / 2 : n / 4; c += 1 + (n > 100); }
	return k < -9 ? k : n == 0 ? c : -2;
}
int f(unsigned short n)
{
	int g = 0, r = count(n);
	if (r < 15) g += 1;
	if (r == 16) g += 2;
	if (r > 14) g += 4;
	if (r == 21) g += 8;
	if (r < 0) g += 16;
	if (r == -1) g += 32;
	return g;
}
