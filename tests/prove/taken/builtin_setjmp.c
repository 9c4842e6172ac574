static void *b[5];
static int n;
static void back(void)
{
	__builtin_longjmp(b, 1);
}
int main(void)
{
	if (__builtin_setjmp(b)) /* taken */
		return n == 1;
	n++;
	back();
	return 2;
}
