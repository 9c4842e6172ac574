#include "lib/filter/filter.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static int read_one(const struct filter *f, const char *path)
{
	FILE *in = !strcmp(path, "-") ? stdin : fopen(path, "r");
	char *error = NULL;
	int status = 0;
	if (!in) {
		fprintf(stderr, "%s: %s: %s\n", f->name, path, strerror(errno));
		return 4;
	}
	if (f->read(in, in == stdin ? "<stdin>" : path, &error)) {
		fprintf(stderr, "%s: %s\n", f->name, error ? error : "out of memory");
		free(error);
		status = 3;
	}
	if (in != stdin)
		fclose(in);
	return status;
}

static int check_stdout(const struct filter *f, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	fprintf(stderr, "%s: cannot write: %s\n", f->name, strerror(errno));
	return 4;
}

int filter_main(const struct filter *f, int argc, char **argv)
{
	static const struct option options[] = {
		{ "help", no_argument, NULL, 'h' }, { "version", no_argument, NULL, 'V' }, { NULL, 0, NULL, 0 },
	};
	char standard[] = "-", *only[] = { standard, NULL }, **file;
	int c, status = 0;
	while ((c = getopt_long(argc, argv, "hV", options, NULL)) != -1) {
		switch (c) {
		case 'h':
			fputs(f->usage, stdout);
			return check_stdout(f, 0);
		case 'V':
			printf("%s %s\n", f->name, DUCT_VERSION);
			return check_stdout(f, 0);
		default:
			fputs(f->usage, stderr);
			return 2;
		}
	}
	for (file = argv[optind] ? argv + optind : only; *file; file++) {
		int one = read_one(f, *file);
		status = one > status ? one : status;
	}
	return check_stdout(f, status ? status : f->finish());
}
