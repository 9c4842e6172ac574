int f(int n)
{
	int r = 0;
	static void *t[] = {&&a, &&b};
	goto *t[n & 1];
a:
	r = 1;
	goto end;
b:
	r = 2;
	if (n > 6) /* taken */ {
		r = 3;
		n = 0;
		goto a;
	}
end:
	if (r == 1) /* taken */
		r = 9;
	if (r == 2) /* taken */
		r = 8;
	switch (n) {
		int z;
	case 3:
		z = 3;
	case 4:
		if (z == 3) /* taken */
			r = 4;
		if (z == 77) /* taken */
			r = 5;
	}
	return r;
}
