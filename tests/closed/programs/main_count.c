/* entry: main
 * class: arguments
 * run: $P
 * run: $P a
 * run: $P a b c d e f g h i j
 */
int
main(int argc, char **argv)
{
	int n = 0;

	while (*++argv)
		n++;
	if (argc > 8)
		return 1;
	if (n == 0)
		return 2;
	return 0;
}
