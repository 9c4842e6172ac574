/* entry: main
 * class: arguments, hidden state of the library
 * run: $P
 * run: $P --verbose
 * run: $P --output=file
 * run: $P --output x --verb
 * run: $P --wrong
 */
#include <getopt.h>
#include <string.h>

static const struct option options[] = {
	{ "verbose", no_argument, 0, 'v' },
	{ "output", required_argument, 0, 'o' },
	{ 0, 0, 0, 0 },
};

int
main(int argc, char **argv)
{
	const char *output = 0;
	int verbose = 0, c;

	while ((c = getopt_long(argc, argv, "vo:", options, 0)) != -1) {
		if (c == 'v')
			verbose = 1;
		else if (c == 'o')
			output = optarg;
		else
			return 2;
	}
	if (output && strlen(output) == 4)
		return 1;
	if (verbose && output)
		return 3;
	return 0;
}
