/* sha256: private to lib/report: FIPS 180-4's hash of a stream, as 64 digits. */
#ifndef DUCT_REPORT_SHA256_H
#define DUCT_REPORT_SHA256_H

#include <stdio.h>

void sha256_stream(FILE *f, char text[65]);

#endif
