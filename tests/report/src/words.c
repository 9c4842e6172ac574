/* Counts words of standard input. */
#include <stdio.h>

int main(void)
{
	int c, words = 0, within = 0;

	while ((c = getchar()) != EOF) {
		if (c == ' ' || c == '\n')
			within = 0;
		else if (!within++)
			words++;
	}
	return words;
}
