/* entry: f
 * class: NULL
 */
struct inner { int *count; };
struct outer { struct inner *in; const char *name; };

int
f(const struct outer *o)
{
	if (!o || !o->in)
		return -1;
	if (!o->in->count)
		return o->name ? 1 : 2;
	if (*o->in->count > 100)
		return 3;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	int n = 101, m = 1;
	struct inner i = { 0 }, j = { &n }, k = { &m };
	struct outer a = { 0 }, b = { &i, 0 }, c = { &i, "x" }, d = { &j, 0 }, e = { &k, 0 };

	f(0);
	f(&a);
	f(&b);
	f(&c);
	f(&d);
	f(&e);
	return 0;
}
#endif
