/* A task whose error function is its own: to enter it is the error. */
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void)
{
	int x = __VERIFIER_nondet_int();

	if (x < 10)
		return 0;
	if (x * 2 == 246)
		reach_error();
	if (x < 5)
		reach_error();
	return 0;
}
