#include <stdlib.h>
static int g;
static void end(void)
{
	if (g == 2) /* taken */
		g = 3;
}
int main(void)
{
	atexit(end);
	g = 2;
	return 0;
}
