/* Standard input: a line of options, words that begin with -, and a set of numbers. */
#undef main
#include <stdio.h>
#include <string.h>

int ministat_main(int argc, char **argv);

int main(void)
{
	static char line[80], name[] = "ministat";
	char *argv[42] = { name }, *word;
	int argc = 1;

	if (!fgets(line, sizeof line, stdin))
		return 2;
	for (word = strtok(line, " \n"); word; word = strtok(NULL, " \n"))
		if (word[0] == '-')
			argv[argc++] = word;
	return ministat_main(argc, argv);
}
