/* String matching, as in Su et al. (hybrid data-flow testing), Table 2: the first place of
 * the pattern in the text, or -1. By trying each place.
 *
 * duct: concolic --entry strmat --search dfs --string text=3 --string pattern=2 --distinct all
 * expect: exhausted=true failures=0 branches.unknown=0
 * oracle: -DLENGTH=3
 */
static int length(const char *s)
{
	int n = 0;

	while (s[n] != '\0')
		n++;
	return n;
}

int strmat(const char *text, const char *pattern)
{
	int texts = length(text), patterns = length(pattern);
	int start, i;

	for (start = 0; start + patterns <= texts; start++) {
		for (i = 0; i < patterns; i++) {
			if (text[start + i] != pattern[i])
				break;
		}
		if (i == patterns)
			return start;
	}
	return -1;
}
