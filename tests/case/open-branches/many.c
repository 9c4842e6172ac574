/* The first run of this function leaves 140,001 branches open: more than 114,688, from which on a run adds one condition to
 * the tree (lib/tree/add.c, most_new). */
int many(const unsigned char *a, unsigned n)
{
	unsigned seen = 0;
	for (unsigned i = 0; i < 140000; i++)
		if (a[i] == 7)
			seen += i & 1 ? 2 : 1;
	if (seen == 3)
		return 1;
	return 0;
}
