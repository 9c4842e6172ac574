/* entry: f
 * class: callbacks
 */
int
f(void (*each)(void *, int), void *context, int n)
{
	int *sum = context;

	if (n > 100)
		return -1;
	*sum = 0;
	for (int i = 0; i < n; i++)
		each(context, i);
	if (*sum > 20)
		return 1;
	if (*sum != 0)
		return 2;
	return 0;
}

#ifdef NATIVE
static void
add(void *context, int i)
{
	*(int *)context += i;
}

int
main(void)
{
	int sum;

	f(add, &sum, 0);
	f(add, &sum, 3);
	f(add, &sum, 10);
	f(add, &sum, 101);
	return 0;
}
#endif
