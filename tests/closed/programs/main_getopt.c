/* entry: main
 * class: arguments, hidden state of the library
 * run: $P
 * run: $P -a -n 12 x y
 * run: $P -an12 x
 * run: $P -z
 * run: $P -n
 * run: $P -n 7 -- -a
 */
#include <stdlib.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	int all = 0, number = 0, c;

	while ((c = getopt(argc, argv, "an:")) != -1) {
		switch (c) {
		case 'a':
			all++;
			break;
		case 'n':
			number = atoi(optarg);
			break;
		default:
			return 2;
		}
	}
	if (all && number == 12)
		return 1;
	if (argc - optind > 1)
		return 3;
	return 0;
}
