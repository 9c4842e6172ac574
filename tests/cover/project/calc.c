#include "lex.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static struct lexer l;
static enum token token;
static int wrong;

static long sum(void);

static long factor(void)
{
	long v = l.value;

	if (token == MINUS) {
		token = lex_next(&l);
		return -factor();
	}
	if (token == OPEN) {
		token = lex_next(&l);
		v = sum();
		if (token != CLOSE)
			wrong = 1;
	} else if (token != NUMBER) {
		wrong = 1;
		return 0;
	}
	token = lex_next(&l);
	return v;
}

static long product(void)
{
	long v = factor();

	while (token == TIMES && !wrong) {
		token = lex_next(&l);
		v *= factor();
	}
	return v;
}

static long sum(void)
{
	long v = product();

	while ((token == PLUS || token == MINUS) && !wrong) {
		enum token op = token;
		token = lex_next(&l);
		v = op == PLUS ? v + product() : v - product();
	}
	return v;
}

static int calculate(const char *text)
{
	long v;

	l.at = text;
	token = lex_next(&l);
	v = sum();
	if (wrong || token != END) {
		printf("wrong\n");
		return 1;
	}
	printf("%ld\n", v);
	return 0;
}

/* Each further argument is a process's. */
int main(int argc, char **argv)
{
	int status = 0, worst = 0;

	if (argc < 2)
		return 2;
	if (!strcmp(argv[1], "--crash"))
		abort();
	for (int i = 2; i < argc; i++)
		if (fork() == 0)
			exit(calculate(argv[i]));
	while (wait(&status) > 0)
		if (WEXITSTATUS(status) > worst)
			worst = WEXITSTATUS(status);
	return calculate(argv[1]) | worst;
}
