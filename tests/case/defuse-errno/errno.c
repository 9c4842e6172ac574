#include <errno.h>
#include <stdlib.h>

long number(const char *s)
{
	char *end;
	long v;
	errno = 0;
	v = strtol(s, &end, 10);
	return errno == ERANGE || *end ? -1 : v;
}
