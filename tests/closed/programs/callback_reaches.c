/* entry: f
 * class: callbacks, aliasing
 */
struct node { struct node *next; int value; };

int
f(void (*visit)(struct node *), int (*see)(const int *), int *p)
{
	struct node last = { 0, 1 }, first = { &last, 2 };

	visit(&first);
	if (last.value == 5)
		return 1;
	*p = 3;
	see(p);
	if (*p != 3)
		return 2;
	return 0;
}

#ifdef NATIVE
static int cell;

static void
mark(struct node *n)
{
	n->next->value = 5;
}

static void
leave(struct node *n)
{
	(void)n;
}

static int
change(const int *p)
{
	cell = 4;
	return *p;
}

static int
same(const int *p)
{
	return *p;
}

int
main(void)
{
	f(mark, same, &cell);
	f(leave, change, &cell);
	f(leave, same, &cell);
	return 0;
}
#endif
