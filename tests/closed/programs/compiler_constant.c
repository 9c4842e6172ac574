/* entry: f
 * class: compilers
 */
int
f(int x)
{
	int y = x & 1;

	if (__builtin_constant_p(y - y))
		return 1;
	if (__builtin_object_size(&x, 0) == (__SIZE_TYPE__)-1)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(1);
	return 0;
}
#endif
