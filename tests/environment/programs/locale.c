/* The locale, which the environment names. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	if (!setlocale(LC_CTYPE, ""))
		return 1;
	if (MB_CUR_MAX > 1)
		puts("characters of several bytes");
	return 0;
}
