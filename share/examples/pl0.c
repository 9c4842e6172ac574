/* A recursive descent parser of PL/0, after the subject of Majumdar and Sen (LATEST),
 * Section 5.3 and Table 3. At most TOKENS tokens are read.
 *
 *	program   = block "."
 *	block     = [ "const" ident "=" number { "," ident "=" number } ";" ]
 *	            [ "var" ident { "," ident } ";" ]
 *	            { "procedure" ident ";" block ";" } statement
 *	statement = [ ident ":=" expression | "call" ident
 *	            | "begin" statement { ";" statement } "end"
 *	            | "if" condition "then" statement
 *	            | "while" condition "do" statement ]
 *	condition = "odd" expression
 *	            | expression ("=" | "#" | "<" | "<=" | ">" | ">=") expression
 *	expression = [ "+" | "-" ] term { ("+" | "-") term }
 *	term      = factor { ("*" | "/") factor }
 *	factor    = ident | number | "(" expression ")"
 *
 * parse returns 0 for a program, 1 for an error of syntax, 2 when it is too long.
 *
 * duct: concolic --entry parse --search dfs --string text=2 --calls 1 -- -DTOKENS=7
 * expect: exhausted=true failures=0 branches.unknown=0
 */
#ifndef TOKENS
#define TOKENS 7
#endif

enum token {
	END, BAD, IDENT, NUMBER,
	CONST, VAR, PROCEDURE, CALL, BEGIN, ENDSYM, IF, THEN, WHILE, DO, ODD,
	PERIOD, COMMA, SEMICOLON, BECOMES, EQUAL, HASH, LESS, ATMOST, MORE, ATLEAST,
	PLUS, MINUS, TIMES, OVER, OPEN, CLOSE
};

static const struct keyword {
	const char *text;
	enum token token;
} keywords[] = {
	{ "const", CONST }, { "var", VAR }, { "procedure", PROCEDURE }, { "call", CALL },
	{ "begin", BEGIN }, { "end", ENDSYM }, { "if", IF }, { "then", THEN },
	{ "while", WHILE }, { "do", DO }, { "odd", ODD },
};

#define KEYWORDS (sizeof keywords / sizeof *keywords)
#define WORD 16

static const char *input;
static enum token look;
static int tokens, error;

static int compare(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return *a - *b;
}

static int is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static int is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static enum token word(void)
{
	char text[WORD];
	unsigned n = 0, i;

	while (is_letter(*input) || is_digit(*input)) {
		if (n < WORD - 1)
			text[n++] = *input;
		input++;
	}
	text[n] = '\0';
	for (i = 0; i < KEYWORDS; i++) {
		if (compare(text, keywords[i].text) == 0)
			return keywords[i].token;
	}
	return IDENT;
}

static enum token follow(char c, enum token with, enum token without)
{
	input++;
	if (*input != c)
		return without;
	input++;
	return with;
}

static enum token symbol(void)
{
	switch (*input) {
	case '\0': return END;
	case ':': return follow('=', BECOMES, BAD);
	case '<': return follow('=', ATMOST, LESS);
	case '>': return follow('=', ATLEAST, MORE);
	}
	switch (*input++) {
	case '.': return PERIOD;
	case ',': return COMMA;
	case ';': return SEMICOLON;
	case '=': return EQUAL;
	case '#': return HASH;
	case '+': return PLUS;
	case '-': return MINUS;
	case '*': return TIMES;
	case '/': return OVER;
	case '(': return OPEN;
	case ')': return CLOSE;
	default: return BAD;
	}
}

static enum token lex(void)
{
	while (*input == ' ' || *input == '\n')
		input++;
	if (is_letter(*input))
		return word();
	if (is_digit(*input)) {
		while (is_digit(*input))
			input++;
		return NUMBER;
	}
	return symbol();
}

static void next(void)
{
	if (++tokens > TOKENS && error == 0)
		error = 2;
	look = error ? END : lex();
}

static int accept(enum token t)
{
	if (error || look != t)
		return 0;
	next();
	return 1;
}

static void expect(enum token t)
{
	if (!accept(t) && error == 0)
		error = 1;
}

static void expression(void);
static void statement(void);

static void factor(void)
{
	if (accept(IDENT) || accept(NUMBER))
		return;
	expect(OPEN);
	if (error)
		return;
	expression();
	expect(CLOSE);
}

static void term(void)
{
	factor();
	while (accept(TIMES) || accept(OVER))
		factor();
}

static void expression(void)
{
	if (!accept(PLUS))
		accept(MINUS);
	term();
	while (accept(PLUS) || accept(MINUS))
		term();
}

static void condition(void)
{
	if (accept(ODD)) {
		expression();
		return;
	}
	expression();
	if (accept(EQUAL) || accept(HASH) || accept(LESS) || accept(ATMOST) || accept(MORE) ||
	    accept(ATLEAST))
		expression();
	else if (error == 0)
		error = 1;
}

static void statement(void)
{
	if (accept(IDENT)) {
		expect(BECOMES);
		expression();
	} else if (accept(CALL)) {
		expect(IDENT);
	} else if (accept(BEGIN)) {
		do
			statement();
		while (accept(SEMICOLON));
		expect(ENDSYM);
	} else if (accept(IF)) {
		condition();
		expect(THEN);
		statement();
	} else if (accept(WHILE)) {
		condition();
		expect(DO);
		statement();
	}
}

static void block(void)
{
	if (accept(CONST)) {
		do {
			expect(IDENT);
			expect(EQUAL);
			expect(NUMBER);
		} while (accept(COMMA));
		expect(SEMICOLON);
	}
	if (accept(VAR)) {
		do
			expect(IDENT);
		while (accept(COMMA));
		expect(SEMICOLON);
	}
	while (accept(PROCEDURE)) {
		expect(IDENT);
		expect(SEMICOLON);
		block();
		expect(SEMICOLON);
	}
	statement();
}

int parse(const char *text)
{
	input = text;
	tokens = error = 0;
	next();
	block();
	expect(PERIOD);
	if (error == 0 && look != END)
		error = 1;
	return error;
}
