/* Variables that the program sets itself, and those that it was started with. infeasible: 1 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
	setenv("MODE", "fast", 0);
	setenv("KIND", "old", 1);
	if (strcmp(getenv("KIND"), "old"))
		return 9;
	return strcmp(getenv("MODE"), "slow") ? 0 : 1;
}
