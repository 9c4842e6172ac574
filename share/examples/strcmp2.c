/* Two strings against two constants, as testme.c without output: 24 * 30 = 720 paths.
 *
 * duct: concolic --entry both --search dfs --string s1=12 --string s2=15 --distinct all
 * expect: exhausted=true paths=720 branches.unknown=0
 */
static int compare(const char *a, const char *b)
{
	while (*a != '\0' && *b != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

int both(const char *s1, const char *s2)
{
	int first = compare(s1, "Hello World");
	int second = compare(s2, "Hello ESEC/FSE");

	return first == 0 && second == 0;
}
