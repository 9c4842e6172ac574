/* file: private to lib/cover: a record as a program left it, checked. */
#ifndef DUCT_COVER_FILE_H
#define DUCT_COVER_FILE_H

#include "lib/runtime/record.h"

#include <stdbool.h>
#include <stddef.h>

/* In memory of its own: the program may still write to the file. */
struct record_file { struct record *r; };

/* False when it is no (complete) record. */
bool record_read(const char *path, struct record_file *f);
void record_free(struct record_file *f);
const struct channel_unit *record_units(const struct record_file *f);
const uint8_t *record_cover(const struct record_file *f, const struct channel_unit *u);
/* Pairs that it tells, as many as there are. */
const struct channel_pair *record_pairs(const struct record_file *f, size_t *n);
/* NULL when there is none. */
const char *record_text(const struct record_file *f, uint64_t offset);
/* Has its process ended for sure? `space`: our own name space of processes. */
bool record_ended(const char *path, uint64_t space);

#endif
