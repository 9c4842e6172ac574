/* rec: the line records that all filters exchange (man5 duct-records).
 *
 * A stream is a header line `#FORMAT VERSION WRITER`, then records: TAB-separated
 * fields, the tag first; then `end N`, N counting the records. `#need X` must be
 * understood by the reader or is refused; `#meta KEY VALUE` may be ignored. Streams
 * may be concatenated. Escapes inside a field: \t \n \\ \xHH, nothing else.
 *
 * Errors are strings "FILE:LINE: message", owned by the reader; tools print them after
 * their own name and exit with status 3.
 */
#ifndef DUCT_REC_H
#define DUCT_REC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct rec_reader;

/* One record. Fields are unescaped, NUL-terminated and live until the next rec_next. */
struct rec {
	size_t n;     /* number of fields, tag included */
	char **field; /* field[0] is the tag */
	size_t *len;  /* length of each field, which may contain NUL (\x00) */
	unsigned long line;
};

enum rec_status { REC_ERROR = -1, REC_END = 0, REC_OK = 1 };

/* `name` is for messages. `format` is the format that streams must have, e.g. "flow". `needs`:
 * NULL-terminated list of the `#need` words that the caller understands, or NULL. Borrows the FILE.
 */
struct rec_reader *rec_open(
    FILE *f, const char *name, const char *format, const char *const *needs);
void rec_close(struct rec_reader *r);

/* Next record of this stream or of the streams that follow it. REC_END only after a complete stream
 * with a correct `end N`; empty input is an error. */
enum rec_status rec_next(struct rec_reader *r, struct rec *out);

/* Is the record that rec_next returned last the first of its stream? Ids restart there. */
bool rec_first(const struct rec_reader *r);

/* Value of `#meta KEY` in the current stream so far, or NULL. */
const char *rec_meta(const struct rec_reader *r, const char *key);

/* The message of the last REC_ERROR. */
const char *rec_error(const struct rec_reader *r);

/* Sets an error at the current record; returns REC_ERROR. For readers of formats. */
enum rec_status rec_fail(struct rec_reader *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Field i as a decimal number in [min,max]; false after rec_fail if it is none. `what` names it in
 * messages. */
bool rec_u64(struct rec_reader *r, const struct rec *rec, size_t i, const char *what, uint64_t min,
    uint64_t max, uint64_t *out);
bool rec_i64(struct rec_reader *r, const struct rec *rec, size_t i, const char *what, int64_t *out);
/* False after rec_fail unless the record has min to max fields, including the tag. */
bool rec_want(struct rec_reader *r, const struct rec *rec, size_t min, size_t max);

/* Writing. A writer counts its records. After a write error all functions do nothing; rec_end
 * reports it. */
struct rec_writer {
	FILE *f;
	uint64_t count;
	bool begun; /* a field was written on the current line */
};

void rec_begin(struct rec_writer *w, FILE *f, const char *format, int version, const char *writer);
void rec_put_meta(struct rec_writer *w, const char *key, const char *value);
void rec_str(struct rec_writer *w, const char *s); /* appends an escaped field */
void rec_mem(struct rec_writer *w, const char *s, size_t n);
void rec_num(struct rec_writer *w, uint64_t v);
void rec_int(struct rec_writer *w, int64_t v);
void rec_hex(struct rec_writer *w, uint64_t v); /* lower case, no 0x */
void rec_eol(struct rec_writer *w);             /* ends the record */
/* A whole record from a list of letters, one per field: s string, u uint64_t, d int64_t, x uint64_t
 * in hex; e.g. rec_putf(w, "su", "unit", (uint64_t)1). */
void rec_putf(struct rec_writer *w, const char *fields, ...);
/* Writes `end N` and flushes. 0, or -1 with errno set if anything could not be written. */
int rec_end(struct rec_writer *w);

#endif
