/* entry: f
 * class: symbolic indices
 */
static const unsigned char table[64] = { [17] = 3, [40] = 3, [63] = 9 };

int
f(unsigned i, unsigned j)
{
	if (i > 63 || j > 63)
		return -1;
	if (table[i] == 9 && table[table[j]] == 0)
		return 1;
	if (table[i] == table[j] && i != j && table[i] != 0)
		return 2;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (unsigned i = 0; i < 66; i++)
		for (unsigned j = 0; j < 66; j++)
			f(i, j);
	return 0;
}
#endif
