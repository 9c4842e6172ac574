/* Runs that end in different calls. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static void usage(int k)
{
	if (k > 1)
		exit(k);
}
__attribute__((noreturn)) static void die(int k)
{
	k++;
	exit(k);
}
static int deep(int k)
{
	usage(k);
	return k + 1;
}
int main(int argc, char **argv)
{
	int k = 0;
	if (argc == 2) {
		k = deep(argc);
		k++;
		return k;
	} else if (argc == 3) {
		k = deep(1);
		k++;
		die(k);
		k += 5;
	} else if (argc == 4) {
		usage(2), k += 2;
		k++;
	} else {
		puts("x");
		k++;
		k = deep(0) + deep(5);
		k++;
	}
	execl("/nonexistent", "x", (char *)0);
	k++;
	exit(k);
}
