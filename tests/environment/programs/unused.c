/* What main does not look at is no input. */
#include <stdio.h>

int main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return getchar() == 'q';
}
