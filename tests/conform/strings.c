/* options: --string s=5 (limits: faults string locale) */
/* The string functions and ctype; each mark a path of its own, chosen by y. */
#include "tests/conform/conform.h"
#include <ctype.h>
#include <wchar.h>

#define WHEN(n, e) do { if (in.y == n) MARK(n, e); } while (0)
#define UNLESS(n, e) do { if (in.y == n) NEVER(n, e); } while (0)

/* rule: strlen, strcmp, strncmp, memcmp */
static int compared(struct in in)
{
	WHEN(1, strcmp(in.s, "exact") == 0);
	WHEN(2, strlen(in.s) == 5 && strncmp(in.s + 2, "mid", 3) == 0);
	WHEN(3, memcmp(&in.x, "\1\2\3\4\5\6\7", 8) == 0);
	WHEN(4, strcmp(in.s, "b") > 0 && strcmp(in.s, "bb") < 0 && in.s[1]);
	WHEN(5, strcasecmp(in.s, "AbC") == 0 && in.s[0] == 'a' && in.s[1] == 'B');
	UNLESS(6, strlen(in.s) > 5);
	UNLESS(7, strcmp(in.s, "aa") == 0 && in.s[1] != 'a');
	return 0;
}

/* rule: strchr, strrchr, strstr, strpbrk */
static int searched(struct in in)
{
	char *a, *z, *sub, *any;

	WHEN(11, (a = strchr(in.s, 'a')) && (z = strrchr(in.s, 'z')) && z - a == 3 && in.s[0] == 'z');
	WHEN(12, (sub = strstr(in.s, "key")) && sub - in.s == 1 && sub[3] == '=');
	WHEN(13, (any = strpbrk(in.s, ";:")) && *any == ':' && any[1] == ';');
	UNLESS(14, (a = strchr(in.s, 'a')) && *a != 'a');
	UNLESS(15, (z = strrchr(in.s, 'z')) && strchr(z + 1, 'z'));
	return 0;
}

/* rule: strspn, strcspn, memchr */
static int spans(struct in in)
{
	char *p;

	WHEN(21, strspn(in.s, "01") == 4 && in.s[4] == 'b' && in.s[0] == '1');
	WHEN(22, strcspn(in.s, ",") == 3 && in.s[2] == 'q');
	WHEN(23, (p = memchr(&in.x, 'M', 8)) && p - (char *)&in.x == 6);
	UNLESS(24, strcspn(in.s, "ab") > strlen(in.s));
	return 0;
}

/* rule: strcpy, strcat, strncpy, stpcpy, strdup, memset */
static int built(struct in in)
{
	char b[32], *d, *e;

	strcpy(b, "<");
	if (in.y <= 32) {
		strcat(b, in.s);
		strncat(b, "/>...", 2);
		WHEN(31, strcmp(b, "<br/>") == 0);
		UNLESS(32, b[0] != '<');
		return 0;
	}
	memset(b, '#', 8);
	strncpy(b, in.s, 4);
	WHEN(33, b[2] == 'o' && b[3] == '\0' && b[4] == '#');
	WHEN(34, memcmp(b, "abcd#", 5) == 0 && in.s[4] == 0);
	UNLESS(35, b[4] != '#');
	d = strdup(in.s);
	if (!d)
		return 0;
	e = stpcpy(b, d);
	free(d);
	WHEN(36, e - b == 3 && b[0] == b[2] && b[1] == 'o' && b[0] == 'w');
	UNLESS(37, *e);
	return 0;
}

/* rule: strtok */
static int tokens(struct in in)
{
	char *a = strtok(in.s, ","), *b = a ? strtok(NULL, ",") : NULL;

	MARK(61, a && b && strcmp(a, "no") == 0 && strcmp(b, "go") == 0);
	NEVER(62, a && !*a);
	return 0;
}

/* rule: ctype */
static int classes(struct in in)
{
	unsigned char c = (unsigned char)in.x;

	WHEN(71, isalpha(c) && !isupper(c) && toupper(c) == 'Q');
	WHEN(72, isxdigit(c) && isdigit(in.s[0]) && tolower(c) == 'f' && c != 'f');
	WHEN(73, ispunct(c) && c > 'z' && isspace(in.s[0]) && in.s[0] != ' ');
	WHEN(74, iscntrl(c) && c > 100);
	WHEN(75, !isprint(c) && isspace(c) && c == 11);
	WHEN(76, isblank(c) && !isgraph(c) && c != '\t');
	UNLESS(77, isalnum(c) && ispunct(c));
	UNLESS(78, toupper(c) == tolower(c) && isalpha(c));
	return 0;
}

/* rule: wide characters */
static int wide_text(struct in in)
{
	wchar_t w[4] = L"a\u00e9z";

	w[0] = (wchar_t)in.x;
	MARK(121, w[0] == L'\u20ac' && w[1] == 0xe9);
	w[2] = w[0] + 1;
	MARK(122, w[2] == L'Z' && (in.x >> 32) == 3);
	NEVER(124, sizeof w[0] == 4 && w[2] != w[0] + 1);
	return 0;
}

/* rule: wcslen */
static int wide_length(struct in in)
{
	wchar_t w[3] = { 'a', (wchar_t)in.x, 0 };

	MARK(131, wcslen(w) == 1);
	return 0;
}

RULES(compared, searched, spans, built, tokens, classes, wide_text, wide_length)
