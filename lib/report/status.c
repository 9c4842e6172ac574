/* status: is the exit status of a program the result of its main? It is undefined where main may
 * return without a value: `void main`, `return;`, and in C89 the end of its body. Determined from
 * the source text. */
#include "lib/report/lines.h"
#include "lib/report/tests.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

bool tests_old(const struct session_tests *s)
{
	static const char *const names[] = { "-ansi", "-std=c89", "-std=c90", "-std=iso9899:199",
		"-std=gnu89", "-std=gnu90" };
	bool old = false;

	for (size_t i = 0; s->v->flag[i]; i++) {
		old = old && strncmp(s->v->flag[i], "-std=", 5);
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			old |= !strncmp(s->v->flag[i], names[k], strlen(names[k]));
	}
	return old;
}

/* Overwrites comments, strings and character constants by blanks. */
static void blank(char *s)
{
	while (*s) {
		size_t n = 1;
		if (s[0] == '/' && s[1] == '*')
			n = strstr(s + 2, "*/") ? (size_t)(strstr(s + 2, "*/") + 2 - s) : strlen(s);
		else if (s[0] == '/' && s[1] == '/')
			n = strcspn(s, "\n");
		else if (*s == '"' || *s == '\'')
			for (char quote = *s; s[n] && s[n++] != quote;)
				n += s[n - 1] == '\\' && s[n];
		if (n > 1 || *s == '"' || *s == '\'')
			memset(s, ' ', n);
		s += n;
	}
}

static bool is_word(const char *text, const char *at, size_t n)
{
	return (at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_'))
	    && !isalnum((unsigned char)at[n]) && at[n] != '_';
}

/* The text behind the parenthesis that closes the one at `open`, without blanks. */
static const char *behind(const char *open)
{
	int depth = 0;
	do {
		depth += (*open == '(') - (*open == ')');
		open += *open != 0;
	} while (depth && *open);
	return open + strspn(open, " \t\n");
}

/* Extracts the body of main in place, of an old definition too, whose parameters are declared in
 * front of it; NULL: not found. */
static char *body_of_main(char *text)
{
	for (char *at = text; (at = strstr(at, "main")); at++) {
		char *open = at + 4 + strspn(at + 4, " \t\n"), *begin;
		int depth = 0;
		if (!is_word(text, at, 4) || *open != '(' || !(begin = strchr(open, '{'))
		    || strchr(";,)=", *behind(open)))
			continue;
		for (char *end = begin; *end; end++) {
			depth += (*end == '{') - (*end == '}');
			if (!depth) {
				*end = 0;
				return begin + 1;
			}
		}
	}
	return NULL;
}

static bool returns_nothing(const char *body)
{
	for (const char *at = body; (at = strstr(at, "return")); at++)
		if (is_word(body, at, 6) && at[6 + strspn(at + 6, " \t\n")] == ';')
			return true;
	return false;
}

/* Is the last statement a return or a call that does not return? */
static bool ends_well(char *body)
{
	static const char *const words[] = { "return", "exit", "_exit", "_Exit", "abort" };
	size_t n = strlen(body);
	char *last;

	while (n && isspace((unsigned char)body[n - 1]))
		n--;
	if (!n || body[n - 1] != ';')
		return false;
	body[n - 1] = 0;
	for (last = body + n - 1; last > body && !strchr(";{}:", last[-1]); last--)
		;
	last += strspn(last, " \t\n");
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strncmp(last, words[i], strlen(words[i]))
		    && is_word(last, last, strlen(words[i])))
			return true;
	return false;
}

static char *source_text(const struct session_tests *s)
{
	FILE *f = source_open(s->v, s->v->file[s->entry]);
	char *text = NULL;
	size_t room = 0;

	if (f && getdelim(&text, &room, 0, f) < 0) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

bool tests_main_returns(const struct session_tests *s)
{
	const struct harness_plan *p = s->plan;
	char *text, *body;
	bool does = true;

	for (size_t i = 0; i < p->n; i++)
		if (p->step[i].kind == HARNESS_MAIN && strncmp(p->step[i].type, "int ", 4))
			return false;
	if (!(text = source_text(s)))
		return !tests_old(s);
	blank(text);
	body = body_of_main(text);
	if (body)
		does = !returns_nothing(body) && (!tests_old(s) || ends_well(body));
	free(text);
	return does;
}
