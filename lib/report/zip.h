/* zip: a zip archive of stored files, for report(1)'s --test-comp. */
#ifndef DUCT_REPORT_ZIP_H
#define DUCT_REPORT_ZIP_H

#include <stdint.h>
#include <stdio.h>

struct zip {
	FILE *out;
	uint64_t at, files;
	FILE *list; /* what stands at the end of an archive: a record for each file */
	char *listed;
	size_t listed_size;
};

void zip_open(struct zip *z, FILE *out);
/* A file without a time, so that equal files give equal archives. It has less than 4 GiB. */
void zip_add(struct zip *z, const char *path, const char *bytes, size_t size);
/* The end of the archive. Errors of writing are those of its stream. */
void zip_close(struct zip *z);

#endif
