static int once(void)
{
	static int n;
	return n++;
}
int f(int k)
{
	int r = 0;
	once();
	once();
	if (once() == 2) /* taken */
		r = 1;
	static const int tab[] = {1, 5, 9};
	if (k >= 0 && k < 3 && tab[k] == 9) /* taken */
		r = 2;
	extern int ext;
	if (ext == 3) /* taken */
		r = 3;
	return r;
}
