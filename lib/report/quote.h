/* quote: private to lib/report: escaping for the languages of the reports. */
#ifndef DUCT_REPORT_QUOTE_H
#define DUCT_REPORT_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

/* Writes a JSON string; NULL becomes null. Characters in `also` are written as numeric escapes.
 * Invalid UTF-8 is taken as Latin-1. */
void quote_json(FILE *f, const char *s, const char *also);
/* Writes XML text or an attribute value; characters that XML forbids become `?`. */
void quote_xml(FILE *f, const char *s);
/* Writes text inside a C comment, without ending it. */
void quote_comment(FILE *f, const char *s);
/* Writes text on one line; control characters as numeric escapes. */
void quote_line(FILE *f, const char *s);
/* Writes one word of a command, for sh. */
void quote_sh(FILE *f, const char *s);
/* Writes one word of a command, in a recipe or make variable; the Makefile must start with
 * quote_make_head. quote_fits_make: false for text with a newline, which Makefiles cannot
 * express. */
void quote_make(FILE *f, const char *s);
bool quote_fits_make(const char *s);
extern const char quote_make_head[];

#endif
