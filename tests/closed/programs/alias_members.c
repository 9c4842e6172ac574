/* entry: f
 * class: aliasing
 */
struct pair { int *a, *b; };

int
f(struct pair *p, struct pair *q)
{
	*p->a = 4;
	*q->b = 5;
	if (*p->a == 5)
		return 1;
	if (p == q)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int a, b;
	struct pair p = { &a, &b }, q = { &b, &a }, r = { &a, &b };

	f(&p, &q);
	f(&p, &r);
	f(&p, &p);
	return 0;
}
#endif
