/* entry: f
 * class: arrays
 */
int
f(int **m, int rows, int columns)
{
	int trace = 0;

	for (int i = 0; i < rows && i < columns; i++)
		trace += m[i][i];
	if (rows > 3 && trace == 77)
		return 1;
	if (rows == columns && m[rows - 1][0] == 5)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a[5][5] = { { 77 } }, *m[5];

	for (int i = 0; i < 5; i++)
		m[i] = a[i];
	f(m, 0, 1);
	f(m, 1, 0);
	f(m, 5, 5);
	f(m, 4, 3);
	f(m, 3, 3);
	a[4][0] = 5;
	a[0][0] = 1;
	f(m, 5, 5);
	return 0;
}
#endif
