/* A scanner and a parser of an expression language into a tree on the heap, which is computed and freed. */
#include "tests/bench/concrete/work.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum kind { END, NUMBER, NAME, OPERATOR };

struct token { enum kind kind; unsigned value; char text[16]; };
struct scanner { const char *at; struct token token; };
struct tree { char op; unsigned value; struct tree *left, *right; };

static unsigned variable[26];

static void next(struct scanner *s)
{
	struct token *t = &s->token;
	unsigned n = 0;

	while (isspace((unsigned char)*s->at))
		s->at++;
	t->value = 0;
	if (!*s->at) {
		t->kind = END;
	} else if (isdigit((unsigned char)*s->at)) {
		t->kind = NUMBER;
		while (isdigit((unsigned char)*s->at))
			t->value = t->value * 10 + (unsigned)(*s->at++ - '0');
	} else if (isalpha((unsigned char)*s->at)) {
		t->kind = NAME;
		while (isalnum((unsigned char)*s->at) && n < sizeof t->text - 1)
			t->text[n++] = *s->at++;
	} else {
		t->kind = OPERATOR;
		t->text[n++] = *s->at++;
	}
	t->text[n] = 0;
}

static struct tree *node(char op, unsigned value, struct tree *left, struct tree *right)
{
	struct tree *t = malloc(sizeof *t);

	if (!t)
		exit(1);
	t->op = op;
	t->value = value;
	t->left = left;
	t->right = right;
	return t;
}

static int is(const struct scanner *s, char op)
{
	return s->token.kind == OPERATOR && s->token.text[0] == op;
}

static struct tree *sum(struct scanner *s);

static struct tree *factor(struct scanner *s)
{
	struct tree *t = NULL;

	if (s->token.kind == NUMBER) {
		t = node('n', s->token.value, NULL, NULL);
	} else if (s->token.kind == NAME) {
		t = node('v', (unsigned)(tolower((unsigned char)s->token.text[0]) - 'a') % 26, NULL, NULL);
	} else if (is(s, '-')) {
		next(s);
		return node('~', 0, factor(s), NULL);
	} else if (is(s, '(')) {
		next(s);
		t = sum(s);
	}
	next(s);
	return t ? t : node('n', 0, NULL, NULL);
}

static struct tree *product(struct scanner *s)
{
	struct tree *t = factor(s);

	while (is(s, '*') || is(s, '/')) {
		char op = s->token.text[0];

		next(s);
		t = node(op, 0, t, factor(s));
	}
	return t;
}

static struct tree *sum(struct scanner *s)
{
	struct tree *t = product(s);

	while (is(s, '+') || is(s, '-')) {
		char op = s->token.text[0];

		next(s);
		t = node(op, 0, t, product(s));
	}
	return t;
}

static unsigned compute(const struct tree *t)
{
	unsigned a, b;

	if (t->op == 'n')
		return t->value;
	if (t->op == 'v')
		return variable[t->value];
	a = compute(t->left);
	if (t->op == '~')
		return -a;
	b = compute(t->right);
	switch (t->op) {
	case '+': return a + b;
	case '-': return a - b;
	case '*': return a * b;
	default: return b ? a / b : 0;
	}
}

static void drop(struct tree *t)
{
	if (!t)
		return;
	drop(t->left);
	drop(t->right);
	free(t);
}

static unsigned make(char *text, unsigned room)
{
	static const char *const parts[] = { "12", "rate", "(7 + count)", " 40000 ", "-x", "(a*(b - 3))", "size2", "9/z" };
	unsigned x = 5, n = 0;

	while (n + 32 < room) {
		const char *part = parts[(x = x * 1664525 + 1013904223) >> 29];

		while (*part)
			text[n++] = *part++;
		text[n++] = ' ';
		text[n++] = "+-*/"[x >> 20 & 3];
	}
	text[n++] = '1';
	text[n] = 0;
	return n;
}

unsigned work(void)
{
	static char text[4096];
	unsigned result = 0;

	make(text, sizeof text);
	for (unsigned round = 0; round < 3000; round++) {
		struct scanner s = { text, { END, 0, "" } };
		struct tree *t;

		variable[round % 26] = round;
		next(&s);
		t = sum(&s);
		result = result * 31 + compute(t);
		drop(t);
	}
	return result;
}
