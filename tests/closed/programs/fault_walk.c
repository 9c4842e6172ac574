/* entry: f
 * class: faults
 * faults: yes
 */
int
f(char a, char b)
{
	char str[5], *s = str;

	str[0] = a;
	str[1] = b;
	str[2] = str[3] = str[4] = 0;
	while (*s != 's')
		s++;
	return (int)(s - str);
}

#ifdef NATIVE
#include "native.h"
int
main(void)
{
	f('s', 0);
	f('a', 's');
	TRY(f(0, 0));
	return 0;
}
#endif
