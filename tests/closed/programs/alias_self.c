/* entry: f
 * class: pointers of another type that lead back
 */
struct n { void *self; struct n **back; const char *name; int value; };
int f(struct n *p, void *raw, long *bits)
{
	if (p->self == p)
		return 1;
	if (*p->back == p)
		return 2;
	if ((const char *)p == p->name)
		return 3;
	p->value = 3;
	*bits = 0;
	if (p->value == 0)
		return 4;
	if (raw == bits)
		return 5;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	struct n a = { 0 }, *q = 0;
	long l;

	a.self = &a;
	f(&a, &l, &l);
	a.self = 0;
	a.back = &q;
	f(&a, &l, &l);
	f(&a, &a, &l);
	a.name = (char *)&a;
	f(&a, &l, &l);
	q = &a;
	f(&a, &l, &l);
	return 0;
}
#endif
