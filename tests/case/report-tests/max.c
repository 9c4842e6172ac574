int max(int a, int b)
{
	if (a < b)
		a = b;
	return a;
}
