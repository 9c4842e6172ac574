/* Reads the clock. */
#include <stdio.h>
#include <time.h>

int main(void)
{
	time_t begin = time(NULL), end;

	if (begin == 0)
		puts("never");
	if (begin > 5000000000)
		puts("far");
	end = time(NULL);
	return end - begin > 60 ? 1 : 0;
}
