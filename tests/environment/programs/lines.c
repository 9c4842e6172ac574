/* Lines of standard input. */
#include <stdio.h>
#include <string.h>

int main(void)
{
	char line[32];
	int n = 0;

	while (fgets(line, sizeof line, stdin))
		if (!strcmp(line, "end\n"))
			return n ? 2 : 1;
		else
			n++;
	return n > 2 ? 3 : 0;
}
