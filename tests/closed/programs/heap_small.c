/* entry: f
 * class: malloc failure
 */
#include <stdlib.h>
#include <string.h>

int
f(const char *s)
{
	char *copy = strdup(s);

	if (!copy)
		return -1;
	if (strlen(copy) > 24)
		return 1;
	free(copy);
	return 0;
}

#ifdef NATIVE
#include <sys/resource.h>
#include <sys/mman.h>
int
main(void)
{
	struct rlimit r = { 0, 0 };
	static char big[1 << 20];

	f("");
	f("abcdefghijklmnopqrstuvwxyz");
	memset(big, 'x', sizeof big - 1);
	setrlimit(RLIMIT_AS, &r);
	f(big);
	return 0;
}
#endif
