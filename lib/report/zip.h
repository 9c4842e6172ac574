/* zip: private to lib/report: an archive of small files, stored as they are, without times, so that the same
 * files give the same archive. */
#ifndef DUCT_REPORT_ZIP_H
#define DUCT_REPORT_ZIP_H

#include <stdio.h>

struct zip;

/* Begins an archive on a stream, which stays the caller's, as do its errors. */
struct zip *zip_open(FILE *f);
/* The next file; name and content are copied. */
void zip_add(struct zip *z, const char *name, const void *content, size_t n);
/* Writes the directory and frees. */
void zip_close(struct zip *z);

#endif
