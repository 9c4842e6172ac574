/* A pattern replacer, written anew after what the papers on hybrid data-flow testing and on IPPC
 * tell of their subject replace: a pattern of characters, ., [a-z], [^...], ^, $ and closures c* is
 * compiled, and every match in a line is replaced by a text in which & stands for the match. */
#define ROOM 32

enum { END, LITERAL, ANY, CLASS, NOT_CLASS, BOL, EOL };

static int escaped(const char *s, int *i)
{
	if (s[*i] != '\\')
		return s[*i];
	if (s[*i + 1] == '\0')
		return '\\';
	++*i;
	return s[*i] == 'n' ? '\n' : s[*i] == 't' ? '\t' : s[*i];
}

/* [...]: kind, number of characters, these; -1: it has no end. */
static int compile_class(const char *pattern, int *i, char *to)
{
	int n = 2;

	to[0] = CLASS;
	++*i;
	if (pattern[*i] == '^') {
		to[0] = NOT_CLASS;
		++*i;
	}
	for (; pattern[*i] != ']'; ++*i) {
		if (pattern[*i] == '\0')
			return -1;
		if (pattern[*i] == '-' && n > 2 && pattern[*i + 1] != ']'
		    && pattern[*i + 1] != '\0') {
			int low = to[n - 1], high = pattern[*i + 1];

			++*i;
			while (++low <= high && n < 10)
				to[n++] = (char)low;
			continue;
		}
		if (n < 10)
			to[n++] = (char)escaped(pattern, i);
	}
	to[1] = (char)(n - 2);
	return n;
}

/* Each element: 1 if it is repeated, then itself. */
static int compile(const char *pattern, char *to)
{
	int n = 0, last = -1;

	for (int i = 0; pattern[i] != '\0'; i++) {
		int size = 1;

		if (n + 12 > ROOM)
			return 0;
		if (pattern[i] == '*' && last >= 0 && to[last + 1] != BOL && to[last + 1] != EOL
		    && !to[last]) {
			to[last] = 1;
			continue;
		}
		last = n;
		to[n++] = 0;
		if (pattern[i] == '^' && i == 0) {
			to[n] = BOL;
		} else if (pattern[i] == '$' && pattern[i + 1] == '\0') {
			to[n] = EOL;
		} else if (pattern[i] == '.') {
			to[n] = ANY;
		} else if (pattern[i] == '[') {
			if ((size = compile_class(pattern, &i, to + n)) < 0)
				return 0;
		} else {
			to[n] = LITERAL;
			to[n + 1] = (char)escaped(pattern, &i);
			size = 2;
		}
		n += size;
	}
	to[n++] = 0;
	to[n] = END;
	return 1;
}

static int size_of(const char *element)
{
	return element[0] == LITERAL                         ? 2
	    : element[0] == CLASS || element[0] == NOT_CLASS ? 2 + element[1]
	                                                     : 1;
}

static int is_one(const char *element, char c)
{
	int found = 0;

	if (c == '\0')
		return 0;
	if (element[0] == LITERAL)
		return element[1] == c;
	if (element[0] == ANY)
		return c != '\n';
	for (int i = 0; i < element[1]; i++)
		found |= element[2 + i] == c;
	return element[0] == CLASS ? found : !found;
}

/* The end of the longest match at a place, or -1. */
static int match(const char *line, int at, const char *p)
{
	while (p[1] != END) {
		if (p[0]) {
			int most = at, end = -1;

			while (is_one(p + 1, line[most]))
				most++;
			for (; most >= at && end < 0; most--)
				end = match(line, most, p + 1 + size_of(p + 1));
			return end;
		}
		if (p[1] == BOL) {
			if (at != 0)
				return -1;
		} else if (p[1] == EOL) {
			if (line[at] != '\0' && line[at] != '\n')
				return -1;
		} else if (!is_one(p + 1, line[at++])) {
			return -1;
		}
		p += 1 + size_of(p + 1);
	}
	return at;
}

static void put(char *out, int *n, char c)
{
	if (*n < ROOM - 1)
		out[(*n)++] = c;
}

/* Returns how many were replaced, -1 for a bad pattern. */
int replace(const char *pattern, const char *with, const char *line, char out[ROOM])
{
	char compiled[ROOM];
	int n = 0, times = 0, last = -1;

	if (!compile(pattern, compiled))
		return -1;
	for (int i = 0; line[i] != '\0';) {
		int end = match(line, i, compiled);

		if (end >= 0 && end != last) {
			times++;
			for (int k = 0; with[k] != '\0'; k++)
				if (with[k] == '&')
					for (int m = i; m < end; m++)
						put(out, &n, line[m]);
				else
					put(out, &n, (char)escaped(with, &k));
			last = end;
		}
		if (end <= i)
			put(out, &n, line[i++]);
		else
			i = end;
	}
	out[n] = '\0';
	return times;
}
