/* entry: f
 * class: hidden state of the library
 */
#include <string.h>

int
f(char *first)
{
	char *word = strtok(first, ",");

	if (!word)
		return 0;
	word = strtok(0, ",");
	if (word && word[0] == 'q')
		return 1;
	return 2;
}

#ifdef NATIVE
int
main(void)
{
	char a[] = "", b[] = "a,q", c[] = ",,x,,,y", d[] = "alone";

	f(a);
	f(b);
	f(c);
	f(d);
	f(0);
	return 0;
}
#endif
