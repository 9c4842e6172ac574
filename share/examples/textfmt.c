/* Text formatting, as in Su et al. (hybrid data-flow testing), Table 2, after Naur's
 * problem: words, separated by blanks or newlines, are put on lines of at most WIDTH
 * characters, as many as fit. 1 when a word is longer than a line.
 *
 * duct: concolic --entry format --search dfs --string text=3 --distinct all --calls 1 -- -DWIDTH=2
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#ifndef WIDTH
#define WIDTH 4
#endif
#define ROOM 64

char formatted[ROOM];
static int used;

static void put(char c)
{
	if (used < ROOM - 1)
		formatted[used++] = c;
}

int format(const char *text)
{
	char word[WIDTH];
	int fill = 0, length = 0, i;

	used = 0;
	for (;; text++) {
		char c = *text;

		if (c != ' ' && c != '\n' && c != '\0') {
			if (length == WIDTH)
				return 1;
			word[length++] = c;
			continue;
		}
		if (length > 0) {
			if (fill > 0 && fill + 1 + length <= WIDTH) {
				put(' ');
				fill++;
			} else if (fill > 0) {
				put('\n');
				fill = 0;
			}
			for (i = 0; i < length; i++)
				put(word[i]);
			fill += length;
			length = 0;
		}
		if (c == '\0')
			break;
	}
	put('\0');
	return 0;
}
