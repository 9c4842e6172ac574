/* zip: writes a zip archive of files that are stored without compression. Private to lib/report. */
#ifndef DUCT_REPORT_ZIP_H
#define DUCT_REPORT_ZIP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct zip_entry {
	char *path;
	uint32_t checksum, size, offset; /* offset: of its header in the archive */
};
struct zip {
	FILE *f;
	struct zip_entry *entry;
	size_t n;
	uint64_t at; /* bytes written */
	bool full;   /* a file did not fit: the format ends at 4 GiB */
};

/* Borrows the stream. */
struct zip zip_open(FILE *f);
/* Adds a file, without a time, so that equal files give equal archives. */
void zip_put(struct zip *z, const char *path, const void *bytes, size_t n);
/* Writes the directory and frees all but the stream. NULL, or a static error text. */
const char *zip_close(struct zip *z);

#endif
