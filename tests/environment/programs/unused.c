/* Arguments that main does not read are no inputs. */
#include <stdio.h>

int main(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	return getchar() == 'q';
}
