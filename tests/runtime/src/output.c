/* Whether a write succeeds does not depend on the bytes that are written.
 * duct: --string s=3
 * duct: --entry show
 * expect: covered=6 infeasible=0 failures=0 */
#include <stdio.h>

int show(const char *s)
{
	int n = 0;

	while (s[n])
		n++;
	if (fputs(s, stdout) == EOF)
		return 1;
	return n == 2 ? 7 : 0;
}
