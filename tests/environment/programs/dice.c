/* Random numbers, however they are seeded. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
	srand((unsigned)time(NULL));
	if (rand() % 6 == 5 && rand() % 6 == 5)
		puts("two sixes");
	srand48(7);
	if (drand48() > 0.75)
		return 1;
	return lrand48() == 1000 ? 2 : 0;
}
