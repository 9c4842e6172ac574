/* Inputs of several types, an error that is found, an outcome that cannot be. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static int ratio(int a, int b)
{
	if (a > b && a < b)
		return 0;
	return a / b;
}

int main(void)
{
	int a = __VERIFIER_nondet_int();
	unsigned char c = __VERIFIER_nondet_uchar();
	double d = __VERIFIER_nondet_double();

	if (a == -77 && c == '<' && d > 2.5)
		reach_error();
	return ratio(10, c) == 3 ? 1 : c / ratio(c, 3);
}
