/* options: --string s=4 (limits: string) */
/* The rest of the C library on inputs; each mark a path of its own, chosen by y. */
#include "tests/conform/conform.h"
#include <ctype.h>

#define WHEN(n, e) do { if (in.y == n) MARK(n, e); } while (0)
#define UNLESS(n, e) do { if (in.y == n) NEVER(n, e); } while (0)

/* rule: strtol, strtoul, atoi */
static int numbers(struct in in)
{
	char *end;

	WHEN(1, strtol(in.s, &end, 0) == 0xf && end - in.s == 3 && in.s[1] == 'x' && *end == '!');
	WHEN(2, strtol(in.s, NULL, 0) == -7 && in.s[1] == '0');
	WHEN(3, strtol(in.s, &end, 10) == 0 && end == in.s && in.s[0] == ' ' && in.s[1] == '-');
	WHEN(4, strtoul(in.s, &end, 36) == 46655 && !*end);
	WHEN(5, atoi(in.s) == -12 && in.s[0] == '-');
	WHEN(6, strtol(in.s, NULL, 2) == 5 && in.s[0] == '0');
	UNLESS(7, atoi(in.s) > 9999);
	return 0;
}

/* rule: qsort and bsearch with callbacks */
struct entry { short key; char name; };

static int by_key(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

static int sorted(struct in in)
{
	struct entry e[3] = { { (short)in.x, 'a' }, { 50, 'b' }, { (short)in.y, 'c' } }, key = { 77, 0 }, *found;

	qsort(e, 3, sizeof *e, by_key);
	MARK(11, e[0].name == 'c' && e[1].name == 'a' && e[1].key == 49);
	found = bsearch(&key, e, 3, sizeof *e, by_key);
	MARK(12, found && found - e == 2 && found->name == 'a' && e[0].name == 'c');
	NEVER(13, e[0].key > e[1].key || e[1].key > e[2].key);
	return 0;
}

/* rule: snprintf, read again */
static int printed(struct in in)
{
	char b[40];
	int n;

	WHEN(21, snprintf(b, sizeof b, "%d", (int)in.x) && strcmp(b, "-42") == 0);
	WHEN(22, snprintf(b, sizeof b, "<%s>", in.s) == 5 && b[1] == 'o' && b[3] == 'k');
	WHEN(23, snprintf(b, sizeof b, "%c%c", (char)in.x, (char)(in.x >> 8)) == 2 && strcmp(b, "!?") == 0);
	WHEN(24, snprintf(b, 3, "%s", in.s) == 4 && b[1] == 'k' && b[2] == 0);
	return 0;
}

/* rule: sprintf: hexadecimal, widths, precision */
static int formatted(struct in in)
{
	char b[64];

	WHEN(31, sprintf(b, "%03x|", (unsigned)in.x & 0xff) == 4 && strcmp(b, "05b|") == 0);
	WHEN(32, sprintf(b, "%4d|%-3u|", (int)in.x & 0x1f, 5u) == 9 && b[2] == '2' && b[3] == '7');
	WHEN(33, sprintf(b, "%.2s%%", in.s) == 3 && b[0] == 'q' && b[1] == 'r');
	return 0;
}

/* rule: sscanf */
static int scanned(struct in in)
{
	int a = 0, b = 0;
	char c = 0, w[8] = "";

	WHEN(41, sscanf(in.s, "%d,%d", &a, &b) == 2 && a == 12 && b == 3);
	WHEN(42, sscanf(in.s, "%x%c", (unsigned *)&a, &c) == 2 && a == 0xfad && c == 'u');
	WHEN(43, sscanf(in.s, "%2[a-c]%d", w, &a) == 2 && strcmp(w, "cb") == 0 && a == 9);
	UNLESS(44, sscanf(in.s, "%2d", &a) == 1 && a > 99);
	return 0;
}

/* rule: the program's own function is not a model's */
long atol(const char *s) { return s[0] + 1000; }

static int own(struct in in)
{
	WHEN(51, atol(in.s) == 1000 + '7' && in.s[1] == '3');
	WHEN(52, abs((int)in.x) == 77 && in.x < 0);
	WHEN(53, labs(in.x) == 0x100000001 && in.x < 0);
	UNLESS(54, atol(in.s) < 800);
	return 0;
}

RULES(numbers, sorted, printed, formatted, scanned, own)
