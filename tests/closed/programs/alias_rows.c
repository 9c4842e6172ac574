/* entry: f
 * class: aliases, below the first pointer
 */
struct owner { int *first, *second; struct owner *other; };
int f(int **a, struct owner *o, char **v)
{
	*a[0] = 1;
	*a[1] = 2;
	if (*a[0] == 2)
		return 1;
	*o->first = 3;
	*o->second = 4;
	if (*o->first == 4)
		return 2;
	if (o->other == o)
		return 3;
	if (o->first == a[0])
		return 4;
	if (v[0] == v[1])
		return 5;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	int x, y, z, w;
	int *same[2] = { &x, &x }, *two[2] = { &x, &y };
	struct owner o = { &z, &w, 0 };
	char a[] = "a", *v[2] = { a, a }, *n[2] = { a, a + 1 };

	f(same, &o, v);
	f(two, &o, n);
	f(two, &o, v);
	o.first = &x;
	f(two, &o, v);
	o.other = &o;
	f(two, &o, v);
	o.second = &x;
	f(two, &o, v);
	return 0;
}
#endif
