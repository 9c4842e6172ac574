/* String matching by Knuth, Morris and Pratt's failure function; the second matcher of
 * Su et al. (hybrid data-flow testing), Table 2.
 *
 * duct: concolic --entry strmat2 --search dfs --string text=3 --string pattern=2 --distinct all
 * expect: exhausted=true failures=0 branches.unknown=0
 * oracle: -DLENGTH=3
 */
#define MAX 16

int strmat2(const char *text, const char *pattern)
{
	int next[MAX + 1];
	int i, j = 0, n = 0;

	while (n < MAX && pattern[n] != '\0')
		n++;
	next[0] = 0;
	for (i = 1; i < n; i++) {
		while (j > 0 && pattern[i] != pattern[j])
			j = next[j - 1];
		if (pattern[i] == pattern[j])
			j++;
		next[i] = j;
	}
	j = 0;
	for (i = 0; j < n; i++) {
		if (text[i] == '\0')
			return -1;
		while (j > 0 && text[i] != pattern[j])
			j = next[j - 1];
		if (text[i] == pattern[j])
			j++;
	}
	return i - n;
}
