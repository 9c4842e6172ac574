/* entry: f
 * class: static state
 */
int
f(int key, int value)
{
	static int keys[4], values[4], n;

	for (int i = 0; i < n; i++) {
		if (keys[i] == key)
			return values[i] == value ? 1 : 2;
	}
	if (n == 4)
		return -1;
	keys[n] = key;
	values[n++] = value;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 7; i++)
		f(i, i);
	f(2, 2);
	f(2, 3);
	return 0;
}
#endif
