/* entry: f
 * class: strings
 */
int
f(const char *s)
{
	int n = 0;

	while (*s) {
		if (*s == ',')
			n++;
		s++;
	}
	if (n > 12)
		return 1;
	if (n == 10)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	f("");
	f("a,b");
	f(",,,,,,,,,,");
	f("a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p");
	return 0;
}
#endif
