/* table: checked reading of record formats that are plain tables: pairs, goals, verdicts, blocks.
 *
 * A format is a list of tags with their fields, words separated by blanks:
 *   id         the record's own id: counts from 1 in its stream
 *   @TAG       id of a TAG record that was defined above
 *   @TAG?      the same, or 0 for none
 *   key        16 hexadecimal digits
 *   number     unsigned decimal        integer    signed decimal
 *   text       anything                a|b|c      one of these words
 * Records of other tags are skipped, fields behind the known ones too. */
#ifndef DUCT_TABLE_H
#define DUCT_TABLE_H

#include "lib/rec/rec.h"

struct table_tag {
	const char *tag, *fields;
};

/* Ended by a NULL tag. */
extern const struct table_tag table_pairs[], table_goals[], table_verdicts[], table_blocks[],
    table_distances[], table_flowmap[];

struct table;

/* format and tags: one of the lists above; borrowed. */
struct table *table_open(
    FILE *f, const char *name, const char *format, const struct table_tag *tags);
void table_close(struct table *t);
/* The next record with a known tag, checked; *tag: its index in the list. */
enum rec_status table_next(struct table *t, struct rec *rec, size_t *tag);
struct rec_reader *table_reader(struct table *t); /* for rec_first, rec_error, rec_fail */

#endif
