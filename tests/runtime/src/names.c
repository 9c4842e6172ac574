/* Pointers loaded at a symbolic index, and an index into what they point to.
 * duct: --entry pick
 * expect: covered=8 infeasible=0 failures=0 */
static const char *const names[] = { "if", "else", "while", "for" };
int pick(unsigned char i, unsigned char j)
{
	if (i >= 4 || j >= 2)
		return -1;
	if (names[i][j] == 'h')
		return 1;
	if (names[i][j] == 'o')
		return 2;
	return 0;
}
