/* The second of the pair, after what the paper on hybrid data-flow testing tells of printtokens2:
 * the same language, but the token is cut out first, by its first character, and tested afterwards.
 */
#define ROOM 16

enum { KEYWORD, NAME, NUMBER, STRING, CHARACTER, COMMENT, SPECIAL, WRONG, KINDS };

int counts[KINDS];

static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static int is_special(char c)
{
	return c == '(' || c == ')' || c == '[' || c == ']' || c == ',' || c == '`' || c == '\'';
}

static int ends(char first, char c)
{
	if (c == '\0' || c == '\n')
		return 1;
	if (first == '"' || first == ';')
		return 0;
	return c == ' ' || c == '\t' || is_special(c) || c == '"' || c == ';';
}

/* Copies a token; returns what follows. */
static const char *cut(const char *s, char *token)
{
	int n = 0;

	while (*s == ' ' || *s == '\t' || *s == '\n')
		s++;
	if (*s == '\0') {
		token[0] = '\0';
		return s;
	}
	token[n++] = *s++;
	if (!is_special(token[0]))
		while (!ends(token[0], *s) && n < ROOM - 1)
			token[n++] = *s++;
	if (token[0] == '"' && *s == '"' && n < ROOM - 1)
		token[n++] = *s++;
	token[n] = '\0';
	return s;
}

static int equal(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b)
		a++, b++;
	return *a == *b;
}

static int is_number(const char *s)
{
	if (!is_digit(*s))
		return 0;
	while (is_digit(*s))
		s++;
	return *s == '\0';
}

static int is_name(const char *s)
{
	if (!is_letter(*s))
		return 0;
	while (is_letter(*s) || is_digit(*s))
		s++;
	return *s == '\0';
}

static int is_string(const char *s)
{
	int n = 1;

	if (s[0] != '"')
		return 0;
	while (s[n] != '\0')
		n++;
	return n > 1 && s[n - 1] == '"';
}

static int kind_of(const char *s)
{
	if (equal(s, "and") || equal(s, "or") || equal(s, "if") || equal(s, "xor")
	    || equal(s, "lambda"))
		return KEYWORD;
	if (is_special(s[0]))
		return SPECIAL;
	if (s[0] == ';')
		return COMMENT;
	if (is_number(s))
		return NUMBER;
	if (is_string(s))
		return STRING;
	if (s[0] == '#' && is_letter(s[1]) && s[2] == '\0')
		return CHARACTER;
	return is_name(s) ? NAME : WRONG;
}

int tokens(const char *text)
{
	char token[ROOM];
	int n = 0;

	for (text = cut(text, token); token[0] != '\0'; text = cut(text, token), n++)
		counts[kind_of(token)]++;
	return n;
}
