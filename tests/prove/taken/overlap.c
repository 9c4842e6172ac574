struct n {
	struct n *next;
	int v;
};
static int sum(struct n *l)
{
	int s = 0;
	for (; l; l = l->next)
		s += l->v;
	return s;
}
int f(int k)
{
	struct n a = {0, 1}, b = {&a, 2}, c = {&b, 3};
	if (k)
		a.next = 0;
	else
		b.next = 0;
	if (sum(&c) == 6) /* taken */
		k = 1;
	if (sum(&c) == 5) /* taken */
		k = 2;
	struct n *w = &c;
	while (w->next)
		w = w->next;
	w->v = 9;
	if (a.v == 9) /* taken */
		k = 3;
	if (b.v == 9) /* taken */
		k = 4;
	return k;
}
