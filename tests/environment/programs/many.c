/* More arguments than there are at first: not in the first limits, and then never `infeasible`. open: 1 */
int main(int argc, char **argv)
{
	(void)argv;
	return argc > 40 ? 1 : 0;
}
