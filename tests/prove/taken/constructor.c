static int g, d;
static void set(int k)
{
	if (k > 4) /* taken */
		g = 1;
}
__attribute__((constructor)) static void init(void)
{
	set(5);
	d = 3;
}
int main(void)
{
	int r = 0;
	if (g == 1) /* taken */
		r = 7;
	if (d == 3) /* taken */
		r = 8;
	return r;
}
