/* entry: f
 * class: inline assembly
 */
int
f(int x)
{
	int y;

	__asm__("movl %1, %0\n\taddl $1, %0" : "=r"(y) : "r"(x));
	if (y == 10)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(9);
	f(0);
	return 0;
}
#endif
