/* A file that is only looked for, and one that is made. infeasible: 3 */
#include <stdio.h>
#include <unistd.h>

int main(void)
{
	FILE *f;

	if (access("lock", F_OK) == 0)
		return 1;
	f = fopen("lock", "w");
	if (!f)
		return 2;
	fputs("mine", f);
	fclose(f);
	f = fopen("lock", "r");
	if (!f)
		return 3;
	return getc(f) == 'm' ? 0 : 4;
}
