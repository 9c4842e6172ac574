/* A calculator for numbers and + - * / %, after the subject of Majumdar and Sen (LATEST),
 * Section 5.2 and Table 2. At most OPS operations are read.
 *
 *	line    = sum end
 *	sum     = product { ("+" | "-") product }
 *	product = number { ("*" | "/" | "%") number }
 *
 * A text is valid when it has no syntax error; a division by zero is valid, and reported.
 * The lexer works on characters; parse sees token kinds only.
 *
 * duct: concolic --entry calculate --search dfs --string text=3 --calls 1 -- -DOPS=1
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#ifndef OPS
#define OPS 2
#endif

enum token { END, NUMBER, PLUS, MINUS, TIMES, OVER, MODULO, BAD };
enum status { VALID, SYNTAX, ZERO, LONG };

static const char *input;
static unsigned value;
static enum token look;
static enum status status;
static int operations;

static int is_space(char c)
{
	return c == ' ' || c == '\t';
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static enum token lex(void)
{
	while (is_space(*input))
		input++;
	if (is_digit(*input)) {
		value = 0;
		while (is_digit(*input)) {
			value = value * 10 + (unsigned)(*input - '0');
			input++;
		}
		return NUMBER;
	}
	switch (*input) {
	case '\0':
		return END;
	case '+':
		input++;
		return PLUS;
	case '-':
		input++;
		return MINUS;
	case '*':
		input++;
		return TIMES;
	case '/':
		input++;
		return OVER;
	case '%':
		input++;
		return MODULO;
	default:
		return BAD;
	}
}

static void fail(enum status why)
{
	if (status == VALID)
		status = why;
}

/* Takes the operator under the look-ahead, but no more than OPS of them. */
static enum token operator(void)
{
	enum token op = look;

	if (operations++ < OPS)
		look = lex();
	else
		fail(LONG);
	return op;
}

static unsigned number(void)
{
	unsigned n = value;

	if (look != NUMBER) {
		fail(SYNTAX);
		return 0;
	}
	look = lex();
	return n;
}

static unsigned product(void)
{
	unsigned left = number();

	while (status == VALID && (look == TIMES || look == OVER || look == MODULO)) {
		enum token op = operator();
		unsigned right = number();

		if (op == TIMES)
			left *= right;
		else if (right == 0)
			fail(ZERO);
		else if (op == OVER)
			left /= right;
		else
			left %= right;
	}
	return left;
}

static unsigned sum(void)
{
	unsigned left = product();

	while (status == VALID && (look == PLUS || look == MINUS)) {
		enum token op = operator();
		unsigned right = product();

		if (op == PLUS)
			left += right;
		else
			left -= right;
	}
	return left;
}

unsigned result;

int calculate(const char *text)
{
	input = text;
	status = VALID;
	operations = 0;
	look = lex();
	result = sum();
	if (status == VALID && look != END)
		fail(SYNTAX);
	return status;
}
