/* entry: f
 * class: order of evaluation, undefined behaviour
 */
int
f(int x)
{
	int i = x & 3;
	int a[8] = { 9, 9, 9, 9, 9, 9, 9, 9 };

	a[i] = i++;
	if (a[x & 3] != (x & 3))
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 4; i++)
		f(i);
	return 0;
}
#endif
