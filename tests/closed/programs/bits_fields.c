/* entry: f
 * class: bit-fields
 */
struct flags { unsigned kind : 3; signed delta : 5; unsigned char on : 1; };

int
f(struct flags *p, int v)
{
	p->kind += 1;
	p->delta = (signed)v;
	if (p->kind == 0)
		return 1;
	if (p->delta != v)
		return 2;
	if (p->on)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct flags p = { 7, 0, 0 };

	f(&p, 0);
	f(&p, 100);
	f(&p, -3);
	p.on = 1;
	f(&p, -3);
	return 0;
}
#endif
