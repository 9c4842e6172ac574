/* The third argument of main. */
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv, char **envp)
{
	(void)argc;
	(void)argv;
	if (!envp[0])
		return 1;
	return strcmp(envp[0], "HOME=") == 0 ? 2 : 0;
}
