/* entry: f
 * class: globals
 */
static int mode;
int level;

void
set_mode(int m)
{
	mode = m & 7;
}

int
f(int x)
{
	if (mode == 5)
		return x + 1;
	if (level > 3)
		return 2;
	level++;
	return 0;
}

#ifdef NATIVE
int
main(void)
{
	for (int i = 0; i < 6; i++)
		f(i);
	set_mode(5);
	f(0);
	return 0;
}
#endif
