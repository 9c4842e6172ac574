static void *b[5];
static int n;
static void back(void)
{
	n = 7;
	__builtin_longjmp(b, 1);
}
int main(void)
{
	if (__builtin_setjmp(b)) {
		if (n == 7) /* taken */
			return 1;
	}
	n = 0;
	back();
	return 2;
}
