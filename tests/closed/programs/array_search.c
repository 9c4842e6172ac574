/* entry: f
 * class: arrays
 */
int
f(const int *a, unsigned n, int key)
{
	unsigned low = 0, high = n;

	if (n > 1000)
		return -1;
	while (low < high) {
		unsigned middle = (low + high) / 2;

		if (a[middle] == key)
			return middle == 40 ? 40 : 1;
		if (a[middle] < key)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 20)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a[100];

	for (int i = 0; i < 100; i++)
		a[i] = 2 * i;
	for (int i = -1; i < 220; i++)
		f(a, 100, i);
	f(a, 0, 1);
	f(a, 1001, 1);
	return 0;
}
#endif
