/* A tokenizer of C-like text: words, keywords, numbers, strings, operators, comments. It
 * counts the tokens of each kind; the text ends at length or at a NUL.
 *
 * duct: concolic --entry tokenize --search dfs --string text=2 --calls 1
 * expect: exhausted=true failures=0 branches.unknown=0
 */
enum kind { WORD, KEYWORD, NUMBER, STRING, OPERATOR, COMMENT, ERROR, KINDS };

int counts[KINDS];

static int is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *word(const char *s)
{
	const char *start = s;

	while (is_letter(*s) || is_digit(*s))
		s++;
	if (s - start == 2 && start[0] == 'i' && start[1] == 'f')
		counts[KEYWORD]++;
	else
		counts[WORD]++;
	return s;
}

static const char *number(const char *s)
{
	while (is_digit(*s))
		s++;
	if (is_letter(*s))
		counts[ERROR]++;
	else
		counts[NUMBER]++;
	return s;
}

static const char *string(const char *s)
{
	s++;
	while (*s != '"') {
		if (*s == '\\' && s[1] != '\0')
			s++;
		if (*s == '\0') {
			counts[ERROR]++;
			return s;
		}
		s++;
	}
	counts[STRING]++;
	return s + 1;
}

static const char *operator(const char *s)
{
	switch (*s) {
	case '/':
		if (s[1] == '/') {
			while (*s != '\0' && *s != '\n')
				s++;
			counts[COMMENT]++;
			return s;
		}
		break;
	case '<':
	case '>':
	case '=':
	case '!':
		if (s[1] == '=')
			s++;
		break;
	case '+':
	case '-':
	case '*':
	case '(':
	case ')':
		break;
	default:
		counts[ERROR]++;
		return s + 1;
	}
	counts[OPERATOR]++;
	return s + 1;
}

int tokenize(const char *text)
{
	const char *s = text;
	int i, total = 0;

	for (i = 0; i < KINDS; i++)
		counts[i] = 0;
	while (*s != '\0') {
		if (*s == ' ' || *s == '\n')
			s++;
		else if (is_letter(*s))
			s = word(s);
		else if (is_digit(*s))
			s = number(s);
		else if (*s == '"')
			s = string(s);
		else
			s = operator(s);
	}
	for (i = 0; i < KINDS; i++)
		total += counts[i];
	return total;
}
