#include "lex.h"
#include <ctype.h>

enum token lex_next(struct lexer *l)
{
	while (*l->at == ' ' || *l->at == '\t')
		l->at++;
	if (isdigit((unsigned char)*l->at)) {
		for (l->value = 0; isdigit((unsigned char)*l->at); l->at++)
			l->value = l->value * 10 + *l->at - '0';
		return NUMBER;
	}
	switch (*l->at) {
	case 0: return END;
	case '+': l->at++; return PLUS;
	case '-': l->at++; return MINUS;
	case '*': l->at++; return TIMES;
	case '(': l->at++; return OPEN;
	case ')': l->at++; return CLOSE;
	default: return WRONG;
	}
}
