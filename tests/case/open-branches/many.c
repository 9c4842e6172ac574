/* The first run of this function leaves 270,001 branches open: more than 262,144, from which on trees of sessions take few
 * conditions of a run. */
int many(const unsigned char *a, unsigned n)
{
	unsigned seen = 0;
	for (unsigned i = 0; i < 270000; i++)
		if (a[i] == 7)
			seen += i & 1 ? 2 : 1;
	if (seen == 3)
		return 1;
	return 0;
}
