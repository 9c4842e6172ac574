/* entry: f
 * class: globals that other files write
 */
int verbose;
int sizes[3] = { 1, 2, 3 };
static int twice(int x) { return 2 * x; }
int (*hook)(int) = twice;
_Thread_local int mine;
struct { int a; const char *name; } config = { 3, "none" };
int f(int x)
{
	if (verbose)
		return 1;
	if (sizes[1] == 7)
		return 2;
	if (hook(3) == 99)
		return 3;
	if (mine)
		return 4;
	if (config.name[0] == 'x')
		return 5;
	if (config.a == x + 10)
		return 6;
	return 0;
}
#ifdef NATIVE
static int other(int x) { return x + 96; }
int main(void)
{
	f(0);
	f(-7);
	config.name = "x";
	f(0);
	mine = 1;
	f(0);
	hook = other;
	f(0);
	sizes[1] = 7;
	f(0);
	verbose = 1;
	f(0);
	return 0;
}
#endif
