/* entry: h
 * class: lists
 */
struct node { int v; struct node *next; };

int
h(struct node *p)
{
	int n = 0;

	while (p) {
		n++;
		p = p->next;
	}
	if (n > 4)
		return 1;
	if (n == 0)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct node l[9] = { { 0 } };

	h(0);
	h(l);
	for (int i = 0; i < 8; i++)
		l[i].next = l + i + 1;
	h(l);
	return 0;
}
#endif
