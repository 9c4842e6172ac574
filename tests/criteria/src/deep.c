/* Places of which some are hard to come to, and some cannot be. */
static int helper(int x)
{
	if (x > 3 && x * x == 1522756)
		return 1;                            /* line 5: x is 1234 */
	return 0;
}

static int count(const char *s)
{
	int n = 0;

	for (int i = 0; i < 8 && s[i]; i++)
		n += s[i] == 'a' || s[i] == 'b' ? 2 : s[i] > 'q';
	return n;
}

int find(const char *s, int k)
{
	int n = count(s);

	if (n > 3 && s[0] == 'x') {
		if (helper(k))
			return 5;                    /* line 24 */
		if (k == 4 && n == 11)
			return 7;                    /* line 26 */
	}
	if ((k & 1) && k % 2 == 0)
		return 9;                            /* line 29 */
	return s[2] == 'k' ? 1 / (k - 17) : 0;       /* line 30 */
}
