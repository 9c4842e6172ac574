/* A matcher like grep, written anew after what the paper on IPPC tells of its subject: a regular
 * expression of characters, .,
 * *, +, ?, |, parentheses, ^ and $ is parsed into nodes and looked for in a line. */
#define MOST 24

enum kind { EMPTY, LITERAL, ANY, BOL, EOL, SEQUENCE, EITHER, STAR, PLUS, MAYBE };

static struct node {
	enum kind kind;
	char c;
	int left, right;
} node[MOST];
static int nodes, bad;
static const char *at;

static int make(enum kind kind, char c, int left, int right)
{
	if (nodes == MOST) {
		bad = 1;
		return 0;
	}
	node[nodes] = (struct node){ kind, c, left, right };
	return nodes++;
}

static int parse_either(void);

static int parse_one(void)
{
	char c = *at;
	int inner;

	if (c == '\0' || c == ')' || c == '|')
		return make(EMPTY, 0, 0, 0);
	at++;
	switch (c) {
	case '.': return make(ANY, 0, 0, 0);
	case '^': return make(BOL, 0, 0, 0);
	case '$': return make(EOL, 0, 0, 0);
	case '*':
	case '+':
	case '?': bad = 1; return 0;
	case '(':
		inner = parse_either();
		if (*at != ')') {
			bad = 1;
			return 0;
		}
		at++;
		return inner;
	case '\\':
		if (*at == '\0') {
			bad = 1;
			return 0;
		}
		c = *at++;
	}
	return make(LITERAL, c, 0, 0);
}

static int parse_sequence(void)
{
	int left = parse_one();

	for (;;) {
		if (bad)
			return 0;
		if (*at == '*')
			left = make(STAR, 0, left, 0);
		else if (*at == '+')
			left = make(PLUS, 0, left, 0);
		else if (*at == '?')
			left = make(MAYBE, 0, left, 0);
		else
			break;
		at++;
	}
	if (*at == '\0' || *at == ')' || *at == '|')
		return left;
	return make(SEQUENCE, 0, left, parse_sequence());
}

static int parse_either(void)
{
	int left = parse_sequence();

	while (!bad && *at == '|') {
		at++;
		left = make(EITHER, 0, left, parse_sequence());
	}
	return left;
}

/* Ends of matches of a node at the places of a set: sets of places are bits. */
static unsigned ends(int which, unsigned from, const char *line, int length)
{
	const struct node *n = &node[which];
	unsigned to = 0, all, before;

	switch (n->kind) {
	case EMPTY: return from;
	case BOL: return from & 1;
	case EOL: return from & 1u << length;
	case LITERAL:
	case ANY:
		for (int i = 0; i < length; i++)
			if (from >> i & 1 && (n->kind == ANY || line[i] == n->c))
				to |= 1u << (i + 1);
		return to;
	case SEQUENCE: return ends(n->right, ends(n->left, from, line, length), line, length);
	case EITHER: return ends(n->left, from, line, length) | ends(n->right, from, line, length);
	case MAYBE: return from | ends(n->left, from, line, length);
	default:
		all = n->kind == STAR ? from : ends(n->left, from, line, length);
		do {
			before = all;
			all |= ends(n->left, all, line, length);
		} while (all != before);
		return all;
	}
}

/* 1 found, 0 not, -1 a bad expression. */
int search(const char *expression, const char *line)
{
	int length = 0, root;

	at = expression;
	nodes = bad = 0;
	root = parse_either();
	if (bad || *at != '\0')
		return -1;
	while (line[length] != '\0' && length < 30)
		length++;
	return ends(root, (1u << (length + 1)) - 1, line, length) != 0;
}
