/* filter: the frame of a program that reads record streams from files or stdin: options, the loop
 * over files, messages, exit status. */
#ifndef DUCT_FILTER_H
#define DUCT_FILTER_H

#include <stdio.h>

struct filter {
	const char *name, *usage;    /* usage: the SYNOPSIS, ended by a newline */
	/* Reads one file. 0, or -1 with *error "name:line: message" (caller frees). */
	int (*read)(FILE *f, const char *name, char **error);
	/* After every file was read without an error: the exit status. */
	int (*finish)(void);
};

/* Exit status: the worst of all files. `-` and no file at all are stdin. */
int filter_main(const struct filter *f, int argc, char **argv);

#endif
