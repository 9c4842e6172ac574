/* file: private to lib/cover: a validated record file. */
#ifndef DUCT_COVER_FILE_H
#define DUCT_COVER_FILE_H

#include "lib/protocol/record.h"

#include <stdbool.h>
#include <stddef.h>

/* A copy in memory: the program may still write to the file. */
struct record_file {
	struct record *r;
};

/* False when it is not a complete record. */
bool record_read(const char *path, struct record_file *f);
void record_free(struct record_file *f);
const struct channel_unit *record_units(const struct record_file *f);
const uint8_t *record_cover(const struct record_file *f, const struct channel_unit *u);
/* The pairs in the record; *n: their number. */
const struct channel_pair *record_pairs(const struct record_file *f, size_t *n);
/* NULL when the record has none. */
const char *record_text(const struct record_file *f, uint64_t offset);
/* Reads only the header, unchecked but for its magic number; false: there is none. */
bool record_head(const char *path, struct record *r);
/* Has the record's process certainly ended? space: our pid namespace. */
bool record_ended(const struct record *r, uint64_t space);

#endif
