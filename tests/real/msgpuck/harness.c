/* Prints the MessagePack value of standard input, if it is one. */
#include "msgpuck.h"

int main(void)
{
	static char text[4096];
	size_t n = fread(text, 1, sizeof text, stdin);
	const char *end = text;

	if (mp_check(&end, text + n))
		return 1;
	mp_fprint(stdout, text);
	end = text;
	mp_next(&end);
	printf(" %td\n", end - text);
	return 0;
}
