/* entry: f
 * class: state handed out by address
 */
int *level(void) { static int x; return &x; }
static int hidden;
int *hiding(void) { return &hidden; }
char *text(void) { static char buffer[8] = "no"; return buffer; }
int f(void)
{
	if (*level() == 5)
		return 1;
	if (hidden)
		return 2;
	if (text()[0] == 'y')
		return 3;
	return 0;
}
#ifdef NATIVE
int main(void)
{
	f();
	*hiding() = 1;
	f();
	hidden = 0;
	*text() = 'y';
	f();
	*level() = 5;
	f();
	return 0;
}
#endif
