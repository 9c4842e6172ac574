/* A file in a folder; another one only when the first says so. */
#include <stdio.h>

int main(void)
{
	FILE *f = fopen("etc/app/main.conf", "r"), *g;

	if (!f)
		return 1;
	if (getc(f) != '+')
		return 2;
	g = fopen("./etc/app/more.conf", "r");
	if (!g)
		return 3;
	return getc(g) == getc(f) ? 4 : 5;
}
