/* entry: f
 * class: trees
 */
struct tree { struct tree *left, *right; int key; };

static int
depth(const struct tree *t)
{
	if (!t)
		return 0;
	int left = depth(t->left), right = depth(t->right);

	if (left > right)
		return left + 1;
	return right + 1;
}

int
f(const struct tree *t)
{
	if (depth(t) > 4)
		return 1;
	if (t && t->left && t->left == t->right)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	struct tree t[6] = { { 0 } };

	f(0);
	f(t);
	t[0].left = t[0].right = t + 1;
	f(t);
	t[0].right = 0;
	f(t);
	for (int i = 0; i < 5; i++)
		t[i].left = t + i + 1;
	f(t);
	return 0;
}
#endif
