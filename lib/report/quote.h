/* quote: private to lib/report: texts as each language that is written wants them. */
#ifndef DUCT_REPORT_QUOTE_H
#define DUCT_REPORT_QUOTE_H

#include <stdbool.h>
#include <stdio.h>

/* A JSON string; NULL is null. What is in `also` is written by its number. What is no UTF-8 is taken for Latin 1. */
void quote_json(FILE *f, const char *s, const char *also);
/* Text or the value of an attribute; characters that XML cannot have become `?`. */
void quote_xml(FILE *f, const char *s);
/* Inside a comment of C, which it does not end. */
void quote_comment(FILE *f, const char *s);
/* On a line of text: control characters by their numbers. */
void quote_line(FILE *f, const char *s);
/* One word of a command, in a recipe or a variable of make; the file begins with quote_make_head. What has a newline does
 * not fit into a Makefile. */
void quote_make(FILE *f, const char *s);
bool quote_fits_make(const char *s);
extern const char quote_make_head[];

#endif
