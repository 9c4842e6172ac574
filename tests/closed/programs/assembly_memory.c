/* entry: f
 * class: inline assembly
 */
int
f(int *p, int x)
{
	*p = 1;
	__asm__ volatile("movl %1, (%0)" : : "r"(p), "r"(x) : "memory");
	if (*p == 1)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a;

	f(&a, 1);
	f(&a, 2);
	return 0;
}
#endif
