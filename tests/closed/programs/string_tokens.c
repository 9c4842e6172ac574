/* entry: f
 * class: strings, hidden state of the library
 */
#include <string.h>

int
f(char *s)
{
	int n = 0;

	for (char *word = strtok(s, " "); word; word = strtok(0, " "))
		n++;
	if (n == 0)
		return 0;
	if (n > 9)
		return 1;
	return 2;
}

#ifdef NATIVE
int
main(void)
{
	char a[] = "", b[] = "one two", c[] = "a b c d e f g h i j k l m";

	f(a);
	f(b);
	f(c);
	return 0;
}
#endif
