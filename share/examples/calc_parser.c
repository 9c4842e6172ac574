/* A small calculator parser: expressions of digits, + - * / and parentheses, evaluated on
 * the way. Benchmarks run all of its paths over 5 characters.
 *
 * duct: concolic --entry evaluate --search dfs --string text=2 --calls 1
 * expect: exhausted=true failures=0 branches.unknown=0
 */
static const char *s;
static int bad;

static int sum(void);

static int primary(void)
{
	int n = 0;

	if (*s == '(') {
		s++;
		n = sum();
		if (*s != ')')
			bad = 1;
		else
			s++;
		return n;
	}
	if (*s < '0' || *s > '9') {
		bad = 1;
		return 0;
	}
	while (*s >= '0' && *s <= '9')
		n = n * 10 + (*s++ - '0');
	return n;
}

static int product(void)
{
	int n = primary(), m;

	while (!bad && (*s == '*' || *s == '/')) {
		if (*s++ == '*') {
			n *= primary();
		} else {
			m = primary();
			if (m == 0)
				bad = 2;
			else
				n /= m;
		}
	}
	return n;
}

static int sum(void)
{
	int n = product();

	while (!bad && (*s == '+' || *s == '-')) {
		if (*s++ == '+')
			n += product();
		else
			n -= product();
	}
	return n;
}

int evaluate(const char *text)
{
	int n;

	s = text;
	bad = 0;
	n = sum();
	if (bad == 0 && *s != '\0')
		bad = 1;
	return bad ? -bad : n;
}
