/* options: --string s=1 (hard) (limits: faults) */
/* Objects whose size is known only when they are made. */
#include "tests/conform/conform.h"
#include <alloca.h>

/* rule: flexible array members */
struct flexible { unsigned n; short a[]; };

static int flexible(struct in in)
{
	unsigned n = (unsigned)in.x % 4 + 1;
	struct flexible *f = calloc(1, sizeof *f + n * sizeof f->a[0]);
	int t = 0;

	if (!f)
		return 0;
	f->n = n;
	for (unsigned i = 0; i < f->n; i++)
		f->a[i] = (short)(in.y >> (16 * i));
	for (unsigned i = 0; i < f->n; i++)
		t = t * 10 + f->a[i];
	free(f);
	MARK(91, n == 3 && t == -4321);
	MARK(92, n == 1 && t == 4321);
	NEVER(93, n > 4);
	return 0;
}

/* rule: malloc, calloc, realloc, free */
static int allocated(struct in in)
{
	size_t n = (size_t)in.x % 5 + 1;
	int *p = malloc(n * sizeof *p), *q;
	long t = 0;

	if (!p)
		return 0;
	for (size_t i = 0; i < n; i++)
		p[i] = (int)(in.y >> (8 * i)) & 0xff;
	q = realloc(p, 2 * n * sizeof *p);
	if (!q)
		return 0;
	q[2 * n - 1] = 1000;
	for (size_t i = 0; i < n; i++)
		t = t * 2 + q[i];
	t += q[2 * n - 1];
	free(q);
	MARK(161, n == 4 && t == 1777);
	MARK(162, n == 1 && t == 1001);
	p = calloc(n, sizeof *p);
	NEVER(163, p && p[n - 1]);
	free(p);
	return 0;
}

/* rule: arrays of variable length */
static long trace_of(int n, int m[n][n])
{
	long t = 0;

	for (int i = 0; i < n; i++)
		t = t * 100 + m[i][n - 1 - i];
	return t;
}

static int variable(struct in in)
{
	int n = (int)(in.x & 1) + 2, m[n][n];

	for (int i = 0; i < n * n; i++)
		m[i / n][i % n] = (int)(in.y >> i & 63);
	MARK(171, sizeof m == 36 && trace_of(n, m) == 454326);
	MARK(172, sizeof m == 16 && trace_of(n, m) == 2211);
	NEVER(173, sizeof m != n * n * sizeof(int));
	return 0;
}

/* rule: arrays of variable length in a loop */
static int looped(struct in in)
{
	long t = 0;

	for (int n = 1; n <= 3; n++) {
		unsigned char a[n];

		a[0] = (unsigned char)(in.x >> n);
		a[n - 1] ^= (unsigned char)(n > 1 ? in.y : 0);
		t = t * 256 + (n == 1 ? a[0] : a[0] & 0);
	}
	MARK(181, t == 0x7f0000);
	NEVER(182, t & 0xffff);
	return 0;
}

/* rule: alloca */
static int on_stack(struct in in)
{
	size_t n = (size_t)in.x % 4 + 2;
	char *p = alloca(n), *q = alloca(4);

	memset(p, (int)in.y, n);
	memcpy(q, &in.y, 4);
	p[n - 1] = 'x';
	MARK(191, n == 5 && p[3] == 'k' && q[1] == 'l');
	MARK(192, n == 2 && p[0] == 'x' - 1 && q[3] == 1);
	NEVER(193, p[n - 1] != 'x');
	return 0;
}

/* rule: a list of nodes that were allocated */
struct node { struct node *next; int v; };

static int listed(struct in in)
{
	struct node *list = NULL, *n;
	long t = 0;

	for (int i = 0; i < 4; i++) {
		struct node **at = &list;

		n = malloc(sizeof *n);
		if (!n)
			return 0;
		n->v = (int)(in.x >> (4 * i) & 15);
		while (*at && (*at)->v < n->v)
			at = &(*at)->next;
		n->next = *at;
		*at = n;
	}
	for (; (n = list); list = n->next)
		t = t * 16 + n->v;
	MARK(201, t == 0x2358 && (in.x & 0xffff) == 0x8523);
	NEVER(202, t == 0x3258);
	return 0;
}

RULES(flexible, allocated, variable, looped, on_stack, listed)
