/* entry: f
 * class: static state
 */
int
f(void)
{
	static int calls;

	calls++;
	if (calls > 5)
		return 1;
	if (calls == 2)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 8; i++)
		f();
	return 0;
}
#endif
