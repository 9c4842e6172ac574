/* entry: f
 * class: library
 */
#include <ctype.h>

int
f(unsigned char c)
{
	int kind = isdigit(c);

	if (kind == 2048)
		return 1;
	if (kind)
		return 2;
	if (isupper(c) && tolower(c) == 'q')
		return 3;
	if (c > 127)
		return 4;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 256; i++)
		f((unsigned char)i);
	return 0;
}
#endif
