/* entry: f
 * class: inline assembly
 */
int
f(int x)
{
	int y = x;

	__asm__ volatile("" : "+m"(y) : : "memory");
	if (y == 3)
		return 1;
	if (y > 100)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(3);
	f(101);
	f(0);
	return 0;
}
#endif
