/* A task of the Test-Comp kind with numbers: reach_error is to be found.
 *
 * duct: concolic
 * expect: failures=1 branches.unknown=0
 */
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
extern float __VERIFIER_nondet_float(void);

int main(void)
{
	double x = __VERIFIER_nondet_double();
	float y = __VERIFIER_nondet_float();

	if (x > 1.0 && x < 1.5 && x * 8 == (int)(x * 8) && y == (float)x + 0.25f)
		reach_error();
	return 0;
}
