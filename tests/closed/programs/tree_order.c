/* entry: f
 * class: trees
 */
struct tree { int key; struct tree *left, *right; };

static int
ordered(const struct tree *t, long low, long high)
{
	if (!t)
		return 1;
	if (t->key <= low || t->key >= high)
		return 0;
	return ordered(t->left, low, t->key) && ordered(t->right, t->key, high);
}

int
f(const struct tree *t, int key)
{
	if (!ordered(t, -100000000000, 100000000000))
		return -1;
	while (t) {
		if (t->key == key)
			return 1;
		if (key < t->key)
			t = t->left;
		else
			t = t->right;
	}
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct tree a = { 1, 0, 0 }, b = { 5, 0, 0 }, c = { 3, &a, &b }, d = { 0, &c, 0 };

	for (int i = 0; i < 7; i++)
		f(&c, i);
	f(&d, 1);
	f(0, 1);
	return 0;
}
#endif
