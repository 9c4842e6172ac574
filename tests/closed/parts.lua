-- Parts of generated functions: parameters, declarations of the file, lines of the body, what the driver passes and what it
-- does before each call. In text, $N is the number of the part, $B, $C, $D and $K are drawn numbers, $W a word, $L a letter.
--   parts.list           { parameter =, pass =, size =, declare =, needs = "type ...", body =, before = }
--   parts.types          declarations of the types that parts need, by name, in the order of parts.order
--   parts.driver         what every driver has; parts.builders: what it has for a type
local parts = { list = {} }

local function part(p)
	parts.list[#parts.list + 1] = p
end

-- strings
part { parameter = "const char *s$N", pass = "text(3 * $B, \"$W\")", body = [[
	if (strlen(s$N) > $B)
		r += 1;]] }
part { parameter = "const char *s$N", pass = "maybe(text(3 * $B, \"$W\"))", body = [[
	if (!s$N)
		return -1;
	if (strcmp(s$N, "$W") == 0)
		r += 2;]] }
part { parameter = "const char *s$N", pass = "text(4 * $B + 4, \"$W\")", declare = "", body = [[
	n = 0;
	for (int i = 0; s$N[i]; i++) {
		if (s$N[i] == '$L')
			n++;
	}
	if (n > $C)
		r += 4;]] }
part { parameter = "char *s$N", pass = "text(5 * $C + 5, \"$W\")", body = [[
	n = 0;
	for (char *w = strtok(s$N, "$L"); w; w = strtok(0, "$L"))
		n++;
	if (n > $C)
		r += 8;]] }
-- arrays
part { parameter = "const int *a$N, int n$N", pass = "numbers(90, $K), $S", size = "below(3 * $B + 1)", body = [[
	n = 0;
	for (int i = 0; i < n$N; i++)
		n += a$N[i] == $K;
	if (n > $C)
		r += 16;
	if (n$N > $B)
		r += 32;]] }
part { parameter = "const int *a$N, unsigned n$N", pass = "numbers(90, $K), $S", size = "below(3 * $B + 1)", body = [[
	for (unsigned i = 0; i + 1 < n$N; i++) {
		if (a$N[i] == $K && a$N[i + 1] == $K)
			return i > $C ? 1 : 2;
	}
	if (n$N > 0 && a$N[n$N - 1] == $K)
		r += 64;]] }
part { parameter = "const void *b$N, size_t n$N", pass = "numbers(90, $K), $S", size = "(size_t)below(16)", declare = [[
struct head$N { int kind; short length; unsigned char rest[10]; };]], body = [[
	if (n$N >= sizeof(struct head$N)) {
		struct head$N h;

		memcpy(&h, b$N, sizeof h);
		if (h.kind == $K)
			r += 3;
	}]], }
-- lists and trees
part { parameter = "struct node *l$N", pass = "list(3 * $D, $K)", needs = "node", body = [[
	n = 0;
	for (struct node *p = l$N; p; p = p->next)
		n++;
	if (n > $D)
		r += 5;
	if (n == 0)
		r += 6;]] }
part { parameter = "struct node *l$N, int **o$N", pass = "list(3 * $D, $K), maybe_out()", needs = "node", body = [[
	for (struct node *p = l$N; p; p = p->next) {
		if (p->v == $K) {
			if (o$N)
				*o$N = &p->v;
			r += 7;
			break;
		}
	}]] }
part { parameter = "struct node *l$N", pass = "ring(2 * $D)", needs = "node", body = [[
	struct node *slow$N = l$N, *fast$N = l$N;

	while (fast$N && fast$N->next) {
		slow$N = slow$N->next;
		fast$N = fast$N->next->next;
		if (slow$N == fast$N)
			return 9;
	}]] }
part { parameter = "struct tree *t$N", pass = "tree(2 * $D)", needs = "tree", body = [[
	if (depth(t$N) > $D)
		r += 10;
	if (t$N && t$N->left && t$N->left == t$N->right)
		r += 11;]] }
-- aliasing
part { parameter = "int *p$N, int *q$N", pass = "cell(0), cell(1)", body = [[
	*p$N = $K;
	*q$N = $K + 1;
	if (*p$N != $K)
		r += 12;]] }
part { parameter = "int *p$N, struct pair *q$N", pass = "cell(0), (struct pair *)cell(0)", declare = "", needs = "pair", body = [[
	q$N->b = 0;
	*p$N = $K;
	if (q$N->b == $K)
		r += 13;]] }
-- state
part { parameter = "int x$N", pass = "below(20)", declare = "static int calls$N;", body = [[
	calls$N++;
	if (calls$N > $C)
		r += 14;
	if (x$N == $K)
		r += 15;]] }
part { parameter = "int x$N", pass = "below(8)", declare = "static int mode$N = 1;", body = [[
	if (mode$N == 3)
		r += 17;
	if (x$N == mode$N)
		mode$N++;]] }
part { parameter = "int x$N", pass = "below(12)", declare = "static int last$N, stack$N[8], top$N;", body = [[
	if (x$N > 5 && top$N < 8)
		stack$N[top$N++] = x$N;
	else if (top$N > 0 && x$N == stack$N[top$N - 1])
		top$N--;
	if (top$N == 4)
		r += 18;
	last$N = x$N;]] }
-- hidden state, environment
part { parameter = "unsigned x$N", pass = "(unsigned)below(9)", body = [[
	srand(x$N);
	if (rand() % $D == 1)
		r += 19;]] }
part { parameter = "int x$N", pass = "below(9)", body = [[
	if (rand() % 3 == x$N)
		r += 20;]] }
part { parameter = "int x$N", pass = "below(9)", body = [[
	const char *e$N = getenv("GEN_$N");

	if (e$N && atoi(e$N) > $B)
		r += 21;
	if (e$N && !*e$N)
		r += 22;]], before = [[
	if (below(2))
		setenv("GEN_$N", below(3) ? number(3 * $B) : "", 1);]] }
part { parameter = "long x$N", pass = "below(3)", body = [[
	if (time(0) > x$N)
		r += 23;]] }
-- callbacks
part { parameter = "int (*f$N)(int)", pass = "callback()", body = [[
	if (!f$N)
		return -2;
	if (f$N($K) > $B)
		r += 24;
	if (f$N(1) != f$N(1))
		r += 25;]] }
-- faults, arithmetic, uninitialised values
part { parameter = "int x$N, int y$N", pass = "below(9), below(9)", body = [[
	n = $K / (x$N - $C % 9);
	if (n == $K)
		r += 26;
	if (y$N % 5 == 3)
		r += 27;]] }
part { parameter = "int x$N", pass = "below(6)", body = [[
	int u$N[4];

	if (x$N < 4)
		u$N[x$N] = $K;
	if (u$N[$D % 4] == $K)
		r += 28;]] }
part { parameter = "unsigned x$N", pass = "(unsigned)(below(4000) * 4093)", body = [[
	for (n = 0; x$N; x$N >>= 1)
		n += x$N & 1;
	if (n > $D)
		r += 29;]] }

-- arrays of pointers, structures that lead to others
part { parameter = "char **v$N, int n$N", pass = "texts(3 * $C, \"$W\"), $S", size = "below(3 * $C + 1)", needs = "texts", body = [[
	for (int i = 0; i < n$N; i++) {
		if (v$N[i] && strcmp(v$N[i], "$W") == 0) {
			if (i > $C)
				r += 30;
			break;
		}
	}]] }
part { parameter = "const char *const *v$N", pass = "(const char *const *)texts(3 * $C, \"$W\")", needs = "texts", body = [[
	for (n = 0; v$N[n]; n++)
		;
	if (n > $C)
		r += 31;]] }
part { parameter = "const struct vector *v$N", pass = "vector(3 * $B, $K)", needs = "vector", body = [[
	if (!v$N || v$N->n <= 0)
		return -3;
	n = 0;
	for (int i = 0; i < v$N->n; i++) {
		if (v$N->a[i] == $K)
			n++;
	}
	if (n > $C)
		r += 32;
	if (v$N->a[v$N->n - 1] == $K)
		r += 33;]] }
part { parameter = "int **m$N, int rows$N, int columns$N", pass = "rows(3 * $C, 12, $K), below(3 * $C), below(12)", needs = "rows",
	body = [[
	n = 0;
	for (int i = 0; i < rows$N; i++) {
		for (int j = 0; j < columns$N; j++) {
			if (m$N[i][j] == $K)
				n++;
		}
	}
	if (n > $C)
		r += 34;]] }
part { parameter = "struct outer *o$N", pass = "outer(3 * $D, 3 * $B, \"$W\")", needs = "outer", body = [[
	n = 0;
	for (struct outer *p = o$N; p; p = p->up) {
		if (p->in && p->in->name && strlen(p->in->name) > $B)
			r += 35;
		n++;
	}
	if (n > $D)
		r += 36;]] }
part { parameter = "struct twin *d$N", pass = "twins(2 * $D)", needs = "twin", body = [[
	n = 0;
	for (struct twin *p = d$N; p; p = p->next) {
		if (p->next && p->next->prev != p)
			return 37;
		if (++n > $D)
			return 38;
	}]] }
-- order of evaluation
part { parameter = "int x$N", pass = "below(9)", declare = [[
static int turn$N;
static int next$N(void) { return ++turn$N; }]], body = [[
	turn$N = x$N;
	if (next$N() - next$N() > 0)
		r += 40;
	if (next$N() * 2 == next$N())
		r += 41;]] }
part { parameter = "int x$N", pass = "below(9)", declare = [[
static int g$N, a$N[8];
static int set$N(int x) { g$N = x; return x; }]], body = [[
	g$N = x$N;
	if (g$N + set$N($C) == x$N + $C)
		r += 42;
	g$N = x$N;
	a$N[g$N & 7] = set$N($D);
	if (a$N[$D] == $D)
		r += 43;]] }
-- pointers as values
part { parameter = "int x$N", pass = "below(12)", declare = [[
static int twice$N(int x) { return 2 * x; }
static int minus$N(int x) { return -x; }
static int (*const table$N[])(int) = { twice$N, minus$N, 0 };]], body = [[
	if (x$N >= 0 && x$N < 3 && table$N[x$N] && table$N[x$N](x$N) < 0)
		r += 44;]] }
part { parameter = "int x$N", pass = "below(6)", body = [[
	{
		static void *const to$N[] = { &&zero$N, &&one$N, &&two$N };

		if (x$N < 0 || x$N > 2)
			return -4;
		goto *to$N[x$N];
	one$N:
		n++;
	two$N:
		n++;
	zero$N:
		if (n == 2)
			r += 45;
	}]] }
part { parameter = "const int *p$N, const int *q$N", pass = "numbers(90, 7) + below(40), cells + below(4)", body = [[
	if (p$N == q$N)
		r += 46;
	if ((unsigned long)p$N & 4)
		r += 47;
	if ((unsigned long)p$N > (unsigned long)q$N)
		r += 48;]] }
part { parameter = "int *p$N, int *q$N", pass = "cells + below(4), cells + below(4)", body = [[
	if (p$N < q$N)
		r += 49;
	if (p$N && q$N && p$N == q$N + 1)
		r += 50;]] }
part { parameter = "int x$N", pass = "below(9)", declare = "static int one$N, two$N, *at$N = &one$N;", body = [[
	if (at$N == &two$N)
		r += 51;
	at$N = x$N > $C ? &two$N : &one$N;
	*at$N = x$N;
	if (two$N > $C)
		r += 52;]] }
-- streams
part { parameter = "FILE *f$N", pass = "stream(3 * $B, \"$W\")", needs = "stream", body = [[
	n = 0;
	if (!f$N)
		return -5;
	for (int c; (c = getc(f$N)) != EOF && c != '\n'; )
		n++;
	if (n > $B)
		r += 53;]] }
part { parameter = "FILE *f$N", pass = "stream(2 * $B, \"$W\\n\")", needs = "stream", body = [[
	char line$N[40];

	if (f$N && fgets(line$N, sizeof line$N, f$N)) {
		if (strcmp(line$N, "$W\n") == 0)
			r += 54;
		if (strlen(line$N) > $B)
			r += 55;
	}]] }
part { parameter = "FILE *f$N", pass = "stream(0, \"42 77 x\")", needs = "stream", body = [[
	int i$N;

	while (f$N && fscanf(f$N, "%d", &i$N) == 1) {
		if (i$N == 77)
			r += 56;
	}
	if (f$N && feof(f$N))
		r += 57;]] }
-- hidden state of the library
part { parameter = "int x$N", pass = "below(9)", body = [[
	srand48(x$N);
	if (lrand48() % 4 == 1)
		r += 60;]] }
part { parameter = "char *s$N", pass = "x$N < 2 ? NULL : strdup(\"a$Lb$Lc\")", before = "		int x$N = below(4);", body = [[
	char *w$N = strtok(s$N, "$L");

	if (w$N && *w$N == 'b')
		r += 61;]] }
part { parameter = "const char *s$N", pass = "below(2) ? number(3 * $B) : text(30, \"99999999999999999999\")", body = [[
	char *e$N;
	long l$N;

	errno = 0;
	l$N = strtol(s$N, &e$N, 10);
	if (errno == ERANGE)
		r += 62;
	if (e$N == s$N)
		r += 63;
	if (l$N > $B && !*e$N)
		r += 64;]] }
part { parameter = "int x$N", pass = "below(5)", body = [[
	if (getenv("SET_$N"))
		r += 65;
	if (x$N == $D % 5)
		setenv("SET_$N", "1", 1);]] }
part { parameter = "long x$N", pass = "below(3) * 40000000L", body = [[
	struct tm *t$N = gmtime(&x$N);

	if (t$N && t$N->tm_year == 71)
		r += 66;]] }
-- state
part { parameter = "int x$N", pass = "below(10)", declare = "static int *kept$N;", body = [[
	if (!kept$N)
		kept$N = calloc(1, sizeof *kept$N);
	if (kept$N && *kept$N > $C)
		r += 67;
	if (kept$N)
		*kept$N += x$N > 5;]] }
part { parameter = "int x$N", pass = "below(3)", declare = "static enum { IDLE$N, OPEN$N, BUSY$N, DONE$N } state$N;", body = [[
	switch (state$N) {
	case IDLE$N:
		if (x$N == 1)
			state$N = OPEN$N;
		break;
	case OPEN$N:
		state$N = x$N == 2 ? BUSY$N : IDLE$N;
		break;
	case BUSY$N:
		if (x$N == 0)
			state$N = DONE$N;
		break;
	case DONE$N:
		r += 68;
	}]] }
part { parameter = "int x$N", pass = "below(4)", declare = "volatile int flag$N;", body = [[
	if (flag$N == $C)
		r += 69;]], before = "		flag$N = below($C + 2);" }
part { parameter = "int x$N", pass = "below(9)", declare = "static int sum$N;", body = [[
	if (x$N > 4)
		sum$N += x$N; /* use sum$N def sum$N */
	if (sum$N > 20)
		r += sum$N; /* use sum$N */]] }
part { parameter = "unsigned x$N", pass = "(unsigned)below(40)", declare = "static unsigned char cache$N[16];", body = [[
	if (cache$N[x$N & 15] == (x$N & 0xf0) + 1)
		r += 70;
	cache$N[x$N & 15] = (x$N & 0xf0) + 1;]] }
-- callbacks
part { parameter = "int *a$N, size_t n$N, int (*c$N)(const void *, const void *)", pass = "numbers(90, $K), $S, comparison()",
	size = "(size_t)below(3 * $C + 1)", needs = "comparison", body = [[
	if (n$N > $B)
		n$N = $B;
	qsort(a$N, n$N, sizeof *a$N, c$N);
	if (n$N > 1 && a$N[0] == $K)
		r += 71;]] }
part { parameter = "int (*f$N)(void *, int), void *x$N", pass = "visit(), cells", needs = "visit", body = [[
	for (int i = 0; i < $D; i++) {
		if (f$N(x$N, i))
			return 72;
	}
	r += 73;]] }
part { parameter = "int x$N", pass = "below(6)", declare = [[
static int kept_count$N;
static int compare$N(const void *a, const void *b) { kept_count$N++; return *(const int *)a - *(const int *)b; }]], body = [[
	int a$N[5] = { 5, x$N, 3, $C, 1 };

	qsort(a$N, 5, sizeof *a$N, compare$N);
	if (kept_count$N > 8)
		r += 74;
	if (bsearch(&x$N, a$N, 4, sizeof *a$N, compare$N) == &a$N[2])
		r += 75;]] }
-- buffers, heap, characters, arithmetic
part { parameter = "char *d$N, size_t n$N, const char *s$N", pass = "calloc(1, 200), $S, text(3 * $B, \"$W\")",
	size = "(size_t)below(2 * $B)", body = [[
	if (snprintf(d$N, n$N, "%s:%d", s$N, $K) >= (int)n$N)
		r += 76;
	if (n$N > $C && d$N[$C] == ':')
		r += 77;]] }
part { parameter = "size_t n$N", pass = "(size_t)below(50)", body = [[
	char *h$N = malloc(n$N);

	for (size_t i = 0; h$N && i < n$N; i += 3)
		h$N = realloc(h$N, n$N + i + 1);
	if (h$N && n$N > $B)
		r += 78;
	free(h$N);]] }
part { parameter = "const char *s$N", pass = "text(3 * $B, \"$W\")", body = [[
	n = 0;
	for (; *s$N; s$N++) {
		if (isupper((unsigned char)*s$N) != 0)
			n++;
		if (isalpha((unsigned char)*s$N) > 1000)
			r += 79;
	}
	if (n > $C)
		r += 80;]] }
part { parameter = "long x$N", pass = "below(90) - 40L", declare = "struct bits$N { long long wide : 40; unsigned small : 3; };", body = [[
	struct bits$N b$N = { x$N, (unsigned)x$N };

	if (b$N.small == $C)
		r += 81;
	if ((b$N.wide << 39) < 0)
		r += 82;]] }
part { parameter = "double x$N", pass = "below(90) / 7.0 - 3", body = [[
	if (x$N > $C && x$N < $C + 0.5)
		r += 83;
	if (x$N != x$N)
		r += 84;]], }
part { parameter = "const union mixed *u$N", pass = "mixed($K)", needs = "mixed", body = [[
	if (!u$N)
		return -6;
	if (u$N->tag == 1 && u$N->number.value == $K)
		r += 85;
	if (u$N->tag == 2 && strlen(u$N->text.s) > $B)
		r += 86;]] }
part { parameter = "const struct tagged *t$N", pass = "tagged($K)", needs = "tagged", body = [[
	if (!t$N)
		return -7;
	if (t$N->kind == 0 && t$N->is.number == $K)
		r += 90;
	if (t$N->kind == 1 && t$N->is.text[0] == 'w')
		r += 91;
	if (t$N->kind == 2 && t$N->is.list->v == $C)
		r += 92;
	if (t$N->kind == 3 && t$N->is.two.n > $B && t$N->is.two.many[$B] == $K)
		r += 93;
	if (t$N->kind == 4 && t$N->is.raw[9] == $C)
		r += 94;
	if (t$N->kind == 5 && t$N->is.small)
		r += 95;]] }
part { parameter = "int x$N", pass = "below(9)", body = [[
	int v$N[x$N < 1 ? 1 : x$N];

	for (int i = 0; i < (int)(sizeof v$N / sizeof *v$N); i++)
		v$N[i] = i;
	if (v$N[sizeof v$N / sizeof *v$N - 1] == $C)
		r += 87;]] }
-- merged literals, compilers
part { parameter = "int x$N", pass = "below(3)", body = [[
	const char *a$N = "$W", *b$N = "$W";

	if (a$N == b$N)
		r += 88;
	if (x$N == 2 && (const char *)&a$N < (const char *)&b$N)
		r += 89;]] }

parts.types = {
	node = "struct node { int v; struct node *next; };\n",
	pair = "struct pair { int a, b; };\n",
	vector = "struct vector { int n; int *a; };\n",
	outer = "struct inner { const char *name; };\nstruct outer { struct inner *in; struct outer *up; };\n",
	twin = "struct twin { struct twin *next, *prev; };\n",
	mixed = "union mixed { int tag; struct { int tag, value; } number; struct { int tag; char s[40]; } text; };\n",
	tagged = "struct element { struct element *next; int v; };\nstruct tagged { int kind; union { long number; char *text;\n"
		.. "\tstruct element *list; struct { int *many; int n; } two; unsigned char raw[12]; unsigned char small; } is; };\n",
	tree = [[
struct tree { struct tree *left, *right; };

static int
depth(const struct tree *t)
{
	if (!t)
		return 0;
	int l = depth(t->left), r = depth(t->right);

	return (l > r ? l : r) + 1;
}
]],
}

-- Material that drivers build inputs from; types of this program alone.
parts.driver = [[
#include "native.h"
static unsigned long long seed = $SEED;
static int
below(int n)
{
	seed = seed * 6364136223846793005u + 1442695040888963407u;
	return n > 0 ? (int)((seed >> 33) % (unsigned)n) : 0;
}
__attribute__((unused)) static char *
text(int most, const char *word)
{
	int n = below(most + 1);
	char *s = calloc(1, (size_t)n + 1);

	if (below(4) == 0)
		return strdup(word);
	for (int i = 0; i < n; i++)
		s[i] = "abL,x"[below(5)];
	for (int i = 0; i < n; i++)
		if (s[i] == 'L')
			s[i] = '$L';
	return s;
}
__attribute__((unused)) static char *maybe(char *s) { return below(5) ? s : NULL; }
__attribute__((unused)) static char *number(int most) { char *s = malloc(12); sprintf(s, "%d", below(most)); return s; }
__attribute__((unused)) static int *
numbers(int n, int special)
{
	int *a = calloc((size_t)n, sizeof *a), density = 1 + below(9);

	for (int i = 0; i < n; i++)
		a[i] = below(density) ? below(100) - 50 : special;
	return a;
}
__attribute__((unused)) static int cells[4];
__attribute__((unused)) static int *cell(int i) { return &cells[below(2) ? i : below(2)]; }
__attribute__((unused)) static int *out;
__attribute__((unused)) static int **maybe_out(void) { return below(2) ? &out : NULL; }
static int calls;
static int zero(int x) { return 0 * x; }
static int same(int x) { return x; }
static int large(int x) { return 1000 + x; }
static int count(int x) { return x + calls++; }
__attribute__((unused)) static int (*callback(void))(int)
{
	int (*all[])(int) = { NULL, zero, same, large, count };
	return all[below(5)];
}
]]
parts.builders = {
	node = [[
__attribute__((unused)) static struct node *
list(int most, int special)
{
	struct node *l = NULL;

	for (int n = below(most + 1); n > 0; n--) {
		struct node *p = malloc(sizeof *p);

		*p = (struct node){ below(3) ? below(50) : special, l };
		l = p;
	}
	return l;
}
__attribute__((unused)) static struct node *
ring(int most)
{
	struct node *l = list(most, 0), *p = l;

	while (p && p->next)
		p = p->next;
	if (p && below(2))
		p->next = below(2) ? l : p;
	return l;
}
]], tree = [[
static struct tree *
tree(int most)
{
	struct tree *t;

	if (most == 0 || below(7) == 0)
		return NULL;
	t = malloc(sizeof *t);
	t->left = tree(most - 1);
	t->right = below(5) ? below(2) ? tree(most > 2 ? 2 : 0) : NULL : t->left;
	return t;
}
]],
	texts = [[
static char **
texts(int most, const char *word)
{
	char **v = calloc((size_t)most + 1, sizeof *v);

	for (int i = below(most + 1); i-- > 0; )
		v[i] = text(4, word);
	return v;
}
]], vector = [[
static struct vector *
vector(int most, int special)
{
	struct vector *v = malloc(sizeof *v);

	*v = (struct vector){ below(most + 1), numbers(most + 1, special) };
	return below(5) ? v : NULL;
}
]], rows = [[
static int **
rows(int most, int columns, int special)
{
	int **m = calloc((size_t)most + 1, sizeof *m);

	for (int i = 0; i < most; i++)
		m[i] = numbers(columns, special);
	return m;
}
]], outer = [[
static struct outer *
outer(int depth, int most, const char *word)
{
	struct outer *o = NULL;

	for (int n = below(depth + 1); n > 0; n--) {
		struct outer *p = calloc(1, sizeof *p);

		p->up = o;
		if (below(3))
			p->in = calloc(1, sizeof *p->in);
		if (p->in && below(3))
			p->in->name = text(most, word);
		o = p;
	}
	return o;
}
]], twin = [[
static struct twin *
twins(int most)
{
	struct twin *l = NULL;

	for (int n = below(most + 1); n > 0; n--) {
		struct twin *p = calloc(1, sizeof *p);

		p->next = l;
		if (l && below(9))
			l->prev = p;
		l = p;
	}
	return l;
}
]], stream = [[
static FILE *
stream(int most, const char *word)
{
	char *s = text(most, word);

	return below(6) ? fmemopen(s, strlen(s), "r") : NULL;
}
]], comparison = [[
static int up(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static int down(const void *a, const void *b) { return *(const int *)b - *(const int *)a; }
static int (*comparison(void))(const void *, const void *) { return below(2) ? up : down; }
]], visit = [[
static int never(void *p, int i) { (void)p; (void)i; return 0; }
static int third(void *p, int i) { *(int *)p += i; return *(int *)p == 3; }
static int (*visit(void))(void *, int) { return below(2) ? never : third; }
]], mixed = [[
static union mixed *
mixed(int special)
{
	union mixed *u = calloc(1, sizeof *u);

	u->tag = below(4);
	if (u->tag == 1)
		u->number.value = below(2) ? special : below(9);
	else if (u->tag == 2)
		strcpy(u->text.s, text(30, "word"));
	return below(4) ? u : NULL;
}
]], tagged = [[
static struct tagged *
tagged(int special)
{
	struct tagged *t = calloc(1, sizeof *t);

	t->kind = below(7);
	if (t->kind == 0) {
		t->is.number = below(2) ? special : below(9);
	} else if (t->kind == 1) {
		t->is.text = text(30, "word");
	} else if (t->kind == 2) {
		t->is.list = calloc(1, sizeof *t->is.list);
		t->is.list->v = below(9);
	} else if (t->kind == 3) {
		t->is.two.n = 1 + below(40);
		t->is.two.many = calloc(t->is.two.n, sizeof *t->is.two.many);
		for (int i = 0; i < t->is.two.n; i++)
			t->is.two.many[i] = below(2) ? special : below(9);
	} else {
		for (int i = 0; i < 12; i++)
			t->is.raw[i] = below(9);
	}
	return below(4) ? t : NULL;
}
]],
}
parts.order = { "node", "pair", "vector", "outer", "twin", "mixed", "tagged", "texts", "rows", "stream", "comparison", "visit", "tree" }

return parts
