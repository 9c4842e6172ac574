/* entry: f
 * class: strings
 */
#include <wchar.h>

int
f(const wchar_t *s)
{
	if (wcslen(s) > 11)
		return 1;
	if (s[0] == 0x20ac)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f(L"");
	f(L"\u20ac");
	f(L"abcdefghijklmnop");
	return 0;
}
#endif
