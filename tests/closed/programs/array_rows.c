/* entry: f
 * class: arrays
 */
int
f(int m[][8], int rows)
{
	for (int i = 0; i < rows; i++) {
		if (m[i][7] == i + 100)
			return i > 4 ? 1 : 2;
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int m[10][8] = { { 0 } };

	f(m, 0);
	f(m, 10);
	m[6][7] = 106;
	f(m, 10);
	m[0][7] = 100;
	f(m, 1);
	return 0;
}
#endif
