/* testme of Majumdar and Sen, "LATEST: Lazy Dynamic Test Input Generation", Figure 1: two
 * strings are compared with two constants by the program's own strcmp, which must not be
 * taken for the library's.
 *
 * strcmp has 2(n + 1) paths against a constant of n characters when the string may be
 * longer than the constant, so testme has 24 * 30 = 720. (LATEST: at most 113 runs for the 3 paths of testme itself.)
 *
 * duct: concolic --entry testme --search dfs --string s1=12 --string s2=15 --distinct all
 * expect: exhausted=true paths=720 failures=0 branches.unknown=0
 */
#include <stdio.h>

int strcmp(const char *str1, const char *str2)
{
	while (*str1 != '\0' && *str2 != '\0' && *str1 == *str2) {
		str1++;
		str2++;
	}
	return *str1 - *str2;
}

void testme(char *s1, char *s2)
{
	int tmp1, tmp2;

	tmp1 = strcmp(s1, "Hello World");
	tmp2 = strcmp(s2, "Hello ESEC/FSE");
	if (tmp1 == 0) {
		if (tmp2 == 0)
			printf("Success\n");
	}
}
