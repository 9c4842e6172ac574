/* entry: f
 * class: wide numbers
 */
extern __int128 __VERIFIER_nondet_int128(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int
f(void)
{
	__int128 x = __VERIFIER_nondet_int128();
	unsigned __int128 y = __VERIFIER_nondet_uint128();

	if (x >> 64 == 12345)
		return 1;
	if (x < -((__int128)1 << 100))
		return 2;
	if (y >> 100 == 5)
		return 3;
	return 0;
}

#ifdef NATIVE
static __int128 x, y;
__int128 __VERIFIER_nondet_int128(void) { return x; }
unsigned __int128 __VERIFIER_nondet_uint128(void) { return y; }
int
main(void)
{
	f();
	x = (__int128)12345 << 64;
	f();
	x = -((__int128)1 << 110);
	f();
	x = 0, y = (__int128)5 << 100;
	f();
	return 0;
}
#endif
