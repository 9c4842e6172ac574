int f(int n)
{
	int x, r = 0, q = 0;
	if (n)
		x = n;
	if (x == 5) /* taken */
		r = 1;
	if (x != 5)
		q = 1;
	if (!n && r && q) /* taken */
		r = 3;
	return r;
}
