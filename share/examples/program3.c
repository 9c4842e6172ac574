/* program3 of Majumdar and Sen (LATEST), Table 1: a variant of their Figure 1. Two strings
 * of at most one character more than the constants have (2(n + 1))^2 paths: 900 for the
 * full constants. -DSHORT takes constants of 4 characters. (LATEST: at most 68 runs.)
 *
 * duct: concolic --entry program3 --search dfs --string s1=5 --string s2=5 --distinct all -- -DSHORT
 * expect: exhausted=true paths=100 branches.unknown=0
 */
#ifdef SHORT
#define FIRST  "Test"
#define SECOND "Lazy"
#else
#define FIRST  "Hello Test Wor"
#define SECOND "Hello Lazy Wor"
#endif

static int compare(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

int program3(const char *s1, const char *s2)
{
	int first = compare(s1, FIRST);
	int second = compare(s2, SECOND);

	if (first == 0 && second == 0)
		return 0;
	return first == 0 ? 1 : -1;
}
