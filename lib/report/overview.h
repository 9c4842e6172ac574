/* overview: private to lib/report: lists of objectives for a screen. */
#ifndef DUCT_REPORT_OVERVIEW_H
#define DUCT_REPORT_OVERVIEW_H

#include <stddef.h>
#include <stdio.h>

struct overview_row {
	const char *function, *evidence;
	char *place, *before; /* malloc'ed; before: what is said before the evidence, or NULL */
};
/* Writes a heading and at most `most` rows, in groups by function. Where there are more, those with
 * the same reason are one row, reasons of most objectives before others; rows with other reasons
 * are counted in a last line, which names the option that lists them. */
void overview_list(FILE *f, const char *title, const struct overview_row *row, size_t n,
    size_t most, const char *list);
void overview_free(struct overview_row *row, size_t n);

#endif
