/* A task of the Test-Comp kind: reach_error is to be found.
 *
 * duct: concolic
 * expect: failures=1 branches.unknown=0
 */
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);

int main(void)
{
	int sum = 0, i;

	for (i = 0; i < 3; i++) {
		int x = __VERIFIER_nondet_int();

		__VERIFIER_assume(x >= 0 && x < 100);
		sum += x;
	}
	if (sum == 250 && __VERIFIER_nondet_uchar() == 7)
		reach_error();
	return 0;
}
