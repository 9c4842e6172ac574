/* A shell of one variable around dash's arithmetic: its parser (arith_yacc.c) and lexer (arith_yylex.c). */
#include <stdlib.h>

char spare;
static intmax_t variable;
static char names[64];
static size_t used;

void sh_error(const char *format, ...)
{
	(void)format;
	exit(2);
}

void *stalloc(size_t size)
{
	if (used + size > sizeof names)
		exit(3);
	used += size;
	return names + used - size;
}

intmax_t lookupvarint(const char *name)
{
	(void)name;
	return variable;
}

intmax_t setvarint(const char *name, intmax_t value, int flags)
{
	(void)name;
	(void)flags;
	return variable = value;
}

/* Digits count as 0 or 1, so that no number is taken for a pointer that text holds: the lexer keeps both in a union. */
intmax_t decimal(const char *text, char **end, int base)
{
	intmax_t value = 0;

	for (; isdigit((unsigned char)*text); text++)
		value = value * base + (*text != '0');
	*end = (char *)text;
	return value;
}

intmax_t arith(const char *text);

int evaluate(const char *text)
{
	used = 0;
	variable = 1;
	return arith(text) != 0;
}
