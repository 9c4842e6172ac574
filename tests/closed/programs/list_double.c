/* entry: f
 * class: lists, cycles, aliasing
 */
struct item { struct item *next, *previous; int value; };

int
f(struct item *head)
{
	int n = 0;

	for (struct item *i = head->next; i && i != head; i = i->next) {
		if (i->previous->next != i)
			return -1;
		n++;
	}
	if (n > 2)
		return 1;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct item a[5];

	for (int i = 0; i < 5; i++)
		a[i] = (struct item){ a + (i + 1) % 5, a + (i + 4) % 5, i };
	f(a);
	a[2].previous = a + 4;
	f(a);
	a[0].next = 0;
	f(a);
	a[0].next = a[0].previous = a;
	f(a);
	return 0;
}
#endif
