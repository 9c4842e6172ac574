/* Lines with code and no conditions; a function without any; one that is never called. */
#include <stdio.h>
#include <stdlib.h>

static int seen;

static void note(int n)
{
	seen += n;
}

static int never(int n)
{
	note(n);
	return n / 2;
}

int lines(int n)
{
	int sum = 0;

	note(n);
	if (n > 3) {
		sum = 1;
		note(sum);
	} else {
		sum = 2;
	}
	for (int i = 0; i < 2; i++)
		sum += i;
	if (n == 7)
		exit(3);
	if (n > 100 && n < 50)
		sum = never(n);
	sum++;
	return sum;
}

int main(int argc, char **argv)
{
	int n = argc > 1 ? atoi(argv[1]) : 0;

	printf("%d\n", lines(n));
	return 0;
}
