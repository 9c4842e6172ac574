#include <stdio.h>
#include <stdlib.h>
static char buf[BUFSIZ];
static char *end;
static char *text = "12x";
int main(void)
{
	setbuf(stdout, buf);
	printf("hello");
	if (buf[0] == 'h') /* taken */
		return 1;
	strtol(text, &end, 10);
	if (*end == 'x') /* taken */
		return 2;
	int v = 0;
	sscanf(text, "%d", &v);
	if (v == 12) /* taken */
		return 3;
	return 0;
}
