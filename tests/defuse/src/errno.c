/* errno: one object, whichever call tells its address; the program sets it directly, through pointers and in callees. */
#include <errno.h>

static int last;

static void fail(int e) { errno = e; }
static int *where(int n) { return n > 1 ? &errno : &last; }

static int check(int n)
{
	if (n > 3)
		errno = 0;
	if (errno == ERANGE)
		return 2;
	return errno != 0;
}

int test(int n, int k)
{
	int found, *p = &errno;
	errno = 0;
	if (n < 0)
		fail(k & 1 ? ERANGE : EINVAL);
	if (errno == ERANGE)
		return -1;
	if (k > 2)
		*p = n;
	found = errno;
	*where(k) = ERANGE;
	found += check(n) + last;
	errno = 0;
	last = 0;
	return found + *p;
}
