/* top and locate of Majumdar and Sen (LATEST), Figure 7, after Godefroid's example for
 * summaries: is the first 'a' of the input followed by a colon?
 *
 * For strings of at most n characters top has 3n paths: n where 'a' is found and another
 * character follows, n - 1 where the colon does, and n + 1 where 'a' is missing. Without
 * the empty string, as in the paper, 3n - 1. (LATEST: at most 10 runs whatever n is.)
 *
 * duct: concolic --entry top_nonempty --search dfs --string input=4
 * expect: exhausted=true paths=11 branches.unknown=0
 * oracle: -DLENGTH=4
 */
#include <duct.h>

static int locate(const char *s, int c)
{
	int i = 0;

	while (s[i] != c) {
		if (s[i] == 0)
			return -1;
		i++;
	}
	return i;
}

int top(const char *input)
{
	int z;

	z = locate(input, 'a');
	if (z == -1)
		return -1;
	if (input[z + 1] != ':')
		return 1;
	return 0;
}

int top_nonempty(const char *input)
{
	duct_assume(input[0] != 0);
	return top(input);
}
