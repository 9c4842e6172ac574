/* entry: f
 * class: callbacks that come back
 */
static int busy, depth;
void set_busy(int x) { busy = x; }
int f(void (*cb)(void), int n)
{
	int r = 0;

	if (depth > 1)
		return 1;
	busy = 0;
	depth++;
	cb();
	if (busy)
		r = 2;
	if (busy == n && n > 5)
		r = 3;
	if (depth != 1)
		r = 4;
	depth--;
	return r;
}
#ifdef NATIVE
static void none(void) { }
static void set(void) { set_busy(7); }
static void again(void) { f(again, 1); }
int main(void)
{
	f(none, 0);
	f(set, 0);
	f(set, 7);
	f(again, 0);
	return 0;
}
#endif
