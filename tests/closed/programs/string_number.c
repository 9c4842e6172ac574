/* entry: f
 * class: strings
 */
int
f(const char *s)
{
	unsigned long n = 0;
	int digits = 0;

	while (*s >= '0' && *s <= '9') {
		n = n * 10 + (unsigned long)(*s++ - '0');
		digits++;
	}
	if (digits > 9)
		return 1;
	if (n > 999999999)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("");
	f("x");
	f("12 ");
	f("123456789012");
	f("18446744073709551617");
	return 0;
}
#endif
