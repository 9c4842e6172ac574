void duct_assume(int);
void __VERIFIER_assume(int);
int f(int a, int b, int c)
{
	duct_assume(a > 0);
	duct_assume(a > 0 && b > 0 && !(c > 1));
	duct_assume(!(a || !b));
	__VERIFIER_assume(a || b);
	duct_assume((a && (b || c)) != 0);
	duct_assume(a ? b && c : c);
	return a && b;
}
