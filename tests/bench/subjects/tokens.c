/* A tokenizer of a Lisp-like text, written anew after what the papers tell of their subjects
 * printtokens and ptokens: it is driven by a table of states. Counts keywords, names, numbers,
 * strings, characters, comments, specials and errors. */
enum { KEYWORD, NAME, NUMBER, STRING, CHARACTER, COMMENT, SPECIAL, WRONG, KINDS };
enum { START, IN_NAME, IN_NUMBER, IN_STRING, IN_CHARACTER, IN_COMMENT, STATES };
enum { LETTER, DIGIT, QUOTE, HASH, SEMICOLON, NEWLINE, BLANK, PUNCTUATION, OTHER, CLASSES };

int counts[KINDS];

static int class_of(char c)
{
	if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'))
		return LETTER;
	if (c >= '0' && c <= '9')
		return DIGIT;
	switch (c) {
	case '"': return QUOTE;
	case '#': return HASH;
	case ';': return SEMICOLON;
	case '\n':
	case '\0': return NEWLINE;
	case ' ':
	case '\t': return BLANK;
	case '(':
	case ')':
	case '[':
	case ']':
	case ',':
	case '`':
	case '\'': return PUNCTUATION;
	default: return OTHER;
	}
}

/* The next state; -1: the token ends before this character, -2: behind it. */
static const signed char next[STATES][CLASSES] = {
	{ IN_NAME, IN_NUMBER, IN_STRING, IN_CHARACTER, IN_COMMENT, START, START, -2, -2 },
	{ IN_NAME, IN_NAME, -1, -1, -1, -1, -1, -1, IN_NAME },
	{ -1, IN_NUMBER, -1, -1, -1, -1, -1, -1, -1 },
	{ IN_STRING, IN_STRING, -2, IN_STRING, IN_STRING, -1, IN_STRING, IN_STRING, IN_STRING },
	{ IN_CHARACTER, IN_CHARACTER, -1, -1, -1, -1, -1, -1, -1 },
	{ IN_COMMENT, IN_COMMENT, IN_COMMENT, IN_COMMENT, IN_COMMENT, -1, IN_COMMENT, IN_COMMENT,
	    IN_COMMENT },
};

static int is_keyword(const char *s, int n)
{
	static const char *const words[] = { "and", "or", "if", "xor", "lambda" };

	for (int w = 0; w < 5; w++) {
		int i = 0;

		while (i < n && words[w][i] == s[i])
			i++;
		if (i == n && words[w][i] == '\0')
			return 1;
	}
	return 0;
}

static int kind_of(int state, const char *s, int n)
{
	switch (state) {
	case IN_NAME: return is_keyword(s, n) ? KEYWORD : NAME;
	case IN_NUMBER: return NUMBER;
	case IN_STRING: return n > 1 && s[n - 1] == '"' ? STRING : WRONG;
	case IN_CHARACTER: return n == 2 ? CHARACTER : WRONG;
	case IN_COMMENT: return COMMENT;
	default: return class_of(s[0]) == PUNCTUATION ? SPECIAL : WRONG;
	}
}

int tokens(const char *text)
{
	int state = START, from = 0, n = 0;

	for (int i = 0; text[i] != '\0' || state != START;) {
		int to = next[state][class_of(text[i])];

		if (to >= 0) {
			state = to;
			i++;
			if (state == START)
				from = i;
			continue;
		}
		i += to == -2;
		counts[kind_of(state, text + from, i - from)]++;
		n++;
		state = START;
		from = i;
	}
	return n;
}
