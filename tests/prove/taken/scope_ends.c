int f(int n)
{
	int r = 0;
	for (int i = 0; i < n; i++) {
		int x;
		if (i == 0)
			x = 1;
		if (x == 5) /* taken */
			r = 9;
		x = 2;
	}
	for (int i = 0; i < n; i++) {
		int y[3];
		if (i == 0)
			y[1] = 1;
		if (y[1] == 5) /* taken */
			r = 8;
		y[1] = 2;
	}
	return r;
}
